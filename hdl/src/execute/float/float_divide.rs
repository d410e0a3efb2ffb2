//! Quotient and square root of one lane: restoring, some bits per step.
//!
//! ```text
//!           drive_*                                (the same in every lane)
//!              |
//!   a ---->[rest   ]--> normalise --> n times: minus divisor, or minus twice what is found and the bit; fits? double
//!   b ---->[divisor]        |                            |
//!          [exponent] <-----+         [found] <-- bit ---+
//!                                        |
//!                                        +--> FloatRound ---> result, flags
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `drive_load` | 1 | take the operands |
//! | `drive_adjust` | 1 | the cycle after |
//! | `drive_step` | 1 | *n* bits of the result |
//! | `drive_place` | f + 3 | with `drive_step`: the place of the first of them, from the top down |
//! | `drive_root` | 1 | from `drive_load` to the result: square root of `a`, else `a / b` |
//! | `rounding` | 3 | with `drive_load`: as `FloatRounding` |
//! | `a`, `b` | w = 1 + e + f | with `drive_load`: operands |
//! | `result` | w | valid after (f + 3) / *n* steps, until the next `drive_load` |
//! | `flags` | 5 | NV, DZ, OF, UF, NX |
//!
//! Latency 1 + (f + 3) / *n* cycles after `drive_load`. State: rounding mode, rest, divisor, what is found so far, exponent, sign, four special cases. One normaliser serves the
//! divisor with `drive_load`, the dividend or radicand with `drive_adjust`. With `rest` = 2^i (a - q^2) after *i* bits, a root's next bit is subtracted as 2 q + 2^-i from
//! it, as the divisor is, and both are followed by the same doubling. **A subnormal quotient** is shifted to its place by starting late: a lane whose exponent is
//! below 1 lets the first places go by, and counts them. A quotient below 1 is shifted up by one at the end, unless that would make the exponent too small.
use super::operation::{FLAGS, FloatDivideStep};
use super::{FloatFormat, FloatRound, FloatUnpack};
use crate::parts::LeadingZeros;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatDivide: clock {
        pub drive: FloatDivideStep<In> = FloatDivideStep::new(format),
        pub rounding: Net<In> = 3,
        pub a: Net<In> = format.width(),
        pub b: Net<In> = format.width(),
        pub result: Net<Out> = format.width(),
        pub flags: Net<Out> = FLAGS,

        first: FloatUnpack = FloatUnpack::new(format) => { value: a },
        second: FloatUnpack = FloatUnpack::new(format) => { value: b },
        zeros: LeadingZeros = LeadingZeros::new(padded),
        /// Three digits in front of the point, as many behind it as `found` has.
        rest: Flop = Flop::new(rest),
        divisor: Flop = Flop::new(format.significand()),
        /// One digit in front of the point, and two more behind it than a significand.
        found: Flop = Flop::new(format.above()),
        exponent: Flop = Flop::new(format.wide_exponent()),
        rounding_held: Flop = Flop::new(3),
        sign: Flop = Flop::new(1),
        nan: Flop = Flop::new(1),
        infinite: Flop = Flop::new(1),
        invalid: Flop = Flop::new(1),
        divide_by_zero: Flop = Flop::new(1),
        round: FloatRound = FloatRound::new(format) => {
            rounding: rounding_held.q, sign: sign.q, nan: nan.q, infinite: infinite.q, invalid: invalid.q,
            divide_by_zero: divide_by_zero.q, result, flags,
        },

        negative_root: Signal<Local, Bit>,
        is_invalid: Signal<Local, Bit>,
        any_nan: Signal<Local, Bit>,
        any_signaling: Signal<Local, Bit>,
        unnormalised: Net<Local> = format.significand(),
        normalised: Net<Local> = format.significand(),
        leading_zeros: Net<Local> = format.wide_exponent(),
        adjusted: Net<Local> = format.wide_exponent(),
        /// After the bits so far.
        rest_now: Net<Local> = rest,
        found_now: Net<Local> = format.above(),
        exponent_now: Net<Local> = format.wide_exponent(),
        place: Net<Local> = format.above(),
        trial: Net<Local> = rest,
        difference: Net<Local> = rest + 1,
        too_small: Signal<Local, Bit>,
        below_one: Net<Local> = 1,
        significand: Net<Local> = format.above(),
        padding: Constant = places(padded - format.significand()),
        bias: Constant = Constant::new(format.bias() as u64, format.wide_exponent()),
        exponent_top: Constant = places(format.wide_exponent() - 1),
        found_top: Constant = places(format.above() - 1),
        difference_top: Constant = places(rest),
    }
    sizes {
        _bits = bits, _padded = padded, _rest = rest, _wide = format.wide_exponent(), _significand = format.significand(),
        _difference = rest + 1, _round_exponent = format.exponent + 1,
    }
    /// A divider that works out `bits` bits of the result in a step.
    pub fn new(format: FloatFormat, bits: usize) {
        assert!(format.above().is_multiple_of(bits), "all steps are alike");
        let padded = format.significand().next_power_of_two();
        let rest = format.above() + 2;
    }
}

