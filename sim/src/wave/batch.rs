//! What goes from the simulating thread to the writing thread.
use std::ops::Range;

/// Words that changed, cycle by cycle.
#[derive(Default)]
pub struct Batch {
    /// Cycles, with where their records end.
    cycles: Vec<(u64, usize)>,
    /// Of each record: which word.
    pub slots: Vec<u32>,
    /// And its new value.
    pub values: Vec<u64>,
}

impl Batch {
    /// Ends a cycle: its records are all that were added since the one before.
    pub fn end_cycle(&mut self, cycle: u64) {
        self.cycles.push((cycle, self.slots.len()));
    }

    /// Cycles with their records.
    pub fn cycles(&self) -> impl Iterator<Item = (u64, Range<usize>)> {
        let starts = std::iter::once(0).chain(self.cycles.iter().map(|&(_, end)| end));
        self.cycles.iter().zip(starts).map(|(&(cycle, end), start)| (cycle, start..end))
    }

    /// Numbers of cycles and records.
    pub fn len(&self) -> (usize, usize) {
        (self.cycles.len(), self.slots.len())
    }

    /// Makes it empty; it keeps its memory.
    pub fn clear(&mut self) {
        self.cycles.clear();
        self.slots.clear();
        self.values.clear();
    }
}
