//! What a cycle costs in cores from tiny to paper: at most in proportion to lanes x warps.
use anyhow::Result;

use crate::compare::{Spread, Variant, Worker};
use crate::worker::Build;
use crate::{Options, cores, workload};

/// A core.
pub struct Step {
    pub name: &'static str,
    pub lanes: usize,
    pub warps: usize,
    /// Of a cycle: median over the kernels that compute, and over those that wait.
    pub nanoseconds: [f64; 2],
    /// Of the kernels that compute: fastest and slowest.
    pub range: [f64; 2],
    pub build: Build,
    /// Largest resident set while running, in bytes.
    pub peak_bytes: u64,
}

/// Runs the kernels on every core, in the generated simulator.
pub fn measure(options: &Options) -> Result<Vec<Step>> {
    let temporary = tempfile::tempdir()?;
    let cache = options.cache_in(temporary.path())?;
    let variant = Variant { target: Some(options.target()), waves: false };
    cores::STEPS.iter().map(|name| step(name, variant, options, &cache)).collect()
}

fn step(name: &'static str, variant: Variant, options: &Options, cache: &std::path::Path) -> Result<Step> {
    eprintln!("building and running {name} ...");
    let (config, _) = cores::find(name, &options.mechanism, options.floats)?;
    let config = cores::waiting(config, options.memory_path.as_deref())?;
    let (mut worker, build) = Worker::start(variant, name, options, cache)?;
    let mut costs = [vec![], vec![]];
    let mut peak_bytes = 0;
    for kernel in &options.kernels {
        let mut seconds = vec![];
        for _ in 0..options.repetitions.max(1) {
            let run = worker.run(kernel, &options.size)?;
            seconds.push(1e9 * run.seconds / run.cycles as f64);
            peak_bytes = peak_bytes.max(run.peak_bytes);
        }
        costs[usize::from(workload::find(kernel)?.1)].push(Spread::of(seconds.into_iter()).median);
    }
    let median = |costs: &Vec<f64>| if costs.is_empty() { f64::NAN } else { Spread::of(costs.iter().copied()).median };
    let nanoseconds = [median(&costs[0]), median(&costs[1])];
    let fold = |of: fn(f64, f64) -> f64| costs[0].iter().copied().reduce(of).unwrap_or(f64::NAN);
    let range = [fold(f64::min), fold(f64::max)];
    Ok(Step { name, lanes: config.lanes, warps: config.warps, nanoseconds, range, build, peak_bytes })
}
