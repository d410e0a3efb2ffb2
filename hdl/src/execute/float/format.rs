//! [`FloatFormat`]: how wide exponent and fraction are, and what follows from it.
use crate::prelude::index_width;

/// A binary interchange format of IEEE 754, or one that is made like them: its exponents reach over a whole sum, 3 f + 5 bits, and those bits over all integers that are
/// as wide as a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatFormat {
    /// Bits of the exponent, at least 3.
    pub exponent: usize,
    /// Bits of the fraction, at least 2 and at most 23.
    pub fraction: usize,
}

impl FloatFormat {
    /// binary32.
    pub const SINGLE: Self = Self { exponent: 8, fraction: 23 };

    /// Bits of a value, and of the integers that it is converted from and to.
    pub fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    /// Bits of a significand.
    pub fn significand(self) -> usize {
        self.fraction + 1
    }

    /// Exponent field of 1.0.
    pub fn bias(self) -> usize {
        (1 << (self.exponent - 1)) - 1
    }

    /// 2 to this power.
    pub(super) fn power_of_two(self, power: usize) -> u64 {
        ((self.bias() + power) as u64) << self.fraction
    }

    /// Bits of an exponent that may be too small or too large, in two's complement.
    pub(super) fn wide_exponent(self) -> usize {
        self.exponent + 2
    }

    /// Bits of the sum above the product: a significand that is larger by so much that the product is below its rounding bits.
    pub(super) fn above(self) -> usize {
        self.significand() + 2
    }

    /// Bits of the sum that the product reaches.
    pub(super) fn product(self) -> usize {
        2 * self.significand()
    }

    /// Bits of the sum.
    pub(super) fn sum(self) -> usize {
        self.above() + self.product()
    }

    /// Bits of a distance within the sum, and beyond it.
    pub(super) fn distance(self) -> usize {
        index_width(self.sum() + 1)
    }

    /// Of these, those of the fine steps of a shift; two are left for the coarse ones.
    pub(super) fn fine(self) -> usize {
        self.distance() - 2
    }

    /// How far each coarse step shifts.
    pub(super) fn coarse_steps(self) -> impl Iterator<Item = usize> {
        (0..4).map(move |step| step << self.fine())
    }
}
