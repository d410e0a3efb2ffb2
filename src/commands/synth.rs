//! `warploom synth`: what a module costs in standard cells.
use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use warploom_synth::cells::Cells;
use warploom_synth::flow::{self, FlowOptions};
use warploom_synth::report::Report;
use warploom_synth::timing;
use warploom_synth::tools;

use crate::cli::{CoreArgs, SynthArgs};
use crate::elaborate::{elaborate, module};
use crate::status::Status;
use crate::suggest::nearest;
use crate::{mechanism, output, presets};

/// Maps the module at every size asked for, and reports.
pub fn synth(args: &SynthArgs) -> Result<Status> {
    let entry = module(&args.module)?;
    let variants = variants(args)?;
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
    let mut reports = vec![];
    for (core, swept) in variants {
        let config = presets::configure(&core)?;
        let netlist = elaborate(&args.module, (entry.build)(&config))?;
        let mapped = flow::map(&netlist, &cells, &options)?;
        let path = if has_timing { timing::critical_path(&netlist, &mapped, &cells)? } else { None };
        let mut parameters = BTreeMap::from(
            [("preset", core.preset().to_string()), ("mechanism", mechanism::name(&config))]
                .map(|(name, value)| (name.to_string(), value)),
        );
        parameters.extend([("lanes", config.lanes), ("warps", config.warps)].map(|(n, v)| (n.into(), v.to_string())));
        parameters.extend(swept);
        let report = Report::new(&args.module, parameters, &netlist, &cells, &options, &mapped, path);
        if !args.json {
            output::print(&report)?;
        }
        reports.push(report);
    }
    if args.json {
        let list = args.sweep.is_some();
        let json =
            if list { serde_json::to_string_pretty(&reports) } else { serde_json::to_string_pretty(&reports[0]) };
        output::print(json?)?;
    }
    Ok(Status::Pass)
}

/// A core, and what was set in it by the sweep.
type Variant = (CoreArgs, BTreeMap<String, String>);

/// The cores to build: one, or one per value of the sweep.
fn variants(args: &SynthArgs) -> Result<Vec<Variant>> {
    let Some(sweep) = &args.sweep else { return Ok(vec![(args.core.clone(), BTreeMap::new())]) };
    let (name, values) = sweep.split_once('=').context("--sweep takes NAME=VALUE,VALUE,..., as in entries=2,4,8")?;
    let variant = |value: &str| {
        let mut core = args.core.clone();
        set(&mut core, name, value).with_context(|| format!("--sweep {sweep}"))?;
        Ok((core, BTreeMap::from([(name.to_string(), value.to_string())])))
    };
    values.split(',').map(str::trim).map(variant).collect()
}

/// What can be swept: sizes of the core, by the names of their options.
fn set(core: &mut CoreArgs, name: &str, value: &str) -> Result<()> {
    const NAMES: [&str; 6] = ["lanes", "warps", "stack-depth", "mshrs", "entries", "preset"];
    let number = || value.parse::<usize>().with_context(|| format!("`{value}` is no number"));
    match name {
        "lanes" => core.lanes = Some(number()?),
        "warps" => core.warps = Some(number()?),
        "stack-depth" => core.stack_depth = Some(number()?),
        "mshrs" => core.mshrs = Some(number()?),
        "entries" => {
            core.capt_entries = Some(number()?);
            // Only capri has a table with entries.
            if !core.mechanism().starts_with("capri") {
                core.mechanism = Some("capri".to_string());
            }
        }
        "preset" => core.preset = Some(value.to_string()),
        _ => bail!("there is no size `{name}`{}; there are {}", nearest(name, NAMES.into_iter()), NAMES.join(", ")),
    }
    Ok(())
}
