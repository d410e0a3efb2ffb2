//! `warploom modules`: the list; with `--bits`, the state that the netlist holds.
use anyhow::{Result, bail};
use serde::Serialize;
use warploom_hdl::catalog::{CATALOG, CatalogEntry};
use warploom_hdl::config::CoreConfig;
use warploom_sim::storage::{Bits, Element, elements};
use warploom_sim::tool;

use crate::cli::ModulesArgs;
use crate::elaborate::{elaborate, module};
use crate::status::Status;
use crate::{mechanism, output, presets};

/// A module of the list.
#[derive(Serialize)]
struct Line {
    module: &'static str,
    summary: &'static str,
}

/// What a module holds, with everything inside it.
#[derive(Serialize)]
struct Counted {
    module: &'static str,
    flip_flops: usize,
    memory_bits: usize,
    /// Only of a module that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    storage: Option<Vec<Row>>,
}

/// Registers or memories of one name.
#[derive(Serialize)]
struct Row {
    name: String,
    kind: &'static str,
    width: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<usize>,
    count: usize,
    bits: usize,
}

/// Lists or counts all modules, or one.
pub fn modules(args: &ModulesArgs) -> Result<Status> {
    if let Some(option) = args.core.given().keys().next().filter(|_| !args.bits) {
        bail!("--{option}: it goes with --bits; the list is the same for all cores");
    }
    let config = presets::configure(&args.core)?;
    let chosen: Vec<&CatalogEntry> = match &args.module {
        Some(name) => vec![module(name)?],
        None => CATALOG.iter().rev().take(1).chain(&CATALOG[..CATALOG.len() - 1]).collect(),
    };
    match (args.bits, args.json) {
        (false, false) => {
            chosen.iter().try_for_each(|module| output::print(format!("{:<24} {}", module.name, module.summary)))?
        }
        (false, true) => {
            let lines = chosen.iter().map(|module| Line { module: module.name, summary: module.summary });
            output::print(serde_json::to_string_pretty(&lines.collect::<Vec<_>>())?)?;
        }
        (true, json) => {
            let counted = chosen.iter().map(|module| count(module, &config, args.module.is_some()));
            let counted = counted.collect::<Result<Vec<_>>>()?;
            if json { output::print(serde_json::to_string_pretty(&counted)?)? } else { table(&counted, args, &config)? }
        }
    }
    Ok(Status::Pass)
}

fn count(module: &CatalogEntry, config: &CoreConfig, by_name: bool) -> Result<Counted> {
    tool::go_on()?;
    let netlist = elaborate(module.name, (module.build)(config))?;
    let Bits { registers, memories } = Bits::total(&netlist);
    let row = |element: Element| Row {
        bits: element.bits(),
        kind: if element.depth.is_some() { "memory" } else { "flip-flops" },
        name: element.name,
        width: element.width,
        depth: element.depth,
        count: element.count,
    };
    let storage = by_name.then(|| elements(&netlist).into_iter().map(row).collect());
    Ok(Counted { module: module.name, flip_flops: registers, memory_bits: memories, storage })
}

fn table(counted: &[Counted], args: &ModulesArgs, config: &CoreConfig) -> Result<()> {
    let CoreConfig { lanes, warps, .. } = config;
    let sizes = format!("{} ({lanes} lanes x {warps} warps) under {}", args.core.preset(), mechanism::name(config));
    if args.module.is_none() {
        output::print(format!("{:<24}{:>12}{:>12}  on {sizes}", "module", "flip-flops", "memory bits"))?;
    }
    for Counted { module, flip_flops, memory_bits, storage } in counted {
        let Some(rows) = storage else {
            output::print(format!("{module:<24}{flip_flops:>12}{memory_bits:>12}"))?;
            continue;
        };
        output::print(format!("{module} on {sizes}: {flip_flops} bits of flip-flops, {memory_bits} of memories"))?;
        for Row { name, kind, width, depth, count, bits } in rows {
            let times = |n: usize| if n == 1 { String::new() } else { format!(" x {n}") };
            let shape =
                format!("{width}{}{}", depth.map_or(String::new(), |depth| format!(" x {depth}")), times(*count));
            output::print(format!("  {name:<40} {shape:<16} {bits:>9}  {kind}"))?;
        }
    }
    Ok(())
}
