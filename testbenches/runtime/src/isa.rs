//! The instruction set, decoded: what the loader and the reference model see of an instruction word.
//!
//! RV32IMA, Zicsr reads and custom-0, as in docs/developer/microarchitecture.md. Written apart from the hardware's
//! decoder on purpose: the two are compared by running programs on both.

/// Register number, 0 to 31.
pub type Register = u8;

/// Register-register or register-immediate arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AluOp {
    Add,
    Sub,
    ShiftLeft,
    Less,
    LessUnsigned,
    Xor,
    ShiftRight,
    ShiftRightArithmetic,
    Or,
    And,
    Multiply,
    MultiplyHigh,
    MultiplyHighSignedUnsigned,
    MultiplyHighUnsigned,
    Divide,
    DivideUnsigned,
    Remainder,
    RemainderUnsigned,
}

/// Condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Condition {
    Equal,
    NotEqual,
    Less,
    GreaterEqual,
    LessUnsigned,
    GreaterEqualUnsigned,
}

/// Bytes of a load or store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Size {
    Byte = 1,
    Half = 2,
    Word = 4,
}

/// What an atomic memory operation stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Swap,
    Add,
    Xor,
    And,
    Or,
    Min,
    Max,
    MinUnsigned,
    MaxUnsigned,
}

/// The read-only registers that tell a thread where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Csr {
    Tid(usize),
    Ctaid(usize),
    Ntid(usize),
    Nctaid(usize),
    Lane,
    Warp,
    Core,
    Arguments,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Instruction {
    LoadUpper { rd: Register, value: u32 },
    AddUpperToPc { rd: Register, value: u32 },
    JumpAndLink { rd: Register, offset: i32 },
    JumpAndLinkRegister { rd: Register, rs1: Register, offset: i32 },
    Branch { condition: Condition, rs1: Register, rs2: Register, offset: i32 },
    Load { size: Size, signed: bool, rd: Register, rs1: Register, offset: i32 },
    Store { size: Size, rs1: Register, rs2: Register, offset: i32 },
    Immediate { op: AluOp, rd: Register, rs1: Register, value: u32 },
    Registers { op: AluOp, rd: Register, rs1: Register, rs2: Register },
    Fence,
    EnvironmentCall,
    Breakpoint,
    ReadCsr { rd: Register, csr: Csr },
    LoadReserved { rd: Register, rs1: Register },
    StoreConditional { rd: Register, rs1: Register, rs2: Register },
    Atomic { op: AtomicOp, rd: Register, rs1: Register, rs2: Register },
    Barrier,
    Exit,
    Ballot { rd: Register, rs1: Register },
    Illegal,
}

impl Instruction {
    /// The register it writes, if any; writes to `x0` do not count.
    pub fn destination(&self) -> Option<Register> {
        use Instruction::*;
        let rd = match *self {
            LoadUpper { rd, .. }
            | AddUpperToPc { rd, .. }
            | JumpAndLink { rd, .. }
            | JumpAndLinkRegister { rd, .. }
            | Load { rd, .. }
            | Immediate { rd, .. }
            | Registers { rd, .. }
            | ReadCsr { rd, .. }
            | LoadReserved { rd, .. }
            | StoreConditional { rd, .. }
            | Atomic { rd, .. }
            | Ballot { rd, .. } => rd,
            Branch { .. } | Store { .. } | Fence | EnvironmentCall | Breakpoint | Barrier | Exit | Illegal => 0,
        };
        (rd != 0).then_some(rd)
    }
}

