//! Counts the looks at loads, and what threads were left for (Turner 2012, section 3.1).
//!
//! ```text
//!                  +----------------+
//!  issued_again -->|                |
//!  check_* ------->| ReplayCounters |---> counter[i]
//!  golden -------->|                |
//!                  +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issued_again` | 1 | an instruction issues that has issued before |
//! | `check_valid`, `check_hazard` | 1, | a load has been looked at, and threads of it are left for this |
//! | `golden` | 1 | all others wait for one load |
//! | `counter[i]` | 64 | see [`REPLAY_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. A core that does not issue loads again has none of this.
use crate::counters::Counter;
use crate::interface::LookHazard;
use crate::prelude::*;

/// The counters, in order.
pub const REPLAY_COUNTERS: &[Counter] = &[
    Counter::sum("looks", "looks at loads"),
    Counter::sum("issued_again", "loads issued again: issue slots beside those of warp instructions"),
    Counter::sum("left_for_divergence", "looks that left threads of another line, or of the other memory"),
    Counter::sum("left_for_bank", "looks that left threads of another row of a bank of shared memory"),
    Counter::sum("left_for_mshr", "looks at a line that missed, with no MSHR free"),
    Counter::sum("left_for_queue", "looks at a line that missed, with no place in the queue of requests"),
    Counter::sum("left_for_line", "looks at a line that missed, with every line of its set waiting for data"),
    Counter::sum("left_for_stage", "looks while the next stage was not free"),
    Counter::sum("golden_cycles", "cycles in which all others waited for a load that had failed too often"),
];

module! {
    /// See the [module documentation](self).
    pub struct ReplayCounters: clock, reset {
        pub issued_again: Signal<In, Bit>,
        pub check_valid: Signal<In, Bit>,
        pub check_hazard: Signal<In, LookHazard>,
        pub golden: Signal<In, Bit>,
        pub counter: Vec<Net<Out>> = Net::vec(REPLAY_COUNTERS.len(), 64),

        counts: Net<Local> = REPLAY_COUNTERS.len(),
        totals: Vec<Register> = Register::vec(REPLAY_COUNTERS.len(), 64) => |i| { q: counter[i] },
    }
    /// The counters of a core.
    pub fn new() {}
}

impl Logic for ReplayCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ReplayCounters");
        // By the order of REPLAY_COUNTERS.
        self.counts.next = 0.into();
        self.counts.next = self.counts.val().replace_bit(0, self.check_valid.val());
        self.counts.next = self.counts.val().replace_bit(1, self.issued_again.val());
        self.counts.next = self
            .counts
            .val()
            .replace_bit(2, self.check_valid.val() & (self.check_hazard.val() == LookHazard::Divergence));
        self.counts.next =
            self.counts.val().replace_bit(3, self.check_valid.val() & (self.check_hazard.val() == LookHazard::Bank));
        self.counts.next =
            self.counts.val().replace_bit(4, self.check_valid.val() & (self.check_hazard.val() == LookHazard::Mshr));
        self.counts.next =
            self.counts.val().replace_bit(5, self.check_valid.val() & (self.check_hazard.val() == LookHazard::Queue));
        self.counts.next = self
            .counts
            .val()
            .replace_bit(6, self.check_valid.val() & (self.check_hazard.val() == LookHazard::Reserved));
        self.counts.next =
            self.counts.val().replace_bit(7, self.check_valid.val() & (self.check_hazard.val() == LookHazard::Stall));
        self.counts.next = self.counts.val().replace_bit(8, self.golden.val());
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val();
            if self.counts.val().get_bit(i) {
                self.totals[i].d.next = self.totals[i].q.val() + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_look_is_counted_once() {
        let mut counters = ReplayCounters::new();
        counters.connect_all();
        simulate(&mut counters, 1000);
        use LookHazard::*;
        // A look, an issue again, golden.
        for (look, again, golden) in [
            (Some(None), false, false),
            (Some(Divergence), true, false),
            (Some(Divergence), false, false),
            (Option::None, true, true),
            (Some(Bank), false, true),
            (Some(Mshr), true, true),
            (Some(Queue), false, false),
            (Some(Queue), false, false),
            (Some(Reserved), false, false),
            (Some(Reserved), false, false),
            (Some(Reserved), false, false),
            (Some(Stall), false, false),
        ] {
            counters.check_valid.next = look.is_some();
            counters.check_hazard.next = look.unwrap_or(Divergence);
            counters.issued_again.next = again;
            counters.golden.next = golden;
            tick!(counters);
        }
        simulate(&mut counters, 1000);
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [11, 3, 2, 1, 1, 2, 3, 1, 3]);
    }
}
