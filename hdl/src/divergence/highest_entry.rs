//! Finds the highest of the candidate entries of a stack, and those below it.
//!
//! ```text
//!                  +--------------+
//!                  |              |---> any
//!                  |              |---> index
//!  candidates ---->| HighestEntry |---> one_hot
//!                  |              |---> below
//!                  +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `candidates` | n | entries to choose from |
//! | `any` | 1 | there is one |
//! | `index` | index of n | the highest candidate, 0 when there is none |
//! | `one_hot` | n | that bit alone, 0 when there is none |
//! | `below` | n | every entry below it, candidate or not |
//!
//! Latency 0. A parallel prefix fills all bits under the highest one; its edge is the answer, and its
//! inside is `below`, with which a walk down the stack continues.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct HighestEntry {
        pub candidates: Net<In> = entries,
        pub any: Signal<Out, Bit>,
        pub index: Net<Out> = index_width(entries),
        pub one_hot: Net<Out> = entries,
        pub below: Net<Out> = entries,

        filled: Net<Local> = entries,
        position: PriorityEncoder = PriorityEncoder::new(entries) => { request: one_hot, index },
    }
    /// For 1 to 64 `entries`.
    pub fn new(entries: usize) {}
}

impl Logic for HighestEntry {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HighestEntry");
        self.filled.next = self.candidates.val() | (self.candidates.val() >> 1);
        self.filled.next = self.filled.val() | (self.filled.val() >> 2);
        self.filled.next = self.filled.val() | (self.filled.val() >> 4);
        self.filled.next = self.filled.val() | (self.filled.val() >> 8);
        self.filled.next = self.filled.val() | (self.filled.val() >> 16);
        self.filled.next = self.filled.val() | (self.filled.val() >> 32);
        self.below.next = self.filled.val() >> 1;
        self.one_hot.next = self.filled.val() & !self.below.val();
        self.any.next = self.candidates.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_and_what_is_below() {
        for width in [1, 4, 11, 64] {
            let mut highest = HighestEntry::new(width);
            highest.connect_all();
            for top in 0..width {
                for rest in [0, 0x5555_5555_5555_5555 & mask(top.max(1)), mask(top.max(1))] {
                    let candidates = 1 << top | if top == 0 { 0 } else { rest };
                    highest.candidates.next = Word::new(candidates, width);
                    simulate(&mut highest, 100);
                    assert!(highest.any.val());
                    assert_eq!(highest.index.val(), top);
                    assert_eq!(highest.one_hot.val().value(), 1 << top);
                    assert_eq!(highest.below.val().value(), (1 << top) - 1);
                }
            }
            highest.candidates.next = 0.into();
            simulate(&mut highest, 100);
            assert!(!highest.any.val());
            assert_eq!((highest.one_hot.val().value(), highest.below.val().value()), (0, 0));
        }
    }
}
