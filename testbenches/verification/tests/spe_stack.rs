//! [`SpeStack`] against its executable specification, on random programs in which every thread goes its own way.
//!
//! The module is driven by [`stack_bench`](warploom_verification::stack_bench). Every warp must execute the model's sequence of blocks and lanes.
//!
//! `WARPLOOM_RANDOM_PROGRAMS=5000 cargo test -p warploom-verification --test spe_stack` runs more.
use warploom_hdl::config::Permutation;
use warploom_hdl::divergence::SpeStack;
use warploom_runtime::kernels::Random;
use warploom_verification::divergence_model::{Case, Coverage, Lanes, Spe, Threads, generator};
use warploom_verification::module_simulator::ModuleSimulator;
use warploom_verification::stack_bench::{self, LANES, Log, WARPS};

const ENTRIES: usize = 21;

/// What the model says every warp executes, and the depth of the deepest stack.
fn model(case: &Case, likely_convergence: bool, taken_first: bool, coverage: &mut Coverage) -> (Vec<Log>, usize) {
    let lanes = Lanes::new(LANES * WARPS, LANES, Permutation::None);
    let mut spe = Spe::new(case, &lanes, likely_convergence, taken_first);
    let mut logs = vec![vec![]; WARPS];
    while let Some(&warp) = spe.ready_warps().first() {
        let (block, mask) = spe.execute(warp);
        logs[warp].push((block, (mask >> (warp * LANES)) as usize));
    }
    spe.assert_finished();
    coverage.add(&spe.coverage());
    (logs, spe.depth())
}

fn compare(likely_convergence: bool) {
    let programs = std::env::var("WARPLOOM_RANDOM_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut coverage = Coverage::default();
    for taken_first in [false, true] {
        let module = SpeStack::new(LANES, WARPS, ENTRIES, taken_first, likely_convergence, None);
        let mut stack = ModuleSimulator::new(module, &[]);
        stack.reset();
        for seed in 0..=programs {
            let mut random = Random::new(seed * 2 + taken_first as u64);
            let case = match seed {
                0 => generator::passed_point(),
                _ => generator::any(random.word().into(), LANES * WARPS),
            };
            let expected = model(&case, likely_convergence, taken_first, &mut coverage);
            let unmarked = vec![false; case.program.blocks.len()];
            let found = stack_bench::run(&mut stack, Threads::new(&case), &unmarked, taken_first, &mut random);
            let found = found.unwrap_or_else(|| panic!("deadlock: seed {seed}, taken_first {taken_first}: {case:?}"));
            assert_eq!((found.logs, found.depth), expected, "seed {seed}, taken_first {taken_first}: {case:?}");
        }
    }
    let rules = ["4 hole", "7 exit", "11 yield"];
    let likely = ["8 entry", "8 inherit", "8 chain", "9 merge", "11 fallback"];
    for rule in rules.iter().chain(likely.iter().filter(|_| likely_convergence)) {
        assert!(coverage.count(rule) > 0, "{rule} never takes effect");
    }
}

#[test]
fn random_programs() {
    compare(false);
}

#[test]
fn random_programs_with_likely_convergence() {
    compare(true);
}
