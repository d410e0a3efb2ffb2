//! Random divergent programs: the core against the reference model, in memory and in every register write of every thread.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test --release -p warploom-testbenches --test random_programs` runs more.
use std::cell::RefCell;

use warploom_hdl::config::{CoreConfig, SchedulerPolicy};
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::{Simulator, elaborate};
use warploom_testbenches::host::{
    Buffer, Device, DeviceError, Jitter, Limits, MemoryTiming, Retirement, RtlDevice, Session,
};
use warploom_testbenches::kernels::Random;
use warploom_testbenches::loader::Program;
use warploom_testbenches::random_program::{COUNTERS, REGION, TABLE, generate};
use warploom_testbenches::reference::{ReferenceDevice, Signature};

/// Programs per configuration, unless the environment says otherwise.
const PROGRAMS: u64 = 40;

fn programs() -> u64 {
    std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS)
}

/// Runs a program and returns its regions and counters.
fn run(device: &mut dyn Device, program: &Program, grid: u32, block: u32, seed: u64) -> Result<Vec<u32>, DeviceError> {
    let mut random = Random::new(seed);
    let mut session = Session::new(device, program)?;
    let regions = session.buffer(&random.words((grid * block * REGION / 4) as usize))?;
    let counters = session.buffer(&random.words(COUNTERS))?;
    let table = session.buffer(&random.words(TABLE))?;
    session.launch([grid, 1, 1], [block, 1, 1], block as usize, &[regions.address, counters.address, table.address])?;
    let all = |session: &mut Session, buffer: Buffer| session.read(buffer);
    Ok([all(&mut session, regions), all(&mut session, counters)].concat())
}

fn agree(config: &CoreConfig, timing: &MemoryTiming, seeds: std::ops::Range<u64>) {
    let mut core = Core::new(config);
    core.connect_all();
    let netlist = elaborate(&core).unwrap_or_else(|e| panic!("{e}"));
    let simulator = Simulator::build(&netlist, &Default::default()).unwrap_or_else(|e| panic!("{e}"));
    let retirement = RefCell::new(Retirement::new(&simulator, config, 0));
    let mut rtl = RtlDevice::new(simulator, config.clone(), timing.clone());
    rtl.set_limits(Limits { cycles: 2_000_000, silence: 20_000, ..Limits::default() });
    rtl.observe(Box::new(|simulator, _| retirement.borrow_mut().push(simulator)));
    let mut reference = ReferenceDevice::with_memory(config.clone(), 1 << 20);
    reference.record();
    for seed in seeds {
        let mut random = Random::new(!seed);
        let block = 1 + random.below((config.lanes * config.warps) as u32);
        let grid = 1 + random.below(5);
        let program = generate(seed, block).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let what = || format!("seed {seed}, {grid} CTAs of {block} threads, {} instructions", program.words.len());
        let expected = run(&mut reference, &program, grid, block, seed).unwrap_or_else(|e| panic!("{}: {e}", what()));
        let mut signatures: Vec<Signature> = reference.records().iter().map(|r| r.signature.clone()).collect();
        signatures.sort();

        *retirement.borrow_mut() = Retirement::new(rtl.engine(), config, 0);
        let memory = run(&mut rtl, &program, grid, block, seed).unwrap_or_else(|e| panic!("{}: {e}", what()));
        let wrong = memory.iter().zip(&expected).position(|(got, expected)| got != expected);
        assert!(wrong.is_none(), "{}: word {wrong:?} of the output differs", what());
        assert!(retirement.borrow().signatures() == signatures, "{}: register writes differ", what());
    }
}

#[test]
fn tiny_core() {
    agree(&CoreConfig::tiny(), &MemoryTiming::default(), 0..programs());
}

#[test]
fn small_core_with_unruly_memory() {
    let jitter = Some(Jitter { seed: 7, delay: 80, refuse: 80 });
    let timing = MemoryTiming { l2_latency: 4, dram_latency: 30, jitter, ..MemoryTiming::default() };
    agree(&CoreConfig::small(), &timing, 10_000..10_000 + programs());
}

#[test]
fn odd_core() {
    let config = CoreConfig {
        lanes: 8,
        warps: 5,
        cta_slots: 3,
        stack_depth: 24,
        taken_first: false,
        likely_convergence: true,
        scheduler: SchedulerPolicy::GreedyThenOldest,
        l1_sets: 4,
        l1_ways: 2,
        mshrs: 3,
        memory_queue: 2,
        ..CoreConfig::tiny()
    };
    agree(&config, &MemoryTiming { dram_latency: 50, ..MemoryTiming::default() }, 20_000..20_000 + programs());
}
