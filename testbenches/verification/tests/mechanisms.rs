//! Every kernel under every mechanism and permutation: outputs right, on all presets.
//!
//! `cargo test` runs the tiny core of every mechanism. A core is a simulator to generate, so the combinations of the long tests are a covering set:
//! every mechanism with and without likely-convergence points, every permutation, every scheduler, every history and kind of predictor, on tiny and small;
//! the papers' cores with those that use most of them. Every mechanism is there with floats on tiny, small and paper; what is varied besides is without,
//! where a simulator is compiled in half the time.
use std::cell::Cell;
use std::collections::BTreeSet;

use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, CtaPriority, DualPathVariant, FormationScope, HazardRule,
    IssuePolicy, LargeWarps, Mechanism, Permutation, Regrouping, SchedulerPolicy, Turns, WarpFormation, WarpGroup,
};
use warploom_hdl::mechanism::{Choice, MECHANISMS, covering};
use warploom_runtime::host::{IssueTrace, Limits, MemoryTiming, Observer, RtlDevice};
use warploom_runtime::kernels::{self, Problem};
use warploom_sim::{BuildOptions, Simulator};
use warploom_verification::{core_simulator, cores};

fn capri(entries: usize, history: AdequacyHistory) -> Mechanism {
    Mechanism::Capri(AdequacyPredictor { entries, history })
}

fn simulator(config: &CoreConfig) -> Simulator {
    let shared = cores::tiny().contains(config);
    core_simulator(config, &if shared { BuildOptions::default() } else { BuildOptions::brief() })
}

/// Runs every kernel that this core has instructions for, at its smoke size and an odd one.
fn all_kernels_pass(config: &CoreConfig) {
    observed_kernels_pass(simulator(config), config, Box::new(|_, _| {}));
}

fn observed_kernels_pass(simulator: Simulator, config: &CoreConfig, observer: Observer) {
    let mut device = RtlDevice::new(simulator, config.clone(), MemoryTiming::default());
    device.set_limits(Limits { silence: 20_000, ..Limits::default() });
    device.observe(observer);
    for &compact in cores::compactions(config) {
        device.set_compaction(compact);
        for kernel in kernels::on(config) {
            for size in [7, kernel.sizes().smoke] {
                let problem = Problem { seed: size as u64, ..Problem::new(size) };
                let CoreConfig { lanes, mechanism, likely_convergence, permutation, .. } = config;
                let what = format!(
                    "{} {size} on {lanes} lanes: {mechanism:?}, lcp {likely_convergence}, {permutation:?}, compact {compact}",
                    kernel.name()
                );
                let outcome = kernels::run(kernel, &mut device, &problem).unwrap_or_else(|e| panic!("{what}: {e}"));
                if let Some(mismatch) = outcome.mismatch() {
                    panic!("{what}: {mismatch}");
                }
            }
        }
    }
}

#[test]
fn every_mechanism_on_the_tiny_core() {
    cores::each(&cores::tiny(), all_kernels_pass);
}

/// Threads of several CTAs are in a warp: each has the shared memory, the barriers and the identifiers of its own.
#[test]
fn warps_of_several_ctas() {
    cores::each(&[("dwf", false), ("dwf:core", true), ("dwf-wb:core", true)], |&(spelling, mixes)| {
        let config = cores::with_floats(cores::with(spelling, CoreConfig::tiny()));
        let simulator = simulator(&config);
        let trace = IssueTrace::new(&simulator, &config);
        let warps = simulator.port("kernel_warps_per_cta").expect("a port");
        let mixed = Cell::new(0);
        let observer = |engine: &Simulator, _| {
            if let Some(issue) = trace.issue(engine) {
                let active = trace.rows(engine).enumerate().filter(|(lane, _)| issue.mask >> lane & 1 == 1);
                let ctas: BTreeSet<usize> = active.map(|(_, row)| row / engine.get(warps) as usize).collect();
                mixed.set(mixed.get() + usize::from(ctas.len() > 1));
            }
        };
        observed_kernels_pass(simulator, &config, Box::new(observer));
        println!("{spelling}: {} instructions of several CTAs", mixed.get());
        assert_eq!(mixed.get() > 1000, mixes, "{spelling}: {} instructions of several CTAs", mixed.get());
    });
}

