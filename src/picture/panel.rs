//! What is drawn of a run.
use std::ops::RangeInclusive;

use anyhow::{Result, ensure};

use super::BlockNames;

/// Cycles of a run, counted over all launches from 0 on, as the report's `cycles` counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first.
    pub from: u64,
    /// The last.
    pub to: u64,
}

impl Window {
    /// Cycles that are drawn if nobody says how many.
    pub const DEFAULT: u64 = 280;
    /// Cycles that fit in a picture, at a pixel each.
    pub const MOST: u64 = 2400;

    /// The window of `--from` and `--to`, not both of them absent.
    ///
    /// # Errors
    /// If it is empty or wider than a picture; the message says what to ask for instead.
    pub fn new(from: Option<u64>, to: Option<u64>) -> Result<Self> {
        let before = to.map_or(0, |to| (to + 1).saturating_sub(Self::DEFAULT));
        let from = from.unwrap_or(before);
        let to = to.unwrap_or(from + Self::DEFAULT - 1);
        ensure!(from <= to, "--to {to}: that is before --from {from}");
        let most = Self::MOST;
        ensure!(
            to - from < most,
            "--from {from} --to {to}: these are {} cycles, a picture shows up to {most}; ask for fewer, as in --from {from} --to {}",
            to - from + 1,
            from + most - 1
        );
        Ok(Self { from, to })
    }

    /// The window if nobody asks for one: from shortly before the first cycle with an idle lane, or from the start if all of that fits.
    pub fn around(first_idle_lane: Option<u64>) -> Self {
        let from = match first_idle_lane {
            Some(cycle) if cycle >= Self::DEFAULT / 2 => (cycle - 20) / 10 * 10,
            _ => 0,
        };
        Self { from, to: from + Self::DEFAULT - 1 }
    }

    /// All of its cycles.
    pub fn cycles(&self) -> RangeInclusive<u64> {
        self.from..=self.to
    }
}

/// A cycle that issues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// First address of the basic block.
    pub block: u32,
    /// For every lane, the number in its CTA of the thread that runs.
    pub threads: Vec<Option<usize>>,
}

/// A run, or a window of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// What runs, on what.
    pub title: String,
    /// Lanes of a warp.
    pub lanes: usize,
    /// Where the columns begin, and how far they could reach.
    pub window: Window,
    /// A cycle each, from the window's first on, up to the end of the run; nothing where nothing issues.
    pub columns: Vec<Option<Column>>,
    /// Cycles of the run, if it ended in the window.
    pub end: Option<u64>,
    /// Cycles in which launches begin, but for the first.
    pub launches: Vec<u64>,
    /// The blocks of the program.
    pub blocks: BlockNames,
}

impl Panel {
    /// Active lanes over all lanes, in the cycles that issue; none if none does.
    pub fn utilization(&self) -> Option<f64> {
        let issued = self.issued();
        let active: usize = issued.clone().map(|column| column.threads.iter().flatten().count()).sum();
        let lanes = issued.count() * self.lanes;
        (lanes > 0).then(|| active as f64 / lanes as f64)
    }

    /// The cycles that issue.
    pub fn issued(&self) -> impl Iterator<Item = &Column> + Clone {
        self.columns.iter().flatten()
    }

    /// The line above the panel.
    pub fn caption(&self) -> String {
        let Window { from, .. } = self.window;
        let (shown, issued) = (self.columns.len() as u64, self.issued().count());
        let cycles = match self.end {
            Some(end) if end <= from => return format!("{}: it has ended, after {end} cycles", self.title),
            Some(end) if from == 0 => format!("all {end} cycles"),
            Some(end) => format!("cycles {from} to {}, the last", end - 1),
            None => format!("cycles {from} to {}", (from + shown).saturating_sub(1)),
        };
        let busy = match self.utilization() {
            Some(share) => format!("{issued} issue, SIMD utilisation {:.1} %", 100.0 * share),
            None => "none issues".to_string(),
        };
        let launches = if self.launches.is_empty() { "" } else { "; launches begin at the lines" };
        format!("{}: {cycles}, {busy}{launches}", self.title)
    }
}
