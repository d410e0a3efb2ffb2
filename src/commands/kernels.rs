//! `warploom kernels`: the list; with `--verify`, the shipped ELFs against their sources.
use anyhow::Result;
use warploom_testbenches::kernels::{KERNELS, binaries};
use warploom_testbenches::toolchain;

use crate::cli::KernelsArgs;
use crate::output;
use crate::status::Status;

/// Lists the kernels or verifies their binaries.
pub fn kernels(args: &KernelsArgs) -> Result<Status> {
    if args.verify { verify() } else { list() }
}

fn list() -> Result<Status> {
    for kernel in KERNELS {
        let sizes = kernel.sizes();
        output::print(format!("{:<14} {}", kernel.name(), kernel.summary()))?;
        output::print(format!(
            "{:<14} {}: smoke {}, default {}, large {}",
            "",
            kernel.unit(),
            sizes.smoke,
            sizes.default,
            sizes.large
        ))?;
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
