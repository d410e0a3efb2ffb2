//! [`L2Slice`](warploom_hdl::memory_system::l2::L2Slice) against a flat memory: requests of several cores, whose outcomes are those of their order, before a DRAM that answers when it likes.
//!
//! `WARPLOOM_L2_REQUESTS=1000000 cargo test -p warploom-verification --test l2_slice` makes more of them.
use std::collections::HashMap;

use warploom_hdl::interface::MemoryOp;
use warploom_hdl::memory_system::l2::{L2_COUNTERS, L2Config, L2ReplyKind, L2RequestKind, L2Slice};
use warploom_hdl::prelude::index_width;
use warploom_runtime::kernels::Random;
use warploom_verification::module_simulator::ModuleSimulator;

const LINES: usize = 12;

/// A request, and the answer that it has to get.
#[derive(Clone, Debug)]
struct Asked {
    kind: L2RequestKind,
    core: usize,
    line: usize,
    sectors: usize,
    atomic: MemoryOp,
    word: usize,
    data: Vec<u32>,
    mask: Vec<u8>,
}

#[derive(Debug)]
struct Awaited {
    kind: L2ReplyKind,
    /// Words that are known, of the line.
    words: Vec<Option<u32>>,
    success: bool,
}

fn merged(old: u32, new: u32, mask: u8) -> u32 {
    let bits = (0..4).filter(|byte| mask >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte));
    old & !bits | new & bits
}

/// A burst on its way from DRAM.
struct Coming {
    id: usize,
    number: usize,
    data: Vec<u32>,
    after: u32,
}

struct Bench {
    config: L2Config,
    module: ModuleSimulator,
    random: Random,
    /// What memory is, if all is done in order.
    flat: Vec<Vec<u32>>,
    reservations: Vec<Option<(usize, usize)>>,
    dram: Vec<Vec<u32>>,
    coming: Vec<Coming>,
    awaited: HashMap<(usize, usize), Awaited>,
    fetched: usize,
    written: usize,
}

impl Bench {
    fn new(config: &L2Config, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let dram: Vec<Vec<u32>> = (0..LINES).map(|_| (0..config.words()).map(|_| random.word()).collect()).collect();
        let mut module = ModuleSimulator::new(L2Slice::new(config), &[]);
        module.reset();
        Self {
            config: config.clone(),
            module,
            random,
            flat: dram.clone(),
            reservations: vec![None; config.cores],
            dram,
            coming: vec![],
            awaited: HashMap::new(),
            fetched: 0,
            written: 0,
        }
    }

    fn draw(&mut self) -> Asked {
        let (words, random) = (self.config.words(), &mut self.random);
        let kind = L2RequestKind::VARIANTS[[0, 0, 0, 1, 1, 1, 2, 3, 4, 4][random.below(10) as usize]];
        let atomics = [MemoryOp::AtomicAdd, MemoryOp::AtomicSwap, MemoryOp::AtomicXor, MemoryOp::AtomicMaxUnsigned];
        let mut asked = Asked {
            kind,
            core: random.below(self.config.cores as u32) as usize,
            line: random.below(LINES as u32) as usize,
            sectors: 1 + random.below((1 << self.config.sectors()) - 1) as usize,
            atomic: atomics[random.below(4) as usize],
            word: random.below(words as u32) as usize,
            data: (0..words).map(|_| random.word()).collect(),
            mask: vec![0; words],
        };
        match kind {
            L2RequestKind::Read => {}
            L2RequestKind::Write => {
                let whole = random.below(2) == 0;
                for (word, mask) in asked.mask.iter_mut().enumerate() {
                    if asked.sectors >> (word / 8) & 1 == 1 {
                        *mask = if whole { 15 } else { random.below(16) as u8 };
                    }
                }
            }
            _ => {
                asked.sectors = 1 << (asked.word / 8);
                asked.mask[asked.word] = 15;
            }
        }
        asked
    }

