//! Counts where the cycles go.
//!
//! ```text
//!                    +---------------------+
//!  busy, issue_* --->|                     |---> counter[i], counter_issued[b]
//!  why nothing  --->| PerformanceCounters |
//!  event pulses  --->|                     |
//!                    +---------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `busy` | 1 | a launch is running: a cycle to count |
//! | `issue_slot` | 1 | an instruction could issue in this cycle, from [`IssueStage`](crate::issue::IssueStage) |
//! | `issue_valid`, `issue_mask` | 1, L | an instruction issued (OPERAND stage) |
//! | `issue_again` | 1 | where loads are issued again (Vec of one): it has issued before, and counts in `counter_issued` alone |
//! | `sub_warp_events` | | where there are large warps (Vec of one): whose instruction it was, see [`SubWarpEvents`] |
//! | `blocked_any` | 1 | an instruction without hazards was refused by its unit (in the cycle of the missed issue) |
//! | `memory_idle` | 1 | the load/store unit holds nothing |
//! | `waiting_any` | 1 | some warp waits at a barrier |
//! | `gathering_any` | 1 | some warp waits for others of its CTA, to be compacted or to go on |
//! | `l1_access`, `l1_miss` | 1 or 2 | events, as many as the L1 has ports at most |
//! | `shared_conflict`, `transaction`, `cta_start` | 1 | events |
//! | `resolve_*` | | a control instruction resolves, from [`BranchUnit`](crate::execute::BranchUnit) and its annotation |
//! | `depth` | d | entries in use of the stack written this cycle |
//! | `resident_ctas` | c+1 | CTAs resident now |
//! | `counter[i]` | 64 | see [`PERFORMANCE_COUNTERS`]; zero at reset, counting on from launch to launch |
//! | `counter_issued[b]` | 64 | cycles that issued with so many active lanes that they fall into bucket b, likewise |
//!
//! Latency: counts are visible two cycles after the event (issue is observed in the OPERAND stage, so the reasons for
//! not issuing are delayed by a cycle to match). Every issue slot of a `busy` cycle adds to exactly one of `counter_issued[b]`, `stall`, `compaction`,
//! `idle_memory`, `barrier` and `idle_other`. Fung & Aamodt 2011, Fig 13; Rhu 2014, 4.5.
//! A divergent branch is *interleavable* if neither of its sides starts at the reconvergence point: Rhu 2014, 3.3.3.1.
use crate::counters::counters;
use crate::interface::{ControlKind, Resolve, SubWarpEvents};
use crate::prelude::*;

counters! {
    /// The counters that every core has, in order.
    PERFORMANCE_COUNTERS,
    /// What they have counted.
    PerformanceCounts:
    sum cycles "core cycles of all launches";
    sum warp_instructions "warp instructions issued";
    sum thread_instructions "active threads, summed over issued warp instructions";
    sum stall "issue slots in which an instruction without hazards waited for its unit";
    sum compaction "issue slots in which nothing could issue and warps waited for others of their CTA";
    sum idle_memory "issue slots in which nothing could issue and memory was outstanding";
    sum barrier "issue slots in which nothing could issue and warps waited at a barrier";
    sum idle_other "other issue slots in which nothing could issue: dependences, control, launch";
    sum l1_accesses "line accesses of the L1, after coalescing";
    sum l1_misses "of these, loads that missed";
    sum shared_conflicts "cycles lost to bank conflicts in shared memory";
    sum memory_transactions "requests to memory beyond L1";
    sum ctas "CTAs that have started";
    sum divergent_branches "branches whose lanes went both ways";
    sum interleavable_branches "of these, those neither of whose sides starts at the reconvergence point";
    max stack_max_depth "most entries in use in one reconvergence stack";
    max resident_ctas_max "most CTAs resident at once";
}

