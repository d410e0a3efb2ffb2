//! [`Word`]: an unsigned number of 1 to 64 bits whose width is a run-time value.
//!
//! rust-hdl's `Bits<N>` fixes widths at compile time. A design whose lane count, warp count and
//! cache geometry are constructor arguments needs widths that are values too
//! (docs/decisions/0001-run-time-widths.md). A `Word` carries its width and every operator checks
//! it, so the arithmetic of `update()` is exact: nothing widens silently and a carry never survives.
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Shl, Shr, Sub};

/// Largest width of a [`Word`], in bits.
pub const MAX_WIDTH: usize = 64;

/// The bits that a width can hold.
#[inline]
pub const fn mask(width: usize) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Bits needed to count `0..n`, at least one: the width of an index into `n` things.
pub const fn index_width(n: usize) -> usize {
    if n <= 2 { 1 } else { (usize::BITS - (n - 1).leading_zeros()) as usize }
}

/// An unsigned number with its width.
///
/// Width 0 marks a literal that has not met a sized operand yet (`5.into()`): it takes the width
/// of the net it is assigned to, or of the other operand, and must fit there.
#[derive(Clone, Copy, Default)]
pub struct Word {
    value: u64,
    width: u8,
}

impl Word {
    /// A number of `width` bits.
    ///
    /// # Panics
    /// If `width` is not in `1..=64` or `value` does not fit.
    pub fn new(value: u64, width: usize) -> Self {
        assert!((1..=MAX_WIDTH).contains(&width), "a word has 1 to 64 bits, not {width}");
        assert!(value <= mask(width), "{value:#x} does not fit into {width} bits");
        Self { value, width: width as u8 }
    }

    /// The value of an untyped literal takes the width `width`; a sized word must have it already.
    ///
    /// # Panics
    /// If the width differs or the literal does not fit.
    #[inline]
    pub fn resized_literal(self, width: usize) -> Self {
        if self.width == 0 {
            return Self::new(self.value, width);
        }
        assert!(self.width as usize == width, "a {}-bit value drives a {width}-bit net", self.width);
        self
    }

    /// Width in bits (0: an untyped literal). Named for `#[hdl_gen]`, which reads the width of a cast here.
    #[inline]
    pub fn bits(&self) -> usize {
        self.width as usize
    }

    /// The value as a number, for `match` in `update()` and for testbenches.
    #[inline]
    pub fn index(&self) -> usize {
        self.value as usize
    }

    /// The value as a number.
    #[inline]
    pub fn value(&self) -> u64 {
        self.value
    }

    /// Bit `index`; a run-time index past the end reads 0, as the exported hardware does.
    #[inline]
    pub fn get_bit(&self, index: usize) -> bool {
        index < 64 && (self.value >> index) & 1 == 1
    }

    /// `N` bits from bit `offset` up.
    pub fn get_bits<const N: usize>(&self, offset: usize) -> Word {
        Word::new((self.value >> offset) & mask(N), N)
    }

    /// The word with bit `index` replaced.
    ///
    /// # Panics
    /// If `index` is outside the word.
    #[inline]
    pub fn replace_bit(&self, index: usize, bit: bool) -> Word {
        assert!(index < self.width as usize, "bit {index} of a {}-bit word", self.width);
        let value = (self.value & !(1 << index)) | ((bit as u64) << index);
        Word { value, width: self.width }
    }

    /// Some bit is set.
    #[inline]
    pub fn any(&self) -> bool {
        self.value != 0
    }

    /// Every bit is set.
    #[inline]
    pub fn all(&self) -> bool {
        self.value == mask(self.width as usize)
    }

    /// Parity.
    #[inline]
    pub fn xor(&self) -> bool {
        self.value.count_ones() % 2 == 1
    }

    #[inline]
    fn binary(self, other: Word, operation: impl Fn(u64, u64) -> u64) -> Word {
        let width = self.common_width(other);
        Word { value: operation(self.value, other.value) & mask(width), width: width as u8 }
    }

    #[inline]
    fn common_width(self, other: Word) -> usize {
        match (self.width, other.width) {
            (0, 0) => 64,
            (0, w) => self.checked_literal(w),
            (w, 0) => other.checked_literal(w),
            (a, b) => {
                assert!(a == b, "operands of {a} and {b} bits");
                a as usize
            }
        }
    }

    fn checked_literal(self, width: u8) -> usize {
        assert!(self.value <= mask(width as usize), "{:#x} does not fit into {width} bits", self.value);
        width as usize
    }
}

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{:x}", self.width, self.value)
    }
}

impl From<usize> for Word {
    fn from(value: usize) -> Self {
        Self { value: value as u64, width: 0 }
    }
}

impl From<bool> for Word {
    fn from(bit: bool) -> Self {
        Self { value: bit as u64, width: 1 }
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $operation:expr) => {
        impl $trait<Word> for Word {
            type Output = Word;
            #[inline]
            fn $method(self, other: Word) -> Word {
                self.binary(other, $operation)
            }
        }
        impl $trait<usize> for Word {
            type Output = Word;
            #[inline]
            fn $method(self, other: usize) -> Word {
                self.binary(other.into(), $operation)
            }
        }
    };
}
operator!(Add, add, |a, b| a.wrapping_add(b));
operator!(Sub, sub, |a, b| a.wrapping_sub(b));
operator!(Mul, mul, |a, b| a.wrapping_mul(b));
operator!(BitAnd, bitand, |a, b| a & b);
operator!(BitOr, bitor, |a, b| a | b);
operator!(BitXor, bitxor, |a, b| a ^ b);

