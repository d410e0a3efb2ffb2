//! What a CTA-wide entry does when its warps have all arrived: where it goes on, or which sides of a branch get entries, and which of them runs first.
//!
//! ```text
//!                     +------------+
//!  branch, lpc ------>|            |---> splits, reuses, places
//!  low, top --------->| BranchPlan |---> takes_top, pc, ahead, arrived, side_lpc
//!  active, index ---->|            |---> goes_on, ends
//!                     |            |---> first_index
//!                     +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `branch`, `lpc` | , 32 | what the warps have gathered for, see [`GatherRecord`]; its likely-convergence point |
//! | `low`, `top` | 1 | there are threads on this side |
//! | `active`, `index` | , d | where the entry ends; which one it is |
//! | `splits` | 1 | a branch with threads on both sides |
//! | `reuses` | 1 | its sides end where the entry does: they take its place |
//! | `places` | 3 | entries to push, lowest first: {top side, low side, likely-convergence point} |
//! | `takes_top`, `pc`, `ahead`, `arrived` | 1, 32, n, n | the side that runs first, or the only one; where a move leads |
//! | `side_lpc` | 32 | where threads of that side, or of the entry, may converge early |
//! | `goes_on` | 1 | they all go on, and neither to the RPC nor to that point |
//! | `ends` | 1 | they all go on at the entry's RPC, or end: nothing is left of the entry |
//! | `first_index` | d | where the side that runs first will be if the entry is the highest |
//!
//! Latency 0, no state. Nothing is used above the highest entry, so what is pushed lies in a row, and the last of it runs first.
use super::{EntryEnd, GatherRecord};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BranchPlan {
        pub branch: GatherRecord<In> = GatherRecord::new(warps, points),
        pub lpc: Net<In> = 32,
        pub low: Signal<In, Bit>,
        pub top: Signal<In, Bit>,
        pub active: EntryEnd<In> = EntryEnd::new(),
        pub index: Net<In> = d,
        pub splits: Signal<Out, Bit>,
        pub reuses: Signal<Out, Bit>,
        pub places: Net<Out> = 3,
        pub takes_top: Signal<Out, Bit>,
        pub pc: Net<Out> = 32,
        pub ahead: Net<Out> = index_width(warps + 1),
        pub arrived: Net<Out> = index_width(warps + 1),
        pub side_lpc: Net<Out> = 32,
        pub goes_on: Signal<Out, Bit>,
        pub ends: Signal<Out, Bit>,
        pub first_index: Net<Out> = d,

        is_branch: Signal<Local, Bit>,
        low_runs: Signal<Local, Bit>,
        top_runs: Signal<Local, Bit>,
        needs_link: Signal<Local, Bit>,
        at_rpc: Signal<Local, Bit>,
        straight: Signal<Local, Bit>,
        position: Net<Local> = d + 2,
        fits: Signal<Local, Bit>,
        entries: Constant = Constant::new(entries as u64, d + 2),
    }
    sizes { _wide = d + 2, _index = d }
    /// For CTAs of up to `warps` warps and stacks of `entries` entries, with likely-convergence points or (`points` of 0) without.
    pub fn new(warps: usize, entries: usize, points: usize) {
        let d = index_width(entries);
    }
}

impl Logic for BranchPlan {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BranchPlan");
        self.is_branch.next = self.branch.kind.val() == 0;
        self.splits.next = self.is_branch.val() & self.low.val() & self.top.val();
        self.reuses.next = self.branch.rpc.val() == self.active.rpc.val();
        self.low_runs.next = self.branch.low_pc.val() != self.branch.rpc.val();
        self.top_runs.next = self.branch.top_pc.val() != self.branch.rpc.val();
        self.needs_link.next = self.low_runs.val()
            & self.top_runs.val()
            & !self.lpc.val().get_bit(0)
            & (self.lpc.val() != self.branch.rpc.val())
            & !(self.reuses.val() & (self.lpc.val() == self.active.lpc.val()));
        self.places.next = bit_cast_to(self.needs_link.val(), 3)
            | (bit_cast_to(self.low_runs.val(), 3) << 1)
            | (bit_cast_to(self.top_runs.val(), 3) << 2);

        // The side that runs first, or the only one.
        self.takes_top.next = self.top.val();
        self.side_lpc.next = self.active.lpc.val();
        if self.splits.val() {
            self.takes_top.next = self.top_runs.val();
            if self.needs_link.val() {
                self.side_lpc.next = self.lpc.val();
            } else if !self.reuses.val() {
                self.side_lpc.next = 1.into();
            }
        }
        self.pc.next = self.branch.low_pc.val();
        self.ahead.next = self.branch.low_ahead.val();
        self.arrived.next = self.branch.low_arrived.val();
        if self.takes_top.val() {
            self.pc.next = self.branch.top_pc.val();
            self.ahead.next = self.branch.top_ahead.val();
            self.arrived.next = self.branch.top_arrived.val();
        }
        if !self.is_branch.val() {
            self.pc.next = self.branch.pc.val();
            self.ahead.next = 0.into();
        }

