//! `--trace`: how every branch of the program has diverged.
use std::collections::BTreeMap;

use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{ControlTrace, Decision};
use warploom_runtime::loader::Program;
use warploom_sim::Simulator;

use super::listing;

/// A conditional branch that was executed. Field names are part of the interface; docs/reference/metrics.md defines them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BranchReport {
    /// Address.
    pub pc: u32,
    /// The address as people read it.
    pub place: String,
    /// Source file and line, if the ELF tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// `P` (programmatic) or `D` (depends on data).
    pub class: String,
    /// Where its sides meet; nowhere if they do so only when their threads end.
    pub reconverges_at: Option<u32>,
    /// Warps that executed it.
    pub executed: u64,
    /// Of these, warps whose lanes went both ways.
    pub diverged: u64,
    /// Mean active lanes of these warps.
    pub active: f64,
    /// Of these, mean lanes that took it.
    pub taken: f64,
    /// And those that did not.
    pub not_taken: f64,
    /// Only of a mechanism that compacts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compaction: Option<Compaction>,
}

/// What compaction did at a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compaction {
    /// Warps that gathered.
    pub gathered: u64,
    /// Warps that went ahead by themselves.
    pub bypassed: u64,
    /// Warps that went on, since the branch is marked uniform.
    pub passed: u64,
    /// Sides of the branch, CTA-wide, where it diverged.
    pub paths: u64,
    /// Of these, sides for which compaction fills fewer warps than came.
    pub paths_compacted: u64,
    /// Warps that came, summed over the sides.
    pub warps_arrived: u64,
    /// Warps that compaction fills, summed over the sides.
    pub warps_compacted: u64,
}

#[derive(Default)]
struct Counts {
    executed: u64,
    diverged: u64,
    active: u64,
    taken: u64,
    compaction: Compaction,
}

/// Counts while the core runs.
pub struct Branches {
    program: Program,
    shows_compaction: bool,
    counts: BTreeMap<u32, Counts>,
}

impl Branches {
    /// None yet.
    pub fn new(program: Program, config: &CoreConfig) -> Self {
        Self { program, shows_compaction: ControlTrace::shows_compaction(config), counts: BTreeMap::new() }
    }

    /// Adds the cycle just simulated.
    pub fn push(&mut self, control: &ControlTrace, simulator: &Simulator) {
        if let Some(branch) = control.branch(simulator) {
            let counts = self.counts.entry(branch.pc).or_default();
            counts.executed += 1;
            counts.diverged += u64::from(branch.diverges());
            counts.active += u64::from(branch.mask.count_ones());
            counts.taken += u64::from(branch.taken.count_ones());
        }
        if let Some(served) = control.served(simulator) {
            let compaction = &mut self.counts.entry(served.pc).or_default().compaction;
            *match served.decision {
                Decision::Gathers => &mut compaction.gathered,
                Decision::Bypasses => &mut compaction.bypassed,
                Decision::Passes => &mut compaction.passed,
            } += 1;
        }
        if let Some(path) = control.path(simulator) {
            let compaction = &mut self.counts.entry(path.pc).or_default().compaction;
            compaction.paths += 1;
            compaction.paths_compacted += u64::from(path.compacted < path.arrived);
            compaction.warps_arrived += path.arrived;
            compaction.warps_compacted += path.compacted;
        }
    }

    /// All that were executed, in the order of their addresses.
    pub fn finish(self) -> Vec<BranchReport> {
        let report = |(&pc, counts): (&u32, &Counts)| {
            let annotation = self.program.annotation(pc as usize / 4);
            let mean = |sum: u64| if counts.executed == 0 { 0.0 } else { sum as f64 / counts.executed as f64 };
            BranchReport {
                pc,
                place: self.program.place(pc).to_string(),
                line: self.program.lines.line(pc).map(|(file, line)| format!("{file}:{line}")),
                class: if annotation.data_dependent { "D" } else { "P" }.to_string(),
                reconverges_at: annotation.rpc,
                executed: counts.executed,
                diverged: counts.diverged,
                active: mean(counts.active),
                taken: mean(counts.taken),
                not_taken: mean(counts.active - counts.taken),
                compaction: self.shows_compaction.then(|| counts.compaction.clone()),
            }
        };
        self.counts.iter().map(report).collect()
    }
}

/// The listing for people.
pub fn table(branches: &[BranchReport]) -> String {
    if branches.is_empty() {
        return "\n  no branch was executed".to_string();
    }
    let (lines, compacts) =
        (branches.iter().any(|b| b.line.is_some()), branches.iter().any(|b| b.compaction.is_some()));
    let mut table = Table::new();
    let mut header = vec!["branch"];
    header.extend(lines.then_some("line"));
    header.extend(["class", "meets at", "executed", "diverged", "active", "taken", "not taken"]);
    if compacts {
        header.extend(["gathered", "bypassed", "passed", "sides", "compacted"]);
    }
    table.load_preset(NOTHING).set_header(header);
    for branch in branches {
        let mut row = vec![branch.place.clone()];
        row.extend(lines.then(|| branch.line.clone().unwrap_or_default()));
        row.extend([branch.class.clone(), branch.reconverges_at.map_or("exit".to_string(), |pc| format!("{pc:#x}"))]);
        row.extend([branch.executed, branch.diverged].map(|count| count.to_string()));
        row.extend([branch.active, branch.taken, branch.not_taken].map(|mean| format!("{mean:.2}")));
        if let Some(Compaction { gathered, bypassed, passed, paths, paths_compacted, .. }) = &branch.compaction {
            row.extend([gathered, bypassed, passed, paths, paths_compacted].map(|count| count.to_string()));
        }
        table.add_row(row);
    }
    let texts = if lines { 4 } else { 3 };
    table.column_iter_mut().skip(texts).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    format!("\n  branches: warps that executed them, and mean lanes of a warp\n{}", listing(table))
}
