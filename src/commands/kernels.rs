//! `warploom kernels`: the list; with `--verify`, the shipped ELFs against their sources.
use anyhow::Result;
use warploom_testbenches::kernels::{KERNELS, Sizes, binaries};
use warploom_testbenches::toolchain;

use crate::cli::KernelsArgs;
use crate::output;
use crate::status::Status;

/// Lists the kernels or verifies their binaries.
pub fn kernels(args: &KernelsArgs) -> Result<Status> {
    if args.verify { verify() } else { list() }
}

fn list() -> Result<Status> {
    let width = KERNELS.iter().map(|kernel| kernel.name().len()).max().unwrap_or(0);
    for kernel in KERNELS {
        let Sizes { smoke, default, large } = kernel.sizes();
        output::print(format!("{:<width$} {}", kernel.name(), kernel.summary()))?;
        let sizes = format!("{}: smoke {smoke}, default {default}, large {large}", kernel.unit());
        output::print(format!("{:<width$} {sizes}", ""))?;
    }
    Ok(Status::Pass)
}

fn verify() -> Result<Status> {
    let mut status = Status::Pass;
    for binary in binaries() {
        let (built, _) = toolchain::compile(&binary.path(), toolchain::Debug::None)?;
        let same = built == binary.elf;
        output::print(format!("{:<28} {}", binary.source, if same { "same" } else { "DIFFERS" }))?;
        if !same {
            status = Status::Fail;
        }
    }
    Ok(status)
}
