//! Every module of the catalog on its own, on random inputs.
use warploom_hdl::catalog::CatalogEntry;
use warploom_hdl::config::{CoreConfig, HazardPrediction, Mechanism, MemoryPath};
use warploom_hdl::prelude::Block;
use warploom_verification::equivalence::{Bench, Execution, Stimulus};

use crate::Job;
use crate::page::Row;
use crate::special::{IN_GPU, MERGING, MIXED, REPLAYING, STALLING, Special, special};

/// At tiny sizes, for as long as a quick test may take with update().
pub fn briefly(entry: &'static CatalogEntry) -> Job {
    let Special { config, stimulus, .. } = special(entry.name);
    let stimulus = Stimulus { cycles: stimulus.cycles.min(1000), ..stimulus };
    let sizes = config.clone();
    Job::new(
        entry.name,
        move || (entry.build)(&sizes),
        move || run(entry, "tiny", &config, &stimulus, &[Execution::Update, Execution::Simulator]),
    )
}

/// At tiny sizes; every bit of every output and register is seen as 0 and as 1, or a reason is given.
pub fn tiny(entry: &'static CatalogEntry) -> Job {
    let Special { config, stimulus, silent } = special(entry.name);
    let sizes = config.clone();
    Job::new(
        entry.name,
        move || (entry.build)(&sizes),
        move || {
            let row = run(entry, "tiny", &config, &stimulus, &Execution::ALL)?;
            match &row.agreement.unexplained(silent)[..] {
                [] => Ok(row),
                silent => Err(format!("{}: never toggle: {}", entry.name, silent.join(", "))),
            }
        },
    )
}

/// Modules that are others elsewhere: where warps are of threads of several CTAs, and dissolve with registers pending; in a GPU; and where loads are issued again. Some ports have no use there, so not all bits toggle.
pub fn variants(entry: &'static CatalogEntry, cycles: usize, executions: &'static [Execution]) -> Vec<Job> {
    let mixed = |config| {
        let mechanism = "dwf:core:orphans".parse().expect("a mechanism");
        CoreConfig { mechanism, likely_convergence: false, ..config }
    };
    let mut jobs = vec![];
    if MIXED.contains(&entry.name) {
        jobs.push(variant(entry, "tiny, dwf:core:orphans", mixed, cycles, executions));
    }
    if IN_GPU.contains(&entry.name) {
        jobs.push(variant(entry, "tiny, gpu", |config| CoreConfig { in_gpu: true, ..config }, cycles, executions));
    }
    if REPLAYING.contains(&entry.name) {
        jobs.push(variant(entry, "tiny, replay", replaying, cycles, executions));
    }
    if MERGING.contains(&entry.name) {
        jobs.push(variant(entry, "tiny, merging", merging, cycles, executions));
    }
    if STALLING.contains(&entry.name) {
        jobs.push(variant(entry, "tiny, stalling", stalling, cycles, executions));
    }
    jobs
}

/// The same core with loads that are issued again.
pub fn replaying(config: CoreConfig) -> CoreConfig {
    CoreConfig {
        mechanism: Mechanism::SinglePath,
        warp_instructions: false,
        warp_buffer: 4,
        memory_path: MemoryPath::Replay,
        hazard_prediction: HazardPrediction::Counters,
        ..config
    }
}

/// The same core where groups share MSHRs, and loads wait for one before they issue.
fn merging(config: CoreConfig) -> CoreConfig {
    CoreConfig {
        mechanism: Mechanism::SinglePath,
        mshrs: 2,
        mshr_merges: 2,
        hazard_prediction: HazardPrediction::Every,
        ..config
    }
}

/// The same core where what waits for memory keeps others from issuing, and loads wait for an MSHR before they issue.
pub fn stalling(config: CoreConfig) -> CoreConfig {
    CoreConfig {
        mechanism: Mechanism::SinglePath,
        memory_path: MemoryPath::Stalling,
        hazard_prediction: HazardPrediction::Counters,
        ..config
    }
}

fn variant(
    entry: &'static CatalogEntry,
    size: &'static str,
    of: impl Fn(CoreConfig) -> CoreConfig,
    cycles: usize,
    executions: &'static [Execution],
) -> Job {
    let Special { config, stimulus, .. } = special(entry.name);
    let config = of(config);
    let stimulus = Stimulus { cycles: stimulus.cycles.min(cycles), ..stimulus };
    let sizes = config.clone();
    Job::new(
        size.replacen("tiny", entry.name, 1),
        move || (entry.build)(&sizes),
        move || run(entry, size, &config, &stimulus, executions),
    )
}

/// At the paper's sizes, where update() and Icarus would take too long.
pub fn paper(entry: &'static CatalogEntry) -> Job {
    let Special { config, stimulus, .. } = special(entry.name);
    let CoreConfig { mechanism, likely_convergence, permutation, .. } = config;
    let config = CoreConfig { mechanism, likely_convergence, permutation, ..CoreConfig::paper() };
    let stimulus = Stimulus { cycles: 1000, ..stimulus };
    let sizes = config.clone();
    Job::new(
        format!("{}, paper", entry.name),
        move || (entry.build)(&sizes),
        move || run(entry, "paper", &config, &stimulus, &[Execution::Simulator, Execution::Verilator]),
    )
}

fn run(
    entry: &CatalogEntry,
    size: &'static str,
    config: &CoreConfig,
    stimulus: &Stimulus,
    executions: &[Execution],
) -> Result<Row, String> {
    let named = |problem: String| format!("{}, {size}: {problem}", entry.name);
    let build = || -> Box<dyn Block> { (entry.build)(config) };
    let bench = Bench::new(&build, executions).map_err(named)?;
    let agreement = bench.run(&stimulus.generate(bench.module())).map_err(named)?;
    Ok(Row { what: entry.name.into(), size, runs: 1, agreement })
}
