//! The network: its [`Crossbar`] in lockstep with the executable specification, what it owes to packets, and packets through sender and receiver.
//!
//! `WARPLOOM_RANDOM_LISTS=1000 cargo test -p warploom-verification --test network` runs more.
use std::collections::VecDeque;

use warploom_hdl::interface::MemoryOp;
use warploom_hdl::memory_system::network::{Crossbar, NetworkConfig, PacketKind, PacketReceiver, PacketSender};
use warploom_hdl::prelude::Block;
use warploom_runtime::kernels::Random;
use warploom_verification::equivalence::{Bench, Execution, Stimulus};
use warploom_verification::module_simulator::ModuleSimulator;
use warploom_verification::network_model::{self, Flit, Packet, mostly_heads};

fn lists() -> u64 {
    std::env::var("WARPLOOM_RANDOM_LISTS").map_or(50, |text| text.parse().expect("a number of lists"))
}

/// A crossbar, its ports as arrays.
struct Network {
    module: ModuleSimulator,
    config: NetworkConfig,
}

impl Network {
    fn new(config: NetworkConfig) -> Self {
        Self { module: ModuleSimulator::new(Crossbar::new(&config), &[]), config }
    }

    /// The words of a payload, from its number.
    fn payload(&self, number: u64) -> Vec<u64> {
        let word = |w: u64| (number.wrapping_mul(0x9e37_79b9) + w.wrapping_mul(0x85eb_ca6b)) & 0xffff_ffff;
        (0..self.config.flit_words() as u64).map(word).collect()
    }

    fn offer(&mut self, flits: &[Option<Flit>]) {
        for (i, flit) in flits.iter().enumerate() {
            self.module.set(&format!("inputs_valid[{i}]"), u64::from(flit.is_some()));
            let Some(flit) = flit else { continue };
            self.module.set(&format!("inputs_head[{i}]"), u64::from(flit.head));
            self.module.set(&format!("inputs_tail[{i}]"), u64::from(flit.tail));
            self.module.set(&format!("inputs_destination[{i}]"), flit.destination);
            for (w, word) in self.payload(flit.payload).into_iter().enumerate() {
                self.module.set(&format!("inputs_payload[{i}][{w}]"), word);
            }
        }
    }

    fn set_ready(&mut self, ready: &[bool]) {
        let bits = ready.iter().enumerate().map(|(o, ready)| u64::from(*ready) << o);
        self.module.set("outputs_ready", bits.sum::<u64>());
    }

    /// At an output: head, tail and payload.
    fn arrived(&self, o: usize) -> Option<(bool, bool, Vec<u64>)> {
        let get = |field: &str| self.module.get(&format!("outputs_{field}[{o}]"));
        let words = 0..self.config.flit_words();
        let payload = words.map(|w| self.module.get(&format!("outputs_payload[{o}][{w}]")) as u64);
        (get("valid") == 1).then(|| (get("head") == 1, get("tail") == 1, payload.collect()))
    }
}

/// Packets of 1 to 5 flits from an input, to few or many outputs. The payload is the input, and the number of the flit.
fn traffic(random: &mut Random, input: usize, outputs: usize) -> VecDeque<Flit> {
    let mut flits = VecDeque::new();
    for _ in 0..random.below(40) {
        let (destination, length) = (random.below(outputs as u32) as usize, 1 + random.below(5));
        for place in 0..length {
            let payload = (input as u64) << 32 | flits.len() as u64;
            flits.push_back(Flit { head: place == 0, tail: place + 1 == length, destination, payload });
        }
    }
    flits
}

/// What has left an output is whole packets, and of each input all that was for it, in order.
fn check_order(sent: &[VecDeque<Flit>], output: usize, left: &[Flit]) {
    for pair in left.windows(2) {
        assert_eq!(pair[0].tail, pair[1].head, "a packet begins where another ends");
        assert!(pair[0].tail || pair[1].payload == pair[0].payload + 1, "nothing comes into a packet");
    }
    for (input, sent) in sent.iter().enumerate() {
        let sent = sent.iter().filter(|flit| flit.destination == output);
        let received = left.iter().filter(|flit| flit.payload >> 32 == input as u64);
        assert!(sent.eq(received), "from input {input} to output {output}");
    }
}

