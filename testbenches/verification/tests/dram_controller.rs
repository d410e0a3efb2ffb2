//! [`DramController`](warploom_hdl::memory_system::dram::DramController) before a DRAM that checks every command: what is read is what was written, and no rule is broken.
//!
//! `WARPLOOM_DRAM_COMMANDS=100000000 cargo test -p warploom-verification --test dram_controller no_rule -- --nocapture` gives more commands.
use warploom_hdl::memory_system::dram::{ChannelConfig, DramTiming, GDDR3, GDDR5};
use warploom_runtime::host::dram::Violation;
use warploom_runtime::kernels::Random;
use warploom_verification::dram_model::{DramBench, EVERY_RULE, LineAccess, TIMINGS};

/// Random accesses whose character changes from time to time: few rows or many, bursts of them or one now and then, more reads or more writes.
struct Traffic {
    random: Random,
    config: ChannelConfig,
    left: u32,
    banks: u32,
    rows: u32,
    writes: u32,
    pause: u32,
}

impl Traffic {
    fn new(seed: u64, config: &ChannelConfig) -> Self {
        let (random, config) = (Random::new(seed), config.clone());
        Self { random, config, left: 0, banks: 0, rows: 0, writes: 0, pause: 0 }
    }

    /// An access, or none in this cycle.
    fn next(&mut self) -> Option<LineAccess> {
        let random = &mut self.random;
        if self.left == 0 {
            self.left = 1 + random.below(200);
            self.banks = 1 + random.below(self.config.timing.banks as u32);
            self.rows = 1 + random.below(4);
            self.writes = random.below(101);
            self.pause = [0, 0, 0, 8, 60][random.below(5) as usize];
        }
        if random.below(1 + self.pause) > 0 {
            return None;
        }
        self.left -= 1;
        let words = self.config.line_words();
        let written = (random.below(100) < self.writes).then(|| {
            let data = (0..words).map(|_| random.word()).collect();
            let whole = random.below(2) == 0;
            (data, (0..words).map(|_| if whole { 15 } else { random.below(16) as u8 }).collect())
        });
        Some(LineAccess {
            bank: random.below(self.banks) as usize,
            row: random.below(self.rows) as usize,
            line: random.below(4) as usize,
            bursts: 1 + random.below((1 << self.config.bursts) - 1) as usize,
            written,
        })
    }
}

/// Until there were so many commands, and then until nothing is under way.
fn run(bench: &mut DramBench, config: &ChannelConfig, seed: u64, commands: u64) -> Result<(), Violation> {
    let (mut traffic, mut chance) = (Traffic::new(seed, config), Random::new(seed + 1));
    let mut waiting = None;
    while bench.commands < commands || waiting.is_some() {
        waiting = waiting.or_else(|| traffic.next());
        let (tick, ready) = (chance.below(8) > 0, chance.below(8) > 0);
        if bench.cycle(tick, waiting.as_ref(), ready)? {
            waiting = None;
        }
    }
    while !bench.is_idle() {
        bench.cycle(true, None, true)?;
    }
    Ok(())
}

fn commands() -> u64 {
    std::env::var("WARPLOOM_DRAM_COMMANDS").map_or(20_000, |text| text.parse().expect("a number of commands"))
}

fn config(timing: &DramTiming) -> ChannelConfig {
    ChannelConfig { starve: 400, ..ChannelConfig::new(timing, 128, 5) }
}

#[test]
fn no_rule_is_broken_and_nothing_is_lost() {
    for (name, timing) in &TIMINGS {
        let config = config(timing);
        let mut bench = DramBench::new(&config, &config);
        run(&mut bench, &config, 7, commands() / TIMINGS.len() as u64)
            .unwrap_or_else(|violation| panic!("{name}: {violation}"));
        bench.check_contents();
        let counted = ["activates", "reads", "writes", "precharges", "refreshes"].map(|name| bench.counter(name));
        assert_eq!(counted.iter().sum::<u64>(), bench.commands, "{name}: {counted:?}");
        println!("{name}: {} commands: {counted:?} activates, reads, writes, precharges, refreshes", bench.commands);
    }
}

