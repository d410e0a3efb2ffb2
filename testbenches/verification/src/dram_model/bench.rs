//! [`DramController`] between requests and the array behind the pins.
use std::collections::HashMap;

use warploom_hdl::counters;
use warploom_hdl::memory_system::dram::{CHANNEL_COUNTERS, ChannelConfig, DramCommand, DramController};
use warploom_runtime::host::dram::{DramArray, DramPins, SparseCells, Violation};
use warploom_sim::engine::Port;

use crate::module_simulator::ModuleSimulator;

/// A line that is to be read or written.
#[derive(Clone, Debug)]
pub struct LineAccess {
    /// Where it is.
    pub bank: usize,
    /// The row there.
    pub row: usize,
    /// Which line of the row.
    pub line: usize,
    /// Which of its bursts, a bit each.
    pub bursts: usize,
    /// What is written: words, and which of their bytes. Nothing: it is read.
    pub written: Option<(Vec<u32>, Vec<u8>)>,
}

/// The ports of the controller.
struct Ports {
    tick: Port,
    request_valid: Port,
    write: Port,
    place: [Port; 3],
    bursts: Port,
    id: Port,
    data: Vec<Port>,
    mask: Vec<Port>,
    request_ready: Port,
    reply_valid: Port,
    reply: [Port; 3],
    reply_data: Vec<Port>,
    reply_ready: Port,
    bus: [Port; 4],
    bus_data: Vec<Port>,
    bus_mask: Vec<Port>,
    read_data: Vec<Port>,
    idle: Port,
    counters: Vec<Port>,
}

/// A read that has not been answered.
struct Awaited {
    left: usize,
    words: Vec<u32>,
}

/// The controller, its DRAM, and what must be in it: requests take effect in the order in which they are taken.
pub struct DramBench {
    config: ChannelConfig,
    module: ModuleSimulator,
    ports: Ports,
    array: DramArray,
    cells: SparseCells,
    /// Lines, once they are written.
    expected: HashMap<(usize, usize, usize), Vec<u32>>,
    awaited: HashMap<usize, Awaited>,
    /// Commands so far.
    pub commands: u64,
}

impl DramBench {
    /// A controller of `controller` before a DRAM of `config`, which differ only in tests of the test.
    pub fn new(controller: &ChannelConfig, config: &ChannelConfig) -> Self {
        let module = ModuleSimulator::new(DramController::new(controller), &[]);
        let port = |name: &str| module.port(name);
        let ports_of = |name: &str, count: usize| (0..count).map(|i| port(&format!("{name}[{i}]"))).collect();
        let (line, beat) = (config.line_words(), config.beat_words());
        let ports = Ports {
            tick: port("tick"),
            request_valid: port("request_valid"),
            write: port("request_write"),
            place: ["request_bank", "request_row", "request_column"].map(port),
            bursts: port("request_bursts"),
            id: port("request_id"),
            data: ports_of("line_data", line),
            mask: ports_of("line_mask", line),
            request_ready: port("request_ready"),
            reply_valid: port("reply_valid"),
            reply: ["reply_id", "reply_burst", "reply_last"].map(port),
            reply_data: ports_of("reply_data", config.burst_words),
            reply_ready: port("reply_ready"),
            bus: ["bus_command", "bus_bank", "bus_row", "bus_column"].map(port),
            bus_data: ports_of("bus_data", beat),
            bus_mask: ports_of("bus_mask", beat),
            read_data: ports_of("read_data", beat),
            idle: port("idle"),
            counters: ports_of("counter", CHANNEL_COUNTERS.len()),
        };
        let mut bench = Self {
            array: DramArray::new(config),
            cells: SparseCells::new(config),
            config: config.clone(),
            module,
            ports,
            expected: HashMap::new(),
            awaited: HashMap::new(),
            commands: 0,
        };
        bench.module.reset();
        bench
    }

    /// Whether nothing is under way.
    pub fn is_idle(&self) -> bool {
        self.module.value(self.ports.idle) == 1
    }

    /// Reads that have been taken and not been answered in full.
    pub fn unanswered(&self) -> usize {
        self.awaited.len()
    }

    /// A counter of the controller.
    pub fn counter(&self, name: &str) -> u64 {
        self.module.value(self.ports.counters[counters::place(CHANNEL_COUNTERS, name)])
    }

