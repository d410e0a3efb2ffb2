//! The divider of one lane: restoring, some quotient bits per step.
//!
//! ```text
//!            drive_*, is_signed                    (the same in every lane)
//!                          |
//!   a ---->[quotient  ]<---+--- n times: shift, compare with divisor, subtract
//!          [remainder ]
//!   b ---->[divisor   ]--------> negate? ---> result
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `drive_load` | 1 | take the operands |
//! | `is_signed` | 1 | with `drive_load`: operands are two's complement |
//! | `a`, `b` | 32 | with `drive_load`: dividend, divisor |
//! | `drive_step` | 1 | *n* quotient bits |
//! | `drive_remainder` | 1 | `result` is the remainder, else the quotient |
//! | `result` | 32 | valid after 32 / *n* steps, until the next `drive_load` |
//!
//! Latency 32 / *n* steps after `drive_load`; *n* is [`CoreConfig::divide_bits`], and *n* subtractors follow one another in a step
//! (docs/decisions/0021-divider.md). State: three words and two signs. Signed operands are divided by magnitude and the result takes its
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
        /// What is left of quotient and rest after the bits so far.
        quotient_now: Net<Local> = 32,
        rest_now: Net<Local> = 32,
        shifted: Net<Local> = 33,
        divisor_wide: Net<Local> = 33,
        fits: Signal<Local, Bit>,
        magnitude: Net<Local> = 32,
        negate: Signal<Local, Bit>,
    }
    sizes { _bits = bits }
    /// A divider that works out `bits` quotient bits in a step.
    pub fn new(bits: usize) {
        assert!(32 % bits == 0, "all steps of a division are alike");
    }
}

impl Logic for Divide {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Divide");
        dff_setup!(self, clock, quotient, rest, divisor, negate_quotient, negate_rest);
        self.a_negative.next = self.is_signed.val() & self.a.val().get_bit(31);
        self.b_negative.next = self.is_signed.val() & self.b.val().get_bit(31);
        self.divisor_wide.next = bit_cast_to(self.divisor.q.val(), 33);
        self.quotient_now.next = self.quotient.q.val();
        self.rest_now.next = self.rest.q.val();
        for _step in 0..self._bits {
            self.shifted.next =
                (bit_cast_to(self.rest_now.val(), 33) << 1) | bit_cast_to(self.quotient_now.val() >> 31, 33);
            self.fits.next = self.shifted.val() >= self.divisor_wide.val();
            self.quotient_now.next = (self.quotient_now.val() << 1) | bit_cast_to(self.fits.val(), 32);
            self.rest_now.next = bit_cast_to(self.shifted.val(), 32);
            if self.fits.val() {
                self.rest_now.next = bit_cast_to(self.shifted.val() - self.divisor_wide.val(), 32);
            }
        }

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
            self.quotient.d.next = self.quotient_now.val();
            self.rest.d.next = self.rest_now.val();
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
    use proptest::prelude::*;

    use super::*;

    /// Quotient and remainder, by so many bits a step.
    fn divide(bits: usize, a: u32, b: u32, is_signed: bool) -> (u32, u32) {
        let mut divide = Divide::new(bits);
        divide.connect_all();
        simulate(&mut divide, 1000);
        divide.a.next = (a as usize).into();
        divide.b.next = (b as usize).into();
        divide.is_signed.next = is_signed;
        divide.drive.load.next = true;
        tick!(divide);
        divide.drive.load.next = false;
        divide.drive.step.next = true;
        for _ in 0..32 / bits {
            tick!(divide);
        }
        divide.drive.step.next = false;
        let quotient = divide.result.val().value() as u32;
        divide.drive.remainder.next = true;
        tick!(divide);
        (quotient, divide.result.val().value() as u32)
    }

    /// The RISC-V Instruction Set Manual, M extension, "Semantics for division by zero and division overflow".
    fn model(a: u32, b: u32, is_signed: bool) -> (u32, u32) {
        let (signed_a, signed_b) = (a as i32, b as i32);
        match (is_signed, b) {
            (_, 0) => (u32::MAX, a),
            (false, _) => (a / b, a % b),
            (true, _) if signed_a == i32::MIN && signed_b == -1 => (a, 0),
            (true, _) => ((signed_a / signed_b) as u32, (signed_a % signed_b) as u32),
        }
    }

    const ALL_BITS: [usize; 5] = [1, 2, 4, 8, 16];

    #[test]
    fn corners() {
        let corners = [0, 1, 2, 3, 7, 100, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fff9, 0xffff_ffff];
        for bits in ALL_BITS {
            for (a, b) in corners.into_iter().flat_map(|a| corners.map(|b| (a, b))) {
                for is_signed in [false, true] {
                    assert_eq!(divide(bits, a, b, is_signed), model(a, b, is_signed), "{a:x} / {b:x}, {bits} bits");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        /// Divisors of every length: those of random words are nearly all as long as the dividend.
        #[test]
        fn as_the_model(
            bits in prop::sample::select(&ALL_BITS[..]), a: u32, b: u32, shorter in 0..32u32, is_signed: bool, negative: bool,
        ) {
            let b = if negative { !(b >> shorter) } else { b >> shorter };
            prop_assert_eq!(divide(bits, a, b, is_signed), model(a, b, is_signed));
        }
    }
}
