//! What more threads are worth: the same GPU on one thread and on several, in turn.
//!
//! ```text
//!   one thread   --[ bfs ]-----------[ bfs ]--     A triple. Its ratio is that of the mean of the outer runs to the
//!   several      ------------[ bfs ]----------     inner one, so that a machine that changes its speed does least.
//! ```
use anyhow::{Result, ensure};
use warploom_sim::emit::Target;

use crate::compare::{Spread, Variant, Worker};
use crate::worker::Run;
use crate::{Options, workload};

/// A kernel on an engine.
pub struct Scaling {
    pub kernel: String,
    pub engine: Variant,
    pub threads: usize,
    pub cycles: u64,
    /// Cycles per second on the clock, medians: of one thread, and of several.
    pub speeds: [f64; 2],
    /// On the clock, over the triples.
    pub ratio: Spread,
    /// Share of the time of one thread in the engine of what the cores share, median.
    pub shared_share: f64,
}

/// Runs the kernels; on Verilator, too, if it has several threads.
pub fn measure(options: &Options) -> Result<Vec<Scaling>> {
    let temporary = tempfile::tempdir()?;
    let cache = options.cache_in(temporary.path())?;
    let target = options.target.first().copied().unwrap_or_else(Target::native);
    let mut rows = vec![];
    for (target, threads) in [(Some(target), options.threads), (None, options.verilator_threads)] {
        if threads == 1 {
            continue;
        }
        let variant = Variant { target, waves: false };
        eprintln!("building {} ...", variant.name());
        let alone = Options { threads: 1, verilator_threads: 1, ..options.clone() };
        let (mut alone, _) = Worker::start(variant, &options.preset, &alone, &cache)?;
        let (mut together, _) = Worker::start(variant, &options.preset, options, &cache)?;
        for kernel in &options.kernels {
            rows.push(scaling(kernel, variant, threads, options, [&mut alone, &mut together])?);
        }
    }
    Ok(rows)
}

fn scaling(
    kernel: &str,
    engine: Variant,
    threads: usize,
    options: &Options,
    [alone, together]: [&mut Worker; 2],
) -> Result<Scaling> {
    workload::find(kernel)?;
    // The first run finds nothing in the caches of the processor.
    alone.run(kernel, &options.size)?;
    together.run(kernel, &options.size)?;
    let (mut one, mut several, mut ratios) = (vec![], vec![], vec![]);
    for repetition in 0..options.repetitions.max(1) {
        eprintln!("running {kernel} ({} of {}) ...", repetition + 1, options.repetitions.max(1));
        let before = alone.run(kernel, &options.size)?;
        let inner = together.run(kernel, &options.size)?;
        let after = alone.run(kernel, &options.size)?;
        ensure!(
            [&before, &after].iter().all(|run| run.cycles == inner.cycles),
            "{kernel}: not the same cycles on {threads} threads"
        );
        ratios.push((before.wall_seconds + after.wall_seconds) / 2.0 / inner.wall_seconds);
        one.extend([before, after]);
        several.push(inner);
    }
    let median = |runs: &[Run], of: fn(&Run) -> f64| Spread::of(runs.iter().map(of)).median;
    let speed = |run: &Run| run.cycles as f64 / run.wall_seconds;
    Ok(Scaling {
        kernel: kernel.to_string(),
        engine,
        threads,
        cycles: several[0].cycles,
        speeds: [median(&one, speed), median(&several, speed)],
        ratio: Spread::of(ratios.into_iter()),
        shared_share: median(&one, |run| run.shared_seconds / run.seconds),
    })
}
