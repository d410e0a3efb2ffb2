//! Floating point as RISC-V's F has it: values and flags, by `rustc_apfloat`, LLVM's own arithmetic for constants.
//!
//! RISC-V's rules stand here: one NaN, overflow and tininess after rounding, saturating conversions, flags. Square roots, which the crate has not, are those of long integers.
//! Everything is generic in the format, for what is checked in formats of a few bits.
use std::cmp::Ordering;
use std::marker::PhantomData;

use rustc_apfloat::ieee::{IeeeFloat, Semantics, SingleS};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};
use warploom_hdl::execute::float::operation::{FloatComparison, FloatOperation, FloatRounding};

/// NX
pub const INEXACT: u8 = 1;
/// UF
pub const UNDERFLOW: u8 = 2;
/// OF
pub const OVERFLOW: u8 = 4;
/// DZ
pub const DIVIDE_BY_ZERO: u8 = 8;
/// NV
pub const INVALID: u8 = 16;

/// A result, and the flags that it raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Bits of a value or an integer.
    pub result: u64,
    /// As in `fflags`.
    pub flags: u8,
}

/// binary32.
pub type Single = Arithmetic<SingleS>;

/// A format like those of IEEE 754.
pub struct Format<const EXPONENT: usize, const FRACTION: usize>;

impl<const EXPONENT: usize, const FRACTION: usize> Semantics for Format<EXPONENT, FRACTION> {
    const BITS: usize = 1 + EXPONENT + FRACTION;
    const EXP_BITS: usize = EXPONENT;
}

/// The same precision, and exponents that nothing underflows with.
struct Wider<S>(PhantomData<S>);

impl<S: Semantics> Semantics for Wider<S> {
    const BITS: usize = S::BITS + 4;
    const EXP_BITS: usize = S::EXP_BITS + 4;
}

/// Operations on the values of a format.
pub struct Arithmetic<S>(PhantomData<S>);

impl<S: Semantics> Arithmetic<S> {
    /// Bits of a value.
    pub const WIDTH: usize = S::BITS;
    const NAN: u64 = ((1 << (S::EXP_BITS + 1)) - 1) << (S::PRECISION - 2);

    fn value(bits: u64) -> IeeeFloat<S> {
        IeeeFloat::from_bits(bits.into())
    }

    /// What [`FloatMultiplyAdd`](warploom_hdl::execute::float::FloatMultiplyAdd) gives.
    pub fn multiply_add(operation: FloatOperation, rounding: FloatRounding, operands: [u64; 3]) -> Outcome {
        use FloatOperation::*;
        let (round, [a, b, c]) = (mode(rounding), operands.map(Self::value));
        let wide = || operands.map(Self::value).map(widen);
        match operation {
            Add => Self::rounded(&[a, b], a.add_r(b, round), || wide()[0].add_r(wide()[1], round)),
            Subtract => Self::rounded(&[a, b], a.sub_r(b, round), || wide()[0].sub_r(wide()[1], round)),
            Multiply => Self::rounded(&[a, b], a.mul_r(b, round), || wide()[0].mul_r(wide()[1], round)),
            MultiplyAdd | MultiplySubtract | NegatedMultiplySubtract | NegatedMultiplyAdd => {
                let negate_product = matches!(operation, NegatedMultiplySubtract | NegatedMultiplyAdd);
                let negate_addend = matches!(operation, MultiplySubtract | NegatedMultiplyAdd);
                let (a, c) = (if negate_product { -a } else { a }, if negate_addend { -c } else { c });
                Self::rounded(&[a, b, c], a.mul_add_r(b, c, round), || widen(a).mul_add_r(widen(b), widen(c), round))
            }
            FromInteger => {
                let integer = (operands[0] << (64 - S::BITS)) as i64 >> (64 - S::BITS);
                Self::rounded(&[], IeeeFloat::from_i128_r(integer.into(), round), || {
                    IeeeFloat::from_i128_r(integer.into(), round)
                })
            }
            FromUnsigned => {
                let integer = operands[0] & ((1 << S::BITS) - 1);
                Self::rounded(&[], IeeeFloat::from_u128_r(integer.into(), round), || {
                    IeeeFloat::from_u128_r(integer.into(), round)
                })
            }
            ToInteger => Self::to_integer(a, round, true),
            ToUnsigned => Self::to_integer(a, round, false),
        }
    }