/// So many places.
fn places(count: usize) -> Constant {
    Constant::new(count as u64, 6)
}

impl Logic for FloatDivide {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatDivide");
        dff_setup!(
            self,
            clock,
            rounding_held,
            rest,
            divisor,
            found,
            exponent,
            sign,
            nan,
            infinite,
            invalid,
            divide_by_zero
        );
        self.unnormalised.next = bit_cast_to(self.rest.q.val(), self._significand);
        if self.drive.load.val() {
            self.unnormalised.next = self.second.significand.val();
            self.rounding_held.d.next = self.rounding.val();
        }
        self.zeros.value.next = bit_cast_to(self.unnormalised.val(), self._padded) << self.padding.val();
        self.normalised.next = self.unnormalised.val() << self.zeros.count.val();
        self.leading_zeros.next = bit_cast_to(self.zeros.count.val(), self._wide);
        self.adjusted.next = self.exponent.q.val() - self.leading_zeros.val();

        self.rest_now.next = self.rest.q.val();
        self.found_now.next = self.found.q.val();
        self.exponent_now.next = self.exponent.q.val();
        self.place.next = self.drive.place.val();
        for _step in 0..self._bits {
            self.trial.next = bit_cast_to(self.divisor.q.val(), self._rest) << 2;
            if self.drive.root.val() {
                self.trial.next =
                    (bit_cast_to(self.found_now.val(), self._rest) << 1) | bit_cast_to(self.place.val(), self._rest);
            }
            self.difference.next =
                bit_cast_to(self.rest_now.val(), self._difference) - bit_cast_to(self.trial.val(), self._difference);
            self.too_small.next =
                (self.exponent_now.val() >> self.exponent_top.val()).any() | !self.exponent_now.val().any();
            if self.too_small.val() {
                self.exponent_now.next = self.exponent_now.val() + 1;
            } else if (self.difference.val() >> self.difference_top.val()).any() {
                self.rest_now.next = self.rest_now.val() << 1;
            } else {
                self.rest_now.next = bit_cast_to(self.difference.val(), self._rest) << 1;
                self.found_now.next = self.found_now.val() | self.place.val();
            }
            self.place.next = self.place.val() >> 1;
        }

        self.any_nan.next = self.first.is_nan.val() | (self.second.is_nan.val() & !self.drive.root.val());
        self.any_signaling.next =
            self.first.is_signaling.val() | (self.second.is_signaling.val() & !self.drive.root.val());
        self.negative_root.next = self.first.sign.val().any() & !self.first.is_zero.val() & !self.first.is_nan.val();
        self.is_invalid.next = self.any_signaling.val() | self.negative_root.val();
        if !self.drive.root.val() {
            self.is_invalid.next = self.any_signaling.val()
                | (self.first.is_zero.val() & self.second.is_zero.val())
                | (self.first.is_infinite.val() & self.second.is_infinite.val());
        }
        if self.drive.load.val() {
            self.divisor.d.next = self.normalised.val();
            self.rest.d.next = bit_cast_to(self.first.significand.val(), self._rest);
            self.found.d.next = 0.into();
            self.nan.d.next = bit_cast_to(self.any_nan.val() | self.is_invalid.val(), 1);
            self.invalid.d.next = bit_cast_to(self.is_invalid.val(), 1);
            if self.drive.root.val() {
                self.exponent.d.next = bit_cast_to(self.first.exponent.val(), self._wide);
                self.sign.d.next = self.first.sign.val();
                self.infinite.d.next = bit_cast_to(self.first.is_infinite.val(), 1);
                self.divide_by_zero.d.next = 0.into();
            } else {
                self.exponent.d.next = bit_cast_to(self.first.exponent.val(), self._wide)
                    - bit_cast_to(self.second.exponent.val(), self._wide)
                    + self.leading_zeros.val()
                    + self.bias.val();
                self.sign.d.next = self.first.sign.val() ^ self.second.sign.val();
                self.infinite.d.next = bit_cast_to(self.first.is_infinite.val() | self.second.is_zero.val(), 1);
                self.divide_by_zero.d.next = bit_cast_to(
                    self.second.is_zero.val()
                        & !self.first.is_zero.val()
                        & !self.first.is_infinite.val()
                        & !self.first.is_nan.val(),
                    1,
                );
                if self.second.is_infinite.val() {
                    self.rest.d.next = 0.into();
                }
            }
        } else if self.drive.adjust.val() {
            self.rest.d.next = bit_cast_to(self.normalised.val(), self._rest) << 2;
            self.exponent.d.next = self.adjusted.val();
            if self.drive.root.val() {
                self.exponent.d.next = (self.adjusted.val() + self.bias.val()) >> 1;
                // An odd power of two: half of it would be no power of two.
                if !self.adjusted.val().get_bit(0) {
                    self.rest.d.next = bit_cast_to(self.normalised.val(), self._rest) << 3;
                }
            }
        } else if self.drive.step.val() {
            self.rest.d.next = self.rest_now.val();
            self.found.d.next = self.found_now.val();
            self.exponent.d.next = self.exponent_now.val();
        }

