//! Watches a run.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{CycleCount, IssueTrace};
use warploom_runtime::loader::Program;
use warploom_sim::Engine;

use super::{BlockNames, Column, Panel, Window};
use crate::workload::Workload;

/// Looks for the first cycle that issues to fewer lanes than there are.
pub struct FirstIdleLane {
    trace: IssueTrace,
    lanes: usize,
    count: CycleCount,
    cycle: u64,
    found: bool,
}

impl FirstIdleLane {
    /// Cycles in which it looks.
    const MOST: u64 = 100_000;

    /// Nothing yet.
    pub fn new(engine: &impl Engine, config: &CoreConfig) -> Self {
        let (trace, count) = (IssueTrace::new(engine, config), CycleCount::default());
        Self { trace, lanes: config.lanes, count, cycle: 0, found: false }
    }

    /// Adds the cycle just simulated. Whether it still looks.
    pub fn push(&mut self, engine: &impl Engine) -> bool {
        let counted = self.count.push(engine, self.trace.ports().busy);
        if let Some(cycle) = counted.filter(|_| !self.found) {
            self.cycle = cycle;
            let issue = self.trace.issue(engine);
            self.found = issue.is_some_and(|issue| (issue.mask.count_ones() as usize) < self.lanes);
        }
        !self.found && self.cycle < Self::MOST
    }

    /// The cycle, if there is one.
    pub fn found(&self) -> Option<u64> {
        self.found.then_some(self.cycle)
    }
}

/// Fills a panel. [`push`](Self::push) after every cycle, as an observer of the device.
pub struct Recorder {
    trace: IssueTrace,
    program: Program,
    count: CycleCount,
    next_launch: bool,
    /// Cycles so far.
    cycles: u64,
    panel: Panel,
}

impl Recorder {
    /// Nothing yet.
    pub fn new(engine: &impl Engine, config: &CoreConfig, title: String, workload: &Workload, window: Window) -> Self {
        let program = workload.program();
        let blocks = BlockNames::of(&program);
        let (columns, launches) = (vec![], vec![]);
        let panel = Panel { title, lanes: config.lanes, window, columns, end: None, launches, blocks };
        let (trace, count) = (IssueTrace::new(engine, config), CycleCount::default());
        Self { trace, program, count, next_launch: false, cycles: 0, panel }
    }

    /// Adds the cycle just simulated. Whether there is more to come that belongs into the window.
    pub fn push(&mut self, engine: &impl Engine) -> bool {
        self.next_launch |= engine.get(self.trace.ports().launch_start) == 1;
        if let Some(cycle) = self.count.push(engine, self.trace.ports().busy) {
            self.cycles = cycle + 1;
            let begins = std::mem::take(&mut self.next_launch);
            if self.panel.window.cycles().contains(&cycle) {
                if begins && cycle > 0 {
                    self.panel.launches.push(cycle);
                }
                let column = self.trace.issue(engine).map(|issue| Column {
                    block: self.program.block(issue.pc),
                    threads: self.trace.threads(engine, &issue),
                });
                self.panel.columns.push(column);
            }
        }
        self.cycles <= self.panel.window.to
    }

    /// The panel of a run that has ended, or of which no more is wanted.
    pub fn finish(self, ended: bool) -> Panel {
        Panel { end: (ended && self.cycles <= self.panel.window.to + 1).then_some(self.cycles), ..self.panel }
    }
}
