//! Divides time into the slots in which the core can issue.
//!
//! ```text
//!           +-----------------------+
//!           | 0, 1, .. interval - 1 |---> slot (at 0)
//!           +-----------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot` | 1 | an instruction may issue in this cycle |
//!
//! Latency 0. State: the cycle of the slot. A slot is the first of `issue_interval` cycles, so many as SIMD units of fewer lanes than a warp need for
//! one instruction: eight lanes take four cycles for a warp of 32 (Fung & Aamodt 2011, 5). Slots are counted from reset on, whether
//! or not anything issues. With one cycle a slot there is no state, and every cycle is one.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct IssueInterval: clock, reset {
        pub slot: Signal<Out, Bit>,

        /// One, or none if every cycle is a slot.
        cycle: Vec<Register> = Register::vec((interval > 1) as usize, width),
        last: Constant = Constant::new(interval as u64 - 1, width),
    }
    /// A slot in `interval` cycles.
    pub fn new(interval: usize) {
        let width = index_width(interval);
    }
}

impl Logic for IssueInterval {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module IssueInterval");
        self.slot.next = true;
        for i in 0..self.cycle.len() {
            self.slot.next = self.cycle[i].q.val() == 0;
            self.cycle[i].d.next = self.cycle[i].q.val() + 1;
            if self.cycle[i].q.val() == self.last.val() {
                self.cycle[i].d.next = 0.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From reset on, a 1 for every cycle that is a slot.
    fn slots(interval: usize, cycles: usize) -> String {
        let mut module = IssueInterval::new(interval);
        module.connect_all();
        simulate(&mut module, 100);
        let slot = |_| {
            let slot = module.slot.val();
            tick!(module);
            if slot { '1' } else { '.' }
        };
        (0..cycles).map(slot).collect()
    }

    #[test]
    fn the_first_cycle_of_each_interval_is_a_slot() {
        assert_eq!(slots(1, 6), "111111");
        assert_eq!(slots(2, 6), "1.1.1.");
        assert_eq!(slots(3, 8), "1..1..1.");
        assert_eq!(slots(4, 9), "1...1...1");
    }
}
