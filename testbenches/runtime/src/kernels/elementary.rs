//! Elementary functions as `kernels/elementary.h` has them, to the last bit.

/// The logarithm of 2 in two parts, and 1 by it.
const LN2_HIGH: f32 = 0.6933594;
const LN2_LOW: f32 = -2.1219444e-4;
const LOG2_E: f32 = std::f32::consts::LOG2_E;
/// Of the square root of 1/2.
const ROOT_HALF_BITS: i32 = 0x3F35_04F3;

/// A polynomial by Horner's rule, the factor of the highest power first.
pub(super) fn polynomial(factors: &[f32], x: f32) -> f32 {
    factors.iter().copied().reduce(|sum, factor| sum.mul_add(x, factor)).unwrap_or(0.0)
}

/// e to the power of `x`, which is at most 88; of less than -87 as of -87.
pub(super) fn exponential(x: f32) -> f32 {
    const FACTORS: [f32; 6] = [1.9875691e-4, 1.3981999e-3, 8.333452e-3, 4.1665796e-2, 0.16666666, 0.5];
    let x = x.max(-87.0);
    let power = (x * LOG2_E).round_ties_even();
    let rest = (-power).mul_add(LN2_LOW, (-power).mul_add(LN2_HIGH, x));
    let series = polynomial(&FACTORS, rest).mul_add(rest * rest, rest) + 1.0;
    series * f32::from_bits(((power as i32 + 127) as u32) << 23)
}

/// Natural logarithm of a normal number above 0.
pub(super) fn logarithm(x: f32) -> f32 {
    const FACTORS: [f32; 9] = [
        7.0376836e-2,
        -0.1151461,
        0.116769984,
        -0.12420141,
        0.14249323,
        -0.16668057,
        0.20000714,
        -0.24999994,
        0.3333333,
    ];
    let above = x.to_bits() as i32 - ROOT_HALF_BITS;
    let power = (above >> 23) as f32;
    let rest = f32::from_bits(((above & 0x7F_FFFF) + ROOT_HALF_BITS) as u32) - 1.0;
    let square = rest * rest;
    let small = power.mul_add(LN2_LOW, rest * square * polynomial(&FACTORS, rest));
    power.mul_add(LN2_HIGH, rest + (-0.5f32).mul_add(square, small))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In units of the last place of what is right, or of 1 where that is less.
    fn error(got: f32, right: f64, least: f64) -> f64 {
        (f64::from(got) - right).abs() / (right.abs().max(least) * f64::from(f32::EPSILON))
    }

    #[test]
    fn exponentials_are_right_but_for_the_last_bit() {
        let points = (-870_000..=880_000).map(|i| i as f32 / 10_000.0);
        let worst = points.map(|x| error(exponential(x), f64::from(x).exp(), 0.0)).fold(0.0, f64::max);
        assert!(worst < 1.0, "{worst} units in the last place");
        assert_eq!(exponential(-1e30), exponential(-87.0));
    }

    #[test]
    fn logarithms_are_right_but_for_the_last_bit() {
        let points = (0x0080_0000..0x7F80_0000u32).step_by(4001).map(f32::from_bits);
        let worst = points.map(|x| error(logarithm(x), f64::from(x).ln(), 0.0)).fold(0.0, f64::max);
        assert!(worst < 1.0, "{worst} units in the last place");
        assert_eq!(logarithm(1.0), 0.0);
    }
}