        self.below_one.next = !bit_cast_to(self.found.q.val() >> self.found_top.val(), 1)
            & bit_cast_to((self.exponent.q.val() >> 1).any(), 1);
        self.significand.next = self.found.q.val();
        if self.below_one.val().any() {
            self.significand.next = self.found.q.val() << 1;
        }
        self.round.significand.next = bit_cast_to(self.significand.val() >> 2, self._significand);
        self.round.guard.next = bit_cast_to(self.significand.val() >> 1, 1);
        self.round.half.next = bit_cast_to(self.significand.val(), 1);
        self.round.sticky.next = bit_cast_to(self.rest.q.val().any(), 1);
        self.round.carry.next = 0.into();
        self.round.exponent.next =
            bit_cast_to(self.exponent.q.val() - bit_cast_to(self.below_one.val(), self._wide), self._round_exponent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value and flags, by so many bits a step.
    fn run(bits: usize, root: bool, rounding: u64, a: u32, b: u32) -> (u32, u64) {
        let mut unit = FloatDivide::new(FloatFormat::SINGLE, bits);
        unit.connect_all();
        simulate(&mut unit, 1000);
        unit.drive.root.next = root;
        unit.rounding.next = Word::new(rounding, 3);
        unit.a.next = (a as usize).into();
        unit.b.next = (b as usize).into();
        unit.drive.load.next = true;
        tick!(unit);
        unit.drive.load.next = false;
        unit.a.next = 0.into();
        unit.b.next = 0.into();
        unit.drive.adjust.next = true;
        tick!(unit);
        unit.drive.adjust.next = false;
        unit.drive.step.next = true;
        for place in (0..26).rev().step_by(bits) {
            unit.drive.place.next = Word::new(1 << place, 26);
            tick!(unit);
        }
        unit.drive.step.next = false;
        tick!(unit);
        (unit.result.val().value() as u32, unit.flags.val().value())
    }

    #[test]
    fn quotients_and_roots() {
        let float = f32::to_bits;
        for bits in [1, 2] {
            for (root, rounding, a, b, result, flags) in [
                (false, 0, float(6.0), float(-2.0), float(-3.0), 0),
                (false, 0, float(1.0), float(3.0), 0x3eaa_aaab, 0b00001),
                (false, 1, float(1.0), float(3.0), 0x3eaa_aaaa, 0b00001),
                (false, 0, float(1.0), 0, float(f32::INFINITY), 0b01000),
                (false, 0, 0, 0x8000_0000, 0x7fc0_0000, 0b10000),
                (false, 0, float(-5.0), float(f32::INFINITY), 0x8000_0000, 0),
                (false, 0, 3, 1, float(3.0), 0),
                (false, 0, 3, float(2.0), 2, 0b00011),
                (false, 3, 1, float(1e30), 1, 0b00011),
                (false, 0, 0x0080_0000, float(2.0), 0x0040_0000, 0),
                (false, 1, float(f32::MAX), float(0.5), float(f32::MAX), 0b00101),
                (true, 0, float(2.0), 0, 0x3fb5_04f3, 0b00001),
                (true, 0, float(9.0), float(f32::NAN), float(3.0), 0),
                (true, 0, 4, 0, 0x1ab5_04f3, 0b00001),
                (true, 0, float(-1.0), 0, 0x7fc0_0000, 0b10000),
                (true, 0, 0x8000_0000, 0, 0x8000_0000, 0),
            ] {
                assert_eq!(run(bits, root, rounding, a, b), (result, flags), "{a:x}, {b:x}, root {root}, {bits} bits");
            }
        }
    }
}
