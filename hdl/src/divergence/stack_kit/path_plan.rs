//! What a path of a CTA-wide stack does when its warps have all arrived, beside the other path of its entry.
//!
//! ```text
//!                      +-----------------------+
//!  commits, branch --->| BranchPlan: its sides |---> takes_top, pc, arrived, both_run, reuses
//!  low, top ---------->|                       |---> narrows, overwrites, pushes
//!  active, index ----->|                       |---> must_wait, overflows
//!  other_*, free ----->|                       |---> settles: stops, goes_on, divides
//!                      +-----------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `commits` | 1 | all warps of the path have arrived |
//! | `branch` | | what they have gathered for, see [`GatherRecord`] |
//! | `low`, `top` | 1 | there are threads on this side of the branch |
//! | `active`, `index` | , d | where the entry ends; which one it is |
//! | `other_runs`, `other_held` | 1 | the other path is under way; it waits for this one |
//! | `other_alive` | 1 | it has threads |
//! | `other_above` | 1 | it has pushed an entry while this path waited |
//! | `free` | 1 | there is room for an entry |
//! | `takes_top`, `pc`, `arrived`, `both_run`, `reuses` | 1, 32, n, 1, 1 | as of [`BranchPlan`](super::BranchPlan); both sides of the branch have something to run |
//! | `narrows` | 1 | one side of the branch starts where the entry ends: the path goes on as the other |
//! | `overwrites` | 1 | both sides take over the entry, whose other path is dead |
//! | `pushes` | 1 | the sides get an entry of their own |
//! | `must_wait` | 1 | that would put the other path to rest while its warps are under way: not yet |
//! | `overflows` | 1 | there is no room for it |
//! | `settles` | 1 | neither: the path is done with what it has gathered for, and |
//! | `stops`, `goes_on`, `divides` | 1 | ends, or begins to wait at `bar.sync`; goes on in its entry; overwrites or pushes |
//!
//! Latency 0, no state. Rhu 2014, 3.2.1 and 4.5.4; docs/decisions/0035-dual-path-compaction.md.
use super::{BranchPlan, EntryEnd, GatherRecord};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PathPlan {
        pub commits: Signal<In, Bit>,
        pub branch: GatherRecord<In> = GatherRecord::new(warps, 0),
        pub low: Signal<In, Bit>,
        pub top: Signal<In, Bit>,
        pub active: EntryEnd<In> = EntryEnd::new(),
        pub index: Net<In> = index_width(entries),
        pub other_runs: Signal<In, Bit>,
        pub other_held: Signal<In, Bit>,
        pub other_alive: Signal<In, Bit>,
        pub other_above: Signal<In, Bit>,
        pub free: Signal<In, Bit>,
        pub takes_top: Signal<Out, Bit>,
        pub pc: Net<Out> = 32,
        pub arrived: Net<Out> = index_width(warps + 1),
        pub both_run: Signal<Out, Bit>,
        pub reuses: Signal<Out, Bit>,
        pub narrows: Signal<Out, Bit>,
        pub overwrites: Signal<Out, Bit>,
        pub pushes: Signal<Out, Bit>,
        pub must_wait: Signal<Out, Bit>,
        pub overflows: Signal<Out, Bit>,
        pub settles: Signal<Out, Bit>,
        pub stops: Signal<Out, Bit>,
        pub goes_on: Signal<Out, Bit>,
        pub divides: Signal<Out, Bit>,

        sides: BranchPlan = BranchPlan::new(warps, entries, 0) => {
            branch, lpc: active.lpc, low, top, active, index, takes_top, pc, arrived, reuses,
        },
        splits: Signal<Local, Bit>,
        at_rpc: Signal<Local, Bit>,
    }
    /// For CTAs of up to `warps` warps and stacks of `entries` entries.
    pub fn new(warps: usize, entries: usize) {}
}

impl Logic for PathPlan {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PathPlan");
        // A branch both of whose sides start where they meet divides nothing.
        self.splits.next = self.sides.splits.val() & self.sides.places.val().any();
        self.both_run.next = self.sides.places.val().get_bit(1) & self.sides.places.val().get_bit(2);
        self.at_rpc.next = self.sides.pc.val() == self.active.rpc.val();
        self.narrows.next = self.splits.val() & self.sides.reuses.val() & !self.both_run.val();
        self.overwrites.next = self.splits.val()
            & self.sides.reuses.val()
            & self.both_run.val()
            & !self.other_alive.val()
            & !self.other_above.val();
        self.pushes.next = self.splits.val() & !self.narrows.val() & !self.overwrites.val();

