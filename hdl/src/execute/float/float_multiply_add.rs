//! Fused multiply-add of one lane, and all that one serves for: sums, products, conversions from and to integers.
//!
//! ```text
//!  EXECUTE           + 1             + 2                  + 3                    + 4
//!              |              |                   |                     |                     |
//!  a --> Float |---> multiply |--------> add      |--> FloatNormalize --|--> FloatRound  --+--|--> result
//!  b --> Ope-  |              |           ^       |                     |--> FloatConvert -+  |--> flags
//!  c --> rands |---> distance |-> FloatAlign      |                     |                     |
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `operation` | `FloatOperation` | EXECUTE: what is computed |
//! | `rounding` | `FloatRounding` | and how it is rounded |
//! | `a`, `b`, `c` | w = 1 + e + f | its operands: a sum has no `c`, a conversion only `a` |
//! | `result` | w | five cycles later |
//! | `flags` | 5 | NV, DZ, OF, UF, NX of the same operation; DZ is 0 |
//!
//! Latency 5, one operation per cycle. State: the five pipeline registers. The sum is 3 f + 5 bits long: the product's 2 f + 2, and above them as many as an addend needs
//! whose rounding bits the product does not reach. An addend that is larger still, or as small as its exponent can be, stays at the top: all the product can do
//! there is to make the result inexact, and for that it is near enough. So an exponent is never below 1, and a result that is subnormal is not shifted
//! back. A difference is made without its final one: if the addend was larger, every bit inverted is exactly the magnitude; if it was not, the one is left to
//! [`FloatNormalize`](super::FloatNormalize). What is shifted out of the addend counts as that one.
use super::operation::*;
use super::{FloatAlign, FloatConvert, FloatFormat, FloatNormalize, FloatOperands, FloatRound};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatMultiplyAdd: clock {
        pub operation: Signal<In, FloatOperation>,
        pub rounding: Signal<In, FloatRounding>,
        pub a: Net<In> = format.width(),
        pub b: Net<In> = format.width(),
        pub c: Net<In> = format.width(),
        pub result: Net<Out> = format.width(),
        pub flags: Net<Out> = FLAGS,

        operands: FloatOperands = FloatOperands::new(format) => { operation, rounding, a, b, c },
        factors: FloatFactorsRegister = FloatFactorsRegister::new(format) => { d: operands.factors },

        multiplier: Multiplier = Multiplier::new(format.significand()) => { a: factors.q.a, b: factors.q.b },
        difference: Net<Local> = format.wide_exponent(),
        too_large: Net<Local> = 1,
        terms: FloatTermsRegister = FloatTermsRegister::new(format) => {
            d.addend: factors.q.addend, d.product_sign: factors.q.product_sign, d.addend_sign: factors.q.addend_sign,
        },

        align: FloatAlign = FloatAlign::new(format) => { addend: terms.q.addend, distance: terms.q.distance },
        subtract: Net<Local> = 1,
        high_addend: Net<Local> = format.above(),
        low_addend: Net<Local> = format.product(),
        low_sum: Net<Local> = format.product() + 1,
        high_sum: Net<Local> = format.above() + 1,
        addend_is_larger: Net<Local> = 1,
        sum: FloatSumRegister = FloatSumRegister::new(format) => { d.outcome: terms.q.outcome, d.sticky: align.sticky },

        normalize: FloatNormalize = FloatNormalize::new(format) => {
            high: sum.q.high, low: sum.q.low, complement: sum.q.complement, pending: sum.q.pending,
            sticky: sum.q.sticky, exponent: sum.q.exponent,
        },
        unrounded: FloatUnroundedRegister = FloatUnroundedRegister::new(format) => {
            d.significand: normalize.significand, d.guard: normalize.guard, d.half: normalize.half, d.carry: normalize.carry,
            d.outcome: sum.q.outcome,
        },

        round: FloatRound = FloatRound::new(format) => {
            rounding: unrounded.q.outcome.rounding, sign: unrounded.q.sign, exponent: unrounded.q.exponent,
            significand: unrounded.q.significand, guard: unrounded.q.guard, half: unrounded.q.half,
            sticky: unrounded.q.sticky, carry: unrounded.q.carry, nan: unrounded.q.outcome.nan,
            infinite: unrounded.q.outcome.infinite, invalid: unrounded.q.outcome.invalid,
        },
        convert: FloatConvert = FloatConvert::new(format) => {
            rounding: unrounded.q.outcome.rounding, sign: unrounded.q.sign, sticky: unrounded.q.sticky,
            is_signed: unrounded.q.outcome.is_signed, too_large: unrounded.q.outcome.infinite,
            nan: unrounded.q.outcome.nan,
        },
        rounded: Flop = Flop::new(format.width()) => { q: result },
        raised: Flop = Flop::new(FLAGS) => { q: flags },

        beyond: Constant = Constant::new(mask(format.distance()), format.distance()),
        product_width: Constant = places(format.product()),
        significand_width: Constant = places(format.significand()),
        above_width: Constant = places(format.above()),
        distance_width: Constant = places(format.distance()),
        difference_top: Constant = places(format.wide_exponent() - 1),
        /// Of an integer's bits: those after the significand's are in the place of `guard` and `half`, the rest in that of the exponent.
        significand_place: Constant = places(format.exponent),
        guard_place: Constant = places(format.exponent - 1),
        half_place: Constant = places(format.exponent - 2),
    }
    sizes {
        _product = format.product(), _exponent = format.exponent, _wide = format.wide_exponent(), _distance = format.distance(),
        _low_sum = format.product() + 1, _above = format.above(), _high_sum = format.above() + 1,
        _sum_exponent = format.exponent + 1, _width = format.width(), _integer_low = format.exponent - 2,
    }
    /// For this format.
    pub fn new(format: FloatFormat) {}
}