        self.straight.next = (self.is_branch.val() & !self.splits.val()) | (self.branch.kind.val() == 1);
        self.at_rpc.next = self.pc.val() == self.active.rpc.val();
        self.ends.next = (self.straight.val() & self.at_rpc.val()) | (self.branch.kind.val() == 2);
        self.position.next = bit_cast_to(self.index.val(), self._wide) + bit_cast_to(!self.reuses.val(), self._wide);
        if self.needs_link.val() {
            self.position.next =
                bit_cast_to(self.index.val(), self._wide) + bit_cast_to(!self.reuses.val(), self._wide) + 2;
        } else if self.low_runs.val() & self.top_runs.val() {
            self.position.next =
                bit_cast_to(self.index.val(), self._wide) + bit_cast_to(!self.reuses.val(), self._wide) + 1;
        }
        self.first_index.next = bit_cast_to(self.position.val(), self._index);
        self.fits.next = self.position.val() < self.entries.val();
        // An entry at its likely-convergence point is to merge, a side of a branch at its RPC is no side.
        self.goes_on.next = (self.pc.val() != self.side_lpc.val())
            & ((self.straight.val() & !self.at_rpc.val())
                | (self.splits.val() & (self.low_runs.val() | self.top_runs.val()) & self.fits.val()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [&str; 4] = ["branch", "move", "exit", "barrier"];

    const ENTRIES: usize = 16;

    /// A line is the last entry but two, which ends at 80, with its point at 70, and what its warps do: kind and PC; low and top side, without threads
    /// in parentheses; RPC and point of the branch `|` what becomes of it, the entries numbered so that it is 1.
    #[test]
    fn a_branch_in_its_entry() {
        let script = "
            move 40    40  40  1  1  | on 40
            move 80    40  40  1  1  | ends
            move 70    40  40  1  1  | stays
            exit 40    40  40  1  1  | ends
            barrier 40 40  40  1  1  | stays
            branch 20  40 (50) 60 1  | on 40
            branch 20 (40) 50  60 1  | top on 50
            branch 20 (40) 80  60 1  | ends
            branch 20 (40) 70  60 1  | stays
            branch 20  40  50  60 1  | splits 110 top on 50 at 3 | above the entry, which goes on at 60
            branch 20  40  50  80 1  | splits 110 top on 50 at 2 reuses
            branch 20  60  50  60 1  | splits 100 top on 50 at 2
            branch 20  40  60  60 1  | splits 010 on 40 at 2
            branch 20  40  50  80 48 | splits 111 top on 50 at 3 reuses
            branch 20  40  50  80 70 | splits 110 top on 50 at 2 reuses | the point is the entry's
            branch 20  40  70  80 70 | splits 110 stays reuses          | the first side is at that point
            branch 20  40  50  60 48 | splits 111 stays                 | no room
            branch 20  60  60  60 1  | splits 000 stays";
        for (input, seen) in crate::divergence::cycle_script::cycles(script) {
            let mut plan = BranchPlan::new(4, ENTRIES, 1);
            plan.connect_all();
            let [kind, pc, low, top, rpc, lpc] = input[..] else { panic!("{input:?}") };
            let hex = |text: &str| {
                let digits = text.trim_matches(['(', ')']);
                Word::from(usize::from_str_radix(digits, 16).unwrap())
            };
            plan.index.next = (ENTRIES - 3).into();
            plan.active.rpc.next = 0x80.into();
            plan.active.lpc.next = 0x70.into();
            plan.branch.kind.next = KINDS.iter().position(|name| *name == kind).unwrap().into();
            plan.branch.pc.next = hex(pc);
            plan.branch.low_pc.next = hex(low);
            plan.branch.top_pc.next = hex(top);
            plan.branch.rpc.next = hex(rpc);
            plan.lpc.next = hex(lpc);
            plan.low.next = kind == "branch" && !low.starts_with('(');
            plan.top.next = kind == "branch" && !top.starts_with('(');
            simulate(&mut plan, 100);
            let mut found = vec![];
            if plan.splits.val() {
                found.extend(["splits".to_string(), format!("{:03b}", plan.places.val().value())]);
            }
            if plan.goes_on.val() {
                found.extend(plan.takes_top.val().then(|| "top".to_string()));
                found.extend(["on".to_string(), format!("{:x}", plan.pc.val().value())]);
            } else {
                found.push(if plan.ends.val() { "ends" } else { "stays" }.into());
            }
            if plan.splits.val() && plan.goes_on.val() {
                let place = plan.first_index.val().index() - (ENTRIES - 4);
                found.extend(["at".to_string(), place.to_string()]);
            }
            found.extend((plan.splits.val() && plan.reuses.val()).then(|| "reuses".to_string()));
            assert_eq!(found, seen, "{input:?}");
        }
    }
}
