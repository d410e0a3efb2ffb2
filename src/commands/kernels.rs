//! `warploom kernels`: the list; with `--verify`, the shipped ELFs against their sources.
use anyhow::Result;
use serde::Serialize;
use warploom_runtime::kernels::{About, Arithmetic, Kernel, Sizes, all, binaries};
use warploom_runtime::toolchain;

use crate::cli::KernelsArgs;
use crate::output;
use crate::status::Status;

/// Lists the kernels or verifies their binaries.
pub fn kernels(args: &KernelsArgs) -> Result<Status> {
    match (args.verify, args.json) {
        (true, _) => verify(),
        (false, true) => json(),
        (false, false) => list(),
    }
}

fn list() -> Result<Status> {
    let width = all().map(|kernel| kernel.name().len()).max().unwrap_or(0);
    for kernel in all() {
        let About { summary, papers, arithmetic, unit, sizes: Sizes { smoke, default, large } } = kernel.about();
        output::print(format!("{:<width$} {summary}", kernel.name()))?;
        let sizes = format!("{unit}: smoke {smoke}, default {default}, large {large}");
        let selects = kernel.selectivity().map_or(String::new(), |one_in| format!("; selects one in {one_in}"));
        let instructions = if kernel.has_warp_instructions() { "; warp instructions" } else { "" };
        let needs = kernel.needs().name().map_or(String::new(), |needs| format!("; needs {needs}"));
        output::print(format!("{:<width$} {papers}; {arithmetic}; {sizes}{selects}{instructions}{needs}", ""))?;
    }
    Ok(Status::Pass)
}

/// A kernel, for `--json`. Field names are part of the interface.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    summary: &'static str,
    papers: &'static str,
    arithmetic: &'static str,
    /// Bits behind the point, of fixed point.
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction_bits: Option<u32>,
    unit: &'static str,
    sizes: Sizes,
    /// One item in so many, of those that select, if nothing else is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    selectivity: Option<u32>,
    /// Only a core with warp instructions runs it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    warp_instructions: bool,
    /// Of the mechanism: `forward progress` or `static warps`.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<&'static str>,
    source: &'static str,
}

fn json() -> Result<Status> {
    let entry = |kernel: &Kernel| {
        let About { summary, papers, arithmetic, unit, sizes } = *kernel.about();
        let fraction_bits = match arithmetic {
            Arithmetic::Integer | Arithmetic::Float => None,
            Arithmetic::FixedPoint { fraction } => Some(fraction),
        };
        Entry {
            name: kernel.name(),
            summary,
            papers,
            arithmetic: arithmetic.name(),
            fraction_bits,
            unit,
            sizes,
            selectivity: kernel.selectivity(),
            warp_instructions: kernel.has_warp_instructions(),
            needs: kernel.needs().name(),
            source: kernel.binary().source,
        }
    };
    let entries: Vec<Entry> = all().map(entry).collect();
    output::print(serde_json::to_string_pretty(&entries)?)?;
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
