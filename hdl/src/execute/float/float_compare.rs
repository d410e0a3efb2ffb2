//! Comparisons of one lane, and whatever leaves a value's digits as they are.
//!
//! ```text
//!                +--------------+
//!  operation --->|              |
//!          a --->| FloatCompare |---> result
//!          b --->|              |---> flags
//!                +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `operation` | `FloatComparison` | what `result` is |
//! | `a`, `b` | 32 | operands; `Classify` and `Move` have no `b` |
//! | `result` | 32 | 0 or 1, a value, or the class as a bit |
//! | `flags` | 5 | NV, else 0: of signaling NaNs, and of any NaN that is asked for its order |
//!
//! Latency 0, no state. Values of one sign are in the order of their bits, or in the opposite one; that puts -0 below +0, which is right for
//! minimum and maximum and is corrected for the comparisons.
use super::operation::{FLAGS, FloatComparison};
use super::{FloatFormat, FloatUnpack};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatCompare {
        pub operation: Signal<In, FloatComparison>,
        pub a: Net<In> = 32,
        pub b: Net<In> = 32,
        pub result: Net<Out> = 32,
        pub flags: Net<Out> = FLAGS,

        first: FloatUnpack = FloatUnpack::new(FloatFormat::SINGLE) => { value: a },
        second: FloatUnpack = FloatUnpack::new(FloatFormat::SINGLE) => { value: b },
        bits_less: Signal<Local, Bit>,
        bits_equal: Signal<Local, Bit>,
        both_zero: Signal<Local, Bit>,
        unordered: Signal<Local, Bit>,
        signaling: Signal<Local, Bit>,
        /// With -0 below +0; not of NaN.
        below: Signal<Local, Bit>,
        equal: Signal<Local, Bit>,
        less: Signal<Local, Bit>,
        take_a: Signal<Local, Bit>,
        chosen: Net<Local> = 32,
        sign: Net<Local> = 1,
        with_sign: Net<Local> = 32,
        invalid: Signal<Local, Bit>,
        category: Net<Local> = 4,
        one: Constant = Constant::new(1, 32),
        not_a_number: Constant = Constant::new(0x7fc0_0000, 32),
    }
}

impl Logic for FloatCompare {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatCompare");
        self.bits_less.next = bit_cast_to(self.a.val(), 31) < bit_cast_to(self.b.val(), 31);
        self.bits_equal.next = self.a.val() == self.b.val();
        self.both_zero.next = self.first.is_zero.val() & self.second.is_zero.val();
        self.unordered.next = self.first.is_nan.val() | self.second.is_nan.val();
        self.signaling.next = self.first.is_signaling.val() | self.second.is_signaling.val();
        self.below.next = self.bits_less.val();
        if self.first.sign.val().any() {
            self.below.next = !self.bits_less.val() & !self.bits_equal.val();
        }
        if (self.first.sign.val() ^ self.second.sign.val()).any() {
            self.below.next = self.first.sign.val().any();
        }
        self.equal.next = (self.bits_equal.val() | self.both_zero.val()) & !self.unordered.val();
        self.less.next = self.below.val() & !self.both_zero.val() & !self.unordered.val();

        self.take_a.next = self.below.val() ^ (self.operation.val() == FloatComparison::Maximum);
        if self.unordered.val() {
            self.take_a.next = self.second.is_nan.val();
        }
        self.chosen.next = self.b.val();
        if self.take_a.val() {
            self.chosen.next = self.a.val();
        }
        if self.first.is_nan.val() & self.second.is_nan.val() {
            self.chosen.next = self.not_a_number.val();
        }

        // From -infinite up to +infinite, mirrored at zero; then NaN, signaling and quiet.
        self.category.next = 6.into();
        if self.first.is_infinite.val() {
            self.category.next = 7.into();
        }
        if self.first.is_subnormal.val() {
            self.category.next = 5.into();
        }
        if self.first.is_zero.val() {
            self.category.next = 4.into();
        }
        if self.first.sign.val().any() {
            self.category.next = self.category.val() ^ 7;
        }
        if self.first.is_nan.val() {
            self.category.next = 9.into();
        }
        if self.first.is_signaling.val() {
            self.category.next = 8.into();
        }