fn agree(config: NetworkConfig) {
    let (inputs, outputs) = (config.inputs, config.outputs);
    let mut network = Network::new(config.clone());
    for seed in 0..lists() {
        let mut random = Random::new(seed);
        let spread = 1 + random.below(outputs as u32) as usize;
        let sent: Vec<_> = (0..inputs).map(|input| traffic(&mut random, input, spread)).collect();
        let [ticks, offers, takes] = [(); 3].map(|()| [20, 50, 90, 100][random.below(4) as usize]);
        let mut waiting = sent.clone();
        let mut left = vec![vec![]; outputs];
        let mut model = network_model::Crossbar::new(&config);
        network.module.reset();
        let mut cycle = 0;
        while !(waiting.iter().all(VecDeque::is_empty) && model.is_empty()) {
            let tick = random.below(100) < ticks;
            let offered: Vec<_> =
                waiting.iter().map(|flits| flits.front().copied().filter(|_| random.below(100) < offers)).collect();
            let ready: Vec<_> = (0..outputs).map(|_| random.below(100) < takes).collect();
            network.module.set("tick", u64::from(tick));
            network.offer(&offered);
            network.set_ready(&ready);
            network.module.evaluate();
            for (output, left) in left.iter_mut().enumerate() {
                let expected = model.arrived(output);
                let expected_ports = expected.map(|flit| (flit.head, flit.tail, network.payload(flit.payload)));
                assert_eq!(network.arrived(output), expected_ports, "output {output}, cycle {cycle} of list {seed}");
                left.extend(expected.filter(|_| tick && ready[output]));
            }
            let room: Vec<_> = (0..inputs).map(|input| model.has_room(input)).collect();
            let rooms = room.iter().enumerate().map(|(input, room)| usize::from(*room) << input);
            assert_eq!(network.module.get("inputs_ready"), rooms.sum::<usize>(), "cycle {cycle} of list {seed}");
            if tick {
                let coming: Vec<_> = offered.iter().zip(&room).map(|(flit, room)| flit.filter(|_| *room)).collect();
                for (waiting, _) in waiting.iter_mut().zip(&coming).filter(|(_, coming)| coming.is_some()) {
                    waiting.pop_front();
                }
                model.tick(&coming, &ready);
            }
            network.module.step();
            cycle += 1;
            assert!(cycle < 100_000, "list {seed} does not end");
        }
        left.iter().enumerate().for_each(|(output, left)| check_order(&sent, output, left));
    }
}

#[test]
fn three_inputs_and_two_outputs() {
    agree(NetworkConfig { buffer: 2, hop_cycles: 1, ..NetworkConfig::new(3, 2) });
}

#[test]
fn four_inputs_and_four_outputs() {
    agree(NetworkConfig::new(4, 4));
}

#[test]
fn eight_inputs_and_eight_outputs_of_wide_flits() {
    agree(NetworkConfig { flit_bytes: 64, buffer: 5, ..NetworkConfig::new(8, 8) });
}

#[test]
fn more_outputs_than_inputs_of_narrow_flits() {
    agree(NetworkConfig { flit_bytes: 16, hop_cycles: 8, buffer: 16, ..NetworkConfig::new(2, 5) });
}

#[test]
fn one_input_and_one_output() {
    agree(NetworkConfig::new(1, 1));
}

/// Packets of as many flits from all inputs to the last output without a pause: in 1000 ticks each input has its share.
#[test]
fn every_input_has_its_share_of_an_output() {
    for inputs in [2, 3, 8] {
        let mut network = Network::new(NetworkConfig::new(inputs, 3));
        for length in [1, 2, 5] {
            network.module.reset();
            network.module.set("tick", 1u64);
            network.set_ready(&[true; 3]);
            let mut sent = vec![0; inputs];
            let mut shares = vec![0; inputs];
            for tick in 0..1020 {
                let flit = |(input, sent): (usize, &usize)| {
                    let (head, tail) = (sent % length == 0, sent % length == length - 1);
                    Some(Flit { head, tail, destination: 2, payload: input as u64 })
                };
                network.offer(&sent.iter().enumerate().map(flit).collect::<Vec<_>>());
                network.module.evaluate();
                let room = network.module.get("inputs_ready");
                sent.iter_mut().enumerate().for_each(|(input, sent)| *sent += room >> input & 1);
                // The first ticks are those of the empty network.
                if let Some((_, true, payload)) = network.arrived(2).filter(|_| tick >= 20) {
                    let from = (0..inputs).find(|input| network.payload(*input as u64) == payload);
                    shares[from.expect("an input has sent it")] += 1;
                }
                network.module.step();
            }
            let share = 1000 / (inputs * length);
            assert!(shares.iter().all(|own| share.abs_diff(*own) <= 1), "{length} flits: {shares:?}, not {share} each");
        }
    }
}

/// A packet, whose data travel with some of its sectors; most masks are full.
fn packet(random: &mut Random, sectors: usize) -> Packet {
    let mut below = |bound: u32| random.below(bound) as usize;
    let kind = PacketKind::VARIANTS[below(9)];
    let [core, id, line, operation, word] = [64, 128, 1 << 27, MemoryOp::VARIANTS.len() as u32, 8].map(&mut below);
    let (touched, partly) = (below(1 << sectors), below(4) == 0);
    let mask = (0..sectors).map(|_| if partly { random.word() } else { u32::MAX }).collect();
    let (operand, data) = (random.word(), random.words(8 * sectors));
    Packet { kind, core, id, line, sectors: touched, operation, word, operand, data, mask }
}