        self.must_wait.next = self.commits.val() & self.pushes.val() & self.other_runs.val() & !self.other_held.val();
        self.overflows.next = self.commits.val() & self.pushes.val() & !self.must_wait.val() & !self.free.val();
        self.settles.next = self.commits.val() & !self.must_wait.val() & !self.overflows.val();
        self.stops.next = self.settles.val()
            & ((self.branch.kind.val() == 2)
                | (self.branch.kind.val() == 3)
                | (!self.splits.val() & self.at_rpc.val()));
        self.divides.next = self.settles.val() & (self.overwrites.val() | self.pushes.val());
        self.goes_on.next = self.settles.val() & !self.stops.val() & !self.divides.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::divergence::cycle_script::cycles;

    const KINDS: [&str; 4] = ["branch", "move", "exit", "barrier"];

    /// A line is a path of an entry that ends at 80, and what its warps do: kind and PC; low and top side, without threads in parentheses; RPC of the branch; then
    /// what the other path does: `dead`, `rests`, `runs`, `held`; `above` if it has pushed; `full` if the stack is `|` what becomes of the path.
    #[test]
    fn what_becomes_of_a_path() {
        let mut plan = PathPlan::new(4, 8);
        plan.connect_all();
        plan.active.rpc.next = 0x80.into();
        plan.active.lpc.next = 1.into();
        plan.commits.next = true;
        let script = "
            move 24 - - - runs              | goes_on 24
            move 80 - - - runs              | stops
            exit 24 - - - dead              | stops
            barrier 24 - - - rests          | stops
            branch 10 40 (50) 90 runs       | goes_on 40      | all go the same way
            branch 10 (40) 80 90 runs       | stops
            branch 10 40 80 80 runs         | goes_on 40 narrows
            branch 10 80 50 80 held         | goes_on 50 narrows
            branch 10 40 50 80 dead         | divides 50 overwrites both
            branch 10 40 50 80 dead above   | divides 50 pushes both
            branch 10 40 50 80 rests        | divides 50 pushes both
            branch 10 40 50 80 runs         | must_wait
            branch 10 40 50 80 held         | divides 50 pushes both
            branch 10 40 90 90 runs         | must_wait
            branch 10 40 90 90 dead         | divides 40 pushes
            branch 10 90 90 90 runs         | goes_on 90      | nothing on either side
            branch 10 40 50 90 rests full   | overflows
            branch 10 40 50 80 dead full    | divides 50 overwrites both";
        for (input, seen) in cycles(script) {
            let hex = |text: &str| {
                let digits = text.trim_matches(['(', ')']);
                Word::from(usize::from_str_radix(digits, 16).unwrap_or(0))
            };
            let [kind, pc, low, top, rpc, other, ref rest @ ..] = input[..] else { panic!("{input:?}") };
            plan.branch.kind.next = KINDS.iter().position(|k| *k == kind).unwrap().into();
            plan.branch.pc.next = hex(pc);
            plan.branch.low_pc.next = hex(low);
            plan.branch.top_pc.next = hex(top);
            plan.branch.rpc.next = hex(rpc);
            plan.low.next = kind == "branch" && !low.starts_with('(');
            plan.top.next = kind == "branch" && !top.starts_with('(');
            plan.other_runs.next = ["runs", "held"].contains(&other);
            plan.other_held.next = other == "held";
            plan.other_alive.next = other != "dead";
            plan.other_above.next = rest.contains(&"above");
            plan.free.next = !rest.contains(&"full");
            simulate(&mut plan, 100);
            let mut found = vec![];
            for (flag, name) in [
                (&plan.must_wait, "must_wait"),
                (&plan.overflows, "overflows"),
                (&plan.stops, "stops"),
                (&plan.goes_on, "goes_on"),
                (&plan.divides, "divides"),
            ] {
                found.extend(flag.val().then(|| name.to_string()));
            }
            if plan.goes_on.val() || plan.divides.val() {
                found.push(format!("{:x}", plan.pc.val().value()));
                let ways = [(&plan.narrows, "narrows"), (&plan.overwrites, "overwrites"), (&plan.pushes, "pushes")];
                found.extend(ways.iter().filter(|way| way.0.val()).map(|way| way.1.to_string()));
                found.extend((plan.divides.val() && plan.both_run.val()).then(|| "both".to_string()));
            }
            assert_eq!(found, seen, "{input:?}");
            assert_eq!(plan.settles.val(), !plan.must_wait.val() && !plan.overflows.val(), "{input:?}");
        }
    }
}
