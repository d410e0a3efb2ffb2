//! A full product, signed or unsigned on either side.
//!
//! ```text
//!               +------------+
//!           a ->|            |
//!           b ->| Multiplier |-> low
//!    a_signed ->|            |-> high
//!    b_signed ->|            |
//!               +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `a`, `b` | w | operands, w at most 32 |
//! | `a_signed`, `b_signed` | 1 | read that operand as two's complement |
//! | `low`, `high` | w | the halves of the product |
//!
//! Latency 0: a pipelined multiplier puts registers around it.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Multiplier {
    pub a: Net<In>,
    pub b: Net<In>,
    pub a_signed: Signal<In, Bit>,
    pub b_signed: Signal<In, Bit>,
    pub low: Net<Out>,
    pub high: Net<Out>,
}

impl Multiplier {
    /// A multiplier of `width`-bit operands.
    ///
    /// # Panics
    /// If the product does not fit into a word: `width` above 32.
    pub fn new(width: usize) -> Self {
        assert!(width <= 32, "the product of {width}-bit operands has more than 64 bits");
        Self {
            a: Net::new(width),
            b: Net::new(width),
            a_signed: Default::default(),
            b_signed: Default::default(),
            low: Net::new(width),
            high: Net::new(width),
        }
    }
}

fn extended(word: Word, signed: bool) -> Word {
    if signed { bit_cast_to(signed_cast(word), 64) } else { bit_cast_to(word, 64) }
}

impl Logic for Multiplier {
    fn update(&mut self) {
        let width = self.a.width();
        let product = extended(self.a.val(), self.a_signed.val()) * extended(self.b.val(), self.b_signed.val());
        self.low.next = bit_cast_to(product, width);
        self.high.next = bit_cast_to(product >> width, width);
    }
    fn connect(&mut self) {
        self.low.connect();
        self.high.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::Multiplier { width: self.a.width() }.to_verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_signed_and_unsigned_products() {
        let mut multiplier = Multiplier::new(8);
        multiplier.connect_all();
        for (a, b, a_signed, b_signed, high, low) in [
            (0xff, 0xff, false, false, 0xfe, 0x01),
            (0xff, 0xff, true, true, 0x00, 0x01),
            (0xff, 0xff, true, false, 0xff, 0x01),
            (0xff, 0xff, false, true, 0xff, 0x01),
            (0x80, 0x80, true, true, 0x40, 0x00),
            (0x80, 0x80, true, false, 0xc0, 0x00),
            (0x7f, 0x02, true, true, 0x00, 0xfe),
        ] {
            multiplier.a.next = a.into();
            multiplier.b.next = b.into();
            multiplier.a_signed.next = a_signed;
            multiplier.b_signed.next = b_signed;
            simulate(&mut multiplier, 10);
            assert_eq!(
                (multiplier.high.val(), multiplier.low.val()),
                (Word::new(high, 8), Word::new(low, 8)),
                "{a:x} * {b:x}"
            );
        }
    }

    #[test]
    fn thirty_two_bits() {
        let mut multiplier = Multiplier::new(32);
        multiplier.connect_all();
        multiplier.a.next = 0x8000_0000.into();
        multiplier.b.next = 0xffff_ffff.into();
        simulate(&mut multiplier, 10);
        assert_eq!(multiplier.high.val(), 0x7fff_ffff);
        assert_eq!(multiplier.low.val(), 0x8000_0000);
    }
}
