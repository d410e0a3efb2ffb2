//! Random divergent programs: the core against the reference model, in memory and in every register write of every thread, under every
//! mechanism; and how often the rules of the mechanisms take effect in these runs.
//!
//! `cargo test` runs some programs on a core of every mechanism; all of them run with `--ignored`.
//!
//! A failure names its core and seed. `WARPLOOM_SEED=10000042 WARPLOOM_CORE=small-tbc cargo test -p warploom-verification --test random_programs -- --ignored`
//! runs that program alone again; without `WARPLOOM_CORE` on every core. `WARPLOOM_RANDOM_PROGRAMS=5000` runs as many programs on each core.
//! With `WARPLOOM_WRITE=1` the test writes docs/verification/rules.md instead of comparing it.
use std::cell::RefCell;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Mutex;

use warploom_hdl::config::{
    AdequacyHistory, AdequacyPredictor, CoreConfig, CtaPriority, DualPathVariant, FormationScope, HazardPrediction,
    HazardRule, IndependentThreads, IssuePolicy, LargeWarps, Mechanism, MemoryPath, Permutation, Regrouping,
    SchedulerPolicy, Subdivision, Turns, WarpFormation, WarpGroup,
};
use warploom_runtime::host::{Jitter, MemoryTiming};
use warploom_sim::engine::BuildOptions;
use warploom_verification::coverage::{self, Counts, RULES, Watch};
use warploom_verification::fuzz::{Bench, Case, Failure, Passed};
use warploom_verification::mutation::Chosen;
use warploom_verification::random_program::{Choices, Shape};
use warploom_verification::{core_simulator, cores};

mod corpus;

/// Programs per core, unless the environment says otherwise.
const PROGRAMS: u64 = 250;
/// Cores that `cargo test` takes, one for every mechanism and one with floats and slow units, and programs on each.
const QUICK: [&str; 13] = [
    "tiny-spe",
    "tiny-scs",
    "tiny-its-2",
    "tiny-dwf",
    "tiny-dwf-core",
    "tiny-dwf-wb",
    "tiny-lwm",
    "tiny-dpe",
    "tiny-dws-2",
    "tiny-tbc-dpe",
    "tiny-tbc-lcp-balanced",
    "tiny-capri-latest-2-lcp",
    "slow-float-tbc-plus",
];
/// See [`QUICK`].
const QUICK_PROGRAMS: u64 = 60;
/// The programs of the cores have seeds of their own.
const SEEDS: u64 = 10_000_000;
/// After so many failures a core is given up; with a mutant in it after the first.
const FAILURES: usize = 3;

fn environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text}")))
}

/// A core, and the memory behind it.
struct Run {
    name: &'static str,
    config: CoreConfig,
    timing: MemoryTiming,
}

