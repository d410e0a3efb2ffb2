//! How many zeros stand above the highest one.
//!
//! ```text
//!              +--------------+---> none
//!   value ---->| LeadingZeros |
//!              +--------------+---> count
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `value` | w | any bits; w is a power of two, 2 to 64 |
//! | `none` | 1 | no bit is set |
//! | `count` | index of w | zeros above the highest one; w - 1 if there is none |
//!
//! Latency 0. A tree of depth log2 w over blocks of 2, 4, 8... bits: of two neighbours the upper one counts if it has a one. What a block knows
//! stands at its lowest position, so a level is a few operations on whole words.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LeadingZeros {
        pub value: Net<In> = width,
        pub none: Signal<Out, Bit>,
        pub count: Net<Out> = levels,

        /// At the lowest position of every block: it has a one.
        any: Net<Local> = width,
        /// The same of its upper half.
        upper: Net<Local> = width,
        /// Bits of the count, a word each.
        bits: Vec<Net<Local>> = Net::vec(levels, width),
        /// Half a block.
        half: Vec<Constant> = (0..levels).map(|level| Constant::new(1 << level, index_width(width + 1))).collect(),
        /// The lowest position of every block.
        lowest: Vec<Constant> = (0..levels).map(|level| Constant::new(every(2 << level, width), width)).collect(),
    }
    /// Of `width` bits.
    pub fn new(width: usize) {
        assert!(width.is_power_of_two() && (2..=64).contains(&width), "blocks are halved");
        let levels = index_width(width);
    }
}

/// Every bit whose number is a multiple of `step`.
fn every(step: usize, width: usize) -> u64 {
    (0..width).step_by(step).fold(0, |ones, bit| ones | 1 << bit)
}

impl Logic for LeadingZeros {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LeadingZeros");
        self.any.next = self.value.val();
        for bit in 0..self.bits.len() {
            self.bits[bit].next = 0.into();
        }
        for level in 0..self.bits.len() {
            self.upper.next = (self.any.val() >> self.half[level].val()) & self.lowest[level].val();
            for bit in 0..self.bits.len() {
                self.bits[bit].next = ((self.bits[bit].val() >> self.half[level].val()) & self.upper.val())
                    | (self.bits[bit].val() & !self.upper.val() & self.lowest[level].val());
            }
            self.bits[level].next = !self.upper.val() & self.lowest[level].val();
            self.any.next = self.upper.val() | (self.any.val() & self.lowest[level].val());
        }
        self.none.next = !self.any.val().get_bit(0);
        self.count.next = 0.into();
        for bit in 0..self.bits.len() {
            self.count.next = self.count.val().replace_bit(bit, self.bits[bit].val().get_bit(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_above_every_bit_and_whatever_is_below() {
        for width in [2, 4, 32, 64] {
            let mut unit = LeadingZeros::new(width);
            unit.connect_all();
            let below = |bit: usize| [1 << bit, mask(bit + 1), (1 << bit) | (0x1234_5678_9abc_def0 & mask(bit))];
            for (value, bit) in (0..width).flat_map(|bit| below(bit).map(|value| (value, bit))) {
                unit.value.next = Word::new(value, width);
                simulate(&mut unit, 10);
                assert_eq!(unit.count.val(), width - 1 - bit, "{value:x} of {width} bits");
                assert!(!unit.none.val());
            }
            unit.value.next = 0.into();
            simulate(&mut unit, 10);
            assert_eq!((unit.none.val(), unit.count.val()), (true, Word::new(width as u64 - 1, index_width(width))));
        }
    }
}
