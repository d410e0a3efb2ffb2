//! Compiles kernels in C, OpenCL C and assembler: clang and lld, with warploom's header, start code and linker script.
//!
//! Between compiling and assembling, kernels lose the register saves of their prologues (`entry`).
//! `-fno-optimize-sibling-calls` keeps every branch's post-dominator inside its function; `-mno-relax` and
//! `-msmall-data-limit=0` because there is no global pointer. The same source gives the same bytes with the same
//! clang; the shipped files come from clang 14, without lines.
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use warploom_sim::cache::{Cache, CacheError, Work};
use warploom_sim::files;
use warploom_sim::tool::{self, Interrupted, ToolError};

use crate::loader::signature::ARGUMENTS;
use crate::loader::{MOST_ARGUMENT_WORDS, REGISTER_ARGUMENTS};

/// The header that kernels in C include.
pub const HEADER: &str = include_str!("../../kernels/warploom.h");
const START: &str = include_str!("../../kernels/crt0.s");
const SCRIPT: &str = include_str!("../../kernels/kernel.ld");
const RUNTIME: &str = include_str!("../../kernels/runtime.c");

mod accepted;
mod block;
mod entry;
mod ir;
mod layout;
pub mod libclc;
mod locks;
mod missing;
mod opencl;
mod options;
mod together;

pub use options::Options;

const TARGET: &[&str] = &["--target=riscv32-unknown-elf", "-march=rv32imaf", "-mabi=ilp32", "-mno-relax", "-c"];
const C_FLAGS: &[&str] = &["-std=c11", "-Wall", "-ffreestanding", "-fno-builtin"];
const CODE_FLAGS: &[&str] = &[
    "-O2",
    "-fno-pic",
    "-fno-jump-tables",
    "-fno-optimize-sibling-calls",
    "-ffunction-sections",
    "-fdata-sections",
    "-msmall-data-limit=0",
    // Square roots are instructions.
    "-fno-math-errno",
];
/// No copies of a function's return: the sides of a branch are to meet inside the function.
const ONE_RETURN: &[&str] = &["-mllvm", "-tail-dup-placement=false", "-mllvm", "-disable-tail-duplicate"];
/// As the front end leaves it.
const FRONT_END: &[&str] = &["-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm"];
const LINK_FLAGS: &[&str] = &["--nmagic", "--gc-sections", "--build-id=none", "--discard-locals"];

