//! What each pass is worth: the core built with all passes, without each of them, and with none; the same kernels on all
//! of them in turn, so that what else the machine does falls on all alike.
//!
//! The time of a run is the CPU time of loading and launching; cycles must be equal. Compile times are CPU time of rustc.
use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Parser;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{MemoryTiming, RtlDevice};
use warploom_runtime::kernels;
use warploom_sim::emit::Target;
use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildOptions, BuildReport, Passes, Simulator, elaborate};

#[allow(dead_code, reason = "the comparison with Verilator needs more of it")]
#[path = "../verilator/cores.rs"]
mod cores;
#[allow(dead_code, reason = "the comparison with Verilator needs more of it")]
#[path = "../verilator/machine.rs"]
mod machine;
#[allow(dead_code, reason = "the comparison with Verilator needs more of it")]
#[path = "../verilator/timed.rs"]
mod timed;
#[path = "../verilator/waiting.rs"]
mod waiting;
#[path = "../verilator/workload.rs"]
mod workload;

use timed::{Seconds, Timed};

/// Measures what each pass of the simulator generator is worth.
#[derive(Parser)]
struct Options {
    /// Core: one of `warploom presets`, with its memory, or 4x8, 8x16, 16x16, 16x32.
    #[arg(long, default_value = "paper")]
    preset: String,
    /// The core has floats, for kernels in floats.
    #[arg(long)]
    floats: bool,
    /// Kernels to run.
    #[arg(long, num_args = 1.., default_values = ["bitonic", "bfs", "mandelbrot", "bitonic_shared"])]
    kernels: Vec<String>,
    /// Their size: smoke, default, large or a number.
    #[arg(long, default_value = "large")]
    size: String,
    /// Runs of each kernel on each core; the median counts.
    #[arg(long, default_value_t = 5)]
    repetitions: usize,
    /// Passes to leave out, one at a time; all of them by default.
    #[arg(long, num_args = 1.., default_values = Passes::NAMES)]
    passes: Vec<String>,
    /// Each kernel has run once before, to see what works together: variants with the pass `profile` are built by that.
    #[arg(long)]
    profile: bool,
    /// What the vectors are made of [default: the best this machine has].
    #[arg(long, value_parser = machine::target)]
    target: Option<Target>,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A core built in one way.
struct Variant {
    name: String,
    report: BuildReport,
    /// CPU seconds of the compiler.
    compile_seconds: f64,
    code_bytes: u64,
    device: Timed<RtlDevice<'static, Simulator>>,
    /// By kernel and repetition: cycles per second.
    speeds: Vec<Vec<f64>>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let (config, memory) = cores::find(&options.preset, "spe", options.floats)?;
    let mut core = Core::new(&config);
    core.connect_all();
    let netlist = elaborate(&core).map_err(|error| anyhow!("{error}"))?;
    let mut variants = vec![];
    for (name, passes) in settings(&options.passes)? {
        eprintln!("building {name} ...");
        variants.push(Variant::build(name, passes, &options, &netlist, (&config, &memory))?);
    }
    let count = variants.len();
    for kernel in &options.kernels {
        variants.iter_mut().for_each(|variant| variant.speeds.push(vec![]));
        for repetition in 0..options.repetitions.max(1) {
            eprintln!("running {kernel} ({} of {}) ...", repetition + 1, options.repetitions.max(1));
            // A device's caches and memory remember the runs before: the next one takes other cycles, on all alike.
            let mut expected = None;
            // In another order each time: the first of a round is at a disadvantage.
            for i in 0..count {
                let variant = &mut variants[(i + repetition) % count];
                let (cycles, seconds) = variant.run(kernel, &options.size)?;
                let expected = *expected.get_or_insert(cycles);
                ensure!(cycles == expected, "{kernel} takes {cycles} cycles {}, {expected} otherwise", variant.name);
                variant.speeds.last_mut().expect("of this kernel").push(cycles as f64 / seconds);
            }
        }
    }
    print(&options, &variants);
    Ok(())
}

/// All passes, each left out, none.
fn settings(left_out: &[String]) -> Result<Vec<(String, Passes)>> {
    let mut settings = vec![("all".to_string(), Passes::default())];
    for name in left_out {
        let passes = Passes::default().without(name);
        let passes = passes.with_context(|| format!("no pass `{name}`: {}", Passes::NAMES.join(", ")))?;
        settings.push((format!("without `{name}`"), passes));
    }
    settings.push(("none".to_string(), Passes::NONE));
    Ok(settings)
}

impl Variant {
    fn build(
        name: String,
        passes: Passes,
        options: &Options,
        netlist: &Netlist,
        (config, memory): (&CoreConfig, &MemoryTiming),
    ) -> Result<Self> {
        // A cache of its own: nothing is found there, and its code is this variant's alone.
        let cache = tempfile::tempdir()?;
        let build =
            BuildOptions { passes, target: options.target, cache: Some(cache.path().into()), ..Default::default() };
        if options.profile && passes.gating && passes.profile {
            let recorder = Simulator::build(netlist, &BuildOptions { record: true, ..build.clone() })?;
            let recording = recorder.recording().context("no partitions to record")?;
            let mut device = RtlDevice::new(recorder, config.clone(), memory.clone());
            for name in &options.kernels {
                let (kernel, _) = workload::find(name)?;
                kernels::run(kernel, &mut device, &workload::problem(kernel, &options.size)?)?;
            }
            drop(device);
            recording.keep()?;
        }
        let before = machine::compiler_seconds();
        let simulator = Simulator::build(netlist, &build)?;
        let compile_seconds = machine::compiler_seconds() - before;
        let code_bytes = machine::code_bytes(cache.path())?;
        let report = simulator.report().clone();
        let device = RtlDevice::new(simulator, config.clone(), memory.clone());
        let device = Timed { device, seconds: Seconds::default() };
        Ok(Self { name, report, compile_seconds, code_bytes, device, speeds: vec![] })
    }

