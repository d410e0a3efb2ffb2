//! Warp instructions: `cpop`, as in Zbb, and custom-1, in which lanes act together.
use super::{Instruction, Register, Size};

/// An instruction of the extension `xwarp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum WarpInstruction {
    /// The number of bits of `rs1`.
    Population { rd: Register, rs1: Register },
    /// Lanes with bit 0 of `rs1` store `rs2` one behind the other, the first at its base, `rs1` without that bit; `rd` is how many they are, in all active lanes.
    Accumulate { size: Size, rd: Register, rs1: Register, rs2: Register },
    /// To `rs1` is added how many lanes have an `rs2` that is not 0, shifted.
    Traverse { rd: Register, rs1: Register, rs2: Register, shift: u32 },
}

impl WarpInstruction {
    /// The register it writes, x0 if none.
    pub(super) fn destination(&self) -> Register {
        match *self {
            Self::Population { rd, .. } | Self::Accumulate { rd, .. } | Self::Traverse { rd, .. } => rd,
        }
    }

    pub(super) fn sources(&self) -> [Option<Register>; 3] {
        match *self {
            Self::Population { rs1, .. } => [Some(rs1), None, None],
            Self::Accumulate { rs1, rs2, .. } | Self::Traverse { rs1, rs2, .. } => [Some(rs1), Some(rs2), None],
        }
    }

    pub(super) fn mnemonic(&self) -> &'static str {
        match self {
            Self::Population { .. } => "cpop",
            Self::Accumulate { size: Size::Half, .. } => "cond_acc.h",
            Self::Accumulate { .. } => "cond_acc.w",
            Self::Traverse { .. } => "tree_traverse",
        }
    }
}

/// Decodes a word of OP-IMM or custom-1 that is no other instruction.
pub(super) fn decode(word: u32) -> Instruction {
    let register = |place: u32| (word >> place & 31) as Register;
    let (rd, rs1, rs2) = (register(7), register(15), register(20));
    let found = match (word & 0x7F, word >> 12 & 7, word >> 25) {
        (0x13, 1, 0x30) if rs2 == 2 => Some(WarpInstruction::Population { rd, rs1 }),
        (0x2B, 1, 0) => Some(WarpInstruction::Accumulate { size: Size::Half, rd, rs1, rs2 }),
        (0x2B, 2, 0) => Some(WarpInstruction::Accumulate { size: Size::Word, rd, rs1, rs2 }),
        (0x2B, 4, shift @ 0..32) => Some(WarpInstruction::Traverse { rd, rs1, rs2, shift }),
        _ => None,
    };
    found.map_or(Instruction::Illegal, Instruction::Warp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_and_shift_are_in_their_places() {
        let is = |word: u32, instruction| assert_eq!(decode(word), Instruction::Warp(instruction), "{word:08x}");
        is(0x6025_1593, WarpInstruction::Population { rd: 11, rs1: 10 });
        is(0x00C5_952B, WarpInstruction::Accumulate { size: Size::Half, rd: 10, rs1: 11, rs2: 12 });
        is(0x00C5_A52B, WarpInstruction::Accumulate { size: Size::Word, rd: 10, rs1: 11, rs2: 12 });
        is(0x3EC5_C52B, WarpInstruction::Traverse { rd: 10, rs1: 11, rs2: 12, shift: 31 });
    }
}
