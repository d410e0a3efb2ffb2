//! Rounds a significand, and gives the value and its flags.
//!
//! ```text
//!  sign, exponent, significand, guard, half, sticky, carry --->+------------+---> result
//!                              nan, infinite, invalid, ... --->| FloatRound |
//!                                                 rounding --->+------------+---> flags
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rounding` | 3 | as `FloatRounding` |
//! | `sign` | 1 | |
//! | `exponent` | e + 1 | of the significand's top bit, as in a value's field; 1 if the top bit is 0, and then the result is subnormal or zero |
//! | `significand` | 1 + f | |
//! | `guard`, `half`, `sticky` | 1 | the two bits below it; whether there is anything below those |
//! | `carry` | 1 | the significand is one more; nothing is below it then |
//! | `nan`, `infinite` | 1 | the result is that instead; neither overflows nor is inexact |
//! | `invalid`, `divide_by_zero` | 1 | flags |
//! | `result` | 1 + e + f | NaN is the canonical one |
//! | `flags` | 5 | NV, DZ, OF, UF, NX |
//!
//! Latency 0, no state. Exponent and fraction are one number, and rounding adds to it: a carry out of the fraction is the next exponent, also from the
//! largest subnormal value to the smallest normal one, and at the end to infinity. A value underflows if it is inexact and would be below the normal ones even if it were
//! rounded to the significand's length; it would not be if all of its bits are ones and what is below `guard` rounds up, hence `half`.
use super::operation::FLAGS;
use super::{FloatFormat, FloatIncrement};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatRound {
        pub rounding: Net<In> = 3,
        pub sign: Net<In> = 1,
        pub exponent: Net<In> = format.exponent + 1,
        pub significand: Net<In> = format.significand(),
        pub guard: Net<In> = 1,
        pub half: Net<In> = 1,
        pub sticky: Net<In> = 1,
        pub carry: Net<In> = 1,
        pub nan: Net<In> = 1,
        pub infinite: Net<In> = 1,
        pub invalid: Net<In> = 1,
        pub divide_by_zero: Net<In> = 1,
        pub result: Net<Out> = format.width(),
        pub flags: Net<Out> = FLAGS,

        decision: FloatIncrement = FloatIncrement::default() => { rounding, sign, guard, below },
        is_normal: Net<Local> = 1,
        /// Something is below `guard`.
        below: Net<Local> = 1,
        /// The same if the significand were a bit longer, and its last bit 1.
        up_longer: Net<Local> = 1,
        is_tiny: Net<Local> = 1,
        number: Net<Local> = width,
        magnitude: Net<Local> = width,
        is_finite: Net<Local> = 1,
        overflow: Net<Local> = 1,
        inexact: Net<Local> = 1,
        above_fraction: Constant = Constant::new(format.fraction as u64, 6),
        above_number: Constant = Constant::new(width as u64 - 1, 6),
        infinity: Constant = Constant::new(infinity, width),
        largest: Constant = Constant::new(infinity - 1, width),
        not_a_number: Constant = Constant::new(infinity | 1 << (format.fraction - 1), width),
    }
    sizes { _fraction = format.fraction, _width = width }
    /// To this format.
    pub fn new(format: FloatFormat) {
        let width = format.width();
        let infinity = mask(format.exponent) << format.fraction;
    }
}

impl Logic for FloatRound {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatRound");
        self.below.next = self.half.val() | self.sticky.val();
        self.decision.odd.next = bit_cast_to(self.significand.val(), 1);
        self.up_longer.next =
            (self.decision.away.val() & self.below.val()) | (self.decision.nearest.val() & self.half.val());

        self.is_normal.next = bit_cast_to(self.significand.val() >> self.above_fraction.val(), 1);
        self.number.next = bit_cast_to(bit_cast_to(self.significand.val(), self._fraction), self._width);
        if self.is_normal.val().any() {
            self.number.next =
                self.number.val() | (bit_cast_to(self.exponent.val(), self._width) << self.above_fraction.val());
        }
        self.magnitude.next = self.number.val() + bit_cast_to(self.decision.up.val() | self.carry.val(), self._width);
        self.is_finite.next = !(self.nan.val() | self.infinite.val());
        self.overflow.next = self.is_finite.val() & bit_cast_to(self.magnitude.val() >= self.infinity.val(), 1);
        self.inexact.next = self.is_finite.val() & (self.guard.val() | self.below.val() | self.overflow.val());
        self.is_tiny.next = !self.is_normal.val();
        if bit_cast_to(self.significand.val(), self._fraction).all() {
            self.is_tiny.next = !self.is_normal.val() & !(self.guard.val() & self.up_longer.val());
        }

        self.result.next =
            self.magnitude.val() | (bit_cast_to(self.sign.val(), self._width) << self.above_number.val());
        if self.overflow.val().any() | self.infinite.val().any() {
            self.result.next =
                self.largest.val() | (bit_cast_to(self.sign.val(), self._width) << self.above_number.val());
            if (self.decision.nearest.val() | self.decision.away.val() | self.infinite.val()).any() {
                self.result.next =
                    self.infinity.val() | (bit_cast_to(self.sign.val(), self._width) << self.above_number.val());
            }
        }
        if self.nan.val().any() {
            self.result.next = self.not_a_number.val();
        }
        self.flags.next = bit_cast_to(self.inexact.val(), 5)
            | (bit_cast_to(self.inexact.val() & self.is_tiny.val(), 5) << 1)
            | (bit_cast_to(self.overflow.val(), 5) << 2)
            | (bit_cast_to(self.divide_by_zero.val(), 5) << 3)
            | (bit_cast_to(self.invalid.val(), 5) << 4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_and_underflow() {
        let mut unit = FloatRound::new(FloatFormat::SINGLE);
        unit.connect_all();
        const EVEN: u64 = 0;
        const ZERO: u64 = 1;
        const UP: u64 = 3;
        for (rounding, exponent, significand, below, result, flags) in [
            (EVEN, 127, 0x80_0000, 0b000, 0x3f80_0000, 0),
            (EVEN, 127, 0x80_0000, 0b100, 0x3f80_0000, 0b00001),
            (EVEN, 127, 0xff_ffff, 0b100, 0x4000_0000, 0b00001),
            (EVEN, 254, 0xff_ffff, 0b100, 0x7f80_0000, 0b00101),
            (ZERO, 300, 0xff_ffff, 0b100, 0x7f7f_ffff, 0b00101),
            (UP, 1, 0x00_0000, 0b001, 0x0000_0001, 0b00011),
            (EVEN, 1, 0x7f_ffff, 0b101, 0x0080_0000, 0b00011),
            (EVEN, 1, 0x7f_ffff, 0b110, 0x0080_0000, 0b00001),
            (EVEN, 1, 0x80_0000, 0b001, 0x0080_0000, 0b00001),
        ] {
            unit.rounding.next = Word::new(rounding, 3);
            unit.exponent.next = Word::new(exponent, 9);
            unit.significand.next = Word::new(significand, 24);
            unit.guard.next = Word::new(below >> 2, 1);
            unit.half.next = Word::new(below >> 1 & 1, 1);
            unit.sticky.next = Word::new(below & 1, 1);
            simulate(&mut unit, 100);
            let found = (unit.result.val().value(), unit.flags.val().value());
            assert_eq!(found, (result, flags), "{exponent} {significand:x} {below:03b}");
        }
        unit.carry.next = 1.into();
        unit.sticky.next = 0.into();
        unit.significand.next = Word::new(0x7f_ffff, 24);
        simulate(&mut unit, 100);
        assert_eq!((unit.result.val(), unit.flags.val()), (Word::new(0x0080_0000, 32), Word::new(0, 5)));
        for (nan, infinite, result) in [(0, 1, 0xff80_0000), (1, 1, 0x7fc0_0000)] {
            unit.sign.next = 1.into();
            unit.guard.next = 1.into();
            unit.nan.next = Word::new(nan, 1);
            unit.infinite.next = Word::new(infinite, 1);
            unit.invalid.next = Word::new(nan, 1);
            simulate(&mut unit, 100);
            assert_eq!((unit.result.val().value(), unit.flags.val().value()), (result, 16 * nan));
        }
    }
}
