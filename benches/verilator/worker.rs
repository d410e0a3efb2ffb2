//! One engine in a process of its own: builds it, then runs the kernels it is told to on standard input.
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{MemoryTiming, RtlDevice};
use warploom_runtime::kernels;
use warploom_sim::glob::Globs;
use warploom_sim::wave::{Format, Selection, WaveFile, Waveform, Window};
use warploom_sim::{BuildOptions, Engine, Simulator, elaborate};
use warploom_synth::verilated::{Verilated, VerilatedOptions};

use crate::timed::{Sampled, Seconds, Timed};
use crate::{Options, cores, machine, workload};

/// Which engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Generated,
    Verilator,
}

/// What building took: the first line of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Seconds from the start of elaboration to the end of the first cycle.
    pub first_cycle_seconds: f64,
    /// Of these, in elaboration.
    pub elaborate_seconds: f64,
    /// Of these, from the netlist to source code: Rust, or Verilog and then C++.
    pub generate_seconds: f64,
    /// Of these, in rustc or g++.
    pub compile_seconds: f64,
    /// Whether the compiled engine was in the cache.
    pub cached: bool,
    /// Machine code, in bytes.
    pub code_bytes: u64,
    /// Largest resident set of a compiler process, in bytes.
    pub compiler_bytes: u64,
}

/// What a run took: a line for each.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// Clock cycles, loading included.
    pub cycles: u64,
    /// Of these, without an instruction since all warps waited for memory.
    pub waiting_cycles: u64,
    /// CPU seconds, of all threads.
    pub seconds: f64,
    /// Seconds on the clock.
    pub wall_seconds: f64,
    /// In the engine, as far as some of the cycles tell.
    pub engine_seconds: f64,
    /// Largest resident set of this process so far, in bytes.
    pub peak_bytes: u64,
    /// Length of the waveform; 0 without.
    pub wave_bytes: u64,
}

/// An engine that can write a waveform of every net.
trait Traced: Engine + Sized {
    /// A new file from now on, until [`Self::finish`].
    fn begin(device: &mut RtlDevice<Sampled<Self>>, path: &Path) -> Result<()>;

    /// Closes it.
    fn finish(device: &mut RtlDevice<Sampled<Self>>);
}

impl Traced for Simulator {
    fn begin(device: &mut RtlDevice<Sampled<Self>>, path: &Path) -> Result<()> {
        let engine = &device.engine().engine;
        let selection = Selection::new(engine, &Globs::new(&["*"]));
        let files = vec![WaveFile::create(path, Format::Vcd)?];
        let mut waveform = Waveform::begin(files, selection, Window::default())?;
        device.observe(Box::new(move |timed, cycle| waveform.sample(&timed.engine, cycle - 1)));
        Ok(())
    }

    fn finish(device: &mut RtlDevice<Sampled<Self>>) {
        device.observe(Box::new(|_, _| ()));
    }
}

impl Traced for Verilated {
    fn begin(device: &mut RtlDevice<Sampled<Self>>, path: &Path) -> Result<()> {
        device.engine_mut().engine.trace(path);
        Ok(())
    }

    fn finish(device: &mut RtlDevice<Sampled<Self>>) {
        device.engine_mut().engine.end_trace();
    }
}

/// Builds the engine and runs kernels until the input ends.
pub fn serve(kind: Kind, options: &Options) -> Result<()> {
    let (config, memory) = cores::find(&options.preset, &options.mechanism, options.floats)?;
    let cache = options.cache.clone().expect("required by clap");
    let start = Instant::now();
    let mut core = Core::new(&config);
    core.connect_all();
    let netlist = elaborate(&core).map_err(|error| anyhow!("{error}"))?;
    let elaborate_seconds = start.elapsed().as_secs_f64();
    let build = |generate_seconds, compile_seconds, cached| Build {
        elaborate_seconds,
        generate_seconds,
        compile_seconds,
        cached,
        first_cycle_seconds: 0.0,
        code_bytes: 0,
        compiler_bytes: 0,
    };
    match kind {
        Kind::Generated => {
            let observe = if options.waves { vec!["*".to_string()] } else { vec![] };
            let target = options.target.first().copied();
            let build_options = BuildOptions { observe, target, cache: Some(cache), ..Default::default() };
            let engine = Simulator::build(&netlist, &build_options)?;
            let report = engine.report();
            let build = build(report.generate_seconds, report.compile_seconds, report.cached);
            answer(engine, (config, memory), options, build, start)
        }
        Kind::Verilator => {
            let build_options = VerilatedOptions { trace: options.waves, cache: Some(cache) };
            let engine = Verilated::build(&netlist, &build_options)?;
            let report = engine.report();
            let build = build(report.verilate_seconds, report.compile_seconds, report.cached);
            answer(engine, (config, memory), options, build, start)
        }
    }
}

fn answer<E: Traced>(
    engine: E,
    (config, mut memory): (CoreConfig, MemoryTiming),
    options: &Options,
    build: Build,
    start: Instant,
) -> Result<()> {
    let cache = options.cache.as_deref().expect("required by clap");
    memory.dram_latency = options.dram_latency.unwrap_or(memory.dram_latency);
    let device = RtlDevice::new(Sampled::new(engine), config, memory);
    // The new device has been reset: that was the first cycle.
    let first_cycle_seconds = start.elapsed().as_secs_f64();
    let (code_bytes, compiler_bytes) = (machine::code_bytes(cache)?, machine::compiler_bytes());
    say(&Build { first_cycle_seconds, code_bytes, compiler_bytes, ..build })?;
    let mut device = Timed { device, seconds: Seconds::default() };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (name, size) = line.split_once(' ').context("a kernel and a size")?;
        let wave = options.waves.then(|| cache.join(format!("{}.vcd", std::process::id())));
        say(&run(&mut device, name, size, wave)?)?;
    }
    Ok(())
}

fn run<E: Traced>(
    timed: &mut Timed<RtlDevice<Sampled<E>>>,
    name: &str,
    size: &str,
    wave: Option<PathBuf>,
) -> Result<Run> {
    let (kernel, _) = workload::find(name)?;
    let problem = workload::problem(kernel, size)?;
    let cycle = timed.device.cycle();
    timed.seconds = Seconds::default();
    timed.device.engine_mut().restart();
    if let Some(path) = &wave {
        timed.seconds.time(|| E::begin(&mut timed.device, path))?;
    }
    let outcome = kernels::run(kernel, timed, &problem)?;
    if let Some(mismatch) = outcome.mismatch() {
        bail!("{name}: {mismatch}");
    }
    let mut wave_bytes = 0;
    if let Some(path) = &wave {
        timed.seconds.time(|| E::finish(&mut timed.device));
        wave_bytes = std::fs::metadata(path)?.len();
        std::fs::remove_file(path)?;
    }
    let cycles = timed.device.cycle() - cycle;
    Ok(Run {
        cycles,
        waiting_cycles: outcome.stats.idle_memory,
        seconds: timed.seconds.cpu,
        wall_seconds: timed.seconds.wall,
        engine_seconds: timed.device.engine().seconds_per_cycle() * cycles as f64,
        peak_bytes: machine::peak_bytes()?,
        wave_bytes,
    })
}

fn say(line: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(line)?)?;
    Ok(out.flush()?)
}
