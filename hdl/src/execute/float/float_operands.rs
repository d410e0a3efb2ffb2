//! Operands of a multiply-add: which ones an operation has, their parts, and what is special about them.
//!
//! ```text
//!   a ---+--> a, 1 or 0 -----> FloatUnpack --+--> normalise the one that is subnormal ---> factors_a, factors_b
//!   b ---|-------------------> FloatUnpack --+
//!   c ---+--> c, a, 0, -2^w -> FloatUnpack ----------------------------------------------> factors_addend
//!                                          +---> signs, exponents, special cases
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `operation` | `FloatOperation` | what is computed |
//! | `rounding` | `FloatRounding` | passed on |
//! | `a`, `b`, `c` | w = 1 + e + f | operands; a sum has no `c`, a conversion only `a` |
//! | `factors_a`, `factors_b`, `factors_addend` | 1 + f | significands |
//! | `factors_product_exponent` | e + 2 | of the top bit of the sum, with the product at its lower end |
//! | `factors_addend_exponent` | e | |
//! | `factors_product_sign`, `factors_addend_sign` | 1 | negations are in them |
//! | `factors_no_product`, `factors_from_integer` | 1 | a factor is zero; `{b, a}` is an integer |
//! | `factors_outcome_rounding`, `factors_outcome_nan`, `factors_outcome_infinite`, `factors_outcome_invalid`, `factors_outcome_to_integer`, `factors_outcome_is_signed` | 3, 1, 1, 1, 1, 1 | what is known of the result |
//!
//! Latency 0, no state. Everything is `a * b + c`: a sum is `1 * b + a`, a product has an addend of zero with its own sign, which leaves an exact result and a result of
//! zero as they are; an integer stands in the product's place, and if it is negative, as what it is without sign minus 2^w; what becomes an integer is
//! an addend without product. One normaliser is enough for two factors: if both are subnormal, their product is below all rounding bits of any sum.
use super::operation::{FloatFactors, FloatOperation, FloatRounding};
use super::{FloatFormat, FloatUnpack};
use crate::parts::LeadingZeros;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatOperands {
        pub operation: Signal<In, FloatOperation>,
        pub rounding: Signal<In, FloatRounding>,
        pub a: Net<In> = format.width(),
        pub b: Net<In> = format.width(),
        pub c: Net<In> = format.width(),
        pub factors: FloatFactors<Out> = FloatFactors::new(format),

        first: FloatUnpack = FloatUnpack::new(format),
        second: FloatUnpack = FloatUnpack::new(format) => { value: b },
        addend: FloatUnpack = FloatUnpack::new(format),
        zeros: LeadingZeros = LeadingZeros::new(padded),

        negate_product: Signal<Local, Bit>,
        negate_addend: Signal<Local, Bit>,
        from_integer: Signal<Local, Bit>,
        to_integer: Signal<Local, Bit>,
        is_signed: Signal<Local, Bit>,
        /// Special values of the factors matter.
        multiplies: Signal<Local, Bit>,
        product_sign: Net<Local> = 1,
        addend_sign: Net<Local> = 1,
        infinite_sign: Net<Local> = 1,
        unnormalised: Net<Local> = format.significand(),
        normalised: Net<Local> = format.significand(),
        any_nan: Signal<Local, Bit>,
        any_signaling: Signal<Local, Bit>,
        product_infinite: Signal<Local, Bit>,
        infinite: Signal<Local, Bit>,
        invalid: Signal<Local, Bit>,
        one: Constant = Constant::new(format.power_of_two(0), format.width()),
        /// What the bits of a negative integer are too large by, with its sign.
        wrapped: Constant = Constant::new(format.power_of_two(format.width()) | 1 << (format.width() - 1), format.width()),
        sign_place: Constant = Constant::new(format.width() as u64 - 1, 6),
        significand_width: Constant = Constant::new(format.significand() as u64, 6),
        padding: Constant = Constant::new((padded - format.significand()) as u64, 6),
        /// From the sum of two exponents to that of the top bit of the sum, with the leading zeros in the product's top bit.
        to_top: Constant = Constant::new((format.above() + 1).wrapping_sub(format.bias()) as u64 & mask(format.wide_exponent()), format.wide_exponent()),
        integer_at_end: Constant = Constant::new((format.bias() + format.sum() - 1) as u64, format.wide_exponent()),
        integer_at_top: Constant = Constant::new((format.bias() + format.width() - 1) as u64, format.wide_exponent()),
    }
    sizes { _significand = format.significand(), _padded = padded, _wide = format.wide_exponent() }
    /// For this format.
    pub fn new(format: FloatFormat) {
        let padded = format.significand().next_power_of_two();
    }
}

