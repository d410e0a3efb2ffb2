//! Cycles that need not be stepped.
use super::Simulator;

impl Simulator {
    /// Whether nothing but counters has changed at the last clock edge, and no input since: [`skip`](Self::skip) may find something to skip.
    pub fn rests(&self) -> bool {
        self.instance.rests()
    }

    /// Instead of at most `most` cycles with the inputs as they are, changes the state as they would; how many these were, 0 unless it [rests](Self::rests).
    ///
    /// Ports and observed nets are not brought up to date before the next [`step`](Self::step), which is as if all had been stepped. What an output shows in them is what it has shown in the cycles
    /// stepped while nothing has changed, unless it shows a counter or what runs free: who acts upon an output in such a cycle calls [`disturb`](Self::disturb).
    pub fn skip(&mut self, most: u64) -> u64 {
        self.instance.skip(most)
    }

    /// Something outside has acted upon the last cycle: that nothing else was to be done in it does not say so of others.
    pub fn disturb(&mut self) {
        self.instance.disturb();
    }
}