        self.sign.next = self.second.sign.val();
        if self.operation.val() == FloatComparison::CopyInvertedSign {
            self.sign.next = !self.second.sign.val();
        }
        if self.operation.val() == FloatComparison::MultiplySigns {
            self.sign.next = self.first.sign.val() ^ self.second.sign.val();
        }
        self.with_sign.next = bit_cast_to(bit_cast_to(self.a.val(), 31), 32) | (bit_cast_to(self.sign.val(), 32) << 31);
        self.invalid.next = false;
        match self.operation.val() {
            FloatComparison::Equal => {
                self.result.next = bit_cast_to(self.equal.val(), 32);
                self.invalid.next = self.signaling.val();
            }
            FloatComparison::Less => {
                self.result.next = bit_cast_to(self.less.val(), 32);
                self.invalid.next = self.unordered.val();
            }
            FloatComparison::LessOrEqual => {
                self.result.next = bit_cast_to(self.less.val() | self.equal.val(), 32);
                self.invalid.next = self.unordered.val();
            }
            FloatComparison::Minimum => {
                self.result.next = self.chosen.val();
                self.invalid.next = self.signaling.val();
            }
            FloatComparison::Maximum => {
                self.result.next = self.chosen.val();
                self.invalid.next = self.signaling.val();
            }
            FloatComparison::Classify => self.result.next = self.one.val() << self.category.val(),
            FloatComparison::CopySign => self.result.next = self.with_sign.val(),
            FloatComparison::CopyInvertedSign => self.result.next = self.with_sign.val(),
            FloatComparison::MultiplySigns => self.result.next = self.with_sign.val(),
            FloatComparison::Move => self.result.next = self.a.val(),
        }
        self.flags.next = bit_cast_to(self.invalid.val(), 5) << 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_at_their_corners() {
        use FloatComparison::*;
        const NAN: u32 = 0x7fc0_0000;
        const SIGNALING: u32 = 0xff80_0001;
        const ONE: u32 = 0x3f80_0000;
        const MINUS_ONE: u32 = 0xbf80_0000;
        const MINUS_ZERO: u32 = 0x8000_0000;
        const INVALID: u64 = 0b10000;
        let mut unit = FloatCompare::default();
        unit.connect_all();
        for (operation, a, b, result, flags) in [
            (Equal, 0, MINUS_ZERO, 1, 0),
            (Equal, NAN, NAN, 0, 0),
            (Equal, SIGNALING, ONE, 0, INVALID),
            (Less, MINUS_ZERO, 0, 0, 0),
            (Less, MINUS_ONE, ONE, 1, 0),
            (Less, 0xc000_0000, MINUS_ONE, 1, 0),
            (Less, ONE, NAN, 0, INVALID),
            (LessOrEqual, 0, MINUS_ZERO, 1, 0),
            (LessOrEqual, ONE, ONE, 1, 0),
            (Minimum, 0, MINUS_ZERO, MINUS_ZERO, 0),
            (Minimum, NAN, ONE, ONE, 0),
            (Minimum, ONE, SIGNALING, ONE, INVALID),
            (Maximum, MINUS_ZERO, 0, 0, 0),
            (Maximum, MINUS_ONE, 0xc000_0000, MINUS_ONE, 0),
            (Maximum, NAN, 0xffff_ffff, NAN, 0),
            (Classify, 0xff80_0000, 0, 1, 0),
            (Classify, MINUS_ONE, 0, 2, 0),
            (Classify, 0x8000_0001, 0, 4, 0),
            (Classify, MINUS_ZERO, 0, 8, 0),
            (Classify, 0, 0, 16, 0),
            (Classify, 1, 0, 32, 0),
            (Classify, ONE, 0, 64, 0),
            (Classify, 0x7f80_0000, 0, 128, 0),
            (Classify, SIGNALING, 0, 256, 0),
            (Classify, NAN, SIGNALING, 512, 0),
            (CopySign, ONE, MINUS_ZERO, MINUS_ONE, 0),
            (CopyInvertedSign, NAN, 0, 0xffc0_0000, 0),
            (MultiplySigns, MINUS_ONE, MINUS_ZERO, ONE, 0),
            (Move, SIGNALING, SIGNALING, SIGNALING, 0),
        ] {
            unit.operation.next = operation;
            unit.a.next = (a as usize).into();
            unit.b.next = (b as usize).into();
            simulate(&mut unit, 100);
            let found = (unit.result.val().value() as u32, unit.flags.val().value());
            assert_eq!(found, (result, flags), "{operation:?} {a:x} {b:x}");
        }
    }
}