/// Decodes a word; every encoding that is not an instruction of the core is [`Instruction::Illegal`].
pub fn decode(word: u32) -> Instruction {
    use Instruction::*;
    let rd = (word >> 7 & 31) as Register;
    let funct3 = word >> 12 & 7;
    let rs1 = (word >> 15 & 31) as Register;
    let rs2 = (word >> 20 & 31) as Register;
    let funct7 = word >> 25;
    let immediate_i = word as i32 >> 20;
    let immediate_s = (word as i32 >> 25 << 5) | (word >> 7 & 31) as i32;
    let immediate_u = word & 0xFFFF_F000;
    match word & 0x7F {
        0x37 => LoadUpper { rd, value: immediate_u },
        0x17 => AddUpperToPc { rd, value: immediate_u },
        0x6F => JumpAndLink { rd, offset: immediate_j(word) },
        0x67 if funct3 == 0 => JumpAndLinkRegister { rd, rs1, offset: immediate_i },
        0x63 => match condition(funct3) {
            Some(condition) => Branch { condition, rs1, rs2, offset: immediate_b(word) },
            None => Illegal,
        },
        0x03 => match (size(funct3 & 3), funct3) {
            (Some(size), 0..=2 | 4 | 5) => Load { size, signed: funct3 < 4, rd, rs1, offset: immediate_i },
            _ => Illegal,
        },
        0x23 => match size(funct3) {
            Some(size) => Store { size, rs1, rs2, offset: immediate_s },
            None => Illegal,
        },
        0x13 => match (arithmetic(funct3), funct3, funct7) {
            (AluOp::ShiftRight, _, 0x20) => {
                Immediate { op: AluOp::ShiftRightArithmetic, rd, rs1, value: u32::from(rs2) }
            }
            (op, 1 | 5, 0) => Immediate { op, rd, rs1, value: u32::from(rs2) },
            (_, 1 | 5, _) => Illegal,
            (op, ..) => Immediate { op, rd, rs1, value: immediate_i as u32 },
        },
        0x33 => match (funct7, arithmetic(funct3)) {
            (0, op) => Registers { op, rd, rs1, rs2 },
            (1, _) => Registers { op: multiplication(funct3), rd, rs1, rs2 },
            (0x20, AluOp::Add) => Registers { op: AluOp::Sub, rd, rs1, rs2 },
            (0x20, AluOp::ShiftRight) => Registers { op: AluOp::ShiftRightArithmetic, rd, rs1, rs2 },
            _ => Illegal,
        },
        0x0F if funct3 < 2 => Fence,
        0x73 if word == 0x0000_0073 => EnvironmentCall,
        0x73 if word == 0x0010_0073 => Breakpoint,
        // csrrs, csrrc and their immediate forms write nothing when their source is x0 or 0.
        0x73 if matches!(funct3, 2 | 3 | 6 | 7) && rs1 == 0 => match csr(word >> 20) {
            Some(csr) => ReadCsr { rd, csr },
            None => Illegal,
        },
        0x2F if funct3 == 2 => match (funct7 >> 2, atomic(funct7 >> 2)) {
            (2, _) if rs2 == 0 => LoadReserved { rd, rs1 },
            (3, _) => StoreConditional { rd, rs1, rs2 },
            (_, Some(op)) => Atomic { op, rd, rs1, rs2 },
            _ => Illegal,
        },
        0x0B if funct7 == 0 => match funct3 {
            0 => Barrier,
            1 => Exit,
            2 => Ballot { rd, rs1 },
            _ => Illegal,
        },
        _ => Illegal,
    }
}

fn immediate_j(word: u32) -> i32 {
    (word as i32 >> 31 << 20) | (word & 0x000F_F000) as i32 | (word >> 9 & 0x800) as i32 | (word >> 20 & 0x7FE) as i32
}

fn immediate_b(word: u32) -> i32 {
    (word as i32 >> 31 << 12) | (word << 4 & 0x800) as i32 | (word >> 20 & 0x7E0) as i32 | (word >> 7 & 0x1E) as i32
}

fn condition(funct3: u32) -> Option<Condition> {
    Some(match funct3 {
        0 => Condition::Equal,
        1 => Condition::NotEqual,
        4 => Condition::Less,
        5 => Condition::GreaterEqual,
        6 => Condition::LessUnsigned,
        7 => Condition::GreaterEqualUnsigned,
        _ => return None,
    })
}

