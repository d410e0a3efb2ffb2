//! The arithmetic-logic unit of one lane.
//!
//! ```text
//!                +-----+---> result
//!  operation --->|     |
//!          a --->| Alu |---> equal
//!          b --->|     |---> less
//!                +-----+---> less_unsigned
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `operation` | `AluOp` | what `result` is |
//! | `a`, `b` | 32 | operands; shifts take the amount from the low five bits of `b` |
//! | `result` | 32 | comparisons give 0 or 1 |
//! | `equal`, `less`, `less_unsigned` | 1 | a against b, whatever the operation: the branch conditions |
//!
//! Latency 0, no state. One shifter serves the three shifts; the comparisons serve both
//! set-less-than and the branches.
use super::operation::AluOp;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Alu {
        pub operation: Signal<In, AluOp>,
        pub a: Net<In> = 32,
        pub b: Net<In> = 32,
        pub result: Net<Out> = 32,
        pub equal: Signal<Out, Bit>,
        pub less: Signal<Out, Bit>,
        pub less_unsigned: Signal<Out, Bit>,

        shifter: BarrelShifter = BarrelShifter::new(32) => { value: a },
        compare: SignedCompare = SignedCompare::new(32) => { a, b, less },
    }
}

impl Logic for Alu {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Alu");
        self.equal.next = self.a.val() == self.b.val();
        self.less_unsigned.next = self.a.val() < self.b.val();

        self.shifter.amount.next = bit_cast_to(self.b.val(), 5);
        self.shifter.left.next = self.operation.val() == AluOp::ShiftLeft;
        self.shifter.arithmetic.next = self.operation.val() == AluOp::ShiftRightArithmetic;

        match self.operation.val() {
            AluOp::Add => self.result.next = self.a.val() + self.b.val(),
            AluOp::Sub => self.result.next = self.a.val() - self.b.val(),
            AluOp::Less => self.result.next = bit_cast_to(self.less.val(), 32),
            AluOp::LessUnsigned => self.result.next = bit_cast_to(self.less_unsigned.val(), 32),
            AluOp::Xor => self.result.next = self.a.val() ^ self.b.val(),
            AluOp::Or => self.result.next = self.a.val() | self.b.val(),
            AluOp::And => self.result.next = self.a.val() & self.b.val(),
            _ => self.result.next = self.shifter.result.val(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_at_their_corners() {
        use AluOp::*;
        let mut alu = Alu::default();
        alu.connect_all();
        for (operation, a, b, result) in [
            (Add, 0xffff_ffff, 1, 0),
            (Sub, 0, 1, 0xffff_ffff),
            (ShiftLeft, 0x8000_0001, 31, 0x8000_0000),
            (ShiftLeft, 0x8000_0001, 32, 0x8000_0001),
            (ShiftRight, 0x8000_0001, 31, 1),
            (ShiftRight, 0x8000_0001, 0xffff_ffe0, 0x8000_0001),
            (ShiftRightArithmetic, 0x8000_0000, 31, 0xffff_ffff),
            (ShiftRightArithmetic, 0x7fff_ffff, 30, 1),
            (ShiftRightArithmetic, 0x8000_0000, 33, 0xc000_0000),
            (Less, 0x8000_0000, 0x7fff_ffff, 1),
            (Less, 0x7fff_ffff, 0x8000_0000, 0),
            (Less, 5, 5, 0),
            (LessUnsigned, 0x8000_0000, 0x7fff_ffff, 0),
            (LessUnsigned, 0x7fff_ffff, 0x8000_0000, 1),
            (Xor, 0xff00_ff00, 0x0ff0_0ff0, 0xf0f0_f0f0),
            (Or, 0xff00_ff00, 0x0ff0_0ff0, 0xfff0_fff0),
            (And, 0xff00_ff00, 0x0ff0_0ff0, 0x0f00_0f00),
        ] {
            alu.operation.next = operation;
            alu.a.next = a.into();
            alu.b.next = b.into();
            simulate(&mut alu, 100);
            assert_eq!(alu.result.val(), result, "{operation:?} {a:x} {b:x}");
        }
    }

    #[test]
    fn comparisons_ignore_the_operation() {
        let mut alu = Alu::default();
        alu.connect_all();
        alu.operation.next = AluOp::Xor;
        for (a, b, flags) in [
            (7, 7, (true, false, false)),
            (0x8000_0000, 0, (false, true, false)),
            (0, 0x8000_0000, (false, false, true)),
            (1, 2, (false, true, true)),
        ] {
            alu.a.next = a.into();
            alu.b.next = b.into();
            simulate(&mut alu, 100);
            assert_eq!((alu.equal.val(), alu.less.val(), alu.less_unsigned.val()), flags, "{a:x} {b:x}");
        }
    }
}
