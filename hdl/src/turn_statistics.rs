//! Counts why turns of threads end, and what comes of it.
//!
//! ```text
//!               +----------------+
//!  turns ------>| TurnStatistics |---> counter[i]
//!  groups ----->|                |
//!               +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `turns`, `groups` | | see [`TurnEvents`], [`GroupEvents`] |
//! | `counter[i]` | 64 | see [`TURN_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. A core whose threads take no turns has none of this.
use crate::counters::Counter;
use crate::interface::{GroupEvents, TurnEvents};
use crate::prelude::*;

/// The counters, in order.
pub const TURN_COUNTERS: &[Counter] = &[
    Counter::sum("spin_turns", "turns that ended after so many trips round a loop that may wait for other threads"),
    Counter::sum("quantum_turns", "turns that ended after so many instructions"),
    Counter::sum("breaks", "groups of threads that stopped waiting for others to reconverge with them"),
    Counter::sum("released_early", "threads in these groups"),
    Counter::sum("rotations", "turns after which other threads of the warp ran"),
    Counter::sum("full_barriers", "divergent branches that found no convergence barrier"),
    Counter::sum("groups", "groups of threads formed, all at one PC"),
    Counter::sum("merged_threads", "threads that joined a group which had run without them"),
];

module! {
    /// See the [module documentation](self).
    pub struct TurnStatistics: clock, reset {
        pub turns: TurnEvents<In> = TurnEvents::new(lanes),
        pub groups: GroupEvents<In> = GroupEvents::new(lanes),
        pub counter: Vec<Net<Out>> = Net::vec(TURN_COUNTERS.len(), 64),

        /// What each counter grows by.
        amounts: Vec<Net<Local>> = Net::vec(TURN_COUNTERS.len(), 64),
        totals: Vec<Register> = Register::vec(TURN_COUNTERS.len(), 64) => |i| { q: counter[i] },
    }
    sizes { _amount = 64 }
    /// For warps of `lanes` threads.
    pub fn new(lanes: usize) {}
}

impl Logic for TurnStatistics {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TurnStatistics");
        self.amounts[0].next = bit_cast_to(self.turns.ended_by_spin.val(), self._amount);
        self.amounts[1].next = bit_cast_to(self.turns.ended_by_quantum.val(), self._amount);
        self.amounts[2].next = bit_cast_to(self.turns.breaks.val(), self._amount);
        self.amounts[3].next = 0.into();
        if self.turns.breaks.val() {
            self.amounts[3].next = bit_cast_to(self.turns.released.val(), self._amount);
        }
        self.amounts[4].next = bit_cast_to(self.turns.rotates.val(), self._amount);
        self.amounts[5].next = bit_cast_to(self.groups.full.val(), self._amount);
        self.amounts[6].next = bit_cast_to(self.groups.forms.val(), self._amount);
        self.amounts[7].next = bit_cast_to(self.groups.merged.val(), self._amount);
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val() + self.amounts[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: what happens, `breaks` with the threads released.
    const EVENTS: &str = "
        spin
        breaks:3
        breaks:1
        rotates
        quantum
        rotates
        quantum
        -
        quantum breaks:4
        full
        forms merged:3
        full forms merged:2
        forms";

    #[test]
    fn counts_turns_and_threads() {
        let mut statistics = TurnStatistics::new(4);
        statistics.connect_all();
        simulate(&mut statistics, 1000);
        for line in EVENTS.trim().lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.parse::<usize>().ok());
            let released = number("breaks:");
            statistics.groups.full.next = words.contains(&"full");
            statistics.groups.forms.next = words.contains(&"forms");
            statistics.groups.merged.next = number("merged:").unwrap_or(0).into();
            statistics.turns.ended_by_spin.next = words.contains(&"spin");
            statistics.turns.ended_by_quantum.next = words.contains(&"quantum");
            statistics.turns.breaks.next = released.is_some();
            statistics.turns.released.next = released.unwrap_or(2).into();
            statistics.turns.rotates.next = words.contains(&"rotates");
            simulate(&mut statistics, 1000);
            tick!(statistics);
        }
        let seen: Vec<u64> = statistics.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [1, 3, 3, 8, 2, 2, 3, 5]);
    }
}
