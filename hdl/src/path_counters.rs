//! Counts the paths of a warp that could be scheduled, and what made and ended them.
//!
//! ```text
//!                            +--------------+
//!  issued, paths ----------->|              |
//!  pushed, suspended ------->| PathCounters |---> counter[i]
//!  subdivided, merged ------>|              |
//!                            +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `issued` | 1 | an instruction issues |
//! | `paths` | 1 to P | schedulable paths of its warp in this cycle |
//! | `pushed` | 1 | a divergent branch pushes a stack entry |
//! | `suspended` | 1 | a live path is suspended by the divergence of the other |
//! | `subdivided` | 1 | a warp is divided into warp-splits, or one of them again |
//! | `merged` | 1 | two warp-splits meet and go on as one |
//! | `counter[i]` | 64 | see [`PATH_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. `path_sum` over the warp instructions is the average number of schedulable paths, `Avg_Path`: Rhu 2014, eq. 3.1. A core
//! whose warps have one path has none of this.
use crate::counters::Counter;
use crate::prelude::*;

/// The counters, in order.
pub const PATH_COUNTERS: &[Counter] = &[
    Counter::sum("path_sum", "schedulable paths of the issuing warp, summed over warp instructions"),
    Counter::sum("pushes", "divergent branches that pushed a stack entry"),
    Counter::sum("suspensions", "live paths suspended by the divergence of the other"),
    Counter::sum("subdivisions", "divisions of a warp, or of a warp-split, into two"),
    Counter::sum("merges", "warp-splits that met another and went on as one"),
];

module! {
    /// See the [module documentation](self).
    pub struct PathCounters: clock, reset {
        pub issued: Signal<In, Bit>,
        pub paths: Net<In> = index_width(sides + 1),
        pub pushed: Signal<In, Bit>,
        pub suspended: Signal<In, Bit>,
        pub subdivided: Signal<In, Bit>,
        pub merged: Signal<In, Bit>,
        pub counter: Vec<Net<Out>> = Net::vec(counters, 64),

        /// What each counter grows by.
        amounts: Vec<Net<Local>> = Net::vec(counters, 64),
        totals: Vec<Register> = Register::vec(counters, 64) => |i| { q: counter[i] },
    }
    sizes { _amount = 64 }
    /// The counters of a core whose warps have `sides` paths.
    pub fn new(sides: usize) {
        let counters = PATH_COUNTERS.len();
    }
}

impl Logic for PathCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathCounters");
        self.amounts[0].next = 0.into();
        if self.issued.val() {
            self.amounts[0].next = bit_cast_to(self.paths.val(), self._amount);
        }
        self.amounts[1].next = bit_cast_to(self.pushed.val(), self._amount);
        self.amounts[2].next = bit_cast_to(self.suspended.val(), self._amount);
        self.amounts[3].next = bit_cast_to(self.subdivided.val(), self._amount);
        self.amounts[4].next = bit_cast_to(self.merged.val(), self._amount);
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val() + self.amounts[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `paths` of the issuing warp or `-`, then what happens, by its first letters.
    const EVENTS: &str = "
        1           one path
        1 push
        2           both sides
        - push susp one of them diverges; nobody issues
        2 subd
        2 subd merg
        - merg
        1 merg";

    #[test]
    fn sums_paths_and_counts_events() {
        let mut counters = PathCounters::new(2);
        counters.connect_all();
        simulate(&mut counters, 1000);
        for line in EVENTS.trim().lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            counters.issued.next = words[0] != "-";
            counters.paths.next = words[0].parse::<usize>().unwrap_or(3).into();
            counters.pushed.next = words.contains(&"push");
            counters.suspended.next = words.contains(&"susp");
            counters.subdivided.next = words.contains(&"subd");
            counters.merged.next = words.contains(&"merg");
            simulate(&mut counters, 1000);
            tick!(counters);
        }
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [9, 2, 1, 2, 3]);
    }
}