/// A covering set: mechanisms, predictors, likely-convergence points, permutations, sizes, schedulers and memories meet in pairs.
fn runs() -> Vec<Run> {
    use AdequacyHistory::{Latest, Sticky, TwoBit};
    use DualPathVariant::{Constrained, Full, Optimistic};
    use Mechanism::{
        SinglePath, Tbc, TbcDualPath, TbcDualPathConstrained, TbcPlus, TbcPlusDualPath, TbcPlusDualPathConstrained,
    };
    let capri = |entries, history| Mechanism::Capri(AdequacyPredictor { entries, history });
    let dpe = Mechanism::DualPath;
    let dws = |threshold, splits| Mechanism::Subdivision(Subdivision { threshold, splits });
    let scs = |spin, quantum| Mechanism::SchedulableStack(Turns { spin, quantum });
    let its = |barriers, quantum| {
        Mechanism::IndependentThreads(IndependentThreads { barriers, turns: Turns { spin: 2, quantum } })
    };
    let how = |scope, policy, sides, relief| WarpFormation {
        policy,
        sides,
        relief,
        lut_entries: 8,
        age_limit: 64,
        scope,
        ..WarpFormation::DEFAULT
    };
    let dwf = |policy, sides, relief| Mechanism::WarpFormation(how(FormationScope::Cta, policy, sides, relief));
    let singly = |policy, sides, relief| {
        let pool = how(FormationScope::Core, policy, sides, relief);
        Mechanism::WarpFormation(WarpFormation { regrouping: Regrouping::Instruction, ..pool })
    };
    let wb = |policy, sides, relief| Mechanism::WarpBarriers(how(FormationScope::Cta, policy, sides, relief));
    let dwf_core = |policy, sides, relief| Mechanism::WarpFormation(how(FormationScope::Core, policy, sides, relief));
    let wb_core = |policy, sides, relief| Mechanism::WarpBarriers(how(FormationScope::Core, policy, sides, relief));
    let lwm = |threads| Mechanism::LargeWarps(LargeWarps::of(threads));
    let tiny = CoreConfig { stack_depth: 48, ..CoreConfig::tiny() };
    let small = CoreConfig { stack_depth: 64, ..CoreConfig::small() };
    let odd = CoreConfig {
        lanes: 8,
        warps: 5,
        cta_slots: 3,
        stack_depth: 64,
        taken_first: false,
        scheduler: SchedulerPolicy::GreedyThenOldest,
        l1_sets: 4,
        l1_ways: 2,
        mshrs: 3,
        memory_queue: 2,
        ..CoreConfig::tiny()
    };
    let ahead = CoreConfig { warp_buffer: 4, ..tiny.clone() };
    let replay = CoreConfig { memory_path: MemoryPath::Replay, ..ahead.clone() };
    let predicting =
        CoreConfig { hazard_prediction: HazardPrediction::Counters, warp_buffer: 8, mshrs: 2, ..replay.clone() };
    let stalling = CoreConfig { memory_path: MemoryPath::Stalling, ..tiny.clone() };
    let stalling_ahead = CoreConfig { memory_path: MemoryPath::Stalling, ..predicting.clone() };
    let merging = CoreConfig { mshrs: 2, mshr_merges: 4, ..tiny.clone() };
    let merging_ahead = CoreConfig { mshr_merges: 2, ..predicting.clone() };
    let stalling_odd = CoreConfig { memory_path: MemoryPath::Stalling, ..odd.clone() };
    let slow = CoreConfig { alu_latency: 4, multiply_latency: 24, divide_bits: 1, ..tiny.clone() };
    let slower = CoreConfig { alu_latency: 8, multiply_latency: 8, divide_bits: 16, ..small.clone() };
    let floats = CoreConfig { floats: true, ..tiny.clone() };
    let slow_floats = CoreConfig { floats: true, float_latency: 11, ..slow.clone() };
    let late_floats = CoreConfig { floats: true, float_latency: 11, alu_latency: 2, ..small.clone() };
    let warp_instructions = CoreConfig { warp_instructions: true, ..tiny.clone() };
    let slow_warp_instructions = CoreConfig { warp_instructions: true, ..slow_floats.clone() };
    let usual = MemoryTiming::default();
    let quick = MemoryTiming { l2_latency: 4, dram_latency: 30, ..usual.clone() };
    let unruly = MemoryTiming { jitter: Some(Jitter { seed: 7, delay: 80, refuse: 80 }), ..quick.clone() };
    let run = |name, base: &CoreConfig, mechanism, likely_convergence, permutation, timing: &MemoryTiming| Run {
        name,
        config: CoreConfig { mechanism, likely_convergence, permutation, ..base.clone() },
        timing: timing.clone(),
    };
    let (none, balanced, random) = (Permutation::None, Permutation::Balanced, Permutation::Random);
    let prioritised =
        |run: Run, cta_priority, scheduler| Run { config: CoreConfig { cta_priority, scheduler, ..run.config }, ..run };
    let waiting_for_all = |run: Run| Run { config: CoreConfig { hazards: HazardRule::Any, ..run.config }, ..run };
    let scheduled = |run, scheduler| prioritised(run, CtaPriority::None, scheduler);
    vec![
        run("tiny-spe", &tiny, SinglePath, false, none, &usual),
        run("small-spe-lcp", &small, SinglePath, true, none, &unruly),
        run("odd-spe-lcp-random", &odd, SinglePath, true, random, &quick),
        waiting_for_all(run("small-spe-any", &small, SinglePath, false, balanced, &quick)),
        waiting_for_all(run("odd-dws-any", &odd, dws(50, 2), false, none, &unruly)),
        waiting_for_all(run("tiny-tbc-any", &tiny, Tbc, true, random, &quick)),
        run("tiny-scs", &tiny, scs(1, 16), false, none, &usual),
        run("small-scs", &small, scs(8, 64), false, balanced, &unruly),
        run("odd-scs", &odd, scs(3, 4), false, random, &quick),
        run("tiny-dpe", &tiny, dpe(Full), false, balanced, &unruly),
        run("small-dpe", &small, dpe(Full), false, none, &quick),
        run("odd-dpe-optimistic", &odd, dpe(Optimistic), false, random, &unruly),
        run("tiny-dpe-constrained", &tiny, dpe(Constrained), false, none, &quick),
        run("tiny-dws-2", &tiny, dws(50, 2), false, random, &unruly),
        run("small-dws-8", &small, dws(50, 8), false, none, &quick),
        run("odd-dws-4", &odd, dws(6, 4), false, balanced, &usual),
        run("tiny-its-2", &tiny, its(2, 64), false, balanced, &unruly),
        run("small-its", &small, its(8, 256), false, none, &quick),
        run("odd-its-0", &odd, its(0, 16), false, random, &usual),
        run("tiny-dwf", &tiny, dwf(IssuePolicy::Majority, 1, 2), false, none, &unruly),
        run("small-dwf-oldest", &small, dwf(IssuePolicy::Oldest, 2, 16), false, balanced, &quick),
        run("odd-dwf-lowest-pc", &odd, dwf(IssuePolicy::LowestPc, 1, 1), false, random, &usual),
        run("tiny-dwf-instruction", &tiny, singly(IssuePolicy::LowestPc, 1, 2), false, none, &quick),
        run("tiny-dwf-core", &tiny, dwf_core(IssuePolicy::Majority, 1, 2), false, balanced, &unruly),
        run("small-dwf-wb-core", &small, wb_core(IssuePolicy::Majority, 2, 16), false, balanced, &quick),
        run("odd-dwf-core-minority", &odd, dwf_core(IssuePolicy::Minority, 2, 4), false, none, &usual),
        run("tiny-dwf-wb", &tiny, wb(IssuePolicy::Oldest, 1, 2), false, balanced, &unruly),
        run("small-dwf-wb-majority", &small, wb(IssuePolicy::Majority, 2, 16), false, none, &usual),
        run("odd-dwf-wb-lowest-pc", &odd, wb(IssuePolicy::LowestPc, 1, 1), false, random, &quick),
        run("tiny-lwm", &tiny, lwm(8), false, balanced, &unruly),
        scheduled(run("small-lwm", &small, lwm(64), true, random, &quick), SchedulerPolicy::groups_of(2)),
        run("odd-lwm-lcp", &odd, lwm(16), true, none, &unruly),
        run("slow-float-lwm", &slow_floats, lwm(16), false, none, &usual),
        run("tiny-tbc-lcp-balanced", &tiny, Tbc, true, balanced, &usual),
        run("small-tbc", &small, Tbc, false, none, &unruly),
        prioritised(
            run("odd-tbc-lcp", &odd, Tbc, true, none, &unruly),
            CtaPriority::StickyRoundRobin,
            SchedulerPolicy::groups_of(2),
        ),
        run("tiny-tbc-plus", &tiny, TbcPlus, false, random, &unruly),
        prioritised(
            run("small-tbc-plus-lcp", &small, TbcPlus, true, none, &quick),
            CtaPriority::Age,
            SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 0 },
        ),
        run("odd-tbc-plus-balanced", &odd, TbcPlus, false, balanced, &usual),
        run("tiny-tbc-dpe", &tiny, TbcDualPath, false, none, &unruly),
        prioritised(
            run("small-tbc-plus-dpe", &small, TbcPlusDualPath, false, balanced, &quick),
            CtaPriority::Age,
            SchedulerPolicy::GreedyThenOldest,
        ),
        run("odd-tbc-plus-dpe-random", &odd, TbcPlusDualPath, false, random, &unruly),
        run("tiny-tbc-dpe-constrained", &tiny, TbcDualPathConstrained, false, none, &quick),
        run("small-tbc-dpe-constrained", &small, TbcDualPathConstrained, false, balanced, &unruly),
        run("odd-tbc-plus-dpe-constrained", &odd, TbcPlusDualPathConstrained, false, random, &usual),
        run("tiny-capri-latest-2-lcp", &tiny, capri(2, Latest), true, none, &quick),
        run("small-capri-latest-32", &small, capri(32, Latest), false, balanced, &unruly),
        run("odd-capri-latest-32-lcp", &odd, capri(32, Latest), true, random, &usual),
        run("tiny-capri-two-bit-32", &tiny, capri(32, TwoBit), false, none, &unruly),
        run("small-capri-two-bit-2-lcp", &small, capri(2, TwoBit), true, random, &quick),
        run("odd-capri-sticky-2", &odd, capri(2, Sticky), false, none, &unruly),
        prioritised(
            run("small-capri-sticky-32-lcp", &small, capri(32, Sticky), true, balanced, &unruly),
            CtaPriority::RoundRobin,
            SchedulerPolicy::LooseRoundRobin,
        ),
        run("tiny-capri-0", &tiny, capri(0, Latest), false, balanced, &quick),
        run("odd-capri-0-lcp", &odd, capri(0, Latest), true, none, &unruly),
        scheduled(
            run("small-dpe-constrained", &small, dpe(Constrained), false, balanced, &unruly),
            SchedulerPolicy::OldestFirst,
        ),
        scheduled(
            run("tiny-dpe-optimistic", &tiny, dpe(Optimistic), false, none, &usual),
            SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 30 },
        ),
        run("odd-dpe-random", &odd, dpe(Full), false, random, &usual),
        run("slow-spe", &slow, SinglePath, false, none, &quick),
        run("ahead-spe", &ahead, SinglePath, true, none, &unruly),
        run("replay-spe", &replay, SinglePath, true, none, &unruly),
        run("replay-counters-spe", &predicting, SinglePath, true, none, &unruly),
        run("merging-tbc", &merging, Tbc, true, none, &unruly),
        run("merging-counters-spe", &merging_ahead, SinglePath, true, none, &unruly),
        run("stalling-tbc", &stalling, Tbc, true, none, &unruly),
        run("stalling-counters-spe", &stalling_ahead, SinglePath, true, none, &unruly),
        run("odd-stalling-dpe", &stalling_odd, dpe(Full), false, balanced, &quick),
        run("slow-dpe", &slow, dpe(Full), false, balanced, &unruly),
        run("slow-dws-4", &slow, dws(50, 4), false, none, &quick),
        run("slow-tbc-plus", &slow, TbcPlus, false, random, &unruly),
        scheduled(
            run("slower-capri-latest-32-lcp", &slower, capri(32, Latest), true, balanced, &quick),
            SchedulerPolicy::groups_of(2),
        ),
        run("float-spe", &floats, SinglePath, false, none, &usual),
        run("float-dpe", &floats, dpe(Full), false, balanced, &unruly),
        run("float-dws-4", &floats, dws(50, 4), false, random, &quick),
        run("slow-float-tbc-plus", &slow_floats, TbcPlus, true, random, &unruly),
        run("late-float-capri-latest-32", &late_floats, capri(32, Latest), false, balanced, &quick),
        run("late-float-dpe-optimistic", &late_floats, dpe(Optimistic), false, none, &unruly),
        run("warp-spe", &warp_instructions, SinglePath, false, none, &quick),
        run("warp-tbc", &warp_instructions, Tbc, false, none, &unruly),
        run("slow-float-warp-dpe", &slow_warp_instructions, dpe(Full), false, balanced, &unruly),
    ]
}

