//! Fifth execution: the exported Verilog in Verilator.
//!
//! Verilator's own makefile compiles its runtime library and reads its headers anew for every design, which takes longer than a
//! small module. Here both are compiled once, and a design is one translation unit.
use std::fmt::Write;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use warploom_sim::cache::Cache;

use super::tool::{run, said};

/// Name of the program that [`compile`] makes.
pub(super) const EXECUTABLE: &str = "Vharness";

const HEADER: &str = "prelude.h";
const LIBRARY: [&str; 2] = ["verilated", "verilated_threads"];

/// Files that the program reads and writes: 32-bit words, the first port in the lowest bits, cycle by cycle.
pub(super) const STIMULUS: &str = "stimulus.words";
/// As [`STIMULUS`].
pub(super) const RESPONSE: &str = "response.words";

/// What every design needs, in the cache of simulators, for this Verilator and this compiler.
struct Runtime {
    directory: PathBuf,
    include: PathBuf,
    effort: Effort,
}

/// By [`Effort`].
static RUNTIMES: [OnceLock<Result<Runtime, String>>; 2] = [const { OnceLock::new() }; 2];

/// What is to be short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Compiling: it takes longer than running a few thousand cycles.
    #[default]
    Compile,
    /// Running: so many cycles that it takes longer than compiling.
    Run,
}

impl Effort {
    fn option(self) -> &'static str {
        match self {
            Self::Compile => "-O0",
            Self::Run => "-O1",
        }
    }
}

impl Runtime {
    fn find_or_compile(effort: Effort) -> Result<Self, String> {
        let include = Path::new(said("verilator", &["--getenv", "VERILATOR_ROOT"])?.trim()).join("include");
        let mut hasher = DefaultHasher::new();
        [said("verilator", &["--version"])?, said("g++", &["--version"])?, effort.option().into()].hash(&mut hasher);
        let cache = Cache::open(None).map_err(|error| error.to_string())?;
        let runtime =
            Self { directory: cache.path().join(format!("verilator-{:016x}", hasher.finish())), include, effort };
        if !runtime.directory.exists() {
            runtime.compile(&cache)?;
        }
        Ok(runtime)
    }

    /// Another process may do the same: whoever is first has its directory renamed into place.
    fn compile(&self, cache: &Cache) -> Result<(), String> {
        let io = |error: std::io::Error| format!("{}: {error}", cache.path().display());
        let work = cache.work().map_err(io)?;
        let made = work.path().join("made");
        fs::create_dir(&made).map_err(io)?;
        fs::write(made.join(HEADER), "#include <verilated.h>\n#include <cstdio>\n").map_err(io)?;
        run(self.compiler().args(["-x", "c++-header", HEADER]), &made)?;
        for name in LIBRARY {
            run(self.compiler().arg("-c").arg(self.include.join(format!("{name}.cpp"))), &made)?;
        }
        fs::rename(&made, &self.directory).or_else(
            |error| {
                if self.directory.exists() { Ok(()) } else { Err(io(error)) }
            },
        )
    }

    /// The same options for everything: only then is a precompiled header used.
    fn compiler(&self) -> Command {
        let mut compiler = Command::new("g++");
        compiler.args([
            self.effort.option(),
            "-w",
            "-pthread",
            "-faligned-new",
            "-DVM_COVERAGE=0",
            "-DVM_SC=0",
            "-DVM_TRACE=0",
        ]);
        compiler.args(["-DVM_TRACE_FST=0", "-DVM_TRACE_VCD=0", "-I"]).arg(&self.include);
        compiler.arg("-I").arg(self.include.join("vltstd"));
        compiler
    }
}

/// Compiles `design.v` and `harness.v` of a directory into a program that reads the stimulus and writes the response;
/// `words` are those of the harness's inputs and outputs.
pub(super) fn compile(directory: &Path, words: (usize, usize), effort: Effort) -> Result<(), String> {
    let runtime = RUNTIMES[effort as usize].get_or_init(|| Runtime::find_or_compile(effort));
    let runtime = runtime.as_ref().map_err(String::clone)?;
    let mut generate = Command::new("verilator");
    generate.args(["--cc", "-O3", "-Wno-lint", "--x-assign", "0", "--x-initial", "0"]);
    run(generate.args(["--top-module", "harness", "design.v", "harness.v"]), directory)?;
    let unit = directory.join("unit.cpp");
    let io = |error: std::io::Error| format!("{}: {error}", unit.display());
    let mut sources: Vec<_> = fs::read_dir(directory.join("obj_dir"))
        .and_then(|files| files.map(|file| Ok(file?.file_name().into_string().unwrap_or_default())).collect())
        .map_err(io)?;
    sources.retain(|name: &String| name.ends_with(".cpp"));
    sources.sort();
    let mut text = String::new();
    for source in sources {
        writeln!(text, "#include \"{source}\"").expect("writing to a string");
    }
    fs::write(&unit, text + &main_function(words)).map_err(io)?;
    let mut compiler = runtime.compiler();
    compiler.arg("-include").arg(runtime.directory.join(HEADER)).args(["-I", "obj_dir", "-o", EXECUTABLE, "unit.cpp"]);
    compiler.args(LIBRARY.map(|name| runtime.directory.join(format!("{name}.o")))).arg("-latomic");
    run(&mut compiler, directory).map(drop)
}

fn main_function((inputs, outputs): (usize, usize)) -> String {
    format!(
        r#"int main() {{
    Vharness design;
    FILE* stimulus = fopen("{STIMULUS}", "rb");
    FILE* response = fopen("{RESPONSE}", "wb");
    while (fread(&design.inputs[0], 4, {inputs}, stimulus) == {inputs}) {{
        design.eval();
        fwrite(&design.outputs[0], 4, {outputs}, response);
        design.clock = 1;
        design.eval();
        design.clock = 0;
        design.eval();
    }}
    return fclose(response);
}}
"#
    )
}