fn size(code: u32) -> Option<Size> {
    [Size::Byte, Size::Half, Size::Word].get(code as usize).copied()
}

fn arithmetic(funct3: u32) -> AluOp {
    use AluOp::*;
    [Add, ShiftLeft, Less, LessUnsigned, Xor, ShiftRight, Or, And][funct3 as usize]
}

fn multiplication(funct3: u32) -> AluOp {
    use AluOp::*;
    let operations = [
        Multiply,
        MultiplyHigh,
        MultiplyHighSignedUnsigned,
        MultiplyHighUnsigned,
        Divide,
        DivideUnsigned,
        Remainder,
        RemainderUnsigned,
    ];
    operations[funct3 as usize]
}

fn atomic(funct5: u32) -> Option<AtomicOp> {
    Some(match funct5 {
        0x00 => AtomicOp::Add,
        0x01 => AtomicOp::Swap,
        0x04 => AtomicOp::Xor,
        0x08 => AtomicOp::Or,
        0x0C => AtomicOp::And,
        0x10 => AtomicOp::Min,
        0x14 => AtomicOp::Max,
        0x18 => AtomicOp::MinUnsigned,
        0x1C => AtomicOp::MaxUnsigned,
        _ => return None,
    })
}

fn csr(number: u32) -> Option<Csr> {
    let index = number.checked_sub(0xCC0)? as usize;
    Some(match index {
        0..=2 => Csr::Tid(index),
        3..=5 => Csr::Ctaid(index - 3),
        6..=8 => Csr::Ntid(index - 6),
        9..=11 => Csr::Nctaid(index - 9),
        12 => Csr::Lane,
        13 => Csr::Warp,
        14 => Csr::Core,
        15 => Csr::Arguments,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn immediates_have_their_signs_and_pieces() {
        assert_eq!(decode(0xFEDF_F0EF), Instruction::JumpAndLink { rd: 1, offset: -20 });
        assert_eq!(decode(0x0080_00EF), Instruction::JumpAndLink { rd: 1, offset: 8 });
        let branch = |offset| Instruction::Branch { condition: Condition::Equal, rs1: 1, rs2: 2, offset };
        assert_eq!(decode(0x0020_8463), branch(8));
        assert_eq!(decode(0xFE20_8EE3), branch(-4));
        assert_eq!(decode(0x8020_8063), branch(-4096));
        assert_eq!(decode(0x7E20_8FE3), branch(4094));
        assert_eq!(decode(0xFE20_AE23), Instruction::Store { size: Size::Word, rs1: 1, rs2: 2, offset: -4 });
        assert_eq!(decode(0x1234_51B7), Instruction::LoadUpper { rd: 3, value: 0x1234_5000 });
    }

    #[test]
    fn what_is_not_an_instruction_is_illegal() {
        for (word, why) in [
            (0x0000_0000, "zeros"),
            (0xFFFF_FFFF, "ones"),
            (0xC000_1073, "unimp: csrrw"),
            (0xCC00_A1F3, "csrrs that writes"),
            (0xCBF0_21F3, "a CSR below ours"),
            (0xCD00_21F3, "a CSR above ours"),
            (0x1020_A1AF, "lr.w with rs2"),
            (0x0000_300B, "custom-0, funct3 3"),
            (0x0200_000B, "custom-0, funct7 1"),
            (0x4000_9193, "slli with bit 30"),
            (0x4020_C1B3, "xor with bit 30"),
            (0x0000_B183, "ld"),
        ] {
            assert_eq!(decode(word), Instruction::Illegal, "{why}");
        }
        assert_eq!(decode(0xCCF0_22F3), Instruction::ReadCsr { rd: 5, csr: Csr::Arguments });
    }
}
