//! Compiles kernels: clang and lld, with warploom's header, start code and linker script.
//!
//! `-fno-optimize-sibling-calls` keeps every branch's post-dominator inside its function; `-mno-relax` and
//! `-msmall-data-limit=0` because there is no global pointer. The same source gives the same bytes with the same
//! clang; the shipped files come from clang 14, without lines.
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The header that kernels in C include.
pub const HEADER: &str = include_str!("../../kernels/warploom.h");
const START: &str = include_str!("../../kernels/crt0.s");
const SCRIPT: &str = include_str!("../../kernels/kernel.ld");

const TARGET: &[&str] = &["--target=riscv32-unknown-elf", "-march=rv32ima", "-mabi=ilp32", "-mno-relax", "-c"];
const C_FLAGS: &[&str] = &[
    "-std=c11",
    "-O2",
    "-Wall",
    "-ffreestanding",
    "-fno-builtin",
    "-fno-pic",
    "-fno-jump-tables",
    "-fno-optimize-sibling-calls",
    "-ffunction-sections",
    "-fdata-sections",
    "-msmall-data-limit=0",
];
const LINK_FLAGS: &[&str] = &["--nmagic", "--gc-sections", "--build-id=none", "--discard-locals"];

/// Why a kernel could not be compiled.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ToolchainError {
    #[error("{}: a kernel is a C file (.c) or an assembler file (.s)", .0.display())]
    NotASource(PathBuf),
    #[error("{}: {reason}", .path.display())]
    Io { path: PathBuf, reason: String },
    #[error("cannot run `{tool}` ({reason}): install it (`apt install clang lld`), or name it in ${variable}")]
    NoTool { tool: String, variable: &'static str, reason: String },
    #[error("{tool} failed on {}:\n{messages}", .source_file.display())]
    Failed { tool: String, source_file: PathBuf, messages: String },
}

/// What goes into an ELF file besides code and data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Debug {
    /// Nothing.
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

/// Compiles and links a `.c` file with `void kernel(...)`, or a `.s` file with the label `_start`, to an ELF file's
/// bytes. Warnings go to the second part.
pub fn compile(source: &Path, debug: Debug) -> Result<(Vec<u8>, String), ToolchainError> {
    let extension = source.extension().and_then(OsStr::to_str);
    let is_c = match extension {
        Some("c") => true,
        Some("s" | "S") => false,
        _ => return Err(ToolchainError::NotASource(source.to_path_buf())),
    };
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |e: std::io::Error| ToolchainError::Io { path, reason: e.to_string() }
    };
    let source = source.canonicalize().map_err(io(source))?;
    let directory = source.parent().unwrap_or(Path::new("/"));
    let work = tempfile::tempdir().map_err(io(Path::new("a temporary directory")))?;
    let file = |name: &str| work.path().join(name);
    for (name, text) in [("warploom.h", HEADER), ("crt0.s", START), ("kernel.ld", SCRIPT)] {
        std::fs::write(file(name), text).map_err(io(&file(name)))?;
    }
    let (object, start, linked) = (file("kernel.o"), file("crt0.o"), file("kernel.elf"));

    // The compiler runs in the source's directory and sees bare names: no path gets into the output.
    let tool = Tool::new("clang", "WARPLOOM_CLANG");
    let mut command = tool.command();
    command.current_dir(directory).args(TARGET).args(if is_c { C_FLAGS } else { &[] });
    command.args(debug.flags(work.path()));
    command.arg("-I").arg(work.path()).arg(source.file_name().unwrap_or_default()).arg("-o").arg(&object);
    let mut messages = tool.run(&mut command, &source)?;

    let linker = Tool::new("ld.lld", "WARPLOOM_LLD");
    let mut link = linker.command();
    link.args(LINK_FLAGS).arg("-T").arg(file("kernel.ld"));
    if is_c {
        let mut command = tool.command();
        command.current_dir(work.path()).args(TARGET).args(["crt0.s", "-o"]).arg(&start);
        messages += &tool.run(&mut command, &source)?;
        link.arg(&start);
    }
    link.arg(&object).arg("-o").arg(&linked);
    messages += &linker.run(&mut link, &source)?;
    let elf = std::fs::read(&linked).map_err(io(&linked))?;
    Ok((elf, messages))
}

/// Whether clang and lld can be run.
pub fn available() -> bool {
    let runs = |tool: Tool| tool.command().arg("--version").output().is_ok_and(|output| output.status.success());
    runs(Tool::new("clang", "WARPLOOM_CLANG")) && runs(Tool::new("ld.lld", "WARPLOOM_LLD"))
}

struct Tool {
    name: String,
    variable: &'static str,
}

impl Tool {
    fn new(name: &str, variable: &'static str) -> Self {
        Self { name: std::env::var(variable).unwrap_or_else(|_| name.into()), variable }
    }

    fn command(&self) -> Command {
        Command::new(&self.name)
    }

    fn run(&self, command: &mut Command, source: &Path) -> Result<String, ToolchainError> {
        let output = command.output().map_err(|e| ToolchainError::NoTool {
            tool: self.name.clone(),
            variable: self.variable,
            reason: e.to_string(),
        })?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return Ok(messages);
        }
        let source_file = source.to_path_buf();
        Err(ToolchainError::Failed { tool: self.name.clone(), source_file, messages: messages.trim_end().into() })
    }
}

#[cfg(test)]
mod tests;
