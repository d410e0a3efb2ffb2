//! Rounds a magnitude to an integer, or to the nearest one that there is.
//!
//! ```text
//!   sign, magnitude, guard, sticky ---->+--------------+---> result
//!             is_signed, rounding ----->| FloatConvert |
//!                  too_large, nan ----->+--------------+---> flags
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rounding` | 3 | as `FloatRounding` |
//! | `is_signed` | 1 | the result is in two's complement, else without sign |
//! | `sign`, `magnitude` | 1, w | the value's |
//! | `guard`, `sticky` | 1 | the bit below; whether there is anything below that |
//! | `too_large` | 1 | the magnitude has more bits |
//! | `nan` | 1 | it is no number |
//! | `result` | w | the largest integer for NaN; the largest or smallest for what is beyond them |
//! | `flags` | 5 | NV if the rounded value is no such integer; else NX |
//!
//! Latency 0, no state. A negative value is rounded and negated by one adder: -(m + 1) is m inverted.
use super::operation::FLAGS;
use super::{FloatFormat, FloatIncrement};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatConvert {
        pub rounding: Net<In> = 3,
        pub is_signed: Net<In> = 1,
        pub sign: Net<In> = 1,
        pub magnitude: Net<In> = width,
        pub guard: Net<In> = 1,
        pub sticky: Net<In> = 1,
        pub too_large: Net<In> = 1,
        pub nan: Net<In> = 1,
        pub result: Net<Out> = width,
        pub flags: Net<Out> = FLAGS,

        decision: FloatIncrement = FloatIncrement::default() => { rounding, sign, guard, below: sticky },
        inverted: Net<Local> = width,
        rounded: Net<Local> = width,
        top: Net<Local> = 1,
        rounded_top: Net<Local> = 1,
        not_zero: Net<Local> = 1,
        beyond: Net<Local> = 1,
        /// The result is at its lower end if it is beyond.
        lowest: Net<Local> = 1,
        inexact: Net<Local> = 1,
        top_place: Constant = Constant::new(width as u64 - 1, 6),
        below_top: Constant = Constant::new(mask(width - 1), width),
    }
    sizes { _width = width }
    /// To integers as wide as a value of this format.
    pub fn new(format: FloatFormat) {
        let width = format.width();
    }
}

impl Logic for FloatConvert {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatConvert");
        self.decision.odd.next = bit_cast_to(self.magnitude.val(), 1);
        self.inverted.next = self.magnitude.val();
        if self.sign.val().any() {
            self.inverted.next = !self.magnitude.val();
        }
        self.rounded.next = self.inverted.val() + bit_cast_to(self.decision.up.val() ^ self.sign.val(), self._width);
        self.top.next = bit_cast_to(self.magnitude.val() >> self.top_place.val(), 1);
        self.rounded_top.next = bit_cast_to(self.rounded.val() >> self.top_place.val(), 1);
        self.not_zero.next = bit_cast_to(self.rounded.val().any(), 1) | self.top.val();

        // Where the top bit does not tell, the sum has wrapped: m + 1 is 2^w.
        if self.is_signed.val().any() {
            self.beyond.next = self.top.val() & !self.rounded_top.val();
            if !self.sign.val().any() {
                self.beyond.next = self.top.val() | self.rounded_top.val();
            }
        } else {
            self.beyond.next = self.top.val() & !self.rounded_top.val();
            if self.sign.val().any() {
                self.beyond.next = self.not_zero.val();
            }
        }
        self.beyond.next = self.beyond.val() | self.too_large.val() | self.nan.val();
        self.inexact.next = !self.beyond.val() & (self.guard.val() | self.sticky.val());
        self.flags.next = bit_cast_to(self.inexact.val(), 5) | (bit_cast_to(self.beyond.val(), 5) << 4);

        self.lowest.next = self.sign.val() & !self.nan.val();
        self.result.next = self.rounded.val();
        if self.beyond.val().any() {
            self.result.next =
                bit_cast_to(!(self.lowest.val() ^ self.is_signed.val()), self._width) << self.top_place.val();
            if !self.lowest.val().any() {
                self.result.next = self.result.val() | self.below_top.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_integers() {
        let mut unit = FloatConvert::new(FloatFormat::SINGLE);
        unit.connect_all();
        // In the mode nearest, even.
        for (is_signed, sign, magnitude, below, result, flags) in [
            (1, 0, 2, 0b10, 2, 0b00001),
            (1, 0, 3, 0b10, 4, 0b00001),
            (1, 1, 3, 0b11, 0xffff_fffc, 0b00001),
            (1, 0, 0x7fff_ffff, 0b01, 0x7fff_ffff, 0b00001),
            (1, 0, 0x7fff_ffff, 0b10, 0x7fff_ffff, 0b10000),
            (1, 1, 0x8000_0000, 0b10, 0x8000_0000, 0b00001),
            (1, 1, 0x8000_0000, 0b11, 0x8000_0000, 0b10000),
            (1, 1, 0xffff_ffff, 0b11, 0x8000_0000, 0b10000),
            (1, 1, 0x7fff_ffff, 0b11, 0x8000_0000, 0b00001),
            (0, 0, 0xffff_ffff, 0b01, 0xffff_ffff, 0b00001),
            (0, 0, 0xffff_ffff, 0b11, 0xffff_ffff, 0b10000),
            (0, 1, 0, 0b10, 0, 0b00001),
            (0, 1, 0, 0b11, 0, 0b10000),
            (0, 1, 0xffff_ffff, 0b11, 0, 0b10000),
        ] {
            unit.is_signed.next = Word::new(is_signed, 1);
            unit.sign.next = Word::new(sign, 1);
            unit.magnitude.next = Word::new(magnitude, 32);
            unit.guard.next = Word::new(below >> 1, 1);
            unit.sticky.next = Word::new(below & 1, 1);
            simulate(&mut unit, 100);
            let found = (unit.result.val().value(), unit.flags.val().value());
            assert_eq!(found, (result, flags), "{is_signed} {sign} {magnitude:x} {below:02b}");
        }
        unit.too_large.next = 1.into();
        simulate(&mut unit, 100);
        assert_eq!((unit.result.val().value(), unit.flags.val().value()), (0, 16));
        unit.nan.next = 1.into();
        simulate(&mut unit, 100);
        assert_eq!((unit.result.val().value(), unit.flags.val().value()), (0xffff_ffff, 16));
    }
}
