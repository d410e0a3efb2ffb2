//! `warploom build`: a kernel of the user's own, from OpenCL C, C or assembler to ELF.
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Result, ensure};
use warploom_runtime::loader::Program;
use warploom_runtime::toolchain;

use crate::cli::BuildArgs;
use crate::output;
use crate::status::Status;

/// Compiles, loads once to see that the core can run it, and writes the ELF.
pub fn build(args: &BuildArgs) -> Result<Status> {
    let output = args.path();
    ensure!(
        is_elf_or_none(&output),
        "--output {}: that is no ELF file, and would be lost; name another",
        output.display()
    );
    let (elf, warnings) = toolchain::compile(&args.source, args.options.options(None))?;
    if !warnings.is_empty() {
        output::say!("{}", warnings.trim_end());
    }
    // The ELF is not there yet: what is wrong is so in the source.
    let program = Program::from_elf(&args.source.display().to_string(), &elf)?;
    for note in &program.notes {
        output::say!("note: {note}");
    }
    output::save(&output, &elf)?;
    output::print(format!("{}: {} instructions, {} bytes", output.display(), program.words.len(), elf.len()))?;
    Ok(Status::Pass)
}

/// Whether nothing is there, or what an earlier build may have written. A device is none's work.
fn is_elf_or_none(path: &Path) -> bool {
    if !path.is_file() {
        return true;
    }
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(4).read_to_end(&mut start));
    read.is_err() || start.is_empty() || start == b"\x7fELF"
}
