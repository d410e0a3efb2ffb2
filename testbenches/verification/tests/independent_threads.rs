//! [`IndependentThreads`] against its executable specification, on random programs, on programs whose threads wait for one another, and in the worked example.
//!
//! The module is driven by [`stack_bench`](warploom_verification::stack_bench). Every warp must execute the model's sequence of blocks and lanes.
//! Where threads wait for one another, the run decides in which order they come to memory; the model follows the paths that come of it.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test independent_threads` runs more.
use warploom_hdl::config::{Permutation, Turns};
use warploom_hdl::divergence::IndependentThreads as Unit;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::locks::{self, Locks};
use warploom_verification::divergence_model::{Case, Coverage, IndependentThreads, Lanes, Threads, generator, golden};
use warploom_verification::module_simulator::ModuleSimulator;
use warploom_verification::stack_bench::{self, LANES, Log, Run, WARPS};

const THREADS: usize = LANES * WARPS;

/// What a core is built with: convergence barriers, turns, which side of a branch runs first.
type Setting = (usize, Turns, bool);

/// As usual, and short of everything.
const SETTINGS: [Setting; 6] = [
    (8, Turns::DEFAULT, true),
    (8, Turns { spin: 2, quantum: 16 }, false),
    (2, Turns { spin: 1, quantum: 64 }, true),
    (1, Turns { spin: 3, quantum: 1 }, false),
    (0, Turns { spin: 2, quantum: 32 }, true),
    (3, Turns { spin: 15, quantum: 8 }, false),
];

fn module((barriers, turns, taken_first): Setting) -> ModuleSimulator {
    let mut unit = ModuleSimulator::new(Unit::new(LANES, WARPS, barriers, taken_first, turns), &[]);
    unit.reset();
    unit
}

/// What the model says every warp executes.
fn model(case: &Case, marked: &[bool], setting: Setting, coverage: &mut Coverage) -> Vec<Log> {
    let (barriers, turns, taken_first) = setting;
    let lanes = Lanes::new(THREADS, LANES, Permutation::None);
    let mut threads = IndependentThreads::new(case, &lanes, barriers, turns, marked, taken_first);
    let mut logs = vec![vec![]; WARPS];
    while let Some(&warp) = threads.ready_warps().first() {
        let (block, mask) = threads.execute(warp);
        logs[warp].push((block, (mask >> (warp * LANES)) as usize));
    }
    threads.assert_finished();
    coverage.add(&threads.coverage);
    logs
}

/// The paths of a run.
fn paths(program: &Locks, logs: &[Log]) -> Case {
    let of = |thread: usize| {
        let blocks = logs[thread / LANES].iter().filter(|(_, lanes)| lanes >> (thread % LANES) & 1 == 1);
        blocks.map(|(block, _)| *block).collect()
    };
    Case { program: program.case.program.clone(), paths: (0..THREADS).map(of).collect() }
}

fn programs() -> u64 {
    std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(250)
}

#[track_caller]
fn all_take_effect(coverage: &Coverage, rules: &[&str]) {
    for rule in rules {
        assert!(coverage.count(&format!("ITS {rule}")) > 0, "{rule} never takes effect");
    }
}

#[test]
fn random_programs() {
    let mut coverage = Coverage::default();
    for (number, setting) in SETTINGS.into_iter().enumerate() {
        let mut unit = module(setting);
        for seed in 0..programs() {
            let mut random = Random::new(seed * 8 + number as u64);
            let case = generator::any(random.word().into(), THREADS);
            // Any backward branch may be marked.
            let is_backward =
                |block: usize| case.program.blocks[block].successors.first().is_some_and(|to| *to <= block);
            let blocks = 0..case.program.blocks.len();
            let marked: Vec<bool> = blocks.map(|block| is_backward(block) && random.below(2) == 0).collect();
            let expected = model(&case, &marked, setting, &mut coverage);
            let found = stack_bench::run(&mut unit, Threads::new(&case), &marked, setting.2, &mut random);
            let Run { logs, .. } = found.unwrap_or_else(|| panic!("deadlock: seed {seed}, {setting:?}: {case:?}"));
            assert_eq!(logs, expected, "seed {seed}, {setting:?}: {case:?}");
        }
    }
    let rules =
        ["allocate", "covered", "full", "arrive", "release", "pass", "merge", "lowest", "exit", "spin", "quantum"];
    all_take_effect(&coverage, &rules);
    all_take_effect(&coverage, &["break", "rotate", "stuck"]);
}

#[test]
fn threads_that_wait_for_one_another() {
    let mut coverage = Coverage::default();
    let worked: [fn(usize) -> Locks; 4] =
        [locks::spin_lock, locks::ticket_lock, locks::chain, locks::barrier_in_a_branch];
    for (number, setting) in SETTINGS.into_iter().enumerate() {
        let mut unit = module(setting);
        for seed in 0..programs() {
            let mut random = Random::new(seed * 8 + number as u64);
            let program =
                worked.get(seed as usize).map_or_else(|| locks::any(seed, THREADS), |program| program(THREADS));
            let found = stack_bench::run(&mut unit, Threads::of(&program), &program.marked, setting.2, &mut random);
            let Run { logs, .. } = found.unwrap_or_else(|| panic!("deadlock: seed {seed}, {setting:?}: {program:?}"));
            let expected = model(&paths(&program, &logs), &program.marked, setting, &mut coverage);
            assert_eq!(logs, expected, "seed {seed}, {setting:?}: {program:?}");
        }
    }
    all_take_effect(&coverage, &["full", "arrive", "spin", "quantum", "break", "rotate", "stuck"]);
}

/// As on a schedulable convergence stack.
#[test]
fn spin_lock_of_four_lanes() {
    let program = locks::spin_lock(LANES);
    let turns = Turns { spin: 1, ..Turns::DEFAULT };
    let mut unit = ModuleSimulator::new(Unit::new(LANES, 1, 8, true, turns), &[]);
    unit.reset();
    let run = stack_bench::run(&mut unit, Threads::of(&program), &program.marked, true, &mut Random::new(1)).unwrap();
    let lanes = |mask: usize| {
        (0..LANES).map(move |lane| if mask >> lane & 1 == 1 { golden::FROM_ONE.as_bytes()[lane] as char } else { '-' })
    };
    let event = |(block, mask): &(usize, usize)| {
        format!("{}:{}", golden::SPIN_LOCK_BLOCKS.as_bytes()[*block] as char, lanes(*mask).collect::<String>())
    };
    let trace: Vec<String> = run.logs[0].iter().map(event).collect();
    assert_eq!(trace, golden::SPIN_LOCK.split_whitespace().collect::<Vec<_>>());
}