fn drive(sender: &mut ModuleSimulator, packet: &Packet) {
    sender.set("packet_kind", packet.kind as u64);
    sender.set("packet_core", packet.core);
    sender.set("packet_id", packet.id);
    sender.set("packet_line", packet.line);
    sender.set("packet_sectors", packet.sectors);
    sender.set("packet_operation", packet.operation);
    sender.set("packet_word", packet.word);
    sender.set("packet_operand", packet.operand);
    packet.data.iter().enumerate().for_each(|(w, word)| sender.set(&format!("packet_data[{w}]"), *word));
    packet.mask.iter().enumerate().for_each(|(s, mask)| sender.set(&format!("packet_mask[{s}]"), *mask));
}

fn check_packet(receiver: &ModuleSimulator, sent: &Packet) {
    let get = |field: &str| receiver.get(&format!("packet_{field}"));
    assert_eq!(PacketKind::VARIANTS[get("kind")], sent.kind);
    let fields = ["core", "id", "line", "sectors", "operation", "word", "operand"].map(get);
    let expected = [sent.core, sent.id, sent.line, sent.sectors, sent.operation, sent.word, sent.operand as usize];
    assert_eq!(fields, expected, "{sent:?}");
    for (s, mask) in sent.mask.iter().enumerate() {
        assert_eq!(get(&format!("mask[{s}]")), *mask as usize, "{sent:?}");
    }
    for w in (0..sent.data.len()).filter(|w| sent.carries(w / 8)) {
        assert_eq!(get(&format!("data[{w}]")), sent.data[w] as usize, "word {w} of {sent:?}");
    }
}

fn round_trip(line_bytes: usize) {
    let (config, sectors) = (NetworkConfig::new(4, 8), line_bytes / 32);
    let mut sender = ModuleSimulator::new(PacketSender::new(&config, line_bytes), &[]);
    let mut receiver = ModuleSimulator::new(PacketReceiver::new(&config, line_bytes), &[]);
    for seed in 0..lists() {
        let mut random = Random::new(seed);
        let packets: Vec<Packet> = (0..40).map(|_| packet(&mut random, sectors)).collect();
        let [ticks, offers, links, takes] = [(); 4].map(|()| [20, 50, 90, 100][random.below(4) as usize]);
        let (mut flits, mut at, mut arrived) = (0, 0, 0);
        sender.reset();
        receiver.reset();
        while arrived < packets.len() {
            let mut chance = |percent| random.below(100) < percent;
            let (tick, linked, taken) = (chance(ticks), chance(links), chance(takes));
            // A packet whose head has left stays.
            let offered = at < packets.len() && (flits > 0 || chance(offers));
            sender.set("tick", u64::from(tick));
            receiver.set("tick", u64::from(tick));
            sender.set("packet_valid", u64::from(offered));
            if offered {
                drive(&mut sender, &packets[at]);
                sender.set("destination", at % 8);
            }
            receiver.set("packet_ready", u64::from(taken));
            receiver.evaluate();
            sender.set("flit_ready", u64::from(linked && receiver.get("flit_ready") == 1));
            sender.evaluate();
            let passes = sender.get("flit_valid") == 1 && linked;
            receiver.set("flit_valid", u64::from(passes));
            for field in ["head", "tail"].map(String::from).into_iter().chain((0..8).map(|w| format!("payload[{w}]"))) {
                receiver.set(&format!("flit_{field}"), sender.get(&format!("flit_{field}")));
            }
            receiver.evaluate();
            if tick && receiver.get("packet_valid") == 1 && taken {
                check_packet(&receiver, &packets[arrived]);
                arrived += 1;
            }
            if tick && passes && receiver.get("flit_ready") == 1 {
                assert_eq!((sender.get("flit_head") == 1, sender.get("flit_destination")), (flits == 0, at % 8));
                flits += 1;
                let is_last = sender.get("flit_tail") == 1;
                assert_eq!(is_last, flits == packets[at].flits(), "flit {flits} of {:?}", packets[at]);
                assert_eq!(is_last, sender.get("packet_ready") == 1);
                (at, flits) = if is_last { (at + 1, 0) } else { (at, flits) };
            }
            sender.step();
            receiver.step();
        }
    }
}

#[test]
fn packets_of_two_sectors_come_back_whole() {
    round_trip(64);
}

#[test]
fn packets_of_four_sectors_come_back_whole() {
    round_trip(128);
}

#[test]
fn all_executions_of_a_crossbar_agree() {
    for (inputs, outputs) in [(3, 2), (4, 4), (8, 8)] {
        let config = NetworkConfig::new(inputs, outputs);
        let build = || -> Box<dyn Block> { Box::new(Crossbar::new(&config)) };
        let bench = Bench::new(&build, &Execution::ALL).unwrap_or_else(|problem| panic!("{problem}"));
        let stimulus = Stimulus { cycles: 500, ones: &[("tick", 0.9)], shape: mostly_heads, ..Stimulus::default() };
        let agreement = bench.run(&stimulus.generate(bench.module()));
        agreement.unwrap_or_else(|problem| panic!("{inputs} x {outputs}: {problem}"));
    }
}