/// What a core has done.
struct Outcome {
    programs: u64,
    cycles: u64,
    counts: Counts,
    failures: Vec<String>,
}

/// A core whose rules are counted.
struct Lab {
    bench: Bench,
    watch: Rc<RefCell<Watch>>,
}

impl Lab {
    fn new(config: &CoreConfig) -> Self {
        let options = BuildOptions { observe: coverage::nets(config), ..BuildOptions::brief() };
        let (bench, watch) = coverage::watched(core_simulator(config, &options), config);
        Self { bench, watch }
    }

    /// How often each rule takes effect in a case.
    fn fires(&mut self, case: &Case) -> Result<(Passed, Counts), Failure> {
        let checked = self.bench.check(case);
        let counts = self.watch.borrow_mut().take().rules;
        Ok((checked?, counts))
    }
}

fn verify(core: &Run, seeds: Range<u64>) -> Outcome {
    let Run { name, config, timing } = core;
    let mut lab = Lab::new(config);
    let mut failures = corpus::replay(&mut lab, core);
    let (mut programs, mut cycles, mut counts) = (0, 0, [0; RULES.len()]);
    let most = if Chosen::from_environment().is_some() { 1 } else { FAILURES };
    for seed in seeds {
        let mut case = Case::draw(&mut Choices::random(seed), config)
            .unwrap_or_else(|e| panic!("WARPLOOM_SEED={seed} WARPLOOM_CORE={name}: {e}"));
        case.timing = timing.clone();
        programs += 1;
        match lab.fires(&case) {
            Ok((passed, fired)) => {
                cycles += passed.cycles;
                counts.iter_mut().zip(fired).for_each(|(sum, count)| *sum += count);
            }
            Err(failure) => {
                let Shape { grid, block, .. } = case.shape;
                let size = case.program.words.len();
                failures.push(format!(
                    "WARPLOOM_SEED={seed} WARPLOOM_CORE={name} ({grid:?} CTAs of {block:?} threads, {size} instructions): {failure}"
                ));
            }
        }
        if failures.len() >= most {
            break;
        }
    }
    Outcome { programs, cycles, counts, failures }
}

