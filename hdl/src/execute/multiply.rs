//! The multiplier of one lane: operands registered, multiplied, product registered.
//!
//! ```text
//!   EXECUTE        + 1                  + 2
//!            |                  |
//!   a -----> [a] --> Multiplier [product] ---> result
//!   b -----> [b] -->   ^   high?
//!   start --- en       |     ^
//!    a_signed, b_signed      high      (kind)
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `a`, `b` | 32 | operands in EXECUTE |
//! | `start` | 1 | EXECUTE: they are multiplied; without, the multiplier rests on those before |
//! | `kind_a_signed`, `kind_b_signed`, `kind_high` | 1 | one cycle later: the operands' signs, and which half |
//! | `result` | 32 | two cycles after the operands |
//!
//! Latency 2, one multiplication per cycle. State: the three registers. The controls are the same in
//! every lane, so [`MultiplyControl`](super::MultiplyControl) delays them once for all.
use super::operation::MultiplyKind;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Multiply: clock {
        pub a: Net<In> = 32,
        pub b: Net<In> = 32,
        pub start: Signal<In, Bit>,
        pub kind: MultiplyKind<In> = MultiplyKind::new(),
        pub result: Net<Out> = 32,

        operand_a: Flop = Flop::new(32),
        operand_b: Flop = Flop::new(32),
        multiplier: Multiplier = Multiplier::new(32) => {
            a: operand_a.q, b: operand_b.q, a_signed: kind.a_signed, b_signed: kind.b_signed,
        },
        product: Flop = Flop::new(32) => { q: result },
    }
}

impl Logic for Multiply {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Multiply");
        dff_setup!(self, clock, operand_a, operand_b, product);
        if self.start.val() {
            self.operand_a.d.next = self.a.val();
            self.operand_b.d.next = self.b.val();
        }
        self.product.d.next = self.multiplier.low.val();
        if self.kind.high.val() {
            self.product.d.next = self.multiplier.high.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn multiply() -> Multiply {
        let mut multiply = Multiply::default();
        multiply.connect_all();
        simulate(&mut multiply, 1000);
        multiply
    }

    #[test]
    fn rests_where_nothing_is_multiplied() {
        let mut multiply = multiply();
        // start a b | result of two cycles before
        for (start, a, b, result) in [
            (true, 7, 6, 0),
            (false, 9, 9, 0),
            (false, 8, 8, 42),
            (true, 5, 5, 42),
            (false, 1, 1, 42),
            (false, 0, 0, 25),
        ] {
            assert_eq!(multiply.result.val(), result, "{a} * {b}");
            (multiply.start.next, multiply.a.next, multiply.b.next) = (start, a.into(), b.into());
            tick!(multiply);
        }
    }

    #[test]
    fn one_per_cycle_and_every_kind() {
        let mut multiply = multiply();
        multiply.start.next = true;
        const MUL: (bool, bool, bool) = (false, false, false);
        const MULH: (bool, bool, bool) = (true, true, true);
        const MULHSU: (bool, bool, bool) = (true, true, false);
        const MULHU: (bool, bool, bool) = (true, false, false);
        let script = [
            (MUL, 7, 6, 42),
            (MUL, 0xffff_ffff, 0xffff_ffff, 1),
            (MULH, 0xffff_ffff, 0xffff_ffff, 0),
            (MULH, 0x8000_0000, 0x8000_0000, 0x4000_0000),
            (MULH, 0x8000_0000, 0x7fff_ffff, 0xc000_0000),
            (MULHSU, 0xffff_ffff, 0xffff_ffff, 0xffff_ffff),
            (MULHSU, 0x8000_0000, 0xffff_ffff, 0x8000_0000),
            (MULHU, 0xffff_ffff, 0xffff_ffff, 0xffff_fffe),
            (MULHU, 0x8000_0000, 2, 1),
        ];
        for cycle in 0..script.len() + 2 {
            if let Some((_, _, _, result)) = cycle.checked_sub(2).map(|done| script[done]) {
                assert_eq!(multiply.result.val(), result, "cycle {cycle}");
            }
            if let Some(&(_, a, b, _)) = script.get(cycle) {
                multiply.a.next = a.into();
                multiply.b.next = b.into();
            }
            if let Some(((high, a_signed, b_signed), ..)) = cycle.checked_sub(1).and_then(|started| script.get(started))
            {
                multiply.kind.high.next = *high;
                multiply.kind.a_signed.next = *a_signed;
                multiply.kind.b_signed.next = *b_signed;
            }
            tick!(multiply);
        }
    }
}