module! {
    /// See the [module documentation](self).
    pub struct PerformanceCounters: clock, reset {
        pub busy: Signal<In, Bit>,
        pub issue_slot: Signal<In, Bit>,
        pub issue_valid: Signal<In, Bit>,
        pub issue_mask: Net<In> = config.lanes,
        /// Where loads are issued again (one, else none): it has issued before.
        pub issue_again: Vec<Net<In>> = Net::vec(config.of_replay(), 1),
        /// Where there are large warps: one, else none.
        pub sub_warp_events: Vec<SubWarpEvents<In>> = (0..config.of_large_warps()).map(|_| SubWarpEvents::new(config.warps)).collect(),
        pub blocked_any: Signal<In, Bit>,
        pub memory_idle: Signal<In, Bit>,
        pub waiting_any: Signal<In, Bit>,
        pub gathering_any: Signal<In, Bit>,
        pub l1_access: Net<In> = index_width(config.l1_ports + 1),
        pub l1_miss: Net<In> = index_width(config.l1_ports + 1),
        pub shared_conflict: Signal<In, Bit>,
        pub transaction: Signal<In, Bit>,
        pub cta_start: Signal<In, Bit>,
        pub resolve: Resolve<In> = Resolve::of(config),
        pub depth: Net<In> = index_width(config.stack_depth + 1),
        pub resident_ctas: Net<In> = config.slot_width() + 1,
        pub counter: Vec<Net<Out>> = Net::vec(PERFORMANCE_COUNTERS.len(), 64),
        pub counter_issued: Vec<Net<Out>> = Net::vec(buckets, 64),

        busy_before: StateRegister<Bit> => { d: busy, q: counting },
        slot_before: StateRegister<Bit> => { d: issue_slot },
        blocked_before: StateRegister<Bit> => { d: blocked_any },
        memory_idle_before: StateRegister<Bit> => { d: memory_idle },
        waiting_before: StateRegister<Bit> => { d: waiting_any },
        gathering_before: StateRegister<Bit> => { d: gathering_any },
        totals: Vec<Register> = Register::vec(PERFORMANCE_COUNTERS.len(), 64) => |i| { q: counter[i] },
        issued: Vec<Register> = Register::vec(buckets, 64) => |b| { q: counter_issued[b] },

        active: Popcount = Popcount::new(config.lanes) => { value: issue_mask, count: active_lanes },
        active_lanes: Net<Local> = count,
        bucket: Net<Local> = count,
        lanes_per_bucket_log2: Constant = Constant::new((config.lanes / buckets).ilog2() as u64, count),
        counting: Signal<Local, Bit>,
        divergent: Signal<Local, Bit>,
        /// A side of the branch starts where it ends.
        empty_side: Signal<Local, Bit>,
    }
    /// The counters of a core.
    pub fn new(config: &CoreConfig) {
        let buckets = issue_buckets(config.lanes);
        let count = index_width(config.lanes + 1);
    }
}

/// Buckets of the issue-slot breakdown: eight, or one a lane below eight lanes.
pub fn issue_buckets(lanes: usize) -> usize {
    lanes.min(8)
}