    fn to_integer(a: IeeeFloat<S>, round: Round, signed: bool) -> Outcome {
        let (least, greatest) = match signed {
            true => (1 << (S::BITS - 1), (1 << (S::BITS - 1)) - 1),
            false => (0, (1 << S::BITS) - 1),
        };
        let mut exact = false;
        let (status, integer) = if signed {
            let StatusAnd { status, value } = a.to_i128_r(S::BITS, round, &mut exact);
            (status, value as u64)
        } else {
            let StatusAnd { status, value } = a.to_u128_r(S::BITS, round, &mut exact);
            (status, value as u64)
        };
        if a.is_nan() || status.contains(Status::INVALID_OP) {
            let result = if a.is_negative() && !a.is_nan() { least } else { greatest };
            return Outcome { result, flags: INVALID };
        }
        let flags = if status.contains(Status::INEXACT) { INEXACT } else { 0 };
        Outcome { result: integer & ((1 << S::BITS) - 1), flags }
    }

    /// a / b.
    pub fn divide(rounding: FloatRounding, [a, b]: [u64; 2]) -> Outcome {
        let (round, a, b) = (mode(rounding), Self::value(a), Self::value(b));
        Self::rounded(&[a, b], a.div_r(b, round), || widen(a).div_r(widen(b), round))
    }

    /// The square root of a: that of an integer so long that all digits of the result are in front of its point, and whether it is exact.
    pub fn square_root(rounding: FloatRounding, bits: u64) -> Outcome {
        let a = Self::value(bits);
        if a.is_nan() || (a.is_negative() && !a.is_zero()) {
            let flags = if a.is_signaling() || !a.is_nan() { INVALID } else { 0 };
            return Outcome { result: Self::NAN, flags };
        }
        if a.is_zero() || a.is_infinite() {
            return Outcome { result: bits, flags: 0 };
        }
        let fraction_width = S::PRECISION - 1;
        let (field, fraction) = (bits >> fraction_width, bits & ((1 << fraction_width) - 1));
        let significand = if field == 0 { fraction } else { fraction | 1 << fraction_width };
        let exponent = field.max(1) as i32 - S::MAX_EXP - fraction_width as i32;
        // An even power of four is taken out.
        let places = 64 + (exponent & 1);
        let radicand = u128::from(significand) << places;
        let root = radicand.isqrt();
        let with_rest = root << 1 | u128::from(root * root != radicand);
        let StatusAnd { status, value } = IeeeFloat::<Wider<S>>::from_u128_r(with_rest, mode(rounding));
        let scaled = value.scalbn(((exponent - places) / 2 - 1) as _);
        let mut loses = false;
        let result = FloatConvert::<IeeeFloat<S>>::convert(scaled, &mut loses).value;
        assert!(!loses, "a root is neither too small nor too large");
        Outcome { result: result.to_bits() as u64, flags: if status.contains(Status::INEXACT) { INEXACT } else { 0 } }
    }

    /// RISC-V's view of a result. Whether it is too small or too large is asked of the same operation with exponents that have no end.
    fn rounded(
        operands: &[IeeeFloat<S>],
        StatusAnd { status, value }: StatusAnd<IeeeFloat<S>>,
        unbounded: impl FnOnce() -> StatusAnd<IeeeFloat<Wider<S>>>,
    ) -> Outcome {
        let mut flags = 0;
        for (has, flag) in
            [(Status::INEXACT, INEXACT), (Status::DIV_BY_ZERO, DIVIDE_BY_ZERO), (Status::INVALID_OP, INVALID)]
        {
            flags |= if status.contains(has) { flag } else { 0 };
        }
        if operands.iter().any(|operand| operand.is_signaling()) {
            flags |= INVALID;
        }
        let (smallest, largest) = (IeeeFloat::<S>::smallest_normalized(), IeeeFloat::<S>::largest());
        if flags & INEXACT != 0 && (value.abs() <= smallest || value.abs() >= largest) {
            let unbounded = unbounded().value.abs();
            flags |= if unbounded < widen(smallest) { UNDERFLOW } else { 0 };
            flags |= if unbounded > widen(largest) { OVERFLOW } else { 0 };
        }
        Outcome { result: if value.is_nan() { Self::NAN } else { value.to_bits() as u64 }, flags }
    }

