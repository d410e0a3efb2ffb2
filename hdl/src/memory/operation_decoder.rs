//! A stored operation code back as the enumeration, and what it implies.
//!
//! ```text
//!           +------------------+---> op
//!  code --->| OperationDecoder |---> single
//!           +------------------+---> returns
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `code` | 4 | position in `MemoryOp`, as a memory holds it |
//! | `op` | `MemoryOp` | the operation |
//! | `single` | 1 | one lane at a time: atomics and LR/SC |
//! | `returns` | 1 | has a result: all but stores and fences |
//!
//! Latency 0, no state; in hardware `op` is `code`.
use crate::interface::MemoryOp;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct OperationDecoder {
        pub code: Net<In> = 4,
        pub op: Signal<Out, MemoryOp>,
        pub single: Signal<Out, Bit>,
        pub returns: Signal<Out, Bit>,
    }
}

impl Logic for OperationDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OperationDecoder");
        self.single.next = true;
        self.returns.next = true;
        self.op.next = MemoryOp::Load;
        match self.code.val().index() {
            0 => {
                self.op.next = MemoryOp::Load;
                self.single.next = false;
            }
            1 => {
                self.op.next = MemoryOp::Store;
                self.single.next = false;
                self.returns.next = false;
            }
            2 => self.op.next = MemoryOp::LoadReserved,
            3 => self.op.next = MemoryOp::StoreConditional,
            4 => self.op.next = MemoryOp::AtomicSwap,
            5 => self.op.next = MemoryOp::AtomicAdd,
            6 => self.op.next = MemoryOp::AtomicXor,
            7 => self.op.next = MemoryOp::AtomicAnd,
            8 => self.op.next = MemoryOp::AtomicOr,
            9 => self.op.next = MemoryOp::AtomicMin,
            10 => self.op.next = MemoryOp::AtomicMax,
            11 => self.op.next = MemoryOp::AtomicMinUnsigned,
            12 => self.op.next = MemoryOp::AtomicMaxUnsigned,
            _ => {
                self.op.next = MemoryOp::Fence;
                self.single.next = false;
                self.returns.next = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MemoryOp::*;

    #[test]
    fn inverts_the_encoding() {
        let mut decoder = OperationDecoder::default();
        decoder.connect_all();
        for op in [
            Load,
            Store,
            LoadReserved,
            StoreConditional,
            AtomicSwap,
            AtomicAdd,
            AtomicXor,
            AtomicAnd,
            AtomicOr,
            AtomicMin,
            AtomicMax,
            AtomicMinUnsigned,
            AtomicMaxUnsigned,
            Fence,
        ] {
            decoder.code.next = bit_cast_to(op, 4);
            simulate(&mut decoder, 1000);
            assert_eq!(decoder.op.val(), op);
            assert_eq!(decoder.single.val(), !matches!(op, Load | Store | Fence));
            assert_eq!(decoder.returns.val(), !matches!(op, Store | Fence));
        }
    }
}
