//! `warploom export`: the Verilog of the core or of one module.
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use warploom_synth::check::{self, Report, Verdict};
use warploom_synth::verilog;

use crate::cli::ExportArgs;
use crate::elaborate::{elaborate, module};
use crate::status::Status;
use crate::{output, presets};

/// Writes DIR/MODULE.v.
pub fn export(args: &ExportArgs) -> Result<Status> {
    let config = presets::configure(&args.core)?;
    let netlist = elaborate(&args.module, (module(&args.module)?.build)(&config))?;
    let text = if args.assertions { verilog::export_with_assertions(&netlist) } else { verilog::export(&netlist) };
    let file = write(args, &text)?;
    output::print(format!("{}: module {} and all it uses", file.display(), netlist.top().name))?;
    if args.check { check(&file, &netlist.top().name) } else { Ok(Status::Pass) }
}

/// What the external tools say about the file; findings fail, a tool that is not here is only named.
fn check(file: &Path, top: &str) -> Result<Status> {
    let mut status = Status::Pass;
    for Report { tool, what, verdict } in check::check(file, top) {
        let verdict = match verdict {
            Verdict::Clean => "clean".to_string(),
            Verdict::Missing(install) => format!("not checked: {tool} is not here ({install})"),
            Verdict::Findings(findings) => {
                status = Status::Fail;
                format!("FINDINGS\n{findings}")
            }
        };
        output::print(format!("{tool:<10} {what}: {verdict}"))?;
    }
    Ok(status)
}

fn write(args: &ExportArgs, text: &str) -> Result<PathBuf> {
    let (directory, path) = (&args.output, args.path());
    let remedy = || format!("cannot write into {} (choose a directory with -o DIR)", directory.display());
    fs::create_dir_all(directory).with_context(remedy)?;
    output::save(&path, text).with_context(remedy)?;
    Ok(path)
}
