//! `--eddy`: into how many warps the threads at each block are split, as the run goes on.
//!
//! Threads that fall behind the others may never meet them again: a *starvation eddy* (Fung & Aamodt 2011, Fig 1(a) and 2.3). Nothing hangs, every result is right, and what a whole run comes to hides it. It shows where the same
//! threads come to the same blocks in ever more warps. So the run is divided into tenths; in each, for every block, the warps that have come to it are set against those that their threads would fill.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{CycleCount, IssueTrace};
use warploom_runtime::loader::Program;
use warploom_sim::Engine;

/// Parts of a run that are told apart.
pub const PARTS: usize = 10;

/// Intervals that are kept, several for each part: how long a run takes is known when it has ended.
const INTERVALS: usize = 8 * PARTS;

/// Warps at blocks, by tenth of the run. Field names are part of the interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Eddy {
    /// Warps that have come to a block.
    pub warps: Vec<u64>,
    /// Warps that their threads would fill, block by block.
    pub needed: Vec<u64>,
}

impl Eddy {
    /// Warps for each that is needed, in a tenth of the run in which any has come to a block.
    pub fn split(&self, part: usize) -> Option<f64> {
        self.over(part..part + 1)
    }

    /// By how much more the threads are split in the second half of the run than in the first.
    pub fn growth(&self) -> Option<f64> {
        Some(self.over(PARTS / 2..PARTS)? / self.over(0..PARTS / 2)?)
    }

    fn over(&self, parts: std::ops::Range<usize>) -> Option<f64> {
        let sum = |counts: &[u64]| counts.get(parts.clone()).map(|counts| counts.iter().sum::<u64>() as f64);
        let (warps, needed) = (sum(&self.warps)?, sum(&self.needed)?);
        (needed > 0.0).then(|| warps / needed)
    }

    /// The line for people.
    pub fn line(&self) -> String {
        let part = |part| self.split(part).map_or("-".to_string(), |split| format!("{split:.2}"));
        let parts: Vec<String> = (0..PARTS).map(part).collect();
        format!(
            "\n  warps for each that the threads at a block would fill, by tenth of the run\n  {}",
            parts.join("  ")
        )
    }
}

/// What has come to a block.
#[derive(Clone, Copy, Debug, Default)]
struct Visits {
    warps: u64,
    threads: u64,
}

/// Visits by block, in intervals of equal length.
#[derive(Clone, Debug)]
struct History {
    /// Cycles.
    length: u64,
    intervals: Vec<BTreeMap<u32, Visits>>,
}

impl History {
    fn new() -> Self {
        Self { length: 1, intervals: Vec::new() }
    }

    /// A warp comes to a block.
    fn add(&mut self, cycle: u64, block: u32, threads: u64) {
        while cycle / self.length >= INTERVALS as u64 {
            self.length *= 2;
            self.intervals = self.intervals.chunks(2).map(merged).collect();
        }
        let interval = (cycle / self.length) as usize;
        if self.intervals.len() <= interval {
            self.intervals.resize(interval + 1, BTreeMap::new());
        }
        let visits = self.intervals[interval].entry(block).or_default();
        visits.warps += 1;
        visits.threads += threads;
    }

    /// By tenth of a run of so many cycles: an interval belongs to the part that its middle is in.
    fn parts(&self, cycles: u64, lanes: u64) -> Eddy {
        let middle = |interval: usize| self.length * interval as u64 + self.length / 2;
        let part_of = |interval: usize| ((middle(interval) * PARTS as u64 / cycles.max(1)) as usize).min(PARTS - 1);
        let part = |part: usize| {
            let own = (0..self.intervals.len()).filter(|&interval| part_of(interval) == part);
            merged(&own.map(|interval| self.intervals[interval].clone()).collect::<Vec<_>>())
        };
        let parts: Vec<_> = (0..PARTS).map(part).collect();
        let sum = |count: &dyn Fn(&Visits) -> u64| parts.iter().map(|part| part.values().map(count).sum()).collect();
        Eddy { warps: sum(&|visits| visits.warps), needed: sum(&|visits| visits.threads.div_ceil(lanes)) }
    }
}

fn merged(intervals: &[BTreeMap<u32, Visits>]) -> BTreeMap<u32, Visits> {
    let mut all: BTreeMap<u32, Visits> = BTreeMap::new();
    for (block, visits) in intervals.iter().flatten() {
        let sum = all.entry(*block).or_default();
        sum.warps += visits.warps;
        sum.threads += visits.threads;
    }
    all
}

/// Watches a run. [`push`](Self::push) after every cycle, as an observer of the device.
pub struct Recorder {
    trace: IssueTrace,
    program: Program,
    lanes: u64,
    count: CycleCount,
    cycles: u64,
    history: History,
}

impl Recorder {
    /// Nothing yet.
    pub fn new(engine: &impl Engine, config: &CoreConfig, program: Program) -> Self {
        let (trace, count) = (IssueTrace::new(engine, config), CycleCount::default());
        Self { trace, program, lanes: config.lanes as u64, count, cycles: 0, history: History::new() }
    }

    /// Adds the cycle just simulated: a warp whose first instruction of a block issues has come to it.
    pub fn push(&mut self, engine: &impl Engine) {
        let Some(cycle) = self.count.push(engine, self.trace.ports().busy) else { return };
        self.cycles = cycle + 1;
        let issue = self.trace.issue(engine).filter(|issue| self.program.block(issue.pc) == issue.pc);
        if let Some(issue) = issue {
            self.history.add(cycle, issue.pc, u64::from(issue.mask.count_ones()));
        }
    }

    /// What has been seen.
    pub fn finish(self) -> Eddy {
        self.history.parts(self.cycles, self.lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_split_where_its_threads_would_fill_fewer_warps() {
        let mut history = History::new();
        // Of four lanes: whole warps in the first half, halves of them in the second; and a block of a single thread.
        for cycle in 0..1000 {
            history.add(cycle, 0x10, if cycle < 500 { 4 } else { 2 });
        }
        history.add(999, 0x20, 1);
        let eddy = history.parts(1000, 4);
        assert_eq!((eddy.warps.len(), eddy.needed.len()), (PARTS, PARTS));
        assert_eq!(eddy.warps.iter().sum::<u64>(), 1001);
        assert_eq!((eddy.split(0), eddy.split(9).map(|split| split > 1.9)), (Some(1.0), Some(true)));
        assert!(eddy.growth().is_some_and(|growth| (1.8..=2.0).contains(&growth)), "{:?}", eddy.growth());
    }

    #[test]
    fn warps_that_come_one_after_the_other_need_not_be_one() {
        let mut history = History::new();
        // Three threads of four lanes, twice: two warps for six threads.
        history.add(0, 0x10, 3);
        history.add(0, 0x10, 3);
        let eddy = history.parts(1, 4);
        assert_eq!((eddy.warps.iter().sum::<u64>(), eddy.needed.iter().sum::<u64>()), (2, 2));
    }

    #[test]
    fn nothing_is_said_of_no_warps() {
        let eddy = History::new().parts(100, 4);
        assert_eq!((eddy.split(0), eddy.growth(), Eddy::default().growth()), (None, None, None));
        assert!(eddy.line().ends_with("-  -"), "{}", eddy.line());
    }
}
