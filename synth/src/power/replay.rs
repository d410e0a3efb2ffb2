//! Gates, cycle by cycle.
use crate::gates::Gates;

/// Gates at work. Time advances by clock cycles; within one every net changes at most once, so that glitches are not
/// seen.
pub struct Replay<'a> {
    _gates: &'a Gates,
}

/// What happened while gates were at work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Clock cycles.
    pub cycles: u64,
}

impl<'a> Replay<'a> {
    /// Begins with registers and inputs at 0.
    pub fn new(gates: &'a Gates) -> Self {
        Self { _gates: gates }
    }

    /// One clock cycle. `inputs` are the values of [`Gates::inputs`], each [`words`](crate::gates::Port::words) long, the low word
    /// first. The clock edge is at the end of the cycle.
    pub fn cycle(&mut self, _inputs: &[u64]) {}

    /// Value of an output of [`Gates::outputs`] in the last cycle, settled, before the clock edge; low word first.
    pub fn output(&self, _output: usize) -> Vec<u64> {
        vec![]
    }

    /// Goes on with the state as it is, but what happened until now does not count: it was reset and loading.
    pub fn forget(&mut self) {}

    /// What happened until now.
    pub fn activity(&self) -> Activity {
        Activity::default()
    }
}
