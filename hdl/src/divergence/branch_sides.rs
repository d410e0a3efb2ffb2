//! The two sides of a resolved branch, in the order in which they run.
//!
//! ```text
//!            +-------------+---> first_pc, first_mask, first_runs
//!            |             |---> second_pc, second_mask, second_runs
//!  event --->| BranchSides |---> splits, both_run
//!            |             |---> goes_to
//!            +-------------+---> continues_pc, continues_mask
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `event` | | the branch, see [`ControlRecords`](super::ControlRecords): of it `taken` and `mask`, `target` and `next_pc` where the taken and the other side start, `rpc` where they meet (1: nowhere) |
//! | `first_pc`, `first_mask`, `second_pc`, `second_mask` | 32, L | the sides |
//! | `first_runs`, `second_runs` | 1 | the side has something to run: it does not start where the sides meet |
//! | `splits` | 1 | lanes go both ways, and some of them have something to run before they meet |
//! | `both_run` | 1 | both sides have something to run |
//! | `goes_to` | 32 | where all lanes go, if they go one way |
//! | `continues_pc`, `continues_mask` | 32, L | what the path goes on as: the first side that has something to run, or all lanes if it does not split |
//!
//! Latency 0. Rhu 2014, 3.1.1. Which side runs first is a matter of configuration; the papers' figures differ in it.
use super::ControlEvent;
use crate::prelude::*;

bundle! {
    /// Where some lanes of a warp go on.
    pub struct Path(lanes: usize) {
        pc: [32],
        mask: [lanes],
    }
}

module! {
    /// See the [module documentation](self).
    pub struct BranchSides {
        pub event: ControlEvent<In> = ControlEvent::new(lanes),
        pub first: Path<Out> = Path::new(lanes),
        pub first_runs: Signal<Out, Bit>,
        pub second: Path<Out> = Path::new(lanes),
        pub second_runs: Signal<Out, Bit>,
        pub splits: Signal<Out, Bit>,
        pub both_run: Signal<Out, Bit>,
        pub goes_to: Net<Out> = 32,
        pub continues: Path<Out> = Path::new(lanes),

        taken_first: Constant = Constant::new(taken_first as u64, 1),
        taken: Path<Local> = Path::new(lanes),
        other: Path<Local> = Path::new(lanes),
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
        self.taken.pc.next = self.event.target.val();
        self.taken.mask.next = self.event.taken.val();
        self.other.pc.next = self.event.next_pc.val();
        self.other.mask.next = self.event.mask.val() & !self.event.taken.val();
        self.taken_runs.next = self.taken.pc.val() != self.event.rpc.val();
        self.other_runs.next = self.other.pc.val() != self.event.rpc.val();
        if self.taken_first.val().any() {
            wire::join(&mut self.first, &mut self.taken);
            self.first_runs.next = self.taken_runs.val();
            wire::join(&mut self.second, &mut self.other);
            self.second_runs.next = self.other_runs.val();
        } else {
            wire::join(&mut self.first, &mut self.other);
            self.first_runs.next = self.other_runs.val();
            wire::join(&mut self.second, &mut self.taken);
            self.second_runs.next = self.taken_runs.val();
        }
        self.both_run.next = self.taken_runs.val() & self.other_runs.val();
        self.splits.next =
            self.taken.mask.val().any() & self.other.mask.val().any() & (self.taken_runs.val() | self.other_runs.val());
        self.goes_to.next = self.other.pc.val();
        if self.taken.mask.val().any() {
            self.goes_to.next = self.taken.pc.val();
        }
        if self.splits.val() & self.first_runs.val() {
            wire::join(&mut self.continues, &mut self.first);
        } else if self.splits.val() {
            wire::join(&mut self.continues, &mut self.second);
        } else {
            self.continues.pc.next = self.goes_to.val();
            self.continues.mask.next = self.event.mask.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `taken target next_pc rpc | first second splits goes_to` of the lanes 0111, `pc:mask`, with `*` if it runs.
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
            sides.event.mask.next = 0b0111.into();
            for line in CASES.trim().lines().map(str::trim) {
                let field: Vec<&str> = line.split_whitespace().collect();
                let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
                sides.event.taken.next = usize::from_str_radix(field[0], 2).unwrap().into();
                sides.event.target.next = hex(field[1]);
                sides.event.next_pc.next = hex(field[2]);
                sides.event.rpc.next = hex(field[3]);
                simulate(&mut sides, 1000);
                let side = |pc: Word, mask: Word, runs: bool| {
                    format!("{:x}:{:04b}{}", pc.value(), mask.value(), if runs { "*" } else { "" })
                };
                let mut seen = [
                    side(sides.first.pc.val(), sides.first.mask.val(), sides.first_runs.val()),
                    side(sides.second.pc.val(), sides.second.mask.val(), sides.second_runs.val()),
                ];
                if !taken_first {
                    seen.reverse();
                }
                assert_eq!(seen, field[5..7], "{line}");
                assert_eq!(sides.splits.val(), field[7] == "1", "{line}");
                assert_eq!(sides.goes_to.val(), hex(field[8]), "{line}");
                let runs = [sides.first_runs.val(), sides.second_runs.val()];
                assert_eq!(sides.both_run.val(), runs == [true; 2], "{line}");
                let continues = match (sides.splits.val(), runs[0]) {
                    (false, _) => (sides.goes_to.val(), sides.event.mask.val()),
                    (true, true) => (sides.first.pc.val(), sides.first.mask.val()),
                    (true, false) => (sides.second.pc.val(), sides.second.mask.val()),
                };
                assert_eq!((sides.continues.pc.val(), sides.continues.mask.val()), continues, "{line}");
            }
        }
    }
}
