//! Which cycles are written.
use crate::engine::{Bits, Simulator};

/// A range of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// No cycle before this one is written, or looked at for the trigger.
    pub from: u64,
    /// The last cycle that is written.
    pub to: Option<u64>,
    /// What starts it.
    pub trigger: Option<Trigger>,
}

/// A value that some bits must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Which bits.
    pub bits: Bits,
    /// The value.
    pub value: u64,
}

impl Window {
    /// Whether the window, not yet open, opens in `cycle`, which `simulator` has just stepped.
    pub fn opens(&self, simulator: &Simulator, cycle: u64) -> bool {
        cycle >= self.from
            && self.trigger.is_none_or(|trigger| trigger.bits.of(simulator.observed_words()) == trigger.value)
    }

    /// Whether `cycle` is past its end.
    pub fn is_past(&self, cycle: u64) -> bool {
        self.to.is_some_and(|to| cycle > to)
    }
}