    /// What [`FloatCompare`](warploom_hdl::execute::float::FloatCompare) gives.
    pub fn compare(operation: FloatComparison, bits: [u64; 2]) -> Outcome {
        use FloatComparison::*;
        let [a, b] = bits.map(Self::value);
        let signaling = if a.is_signaling() || b.is_signaling() { INVALID } else { 0 };
        let unordered = if a.is_nan() || b.is_nan() { INVALID } else { 0 };
        let order = a.partial_cmp(&b);
        let truth = |is: bool, flags| Outcome { result: is.into(), flags };
        let value = |result: u64| Outcome { result, flags: 0 };
        let sign = 1 << (S::BITS - 1);
        match operation {
            Equal => truth(order == Some(Ordering::Equal), signaling),
            Less => truth(order == Some(Ordering::Less), unordered),
            LessOrEqual => truth(matches!(order, Some(Ordering::Less | Ordering::Equal)), unordered),
            Minimum | Maximum => {
                let wanted = if operation == Minimum { Ordering::Less } else { Ordering::Greater };
                let zero_of_a = a.is_negative() == (operation == Minimum);
                let result = match (a.is_nan(), b.is_nan()) {
                    (true, true) => Self::NAN,
                    (true, false) => bits[1],
                    (false, true) => bits[0],
                    (false, false) if order == Some(Ordering::Equal) => bits[usize::from(!zero_of_a)],
                    (false, false) => bits[usize::from(order != Some(wanted))],
                };
                Outcome { result, flags: signaling }
            }
            Classify => value(1 << Self::class(a)),
            CopySign => value(bits[0] & !sign | bits[1] & sign),
            CopyInvertedSign => value(bits[0] & !sign | !bits[1] & sign),
            MultiplySigns => value(bits[0] ^ bits[1] & sign),
            Move => value(bits[0]),
        }
    }

    /// The bit that `fclass` sets.
    fn class(a: IeeeFloat<S>) -> usize {
        match a.is_negative() {
            _ if a.is_nan() => 9 - usize::from(a.is_signaling()),
            true if a.is_infinite() => 0,
            true if a.is_zero() => 3,
            true if a.is_denormal() => 2,
            true => 1,
            false if a.is_infinite() => 7,
            false if a.is_zero() => 4,
            false if a.is_denormal() => 5,
            false => 6,
        }
    }
}

fn mode(rounding: FloatRounding) -> Round {
    match rounding {
        FloatRounding::NearestEven => Round::NearestTiesToEven,
        FloatRounding::TowardsZero => Round::TowardZero,
        FloatRounding::Down => Round::TowardNegative,
        FloatRounding::Up => Round::TowardPositive,
        FloatRounding::NearestAway => Round::NearestTiesToAway,
    }
}

