//! Counts the sub-warps of large warps.
//!
//! ```text
//!             +-----------------+
//!  events --->| SubWarpCounters |---> counter[i]
//!             +-----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `events` | | see [`SubWarpEvents`] |
//! | `counter[i]` | 64 | see [`SUB_WARP_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. A core without large warps has none of this.
use crate::counters::Counter;
use crate::interface::SubWarpEvents;
use crate::prelude::*;

/// The counters, in order.
pub const SUB_WARP_COUNTERS: &[Counter] = &[
    Counter::sum("sub_warps_packed", "sub-warps of instructions whose threads are packed"),
    Counter::sum("sub_warps_ideal", "as many as these would be if any thread could go into any lane"),
    Counter::sum("sub_warps_row", "sub-warps that are a row: of memory instructions and ballots"),
    Counter::sum("jumps_at_once", "jumps that took one sub-warp for all threads"),
];

module! {
    /// See the [module documentation](self).
    pub struct SubWarpCounters: clock, reset {
        pub events: SubWarpEvents<In> = SubWarpEvents::new(warps),
        pub counter: Vec<Net<Out>> = Net::vec(SUB_WARP_COUNTERS.len(), 64),

        totals: Vec<Register> = Register::vec(SUB_WARP_COUNTERS.len(), 64) => |i| { q: counter[i] },
    }
    sizes { _amount = 64 }
    /// For `warps` warps.
    pub fn new(warps: usize) {}
}

impl Logic for SubWarpCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SubWarpCounters");
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val();
        }
        if self.events.packed.val() {
            self.totals[0].d.next = self.totals[0].q.val() + 1;
        }
        self.totals[1].d.next = self.totals[1].q.val() + bit_cast_to(self.events.ideal.val(), self._amount);
        if self.events.row.val() {
            self.totals[2].d.next = self.totals[2].q.val() + 1;
        }
        if self.events.at_once.val() {
            self.totals[3].d.next = self.totals[3].q.val() + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_each_kind() {
        let mut counters = SubWarpCounters::new(8);
        counters.connect_all();
        simulate(&mut counters, 1000);
        // packed, row, at once, ideal
        for (packed, row, at_once, ideal) in
            [(1, 0, 0, 3), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0), (1, 0, 0, 8), (0, 0, 1, 0)]
        {
            counters.events.packed.next = packed == 1;
            counters.events.row.next = row == 1;
            counters.events.at_once.next = at_once == 1;
            counters.events.ideal.next = Word::from(ideal as usize);
            tick!(counters);
        }
        simulate(&mut counters, 1000);
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [3, 11, 1, 2]);
    }
}
