//! Shifts by a variable amount.
//!
//! ```text
//!                +---------------+
//!       value -->|               |
//!      amount -->| BarrelShifter |--> result
//!        left -->|               |
//!  arithmetic -->|               |
//!                +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `value` | w | what is shifted |
//! | `amount` | index of w | by how many positions |
//! | `left` | 1 | towards the top bit, else towards bit 0 |
//! | `arithmetic` | 1 | a right shift repeats the top bit; no effect on a left shift |
//! | `result` | w | the shifted value; an amount of w or more leaves only zeros (or signs) |
//!
//! Latency 0.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct BarrelShifter {
    pub value: Net<In>,
    pub amount: Net<In>,
    pub left: Signal<In, Bit>,
    pub arithmetic: Signal<In, Bit>,
    pub result: Net<Out>,
}

impl BarrelShifter {
    /// A shifter of `width` bits.
    pub fn new(width: usize) -> Self {
        Self {
            value: Net::new(width),
            amount: Net::new(index_width(width)),
            left: Default::default(),
            arithmetic: Default::default(),
            result: Net::new(width),
        }
    }
}

impl Logic for BarrelShifter {
    fn update(&mut self) {
        let (value, amount, width) = (self.value.val(), self.amount.val(), self.value.width());
        self.result.next = if self.left.val() {
            value << amount
        } else if self.arithmetic.val() && value.get_bit(width - 1) {
            !(!value >> amount)
        } else {
            value >> amount
        };
    }
    fn connect(&mut self) {
        self.result.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::BarrelShifter { width: self.value.width() }.to_verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(width: usize, value: usize, amount: usize, left: bool, arithmetic: bool) -> u64 {
        let mut shifter = BarrelShifter::new(width);
        shifter.connect_all();
        shifter.value.next = value.into();
        shifter.amount.next = amount.into();
        shifter.left.next = left;
        shifter.arithmetic.next = arithmetic;
        simulate(&mut shifter, 10);
        shifter.result.val().value()
    }

    #[test]
    fn shifts_both_ways() {
        assert_eq!(shift(32, 0x8000_0001, 31, true, false), 0x8000_0000);
        assert_eq!(shift(32, 0x8000_0001, 31, false, false), 1);
        assert_eq!(shift(32, 0x8000_0001, 31, false, true), 0xffff_ffff);
        assert_eq!(shift(32, 0x4000_0000, 30, false, true), 1);
        assert_eq!(shift(32, 0x8000_0001, 4, true, true), 0x10);
        assert_eq!(shift(32, 0x8000_0001, 0, false, true), 0x8000_0001);
    }

    #[test]
    fn past_a_width_that_is_no_power_of_two() {
        assert_eq!(shift(6, 0x3f, 7, true, false), 0);
        assert_eq!(shift(6, 0x3f, 6, false, false), 0);
        assert_eq!(shift(6, 0x20, 7, false, true), 0x3f);
    }
}
