//! From the lowest set bit on, everything set: a thermometer code.
//!
//! ```text
//!              +----------+
//!   value ---->| PrefixOr |---> reached
//!              +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `value` | w | any bits, w up to 64 |
//! | `reached` | w | bit *i*: bit *i* of the value, or one below it, is set |
//!
//! Latency 0. A tree of depth log2 w: each bit is joined by the one 1, 2, 4... below it.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PrefixOr {
        pub value: Net<In> = width,
        pub reached: Net<Out> = width,

        by_2: Net<Local> = width,
        by_4: Net<Local> = width,
        by_8: Net<Local> = width,
        by_16: Net<Local> = width,
        by_32: Net<Local> = width,
    }
    /// For values of `width` bits.
    pub fn new(width: usize) {}
}

impl Logic for PrefixOr {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PrefixOr");
        self.by_2.next = self.value.val() | (self.value.val() << 1);
        self.by_4.next = self.by_2.val() | (self.by_2.val() << 2);
        self.by_8.next = self.by_4.val() | (self.by_4.val() << 4);
        self.by_16.next = self.by_8.val() | (self.by_8.val() << 8);
        self.by_32.next = self.by_16.val() | (self.by_16.val() << 16);
        self.reached.next = self.by_32.val() | (self.by_32.val() << 32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_from_the_lowest_bit_on() {
        for width in [1, 2, 5, 32, 33, 64] {
            let mut unit = PrefixOr::new(width);
            unit.connect_all();
            let values = (0..width).map(|bit| 1 << bit).chain([0, mask(width), 0xa0a0 & mask(width)]);
            for value in values {
                unit.value.next = Word::new(value, width);
                simulate(&mut unit, 10);
                let expected =
                    if value == 0 { 0 } else { mask(width) & !(value & value.wrapping_neg()).wrapping_sub(1) };
                assert_eq!(unit.reached.val().value(), expected, "{value:x} of {width} bits");
            }
        }
    }
}
