//! One bit of a choice by number: of the candidates, those whose number has this bit, if any has.
//!
//! ```text
//!                      +------------+
//!  candidates[G] ----->| ChoiceStep |---> left[G]
//!       plane[G] ----->|            |
//!                      +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `candidates[G]` | n | by group: who could be chosen |
//! | `plane[G]` | n | this bit of everybody's number |
//! | `left[G]` | n | who still could: candidates with the bit, or all if none of them has it |
//!
//! Latency 0. A chain of steps, from the highest bit to the lowest, leaves those with the largest number. A tree of comparators over *n* numbers of *k* bits
//! is log2 n comparators deep; this is *k* steps of an OR over all candidates, for k of about log2 n + log2 k as fast, with no comparator and no
//! number to be carried along. Groups, since a word has 64 bits.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ChoiceStep {
        pub candidates: Vec<Net<In>> = Net::vec(groups, members),
        pub plane: Vec<Net<In>> = Net::vec(groups, members),
        pub left: Vec<Net<Out>> = Net::vec(groups, members),

        any: Signal<Local, Bit>,
    }
    /// For `groups` groups of `members` candidates.
    pub fn new(groups: usize, members: usize) {}
}

impl Logic for ChoiceStep {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ChoiceStep");
        self.any.next = false;
        for g in 0..self.candidates.len() {
            self.any.next = self.any.val() | (self.candidates[g].val() & self.plane[g].val()).any();
        }
        for g in 0..self.candidates.len() {
            self.left[g].next = self.candidates[g].val();
            if self.any.val() {
                self.left[g].next = self.candidates[g].val() & self.plane[g].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_counts_if_anybody_has_it() {
        let mut step = ChoiceStep::new(2, 4);
        step.connect_all();
        for (candidates, plane, left) in [
            ([0b1110, 0b0001], [0b0011, 0b0001], [0b0010, 0b0001]),
            ([0b1110, 0b0001], [0b0001, 0b1110], [0b1110, 0b0001]),
            ([0b1110, 0b0000], [0b0000, 0b1111], [0b1110, 0b0000]),
            ([0b0000, 0b0011], [0b1111, 0b0010], [0b0000, 0b0010]),
        ] {
            for group in 0..2 {
                step.candidates[group].next = usize::into(candidates[group]);
                step.plane[group].next = usize::into(plane[group]);
            }
            simulate(&mut step, 10);
            assert_eq!([0, 1].map(|group| step.left[group].val().index()), left);
        }
    }
}