    /// A cycle; whether the access has been taken.
    ///
    /// # Errors
    /// A command that the DRAM does not allow.
    ///
    /// # Panics
    /// If a read brings anything else than what was written.
    pub fn cycle(&mut self, tick: bool, access: Option<&LineAccess>, reply_ready: bool) -> Result<bool, Violation> {
        let Self { module, ports, array, cells, config, .. } = self;
        module.drive(ports.tick, tick as u64);
        module.drive(ports.reply_ready, reply_ready as u64);
        let id = (0..1 << config.id_width).find(|id| !self.awaited.contains_key(id));
        let asked = access.zip(id);
        module.drive(ports.request_valid, asked.is_some() as u64);
        if let Some((access, id)) = asked {
            module.drive(ports.write, access.written.is_some() as u64);
            for (port, value) in ports.place.iter().zip([access.bank, access.row, access.line * config.bursts]) {
                module.drive(*port, value as u64);
            }
            module.drive(ports.bursts, access.bursts as u64);
            module.drive(ports.id, id as u64);
            for (word, (data, mask)) in access.written.iter().flat_map(|(data, mask)| data.iter().zip(mask)).enumerate()
            {
                module.drive(ports.data[word], *data as u64);
                module.drive(ports.mask[word], *mask as u64);
            }
        }
        for (word, port) in ports.read_data.iter().enumerate() {
            module.drive(*port, array.drives().map_or(0xdead_beef, |words| words[word]) as u64);
        }
        module.evaluate();

        if tick {
            let [command, bank, row, column] = ports.bus.map(|port| module.value(port) as usize);
            let command = DramCommand::VARIANTS[command];
            let data = ports.bus_data.iter().map(|port| module.value(*port) as u32).collect();
            let mask = ports.bus_mask.iter().map(|port| module.value(*port) as u8).collect();
            self.commands += (command != DramCommand::Nop) as u64;
            array.clock(&DramPins { command, bank, row, column, data, mask }, cells)?;
        }
        let reply = (reply_ready && module.value(ports.reply_valid) == 1).then(|| {
            let data: Vec<u32> = ports.reply_data.iter().map(|port| module.value(*port) as u32).collect();
            (ports.reply.map(|port| module.value(port) as usize), data)
        });
        let taken = asked.filter(|_| module.value(ports.request_ready) == 1);
        module.step();
        if let Some(([id, burst, last], data)) = reply {
            self.answered(id, burst, last == 1, &data);
        }
        if let Some((access, id)) = taken {
            self.took(access, id);
        }
        Ok(taken.is_some())
    }

    fn answered(&mut self, id: usize, burst: usize, last: bool, data: &[u32]) {
        let awaited = self.awaited.get_mut(&id).unwrap_or_else(|| panic!("nothing has asked for {id}"));
        let words = self.config.burst_words;
        assert_eq!(awaited.left & 1 << burst, 1 << burst, "burst {burst} of {id} comes once");
        assert_eq!(data, &awaited.words[burst * words..][..words], "burst {burst} of {id}");
        awaited.left ^= 1 << burst;
        assert_eq!(awaited.left == 0, last, "the last burst of {id}");
        if last {
            self.awaited.remove(&id);
        }
    }

    fn took(&mut self, access: &LineAccess, id: usize) {
        let (words, bursts) = (self.config.line_words(), access.bursts);
        let line = self.expected.entry((access.bank, access.row, access.line)).or_insert_with(|| vec![0; words]);
        let Some((data, mask)) = &access.written else {
            self.awaited.insert(id, Awaited { left: bursts, words: line.clone() });
            return;
        };
        for (place, word) in line.iter_mut().enumerate() {
            if bursts >> (place / self.config.burst_words) & 1 == 1 {
                let bytes = (0..4).filter(|byte| mask[place] >> byte & 1 == 1);
                let bits = bytes.fold(0, |bits, byte| bits | 0xff << (8 * byte));
                *word = *word & !bits | data[place] & bits;
            }
        }
    }

    /// Whether the DRAM holds what was written, once nothing is under way.
    ///
    /// # Panics
    /// If it does not.
    pub fn check_contents(&self) {
        assert!(self.awaited.is_empty(), "{} reads are unanswered", self.awaited.len());
        for ((bank, row, line), words) in &self.expected {
            let columns = line * self.config.bursts..(line + 1) * self.config.bursts;
            let held: Vec<u32> = columns.flat_map(|column| self.cells.burst(*bank, *row, column)).collect();
            assert_eq!(&held, words, "line {line} of row {row} in bank {bank}");
        }
    }
}
