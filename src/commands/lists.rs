//! `mechanisms`, `presets`: one line each.
use anyhow::Result;

use crate::mechanism::{BASES, PARTS, PERMUTATIONS, Part};
use crate::output;
use crate::presets::PRESETS;
use crate::status::Status;

/// `warploom mechanisms`.
pub fn mechanisms() -> Result<Status> {
    for (title, parts) in [("", BASES), ("\none may add (lcp not to dpe and dws), as in capri+lcp+slp=wid:\n", PARTS)] {
        if !title.is_empty() {
            output::print(title)?;
        }
        for Part { name, summary, source, .. } in parts {
            output::print(format!("{name:<10} {summary}\n{:<10} {source}", ""))?;
        }
    }
    let permutations: Vec<_> = PERMUTATIONS.iter().map(|(name, _)| *name).collect();
    output::print(format!("{:<10} permutations: {}", "", permutations.join(", ")))?;
    Ok(Status::Pass)
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