/// Runs programs on the cores that are chosen by name, those of one seed or so many. How often each rule takes effect.
fn verify_on(is_chosen: impl Fn(&str) -> bool, only_seed: Option<u64>, programs: u64) -> Counts {
    let runs: Vec<_> = runs().into_iter().enumerate().filter(|(_, run)| is_chosen(run.name)).collect();
    assert!(!runs.is_empty(), "no core has such a name");
    let total = Mutex::new((0, vec![], [0; RULES.len()]));
    cores::each(&runs, |(number, core)| {
        let start = std::time::Instant::now();
        let first = *number as u64 * SEEDS;
        let seeds = only_seed.map_or(first..first + programs, |seed| seed..seed + 1);
        let outcome = verify(core, seeds.clone());
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{:<26} {:>6} programs, seeds {seeds:?}, {:>9} cycles, {seconds:5.1} s, {} failures",
            core.name,
            outcome.programs,
            outcome.cycles,
            outcome.failures.len()
        );
        let mut total = total.lock().unwrap();
        total.0 += outcome.programs;
        total.1.extend(outcome.failures);
        total.2.iter_mut().zip(outcome.counts).for_each(|(sum, count)| *sum += count);
    });
    let (programs, failures, counts) = total.into_inner().unwrap();
    println!("{programs} programs\n\nrule                 |     fires | what counts");
    for (rule, count) in RULES.iter().zip(counts) {
        println!("{:<20} | {count:>9} | {}", rule.name, rule.condition);
    }
    assert!(failures.is_empty(), "{} programs fail:\n{}", failures.len(), failures.join("\n"));
    counts
}