impl Logic for PerformanceCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PerformanceCounters");

        // 1..L active lanes fall into buckets 0..: (active - 1) / lanes per bucket.
        self.bucket.next = (self.active_lanes.val() - 1) >> self.lanes_per_bucket_log2.val();
        for i in 0..self.totals.len() {
            self.totals[i].d.next = self.totals[i].q.val();
        }
        // Counters have no names in here: what follows goes by the order of PERFORMANCE_COUNTERS.
        if self.counting.val() {
            self.totals[0].d.next = self.totals[0].q.val() + 1;
        }
        for b in 0..self.issued.len() {
            self.issued[b].d.next = self.issued[b].q.val();
            if self.counting.val() & self.issue_valid.val() & (self.bucket.val() == b) {
                self.issued[b].d.next = self.issued[b].q.val() + 1;
            }
        }
        if self.counting.val() & self.issue_valid.val() {
            self.totals[1].d.next = self.totals[1].q.val() + 1;
            self.totals[2].d.next = self.totals[2].q.val() + bit_cast_to(self.active_lanes.val(), 64);
            // A jump of a large warp is of more threads than lanes.
            for i in 0..self.sub_warp_events.len() {
                if self.sub_warp_events[i].at_once.val() {
                    self.totals[2].d.next = self.totals[2].q.val() + self.sub_warp_events[i].threads.val();
                }
            }
            for r in 0..self.issue_again.len() {
                if self.issue_again[r].val().any() {
                    self.totals[1].d.next = self.totals[1].q.val();
                    self.totals[2].d.next = self.totals[2].q.val();
                }
            }
        }
        if self.counting.val() & self.slot_before.q.val() & !self.issue_valid.val() {
            if self.blocked_before.q.val() {
                self.totals[3].d.next = self.totals[3].q.val() + 1;
            } else if self.gathering_before.q.val() {
                self.totals[4].d.next = self.totals[4].q.val() + 1;
            } else if !self.memory_idle_before.q.val() {
                self.totals[5].d.next = self.totals[5].q.val() + 1;
            } else if self.waiting_before.q.val() {
                self.totals[6].d.next = self.totals[6].q.val() + 1;
            } else {
                self.totals[7].d.next = self.totals[7].q.val() + 1;
            }
        }

        self.totals[8].d.next = self.totals[8].q.val() + bit_cast_to(self.l1_access.val(), 64);
        self.totals[9].d.next = self.totals[9].q.val() + bit_cast_to(self.l1_miss.val(), 64);
        if self.shared_conflict.val() {
            self.totals[10].d.next = self.totals[10].q.val() + 1;
        }
        if self.transaction.val() {
            self.totals[11].d.next = self.totals[11].q.val() + 1;
        }
        if self.cta_start.val() {
            self.totals[12].d.next = self.totals[12].q.val() + 1;
        }
        self.divergent.next = self.resolve.valid.val()
            & (self.resolve.kind.val() == ControlKind::Branch)
            & self.resolve.taken.val().any()
            & (self.resolve.mask.val() & !self.resolve.taken.val()).any();
        self.empty_side.next = self.resolve.annotation.rpc_valid.val()
            & ((self.resolve.target.val() == self.resolve.annotation.rpc.val())
                | (self.resolve.next_pc.val() == self.resolve.annotation.rpc.val()));
        if self.divergent.val() {
            self.totals[13].d.next = self.totals[13].q.val() + 1;
        }
        if self.divergent.val() & !self.empty_side.val() {
            self.totals[14].d.next = self.totals[14].q.val() + 1;
        }
        if bit_cast_to(self.depth.val(), 64) > self.totals[15].q.val() {
            self.totals[15].d.next = bit_cast_to(self.depth.val(), 64);
        }
        if bit_cast_to(self.resident_ctas.val(), 64) > self.totals[16].q.val() {
            self.totals[16].d.next = bit_cast_to(self.resident_ctas.val(), 64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters;

    fn place(name: &str) -> usize {
        counters::place(PERFORMANCE_COUNTERS, name)
    }

    /// Pseudo-random events; every issue slot must land in exactly one class.
    #[test]
    fn every_slot_has_one_class() {
        for interval in [1, 3] {
            classes(interval);
        }
    }

    /// In 400 busy cycles, with a slot in every `interval`.
    fn classes(interval: usize) {
        let mut counters = PerformanceCounters::new(&CoreConfig::small());
        counters.connect_all();
        simulate(&mut counters, 100);
        let mut seed = 0x2545_f491_u32;
        let mut bit = || {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed & 4 != 0
        };
        for cycle in 0..500usize {
            counters.busy.next = cycle < 400;
            counters.issue_slot.next = cycle % interval == 0;
            // What issues in a slot is seen in the cycle after it.
            counters.issue_valid.next = bit() && cycle > 0 && cycle < 400 && (cycle - 1) % interval == 0;
            counters.issue_mask.next = ((2usize << (cycle / interval % 8)) - 1).into();
            counters.blocked_any.next = bit();
            counters.memory_idle.next = bit();
            counters.waiting_any.next = bit();
            simulate(&mut counters, 100);
            for _ in 0..2 {
                counters.clock.next = !counters.clock.val();
                simulate(&mut counters, 100);
            }
        }
        let value = |net: &Net<Out>| net.val().value();
        let issued: u64 = counters.counter_issued.iter().map(value).sum();
        assert_eq!(value(&counters.counter[place("cycles")]), 400);
        assert_eq!(issued, value(&counters.counter[place("warp_instructions")]));
        let idle = [
            &counters.counter[place("stall")],
            &counters.counter[place("idle_memory")],
            &counters.counter[place("barrier")],
            &counters.counter[place("idle_other")],
        ];
        assert!(idle.iter().all(|net| value(net) > 0));
        let slots = (0..400).filter(|cycle| cycle % interval == 0).count() as u64;
        assert_eq!(issued + idle.iter().map(|net| value(net)).sum::<u64>(), slots);
        assert!(counters.counter_issued.iter().all(|net| value(net) > 0), "every bucket was hit");
    }

    /// One line a branch: `mask taken target next rpc | divergent interleavable`, the last two as counted so far.
    const BRANCHES: &str = "
        1111 0011 40 14 80 | 1 1   if and else
        1111 0011 80 14 80 | 2 1   if: the taken side is empty
        1111 0011 40 80 80 | 3 1   the other side is
        1111 1111 40 14 80 | 3 1   uniform
        1111 0000 40 14 80 | 3 1
        0011 0011 40 14 80 | 3 1   all of the active lanes
        0110 0010 40 14 -  | 4 2   the threads meet again only at their end
        0110 0010 80 14 -  | 5 3";

    #[test]
    fn branches_diverge_and_may_be_interleavable() {
        let mut counters = PerformanceCounters::new(&CoreConfig::tiny());
        counters.connect_all();
        simulate(&mut counters, 100);
        for line in BRANCHES.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let bits = |i: usize| Word::from(usize::from_str_radix(field[i], 2).unwrap());
            let address = |i: usize| Word::from(usize::from_str_radix(field[i], 16).unwrap_or(0x80));
            counters.resolve.valid.next = true;
            counters.resolve.mask.next = bits(0);
            counters.resolve.taken.next = bits(1);
            counters.resolve.target.next = address(2);
            counters.resolve.next_pc.next = address(3);
            counters.resolve.annotation.rpc.next = address(4);
            counters.resolve.annotation.rpc_valid.next = field[4] != "-";
            for kind in [ControlKind::Branch, ControlKind::Jump] {
                counters.resolve.kind.next = kind;
                tick!(counters);
            }
            let seen =
                [&counters.counter[place("divergent_branches")], &counters.counter[place("interleavable_branches")]];
            assert_eq!(seen.map(|counter| counter.val().value().to_string()), field[6..8], "{line}");
        }
    }
}
