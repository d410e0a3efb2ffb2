//! `warploom build`: a kernel of the user's own, from OpenCL C, C or assembler to ELF.
use anyhow::Result;
use warploom_runtime::loader::Program;
use warploom_runtime::toolchain::{self, Debug};

use crate::cli::BuildArgs;
use crate::output;
use crate::status::Status;

/// Compiles, loads once to see that the core can run it, and writes the ELF.
pub fn build(args: &BuildArgs) -> Result<Status> {
    let (elf, warnings) = toolchain::compile(&args.source, Debug::Lines)?;
    if !warnings.is_empty() {
        eprintln!("{}", warnings.trim_end());
    }
    let output = args.path();
    let program = Program::from_elf(&output.display().to_string(), &elf)?;
    output::save(&output, &elf)?;
    output::print(format!("{}: {} instructions, {} bytes", output.display(), program.words.len(), elf.len()))?;
    Ok(Status::Pass)
}