#[test]
#[ignore = "long: compiles twelve cores; runs in .ci/run"]
fn mechanisms() {
    for mechanism in [Mechanism::SinglePath, Mechanism::Tbc, Mechanism::TbcPlus, capri(32, AdequacyHistory::Latest)] {
        for likely_convergence in [false, true] {
            all_kernels_pass(&CoreConfig { mechanism, likely_convergence, ..CoreConfig::tiny() });
        }
        let small = CoreConfig { mechanism, likely_convergence: true, ..CoreConfig::small() };
        all_kernels_pass(&cores::with_floats(small));
    }
}

#[test]
#[ignore = "long: compiles three cores; runs in .ci/run"]
fn predictors_and_priorities() {
    for (entries, history, cta_priority) in [
        (0, AdequacyHistory::Latest, CtaPriority::Age),
        (2, AdequacyHistory::Sticky, CtaPriority::RoundRobin),
        (3, AdequacyHistory::TwoBit, CtaPriority::StickyRoundRobin),
    ] {
        let mechanism = capri(entries, history);
        all_kernels_pass(&CoreConfig { mechanism, cta_priority, ..CoreConfig::small() });
    }
}

/// Those that the presets do not have, where warps are formed anew and where they are not.
#[test]
#[ignore = "long: compiles five cores; runs in .ci/run"]
fn schedulers() {
    let timeout = SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(1), timeout: 30 };
    for (mechanism, scheduler) in [
        (capri(32, AdequacyHistory::Latest), SchedulerPolicy::OldestFirst),
        (Mechanism::Tbc, timeout),
        (Mechanism::TbcPlus, SchedulerPolicy::GreedyThenOldest),
        (Mechanism::DualPath(DualPathVariant::Full), SchedulerPolicy::OldestFirst),
        (Mechanism::DualPath(DualPathVariant::Full), timeout),
    ] {
        all_kernels_pass(&CoreConfig { mechanism, scheduler, ..CoreConfig::tiny() });
    }
}

/// Turns of every length, in either order of the sides.
#[test]
#[ignore = "long: compiles four cores; runs in .ci/run"]
fn turns() {
    for (spin, quantum, scheduler, taken_first) in [
        (1, 1, SchedulerPolicy::LooseRoundRobin, true),
        (8, 16_384, SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(2), timeout: 30 }, false),
        (3, 64, SchedulerPolicy::LooseRoundRobin, false),
        (15, 16, SchedulerPolicy::GreedyThenOldest, true),
    ] {
        let mechanism = Mechanism::SchedulableStack(Turns { spin, quantum });
        let small = CoreConfig { mechanism, scheduler, taken_first, stack_depth: 64, ..CoreConfig::small() };
        all_kernels_pass(&cores::with_floats(small));
    }
}

/// In either order of the sides: tiny has loose round robin.
#[test]
#[ignore = "long: compiles six cores; runs in .ci/run"]
fn dual_paths() {
    use DualPathVariant::{Constrained, Full, Optimistic};
    for (variant, scheduler, permutation) in [
        (Full, SchedulerPolicy::GreedyThenOldest, Permutation::Balanced),
        (Constrained, SchedulerPolicy::OldestFirst, Permutation::None),
        (Optimistic, SchedulerPolicy::groups_of(4), Permutation::Random),
    ] {
        let mechanism = Mechanism::DualPath(variant);
        all_kernels_pass(&CoreConfig { mechanism, ..CoreConfig::tiny() });
        let floats = variant == Full;
        let small = CoreConfig { mechanism, scheduler, permutation, taken_first: false, floats, ..CoreConfig::small() };
        all_kernels_pass(&small);
    }
}