    /// Cycles and CPU seconds of a kernel.
    fn run(&mut self, name: &str, size: &str) -> Result<(u64, f64)> {
        let (kernel, _) = workload::find(name)?;
        let problem = workload::problem(kernel, size)?;
        let (cycles, seconds) = (self.device.device.cycle(), self.device.seconds.cpu);
        let outcome = kernels::run(kernel, &mut self.device, &problem)?;
        if let Some(mismatch) = outcome.mismatch() {
            bail!("{name}, {}: {mismatch}", self.name);
        }
        Ok((self.device.device.cycle() - cycles, self.device.seconds.cpu - seconds))
    }
}

fn print(options: &Options, variants: &[Variant]) {
    println!("machine {}, load {}", machine::cpu(), machine::load());
    let target = options.target.unwrap_or_else(Target::native).name();
    println!(
        "core    {}, kernels of size {}, {} runs each, {target}",
        options.preset,
        options.size,
        options.repetitions.max(1)
    );
    println!(
        "\nThousand cycles/s of each kernel; speed of the variant by that of all passes (median over the kernels of the"
    );
    println!("median over the runs, and the extremes of single runs); operators; machine code; CPU time of rustc.\n");
    let kernels = options.kernels.join(" | ");
    println!("| passes | {kernels} | of all | runs | scalar + vector operators | code, kB | compile, s |");
    println!("|---|{}---|---|---|---|---|", "---|".repeat(options.kernels.len()));
    let all = &variants[0];
    for variant in variants {
        let speeds = variant.speeds.iter().map(|runs| format!("{:.0}", median(runs) / 1000.0));
        let speeds = speeds.collect::<Vec<_>>().join(" | ");
        let pairs = variant.speeds.iter().zip(&all.speeds);
        let ratios: Vec<Vec<f64>> =
            pairs.map(|(this, all)| this.iter().zip(all).map(|(x, all)| x / all).collect()).collect();
        let medians: Vec<f64> = ratios.iter().map(|runs| median(runs)).collect();
        let single = ratios.iter().flatten();
        let (low, high) = single.fold((f64::MAX, 0.0f64), |(low, high), &x| (low.min(x), high.max(x)));
        println!(
            "| {} | {speeds} | {:.2} | {low:.2} to {high:.2} | {} + {} | {} | {:.1} |",
            variant.name,
            median(&medians),
            variant.report.work.scalar_ops,
            variant.report.work.vector_ops,
            variant.code_bytes / 1000,
            variant.compile_seconds,
        );
    }
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { (values[middle - 1] + values[middle]) / 2.0 } else { values[middle] }
}