impl Not for Word {
    type Output = Word;
    #[inline]
    fn not(self) -> Word {
        assert!(self.width > 0, "a literal has no width to complement");
        Word { value: !self.value & mask(self.width as usize), width: self.width }
    }
}

fn shift_left(value: u64, by: u64) -> u64 {
    if by >= 64 { 0 } else { value << by }
}

fn shift_right(value: u64, by: u64) -> u64 {
    if by >= 64 { 0 } else { value >> by }
}

macro_rules! shift {
    ($trait:ident, $method:ident, $operation:ident) => {
        impl $trait<usize> for Word {
            type Output = Word;
            #[inline]
            fn $method(self, by: usize) -> Word {
                let width = if self.width == 0 { 64 } else { self.width as usize };
                Word { value: $operation(self.value, by as u64) & mask(width), width: self.width }
            }
        }
        impl $trait<Word> for Word {
            type Output = Word;
            #[inline]
            fn $method(self, by: Word) -> Word {
                self.$method(by.value as usize)
            }
        }
    };
}
shift!(Shl, shl, shift_left);
shift!(Shr, shr, shift_right);

impl PartialEq<Word> for Word {
    #[inline]
    fn eq(&self, other: &Word) -> bool {
        self.common_width(*other);
        self.value == other.value
    }
}

impl PartialEq<usize> for Word {
    #[inline]
    fn eq(&self, other: &usize) -> bool {
        *self == Word::from(*other)
    }
}

impl PartialOrd<Word> for Word {
    #[inline]
    fn partial_cmp(&self, other: &Word) -> Option<Ordering> {
        self.common_width(*other);
        self.value.partial_cmp(&other.value)
    }
}

impl PartialOrd<usize> for Word {
    #[inline]
    fn partial_cmp(&self, other: &usize) -> Option<Ordering> {
        self.partial_cmp(&Word::from(*other))
    }
}

/// Two's-complement view of a word: [`bit_cast_to`] extends it with its sign.
#[derive(Clone, Copy, Debug)]
pub struct SignedWord(Word);

/// Views a word as signed, so that a widening [`bit_cast_to`] repeats its top bit.
pub fn signed_cast(word: Word) -> SignedWord {
    SignedWord(word)
}

/// What [`bit_cast_to`] takes: a word, a bit, a signed word, or a hardware enumeration.
pub trait BitCast {
    /// The value in exactly `width` bits.
    fn cast(self, width: usize) -> Word;
}

impl BitCast for Word {
    fn cast(self, width: usize) -> Word {
        Word::new(self.value & mask(width), width)
    }
}

impl BitCast for bool {
    fn cast(self, width: usize) -> Word {
        Word::new(self as u64, width)
    }
}

impl BitCast for usize {
    fn cast(self, width: usize) -> Word {
        Word::new(self as u64, width)
    }
}

impl BitCast for SignedWord {
    fn cast(self, width: usize) -> Word {
        let Word { value, width: from } = self.0;
        let sign = if self.0.get_bit(from as usize - 1) { !mask(from as usize) } else { 0 };
        Word::new((value | sign) & mask(width), width)
    }
}

/// `x` in exactly `width` bits: zero-extended (sign-extended from [`signed_cast`]) or truncated.
///
/// The one way to change a width in `update()`; a slice is `bit_cast_to(x >> low, width)`.
/// `width` may be a plain field of the module (`self._width`).
pub fn bit_cast_to(x: impl BitCast, width: usize) -> Word {
    x.cast(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_the_width() {
        let x = Word::new(0xff, 8);
        assert_eq!((x + 1).value(), 0);
        assert_eq!((x << 4).value(), 0xf0);
        assert_eq!((!x).value(), 0);
        assert_eq!(((x + 1) >> 1).value(), 0);
        assert_eq!((x << 64).value(), 0);
    }

    #[test]
    fn casts_extend_and_truncate() {
        let x = Word::new(0b1010, 4);
        assert_eq!(bit_cast_to(x, 8), Word::new(0b0000_1010, 8));
        assert_eq!(bit_cast_to(signed_cast(x), 8), Word::new(0b1111_1010, 8));
        assert_eq!(bit_cast_to(x, 2), Word::new(0b10, 2));
        assert_eq!(bit_cast_to(true, 3), Word::new(1, 3));
    }

    #[test]
    #[should_panic(expected = "operands of 4 and 5 bits")]
    fn mixed_widths_are_refused() {
        let _ = Word::new(1, 4) + Word::new(1, 5);
    }

    #[test]
    fn index_widths() {
        for (n, bits) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (32, 5), (33, 6), (48, 6)] {
            assert_eq!(index_width(n), bits, "{n}");
        }
    }
}
