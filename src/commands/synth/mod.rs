//! `warploom synth`: what a module costs in standard cells, and what it takes from the supply while a kernel runs.
use std::collections::BTreeMap;

use anyhow::Result;
use warploom_hdl::config::CoreConfig;
use warploom_sim::netlist::Netlist;
use warploom_synth::cells::Cells;
use warploom_synth::flow::{self, FlowOptions, Mapped};
use warploom_synth::report::Report;
use warploom_synth::timing::{self, CriticalPath};
use warploom_synth::tools;

use crate::cli::SynthArgs;
use crate::elaborate::{elaborate, module};
use crate::status::Status;
use crate::{mechanism, output, presets};

mod power;
mod sweep;

use power::Plan;

/// Maps the modules at every size asked for, runs the kernels, and reports.
pub fn synth(args: &SynthArgs) -> Result<Status> {
    args.modules.iter().try_for_each(|name| module(name).map(drop))?;
    let prepare = |(core, swept): sweep::Variant| {
        let config = presets::configure(&core)?;
        let mut parameters = BTreeMap::from(
            [("preset", core.preset().to_string()), ("mechanism", mechanism::name(&config))]
                .map(|(name, value)| (name.to_string(), value)),
        );
        parameters.extend([("lanes", config.lanes), ("warps", config.warps)].map(|(n, v)| (n.into(), v.to_string())));
        parameters.extend(swept);
        let plan = args.is_at_work().then(|| Plan::new(args, &core, &config)).transpose()?;
        Ok((config, parameters, plan))
    };
    let prepared = sweep::variants(args)?.into_iter().map(prepare).collect::<Result<Vec<_>>>()?;
    let flow = Flow::new(args)?;
    let mut reports = vec![];
    for (config, parameters, plan) in prepared {
        let mut print = |report: Report| {
            if !args.json {
                output::print(&report)?;
            }
            reports.push(report);
            Ok(())
        };
        match plan {
            Some(plan) => plan.reports(&parameters, &flow, &mut print)?,
            None => args.modules.iter().try_for_each(|name| print(flow.alone(name, &config, &parameters)?))?,
        }
    }
    if args.json {
        let list = args.sweep.is_some() || args.modules.len() > 1 || args.kernels.len() > 1;
        let json =
            if list { serde_json::to_string_pretty(&reports) } else { serde_json::to_string_pretty(&reports[0]) };
        output::print(json?)?;
    }
    Ok(Status::Pass)
}

/// What is the same for all modules.
struct Flow {
    cells: Cells,
    options: FlowOptions,
    has_timing: bool,
}

impl Flow {
    fn new(args: &SynthArgs) -> Result<Self> {
        let cells = Cells::load(args.liberty.as_deref())?;
        let options = FlowOptions {
            clock_ns: args.clock,
            depth: args.depth,
            flatten: !args.no_flatten,
            memory_bits: args.memory_bits,
        };
        // Without the tool there is no path; the rest is worth having.
        let has_timing = tools::tool("sta").is_some_and(|tool| tool.is_here());
        if !has_timing {
            let install = tools::tool("sta").map_or("", |tool| tool.install);
            eprintln!("note: the longest path is not looked for: OpenSTA is not here ({install})");
        }
        Ok(Self { cells, options, has_timing })
    }

    /// Gates and their longest path.
    fn map(&self, netlist: &Netlist) -> Result<(Mapped, Option<CriticalPath>)> {
        let mapped = flow::map(netlist, &self.cells, &self.options)?;
        let path = if self.has_timing { timing::critical_path(netlist, &mapped, &self.cells)? } else { None };
        Ok((mapped, path))
    }

    /// A module of the catalog as it is on its own.
    fn alone(&self, name: &str, config: &CoreConfig, parameters: &BTreeMap<String, String>) -> Result<Report> {
        let netlist = elaborate(name, (module(name)?.build)(config))?;
        let (mapped, path) = self.map(&netlist)?;
        Ok(Report::new(name, parameters.clone(), &netlist, &self.cells, &self.options, &mapped, path))
    }
}
