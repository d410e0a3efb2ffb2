//! Counts what compaction forms, and what it could have formed.
//!
//! ```text
//!                      +--------------------+
//!  warp_formed ------->|                    |
//!  consulted, hit ---->| CompactionCounters |---> counter[i]
//!  path_* ------------>|                    |
//!                      +--------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp_formed`, `consulted`, `hit`, `path_*` | | from [`ThreadBlockCompaction`](crate::divergence::ThreadBlockCompaction) |
//! | `counter[i]` | 64 | see [`COMPACTION_COUNTERS`]; zero at reset, counting on from launch to launch |
//!
//! Latency 1. A *path* is a side of a branch that split a CTA-wide entry, counted when it starts to run. Compaction helps a path if it fills fewer warps than
//! came with threads for it. Every warp that diverged at the branch counts once for each path in the quality of the prediction: what was
//! predicted at the branch against what would have been right for the path. Rhu 2014, 4.5: Fig 4.13 to 4.17.
use crate::counters::Counter;
use crate::interface::CompactedPath;
use crate::prelude::*;

/// The counters, in order.
pub const COMPACTION_COUNTERS: &[Counter] = &[
    Counter::sum("warps_formed", "warps formed by the compaction unit"),
    Counter::sum("capt_hits", "diverging warps whose branch the predictor knew"),
    Counter::sum("capt_misses", "diverging warps whose branch it did not know"),
    Counter::sum("p_paths", "CTA-wide paths from divergent branches that do not depend on data"),
    Counter::sum("p_paths_compacted", "of these, paths that compaction helped"),
    Counter::sum("p_paths_compactable", "of these, paths that it would have helped if threads could change lanes"),
    Counter::sum("d_paths", "CTA-wide paths from divergent branches that depend on data"),
    Counter::sum("d_paths_compacted", "of these, paths that compaction helped"),
    Counter::sum("d_paths_compactable", "of these, paths that it would have helped if threads could change lanes"),
    Counter::sum("nw_no_tbc", "warps that came with threads, summed over all paths"),
    Counter::sum("nw_tbc", "warps that compaction fills, summed over all paths"),
    Counter::sum("nw_ideal", "warps that the threads fill if they can change lanes, summed over all paths"),
    Counter::sum("stall_stall", "predicted to gather, and compaction helped"),
    Counter::sum("stall_bypass", "predicted to gather, and it did not"),
    Counter::sum("bypass_stall", "predicted to bypass, and compaction would have helped"),
    Counter::sum("bypass_bypass", "predicted to bypass, and it would not"),
];

module! {
    /// See the [module documentation](self).
    pub struct CompactionCounters: clock, reset {
        pub warp_formed: Signal<In, Bit>,
        pub consulted: Signal<In, Bit>,
        pub hit: Signal<In, Bit>,
        pub path: CompactedPath<In> = CompactedPath::new(config.warps),
        pub counter: Vec<Net<Out>> = Net::vec(counters, 64),

        /// What each counter grows by.
        amounts: Vec<Net<Local>> = Net::vec(counters, 64),
        totals: Vec<Register> = Register::vec(counters, 64) => |i| { q: counter[i] },
        helped: Signal<Local, Bit>,
        would_help: Signal<Local, Bit>,
        gathered: Net<Local> = 64,
        bypassed: Net<Local> = 64,
    }
    sizes { _amount = 64 }
    /// The counters of a core.
    pub fn new(config: &CoreConfig) {
        let counters = COMPACTION_COUNTERS.len();
    }
}

impl Logic for CompactionCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CompactionCounters");
        self.helped.next = self.path.compacted.val() < self.path.arrived.val();
        self.would_help.next = self.path.ideal.val() < self.path.arrived.val();
        self.gathered.next = bit_cast_to(self.path.consulted.val() - self.path.bypassed.val(), self._amount);
        self.bypassed.next = bit_cast_to(self.path.bypassed.val(), self._amount);
        for i in 0..self.amounts.len() {
            self.amounts[i].next = 0.into();
        }
        self.amounts[0].next = bit_cast_to(self.warp_formed.val(), self._amount);
        self.amounts[1].next = bit_cast_to(self.consulted.val() & self.hit.val(), self._amount);
        self.amounts[2].next = bit_cast_to(self.consulted.val() & !self.hit.val(), self._amount);
        if self.path.valid.val() {
            if self.path.data_dependent.val() {
                self.amounts[6].next = 1.into();
                self.amounts[7].next = bit_cast_to(self.helped.val(), self._amount);
                self.amounts[8].next = bit_cast_to(self.would_help.val(), self._amount);
            } else {
                self.amounts[3].next = 1.into();
                self.amounts[4].next = bit_cast_to(self.helped.val(), self._amount);
                self.amounts[5].next = bit_cast_to(self.would_help.val(), self._amount);
            }
            self.amounts[9].next = bit_cast_to(self.path.arrived.val(), self._amount);
            self.amounts[10].next = bit_cast_to(self.path.compacted.val(), self._amount);
            self.amounts[11].next = bit_cast_to(self.path.ideal.val(), self._amount);
            if self.helped.val() {
                self.amounts[12].next = self.gathered.val();
                self.amounts[14].next = self.bypassed.val();
            } else {
                self.amounts[13].next = self.gathered.val();
                self.amounts[15].next = self.bypassed.val();
            }
        }
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val() + self.amounts[i].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `arrived compacted ideal consulted bypassed class`, the class `p`, `d` or `-` for no path.
    const PATHS: &str = "
        4 2 2 3 0 p     helped; three warps rightly gathered
        4 4 2 3 1 p     lanes are in the way
        3 3 3 2 2 d     two warps rightly bypassed
        3 2 2 2 2 d     and wrongly
        7 1 1 7 7 -     no path";

    #[test]
    fn classifies_paths() {
        let mut counters = CompactionCounters::new(&CoreConfig::small());
        counters.connect_all();
        simulate(&mut counters, 1000);
        for line in PATHS.trim().lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let number = |i: usize| words[i].parse::<usize>().unwrap().into();
            counters.path.arrived.next = number(0);
            counters.path.compacted.next = number(1);
            counters.path.ideal.next = number(2);
            counters.path.consulted.next = number(3);
            counters.path.bypassed.next = number(4);
            counters.path.valid.next = words[5] != "-";
            counters.path.data_dependent.next = words[5] == "d";
            counters.consulted.next = words[5] == "d";
            counters.hit.next = words[1] == "2";
            simulate(&mut counters, 1000);
            for _ in 0..2 {
                counters.clock.next = !counters.clock.val();
                simulate(&mut counters, 1000);
            }
        }
        let seen: Vec<u64> = counters.counter.iter().map(|counter| counter.val().value()).collect();
        assert_eq!(seen, [0, 1, 1, 2, 1, 2, 2, 1, 1, 14, 11, 9, 3, 2, 2, 3]);
    }
}