#[test]
fn some_programs_run_as_in_the_reference_model() {
    let counts = verify_on(|name| QUICK.contains(&name), None, QUICK_PROGRAMS);
    let seen = counts.iter().filter(|count| **count > 0).count();
    assert!(seen * 10 > RULES.len() * 9, "only {seen} of {} rules fire", RULES.len());
}

#[test]
#[ignore = "long: 250 programs on each core; runs in .ci/run"]
fn programs_run_as_in_the_reference_model() {
    let (only_seed, only_core) = (environment("WARPLOOM_SEED"), std::env::var("WARPLOOM_CORE").ok());
    let programs = environment("WARPLOOM_RANDOM_PROGRAMS").unwrap_or(PROGRAMS);
    let counts = verify_on(|name| only_core.as_deref().is_none_or(|only| name == only), only_seed, programs);
    if only_seed.is_none() && only_core.is_none() {
        let rare = RULES.iter().zip(counts).filter(|(rule, count)| *count < rule.threshold);
        let rare: Vec<_> = rare.map(|(rule, count)| format!("{} {count}", rule.name)).collect();
        assert!(rare.is_empty(), "these rules fire too rarely: {}", rare.join(", "));
    }
}

const INTRODUCTION: &str = "\
Generated by testbenches/verification/tests/random_programs, which checks this page, and writes it anew with
`WARPLOOM_WRITE=1 cargo test -p warploom-verification --test random_programs page`.

