//! Counts where the cycles go.
//!
//! ```text
//!                    +---------------------+
//!  busy, issue_* --->|                     |---> counter_*
//!  why nothing  --->| PerformanceCounters |
//!  event pulses  --->|                     |
//!                    +---------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `busy` | 1 | a launch is running: a cycle to count |
//! | `issue_valid`, `issue_mask` | 1, L | an instruction issued (OPERAND stage) |
//! | `blocked_any` | 1 | an instruction without hazards was refused by its unit (in the cycle of the missed issue) |
//! | `memory_idle` | 1 | the load/store unit holds nothing |
//! | `waiting_any` | 1 | some warp waits at a barrier |
//! | `gathering_any` | 1 | some warp waits for others of its CTA, to be compacted or to go on |
//! | `l1_access`, `l1_miss`, `shared_conflict`, `transaction`, `cta_start` | 1 | events |
//! | `resolve_*` | | a control instruction resolves, from [`BranchUnit`](crate::execute::BranchUnit) and its annotation |
//! | `depth` | d | entries in use of the stack written this cycle |
//! | `resident_ctas` | c+1 | CTAs resident now |
//! | `counter_*` | 64 | see docs/reference/metrics.md; zero at reset, counting on from launch to launch |
//!
//! Latency: counts are visible two cycles after the event (issue is observed in the OPERAND stage, so the reasons for
//! not issuing are delayed by a cycle to match). Every `busy` cycle adds to exactly one of `counter_issued[b]`, `counter_stall`,
//! `counter_compaction`, `counter_idle_memory`, `counter_barrier`, `counter_idle_other`. Fung & Aamodt 2011, Fig 13; Rhu 2014, 4.5.
//! A divergent branch is *interleavable* if neither of its sides starts at the reconvergence point: Rhu 2014, 3.3.3.1.
use crate::interface::{ControlKind, Resolve};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PerformanceCounters: clock, reset {
        pub busy: Signal<In, Bit>,
        pub issue_valid: Signal<In, Bit>,
        pub issue_mask: Net<In> = config.lanes,
        pub blocked_any: Signal<In, Bit>,
        pub memory_idle: Signal<In, Bit>,
        pub waiting_any: Signal<In, Bit>,
        pub gathering_any: Signal<In, Bit>,
        pub l1_access: Signal<In, Bit>,
        pub l1_miss: Signal<In, Bit>,
        pub shared_conflict: Signal<In, Bit>,
        pub transaction: Signal<In, Bit>,
        pub cta_start: Signal<In, Bit>,
        pub resolve: Resolve<In> = Resolve::of(config),
        pub depth: Net<In> = index_width(config.stack_depth + 1),
        pub resident_ctas: Net<In> = config.slot_width() + 1,
        pub counter_cycles: Net<Out> = counter(),
        pub counter_warp_instructions: Net<Out> = counter(),
        pub counter_thread_instructions: Net<Out> = counter(),
        pub counter_issued: Vec<Net<Out>> = Net::vec(buckets, 64),
        pub counter_stall: Net<Out> = counter(),
        pub counter_compaction: Net<Out> = counter(),
        pub counter_idle_memory: Net<Out> = counter(),
        pub counter_barrier: Net<Out> = counter(),
        pub counter_idle_other: Net<Out> = counter(),
        pub counter_divergent_branches: Net<Out> = counter(),
        pub counter_interleavable_branches: Net<Out> = counter(),
        pub counter_stack_max_depth: Net<Out> = counter(),
        pub counter_l1_accesses: Net<Out> = counter(),
        pub counter_l1_misses: Net<Out> = counter(),
        pub counter_shared_conflicts: Net<Out> = counter(),
        pub counter_transactions: Net<Out> = counter(),
        pub counter_ctas: Net<Out> = counter(),
        pub counter_resident_ctas_max: Net<Out> = counter(),

        busy_before: StateRegister<Bit>,
        blocked_before: StateRegister<Bit>,
        memory_idle_before: StateRegister<Bit>,
        waiting_before: StateRegister<Bit>,
        gathering_before: StateRegister<Bit>,
        cycles: Register = register(),
        warp_instructions: Register = register(),
        thread_instructions: Register = register(),
        issued: Vec<Register> = Register::vec(buckets, 64),
        stall: Register = register(),
        compaction: Register = register(),
        idle_memory: Register = register(),
        barrier: Register = register(),
        idle_other: Register = register(),
        divergent_branches: Register = register(),
        interleavable_branches: Register = register(),
        stack_max_depth: Register = register(),
        l1_accesses: Register = register(),
        l1_misses: Register = register(),
        shared_conflicts: Register = register(),
        transactions: Register = register(),
        ctas: Register = register(),
        resident_ctas_max: Register = register(),

        active: Popcount = Popcount::new(config.lanes),
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
        let counter = || Net::new(64);
        let register = || Register::new(64);
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
        dff_setup!(self, clock, cycles, warp_instructions, thread_instructions, stall, idle_memory, barrier);
        dff_setup!(self, clock, idle_other, stack_max_depth, l1_accesses, l1_misses, shared_conflicts, transactions);
        dff_setup!(self, clock, ctas, resident_ctas_max, compaction, divergent_branches, interleavable_branches);
        dff_setup!(self, clock, busy_before, blocked_before, memory_idle_before, waiting_before, gathering_before);

        self.busy_before.d.next = self.busy.val();
        self.blocked_before.d.next = self.blocked_any.val();
        self.memory_idle_before.d.next = self.memory_idle.val();
        self.waiting_before.d.next = self.waiting_any.val();
        self.gathering_before.d.next = self.gathering_any.val();
        self.counting.next = self.busy_before.q.val();

        // 1..L active lanes fall into buckets 0..: (active - 1) / lanes per bucket.
        self.active.value.next = self.issue_mask.val();
        self.active_lanes.next = self.active.count.val();
        self.bucket.next = (self.active_lanes.val() - 1) >> self.lanes_per_bucket_log2.val();
        if self.counting.val() {
            self.cycles.d.next = self.cycles.q.val() + 1;
        }
        for b in 0..self.issued.len() {
            self.issued[b].d.next = self.issued[b].q.val();
            if self.counting.val() & self.issue_valid.val() & (self.bucket.val() == b) {
                self.issued[b].d.next = self.issued[b].q.val() + 1;
            }
            self.counter_issued[b].next = self.issued[b].q.val();
        }
        if self.counting.val() & self.issue_valid.val() {
            self.warp_instructions.d.next = self.warp_instructions.q.val() + 1;
            self.thread_instructions.d.next =
                self.thread_instructions.q.val() + bit_cast_to(self.active_lanes.val(), 64);
        }
        if self.counting.val() & !self.issue_valid.val() {
            if self.blocked_before.q.val() {
                self.stall.d.next = self.stall.q.val() + 1;
            } else if self.gathering_before.q.val() {
                self.compaction.d.next = self.compaction.q.val() + 1;
            } else if !self.memory_idle_before.q.val() {
                self.idle_memory.d.next = self.idle_memory.q.val() + 1;
            } else if self.waiting_before.q.val() {
                self.barrier.d.next = self.barrier.q.val() + 1;
            } else {
                self.idle_other.d.next = self.idle_other.q.val() + 1;
            }
        }

        if self.l1_access.val() {
            self.l1_accesses.d.next = self.l1_accesses.q.val() + 1;
        }
        if self.l1_miss.val() {
            self.l1_misses.d.next = self.l1_misses.q.val() + 1;
        }
        if self.shared_conflict.val() {
            self.shared_conflicts.d.next = self.shared_conflicts.q.val() + 1;
        }
        if self.transaction.val() {
            self.transactions.d.next = self.transactions.q.val() + 1;
        }
        if self.cta_start.val() {
            self.ctas.d.next = self.ctas.q.val() + 1;
        }
        self.divergent.next = self.resolve.valid.val()
            & (self.resolve.kind.val() == ControlKind::Branch)
            & self.resolve.taken.val().any()
            & (self.resolve.mask.val() & !self.resolve.taken.val()).any();
        self.empty_side.next = self.resolve.annotation.rpc_valid.val()
            & ((self.resolve.target.val() == self.resolve.annotation.rpc.val())
                | (self.resolve.next_pc.val() == self.resolve.annotation.rpc.val()));
        if self.divergent.val() {
            self.divergent_branches.d.next = self.divergent_branches.q.val() + 1;
        }
        if self.divergent.val() & !self.empty_side.val() {
            self.interleavable_branches.d.next = self.interleavable_branches.q.val() + 1;
        }
        if bit_cast_to(self.depth.val(), 64) > self.stack_max_depth.q.val() {
            self.stack_max_depth.d.next = bit_cast_to(self.depth.val(), 64);
        }
        if bit_cast_to(self.resident_ctas.val(), 64) > self.resident_ctas_max.q.val() {
            self.resident_ctas_max.d.next = bit_cast_to(self.resident_ctas.val(), 64);
        }

        self.counter_cycles.next = self.cycles.q.val();
        self.counter_warp_instructions.next = self.warp_instructions.q.val();
        self.counter_thread_instructions.next = self.thread_instructions.q.val();
        self.counter_stall.next = self.stall.q.val();
        self.counter_compaction.next = self.compaction.q.val();
        self.counter_idle_memory.next = self.idle_memory.q.val();
        self.counter_barrier.next = self.barrier.q.val();
        self.counter_idle_other.next = self.idle_other.q.val();
        self.counter_divergent_branches.next = self.divergent_branches.q.val();
        self.counter_interleavable_branches.next = self.interleavable_branches.q.val();
        self.counter_stack_max_depth.next = self.stack_max_depth.q.val();
        self.counter_l1_accesses.next = self.l1_accesses.q.val();
        self.counter_l1_misses.next = self.l1_misses.q.val();
        self.counter_shared_conflicts.next = self.shared_conflicts.q.val();
        self.counter_transactions.next = self.transactions.q.val();
        self.counter_ctas.next = self.ctas.q.val();
        self.counter_resident_ctas_max.next = self.resident_ctas_max.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random events; every busy cycle must land in exactly one class.
    #[test]
    fn every_cycle_has_one_class() {
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
            counters.issue_valid.next = bit() && cycle > 0 && cycle < 400;
            counters.issue_mask.next = (1 + (cycle * 37) % 255).into();
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
        assert_eq!(value(&counters.counter_cycles), 400);
        assert_eq!(issued, value(&counters.counter_warp_instructions));
        let idle = [
            &counters.counter_stall,
            &counters.counter_idle_memory,
            &counters.counter_barrier,
            &counters.counter_idle_other,
        ];
        assert!(idle.iter().all(|net| value(net) > 0));
        assert_eq!(issued + idle.iter().map(|net| value(net)).sum::<u64>(), 400);
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
            let seen = [&counters.counter_divergent_branches, &counters.counter_interleavable_branches];
            assert_eq!(seen.map(|counter| counter.val().value().to_string()), field[6..8], "{line}");
        }
    }
}
