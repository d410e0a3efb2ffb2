//! The read-modify-write of an atomic.
//!
//! ```text
//!            +-----------+
//!      op -->|           |
//!     old -->| AtomicAlu |---> result
//! operand -->|           |
//!            +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `op` | `MemoryOp` | an `Atomic...`; anything else keeps `old` |
//! | `old` | 32 | word in memory |
//! | `operand` | 32 | rs2 |
//! | `result` | 32 | word to write |
//!
//! Latency 0, no state.
use crate::interface::MemoryOp;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct AtomicAlu {
        pub op: Signal<In, MemoryOp>,
        pub old: Net<In> = 32,
        pub operand: Net<In> = 32,
        pub result: Net<Out> = 32,

        compare: SignedCompare = SignedCompare::new(32) => { a: old, b: operand },
        below: Signal<Local, Bit>,
    }
}

impl Logic for AtomicAlu {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AtomicAlu");
        self.below.next = self.old.val() < self.operand.val();
        self.result.next = self.old.val();
        match self.op.val() {
            MemoryOp::AtomicSwap => self.result.next = self.operand.val(),
            MemoryOp::AtomicAdd => self.result.next = self.old.val() + self.operand.val(),
            MemoryOp::AtomicXor => self.result.next = self.old.val() ^ self.operand.val(),
            MemoryOp::AtomicAnd => self.result.next = self.old.val() & self.operand.val(),
            MemoryOp::AtomicOr => self.result.next = self.old.val() | self.operand.val(),
            MemoryOp::AtomicMin => {
                if !self.compare.less.val() {
                    self.result.next = self.operand.val();
                }
            }
            MemoryOp::AtomicMax => {
                if self.compare.less.val() {
                    self.result.next = self.operand.val();
                }
            }
            MemoryOp::AtomicMinUnsigned => {
                if !self.below.val() {
                    self.result.next = self.operand.val();
                }
            }
            MemoryOp::AtomicMaxUnsigned => {
                if self.below.val() {
                    self.result.next = self.operand.val();
                }
            }
            _ => self.result.next = self.old.val(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_each_operation() {
        let mut alu = AtomicAlu::default();
        alu.connect_all();
        let (old, operand) = (0xffff_fff0usize, 0x18usize);
        for (op, result) in [
            (MemoryOp::AtomicSwap, 0x18),
            (MemoryOp::AtomicAdd, 0x8),
            (MemoryOp::AtomicXor, 0xffff_ffe8),
            (MemoryOp::AtomicAnd, 0x10),
            (MemoryOp::AtomicOr, 0xffff_fff8),
            (MemoryOp::AtomicMin, 0xffff_fff0),
            (MemoryOp::AtomicMax, 0x18),
            (MemoryOp::AtomicMinUnsigned, 0x18),
            (MemoryOp::AtomicMaxUnsigned, 0xffff_fff0),
            (MemoryOp::LoadReserved, 0xffff_fff0u64),
        ] {
            alu.op.next = op;
            alu.old.next = old.into();
            alu.operand.next = operand.into();
            simulate(&mut alu, 1000);
            assert_eq!(alu.result.val().value(), result, "{op:?}");
        }
    }
}