    /// It has been taken: memory after it, and what it gets.
    fn take(&mut self, asked: &Asked) -> Awaited {
        let Asked { kind, core, line, sectors, word, .. } = *asked;
        let old = self.flat[line].clone();
        let of_sectors = old.iter().enumerate().map(|(word, value)| (sectors >> (word / 8) & 1 == 1).then_some(*value));
        let mut awaited = Awaited { kind: L2ReplyKind::Data, words: of_sectors.collect(), success: false };
        let place = Some((line, word / 8));
        let mut writes = vec![];
        match kind {
            L2RequestKind::Read => {}
            L2RequestKind::Write => {
                awaited = Awaited { kind: L2ReplyKind::Ack, words: vec![None; old.len()], success: false };
                writes = asked.mask.iter().copied().zip(&asked.data).map(|(mask, data)| (mask, *data)).collect();
            }
            L2RequestKind::StoreConditional => {
                let success = self.reservations[core] == place;
                awaited = Awaited { kind: L2ReplyKind::Success, words: vec![None; old.len()], success };
                if success {
                    writes = asked.mask.iter().copied().zip(asked.data.clone()).collect();
                }
            }
            L2RequestKind::LoadReserved | L2RequestKind::Atomic => {
                awaited.kind = L2ReplyKind::Old;
                if kind == L2RequestKind::LoadReserved {
                    self.reservations[core] = place;
                } else {
                    let (old, operand) = (old[word], asked.data[word]);
                    let new = match asked.atomic {
                        MemoryOp::AtomicAdd => old.wrapping_add(operand),
                        MemoryOp::AtomicSwap => operand,
                        MemoryOp::AtomicXor => old ^ operand,
                        _ => old.max(operand),
                    };
                    writes = asked.mask.iter().map(|mask| (*mask, new)).collect();
                }
            }
        }
        for (word, (mask, data)) in writes.iter().enumerate() {
            self.flat[line][word] = merged(self.flat[line][word], *data, *mask);
        }
        // Those of the sectors that are written end, also its own.
        if !writes.is_empty() {
            for reservation in &mut self.reservations {
                reservation.take_if(|(at, sector)| *at == line && sectors >> *sector & 1 == 1);
            }
        }
        awaited
    }

    fn cycle(&mut self, asked: Option<&Asked>, tick: bool, flush: bool) -> bool {
        let ids = 1usize << self.config.id_width;
        let named = asked.and_then(|asked| {
            let id = (0..ids).find(|id| !self.awaited.contains_key(&(asked.core, *id)))?;
            Some((asked, id))
        });
        let reply_ready = self.random.below(4) > 0;
        let channel_ready = self.random.below(3) > 0;
        let module = &mut self.module;
        module.set("tick", tick as u64);
        module.set("flush", flush as u64);
        module.set("reply_ready", reply_ready as u64);
        module.set("channel_ready", channel_ready as u64);
        module.set("request_valid", named.is_some() as u64);
        if let Some((asked, id)) = named {
            module.set("request_kind", asked.kind as u64);
            module.set("request_core", asked.core);
            module.set("request_id", id);
            module.set("request_line", asked.line);
            module.set("request_sectors", asked.sectors);
            module.set("request_atomic", asked.atomic as u64);
            module.set("request_word", asked.word);
            for (word, (data, mask)) in asked.data.iter().zip(&asked.mask).enumerate() {
                module.set(&format!("request_data[{word}]"), *data);
                module.set(&format!("request_mask[{word}]"), *mask);
            }
        }
        self.coming.iter_mut().for_each(|burst| burst.after = burst.after.saturating_sub(1));
        let burst = self.coming.iter().position(|burst| burst.after == 0);
        module.set("burst_valid", burst.is_some() as u64);
        if let Some(Coming { id, number, data, .. }) = burst.map(|place| &self.coming[place]) {
            module.set("burst_id", *id);
            module.set("burst_number", *number);
            for (word, data) in data.iter().enumerate() {
                module.set(&format!("burst_data[{word}]"), *data);
            }
        }
        module.evaluate();

        let words = self.config.words();
        if module.get("reply_valid") == 1 && reply_ready {
            let key = (module.get("reply_core"), module.get("reply_id"));
            let awaited = self.awaited.remove(&key).unwrap_or_else(|| panic!("nobody has asked for {key:?}"));
            assert_eq!(L2ReplyKind::VARIANTS[module.get("reply_kind")], awaited.kind, "{key:?}");
            if awaited.kind == L2ReplyKind::Success {
                assert_eq!(module.get("reply_success") == 1, awaited.success, "{key:?}");
            }
            for (word, expected) in awaited.words.iter().enumerate() {
                let data = module.get(&format!("reply_data[{word}]")) as u32;
                assert!(
                    expected.is_none_or(|expected| expected == data),
                    "word {word} of {key:?}: {data:x}, {awaited:x?}"
                );
            }
        }
        if module.get("channel_valid") == 1 && channel_ready {
            let (line, bursts) = (module.get("channel_line"), module.get("channel_bursts"));
            if module.get("channel_write") == 1 {
                self.written += 1;
                for word in 0..words {
                    let mask = module.get(&format!("channel_mask[{word}]")) as u8;
                    assert!(mask == 0 || bursts >> (word * self.config.bursts() / words) & 1 == 1, "bytes of no burst");
                    let data = module.get(&format!("channel_data[{word}]")) as u32;
                    self.dram[line][word] = merged(self.dram[line][word], data, mask);
                }
            } else {
                self.fetched += 1;
                let burst_words = words / self.config.bursts();
                for number in (0..self.config.bursts()).filter(|number| bursts >> number & 1 == 1) {
                    let data = self.dram[line][number * burst_words..][..burst_words].to_vec();
                    let after = 1 + self.random.below(40);
                    self.coming.push(Coming { id: module.get("channel_id"), number, data, after });
                }
            }
        }
        let took_burst = module.get("burst_ready") == 1;
        let taken = named.filter(|_| module.get("request_ready") == 1);
        module.step();
        if let Some(place) = burst.filter(|_| took_burst) {
            self.coming.remove(place);
        }
        if let Some((asked, id)) = taken {
            let awaited = self.take(asked);
            self.awaited.insert((asked.core, id), awaited);
        }
        taken.is_some()
    }

