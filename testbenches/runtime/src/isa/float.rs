//! RV32F: what the core has beside integers, if it has floats.
//!
//! Float registers are the registers 32 to 63 here. What an operation computes is said with the words of the float units.
pub use warploom_hdl::execute::float::operation::{FloatComparison, FloatCsr, FloatOperation, FloatRounding};

use super::{Instruction, Register, Unit};

/// The first float register.
pub const FLOAT_REGISTERS: Register = 32;

/// What happens to a bit of a CSR that is one in the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Update {
    /// All bits become those of the operand.
    Write,
    Set,
    Clear,
}

/// Second operand of a CSR instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operand {
    Register(Register),
    Immediate(u32),
}

/// One instruction. Without a `rounding`, the thread's `frm` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FloatInstruction {
    Load { rd: Register, rs1: Register, offset: i32 },
    Store { rs1: Register, rs2: Register, offset: i32 },
    Arithmetic { op: FloatOperation, rounding: Option<FloatRounding>, rd: Register, sources: [Option<Register>; 3] },
    Divide { rounding: Option<FloatRounding>, rd: Register, rs1: Register, rs2: Register },
    SquareRoot { rounding: Option<FloatRounding>, rd: Register, rs1: Register },
    Compare { op: FloatComparison, rd: Register, rs1: Register, rs2: Option<Register> },
    Status { csr: FloatCsr, update: Update, operand: Operand, rd: Register },
}

impl FloatInstruction {
    pub(super) fn destination(self) -> Option<Register> {
        match self {
            Self::Store { .. } => None,
            Self::Load { rd, .. }
            | Self::Arithmetic { rd, .. }
            | Self::Divide { rd, .. }
            | Self::SquareRoot { rd, .. }
            | Self::Compare { rd, .. }
            | Self::Status { rd, .. } => Some(rd),
        }
    }

    pub(super) fn sources(self) -> [Option<Register>; 3] {
        match self {
            Self::Load { rs1, .. } | Self::SquareRoot { rs1, .. } => [Some(rs1), None, None],
            Self::Store { rs1, rs2, .. } | Self::Divide { rs1, rs2, .. } => [Some(rs1), Some(rs2), None],
            Self::Arithmetic { sources, .. } => sources,
            Self::Compare { rs1, rs2, .. } => [Some(rs1), rs2, None],
            Self::Status { operand: Operand::Register(rs1), .. } => [Some(rs1), None, None],
            Self::Status { .. } => [None; 3],
        }
    }

    /// The thread's `frm` says how its result is rounded.
    pub fn rounds_dynamically(self) -> bool {
        match self {
            Self::Arithmetic { rounding, .. } | Self::Divide { rounding, .. } | Self::SquareRoot { rounding, .. } => {
                rounding.is_none()
            }
            _ => false,
        }
    }

    pub(super) fn unit(self) -> Unit {
        match self {
            Self::Load { .. } | Self::Store { .. } => Unit::Memory,
            Self::Arithmetic { .. } => Unit::Float,
            Self::Divide { .. } | Self::SquareRoot { .. } => Unit::Divide,
            Self::Compare { .. } | Self::Status { .. } => Unit::Alu,
        }
    }

    pub(super) fn mnemonic(self) -> &'static str {
        match self {
            Self::Load { .. } => "flw",
            Self::Store { .. } => "fsw",
            Self::Arithmetic { op, .. } => match op {
                FloatOperation::MultiplyAdd => "fmadd.s",
                FloatOperation::MultiplySubtract => "fmsub.s",
                FloatOperation::NegatedMultiplySubtract => "fnmsub.s",
                FloatOperation::NegatedMultiplyAdd => "fnmadd.s",
                FloatOperation::Add => "fadd.s",
                FloatOperation::Subtract => "fsub.s",
                FloatOperation::Multiply => "fmul.s",
                FloatOperation::FromInteger => "fcvt.s.w",
                FloatOperation::FromUnsigned => "fcvt.s.wu",
                FloatOperation::ToInteger => "fcvt.w.s",
                FloatOperation::ToUnsigned => "fcvt.wu.s",
            },
            Self::Divide { .. } => "fdiv.s",
            Self::SquareRoot { .. } => "fsqrt.s",
            Self::Compare { op, rd, .. } => match op {
                FloatComparison::Equal => "feq.s",
                FloatComparison::Less => "flt.s",
                FloatComparison::LessOrEqual => "fle.s",
                FloatComparison::Minimum => "fmin.s",
                FloatComparison::Maximum => "fmax.s",
                FloatComparison::Classify => "fclass.s",
                FloatComparison::CopySign => "fsgnj.s",
                FloatComparison::CopyInvertedSign => "fsgnjn.s",
                FloatComparison::MultiplySigns => "fsgnjx.s",
                FloatComparison::Move if rd < FLOAT_REGISTERS => "fmv.x.w",
                FloatComparison::Move => "fmv.w.x",
            },
            Self::Status { update, operand, .. } => match (update, operand) {
                (Update::Write, Operand::Register(_)) => "csrrw",
                (Update::Set, Operand::Register(_)) => "csrrs",
                (Update::Clear, Operand::Register(_)) => "csrrc",
                (Update::Write, Operand::Immediate(_)) => "csrrwi",
                (Update::Set, Operand::Immediate(_)) => "csrrsi",
                (Update::Clear, Operand::Immediate(_)) => "csrrci",
            },
        }
    }
}