/// Every policy, pools with and without room.
#[test]
#[ignore = "long: compiles four cores; runs in .ci/run"]
fn dynamic_warps() {
    use Regrouping::{Block, Instruction};
    for (policy, sides, relief, regrouping, base) in [
        (IssuePolicy::Majority, 2, 16, Block, CoreConfig::tiny()),
        (IssuePolicy::Minority, 1, 2, Instruction, CoreConfig::small()),
        (IssuePolicy::Oldest, 4, 16, Block, CoreConfig::small()),
        (IssuePolicy::LowestPc, 1, 1, Block, CoreConfig::tiny()),
    ] {
        let pool = WarpFormation { policy, sides, relief, lut_entries: 8, age_limit: 64, ..WarpFormation::DEFAULT };
        let how = WarpFormation { regrouping, ..pool };
        all_kernels_pass(&CoreConfig { mechanism: Mechanism::WarpFormation(how), ..base });
    }
}

/// Of two warps to all, and scheduled in groups of one.
#[test]
#[ignore = "long: compiles four cores; runs in .ci/run"]
fn large_warps() {
    let in_groups = |warps, timeout| SchedulerPolicy::TwoLevel { group: WarpGroup::Warps(warps), timeout };
    for (threads, scheduler, base) in [
        (16, SchedulerPolicy::OldestFirst, CoreConfig::small()),
        (32, in_groups(4, 512), CoreConfig { lanes: 4, ..CoreConfig::small() }),
        (16, in_groups(4, 0), CoreConfig { hazards: HazardRule::Any, ..CoreConfig::tiny() }),
        (8, SchedulerPolicy::GreedyThenOldest, CoreConfig { warps: 5, ..CoreConfig::tiny() }),
    ] {
        let mechanism = Mechanism::LargeWarps(LargeWarps::of(threads));
        all_kernels_pass(&CoreConfig { mechanism, scheduler, ..base });
    }
}

/// From threads of several CTAs, also where the scheduler and the priority go by CTA.
#[test]
#[ignore = "long: compiles five cores; runs in .ci/run"]
fn dynamic_warps_of_several_ctas() {
    let cta = SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 0 };
    let by_cta = CoreConfig { scheduler: cta, cta_priority: CtaPriority::RoundRobin, ..CoreConfig::small() };
    for (policy, sides, relief, warp_barriers, base) in [
        (IssuePolicy::Majority, 2, 16, false, by_cta.clone()),
        (IssuePolicy::LowestPc, 1, 1, false, CoreConfig { cta_slots: 1, ..CoreConfig::tiny() }),
        (IssuePolicy::Oldest, 4, 16, false, cores::with_floats(CoreConfig::small())),
        (IssuePolicy::Oldest, 1, 2, true, CoreConfig::tiny()),
        (IssuePolicy::Minority, 2, 16, true, by_cta),
    ] {
        let scope = FormationScope::Core;
        let how =
            WarpFormation { policy, sides, relief, lut_entries: 8, age_limit: 64, scope, ..WarpFormation::DEFAULT };
        let of = if warp_barriers { Mechanism::WarpBarriers } else { Mechanism::WarpFormation };
        all_kernels_pass(&CoreConfig { mechanism: of(how), ..base });
    }
}

/// With warp barriers.
#[test]
#[ignore = "long: compiles four cores; runs in .ci/run"]
fn dynamic_warps_with_barriers() {
    use Regrouping::{Block, Instruction};
    for (policy, sides, relief, regrouping, base) in [
        (IssuePolicy::Majority, 1, 2, Block, CoreConfig::tiny()),
        (IssuePolicy::Minority, 2, 1, Block, CoreConfig::tiny()),
        (IssuePolicy::Oldest, 1, 1, Instruction, CoreConfig::small()),
        (IssuePolicy::LowestPc, 4, 16, Block, CoreConfig::small()),
    ] {
        let pool = WarpFormation { policy, sides, relief, lut_entries: 8, age_limit: 64, ..WarpFormation::DEFAULT };
        let how = WarpFormation { regrouping, ..pool };
        all_kernels_pass(&CoreConfig { mechanism: Mechanism::WarpBarriers(how), ..base });
    }
}

