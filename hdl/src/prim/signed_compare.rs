//! Two's-complement less-than.
//!
//! ```text
//!         +---------------+
//!    a -->| SignedCompare |--> less
//!    b -->|               |
//!         +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `a`, `b` | w | two's-complement numbers |
//! | `less` | 1 | a < b |
//!
//! Latency 0. The operators `<` and `<=` of a word are unsigned; this is the signed one.
use super::Tag;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct SignedCompare {
    pub a: Net<In>,
    pub b: Net<In>,
    pub less: Signal<Out, Bit>,
}

impl SignedCompare {
    /// A comparator of `width`-bit numbers.
    pub fn new(width: usize) -> Self {
        Self { a: Net::new(width), b: Net::new(width), less: Default::default() }
    }
}

impl Logic for SignedCompare {
    fn update(&mut self) {
        let signed = |word: Word| bit_cast_to(signed_cast(word), 64).value() as i64;
        self.less.next = signed(self.a.val()) < signed(self.b.val());
    }
    fn connect(&mut self) {
        self.less.connect();
    }
    fn hdl(&self) -> Verilog {
        Tag::SignedCompare { width: self.a.width() }.to_verilog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_all_pairs_of_four_bits() {
        let mut compare = SignedCompare::new(4);
        compare.connect_all();
        for a in -8i64..8 {
            for b in -8i64..8 {
                compare.a.next = ((a & 15) as usize).into();
                compare.b.next = ((b & 15) as usize).into();
                simulate(&mut compare, 10);
                assert_eq!(compare.less.val(), a < b, "{a} < {b}");
            }
        }
    }
}
