//! What more threads are worth: the same GPU on one thread and on several, in turn.
//!
//! ```text
//!   one thread   --[ bfs ]-------------------[ bfs ]--     A round of four runs. Its ratio is that of the outer two to the inner
//!   several      ----------[ bfs ]--[ bfs ]-----------     two, so that a machine that changes its speed does least.
//! ```
//!
//! Either side runs as often as the other: which ways of L2 were used last outlives a reset, and decides in which order lines are flushed, so only the same runs in the same order have the same cycles.
use std::path::Path;

use anyhow::{Result, ensure};
use warploom_sim::emit::Target;

use crate::compare::{Spread, Variant, Worker};
use crate::worker::Run;
use crate::{Options, round_trip, workload};

/// A kernel on an engine.
pub struct Scaling {
    pub kernel: String,
    pub engine: Variant,
    pub threads: usize,
    pub cycles: u64,
    /// Cycles per second on the clock, medians: of one thread, and of several.
    pub speeds: [f64; 2],
    /// On the clock, over the rounds.
    pub ratio: Spread,
    /// Share of the time of one thread in the engine of what the cores share, median.
    pub shared_share: f64,
    /// What a word took that two threads handed back and forth, before each round and behind the last, in ns.
    pub round_trip: Spread,
}

/// Runs the kernels; on Verilator, too, if it has several threads.
pub fn measure(options: &Options) -> Result<Vec<Scaling>> {
    ensure!(
        options.threads > 1 || options.verilator_threads > 1,
        "--scaling compares one thread with several: give --threads 2, or --verilator-threads 2, too"
    );
    let temporary = tempfile::tempdir()?;
    let cache = options.cache_in(temporary.path())?;
    let engines = [(Some(options.target()), options.threads), (None, options.verilator_threads)];
    let several = engines.into_iter().filter(|(_, threads)| *threads > 1);
    // All before any is measured: what cannot be built loses nothing.
    let engines = several.map(|(target, threads)| Engine::start(target, threads, options, &cache));
    let mut rows = vec![];
    for mut engine in engines.collect::<Result<Vec<_>>>()? {
        for kernel in &options.kernels {
            rows.push(engine.scaling(kernel, options)?);
        }
    }
    Ok(rows)
}

/// On one thread, and on several.
struct Engine {
    variant: Variant,
    threads: usize,
    alone: Worker,
    together: Worker,
}

impl Engine {
    fn start(target: Option<Target>, threads: usize, options: &Options, cache: &Path) -> Result<Self> {
        let variant = Variant { target, waves: false };
        eprintln!("building {} ...", variant.name());
        let one = Options { threads: 1, verilator_threads: 1, ..options.clone() };
        let (alone, _) = Worker::start(variant, &options.preset, &one, cache)?;
        let (together, _) = Worker::start(variant, &options.preset, options, cache)?;
        Ok(Self { variant, threads, alone, together })
    }

    fn scaling(&mut self, kernel: &str, options: &Options) -> Result<Scaling> {
        let Self { variant, threads, alone, together } = self;
        workload::find(kernel)?;
        // The first run finds nothing in the caches of the processor.
        alone.run(kernel, &options.size)?;
        together.run(kernel, &options.size)?;
        let (mut one, mut several, mut ratios) = (vec![], vec![], vec![]);
        let mut round_trips = vec![round_trip::nanoseconds()];
        for repetition in 0..options.repetitions.max(1) {
            eprintln!("running {kernel} ({} of {}) ...", repetition + 1, options.repetitions.max(1));
            let before = alone.run(kernel, &options.size)?;
            let inner = [together.run(kernel, &options.size)?, together.run(kernel, &options.size)?];
            let outer = [before, alone.run(kernel, &options.size)?];
            ensure!(
                outer.iter().zip(&inner).all(|(one, other)| one.cycles == other.cycles),
                "{kernel}: not the same cycles on {threads} threads"
            );
            let seconds = |runs: &[Run; 2]| runs.iter().map(|run| run.wall_seconds).sum::<f64>();
            let ratio = seconds(&outer) / seconds(&inner);
            round_trips.push(round_trip::nanoseconds());
            eprintln!("{kernel} on {threads} threads: {ratio:.2}");
            ratios.push(ratio);
            one.extend(outer);
            several.extend(inner);
        }
        let median = |runs: &[Run], of: fn(&Run) -> f64| Spread::of(runs.iter().map(of)).median;
        let speed = |run: &Run| run.cycles as f64 / run.wall_seconds;
        Ok(Scaling {
            kernel: kernel.to_string(),
            engine: *variant,
            threads: *threads,
            cycles: several[0].cycles,
            speeds: [median(&one, speed), median(&several, speed)],
            ratio: Spread::of(ratios.into_iter()),
            shared_share: median(&one, |run| run.shared_seconds / run.seconds),
            round_trip: Spread::of(round_trips.into_iter()),
        })
    }
}
