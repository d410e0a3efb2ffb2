//! Workers in turn.
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::de::DeserializeOwned;
use warploom_sim::emit::Target;

use crate::worker::{Build, Kind, Run};
use crate::{Options, workload};

/// All that was measured.
pub struct Comparison {
    /// Without waves before with them, Verilator before the generated simulators.
    pub engines: Vec<Engine>,
    /// One per kernel and generated simulator.
    pub rows: Vec<Row>,
}

/// An engine, whatever the kernel.
pub struct Engine {
    pub variant: Variant,
    /// Compiled, if the cache was empty, and found in the cache.
    pub cold: Build,
    pub warm: Build,
    /// Largest resident set while running, in bytes.
    pub peak_bytes: u64,
}

/// A kernel on a generated simulator, and the same in Verilator.
pub struct Row {
    pub kernel: String,
    /// Whether it waits for memory nearly all the time.
    pub waiting: bool,
    pub target: Target,
    pub waves: bool,
    pub cycles: u64,
    /// Share of the cycles in which all warps waited for memory.
    pub waiting_share: f64,
    pub generated: Speed,
    pub verilator: Speed,
    /// CPU seconds in Verilator by those in the generated simulator.
    pub ratio: Spread,
    /// The same on the clock.
    pub wall_ratio: Spread,
}

/// Medians over the runs of one engine.
pub struct Speed {
    pub cycles_per_second: f64,
    pub wall_cycles_per_second: f64,
    /// Share of the CPU time in the engine; the rest is the host's: memory beyond L1, the watchdog, the waveform if the
    /// host writes it.
    pub engine_share: f64,
    pub wave_bytes_per_cycle: f64,
}

impl Speed {
    fn of(runs: &[Run]) -> Self {
        let of = |value: &dyn Fn(&Run) -> f64| Spread::of(runs.iter().map(value)).median;
        Self {
            cycles_per_second: of(&|run| run.cycles as f64 / run.seconds),
            wall_cycles_per_second: of(&|run| run.cycles as f64 / run.wall_seconds),
            engine_share: of(&|run| (run.engine_seconds / run.seconds).min(1.0)),
            wave_bytes_per_cycle: of(&|run| run.wave_bytes as f64 / run.cycles as f64),
        }
    }
}

/// Of a few measurements.
#[derive(Clone, Copy)]
pub struct Spread {
    pub smallest: f64,
    pub median: f64,
    pub largest: f64,
}

impl Spread {
    /// Of at least one value.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median =
            if values.len().is_multiple_of(2) { (values[middle - 1] + values[middle]) / 2.0 } else { values[middle] };
        Self { smallest: values[0], median, largest: values[values.len() - 1] }
    }
}

/// An engine to build.
#[derive(Clone, Copy)]
pub struct Variant {
    /// What vectors are made of; `None` is Verilator.
    pub target: Option<Target>,
    pub waves: bool,
}

impl Variant {
    /// Verilator, then the generated simulator for every target.
    fn all(options: &Options, waves: bool) -> Vec<Self> {
        let targets = if options.target.is_empty() { vec![Target::native()] } else { options.target.clone() };
        let targets = std::iter::once(None).chain(targets.into_iter().map(Some));
        targets.map(|target| Self { target, waves }).collect()
    }

    /// What it is called in tables.
    pub fn name(&self) -> String {
        let name = self.target.map_or_else(|| "Verilator".to_string(), |target| target.name().to_string());
        if self.waves { format!("{name}, waves") } else { name }
    }
}

/// Builds the engines, cold and warm, and runs the kernels in turn.
pub fn compare(options: &Options) -> Result<Comparison> {
    for name in &options.kernels {
        let (kernel, _) = workload::find(name)?;
        workload::problem(kernel, &options.size)?;
        workload::problem(kernel, &options.wave_size)?;
    }
    let temporary = tempfile::tempdir()?;
    let cache = options.cache_in(temporary.path())?;
    let mut comparison = Comparison { engines: vec![], rows: vec![] };
    for waves in [false, true].into_iter().take(1 + usize::from(options.waves)) {
        let size = if waves { &options.wave_size } else { &options.size };
        let (engines, rows) = measure(options, &cache, &Variant::all(options, waves), size)?;
        comparison.engines.extend(engines);
        comparison.rows.extend(rows);
    }
    Ok(comparison)
}