/// Decodes a word that is no instruction of a core without floats.
pub(super) fn decode(word: u32) -> Instruction {
    let [rd, rs1, rs2, rs3] = [7, 15, 20, 27].map(|place| (word >> place & 31) as Register);
    let float = |register: Register| FLOAT_REGISTERS + register;
    let (funct3, funct7) = (word >> 12 & 7, word >> 25);
    let rounding = match funct3 {
        0 => Some(Some(FloatRounding::NearestEven)),
        1 => Some(Some(FloatRounding::TowardsZero)),
        2 => Some(Some(FloatRounding::Down)),
        3 => Some(Some(FloatRounding::Up)),
        4 => Some(Some(FloatRounding::NearestAway)),
        7 => Some(None),
        _ => None,
    };
    let arithmetic = |op, rd, sources| Some(FloatInstruction::Arithmetic { op, rounding: rounding?, rd, sources });
    let two = [Some(float(rs1)), Some(float(rs2)), None];
    let compare = |op| Some(FloatInstruction::Compare { op, rd: float(rd), rs1: float(rs1), rs2: Some(float(rs2)) });
    let found = match (word & 0x7f, funct7) {
        (0x07, _) if funct3 == 2 => Some(FloatInstruction::Load { rd: float(rd), rs1, offset: word as i32 >> 20 }),
        (0x27, _) if funct3 == 2 => {
            let offset = (word as i32 >> 25 << 5) | i32::from(rd);
            Some(FloatInstruction::Store { rs1, rs2: float(rs2), offset })
        }
        (0x43 | 0x47 | 0x4b | 0x4f, _) if funct7 & 3 == 0 => {
            let operations = [
                FloatOperation::MultiplyAdd,
                FloatOperation::MultiplySubtract,
                FloatOperation::NegatedMultiplySubtract,
                FloatOperation::NegatedMultiplyAdd,
            ];
            arithmetic(operations[word as usize >> 2 & 3], float(rd), [rs1, rs2, rs3].map(|rs| Some(float(rs))))
        }
        (0x53, 0x00) => arithmetic(FloatOperation::Add, float(rd), two),
        (0x53, 0x04) => arithmetic(FloatOperation::Subtract, float(rd), two),
        (0x53, 0x08) => arithmetic(FloatOperation::Multiply, float(rd), two),
        (0x53, 0x0c) => rounding.map(|rounding| FloatInstruction::Divide {
            rounding,
            rd: float(rd),
            rs1: float(rs1),
            rs2: float(rs2),
        }),
        (0x53, 0x2c) if rs2 == 0 => {
            rounding.map(|rounding| FloatInstruction::SquareRoot { rounding, rd: float(rd), rs1: float(rs1) })
        }
        (0x53, 0x10) => match funct3 {
            0 => compare(FloatComparison::CopySign),
            1 => compare(FloatComparison::CopyInvertedSign),
            2 => compare(FloatComparison::MultiplySigns),
            _ => None,
        },
        (0x53, 0x14) => match funct3 {
            0 => compare(FloatComparison::Minimum),
            1 => compare(FloatComparison::Maximum),
            _ => None,
        },
        (0x53, 0x50) => {
            let op = [FloatComparison::LessOrEqual, FloatComparison::Less, FloatComparison::Equal];
            let op = op.get(funct3 as usize).copied();
            op.map(|op| FloatInstruction::Compare { op, rd, rs1: float(rs1), rs2: Some(float(rs2)) })
        }
        (0x53, 0x60) if rs2 == 0 => arithmetic(FloatOperation::ToInteger, rd, [Some(float(rs1)), None, None]),
        (0x53, 0x60) if rs2 == 1 => arithmetic(FloatOperation::ToUnsigned, rd, [Some(float(rs1)), None, None]),
        (0x53, 0x68) if rs2 == 0 => arithmetic(FloatOperation::FromInteger, float(rd), [Some(rs1), None, None]),
        (0x53, 0x68) if rs2 == 1 => arithmetic(FloatOperation::FromUnsigned, float(rd), [Some(rs1), None, None]),
        (0x53, 0x70) if rs2 == 0 && funct3 < 2 => {
            let op = [FloatComparison::Move, FloatComparison::Classify][funct3 as usize];
            Some(FloatInstruction::Compare { op, rd, rs1: float(rs1), rs2: None })
        }
        (0x53, 0x78) if rs2 == 0 && funct3 == 0 => {
            Some(FloatInstruction::Compare { op: FloatComparison::Move, rd: float(rd), rs1, rs2: None })
        }
        (0x73, _) => status(word),
        _ => None,
    };
    found.map_or(Instruction::Illegal, Instruction::Float)
}

/// `csrrw` and its kin of `fflags`, `frm` or `fcsr`.
fn status(word: u32) -> Option<FloatInstruction> {
    let csr = match word >> 20 {
        1 => FloatCsr::Flags,
        2 => FloatCsr::Rounding,
        3 => FloatCsr::Both,
        _ => return None,
    };
    let update = match word >> 12 & 3 {
        1 => Update::Write,
        2 => Update::Set,
        3 => Update::Clear,
        _ => return None,
    };
    let rs1 = word >> 15 & 31;
    let operand = if word >> 14 & 1 == 0 { Operand::Register(rs1 as Register) } else { Operand::Immediate(rs1) };
    Some(FloatInstruction::Status { csr, update, operand, rd: (word >> 7 & 31) as Register })
}
