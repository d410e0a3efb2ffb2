//! The instruction set, decoded: what the loader and the reference model see of an instruction word.
//!
//! RV32IMA, Zicsr reads, custom-0, for cores with floats RV32F, and for those with warp instructions `cpop` and custom-1, as in docs/developer/microarchitecture.md. Written apart from the hardware's
//! decoder on purpose: the two are compared by running programs on both.

pub mod float;
mod warp;

pub use float::{FLOAT_REGISTERS, FloatInstruction};
pub use warp::WarpInstruction;

/// Register number: 0 to 31, and those of floats 32 to 63.
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

/// Which of the core's units executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unit {
    Alu,
    Multiply,
    Divide,
    Memory,
    Control,
    Float,
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
    Float(FloatInstruction),
    Warp(WarpInstruction),
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
            Float(instruction) => instruction.destination().unwrap_or_default(),
            Warp(instruction) => instruction.destination(),
            Branch { .. } | Store { .. } | Fence | EnvironmentCall | Breakpoint | Barrier | Exit | Illegal => 0,
        };
        (rd != 0).then_some(rd)
    }

    /// The registers it reads.
    pub fn sources(&self) -> [Option<Register>; 3] {
        use Instruction::*;
        match *self {
            JumpAndLinkRegister { rs1, .. }
            | Load { rs1, .. }
            | Immediate { rs1, .. }
            | LoadReserved { rs1, .. }
            | Ballot { rs1, .. } => [Some(rs1), None, None],
            Branch { rs1, rs2, .. }
            | Store { rs1, rs2, .. }
            | Registers { rs1, rs2, .. }
            | StoreConditional { rs1, rs2, .. }
            | Atomic { rs1, rs2, .. } => [Some(rs1), Some(rs2), None],
            Float(instruction) => instruction.sources(),
            Warp(instruction) => instruction.sources(),
            LoadUpper { .. }
            | AddUpperToPc { .. }
            | JumpAndLink { .. }
            | Fence
            | EnvironmentCall
            | Breakpoint
            | ReadCsr { .. }
            | Barrier
            | Exit
            | Illegal => [None; 3],
        }
    }

    /// Where it executes.
    pub fn unit(&self) -> Unit {
        use Instruction::*;
        match *self {
            Registers { op, .. } => match op {
                AluOp::Multiply
                | AluOp::MultiplyHigh
                | AluOp::MultiplyHighSignedUnsigned
                | AluOp::MultiplyHighUnsigned => Unit::Multiply,
                AluOp::Divide | AluOp::DivideUnsigned | AluOp::Remainder | AluOp::RemainderUnsigned => Unit::Divide,
                _ => Unit::Alu,
            },
            Load { .. } | Store { .. } | Fence | LoadReserved { .. } | StoreConditional { .. } | Atomic { .. } => {
                Unit::Memory
            }
            JumpAndLink { .. } | JumpAndLinkRegister { .. } | Branch { .. } | Barrier | Exit => Unit::Control,
            Float(instruction) => instruction.unit(),
            Warp(WarpInstruction::Accumulate { .. }) => Unit::Memory,
            _ => Unit::Alu,
        }
    }

    /// Only a core with floats has it.
    pub fn needs_floats(&self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Only a core with warp instructions has it.
    pub fn needs_warp_instructions(&self) -> bool {
        matches!(self, Self::Warp(_))
    }

    /// Its result depends on which lanes execute it together.
    pub fn acts_together(&self) -> bool {
        use WarpInstruction::{Accumulate, Traverse};
        matches!(self, Self::Ballot { .. } | Self::Warp(Accumulate { .. } | Traverse { .. }))
    }

    /// On a core with floats it waits for all results of its threads: it reads the flags that these raise, or ends the thread.
    pub fn waits_for_all(&self) -> bool {
        matches!(self, Self::Exit | Self::Float(FloatInstruction::Status { .. }))
    }

    /// What assembler calls it, without the abbreviations for some operands (`mv`, `beqz`, ...).
    pub fn mnemonic(&self) -> &'static str {
        use Instruction::*;
        match *self {
            LoadUpper { .. } => "lui",
            AddUpperToPc { .. } => "auipc",
            JumpAndLink { .. } => "jal",
            JumpAndLinkRegister { .. } => "jalr",
            Branch { condition, .. } => match condition {
                Condition::Equal => "beq",
                Condition::NotEqual => "bne",
                Condition::Less => "blt",
                Condition::GreaterEqual => "bge",
                Condition::LessUnsigned => "bltu",
                Condition::GreaterEqualUnsigned => "bgeu",
            },
            Load { size, signed, .. } => match (size, signed) {
                (Size::Byte, true) => "lb",
                (Size::Byte, false) => "lbu",
                (Size::Half, true) => "lh",
                (Size::Half, false) => "lhu",
                (Size::Word, _) => "lw",
            },
            Store { size, .. } => match size {
                Size::Byte => "sb",
                Size::Half => "sh",
                Size::Word => "sw",
            },
            Immediate { op, .. } => op.mnemonics()[1],
            Registers { op, .. } => op.mnemonics()[0],
            Fence => "fence",
            EnvironmentCall => "ecall",
            Breakpoint => "ebreak",
            ReadCsr { .. } => "csrr",
            LoadReserved { .. } => "lr.w",
            StoreConditional { .. } => "sc.w",
            Atomic { op, .. } => match op {
                AtomicOp::Swap => "amoswap.w",
                AtomicOp::Add => "amoadd.w",
                AtomicOp::Xor => "amoxor.w",
                AtomicOp::And => "amoand.w",
                AtomicOp::Or => "amoor.w",
                AtomicOp::Min => "amomin.w",
                AtomicOp::Max => "amomax.w",
                AtomicOp::MinUnsigned => "amominu.w",
                AtomicOp::MaxUnsigned => "amomaxu.w",
            },
            Barrier => "bar.sync",
            Exit => "exit",
            Ballot { .. } => "ballot",
            Float(instruction) => instruction.mnemonic(),
            Warp(instruction) => instruction.mnemonic(),
            Illegal => ".word",
        }
    }
}