    fn counter(&self, name: &str) -> usize {
        self.module.get(&format!("counter[{}]", warploom_hdl::counters::place(L2_COUNTERS, name)))
    }
}

fn requests() -> usize {
    std::env::var("WARPLOOM_L2_REQUESTS").map_or(3000, |text| text.parse().expect("a number of requests"))
}

fn agrees(config: &L2Config, seed: u64) {
    let mut bench = Bench::new(config, seed);
    for launch in 0..3 {
        let (mut made, mut waiting, mut still) = (0, None, 0);
        while made < requests() {
            waiting = waiting.or_else(|| (bench.random.below(3) > 0).then(|| bench.draw()));
            let tick = bench.random.below(8) > 0;
            still += 1;
            if bench.cycle(waiting.as_ref(), tick, false) {
                (waiting, still) = (None, 0);
                made += 1;
            }
            assert!(still < 5000, "no request is taken any more: {:?}, {:?}", waiting, bench.awaited);
        }
        let mut cycles = 0;
        while bench.module.get("flushed") == 0 {
            bench.cycle(None, true, true);
            cycles += 1;
            assert!(cycles < 20_000, "the flush does not end: {:?}", bench.awaited);
        }
        assert!(bench.awaited.is_empty(), "{:?}", bench.awaited);
        assert_eq!(bench.dram, bench.flat, "after the flush of launch {launch}");
    }
    let counted = ["l2_reads", "l2_writes", "l2_atomics"].map(|name| bench.counter(name));
    assert_eq!(counted.iter().sum::<usize>(), 3 * requests(), "{counted:?}");
    assert_eq!(bench.counter("l2_evictions"), bench.written);
    println!("{config:?}");
    for counter in L2_COUNTERS {
        println!("  {} {}", counter.name, bench.counter(counter.name));
    }
}

fn config() -> L2Config {
    L2Config {
        line_bytes: 64,
        sets: 2,
        ways: 2,
        mshrs: 4,
        merges: 2,
        evictions: 1,
        replies: 4,
        cores: 4,
        id_width: 3,
        line_width: index_width(LINES),
        burst_sectors: 1,
    }
}

#[test]
fn a_small_slice() {
    agrees(&config(), 1);
}

/// A burst of two sectors, lines of four.
#[test]
fn wide_bursts() {
    agrees(&L2Config { line_bytes: 128, burst_sectors: 2, ways: 4, mshrs: 2, merges: 4, ..config() }, 2);
}

/// Two lines on their way are all ways of a set.
#[test]
fn few_ways() {
    agrees(&L2Config { mshrs: 8, evictions: 2, sets: 4, replies: 8, ..config() }, 3);
}