impl Logic for FloatOperands {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatOperands");
        self.negate_product.next = false;
        self.negate_addend.next = false;
        self.from_integer.next = false;
        self.to_integer.next = false;
        self.is_signed.next = false;
        self.multiplies.next = true;
        self.first.value.next = self.a.val();
        self.addend.value.next = self.c.val();
        match self.operation.val() {
            FloatOperation::MultiplyAdd => {}
            FloatOperation::MultiplySubtract => self.negate_addend.next = true,
            FloatOperation::NegatedMultiplySubtract => self.negate_product.next = true,
            FloatOperation::NegatedMultiplyAdd => {
                self.negate_product.next = true;
                self.negate_addend.next = true;
            }
            FloatOperation::Add => {
                self.first.value.next = self.one.val();
                self.addend.value.next = self.a.val();
            }
            FloatOperation::Subtract => {
                self.negate_product.next = true;
                self.first.value.next = self.one.val();
                self.addend.value.next = self.a.val();
            }
            FloatOperation::Multiply => self.addend.value.next = 0.into(),
            FloatOperation::FromInteger => {
                self.multiplies.next = false;
                self.from_integer.next = true;
                self.addend.value.next = 0.into();
                if (self.a.val() >> self.sign_place.val()).any() {
                    self.addend.value.next = self.wrapped.val();
                }
            }
            FloatOperation::FromUnsigned => {
                self.multiplies.next = false;
                self.from_integer.next = true;
                self.addend.value.next = 0.into();
            }
            FloatOperation::ToInteger => {
                self.multiplies.next = false;
                self.to_integer.next = true;
                self.is_signed.next = true;
                self.first.value.next = 0.into();
                self.addend.value.next = self.a.val();
            }
            FloatOperation::ToUnsigned => {
                self.multiplies.next = false;
                self.to_integer.next = true;
                self.first.value.next = 0.into();
                self.addend.value.next = self.a.val();
            }
        }

        self.any_nan.next =
            self.addend.is_nan.val() | (self.multiplies.val() & (self.first.is_nan.val() | self.second.is_nan.val()));
        self.any_signaling.next =
            self.addend.is_signaling.val() | self.first.is_signaling.val() | self.second.is_signaling.val();
        self.product_infinite.next = self.first.is_infinite.val() | self.second.is_infinite.val();
        self.infinite.next = self.addend.is_infinite.val() | (self.multiplies.val() & self.product_infinite.val());

        self.product_sign.next =
            self.first.sign.val() ^ self.second.sign.val() ^ bit_cast_to(self.negate_product.val(), 1);
        self.addend_sign.next = self.addend.sign.val() ^ bit_cast_to(self.negate_addend.val(), 1);
        if self.operation.val() == FloatOperation::Multiply {
            self.addend_sign.next = self.product_sign.val();
        }
        self.invalid.next = self.multiplies.val()
            & (self.any_signaling.val()
                | (self.first.is_infinite.val() & self.second.is_zero.val())
                | (self.first.is_zero.val() & self.second.is_infinite.val())
                | (self.product_infinite.val()
                    & self.addend.is_infinite.val()
                    & !self.any_nan.val()
                    & (self.product_sign.val() ^ self.addend_sign.val()).any()));
        // An infinite result has the sign of the infinite operand.
        self.infinite_sign.next = self.product_sign.val();
        if self.addend.is_infinite.val() {
            self.infinite_sign.next = self.addend_sign.val();
        }
        self.factors.product_sign.next = self.product_sign.val();
        self.factors.addend_sign.next = self.addend_sign.val();
        if self.infinite.val() {
            self.factors.product_sign.next = self.infinite_sign.val();
            self.factors.addend_sign.next = self.infinite_sign.val();
        }
        if self.from_integer.val() {
            self.factors.product_sign.next = 0.into();
        }
        if self.to_integer.val() {
            self.factors.product_sign.next = self.addend.sign.val();
        }

