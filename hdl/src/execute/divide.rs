//! The divider of one lane: restoring, one quotient bit per step.
//!
//! ```text
//!            drive_*, is_signed                    (the same in every lane)
//!                          |
//!   a ---->[quotient  ]<---+--- shift, compare with divisor, subtract
//!          [remainder ]
//!   b ---->[divisor   ]--------> negate? ---> result
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `drive_load` | 1 | take the operands |
//! | `is_signed` | 1 | with `drive_load`: operands are two's complement |
//! | `a`, `b` | 32 | with `drive_load`: dividend, divisor |
//! | `drive_step` | 1 | one quotient bit |
//! | `drive_remainder` | 1 | `result` is the remainder, else the quotient |
//! | `result` | 32 | valid after 32 steps, until the next `drive_load` |
//!
//! Latency 32 steps after `drive_load`. State: three words and two signs. Signed operands are divided by magnitude and the result takes its
//! sign on the way out. RISC-V's corner cases need no detection but one: dividing by zero, every step
//! subtracts nothing, which leaves a quotient of ones and the dividend as the remainder; only the
//! quotient's sign has to be dropped. The overflow -2^31 / -1 wraps to itself.
use super::operation::DivideStep;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Divide: clock {
        pub drive: DivideStep<In> = DivideStep::new(),
        pub is_signed: Signal<In, Bit>,
        pub a: Net<In> = 32,
        pub b: Net<In> = 32,
        pub result: Net<Out> = 32,

        /// The dividend leaves at the top while the quotient enters at the bottom.
        quotient: Flop = Flop::new(32),
        rest: Flop = Flop::new(32),
        divisor: Flop = Flop::new(32),
        negate_quotient: Flop = Flop::new(1),
        negate_rest: Flop = Flop::new(1),
        a_negative: Signal<Local, Bit>,
        b_negative: Signal<Local, Bit>,
        shifted: Net<Local> = 33,
        divisor_wide: Net<Local> = 33,
        fits: Signal<Local, Bit>,
        magnitude: Net<Local> = 32,
        negate: Signal<Local, Bit>,
    }
}

impl Logic for Divide {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Divide");
        dff_setup!(self, clock, quotient, rest, divisor, negate_quotient, negate_rest);
        self.a_negative.next = self.is_signed.val() & self.a.val().get_bit(31);
        self.b_negative.next = self.is_signed.val() & self.b.val().get_bit(31);
        self.shifted.next = (bit_cast_to(self.rest.q.val(), 33) << 1) | bit_cast_to(self.quotient.q.val() >> 31, 33);
        self.divisor_wide.next = bit_cast_to(self.divisor.q.val(), 33);
        self.fits.next = self.shifted.val() >= self.divisor_wide.val();

        if self.drive.load.val() {
            self.quotient.d.next = self.a.val();
            if self.a_negative.val() {
                self.quotient.d.next = !self.a.val() + 1;
            }
            self.divisor.d.next = self.b.val();
            if self.b_negative.val() {
                self.divisor.d.next = !self.b.val() + 1;
            }
            self.rest.d.next = 0.into();
            self.negate_quotient.d.next =
                bit_cast_to((self.a_negative.val() ^ self.b_negative.val()) & self.b.val().any(), 1);
            self.negate_rest.d.next = bit_cast_to(self.a_negative.val(), 1);
        } else if self.drive.step.val() {
            self.quotient.d.next = (self.quotient.q.val() << 1) | bit_cast_to(self.fits.val(), 32);
            self.rest.d.next = bit_cast_to(self.shifted.val(), 32);
            if self.fits.val() {
                self.rest.d.next = bit_cast_to(self.shifted.val() - self.divisor_wide.val(), 32);
            }
        }

        self.magnitude.next = self.quotient.q.val();
        self.negate.next = self.negate_quotient.q.val().any();
        if self.drive.remainder.val() {
            self.magnitude.next = self.rest.q.val();
            self.negate.next = self.negate_rest.q.val().any();
        }
        self.result.next = self.magnitude.val();
        if self.negate.val() {
            self.result.next = !self.magnitude.val() + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divide(a: u32, b: u32, is_signed: bool) -> (u32, u32) {
        let mut divide = Divide::default();
        divide.connect_all();
        simulate(&mut divide, 1000);
        divide.a.next = (a as usize).into();
        divide.b.next = (b as usize).into();
        divide.is_signed.next = is_signed;
        divide.drive.load.next = true;
        tick!(divide);
        divide.drive.load.next = false;
        divide.drive.step.next = true;
        for _ in 0..32 {
            tick!(divide);
        }
        divide.drive.step.next = false;
        let quotient = divide.result.val().value() as u32;
        divide.drive.remainder.next = true;
        tick!(divide);
        (quotient, divide.result.val().value() as u32)
    }

    #[test]
    fn unsigned() {
        for (a, b) in [(100, 7), (7, 100), (0, 5), (u32::MAX, 1), (u32::MAX, u32::MAX), (u32::MAX, 0x8000_0001)] {
            assert_eq!(divide(a, b, false), (a / b, a % b), "{a} / {b}");
        }
        assert_eq!(divide(123, 0, false), (u32::MAX, 123));
        assert_eq!(divide(u32::MAX, 0, false), (u32::MAX, u32::MAX));
    }

    #[test]
    fn signed() {
        for (a, b) in [(100, 7), (-100, 7), (100, -7), (-100, -7), (i32::MIN, 1), (i32::MIN, 3), (5, i32::MIN), (0, -1)]
        {
            assert_eq!(divide(a as u32, b as u32, true), ((a / b) as u32, (a % b) as u32), "{a} / {b}");
        }
        for a in [123i32, -123, 0, i32::MIN] {
            assert_eq!(divide(a as u32, 0, true), (u32::MAX, a as u32), "{a} / 0");
        }
        assert_eq!(divide(i32::MIN as u32, -1i32 as u32, true), (i32::MIN as u32, 0), "overflow");
    }
}
