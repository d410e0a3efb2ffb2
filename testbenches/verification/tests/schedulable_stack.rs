//! [`SpeStack`] with turns against the executable specification of a schedulable convergence stack, on random programs, on programs whose threads wait for
//! one another, and in the worked example.
//!
//! The module is driven by [`stack_bench`](warploom_verification::stack_bench). Every warp must execute the model's sequence of blocks and lanes.
//! Where threads wait for one another, the run decides in which order they come to memory; the model follows the paths that come of it.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test schedulable_stack` runs more.
use warploom_hdl::config::{Permutation, Turns};
use warploom_hdl::divergence::SpeStack;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::locks::{self, Locks};
use warploom_verification::divergence_model::{Case, Coverage, Lanes, Scs, Threads, generator, golden};
use warploom_verification::module_simulator::ModuleSimulator;
use warploom_verification::stack_bench::{self, LANES, Log, Run, WARPS};

const THREADS: usize = LANES * WARPS;
/// As deep as turns of one instruction make a stack of four lanes.
const ENTRIES: usize = 40;
/// They never end.
const ENDLESS: Turns = Turns { spin: 15, quantum: 1 << 24 };
/// Of every kind: the usual ones, the shortest, and those between.
const TURNS: [Turns; 5] = [
    Turns::DEFAULT,
    Turns { spin: 1, quantum: 1 },
    Turns { spin: 1, quantum: 64 },
    Turns { spin: 3, quantum: 16 },
    Turns { spin: 15, quantum: 4 },
];

fn module(turns: Option<Turns>, taken_first: bool) -> ModuleSimulator {
    let mut stack = ModuleSimulator::new(SpeStack::new(LANES, WARPS, ENTRIES, taken_first, false, turns), &[]);
    stack.reset();
    stack
}

fn lanes() -> Lanes {
    Lanes::new(THREADS, LANES, Permutation::None)
}

/// What the model says every warp executes, and the depth of the deepest stack.
fn model(case: &Case, marked: &[bool], turns: Turns, taken_first: bool, coverage: &mut Coverage) -> (Vec<Log>, usize) {
    let mut scs = Scs::new(case, marked, &lanes(), turns, taken_first);
    let mut logs = vec![vec![]; WARPS];
    while let Some(&warp) = scs.ready_warps().first() {
        let (block, mask) = scs.execute(warp);
        logs[warp].push((block, (mask >> (warp * LANES)) as usize));
    }
    scs.assert_finished();
    coverage.add(&scs.coverage());
    (logs, scs.depth())
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

#[test]
fn random_programs() {
    let mut coverage = Coverage::default();
    for turns in TURNS {
        for taken_first in [false, true] {
            let mut stack = module(Some(turns), taken_first);
            for seed in 0..programs() {
                let mut random = Random::new(seed * 2 + taken_first as u64);
                let case = generator::any(random.word().into(), THREADS);
                // Any backward branch may be marked.
                let is_backward =
                    |block: usize| case.program.blocks[block].successors.first().is_some_and(|to| *to <= block);
                let blocks = 0..case.program.blocks.len();
                let marked: Vec<bool> = blocks.map(|block| is_backward(block) && random.below(2) == 0).collect();
                let expected = model(&case, &marked, turns, taken_first, &mut coverage);
                let found = stack_bench::run(&mut stack, Threads::new(&case), &marked, taken_first, &mut random);
                let Run { logs, depth, .. } =
                    found.unwrap_or_else(|| panic!("deadlock: seed {seed}, {turns:?}: {case:?}"));
                assert_eq!((logs, depth), expected, "seed {seed}, {turns:?}, taken_first {taken_first}: {case:?}");
            }
        }
    }
    for rule in [
        "SCS alone",
        "SCS spin",
        "SCS quantum",
        "SCS unused",
        "SCS break",
        "SCS rotate",
        "SCS lane",
        "SCS lane waits",
        "SCS hole",
    ] {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect");
    }
}

#[test]
fn threads_that_wait_for_one_another() {
    let mut coverage = Coverage::default();
    let worked: [fn(usize) -> Locks; 4] =
        [locks::spin_lock, locks::ticket_lock, locks::chain, locks::barrier_in_a_branch];
    for turns in TURNS {
        for taken_first in [false, true] {
            let mut stack = module(Some(turns), taken_first);
            for seed in 0..programs() {
                let mut random = Random::new(seed * 2 + taken_first as u64);
                let program =
                    worked.get(seed as usize).map_or_else(|| locks::any(seed, THREADS), |program| program(THREADS));
                let found =
                    stack_bench::run(&mut stack, Threads::of(&program), &program.marked, taken_first, &mut random);
                let Run { logs, depth, .. } =
                    found.unwrap_or_else(|| panic!("deadlock: seed {seed}, {turns:?}: {program:?}"));
                let case = paths(&program, &logs);
                let expected = model(&case, &program.marked, turns, taken_first, &mut coverage);
                assert_eq!((logs, depth), expected, "seed {seed}, {turns:?}, taken_first {taken_first}: {program:?}");
            }
        }
    }
    for rule in ["SCS spin", "SCS break", "SCS barrier", "SCS rotate", "SCS stuck"] {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect");
    }
}

/// Without turns, or with such that never end, they wait for ever; and what ends, ends in the same cycle.
#[test]
fn turns_that_never_end() {
    let (mut with, mut without) = (module(Some(ENDLESS), true), module(None, true));
    let mut hangs = 0;
    for seed in 0..programs() {
        let case = generator::any(seed, THREADS);
        let locks = locks::any(seed, THREADS);
        let unmarked = vec![false; case.program.blocks.len().max(locks.marked.len())];
        let run = |stack: &mut ModuleSimulator, threads| {
            stack_bench::run(stack, threads, &unmarked, true, &mut Random::new(seed))
        };
        let expected = run(&mut without, Threads::new(&case));
        assert!(expected.is_some());
        assert_eq!(run(&mut with, Threads::new(&case)), expected, "seed {seed}");
        if seed < programs() / 10 {
            let expected = run(&mut without, Threads::of(&locks));
            let found = run(&mut with, Threads::of(&locks));
            if expected.is_some() {
                assert_eq!(found, expected, "seed {seed}");
            } else {
                // With turns, barriers inside branches are none.
                hangs += usize::from(found.is_none());
                [&mut with, &mut without].into_iter().for_each(ModuleSimulator::reset);
            }
        }
    }
    assert!(hangs > 0, "some program needs turns");
}

#[test]
fn spin_lock_of_four_lanes() {
    let program = locks::spin_lock(LANES);
    let turns = Turns { spin: 1, ..Turns::DEFAULT };
    let mut stack = ModuleSimulator::new(SpeStack::new(LANES, 1, ENTRIES, true, false, Some(turns)), &[]);
    stack.reset();
    let run = stack_bench::run(&mut stack, Threads::of(&program), &program.marked, true, &mut Random::new(1)).unwrap();
    let lanes = |mask: usize| {
        (0..LANES).map(move |lane| if mask >> lane & 1 == 1 { golden::FROM_ONE.as_bytes()[lane] as char } else { '-' })
    };
    let event = |(block, mask): &(usize, usize)| {
        format!("{}:{}", golden::SPIN_LOCK_BLOCKS.as_bytes()[*block] as char, lanes(*mask).collect::<String>())
    };
    let trace: Vec<String> = run.logs[0].iter().map(event).collect();
    assert_eq!(trace, golden::SPIN_LOCK.split_whitespace().collect::<Vec<_>>());
}