/// So many places.
fn places(count: usize) -> Constant {
    Constant::new(count as u64, 6)
}

impl Logic for FloatMultiplyAdd {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatMultiplyAdd");
        dff_setup!(self, clock, rounded, raised);
        // + 1: product, and where the addend goes.
        self.multiplier.a_signed.next = false;
        self.multiplier.b_signed.next = false;
        self.terms.d.product.next = bit_cast_to(self.multiplier.low.val(), self._product)
            | (bit_cast_to(self.multiplier.high.val(), self._product) << self.significand_width.val());
        if self.factors.q.from_integer.val().any() {
            self.terms.d.product.next = bit_cast_to(self.factors.q.a.val(), self._product)
                | (bit_cast_to(bit_cast_to(self.factors.q.b.val(), self._exponent), self._product)
                    << self.significand_width.val());
        }
        self.difference.next =
            self.factors.q.product_exponent.val() - bit_cast_to(self.factors.q.addend_exponent.val(), self._wide);
        self.too_large.next = bit_cast_to(self.difference.val() >> self.difference_top.val(), 1);
        self.terms.d.distance.next = bit_cast_to(self.difference.val(), self._distance);
        self.terms.d.exponent.next = bit_cast_to(self.factors.q.product_exponent.val(), self._sum_exponent);
        if (self.difference.val() >> self.distance_width.val()).any() {
            self.terms.d.distance.next = self.beyond.val();
        }
        if (self.too_large.val() | self.factors.q.no_product.val()).any() {
            self.terms.d.distance.next = 0.into();
            self.terms.d.exponent.next = bit_cast_to(self.factors.q.addend_exponent.val(), self._sum_exponent);
        }
        wire::join(&mut self.factors.q.outcome, &mut self.terms.d.outcome);
        if self.factors.q.outcome.to_integer.val().any() {
            self.terms.d.exponent.next = 1.into();
            self.terms.d.outcome.infinite.next = self.factors.q.outcome.infinite.val() | self.too_large.val();
        }

        // + 2: the sum, a difference without its final one.
        self.subtract.next = self.terms.q.product_sign.val() ^ self.terms.q.addend_sign.val();
        self.high_addend.next = self.align.high.val();
        self.low_addend.next = self.align.low.val();
        if self.subtract.val().any() {
            self.high_addend.next = !self.align.high.val();
            self.low_addend.next = !self.align.low.val();
        }
        self.low_sum.next =
            bit_cast_to(self.terms.q.product.val(), self._low_sum) + bit_cast_to(self.low_addend.val(), self._low_sum);
        self.high_sum.next = bit_cast_to(self.high_addend.val(), self._high_sum)
            + bit_cast_to(self.low_sum.val() >> self.product_width.val(), self._high_sum);
        self.addend_is_larger.next = !bit_cast_to(self.high_sum.val() >> self.above_width.val(), 1);
        self.sum.d.high.next = bit_cast_to(self.high_sum.val(), self._above);
        self.sum.d.low.next = bit_cast_to(self.low_sum.val(), self._product);
        self.sum.d.complement.next = self.subtract.val() & self.addend_is_larger.val();
        self.sum.d.pending.next = self.subtract.val() & !self.addend_is_larger.val() & !self.align.sticky.val();
        self.sum.d.exponent.next = self.terms.q.exponent.val();
        self.sum.d.is_difference.next = self.subtract.val();
        self.sum.d.sign.next = self.terms.q.product_sign.val();
        if (self.subtract.val() & self.addend_is_larger.val()).any() {
            self.sum.d.sign.next = self.terms.q.addend_sign.val();
        }

