//! `--target`: the modules in an FPGA.
use std::collections::BTreeMap;

use anyhow::Result;
use warploom_hdl::config::CoreConfig;
use warploom_synth::fpga::{self, Target};

use super::power::Plan;
use crate::cli::SynthArgs;
use crate::elaborate::{elaborate, module};
use crate::output;
use crate::progress::Progress;
use crate::status::Status;

/// Maps the modules at every size asked for, and reports.
pub fn synth(
    args: &SynthArgs,
    target: Target,
    prepared: &[(CoreConfig, BTreeMap<String, String>, Option<Plan>)],
) -> Result<Status> {
    let mut reports = vec![];
    let progress = Progress::start();
    for (config, parameters, _) in prepared {
        for name in &args.modules {
            let netlist = elaborate(name, (module(name)?.build)(config))?;
            progress.say(format!("mapping {name} with yosys"));
            let report = fpga::map(name, parameters.clone(), &netlist, target)?;
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
