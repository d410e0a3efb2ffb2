//! What the scheduler must know of a warp instruction before it issues: the part of [`Predecode`](super::Predecode) for the extension `xwarp`.
//!
//! ```text
//!            +---------------+---> is_warp
//!   word --->| PredecodeWarp |---> accumulates
//!            +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `is_warp` | 1 | of custom-1: it reads `rs1` and `rs2` and has a result |
//! | `accumulates` | 1 | and it occupies the load/store unit, as a store does, beside the ALU, where its result comes from |
//!
//! Latency 0. What is no legal instruction may look like one here: it traps when it executes. `cpop` looks like any arithmetic with an immediate.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PredecodeWarp {
        pub word: Net<In> = 32,
        pub is_warp: Signal<Out, Bit>,
        pub accumulates: Signal<Out, Bit>,
    }
}

impl Logic for PredecodeWarp {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PredecodeWarp");
        self.is_warp.next = bit_cast_to(self.word.val(), 7) == 0x2B;
        self.accumulates.next = self.is_warp.val() & !self.word.val().get_bit(14);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_stores() {
        let mut predecode = PredecodeWarp::default();
        predecode.connect_all();
        for (word, is_warp, accumulates) in [
            (0x00c5_952b, true, true),   // cond_acc.h a0,a1,a2
            (0x00c5_a52b, true, true),   // cond_acc.w a0,a1,a2
            (0x3ec5_c52b, true, false),  // tree_traverse a0,a1,a2,31
            (0x6025_1593, false, false), // cpop a1,a0
            (0x0005_a50b, false, false), // ballot a0,a1
        ] {
            predecode.word.next = (word as usize).into();
            simulate(&mut predecode, 100);
            assert_eq!((predecode.is_warp.val(), predecode.accumulates.val()), (is_warp, accumulates), "{word:08x}");
        }
    }
}
