//! One engine in a process of its own: builds it, then runs the kernels it is told to on standard input.
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use warploom_hdl::core::Core;
use warploom_hdl::gpu;
use warploom_hdl::prelude::Block;
use warploom_runtime::host::{GpuDevice, GpuEngines, RtlDevice};
use warploom_runtime::kernels;
use warploom_sim::engine::Recording;
use warploom_sim::netlist::Netlist;
use warploom_sim::{Simulator, elaborate};
use warploom_synth::verilated::Verilated;

use crate::measured::{Built, Measurable, Measured};
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

impl Build {
    /// Of one design or several.
    fn new(elaborate_seconds: f64, of: &[Built]) -> Self {
        Self {
            elaborate_seconds,
            generate_seconds: of.iter().map(|built| built.generate_seconds).sum(),
            compile_seconds: of.iter().map(|built| built.compile_seconds).sum(),
            cached: of.iter().all(|built| built.cached),
            first_cycle_seconds: 0.0,
            code_bytes: 0,
            compiler_bytes: 0,
        }
    }
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
    /// The same in the engine of what the cores of a GPU share.
    pub shared_seconds: f64,
    /// Largest resident set of this process so far, in bytes.
    pub peak_bytes: u64,
    /// Length of the waveform; 0 without.
    pub wave_bytes: u64,
}

/// Builds the engine and runs kernels until the input ends.
pub fn serve(kind: Kind, options: &Options) -> Result<()> {
    match kind {
        Kind::Generated => of::<Simulator>(options),
        Kind::Verilator => of::<Verilated>(options),
    }
}

fn of<E: Measurable>(options: &Options) -> Result<()> {
    let (config, mut memory) = cores::find(&options.preset, &options.mechanism, options.floats)?;
    let config = cores::waiting(config, options.memory_path.as_deref())?;
    memory.dram_latency = options.dram_latency.unwrap_or(memory.dram_latency);
    let start = Instant::now();
    let Some(cores) = options.cores else {
        let netlist = netlist(Box::new(Core::new(&config)))?;
        let elaborate_seconds = start.elapsed().as_secs_f64();
        let engine = E::build(netlist, options)?;
        let build = Build::new(elaborate_seconds, &[engine.built()]);
        let recording = engine.recording();
        answer(RtlDevice::new(Sampled::new(engine), config, memory), options, build, start)?;
        return keep(recording);
    };
    let (config, system) = cores::shared(&options.preset, &config, cores, options.channels)?;
    let netlists: Vec<_> = gpu::parts(&config, &system).into_iter().map(netlist).collect::<Result<_>>()?;
    let elaborate_seconds = start.elapsed().as_secs_f64();
    let engines: Vec<E> = netlists.into_iter().map(|netlist| E::build(netlist, options)).collect::<Result<_>>()?;
    let built: Vec<_> = engines.iter().map(Measurable::built).collect();
    let recordings: Vec<_> = engines.iter().filter_map(Measurable::recording).collect();
    let build = Build::new(elaborate_seconds, &built);
    let Ok(engines) = <[E; 3]>::try_from(engines) else { unreachable!("as many engines as parts") };
    let engines = engines.map(Sampled::new);
    let engines = GpuEngines::of(engines, &system, |engine| anyhow::Ok(Sampled::new(engine.engine.another()?)))?;
    let mut device = GpuDevice::new(engines, config, system);
    device.set_threads(options.threads);
    answer(device, options, build, start)?;
    keep(recordings)
}

/// Keeps the profiles of engines that have ended.
fn keep(recordings: impl IntoIterator<Item = Recording>) -> Result<()> {
    recordings.into_iter().try_for_each(|recording| recording.keep().map(drop)).context("no profile")
}

fn netlist(mut module: Box<dyn Block>) -> Result<Netlist> {
    module.connect_all();
    elaborate(&*module).map_err(|error| anyhow!("{error}"))
}

/// The new device has been reset: that was the first cycle.
fn answer(mut device: impl Measured, options: &Options, build: Build, start: Instant) -> Result<()> {
    let cache = options.cache.as_deref().expect("required by clap");
    let first_cycle_seconds = start.elapsed().as_secs_f64();
    // What is compiled beside the first cycles is there before anything else is measured.
    device.complete()?;
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

fn run(timed: &mut Timed<impl Measured>, name: &str, size: &str, wave: Option<PathBuf>) -> Result<Run> {
    let (kernel, _) = workload::find(name)?;
    let problem = workload::problem(kernel, size)?;
    let cycle = timed.device.cycles();
    timed.seconds = Seconds::default();
    timed.device.restart();
    if let Some(path) = &wave {
        timed.seconds.time(|| timed.device.begin_wave(path))?;
    }
    let outcome = kernels::run(kernel, timed, &problem)?;
    if let Some(mismatch) = outcome.mismatch() {
        bail!("{name}: {mismatch}");
    }
    let mut wave_bytes = 0;
    if let Some(path) = &wave {
        timed.seconds.time(|| timed.device.end_wave());
        wave_bytes = std::fs::metadata(path)?.len();
        std::fs::remove_file(path)?;
    }
    Ok(Run {
        cycles: timed.device.cycles() - cycle,
        waiting_cycles: outcome.stats.idle_memory / timed.device.cores(),
        seconds: timed.seconds.cpu,
        wall_seconds: timed.seconds.wall,
        engine_seconds: timed.device.engine_seconds(),
        shared_seconds: timed.device.shared_seconds(),
        peak_bytes: machine::peak_bytes()?,
        wave_bytes,
    })
}

fn say(line: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(line)?)?;
    Ok(out.flush()?)
}
