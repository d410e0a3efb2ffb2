//! How the sub-warps of an instruction are made, where there are large warps.
//!
//! ```text
//!                                 +------------------+
//!  word ------------------------->|                  |
//!  memory, control, writes_rd --->| SubWarpPredecode |---> kind
//!                                 +------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `word` | 32 | instruction |
//! | `memory`, `control`, `writes_rd` | 1 | what [`Predecode`](super::Predecode) says of it |
//! | `kind` | | see [`SubWarpUnit`](crate::divergence::SubWarpUnit) |
//!
//! Latency 0, no state. A jump takes one sub-warp if it leaves no link, which every thread would write: Narasiman 2014, 4.2.4. With `packed-jumps`
//! it takes as many as any other instruction.
use crate::divergence::SubWarpKind;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SubWarpPredecode {
        pub word: Net<In> = 32,
        pub memory: Signal<In, Bit>,
        pub control: Signal<In, Bit>,
        pub writes_rd: Signal<In, Bit>,
        pub kind: Signal<Out, SubWarpKind>,

        opcode: Net<Local> = 7,
    }
    sizes { _jumps_at_once = jumps_at_once as usize }

    /// A jump issues in one sub-warp, or like any other instruction.
    pub fn new(jumps_at_once: bool) {}
}

impl Logic for SubWarpPredecode {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SubWarpPredecode");
        self.opcode.next = bit_cast_to(self.word.val(), 7);
        self.kind.next = SubWarpKind::Pack;
        // custom-0 without control is a ballot, custom-1 a warp instruction: they are of a row.
        if self.memory.val() | ((self.opcode.val() == 0x0b) & !self.control.val()) | (self.opcode.val() == 0x2b) {
            self.kind.next = SubWarpKind::Row;
        }
        for _i in 0..self._jumps_at_once {
            if (self.opcode.val() == 0x6f) & !self.writes_rd.val() {
                self.kind.next = SubWarpKind::Once;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::Predecode;
    use SubWarpKind::*;

    #[test]
    fn knows_each_kind() {
        let mut predecode = Predecode::new(&CoreConfig::tiny());
        let mut kinds = SubWarpPredecode::new(true);
        predecode.connect_all();
        kinds.connect_all();
        for (word, kind) in [
            (0x00c5_8533, Pack), // add a0,a1,a2
            (0x00c5_8463, Pack), // beq a1,a2,8
            (0x0080_006f, Once), // j 8
            (0x0080_00ef, Pack), // jal ra,8
            (0x0005_8067, Pack), // jr a1
            (0x0000_000b, Pack), // bar.sync
            (0x0000_100b, Pack), // exit
            (0x0005_a50b, Row),  // ballot a0,a1
            (0x0005_a503, Row),  // lw a0,0(a1)
            (0x00a5_a023, Row),  // sw a0,0(a1)
            (0x00c5_a52f, Row),  // amoadd.w a0,a2,(a1)
            (0x0ff0_000f, Row),  // fence
            (0x00c5_a52b, Row),  // cond_acc.w a0,a1,a2
            (0x00c5_c52b, Row),  // tree_traverse a0,a1,a2,0
            (0x6025_9513, Pack), // cpop a0,a1
        ] {
            predecode.word.next = Word::from(word as usize);
            simulate(&mut predecode, 100);
            kinds.word.next = Word::from(word as usize);
            kinds.memory.next = predecode.memory.val();
            kinds.control.next = predecode.control.val();
            kinds.writes_rd.next = predecode.writes_rd.val();
            simulate(&mut kinds, 100);
            assert_eq!(kinds.kind.val(), kind, "{word:08x}");
        }
    }

    #[test]
    fn packs_jumps_if_so_chosen() {
        let mut kinds = SubWarpPredecode::new(false);
        kinds.connect_all();
        kinds.word.next = Word::from(0x0080_006f);
        kinds.control.next = true;
        simulate(&mut kinds, 100);
        assert_eq!(kinds.kind.val(), Pack);
    }
}