/// A rule, and what makes its time too short by a clock.
type Shorter = (&'static str, fn(&mut DramTiming));

/// The check notices every fault that the controller's times may have.
#[test]
fn a_time_that_is_too_short_is_noticed() {
    let shorter: [Shorter; 15] = [
        ("tRCD", |t| t.rcd -= 1),
        ("tRCDWR", |t| t.rcd_write -= 1),
        ("tRP", |t| t.rp -= 1),
        ("tRC", |t| t.rc -= 1),
        ("tRAS", |t| t.ras -= 1),
        ("tRRD", |t| t.rrd -= 1),
        ("tCCD", |t| t.ccd -= 1),
        ("tCCDL", |t| t.ccd_group -= 1),
        ("tRTP", |t| t.rtp -= 1),
        ("tRTPL", |t| t.rtp_group -= 1),
        ("tRTW", |t| t.turn -= 1),
        ("tWTR", |t| t.cdlr -= 1),
        ("tWTP", |t| t.wr -= 1),
        ("tFAW", |t| t.faw -= 1),
        ("tRFC", |t| t.rfc -= 1),
    ];
    let of_every_rule = ChannelConfig { bursts: 1, ..config(&EVERY_RULE) };
    for (rule, shorten) in shorter {
        let mut controller = of_every_rule.clone();
        shorten(&mut controller.timing);
        let mut bench = DramBench::new(&controller, &of_every_rule);
        let violation = run(&mut bench, &of_every_rule, 3, 20_000).expect_err(rule);
        assert_eq!(violation.rule, rule, "{violation}");
    }
}

/// Share of the data bus in use once it has settled, for lines that are asked for as soon as there is room.
fn share(timing: &DramTiming, queue: usize, access: impl Fn(usize) -> (usize, usize, bool, usize)) -> f64 {
    let config = ChannelConfig {
        queue,
        ..ChannelConfig::new(timing, 2 * timing.burst * if timing.groups > 1 { 32 } else { 16 }, 7)
    };
    assert_eq!(config.bursts, 2);
    let mut bench = DramBench::new(&config, &config);
    let words = config.line_words();
    let (mut number, mut cycles, mut before) = (0, 0, 0);
    while cycles < 6000 {
        let (bank, row, write, bursts) = access(number);
        let written = write.then(|| (vec![number as u32; words], vec![15; words]));
        let asked = LineAccess { bank, row, line: number % 16, bursts, written };
        number += bench.cycle(true, Some(&asked), true).expect("no rule is broken") as usize;
        cycles += 1;
        if cycles == 2000 {
            before = bench.counter("reads") + bench.counter("writes");
        }
    }
    let bursts = bench.counter("reads") + bench.counter("writes") - before;
    bursts as f64 * timing.burst as f64 / 4000.0
}

/// Of the papers' DRAM, within a twentieth of what the timing allows. In turn: rows in order; a new row for each line, and for each burst, banks in turn; a new row for each line of
/// one bank; reads and writes of a row in turn. What bounds them: tCCD, or tCCDL; tRRD; tRRD; tRC; 2 tCCD + tRTW + tWTR.
#[test]
fn bandwidths_are_those_of_the_timing() {
    let figures = [
        ("GDDR3", &GDDR3, 32, [1.00, 0.50, 0.25, 0.115, 0.31]),
        ("GDDR5", &GDDR5, 64, [0.96, 0.62, 0.31, 0.101, 0.28]),
    ];
    for (name, timing, queue, expected) in figures {
        let (banks, lines) = (timing.banks, 32);
        let measured = [
            share(timing, queue, |i| (i / lines % banks, i / lines / banks % 1000, false, 3)),
            share(timing, queue, |i| (i % banks, i / banks % 1000, false, 3)),
            share(timing, queue, |i| (i % banks, i / banks % 1000, false, 1)),
            share(timing, queue, |i| (0, i % 1000, false, 3)),
            share(timing, queue, |i| (0, 0, i % 2 == 1, 3)),
        ];
        println!("{name}: {measured:.3?} of the data bus, {expected:.3?} specified");
        for (measured, expected) in measured.iter().zip(expected) {
            assert!((measured / expected - 1.0).abs() < 0.05, "{name}: {measured:.3} for {expected:.3}");
        }
    }
}
