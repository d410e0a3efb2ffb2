//! Two workers in turn.
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use serde::de::DeserializeOwned;

use crate::Options;
use crate::worker::{Build, Kind, Run};

/// All that was measured.
pub struct Comparison {
    /// Cold and warm builds of the generated simulator, then of Verilator's model.
    pub engines: [Engine; 2],
    /// One per kernel.
    pub rows: Vec<Row>,
}

/// An engine, whatever the kernel.
pub struct Engine {
    pub cold: Build,
    pub warm: Build,
    /// Largest resident set while building from nothing, in bytes, without the compiler.
    pub peak_bytes: u64,
}

/// A kernel.
pub struct Row {
    pub kernel: String,
    pub cycles: u64,
    /// Median cycles per second, by engine.
    pub speed: [f64; 2],
    /// Speed of the generated simulator by that of Verilator: smallest, median and largest of the pairs.
    pub ratio: [f64; 3],
}

/// Builds both engines, cold and warm, and runs the kernels in turn.
pub fn compare(options: &Options) -> Result<Comparison> {
    let cache = tempfile::tempdir()?;
    let kinds = [Kind::Generated, Kind::Verilator];
    let mut cold = vec![];
    for kind in kinds {
        eprintln!("building {kind:?} ...");
        cold.push(Worker::start(kind, options, cache.path())?.1);
    }
    let mut workers = vec![];
    let mut engines = vec![];
    for (kind, cold) in kinds.into_iter().zip(cold) {
        let (worker, warm) = Worker::start(kind, options, cache.path())?;
        workers.push(worker);
        engines.push(Engine { cold, warm, peak_bytes: 0 });
    }
    let mut rows = vec![];
    for kernel in &options.kernels {
        let mut runs: [Vec<Run>; 2] = Default::default();
        for repetition in 0..options.repetitions.max(1) {
            eprintln!("running {kernel} ({} of {}) ...", repetition + 1, options.repetitions.max(1));
            for (worker, runs) in workers.iter_mut().zip(&mut runs) {
                runs.push(worker.run(kernel, &options.size)?);
            }
        }
        for (engine, runs) in engines.iter_mut().zip(&runs) {
            engine.peak_bytes = runs.iter().map(|run| run.peak_bytes).fold(engine.peak_bytes, u64::max);
        }
        rows.push(row(kernel, &runs)?);
    }
    let engines = engines.try_into().unwrap_or_else(|_| unreachable!("two kinds"));
    Ok(Comparison { engines, rows })
}

fn row(kernel: &str, [generated, verilator]: &[Vec<Run>; 2]) -> Result<Row> {
    let pairs = || generated.iter().zip(verilator);
    for (one, other) in pairs() {
        let (one, other) = (one.cycles, other.cycles);
        ensure!(one == other, "{kernel}: {one} cycles in the generated simulator, {other} in Verilator");
    }
    let speeds = |runs: &[Run]| sorted(runs.iter().map(|run| run.cycles as f64 / run.seconds));
    let ratios = sorted(pairs().map(|(one, other)| other.seconds / one.seconds));
    Ok(Row {
        kernel: kernel.to_string(),
        cycles: generated[0].cycles,
        speed: [median(&speeds(generated)), median(&speeds(verilator))],
        ratio: [ratios[0], median(&ratios), ratios[ratios.len() - 1]],
    })
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Of sorted values.
pub fn median(values: &[f64]) -> f64 {
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) { (values[middle - 1] + values[middle]) / 2.0 } else { values[middle] }
}

/// A process with one engine.
struct Worker {
    process: Child,
    /// Taken to end it.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Worker {
    /// Starts one, and waits until its engine has run its first cycle.
    fn start(kind: Kind, options: &Options, cache: &Path) -> Result<(Self, Build)> {
        let name = kind.to_possible_value().expect("every kind has a name");
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--worker", name.get_name(), "--preset", &options.preset, "--cache"]).arg(cache);
        if options.waves {
            command.arg("--waves");
        }
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut worker = Self { process, input, output };
        let build = worker.line()?;
        Ok((worker, build))
    }

    fn run(&mut self, kernel: &str, size: &str) -> Result<Run> {
        let input = self.input.as_mut().expect("not ended");
        writeln!(input, "{kernel} {size}").context("a worker has ended")?;
        self.line()
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
