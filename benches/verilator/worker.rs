//! One engine in a process of its own: builds it, then runs the kernels it is told to on standard input.
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::wave::VcdWriter;
use warploom_sim::{BuildOptions, Engine, Simulator, elaborate};
use warploom_synth::verilated::{Verilated, VerilatedOptions};
use warploom_testbenches::host::{Device, DeviceError, GlobalMemory, Launch, LaunchStats, MemoryTiming, RtlDevice};
use warploom_testbenches::kernels::{self, Problem};
use warploom_testbenches::loader::Program;

use crate::{Options, machine};

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
    /// CPU seconds.
    pub seconds: f64,
    /// Largest resident set of this process so far, in bytes.
    pub peak_bytes: u64,
}

/// The sizes of a preset.
fn config(preset: &str) -> Result<CoreConfig> {
    match preset {
        "tiny" => Ok(CoreConfig::tiny()),
        "small" => Ok(CoreConfig::small()),
        "paper" => Ok(CoreConfig::paper()),
        _ => bail!("no preset `{preset}`: tiny, small or paper"),
    }
}

/// A device that knows how long it was used.
struct Timed<D> {
    device: D,
    seconds: f64,
}

impl<D> Timed<D> {
    fn time<R>(&mut self, work: impl FnOnce(&mut D) -> R) -> R {
        let start = machine::cpu_seconds();
        let result = work(&mut self.device);
        self.seconds += machine::cpu_seconds() - start;
        result
    }
}

impl<D: Device> Device for Timed<D> {
    fn config(&self) -> &CoreConfig {
        self.device.config()
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        self.device.memory()
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        self.time(|device| device.load(program))
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.time(|device| device.launch(launch))
    }
}

/// Builds the engine and runs kernels until the input ends.
pub fn serve(kind: Kind, options: &Options) -> Result<()> {
    let config = config(&options.preset)?;
    let cache = options.cache.clone().expect("required by clap");
    let start = Instant::now();
    let mut core = Core::new(&config);
    core.connect_all();
    let netlist = elaborate(&core).map_err(|error| anyhow!("{error}"))?;
    let elaborate_seconds = start.elapsed().as_secs_f64();
    let waves = options.waves.then(|| cache.join(format!("{kind:?}.vcd")));
    let build = |generate_seconds, compile_seconds| Build {
        elaborate_seconds,
        generate_seconds,
        compile_seconds,
        first_cycle_seconds: 0.0,
        code_bytes: 0,
        compiler_bytes: 0,
    };
    match kind {
        Kind::Generated => {
            let observe = if options.waves { vec!["*".to_string()] } else { vec![] };
            let build_options = BuildOptions { observe, cache: Some(cache.clone()), ..Default::default() };
            let engine = Simulator::build(&netlist, &build_options)?;
            let report = engine.report();
            let build = build(report.generate_seconds, report.compile_seconds);
            let writer = waves.map(|path| VcdWriter::create(&path, &engine)).transpose()?;
            let mut device = RtlDevice::new(engine, config, MemoryTiming::default());
            if let Some(mut writer) = writer {
                device.observe(Box::new(move |engine, _| writer.sample(engine).expect("the waveform is written")));
            }
            answer(device, build, start, &cache)
        }
        Kind::Verilator => {
            let build_options = VerilatedOptions { trace: options.waves, cache: Some(cache.clone()) };
            let mut engine = Verilated::build(&netlist, &build_options)?;
            let report = engine.report();
            let build = build(report.verilate_seconds, report.compile_seconds);
            if let Some(path) = waves {
                engine.trace(&path);
            }
            answer(RtlDevice::new(engine, config, MemoryTiming::default()), build, start, &cache)
        }
    }
}

fn answer<E: Engine>(device: RtlDevice<E>, build: Build, start: Instant, cache: &Path) -> Result<()> {
    // The new device has been reset: that was the first cycle.
    let first_cycle_seconds = start.elapsed().as_secs_f64();
    let (code_bytes, compiler_bytes) = (machine::code_bytes(cache)?, machine::compiler_bytes());
    say(&Build { first_cycle_seconds, code_bytes, compiler_bytes, ..build })?;
    let mut device = Timed { device, seconds: 0.0 };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (name, size) = line.split_once(' ').context("a kernel and a size")?;
        let kernel = kernels::find(name).map_err(|near| anyhow!("no kernel `{name}`; near: {}", near.join(", ")))?;
        let size = kernel.sizes().parse(size).with_context(|| format!("no size `{size}`"))?;
        let (cycles, seconds) = (device.device.cycle(), device.seconds);
        let outcome = kernels::run(kernel, &mut device, &Problem::new(size))?;
        if let Some(mismatch) = outcome.mismatch() {
            bail!("{name}: {mismatch}");
        }
        let (cycles, seconds) = (device.device.cycle() - cycles, device.seconds - seconds);
        say(&Run { cycles, seconds, peak_bytes: machine::peak_bytes()? })?;
    }
    Ok(())
}

fn say(line: &impl Serialize) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(line)?)?;
    Ok(out.flush()?)
}