fn widen<S: Semantics>(value: IeeeFloat<S>) -> IeeeFloat<Wider<S>> {
    let mut loses = false;
    value.convert(&mut loses).value
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{E, PI};

    use super::*;
    use FloatRounding::*;

    const NAN: u32 = 0x7fc0_0000;

    fn outcome(result: u32, flags: u8) -> Outcome {
        Outcome { result: result.into(), flags }
    }

    fn computed(operation: FloatOperation, rounding: FloatRounding, operands: [u32; 3]) -> Outcome {
        Single::multiply_add(operation, rounding, operands.map(u64::from))
    }

    /// Some of riscv-tests' rv32uf, and what the manual says in words.
    #[test]
    fn known_results() {
        use FloatOperation::*;
        let bits = f32::to_bits;
        for (operation, a, b, c, expected) in [
            (Add, bits(2.5), bits(1.0), 0, outcome(bits(3.5), 0)),
            (Add, bits(-1235.1), bits(1.1), 0, outcome(bits(-1234.0), INEXACT)),
            (Add, bits(PI), bits(0.00000001), 0, outcome(bits(PI), INEXACT)),
            (Subtract, bits(f32::INFINITY), bits(f32::INFINITY), 0, outcome(NAN, INVALID)),
            (Multiply, bits(-1235.1), bits(1.1), 0, outcome(bits(-1358.61), INEXACT)),
            (MultiplyAdd, bits(1.0), bits(2.5), bits(1.0), outcome(bits(3.5), 0)),
            (MultiplyAdd, bits(-1.0), bits(-1235.1), bits(1.1), outcome(bits(1236.2), INEXACT)),
            (NegatedMultiplyAdd, bits(2.0), bits(-5.0), bits(-2.0), outcome(bits(12.0), 0)),
            (NegatedMultiplySubtract, bits(2.0), bits(-5.0), bits(-2.0), outcome(bits(8.0), 0)),
            (MultiplyAdd, bits(f32::INFINITY), 0, NAN, outcome(NAN, INVALID)),
            (Add, 0x7f80_0001, 0, 0, outcome(NAN, INVALID)),
            (Add, NAN, 0, 0, outcome(NAN, 0)),
            (FromInteger, -2i32 as u32, 0, 0, outcome(bits(-2.0), 0)),
            (FromUnsigned, -2i32 as u32, 0, 0, outcome(bits(4.294_967_3e9), INEXACT)),
        ] {
            assert_eq!(computed(operation, NearestEven, [a, b, c]), expected, "{operation:?} {a:x} {b:x} {c:x}");
        }
        for (operation, a, expected) in [
            (ToInteger, -1.1, outcome(-1i32 as u32, INEXACT)),
            (ToInteger, -3e9, outcome(i32::MIN as u32, INVALID)),
            (ToInteger, 3e9, outcome(i32::MAX as u32, INVALID)),
            (ToUnsigned, -3.0, outcome(0, INVALID)),
            (ToUnsigned, -0.9, outcome(0, INEXACT)),
            (ToUnsigned, 3e9, outcome(3_000_000_000, 0)),
            (ToUnsigned, f32::NAN, outcome(u32::MAX, INVALID)),
            (ToInteger, f32::NEG_INFINITY, outcome(i32::MIN as u32, INVALID)),
        ] {
            assert_eq!(computed(operation, TowardsZero, [bits(a), 0, 0]), expected, "{operation:?} {a}");
        }
    }

    #[test]
    fn tiny_is_asked_after_rounding() {
        let smallest = f32::MIN_POSITIVE.to_bits();
        // (1 - 2^-24) 2^-126 is a number if exponents have no end, so it is tiny; a little more rounds to 2^-126 there, too.
        let product = |a, b, rounding| computed(FloatOperation::Multiply, rounding, [a, b, 0]);
        assert_eq!(product(0x3f7f_ffff, smallest, NearestEven), outcome(smallest, INEXACT | UNDERFLOW));
        assert_eq!(product(0x3f7f_ffff, smallest, TowardsZero), outcome(smallest - 1, INEXACT | UNDERFLOW));
        let nearly = |rounding| computed(FloatOperation::MultiplyAdd, rounding, [0x3e80_0001, 1, smallest - 1]);
        assert_eq!(nearly(Up), outcome(smallest, INEXACT | UNDERFLOW));
        assert_eq!(product(0x3f80_0001, smallest - 1, NearestEven), outcome(smallest, INEXACT));
        assert_eq!(product(1, 1, Up), outcome(1, INEXACT | UNDERFLOW));
    }

    #[test]
    fn quotients_and_roots() {
        let bits = f32::to_bits;
        let divide = |a: u32, b: u32, rounding| Single::divide(rounding, [a.into(), b.into()]);
        assert_eq!(divide(bits(PI), bits(E), NearestEven), outcome(bits(1.155_727_4), INEXACT));
        assert_eq!(divide(bits(-1.0), 0, NearestEven), outcome(bits(f32::NEG_INFINITY), DIVIDE_BY_ZERO));
        assert_eq!(divide(0, 0, NearestEven), outcome(NAN, INVALID));
        assert_eq!(divide(1, bits(2.0), NearestAway), outcome(1, INEXACT | UNDERFLOW));
        let root = |a: u32, rounding| Single::square_root(rounding, a.into());
        assert_eq!(root(bits(PI), NearestEven), outcome(bits(1.7724539), INEXACT));
        assert_eq!(root(bits(10000.0), Down), outcome(bits(100.0), 0));
        assert_eq!(root(bits(-1.0), Down), outcome(NAN, INVALID));
        assert_eq!(root(bits(-0.0), Down), outcome(bits(-0.0), 0));
        assert_eq!(root(bits(171.0), NearestEven), outcome(bits(13.076_696), INEXACT));
        assert_eq!(root(1, NearestEven), outcome(bits(3.743_392e-23), INEXACT));
        assert_eq!(root(4, NearestEven), outcome(bits(7.486_784e-23), INEXACT));
        assert_eq!(root(2, Up), outcome(bits(5.293_956e-23), 0));
    }
}
