//! A value's parts, and which kind of value it is.
//!
//! ```text
//!               +-------------+---> sign, exponent, significand
//!    value ---->| FloatUnpack |
//!               +-------------+---> is_zero, is_subnormal, is_infinite, is_nan, is_signaling
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `value` | 1 + e + f | sign, exponent, fraction |
//! | `sign` | 1 | |
//! | `exponent` | e | that of subnormal values is 1, as it is of the smallest normal ones |
//! | `significand` | 1 + f | with the bit in front of the fraction: 0 if subnormal |
//! | `is_zero`, `is_subnormal` | 1 | the exponent's field is 0; zero is no subnormal value |
//! | `is_infinite`, `is_nan`, `is_signaling` | 1 | the exponent's field is ones; a signaling NaN is one of the NaNs |
//!
//! Latency 0, no state.
use super::FloatFormat;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatUnpack {
        pub value: Net<In> = format.width(),
        pub sign: Net<Out> = 1,
        pub exponent: Net<Out> = format.exponent,
        pub significand: Net<Out> = format.significand(),
        pub is_zero: Signal<Out, Bit>,
        pub is_subnormal: Signal<Out, Bit>,
        pub is_infinite: Signal<Out, Bit>,
        pub is_nan: Signal<Out, Bit>,
        pub is_signaling: Signal<Out, Bit>,

        fraction: Net<Local> = format.fraction,
        field: Net<Local> = format.exponent,
        has_fraction: Signal<Local, Bit>,
        is_normal: Signal<Local, Bit>,
        quiet: Signal<Local, Bit>,
        top: Constant = Constant::new(format.width() as u64 - 1, 6),
        above_fraction: Constant = Constant::new(format.fraction as u64, 6),
        quiet_bit: Constant = Constant::new(format.fraction as u64 - 1, 6),
    }
    sizes { _fraction = format.fraction, _exponent = format.exponent, _significand = format.significand() }
    /// Of values of this format.
    pub fn new(format: FloatFormat) {}
}

impl Logic for FloatUnpack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatUnpack");
        self.fraction.next = bit_cast_to(self.value.val(), self._fraction);
        self.field.next = bit_cast_to(self.value.val() >> self.above_fraction.val(), self._exponent);
        self.sign.next = bit_cast_to(self.value.val() >> self.top.val(), 1);
        self.has_fraction.next = self.fraction.val().any();
        self.is_normal.next = self.field.val().any();
        self.quiet.next = (self.fraction.val() >> self.quiet_bit.val()).any();

        self.exponent.next = self.field.val() | bit_cast_to(!self.is_normal.val(), self._exponent);
        self.significand.next = bit_cast_to(self.fraction.val(), self._significand)
            | (bit_cast_to(self.is_normal.val(), self._significand) << self.above_fraction.val());
        self.is_zero.next = !self.is_normal.val() & !self.has_fraction.val();
        self.is_subnormal.next = !self.is_normal.val() & self.has_fraction.val();
        self.is_infinite.next = self.field.val().all() & !self.has_fraction.val();
        self.is_nan.next = self.field.val().all() & self.has_fraction.val();
        self.is_signaling.next = self.is_nan.val() & !self.quiet.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_values() {
        let mut unit = FloatUnpack::new(FloatFormat::SINGLE);
        unit.connect_all();
        for (value, sign, exponent, significand, kinds) in [
            (0x0000_0000, 0, 1, 0, "zero"),
            (0x8000_0000, 1, 1, 0, "zero"),
            (0x0000_0001, 0, 1, 1, "subnormal"),
            (0x807f_ffff, 1, 1, 0x7f_ffff, "subnormal"),
            (0x0080_0000, 0, 1, 0x80_0000, ""),
            (0xbf80_0001, 1, 127, 0x80_0001, ""),
            (0xff80_0000, 1, 255, 0x80_0000, "infinite"),
            (0x7fc0_0000, 0, 255, 0xc0_0000, "nan"),
            (0xffbf_ffff, 1, 255, 0xbf_ffff, "nan signaling"),
        ] {
            unit.value.next = value.into();
            simulate(&mut unit, 10);
            let numbers = (unit.sign.val(), unit.exponent.val(), unit.significand.val());
            assert_eq!(numbers, (Word::new(sign, 1), Word::new(exponent, 8), Word::new(significand, 24)), "{value:x}");
            let found = [
                (unit.is_zero.val(), "zero"),
                (unit.is_subnormal.val(), "subnormal"),
                (unit.is_infinite.val(), "infinite"),
                (unit.is_nan.val(), "nan"),
                (unit.is_signaling.val(), "signaling"),
            ];
            let found: Vec<_> = found.into_iter().filter_map(|(is, kind)| is.then_some(kind)).collect();
            assert_eq!(found.join(" "), kinds, "{value:x}");
        }
    }
}
