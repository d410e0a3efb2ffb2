//! What is counted while gates are at work.
use crate::gates::Gates;
use crate::gates::kind::Kind;

/// What happened while gates were at work.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// Clock cycles.
    pub cycles: u64,
    /// By net: how often it changed; of clocks nothing, unless they are gated.
    pub(crate) toggles: Vec<u64>,
    /// By cell: how often each charge of its kind has counted, then cycles in each of its states at rest, then how many of
    /// these ended with an edge of its clock.
    counts: Vec<f64>,
    /// By cell, and the end: where its counts begin.
    first: Vec<u32>,
}

impl Activity {
    pub(super) fn new(gates: &Gates) -> Self {
        let mut first = vec![0];
        for cell in &gates.cells {
            let energy = &gates.kind(cell).energy;
            first.push(first[first.len() - 1] + (energy.charges.len() + 2 * energy.rests.len()) as u32);
        }
        let counts = vec![0.0; first[first.len() - 1] as usize];
        Self { cycles: 0, toggles: vec![0; gates.nets], counts, first }
    }

    /// Changes of all nets but clocks that are not gated.
    pub fn toggles(&self) -> u64 {
        self.toggles.iter().sum()
    }

    pub(super) fn count(&mut self, cell: usize, shares: &[(u16, f32)]) {
        // Most transitions of logic cost nothing.
        if shares.is_empty() {
            return;
        }
        let first = self.first[cell] as usize;
        for &(charge, share) in shares {
            self.counts[first + usize::from(charge)] += f64::from(share);
        }
    }

    /// A state at rest has lasted.
    pub(super) fn rest(&mut self, cell: usize, kind: &Kind, rest: u8, lasted: Lasted) {
        let first = self.first[cell] as usize + kind.energy.charges.len() + usize::from(rest);
        self.counts[first] += lasted.halves as f64 / 2.0;
        self.counts[first + kind.energy.rests.len()] += lasted.edges as f64;
    }

    /// What has counted of a cell.
    pub(super) fn of(&self, cell: usize, kind: &Kind) -> Counts<'_> {
        let counts = &self.counts[self.first[cell] as usize..self.first[cell + 1] as usize];
        let (charges, rests) = counts.split_at(kind.energy.charges.len());
        let (cycles, edges) = rests.split_at(kind.energy.rests.len());
        Counts { charges, cycles, edges }
    }
}

/// A time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lasted {
    /// In halves of cycles: cells that read the clock have other states in the first than in the second.
    pub halves: u64,
    /// In edges of the clock of a cell; fewer if that is gated.
    pub edges: u64,
}

impl Lasted {
    pub fn since(self, begin: Self) -> Self {
        Self { halves: self.halves - begin.halves, edges: self.edges - begin.edges }
    }
}

/// Of one cell.
pub(super) struct Counts<'a> {
    /// By charge of its kind: how often.
    pub charges: &'a [f64],
    /// By state at rest: for how long.
    pub cycles: &'a [f64],
    /// By state at rest: with how many edges of its clock.
    pub edges: &'a [f64],
}
