//! The two sides of a resolved branch, in the order in which they run.
//!
//! ```text
//!   taken, lanes --->+-------------+---> first_pc, first_mask, first_runs
//!         target --->|             |---> second_pc, second_mask, second_runs
//!      following --->| BranchSides |---> splits
//!            rpc --->|             |---> goes_to
//!                    +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `taken`, `lanes` | L | lanes that take it, of those that execute it |
//! | `target`, `following`, `rpc` | 32 | where the taken side starts, the other side, where they meet (1: nowhere) |
//! | `first_pc`, `first_mask`, `second_pc`, `second_mask` | 32, L | the sides |
//! | `first_runs`, `second_runs` | 1 | the side has something to run: it does not start where the sides meet |
//! | `splits` | 1 | lanes go both ways, and some of them have something to run before they meet |
//! | `goes_to` | 32 | where all lanes go, if they go one way |
//!
//! Latency 0. Rhu 2014, 3.1.1. Which side runs first is a matter of configuration; the papers' figures differ in it.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BranchSides {
        pub taken: Net<In> = lanes,
        pub lanes: Net<In> = lanes,
        pub target: Net<In> = 32,
        pub following: Net<In> = 32,
        pub rpc: Net<In> = 32,
        pub first_pc: Net<Out> = 32,
        pub first_mask: Net<Out> = lanes,
        pub first_runs: Signal<Out, Bit>,
        pub second_pc: Net<Out> = 32,
        pub second_mask: Net<Out> = lanes,
        pub second_runs: Signal<Out, Bit>,
        pub splits: Signal<Out, Bit>,
        pub goes_to: Net<Out> = 32,

        taken_first: Constant = Constant::new(taken_first as u64, 1),
        others: Net<Local> = lanes,
        taken_runs: Signal<Local, Bit>,
        other_runs: Signal<Local, Bit>,
    }
    /// For warps of `lanes` threads, the taken side first or the other.
    pub fn new(lanes: usize, taken_first: bool) {}
}

impl Logic for BranchSides {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BranchSides");
        self.others.next = self.lanes.val() & !self.taken.val();
        self.taken_runs.next = self.target.val() != self.rpc.val();
        self.other_runs.next = self.following.val() != self.rpc.val();
        self.splits.next =
            self.taken.val().any() & self.others.val().any() & (self.taken_runs.val() | self.other_runs.val());
        self.first_pc.next = self.following.val();
        self.first_mask.next = self.others.val();
        self.first_runs.next = self.other_runs.val();
        self.second_pc.next = self.target.val();
        self.second_mask.next = self.taken.val();
        self.second_runs.next = self.taken_runs.val();
        if self.taken_first.val().any() {
            self.first_pc.next = self.target.val();
            self.first_mask.next = self.taken.val();
            self.first_runs.next = self.taken_runs.val();
            self.second_pc.next = self.following.val();
            self.second_mask.next = self.others.val();
            self.second_runs.next = self.other_runs.val();
        }
        self.goes_to.next = self.following.val();
        if self.taken.val().any() {
            self.goes_to.next = self.target.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `taken target following rpc | first second splits goes_to` of the lanes 0111, `pc:mask`, with `*` if it runs.
    const CASES: &str = "
        0011 40 10 80 | 40:0011* 10:0100* 1 40
        0011 80 10 80 | 80:0011  10:0100* 1 80    one side starts at the end
        0011 80 80 80 | 80:0011  80:0100  0 80    so do both
        0111 40 10 80 | 40:0111* 10:0000* 0 40    all one way
        0000 40 10 80 | 40:0000* 10:0111* 0 10";

    #[test]
    fn orders_the_sides() {
        for taken_first in [true, false] {
            let mut sides = BranchSides::new(4, taken_first);
            sides.connect_all();
            sides.lanes.next = 0b0111.into();
            for line in CASES.trim().lines().map(str::trim) {
                let field: Vec<&str> = line.split_whitespace().collect();
                let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
                sides.taken.next = usize::from_str_radix(field[0], 2).unwrap().into();
                sides.target.next = hex(field[1]);
                sides.following.next = hex(field[2]);
                sides.rpc.next = hex(field[3]);
                simulate(&mut sides, 1000);
                let side = |pc: Word, mask: Word, runs: bool| {
                    format!("{:x}:{:04b}{}", pc.value(), mask.value(), if runs { "*" } else { "" })
                };
                let mut seen = [
                    side(sides.first_pc.val(), sides.first_mask.val(), sides.first_runs.val()),
                    side(sides.second_pc.val(), sides.second_mask.val(), sides.second_runs.val()),
                ];
                if !taken_first {
                    seen.reverse();
                }
                assert_eq!(seen, field[5..7], "{line}");
                assert_eq!(sides.splits.val(), field[7] == "1", "{line}");
                assert_eq!(sides.goes_to.val(), hex(field[8]), "{line}");
            }
        }
    }
}
