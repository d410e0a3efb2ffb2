//! `--target`: the modules in an FPGA.
use anyhow::Result;
use warploom_synth::fpga::{self, Target};

use super::Prepared;
use crate::cli::SynthArgs;
use crate::output;
use crate::progress::Progress;
use crate::status::Status;

/// Maps the modules at every size asked for, and reports.
pub fn synth(args: &SynthArgs, target: Target, prepared: &[Prepared]) -> Result<Status> {
    let mut reports = vec![];
    let progress = Progress::start();
    for prepared in prepared {
        for name in &args.modules {
            let netlist = prepared.netlist(name)?;
            progress.say(format!("mapping {name} with yosys"));
            let report = fpga::map(name, prepared.parameters.clone(), &netlist, target)?;
            if !args.json {
                progress.suspend(|| output::print(&report))?;
            }
            reports.push(report);
        }
    }
    drop(progress);
    super::print_json(args, &reports)?;
    Ok(Status::Pass)
}
