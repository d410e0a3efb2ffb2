//! The generated simulator beside Verilator: same core, same kernels, same host, one after the other in turn.
//!
//! ```text
//!               +-- worker: generated simulator --+
//!  main --------|   (a process for each target)   |--- cycles, seconds, memory --> table or JSON
//!  "run bfs" in +-- worker: Verilator ------------+
//!  turn
//! ```
//! Each engine has its own process, so memory is its own; only one computes at a time. The time of a run is the CPU
//! time of loading and launching, without the host's making of inputs and checking of results; cycles must be equal.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use warploom_sim::emit::Target;

mod compare;
mod cores;
mod growth;
#[allow(dead_code, reason = "other benchmarks share it")]
mod machine;
mod measured;
mod report;
mod round_trip;
mod scaling;
mod timed;
mod waiting;
mod worker;
mod workload;

/// Compares the speed of the generated simulator with Verilator's (-O3 -march=native).
#[derive(Clone, Parser)]
pub struct Options {
    /// Core: one of `warploom presets`, with its memory, or 4x8, 8x16, 16x16, 16x32.
    #[arg(long, default_value = "paper")]
    preset: String,
    /// Its mechanism, as `warploom run` takes it.
    #[arg(long, short, default_value = "spe")]
    mechanism: String,
    /// Where its memory instructions wait, as `warploom run` takes it, if not as in the preset.
    #[arg(long)]
    memory_path: Option<String>,
    /// The core has floats, for kernels in floats: sgemm, nbody, matmul.
    #[arg(long)]
    floats: bool,
    /// A GPU of so many of these cores, whose parts are simulated in rounds on either side; at the clocks that its machine has.
    #[arg(long, conflicts_with_all = ["growth", "waves", "dram_latency"])]
    cores: Option<usize>,
    /// Its channels, each with a slice of L2, if not the cores' share of the machine's.
    #[arg(long, requires = "cores")]
    channels: Option<usize>,
    /// Threads for its parts.
    #[arg(long, requires = "cores", default_value_t = 1)]
    threads: usize,
    /// Shows instead what `--threads` are worth, and `--verilator-threads`: on the clock, beside one thread.
    #[arg(long, requires = "cores", conflicts_with_all = ["growth", "waves"])]
    scaling: bool,
    /// Threads on which Verilator evaluates a model (its `--threads`).
    #[arg(long, default_value_t = 1)]
    verilator_threads: usize,
    /// The Verilator to compare with, of any version, if not the one on the PATH.
    #[arg(long, value_name = "PATH")]
    verilator: Option<PathBuf>,
    /// Kernels to run. In `chase`, `chase_warps` and `chase_lanes` the core waits for memory nearly all the time; they
    /// have a median of their own.
    #[arg(long, num_args = 1.., default_values = [
        "bitonic", "bfs", "mandelbrot", "bitonic_shared", "chase", "chase_warps", "chase_lanes",
    ])]
    kernels: Vec<String>,
    /// Their size: smoke, default, large or a number.
    #[arg(long, default_value = "large")]
    size: String,
    /// Pairs of runs of each kernel; the median counts.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// What vectors of the generated simulator are made of: avx512, avx2, sse2, neon, portable; by default the best of this machine.
    /// The code of lesser targets is compiled for machines that have no more (x86-64-v3, x86-64; on aarch64 any);
    /// Verilator's always for this one.
    #[arg(long, num_args = 1.., value_parser = machine::target)]
    target: Vec<Target>,
    /// Shows instead what a cycle of the generated simulator costs in all these cores.
    #[arg(long, conflicts_with = "waves")]
    growth: bool,
    /// Cycles until a line from DRAM arrives, if not the usual.
    #[arg(long)]
    dram_latency: Option<u64>,
    /// Compares runs that write every net of the design to a VCD file, too.
    #[arg(long)]
    waves: bool,
    /// Size of the kernels in these.
    #[arg(long, default_value = "smoke")]
    wave_size: String,
    /// Keeps what is compiled in this directory, and what is there already is not compiled again.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// The generated simulator is built by a profile of the kernels: each has run once before, to see what works together.
    #[arg(long, conflicts_with = "growth")]
    profile: bool,
    /// Prints one JSON object.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Prints Markdown.
    #[arg(long)]
    markdown: bool,
    /// Used by this program itself.
    #[arg(long, hide = true, requires = "cache")]
    worker: Option<worker::Kind>,
    /// Of such a worker: it makes the profile.
    #[arg(long, hide = true, requires = "worker")]
    record: bool,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

impl Options {
    /// Where compiled engines are kept.
    fn cache_in(&self, temporary: &Path) -> Result<PathBuf> {
        let cache = self.cache.as_deref().unwrap_or(temporary);
        std::fs::create_dir_all(cache).with_context(|| cache.display().to_string())?;
        Ok(cache.canonicalize()?)
    }

    /// What the vectors of the generated simulator are made of, where one kind is measured.
    fn target(&self) -> Target {
        self.target.first().copied().unwrap_or_else(Target::native)
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    match options.worker {
        Some(kind) => worker::serve(kind, &options),
        None if options.scaling => report::print_scaling(&options, &scaling::measure(&options)?),
        None if options.growth => report::print_growth(&options, &growth::measure(&options)?),
        None => report::print(&options, &compare::compare(&options)?),
    }
}