        self.unnormalised.next = self.second.significand.val();
        if self.first.is_subnormal.val() {
            self.unnormalised.next = self.first.significand.val();
        }
        self.zeros.value.next = bit_cast_to(self.unnormalised.val(), self._padded) << self.padding.val();
        self.normalised.next = self.unnormalised.val() << self.zeros.count.val();
        self.factors.a.next = self.first.significand.val();
        self.factors.b.next = self.normalised.val();
        if self.first.is_subnormal.val() {
            self.factors.a.next = self.normalised.val();
            self.factors.b.next = self.second.significand.val();
        }
        self.factors.addend.next = self.addend.significand.val();
        self.factors.product_exponent.next = bit_cast_to(self.first.exponent.val(), self._wide)
            + bit_cast_to(self.second.exponent.val(), self._wide)
            - bit_cast_to(self.zeros.count.val(), self._wide)
            + self.to_top.val();
        self.factors.addend_exponent.next = self.addend.exponent.val();
        self.factors.no_product.next =
            bit_cast_to(self.multiplies.val() & (self.first.is_zero.val() | self.second.is_zero.val()), 1);
        if self.from_integer.val() {
            self.factors.a.next = bit_cast_to(self.a.val(), self._significand);
            self.factors.b.next = bit_cast_to(self.a.val() >> self.significand_width.val(), self._significand);
            self.factors.product_exponent.next = self.integer_at_end.val();
        }
        if self.to_integer.val() {
            self.factors.product_exponent.next = self.integer_at_top.val();
        }

        self.factors.from_integer.next = bit_cast_to(self.from_integer.val(), 1);
        self.factors.outcome.rounding.next = bit_cast_to(self.rounding.val(), 3);
        self.factors.outcome.nan.next = bit_cast_to(self.any_nan.val() | self.invalid.val(), 1);
        self.factors.outcome.infinite.next = bit_cast_to(self.infinite.val(), 1);
        self.factors.outcome.invalid.next = bit_cast_to(self.invalid.val(), 1);
        self.factors.outcome.to_integer.next = bit_cast_to(self.to_integer.val(), 1);
        self.factors.outcome.is_signed.next = bit_cast_to(self.is_signed.val(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_the_result() {
        use FloatOperation::*;
        const ONE: u32 = 0x3f80_0000;
        const INFINITE: u32 = 0x7f80_0000;
        const SIGNALING: u32 = 0x7f80_0001;
        let mut unit = FloatOperands::new(FloatFormat::SINGLE);
        unit.connect_all();
        for (operation, a, b, c, known) in [
            (MultiplyAdd, ONE, ONE, ONE, ""),
            (MultiplyAdd, INFINITE, ONE, ONE, "infinite"),
            (MultiplyAdd, INFINITE, 0, SIGNALING - 1 + 0x40_0000, "nan invalid infinite"),
            (MultiplyAdd, INFINITE, ONE, INFINITE, "infinite"),
            (MultiplySubtract, INFINITE, ONE, INFINITE, "nan invalid infinite"),
            (Add, ONE, INFINITE, SIGNALING, "infinite"),
            (Multiply, SIGNALING, ONE, ONE, "nan invalid"),
            (FromInteger, SIGNALING, SIGNALING, SIGNALING, ""),
            (ToInteger, SIGNALING, SIGNALING, SIGNALING, "nan to_integer is_signed"),
        ] {
            unit.operation.next = operation;
            unit.a.next = (a as usize).into();
            unit.b.next = (b as usize).into();
            unit.c.next = (c as usize).into();
            simulate(&mut unit, 100);
            let outcome = &unit.factors.outcome;
            let found = [
                (&outcome.nan, "nan"),
                (&outcome.invalid, "invalid"),
                (&outcome.infinite, "infinite"),
                (&outcome.to_integer, "to_integer"),
                (&outcome.is_signed, "is_signed"),
            ];
            let found: Vec<_> = found.into_iter().filter_map(|(bit, name)| bit.val().any().then_some(name)).collect();
            assert_eq!(found.join(" "), known, "{operation:?} {a:x} {b:x} {c:x}");
        }
    }

    #[test]
    fn a_subnormal_factor_is_normalised() {
        let mut unit = FloatOperands::new(FloatFormat::SINGLE);
        unit.connect_all();
        for (a, b) in [(3, 0x3f80_0000), (0x3f80_0000, 3)] {
            unit.a.next = a.into();
            unit.b.next = b.into();
            simulate(&mut unit, 100);
            let significands = [unit.factors.a.val().value(), unit.factors.b.val().value()];
            assert!(significands.contains(&0xc0_0000) && significands.contains(&0x80_0000), "{significands:x?}");
            // 3 * 2^-149: the exponent is that of 1.5 * 2^-148, and 27 places above the product's second bit.
            assert_eq!(unit.factors.product_exponent.val(), 127 + 27 - 148);
        }
    }
}
