//! `mechanisms`, `presets`: one line each.
use anyhow::Result;
use serde_json::json;
use warploom_hdl::config::Permutation;
use warploom_hdl::mechanism::{ADDITIONS, About, Entry, MECHANISMS, covering};
use warploom_runtime::machines::{MACHINES, Machine};

use crate::cli::{MechanismsArgs, PresetsArgs};
use crate::output;
use crate::status::Status;

/// `warploom mechanisms`.
pub fn mechanisms(args: &MechanismsArgs) -> Result<Status> {
    if args.json {
        output::print(serde_json::to_string_pretty(&MECHANISMS.map(described))?)?;
    } else if args.covering {
        covering().try_for_each(|one| output::print(one.spelling))?;
    } else {
        MECHANISMS.iter().try_for_each(|entry| print(&entry.about))?;
        let without = MECHANISMS.iter().filter(|entry| !entry.default.traits().likely_convergence);
        let without: Vec<&str> = without.map(|entry| entry.name()).collect();
        output::print(format!("\none may add (lcp not to {}), as in capri+lcp+slp=wid:\n", without.join(", ")))?;
        ADDITIONS.iter().try_for_each(print)?;
        let permutations: Vec<_> = Permutation::named().map(|(name, _)| name).collect();
        output::print(format!("{:<12} permutations: {}", "", permutations.join(", ")))?;
    }
    Ok(Status::Pass)
}

fn print(About { name, summary, source, .. }: &About) -> Result<()> {
    output::print(format!("{name:<12} {summary}\n{:<12} {source}", ""))
}

fn described(entry: &Entry) -> serde_json::Value {
    let About { name, summary, source, blocks } = entry.about;
    let representatives: Vec<&str> = entry.representatives.iter().map(|one| one.spelling).collect();
    json!({ "name": name, "summary": summary, "source": source, "blocks": blocks, "representatives": representatives })
}

/// `warploom presets`.
pub fn presets(args: &PresetsArgs) -> Result<Status> {
    if args.json {
        output::print(serde_json::to_string_pretty(&MACHINES.map(machine))?)?;
        return Ok(Status::Pass);
    }
    for preset in MACHINES {
        let (c, m) = ((preset.core)(), (preset.memory)());
        output::print(format!("{:<11} {}{}", preset.name, preset.summary, also(preset.aliases)))?;
        let sizes = format!(
            "{} lanes x {} warps, {} CTA slots, stack of {}, L1 {} {}-way {} B lines, {} MSHRs, {} shared memory",
            c.lanes,
            c.warps,
            c.cta_slots,
            c.stack_depth,
            size(c.l1_sets * c.l1_ways * c.line_bytes),
            c.l1_ways,
            c.line_bytes,
            c.mshrs,
            size(c.shared_bytes)
        );
        output::print(format!("{:<11} {sizes}", ""))?;
        let l2 = match m.l2_bytes {
            0 => "no L2".to_string(),
            bytes => {
                format!("L2 {} {}-way, {} cycles, {} B/cycle", size(bytes), m.l2_ways, m.l2_latency, m.l2_bandwidth)
            }
        };
        output::print(format!("{:<11} {l2}; DRAM {} cycles, {} B/cycle", "", m.dram_latency, m.dram_bandwidth))?;
        preset.deviations.iter().try_for_each(|deviation| output::print(format!("{:<11} - {deviation}", "")))?;
    }
    Ok(Status::Pass)
}

fn also(aliases: &[&str]) -> String {
    if aliases.is_empty() { String::new() } else { format!(" (also {})", aliases.join(", ")) }
}

fn machine(machine: &Machine) -> serde_json::Value {
    let Machine { name, aliases, summary, rate, deviations, readings, .. } = machine;
    json!({
        "name": name, "aliases": aliases, "summary": summary, "rate": rate, "values": machine.values(),
        "deviations": deviations, "readings": readings,
    })
}

fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1024) { format!("{} KB", bytes / 1024) } else { format!("{bytes} B") }
}
