//! Where GTKWave opens: on the first divergent branch in the waveform, with the signals that show it.
use std::path::PathBuf;

use anyhow::{Context, Result};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::counters::place;
use warploom_hdl::performance_counters::PERFORMANCE_COUNTERS;
use warploom_runtime::host::IssueTrace;
use warploom_sim::wave::{View, write_view};
use warploom_sim::{ObservedNet, Port, Simulator};

/// What a branch does, from the ports of the reconvergence unit and of the core.
const SIGNALS: [&str; 18] = [
    "core.divergence.resolve_valid",
    "core.divergence.resolve_warp",
    "core.divergence.resolve_kind",
    "core.divergence.resolve_mask",
    "core.divergence.resolve_taken",
    "core.divergence.resolve_target",
    "core.divergence.resolve_next_pc",
    "core.divergence.resolve_rpc",
    "core.divergence.depth",
    "core.divergence.fetch_valid",
    "core.divergence.fetch_warp",
    "core.divergence.fetch_pc",
    "core.divergence.fetch_mask",
    "core.issue_valid",
    "core.issue_warp",
    "core.issue_pc",
    "core.issue_mask",
    "core.debug_waiting",
];

/// Watches a run for something to open on. [`push`](Self::push) after every cycle.
pub struct FirstLook {
    /// With the waveform that each opens.
    save_files: Vec<(PathBuf, PathBuf)>,
    nets: Vec<ObservedNet>,
    trace: IssueTrace,
    divergent: Port,
    /// Divergent branches so far.
    counted: u64,
    /// First cycles in the waveform: of all, that issues, that resolves a divergent branch.
    opened: Option<u64>,
    issued: Option<u64>,
    diverged: Option<u64>,
}

impl FirstLook {
    /// Nothing yet. The save files show these nets.
    pub fn new(
        save_files: Vec<(PathBuf, PathBuf)>,
        nets: Vec<ObservedNet>,
        simulator: &Simulator,
        config: &CoreConfig,
    ) -> Self {
        let trace = IssueTrace::new(simulator, config);
        let divergent = trace.ports().counter[place(PERFORMANCE_COUNTERS, "divergent_branches")];
        let counted = simulator.get(divergent);
        Self { save_files, nets, trace, divergent, counted, opened: None, issued: None, diverged: None }
    }

    /// Adds the cycle just simulated; `is_open`: it is in the waveform.
    pub fn push(&mut self, simulator: &Simulator, cycle: u64, is_open: bool) {
        let counted = simulator.get(self.divergent);
        // A launch begins to count anew.
        let diverged = counted > std::mem::replace(&mut self.counted, counted);
        if !is_open || self.diverged.is_some() {
            return;
        }
        // The counter has it a cycle later.
        let resolved = cycle.saturating_sub(1);
        if let (true, Some(opened)) = (diverged, self.opened) {
            self.diverged = Some(resolved.max(opened));
        }
        self.opened.get_or_insert(cycle);
        if self.issued.is_none() && self.trace.issue(simulator).is_some() {
            self.issued = Some(cycle);
        }
    }

    /// Writes the save files anew: they open on the first divergent branch, without one on the first issue.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn finish(self) -> Result<()> {
        let name = if self.diverged.is_some() { "the first divergent branch" } else { "branches" };
        let first = SIGNALS.map(str::to_string).to_vec();
        let cycle = self.diverged.or(self.issued).or(self.opened);
        let view = View { cycle, first: Some((name.to_string(), first)) };
        for (save_file, dump) in &self.save_files {
            write_view(save_file, dump, &self.nets, &view)
                .with_context(|| format!("cannot write {}", save_file.display()))?;
        }
        Ok(())
    }
}
