//! [`L2Slice`](warploom_hdl::memory_system::l2::L2Slice) against a flat memory: requests of several cores, whose outcomes are those of their order, before a DRAM that answers when it likes.
//!
//! `WARPLOOM_L2_REQUESTS=1000000 cargo test -p warploom-verification --test l2_slice` makes more of them.
use warploom_hdl::memory_system::l2::{L2_COUNTERS, L2Config, L2Slice};
use warploom_hdl::prelude::index_width;
use warploom_runtime::kernels::Random;
use warploom_verification::l2_model::{Asked, FlatMemory, merged};
use warploom_verification::module_simulator::ModuleSimulator;

const LINES: usize = 12;

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
    flat: FlatMemory,
    dram: Vec<Vec<u32>>,
    coming: Vec<Coming>,
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
            flat: FlatMemory::new(config, dram.clone()),
            dram,
            coming: vec![],
            written: 0,
        }
    }

    fn cycle(&mut self, asked: Option<&Asked>, tick: bool, flush: bool) -> bool {
        let reply_ready = self.random.below(4) > 0;
        let channel_ready = self.random.below(3) > 0;
        let module = &mut self.module;
        module.set("tick", tick as u64);
        module.set("flush", flush as u64);
        module.set("reply_ready", reply_ready as u64);
        module.set("channel_ready", channel_ready as u64);
        let named = asked.zip(self.flat.drive(module, asked));
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
            self.flat.answered(module);
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
            self.flat.take(asked, id);
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
            waiting = waiting.or_else(|| (bench.random.below(3) > 0).then(|| bench.flat.draw(&mut bench.random)));
            let tick = bench.random.below(8) > 0;
            still += 1;
            if bench.cycle(waiting.as_ref(), tick, false) {
                (waiting, still) = (None, 0);
                made += 1;
            }
            assert!(still < 5000, "no request is taken any more: {:?}, {:?}", waiting, bench.flat.waiting());
        }
        let mut cycles = 0;
        while bench.module.get("flushed") == 0 {
            bench.cycle(None, true, true);
            cycles += 1;
            assert!(cycles < 20_000, "the flush does not end: {:?}", bench.flat.waiting());
        }
        assert!(bench.flat.is_idle(), "{:?}", bench.flat.waiting());
        assert_eq!(bench.dram, bench.flat.lines, "after the flush of launch {launch}");
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
