//! The generated simulator beside Verilator: same core, same kernels, same host, one after the other in turn.
//!
//! ```text
//!               +-- worker: generated simulator --+
//!  main --------|      (a process of its own)     |--- cycles, seconds, memory --> table or JSON
//!  "run bfs" in +-- worker: Verilator ------------+
//!  turn
//! ```
//! Each engine has its own process, so memory is its own; only one computes at a time. The time of a run is the CPU
//! time of loading and launching, without the host's making of inputs and checking of results; cycles must be equal.
use anyhow::Result;
use clap::Parser;

mod compare;
mod machine;
mod report;
mod worker;

/// Compares the speed of the generated simulator with Verilator's (-O3 -march=native, one thread).
#[derive(Parser)]
pub struct Options {
    /// Core: tiny, small or paper.
    #[arg(long, default_value = "paper")]
    preset: String,
    /// Kernels to run.
    #[arg(long, num_args = 1.., default_values = ["bitonic", "bfs", "mandelbrot", "matmul"])]
    kernels: Vec<String>,
    /// Their size: smoke, default, large or a number.
    #[arg(long, default_value = "large")]
    size: String,
    /// Pairs of runs of each kernel; the median counts.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Compares runs that write every net of the design to a VCD file.
    #[arg(long)]
    waves: bool,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
    /// Used by this program itself.
    #[arg(long, hide = true, requires = "cache")]
    worker: Option<worker::Kind>,
    #[arg(long, hide = true)]
    cache: Option<std::path::PathBuf>,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    match options.worker {
        Some(kind) => worker::serve(kind, &options),
        None => report::print(&options, &compare::compare(&options)?),
    }
}
