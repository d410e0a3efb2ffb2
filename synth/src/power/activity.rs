//! What is counted while gates are at work.
use crate::gates::Gates;
use crate::gates::kind::Kind;

/// What happened while gates were at work.
#[derive(Clone, Debug, PartialEq)]
pub struct Activity {
    /// Clock cycles.
    pub cycles: u64,
    /// By net: how often it changed; of clocks nothing.
    pub(crate) toggles: Vec<u64>,
    /// By cell: how often each charge of its kind has counted, then cycles in each of its states at rest.
    counts: Vec<f64>,
    /// By cell, and the end: where its counts begin.
    first: Vec<u32>,
}

impl Activity {
    pub(super) fn new(gates: &Gates) -> Self {
        let mut first = vec![0];
        for cell in &gates.cells {
            let energy = &gates.kind(cell).energy;
            first.push(first[first.len() - 1] + (energy.charges.len() + energy.rests.len()) as u32);
        }
        let counts = vec![0.0; first[first.len() - 1] as usize];
        Self { cycles: 0, toggles: vec![0; gates.nets], counts, first }
    }

    /// Changes of all nets but clocks.
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

    pub(super) fn rest(&mut self, cell: usize, kind: &Kind, rest: u8, cycles: u64) {
        self.counts[self.first[cell] as usize + kind.energy.charges.len() + usize::from(rest)] += cycles as f64;
    }

    /// Counts of a cell: of its charges, and of its states at rest.
    pub(super) fn of(&self, cell: usize, kind: &Kind) -> (&[f64], &[f64]) {
        let counts = &self.counts[self.first[cell] as usize..self.first[cell + 1] as usize];
        counts.split_at(kind.energy.charges.len())
    }
}
