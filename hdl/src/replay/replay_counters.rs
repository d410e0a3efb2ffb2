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
//! | `check_warp`, `check_slot`, `check_first`, `check_done` | w, s, 1, 1 | which, whether for the first time, and whether none are left, see [`LookHistogram`] |
//! | `golden` | 1 | all others wait for one load |
//! | `counter[i]` | 64 | see [`REPLAY_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. A core that does not issue loads again has none of this.
use super::{LOOK_GROUPS, LookHistogram};
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
    Counter::sum("done_at_once", "loads that were done after one look"),
    Counter::sum("done_after_2", "loads that were done after two"),
    Counter::sum("done_after_4", "loads that were done after three or four"),
    Counter::sum("done_after_8", "loads that were done after five to eight"),
    Counter::sum("done_later", "loads that were done after more"),
];

module! {
    /// See the [module documentation](self).
    pub struct ReplayCounters: clock, reset {
        pub issued_again: Signal<In, Bit>,
        pub check_valid: Signal<In, Bit>,
        pub check_hazard: Signal<In, LookHazard>,
        pub check_warp: Net<In> = config.warp_width(),
        pub check_slot: Net<In> = config.buffer_slot_width(),
        pub check_first: Signal<In, Bit>,
        pub check_done: Signal<In, Bit>,
        pub golden: Signal<In, Bit>,
        pub counter: Vec<Net<Out>> = Net::vec(REPLAY_COUNTERS.len(), 64),

        histogram: LookHistogram = LookHistogram::new(config.warps, config.warp_buffer) => {
            check_valid, check_warp, check_slot, check_first, check_done,
        },
        counts: Net<Local> = REPLAY_COUNTERS.len(),
        totals: Vec<Register> = Register::vec(REPLAY_COUNTERS.len(), 64) => |i| { q: counter[i] },
    }
    sizes { _look_groups = LOOK_GROUPS }
    /// The counters of a core.
    pub fn new(config: &CoreConfig) {}
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
        for i in 0..self._look_groups {
            self.counts.next = self.counts.val().replace_bit(9 + i, self.histogram.ended.val().get_bit(i));
        }
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
    use crate::config::MemoryPath;

    #[test]
    fn each_look_is_counted_once() {
        let config = CoreConfig { warp_buffer: 4, memory_path: MemoryPath::Replay, ..CoreConfig::tiny() };
        let mut counters = ReplayCounters::new(&config);
        counters.connect_all();
        simulate(&mut counters, 1000);
        use LookHazard::*;
        // A look, at which of four loads, an issue again, golden.
        let mut begun = [false; 4];
        for (look, load, again, golden) in [
            (Some(None), 0, false, false),
            (Some(Divergence), 1, true, false),
            (Some(Divergence), 2, false, false),
            (Option::None, 0, true, true),
            (Some(Bank), 3, false, true),
            (Some(Mshr), 3, true, true),
            (Some(Queue), 2, false, false),
            (Some(Queue), 2, false, false),
            (Some(Reserved), 3, false, false),
            (Some(Reserved), 2, false, false),
            (Some(Reserved), 2, false, false),
            (Some(Stall), 2, false, false),
            (Some(None), 1, true, false),
            (Some(None), 2, true, false),
            (Some(None), 3, true, false),
            (Some(None), 0, false, false),
            (Some(None), 1, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(Mshr), 3, false, false),
            (Some(None), 3, false, false),
        ] {
            counters.check_warp.next = (load % 2).into();
            counters.check_slot.next = (load / 2).into();
            counters.check_first.next = look.is_some() && !begun[load];
            counters.check_done.next = look == Some(None);
            if look.is_some() {
                begun[load] = look != Some(None);
            }
            counters.check_valid.next = look.is_some();
            counters.check_hazard.next = look.unwrap_or(Divergence);
            counters.issued_again.next = again;
            counters.golden.next = golden;
            tick!(counters);
        }
        simulate(&mut counters, 1000);
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [25, 6, 2, 1, 9, 2, 3, 1, 3, 3, 1, 1, 1, 1]);
    }
}