Memory and every register write of every thread are compared with the reference model; how often each rule takes effect is counted in the
hardware's nets, cycle by cycle. A failure names its core and seed, and how to run it alone.

";

const RULES_INTRODUCTION: &str = "
## Rules

The test fails if one of these fires less often than the last column says in a full run, all cores together. All are seen in the CTA-wide mechanism (cta_stack.rs,
thread_block_compaction.rs, capt.rs), except those marked SPE, SCS, ITS, DPE and DWS. Not listed: 1 (no reconvergence point: an odd address, which equals no PC), 5 and 13 (assertions: a
parent never resumes at its own end; warps of one entry that meet different events trap), 15 (that a branch all agree on pushes an entry
nevertheless is an option, and not built), SCS stuck (threads of these programs wait for nobody but at barriers: random programs with locks have it, in tests/schedulable_stack.rs).

| rule | what counts | at least |
|---|---|--:|
";

fn page() -> String {
    let runs = runs();
    let (cores, programs, rules) = (runs.len(), PROGRAMS * runs.len() as u64, RULES.len());
    let mut page = format!(
        "# Rules that random programs exercise

| | |
|---|---|
| What | Every rule of the divergence mechanisms takes effect often, in programs that end as the reference model says. |
| How | Random divergent programs on a covering set of cores; each rule is counted in the hardware's nets. |
| How often | All of it in `.ci/run`; in `cargo test` {QUICK_PROGRAMS} programs on each of {} cores. |
| Figures | {programs} programs on {cores} cores; {rules} rules, each seen at least as often as its line below says. |
| Command | `cargo test -p warploom-verification --test random_programs -- --ignored --nocapture` |

{INTRODUCTION}## Cores

{PROGRAMS} programs each.

",
        QUICK.len()
    );
    page += "| name | lanes x warps | mechanism | likely convergence | permutation | scheduler | memory |\n|---|---|---|---|---|---|---|\n";
    for Run { name, config, timing } in runs {
        let memory = match timing.jitter {
            Some(_) => "unruly".to_string(),
            None => format!("{} cycles", timing.dram_latency),
        };
        let CoreConfig { lanes, warps, mechanism, likely_convergence, permutation, scheduler, cta_priority, .. } =
            config;
        let mechanism = mechanism.in_full();
        let priority = match cta_priority {
            CtaPriority::None => String::new(),
            priority => format!(", CTAs {priority:?}"),
        };
        let likely = if likely_convergence { "yes" } else { "no" };
        writeln!(
            page,
            "| `{name}` | {lanes} x {warps} | {mechanism} | {likely} | {permutation:?} | {scheduler:?}{priority} | {memory} |"
        )
        .unwrap();
    }
    page += RULES_INTRODUCTION;
    for rule in RULES {
        writeln!(page, "| {} | {} | {} |", rule.name, rule.condition, rule.threshold).unwrap();
    }
    page
}

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/verification/rules.md");
    if environment("WARPLOOM_WRITE").is_some() {
        fs::write(&path, page()).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page(), "docs/verification/rules.md is out of date: WARPLOOM_WRITE=1 writes it");
}

#[test]
fn every_rule_has_a_program() {
    if environment("WARPLOOM_WRITE").is_some() {
        for run in runs() {
            let missing = corpus::missing();
            if missing.is_empty() {
                break;
            }
            let written = corpus::write(&mut Lab::new(&run.config), &run, &missing);
            println!("{}: {} programs written", run.name, written.len());
        }
    }
    let missing: Vec<_> = corpus::missing().into_iter().map(|rule| RULES[rule].name).collect();
    assert!(
        missing.is_empty(),
        "no program in testbenches/verification/corpus for {}: WARPLOOM_WRITE=1 writes it",
        missing.join(", ")
    );
}