        // + 3: normalised; of an integer the bits below its unit.
        self.unrounded.d.sign.next = self.sum.q.sign.val();
        if (self.normalize.is_zero.val() & self.sum.q.is_difference.val()).any() {
            self.unrounded.d.sign.next = bit_cast_to(self.sum.q.outcome.rounding.val() == 2, 1);
        }
        self.unrounded.d.exponent.next = self.normalize.significand_exponent.val();
        self.unrounded.d.sticky.next = self.normalize.sticky_below.val();
        if self.sum.q.outcome.to_integer.val().any() {
            self.unrounded.d.exponent.next = (bit_cast_to(self.normalize.integer_low.val(), self._sum_exponent) << 1)
                | bit_cast_to(self.normalize.integer_guard.val(), self._sum_exponent);
            self.unrounded.d.sticky.next = self.normalize.integer_sticky.val();
        }

        // + 4: rounded.
        self.round.divide_by_zero.next = 0.into();
        self.convert.magnitude.next = (bit_cast_to(self.unrounded.q.significand.val(), self._width)
            << self.significand_place.val())
            | (bit_cast_to(self.unrounded.q.guard.val(), self._width) << self.guard_place.val())
            | (bit_cast_to(self.unrounded.q.half.val(), self._width) << self.half_place.val())
            | bit_cast_to(bit_cast_to(self.unrounded.q.exponent.val() >> 1, self._integer_low), self._width);
        self.convert.guard.next = bit_cast_to(self.unrounded.q.exponent.val(), 1);
        self.rounded.d.next = self.round.result.val();
        self.raised.d.next = self.round.flags.val();
        if self.unrounded.q.outcome.to_integer.val().any() {
            self.rounded.d.next = self.convert.result.val();
            self.raised.d.next = self.convert.flags.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_per_cycle_and_every_operation() {
        use FloatOperation::*;
        let mut unit = FloatMultiplyAdd::new(FloatFormat::SINGLE);
        unit.connect_all();
        simulate(&mut unit, 1000);
        const NAN: u32 = 0x7fc0_0000;
        let float = f32::to_bits;
        let script = [
            (MultiplyAdd, float(2.0), float(3.0), float(4.0), float(10.0), 0),
            (MultiplySubtract, float(2.0), float(3.0), float(4.0), float(2.0), 0),
            (NegatedMultiplySubtract, float(2.0), float(3.0), float(4.0), float(-2.0), 0),
            (NegatedMultiplyAdd, float(2.0), float(3.0), float(4.0), float(-10.0), 0),
            (Add, float(1.5), float(-1.5), NAN, float(0.0), 0),
            (Add, float(-0.0), float(-0.0), NAN, float(-0.0), 0),
            (Subtract, float(1.0), float(1e-30), NAN, float(1.0), 0b00001),
            (Multiply, float(-0.0), float(3.0), NAN, float(-0.0), 0),
            (Multiply, float(1e30), float(1e30), NAN, float(f32::INFINITY), 0b00101),
            (Multiply, float(1e-30), float(1e-30), NAN, float(0.0), 0b00011),
            (Multiply, float(f32::INFINITY), float(0.0), NAN, NAN, 0b10000),
            (Multiply, 1, float(8388608.0), 0, float(f32::MIN_POSITIVE), 0),
            (FromInteger, -3i32 as u32, NAN, NAN, float(-3.0), 0),
            (FromInteger, 0x8000_0000, 0, 0, float(-2147483648.0), 0),
            (FromUnsigned, 0xffff_ffff, 0, 0, float(4294967296.0), 0b00001),
            (ToInteger, float(-2.5), NAN, NAN, -2i32 as u32, 0b00001),
            (ToInteger, float(-3e9), 0, 0, 0x8000_0000, 0b10000),
            (ToInteger, NAN, 0, 0, 0x7fff_ffff, 0b10000),
            (ToUnsigned, float(4294967040.0), 0, 0, 0xffff_ff00, 0),
            (ToUnsigned, float(-1.0), 0, 0, 0, 0b10000),
        ];
        for cycle in 0..script.len() + 5 {
            if let Some(&(operation, a, b, c, result, flags)) = cycle.checked_sub(5).map(|done| &script[done]) {
                let found = (unit.result.val().value() as u32, unit.flags.val().value());
                assert_eq!(found, (result, flags), "{operation:?} {a:x} {b:x} {c:x}: {:x}", found.0);
            }
            if let Some(&(operation, a, b, c, ..)) = script.get(cycle) {
                unit.operation.next = operation;
                unit.a.next = (a as usize).into();
                unit.b.next = (b as usize).into();
                unit.c.next = (c as usize).into();
            }
            tick!(unit);
        }
    }
}