/// The kernels on the first variant, which is Verilator, and on the others.
fn measure(options: &Options, cache: &Path, variants: &[Variant], size: &str) -> Result<(Vec<Engine>, Vec<Row>)> {
    let mut workers = vec![];
    let mut engines = vec![];
    if options.profile {
        eprintln!("recording ...");
        let recorded = Options { record: true, ..options.clone() };
        let (mut worker, _) = Worker::start(variants[1], &options.preset, &recorded, cache)?;
        options.kernels.iter().try_for_each(|kernel| worker.run(kernel, size).map(drop))?;
        worker.end()?;
    }
    for &variant in variants {
        eprintln!("building {} ...", variant.name());
        let (_, cold) = Worker::start(variant, &options.preset, options, cache)?;
        let (worker, warm) = Worker::start(variant, &options.preset, options, cache)?;
        workers.push(worker);
        engines.push(Engine { variant, cold, warm, peak_bytes: 0 });
    }
    let mut rows = vec![];
    for kernel in &options.kernels {
        let mut runs = vec![vec![]; workers.len()];
        for repetition in 0..options.repetitions.max(1) {
            eprintln!("running {kernel} ({} of {}) ...", repetition + 1, options.repetitions.max(1));
            for (worker, runs) in workers.iter_mut().zip(&mut runs) {
                runs.push(worker.run(kernel, size)?);
            }
        }
        for (engine, runs) in engines.iter_mut().zip(&runs) {
            engine.peak_bytes = runs.iter().map(|run| run.peak_bytes).fold(engine.peak_bytes, u64::max);
        }
        for (variant, generated) in variants.iter().zip(&runs).skip(1) {
            rows.push(row(kernel, *variant, generated, &runs[0])?);
        }
    }
    Ok((engines, rows))
}

fn row(kernel: &str, variant: Variant, generated: &[Run], verilator: &[Run]) -> Result<Row> {
    let pairs = || generated.iter().zip(verilator);
    for (one, other) in pairs() {
        let (one, other) = (one.cycles, other.cycles);
        ensure!(one == other, "{kernel}: {one} cycles in the generated simulator, {other} in Verilator");
    }
    let run = &generated[0];
    Ok(Row {
        kernel: kernel.to_string(),
        waiting: workload::find(kernel)?.1,
        target: variant.target.expect("not Verilator"),
        waves: variant.waves,
        cycles: run.cycles,
        waiting_share: run.waiting_cycles as f64 / run.cycles as f64,
        generated: Speed::of(generated),
        verilator: Speed::of(verilator),
        ratio: Spread::of(pairs().map(|(one, other)| other.seconds / one.seconds)),
        wall_ratio: Spread::of(pairs().map(|(one, other)| other.wall_seconds / one.wall_seconds)),
    })
}

/// A process with one engine.
pub struct Worker {
    process: Child,
    /// Taken to end it.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts one, and waits until its engine has run its first cycle.
    pub fn start(variant: Variant, core: &str, options: &Options, cache: &Path) -> Result<(Self, Build)> {
        let kind = if variant.target.is_some() { Kind::Generated } else { Kind::Verilator };
        let name = kind.to_possible_value().expect("every kind has a name");
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["--worker", name.get_name(), "--preset", core, "--mechanism", &options.mechanism, "--cache"])
            .arg(cache);
        if let Some(target) = variant.target {
            command.args(["--target", target.name()]);
        }
        if let Some(latency) = options.dram_latency {
            command.args(["--dram-latency", &latency.to_string()]);
        }
        command.args(["--verilator-threads", &options.verilator_threads.to_string()]);
        if let Some(verilator) = &options.verilator {
            command.arg("--verilator").arg(verilator);
        }
        let of_gpu = [("--cores", options.cores), ("--channels", options.channels)];
        for (option, number) in of_gpu.into_iter().filter_map(|(option, number)| Some((option, number?))) {
            command.args([option, &number.to_string()]);
        }
        if options.cores.is_some() {
            command.args(["--threads", &options.threads.to_string()]);
        }
        if variant.waves {
            command.arg("--waves");
        }
        if let Some(path) = &options.memory_path {
            command.args(["--memory-path", path]);
        }
        for (option, _) in
            [("--floats", options.floats), ("--record", options.record)].iter().filter(|(_, given)| *given)
        {
            command.arg(option);
        }
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut worker = Self { process, input, output };
        let build = worker.line()?;
        Ok((worker, build))
    }

    /// Runs a kernel.
    pub fn run(&mut self, kernel: &str, size: &str) -> Result<Run> {
        let input = self.input.as_mut().expect("not ended");
        writeln!(input, "{kernel} {size}").context("a worker has ended")?;
        self.line()
    }

    /// Ends it, which may have something to keep yet.
    fn end(mut self) -> Result<()> {
        self.input.take();
        ensure!(self.process.wait()?.success(), "a worker has failed; see its message above");
        Ok(())
    }

    fn line<T: DeserializeOwned>(&mut self) -> Result<T> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        if line.is_empty() {
            bail!("a worker has failed; see its message above");
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input ends it.
        self.input.take();
        let _ = self.process.wait();
    }
}
