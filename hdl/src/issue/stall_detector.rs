//! Which warps have had nothing to issue for a while.
//!
//! ```text
//!                 +---------------+
//!  candidates --->| StallDetector |---> stalled
//!                 +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `candidates` | W | warps with an instruction and no hazard, whether or not their unit can take it |
//! | `stalled` | W | warps that were not in any cycle of a period, nor since |
//!
//! Latency 1. State: 2 W bits and a counter.
//!
//! This is "stalled on a long-latency operation" for [`TwoLevel`](crate::config::SchedulerPolicy::TwoLevel). Time tells it without
//! knowing why: a cache miss, a division, a barrier, a gathering of the CTA's warps, a slot without a warp. A period, eight cycles
//! by default, is longer than whatever a warp does by itself (a branch takes 6, an L1 hit or a shared load 7 or 8, docs/reference/latency.md; of a
//! slower ALU the issue stage asks for longer periods), and the price of it, up to 15 cycles until a miss counts, is little beside its hundreds.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct StallDetector: clock, reset {
        pub candidates: Net<In> = warps,
        pub stalled: Net<Out> = warps,

        cycle: Register = Register::new(index_width(period)),
        /// Warps that were candidates since the period began.
        active: Register = Register::new(warps),
        /// Warps that were none in the last period, nor since.
        idle: Register = Register::new(warps) => { q: stalled },
        period_ends: Signal<Local, Bit>,
    }
    /// For `warps`; a period, a power of two, has so many cycles.
    pub fn new(warps: usize, period: usize) {
        assert!(period.is_power_of_two(), "the counter of its cycles wraps around");
    }
}

impl Logic for StallDetector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module StallDetector");
        self.cycle.d.next = self.cycle.q.val() + 1;
        self.period_ends.next = self.cycle.q.val().all();
        self.active.d.next = self.active.q.val() | self.candidates.val();
        self.idle.d.next = self.idle.q.val() & !self.candidates.val();
        if self.period_ends.val() {
            self.active.d.next = 0.into();
            self.idle.d.next = !(self.active.q.val() | self.candidates.val());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Periods end with cycles 7, 15, 23...
    #[test]
    fn a_whole_period_without_an_instruction() {
        (0..4).for_each(whole_periods);
    }

    /// The warps' parts go round by `turn`.
    fn whole_periods(turn: usize) {
        let mut detector = StallDetector::new(4, 8);
        detector.connect_all();
        simulate(&mut detector, 1000);
        let turned = |warps: usize| warps << turn & 0b1111 | warps >> (4 - turn);
        // Warp 0 always, warp 1 never, warp 2 every eighth cycle, warp 3 until cycle 10 and from 30 on.
        let candidates =
            |cycle: usize| 1 | ((cycle % 8 == 3) as usize) << 2 | ((!(11..30).contains(&cycle)) as usize) << 3;
        let expected = |cycle: usize| (((24..31).contains(&cycle) as usize) << 3) | (((cycle >= 8) as usize) << 1);
        for cycle in 0..50 {
            detector.candidates.next = turned(candidates(cycle)).into();
            simulate(&mut detector, 1000);
            assert_eq!(detector.stalled.val().index(), turned(expected(cycle)), "cycle {cycle}");
            tick!(detector);
        }
    }
}