/// The same on the CTA-wide stack.
#[test]
#[ignore = "long: compiles five cores; runs in .ci/run"]
fn dual_paths_of_a_cta() {
    for (mechanism, scheduler, permutation) in [
        (Mechanism::TbcDualPath, SchedulerPolicy::GreedyThenOldest, Permutation::Balanced),
        (Mechanism::TbcPlusDualPath, SchedulerPolicy::groups_of(4), Permutation::None),
        (Mechanism::TbcDualPathConstrained, SchedulerPolicy::groups_of(4), Permutation::Balanced),
        (Mechanism::TbcPlusDualPathConstrained, SchedulerPolicy::GreedyThenOldest, Permutation::None),
    ] {
        let floats = matches!(mechanism, Mechanism::TbcDualPath | Mechanism::TbcPlusDualPathConstrained);
        let small = CoreConfig { mechanism, scheduler, permutation, taken_first: false, floats, ..CoreConfig::small() };
        all_kernels_pass(&small);
    }
    let (mechanism, cta_priority) = (Mechanism::TbcPlusDualPath, CtaPriority::RoundRobin);
    all_kernels_pass(&CoreConfig { mechanism, cta_priority, ..CoreConfig::tiny() });
}

#[test]
#[ignore = "long: compiles eleven cores; runs in .ci/run"]
fn permutations() {
    for (_, permutation) in Permutation::named() {
        all_kernels_pass(&CoreConfig { mechanism: Mechanism::TbcPlus, permutation, ..CoreConfig::tiny() });
    }
    let mechanism = capri(8, AdequacyHistory::Latest);
    for permutation in [Permutation::Balanced, Permutation::Random] {
        all_kernels_pass(&CoreConfig { mechanism, permutation, ..CoreConfig::small() });
    }
    all_kernels_pass(&CoreConfig { permutation: Permutation::RotateOdd, ..CoreConfig::small() });
}

#[test]
#[ignore = "long: the papers' sizes; runs in .ci/run"]
fn the_paper_core() {
    let predictor = capri(32, AdequacyHistory::Latest);
    for (mechanism, likely_convergence, permutation) in [
        (Mechanism::Tbc, true, Permutation::None),
        (Mechanism::TbcPlus, true, Permutation::None),
        (predictor, false, Permutation::Balanced),
        (Mechanism::SinglePath, true, Permutation::ReversedWarpNumber),
        (Mechanism::DualPath(DualPathVariant::Optimistic), false, Permutation::None),
    ] {
        let paper = CoreConfig { mechanism, likely_convergence, permutation, ..CoreConfig::paper() };
        all_kernels_pass(&cores::with_floats(paper));
    }
}

/// The numbers of mechanisms that have one behind their name: what each is tried with, on tiny and small in turn.
#[test]
#[ignore = "long: compiles many cores; runs in .ci/run"]
fn numbers_of_mechanisms() {
    for entry in MECHANISMS.iter().filter(|entry| entry.spelled > 0) {
        let numbers: Vec<_> = entry.choices.iter().filter(|choice| choice.parameter().is_some()).collect();
        let most = numbers.iter().map(|choice| choice.tried().len()).max().unwrap_or(0);
        for number in 0..most {
            let value = |choice: &Choice| choice.tried()[number % choice.tried().len()];
            let with = |mechanism, choice: &&Choice| choice.with(mechanism, value(choice));
            let mechanism = numbers.iter().fold(entry.default, with);
            let base = if number % 2 == 0 { CoreConfig::tiny() } else { cores::with_floats(CoreConfig::small()) };
            all_kernels_pass(&CoreConfig { mechanism, ..base });
        }
        if most > 0 {
            let paper = CoreConfig { mechanism: entry.default, ..CoreConfig::paper() };
            all_kernels_pass(&cores::with_floats(paper));
        }
    }
}

/// Its warps, and the rows of its shared memory, are no power of two.
#[test]
#[ignore = "long: the papers' sizes; runs in .ci/run"]
fn the_fermi_core() {
    covering().for_each(|one| all_kernels_pass(&one.on(CoreConfig::fermi())));
    let mechanism = Mechanism::DualPath(DualPathVariant::Constrained);
    all_kernels_pass(&CoreConfig { mechanism, ..CoreConfig::fermi() });
}
