//! [`MemoryChannel`](warploom_hdl::memory_system::MemoryChannel): requests to a slice of L2 before the DRAM of the papers' machines, against a flat memory; the DRAM checks every command.
//!
//! `WARPLOOM_L2_REQUESTS=100000 cargo test -p warploom-verification --test memory_channel` makes more of them.
use warploom_hdl::memory_system::MemoryChannel;
use warploom_hdl::memory_system::dram::{AddressBits, ChannelConfig, DramTiming, GDDR3, GDDR5};
use warploom_hdl::memory_system::l2::L2Config;
use warploom_hdl::prelude::index_width;
use warploom_runtime::host::dram::{DramArray, SparseCells};
use warploom_runtime::kernels::Random;
use warploom_verification::dram_model::pins;
use warploom_verification::l2_model::{Asked, FlatMemory};
use warploom_verification::module_simulator::ModuleSimulator;

/// Lines that are used: of several banks and rows.
const LINES: usize = 40;

struct Bench {
    l2: L2Config,
    dram: ChannelConfig,
    module: ModuleSimulator,
    array: DramArray,
    cells: SparseCells,
    random: Random,
    flat: FlatMemory,
    /// The number of each line in the channel.
    numbers: Vec<usize>,
}

impl Bench {
    fn cycle(&mut self, asked: Option<&Asked>, [l2_tick, dram_tick, core_tick]: [bool; 3], flush: bool) -> bool {
        let reply_ready = self.random.below(4) > 0;
        let module = &mut self.module;
        module.set("l2_tick", l2_tick as u64);
        module.set("dram_tick", dram_tick as u64);
        if self.dram.read_delay > 0 {
            module.set("core_tick[0]", core_tick as u64);
        }
        module.set("flush", flush as u64);
        module.set("reply_ready", reply_ready as u64);
        let named = asked.zip(self.flat.drive(module, asked));
        if asked.is_some() {
            module.set("request_line", self.numbers[module.get("request_line")]);
        }
        for word in 0..self.dram.beat_words() {
            let driven = self.array.drives().map_or(0xdead_beef, |words| words[word]);
            module.set(&format!("read_data[{word}]"), driven);
        }
        module.evaluate();
        if dram_tick {
            let pins = pins(module, self.dram.beat_words(), "");
            self.array.clock(&pins, &mut self.cells).unwrap_or_else(|violation| panic!("{violation}"));
        }
        if module.get("reply_valid") == 1 && reply_ready {
            self.flat.answered(module);
        }
        let taken = named.filter(|_| module.get("request_ready") == 1);
        module.step();
        if let Some((asked, id)) = taken {
            self.flat.take(asked, id);
        }
        taken.is_some()
    }

    /// A line as the DRAM has it.
    fn line(&self, bits: &AddressBits, number: usize) -> Vec<u32> {
        let address = number * self.l2.line_bytes;
        let field = |bits: &[usize], address: usize| {
            bits.iter().enumerate().map(|(place, bit)| (address >> bit & 1) << place).sum::<usize>()
        };
        let burst_bytes = 4 * self.dram.burst_words;
        let bursts = (0..self.dram.bursts).map(|burst| address + burst * burst_bytes);
        let places = bursts.map(|at| [&bits.bank, &bits.row, &bits.column].map(|bits| field(bits, at)));
        places.flat_map(|[bank, row, column]| self.cells.burst(bank, row, column)).collect()
    }
}

fn requests() -> usize {
    std::env::var("WARPLOOM_L2_REQUESTS").map_or(2000, |text| text.parse().expect("a number of requests"))
}

/// `clocks`: of 8 cycles so many are clocks of L2, of the DRAM, and of the cores, by which reads are delayed.
fn agrees(timing: &DramTiming, bits: &AddressBits, line_bytes: usize, clocks: [u32; 3], read_delay: usize) {
    let mshrs = 8;
    let dram = ChannelConfig { starve: 600, read_delay, ..ChannelConfig::new(timing, line_bytes, index_width(mshrs)) };
    let line_width = 28 - line_bytes.ilog2() as usize;
    let (sets, ways, merges, evictions, replies, cores, id_width) = (4, 4, 2, 2, 8, 4, 3);
    let burst_sectors = dram.burst_words / 8;
    let l2 = L2Config {
        line_bytes,
        sets,
        ways,
        mshrs,
        merges,
        evictions,
        replies,
        cores,
        id_width,
        line_width,
        burst_sectors,
    };
    let mut random = Random::new(5);
    // Few rows of few banks, so that some are conflicts.
    let numbers = (0..LINES).map(|line| (line % 8) | (line / 8 % 2) << 7 | (line / 16) << 10).collect();
    let mut module = ModuleSimulator::new(MemoryChannel::new(&l2, &dram, bits), &[]);
    module.reset();
    let flat = FlatMemory::new(&l2, vec![vec![0; l2.words()]; LINES]);
    let (array, cells) = (DramArray::new(&dram), SparseCells::new(&dram));
    let seed = random.word();
    let mut bench = Bench { l2, dram, module, array, cells, random: Random::new(u64::from(seed)), flat, numbers };
    let ticks = |random: &mut Random| clocks.map(|clocks| random.below(8) < clocks);
    let (mut made, mut waiting) = (0, None);
    while made < requests() {
        waiting = waiting.or_else(|| (bench.random.below(3) > 0).then(|| bench.flat.draw(&mut bench.random)));
        let ticks = ticks(&mut bench.random);
        if bench.cycle(waiting.as_ref(), ticks, false) {
            waiting = None;
            made += 1;
        }
    }
    let mut cycles = 0;
    while bench.module.get("flushed") == 0 {
        let ticks = ticks(&mut bench.random);
        bench.cycle(None, ticks, true);
        cycles += 1;
        assert!(cycles < 100_000, "the flush does not end: {}", bench.flat.waiting());
    }
    assert!(bench.flat.is_idle(), "{}", bench.flat.waiting());
    for (line, number) in bench.numbers.iter().enumerate() {
        assert_eq!(bench.line(bits, *number), bench.flat.lines[line], "line {line}");
    }
}

#[test]
fn gddr3_behind_lines_of_64_bytes() {
    agrees(&GDDR3, &AddressBits::gddr3(), 64, [5, 8, 3], 0);
}

#[test]
fn gddr5_with_refresh_behind_lines_of_128_bytes() {
    let timing = DramTiming { faw: 22, refi: 900, rfc: 61, ..GDDR5 };
    agrees(&timing, &AddressBits::gddr5(), 128, [8, 6, 3], 0);
}

/// As for as long as DRAM takes, and for much longer.
#[test]
fn reads_that_are_late() {
    agrees(&GDDR3, &AddressBits::gddr3(), 64, [5, 8, 3], 9);
    agrees(&GDDR5, &AddressBits::gddr5(), 128, [4, 6, 8], 150);
}