impl AluOp {
    /// Of two registers, and of a register and an immediate; what has no such form has none in the second place.
    fn mnemonics(self) -> [&'static str; 2] {
        use AluOp::*;
        match self {
            Add => ["add", "addi"],
            Sub => ["sub", ""],
            ShiftLeft => ["sll", "slli"],
            Less => ["slt", "slti"],
            LessUnsigned => ["sltu", "sltiu"],
            Xor => ["xor", "xori"],
            ShiftRight => ["srl", "srli"],
            ShiftRightArithmetic => ["sra", "srai"],
            Or => ["or", "ori"],
            And => ["and", "andi"],
            Multiply => ["mul", ""],
            MultiplyHigh => ["mulh", ""],
            MultiplyHighSignedUnsigned => ["mulhsu", ""],
            MultiplyHighUnsigned => ["mulhu", ""],
            Divide => ["div", ""],
            DivideUnsigned => ["divu", ""],
            Remainder => ["rem", ""],
            RemainderUnsigned => ["remu", ""],
        }
    }
}

/// One of each instruction that there is, as far as mnemonics tell them apart, in the order of their encodings. Warp instructions are none of them: no core of a campaign has
/// those unless it is asked for.
pub fn instructions() -> Vec<Instruction> {
    let mut found: Vec<Instruction> = vec![];
    // Registers that are not x0; none where there must be none; what has 0 or 1 in place of a register; ecall and ebreak.
    let registers = [(6, 7, 5), (6, 0, 5), (6, 1, 5), (0, 0, 5), (0, 0, 0), (0, 1, 0)];
    for (opcode, funct3) in (3..0x80).step_by(4).flat_map(|opcode| (0..8).map(move |funct3| (opcode, funct3))) {
        for (funct7, (rs1, rs2, rd)) in (0..0x80).flat_map(|funct7| registers.map(|registers| (funct7, registers))) {
            let instruction = decode(funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode);
            let is_new = || found.iter().all(|other| other.mnemonic() != instruction.mnemonic());
            if instruction != Instruction::Illegal && !instruction.needs_warp_instructions() && is_new() {
                found.push(instruction);
            }
        }
    }
    found
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
            (_, 1 | 5, _) => warp::decode(word),
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
            None => float::decode(word),
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
        0x2B => warp::decode(word),
        _ => float::decode(word),
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
    fn there_are_ninety_five_instructions() {
        let all = instructions();
        let count = |unit| all.iter().filter(|instruction| instruction.unit() == unit).count();
        let units = [Unit::Alu, Unit::Multiply, Unit::Divide, Unit::Memory, Unit::Control, Unit::Float];
        // 5 loads, 3 stores, fence, lr, sc, 9 atomics, flw, fsw; 6 branches, 2 jumps, bar.sync, exit; 4 fused, fadd, fsub, fmul, 4 conversions.
        assert_eq!((all.len(), units.map(count)), (95, [42, 4, 6, 22, 10, 11]));
        let reading: Vec<_> = all.iter().filter(|i| i.sources() == [None; 3]).map(Instruction::mnemonic).collect();
        assert_eq!(reading.join(" "), "bar.sync exit fence auipc lui jal ecall ebreak csrr csrrwi csrrsi csrrci");
        let silent: Vec<_> = all.iter().filter(|i| i.destination().is_none()).map(Instruction::mnemonic).collect();
        assert_eq!(silent.join(" "), "bar.sync exit fence sb sh sw fsw beq bne blt bge bltu bgeu ecall ebreak");
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
            (0x6010_9193, "ctz"),
            (0x4020_C1AB, "tree_traverse by 32"),
            (0x0200_912B, "custom-1, funct3 1, funct7 1"),
            (0x0000_D1AB, "custom-1, funct3 5"),
            (0x4020_C1B3, "xor with bit 30"),
            (0x0000_B183, "ld"),
        ] {
            assert_eq!(decode(word), Instruction::Illegal, "{why}");
        }
        assert_eq!(decode(0xCCF0_22F3), Instruction::ReadCsr { rd: 5, csr: Csr::Arguments });
    }
}