/// Why a kernel could not be compiled.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ToolchainError {
    #[error("{}: a kernel is an OpenCL C file (.cl), a C file (.c) or an assembler file (.s, or .S with the preprocessor)", .0.display())]
    NotASource(PathBuf),
    #[error("{}: {reason}", .path.display())]
    Io { path: PathBuf, reason: String },
    #[error("cannot run `{tool}` ({reason}): install it (`apt install clang lld`), or name it in ${variable}")]
    NoTool { tool: String, variable: &'static str, reason: String },
    #[error("interrupted while a kernel was compiled")]
    Interrupted(#[from] Interrupted),
    #[error(transparent)]
    Cache(#[from] CacheError),
    #[error("{tool} failed on {}:\n{messages}", .source_file.display())]
    Failed { tool: String, source_file: PathBuf, messages: String },
    #[error("{0}")]
    BadOption(String),
    #[error("{}: {problem}", .source_file.display())]
    Unsupported { source_file: PathBuf, problem: String },
}

/// What goes into an ELF file besides code and data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Debug {
    /// Nothing.
    #[default]
    None,
    /// The source line of every instruction.
    Lines,
}

impl Debug {
    /// The flags for it: the ELF knows the source by its bare name, and the header by that of its directory here.
    fn flags(self, work: &Path) -> Vec<String> {
        match self {
            Self::None => Vec::new(),
            Self::Lines => vec![
                "-gline-tables-only".into(),
                "-fdebug-compilation-dir=.".into(),
                format!("-fdebug-prefix-map={}=warploom", work.display()),
            ],
        }
    }
}

/// Whether a file is one that [`compile`] takes, by its name.
pub fn is_source(path: &Path) -> bool {
    Language::of(path).is_some()
}

/// Compiles and links a `.cl` file with kernels, a `.c` file with `void kernel(...)`, or a `.s` file (`.S` with the preprocessor) with the label
/// `_start`, to an ELF file's bytes. Warnings go to the second part.
pub fn compile(source: &Path, options: impl Into<Options>) -> Result<(Vec<u8>, String), ToolchainError> {
    let language = Language::of(source).ok_or_else(|| ToolchainError::NotASource(source.to_path_buf()))?;
    let options = options.into();
    language.check(source, &options)?;
    let mut job = Job::new(source, options)?;
    let elf = match language {
        Language::OpenCl => opencl::compile(&mut job)?,
        Language::C => {
            let compiled = job.compile_here(&[TARGET, CODE_FLAGS, C_FLAGS, &["-S"]].concat(), "compiled.s");
            let assembly = compiled.map_err(without_header)?;
            let (rewritten, words) = job.rewritten()?;
            let assembly = rewritten.unwrap_or(assembly);
            let start = if words > REGISTER_ARGUMENTS { start_beyond_registers(words) } else { START.to_string() };
            let object = job.assemble(&assembly, &["kernel"])?;
            let start = job.compile_own("crt0.s", &start, &[])?;
            let runtime = job.compile_runtime()?;
            let linked = job.link(SCRIPT, &[], &[start, object, runtime]);
            linked.map_err(|error| explained(error, None))?
        }
        Language::Assembler => {
            let object = job.assemble_here()?;
            job.link(SCRIPT, &[], &[object])?
        }
    };
    Ok((elf, job.messages))
}

#[derive(Clone, Copy)]
enum Language {
    OpenCl,
    C,
    Assembler,
}

impl Language {
    fn of(path: &Path) -> Option<Self> {
        match path.extension().and_then(OsStr::to_str) {
            Some("cl") => Some(Self::OpenCl),
            Some("c") => Some(Self::C),
            Some("s" | "S") => Some(Self::Assembler),
            _ => None,
        }
    }

    /// That the options are for a source like this.
    fn check(self, source: &Path, options: &Options) -> Result<(), ToolchainError> {
        let refused = |option: &str, reason: &str| {
            Err(ToolchainError::BadOption(format!("{option} for {}: {reason}", source.display())))
        };
        let is_preprocessed = !matches!(self, Self::Assembler) || source.extension() == Some(OsStr::new("S"));
        if !is_preprocessed && !options.defines.is_empty() {
            return refused("-D", "nothing is preprocessed in a .s file; name it .S");
        }
        if !matches!(self, Self::OpenCl) && options.cl_options.is_some() {
            return refused("--cl-options", "they are of OpenCL C");
        }
        if !matches!(self, Self::OpenCl) && options.offset != [0; 3] {
            return refused("--offset", "it is of OpenCL C");
        }
        Ok(())
    }
}

/// A source on its way, with a directory for what is made of it: in the cache, where the next start finds what a killed one has left.
struct Job {
    source: PathBuf,
    options: Options,
    /// What the options ask of the compiler.
    flags: Vec<String>,
    work: Work,
    compiler: Tool,
    linker: Tool,
    libclc: PathBuf,
    /// Warnings.
    messages: String,
}

impl Job {
    fn new(source: &Path, options: impl Into<Options>) -> Result<Self, ToolchainError> {
        files::check_readable(source, files::MOST).map_err(failed(source))?;
        let source = source.canonicalize().map_err(failed(source))?;
        let options = options.into();
        let flags = options.flags()?;
        let cache = Cache::open(None)?;
        let work = cache.work().map_err(failed(cache.path()))?;
        let (compiler, linker) = (Tool::new("clang", "WARPLOOM_CLANG"), Tool::new("ld.lld", "WARPLOOM_LLD"));
        let job =
            Self { source, options, flags, work, compiler, linker, libclc: libclc::path(), messages: String::new() };
        job.write("warploom.h", HEADER)?;
        Ok(job)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), ToolchainError> {
        std::fs::write(self.path(name), text).map_err(failed(&self.path(name)))
    }

    /// Compiles the source. The compiler runs in its directory and sees bare names: no path gets into the output.
    fn compile_here(&mut self, flags: &[&str], output: &str) -> Result<PathBuf, ToolchainError> {
        let output = self.path(output);
        let mut command = self.compiler.command();
        command.current_dir(self.source.parent().unwrap_or(Path::new("/"))).args(flags);
        command.args(self.options.debug.flags(self.work.path())).arg("-I").arg(self.work.path()).args(&self.flags);
        let name = self.source.file_name().unwrap_or_default();
        // One that could be taken for an option.
        let name = if name.as_encoded_bytes().starts_with(b"-") { Path::new(".").join(name) } else { name.into() };
        command.arg("-o").arg(&output).arg(name);
        self.messages += &self.compiler.run(&mut command, &self.source)?;
        Ok(output)
    }

    /// The assembly of a kernel in C of which LLVM must be told more than the front end does, if it is one: one that reads the argument block, as registers do not
    /// hold its arguments, whose critical sections are to stay where they are, or whose lanes act together. And the words of its arguments.
    fn rewritten(&mut self) -> Result<(Option<PathBuf>, usize), ToolchainError> {
        // All warnings have been given.
        let messages = self.messages.len();
        let module = self.compile_here(&[TARGET, CODE_FLAGS, C_FLAGS, FRONT_END, &["-S"]].concat(), "kernel.ll")?;
        let text = std::fs::read_to_string(&module).map_err(failed(&module))?;
        let words = block::words(&text, "kernel").unwrap_or(0);
        if words > MOST_ARGUMENT_WORDS {
            let problem = format!("`kernel`: {}", too_many_words(words));
            return Err(ToolchainError::Unsupported { source_file: self.source.clone(), problem });
        }
        let reads_block = words > REGISTER_ARGUMENTS;
        let mut assembly = None;
        if reads_block || locks::may_lock(&text) || together::are(&text) {
            let text = if reads_block { block::reading_block(&text, "kernel") } else { text };
            let text = together::kept(locks::kept(text));
            assembly = Some(self.compile_own("rewritten.ll", &text, &[CODE_FLAGS, &["-S"]].concat())?);
        }
        self.messages.truncate(messages);
        Ok((assembly, words))
    }

    /// Assembles the source. clang 14 cannot number the lines of a section that has nothing but `.insn` in it: such a program goes without.
    fn assemble_here(&mut self) -> Result<PathBuf, ToolchainError> {
        let with_lines = self.compile_here(TARGET, "kernel.o");
        if with_lines.is_ok() || self.options.debug == Debug::None {
            return with_lines;
        }
        self.options.debug = Debug::None;
        self.compile_here(TARGET, "kernel.o").or(with_lines)
    }

    /// Compiles a file of warploom's own to an object.
    fn compile_own(&mut self, name: &str, text: &str, flags: &[&str]) -> Result<PathBuf, ToolchainError> {
        self.write(name, text)?;
        let output = self.path(name).with_extension("o");
        let mut command = self.compiler.command();
        command.current_dir(self.work.path()).args(TARGET).args(flags).arg(name).arg("-o").arg(&output);
        self.messages += &self.compiler.run(&mut command, &self.source)?;
        Ok(output)
    }

    /// Assembles what the compiler made of kernels, without what they need not do.
    fn assemble(&mut self, assembly: &Path, kernels: &[&str]) -> Result<PathBuf, ToolchainError> {
        let text = std::fs::read_to_string(assembly).map_err(failed(assembly))?;
        self.compile_own("kernel.s", &entry::without_saves(&text, kernels), &[])
    }

    /// What the compiler takes for granted.
    fn compile_runtime(&mut self) -> Result<PathBuf, ToolchainError> {
        self.compile_own("runtime.c", RUNTIME, &[CODE_FLAGS, C_FLAGS, ONE_RETURN].concat())
    }

    /// Links objects to an ELF file's bytes.
    fn link(&mut self, script: &str, flags: &[&str], objects: &[PathBuf]) -> Result<Vec<u8>, ToolchainError> {
        self.write("kernel.ld", script)?;
        let linked = self.path("kernel.elf");
        let mut command = self.linker.command();
        command.args(LINK_FLAGS).args(flags).arg("-T").arg(self.path("kernel.ld")).args(objects);
        command.arg("-o").arg(&linked);
        self.messages += &self.linker.run(&mut command, &self.source)?;
        std::fs::read(&linked).map_err(failed(&linked))
    }
}

/// The start code of a kernel in C that reads the argument block, of so many words of arguments.
fn start_beyond_registers(words: usize) -> String {
    format!("{}    .section {ARGUMENTS}, \"\", @progbits\n    .word {words}\n", without_arguments(START))
}

/// Start code that hands over nothing in registers.
fn without_arguments(start: &str) -> String {
    let lines = start.lines().filter(|line| !line.trim_start().starts_with("lw      a"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn too_many_words(words: usize) -> String {
    format!(
        "its arguments take {words} words (a long takes two); there is room for {MOST_ARGUMENT_WORDS} (put some in a buffer)"
    )
}

/// If the compiler misses a function of the header, that there is one.
fn without_header(error: ToolchainError) -> ToolchainError {
    let undeclared = |messages: &str| {
        let named = messages.lines().filter(|line| line.contains("undeclared function"));
        named.filter_map(|line| line.split('\'').nth(1)).any(missing::is_in_header)
    };
    match error {
        ToolchainError::Failed { tool, source_file, messages } if undeclared(&messages) => {
            let messages = format!("{messages}\n  {}", missing::INCLUDE);
            ToolchainError::Failed { tool, source_file, messages }
        }
        error => error,
    }
}

/// If the linker misses something, or finds it twice, what that is in words of the source.
fn explained(error: ToolchainError, module: Option<&ir::Module>) -> ToolchainError {
    match error {
        ToolchainError::Failed { messages, source_file, .. } if messages.contains(missing::TWICE) => {
            ToolchainError::Unsupported { source_file, problem: missing::taken(&messages) }
        }
        ToolchainError::Failed { messages, source_file, .. } if messages.contains("undefined symbol") => {
            ToolchainError::Unsupported { source_file, problem: missing::explain(&messages, module) }
        }
        error => error,
    }
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> ToolchainError {
    let path = path.to_path_buf();
    move |error| ToolchainError::Io { path, reason: error.to_string() }
}

/// Whether clang and lld can be run.
pub fn available() -> bool {
    let runs = |tool: Tool| tool.command().arg("--version").output().is_ok_and(|output| output.status.success());
    runs(Tool::new("clang", "WARPLOOM_CLANG")) && runs(Tool::new("ld.lld", "WARPLOOM_LLD"))
}

struct Tool {
    name: OsString,
    variable: &'static str,
}

impl Tool {
    fn new(name: &str, variable: &'static str) -> Self {
        Self { name: std::env::var_os(variable).unwrap_or_else(|| name.into()), variable }
    }

    fn shown(&self) -> String {
        self.name.to_string_lossy().into_owned()
    }

    fn command(&self) -> Command {
        Command::new(&self.name)
    }

    fn run(&self, command: &mut Command, source: &Path) -> Result<String, ToolchainError> {
        let output = tool::output(command).map_err(|error| match error {
            ToolError::Interrupted(interrupted) => interrupted.into(),
            ToolError::Io(error) => {
                let (tool, reason) = (self.shown(), error.to_string());
                ToolchainError::NoTool { tool, variable: self.variable, reason }
            }
        })?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return Ok(messages);
        }
        let source_file = source.to_path_buf();
        Err(ToolchainError::Failed { tool: self.shown(), source_file, messages: messages.trim_end().into() })
    }
}

#[cfg(test)]
mod tests;
