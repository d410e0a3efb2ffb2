//! `mechanisms`, `presets`: one line each.
use anyhow::Result;
use serde_json::json;
use warploom_hdl::config::Permutation;
use warploom_hdl::mechanism::{ADDITIONS, About, Entry, MECHANISMS, covering};

use crate::cli::MechanismsArgs;
use crate::output;
use crate::presets::PRESETS;
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
        output::print(format!("\none may add (lcp not to {}), as in capri+lcp+slp=wid:\n", without.join(" and ")))?;
        ADDITIONS.iter().try_for_each(print)?;
        let permutations: Vec<_> = Permutation::named().map(|(name, _)| name).collect();
        output::print(format!("{:<10} permutations: {}", "", permutations.join(", ")))?;
    }
    Ok(Status::Pass)
}

fn print(About { name, summary, source, .. }: &About) -> Result<()> {
    output::print(format!("{name:<10} {summary}\n{:<10} {source}", ""))
}

fn described(entry: &Entry) -> serde_json::Value {
    let About { name, summary, source, blocks } = entry.about;
    let representatives: Vec<&str> = entry.representatives.iter().map(|one| one.spelling).collect();
    json!({ "name": name, "summary": summary, "source": source, "blocks": blocks, "representatives": representatives })
}

/// `warploom presets`.
pub fn presets() -> Result<Status> {
    for preset in PRESETS {
        let c = (preset.config)();
        output::print(format!("{:<8} {}", preset.name, preset.summary))?;
        output::print(format!(
            "{:<8} {} lanes x {} warps, {} CTA slots, stack of {}, L1 {} {}-way {} B lines, {} MSHRs, {} shared memory",
            "",
            c.lanes,
            c.warps,
            c.cta_slots,
            c.stack_depth,
            size(c.l1_sets * c.l1_ways * c.line_bytes),
            c.l1_ways,
            c.line_bytes,
            c.mshrs,
            size(c.shared_bytes)
        ))?;
    }
    Ok(Status::Pass)
}

fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1024) { format!("{} KB", bytes / 1024) } else { format!("{bytes} B") }
}
