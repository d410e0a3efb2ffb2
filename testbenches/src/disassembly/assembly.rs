//! One instruction in assembler's notation, with the usual short forms.
use crate::isa::{AluOp, AtomicOp, Condition, Csr, Instruction, Register, Size};

/// Names of the registers in the calling convention.
const REGISTERS: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

fn name(register: Register) -> &'static str {
    REGISTERS[usize::from(register)]
}

/// Where the instruction at `pc` jumps or branches to, if that is in the instruction itself.
pub(super) fn target(instruction: &Instruction, pc: u32) -> Option<u32> {
    match *instruction {
        Instruction::Branch { offset, .. } | Instruction::JumpAndLink { offset, .. } => {
            Some(pc.wrapping_add_signed(offset))
        }
        _ => None,
    }
}

/// Mnemonic and operands of the instruction at `pc`.
pub(super) fn assembly(instruction: &Instruction, word: u32, pc: u32) -> String {
    use Instruction::*;
    let to = || format!("{:#x}", target(instruction, pc).unwrap_or(0));
    let (mnemonic, operands): (&str, Vec<String>) = match *instruction {
        LoadUpper { rd, value } => ("lui", vec![name(rd).into(), format!("{:#x}", value >> 12)]),
        AddUpperToPc { rd, value } => ("auipc", vec![name(rd).into(), format!("{:#x}", value >> 12)]),
        JumpAndLink { rd: 0, .. } => ("j", vec![to()]),
        JumpAndLink { rd: 1, .. } => ("jal", vec![to()]),
        JumpAndLink { rd, .. } => ("jal", vec![name(rd).into(), to()]),
        JumpAndLinkRegister { rd: 0, rs1: 1, offset: 0 } => ("ret", vec![]),
        JumpAndLinkRegister { rd: 0, rs1, offset } => ("jr", vec![memory(rs1, offset)]),
        JumpAndLinkRegister { rd: 1, rs1, offset } => ("jalr", vec![memory(rs1, offset)]),
        JumpAndLinkRegister { rd, rs1, offset } => ("jalr", vec![name(rd).into(), memory(rs1, offset)]),
        Branch { condition, rs1, rs2, .. } => branch(condition, rs1, rs2, to()),
        Load { size, signed, rd, rs1, offset } => {
            let mnemonic = match (size, signed) {
                (Size::Byte, true) => "lb",
                (Size::Byte, false) => "lbu",
                (Size::Half, true) => "lh",
                (Size::Half, false) => "lhu",
                (Size::Word, _) => "lw",
            };
            (mnemonic, vec![name(rd).into(), memory(rs1, offset)])
        }
        Store { size, rs1, rs2, offset } => {
            let mnemonic = match size {
                Size::Byte => "sb",
                Size::Half => "sh",
                Size::Word => "sw",
            };
            (mnemonic, vec![name(rs2).into(), memory(rs1, offset)])
        }
        Immediate { op: AluOp::Add, rd: 0, rs1: 0, value: 0 } => ("nop", vec![]),
        Immediate { op: AluOp::Add, rd, rs1: 0, value } => ("li", vec![name(rd).into(), signed(value)]),
        Immediate { op: AluOp::Add, rd, rs1, value: 0 } => ("mv", vec![name(rd).into(), name(rs1).into()]),
        Immediate { op: AluOp::Xor, rd, rs1, value: u32::MAX } => ("not", vec![name(rd).into(), name(rs1).into()]),
        Immediate { op: AluOp::LessUnsigned, rd, rs1, value: 1 } => ("seqz", vec![name(rd).into(), name(rs1).into()]),
        Immediate { op, rd, rs1, value } => {
            let register = arithmetic(op);
            // sltiu has its u behind the i.
            let mnemonic = if op == AluOp::LessUnsigned { "sltiu".into() } else { format!("{register}i") };
            return join(&mnemonic, &[name(rd).into(), name(rs1).into(), signed(value)]);
        }
        Registers { op: AluOp::Sub, rd, rs1: 0, rs2 } => ("neg", vec![name(rd).into(), name(rs2).into()]),
        Registers { op: AluOp::LessUnsigned, rd, rs1: 0, rs2 } => ("snez", vec![name(rd).into(), name(rs2).into()]),
        Registers { op, rd, rs1, rs2 } => (arithmetic(op), vec![name(rd).into(), name(rs1).into(), name(rs2).into()]),
        Fence => ("fence", vec![]),
        EnvironmentCall => ("ecall", vec![]),
        Breakpoint => ("ebreak", vec![]),
        ReadCsr { rd, csr } => ("csrr", vec![name(rd).into(), register_of(csr)]),
        LoadReserved { rd, rs1 } => ("lr.w", vec![name(rd).into(), format!("({})", name(rs1))]),
        StoreConditional { rd, rs1, rs2 } => {
            ("sc.w", vec![name(rd).into(), name(rs2).into(), format!("({})", name(rs1))])
        }
        Atomic { op, rd, rs1, rs2 } => {
            (atomic(op), vec![name(rd).into(), name(rs2).into(), format!("({})", name(rs1))])
        }
        Barrier => ("bar.sync", vec![]),
        Exit => ("exit", vec![]),
        Ballot { rd, rs1 } => ("ballot", vec![name(rd).into(), name(rs1).into()]),
        Illegal => (".word", vec![format!("{word:#010x}")]),
    };
    join(mnemonic, &operands)
}

fn join(mnemonic: &str, operands: &[String]) -> String {
    format!("{mnemonic:<8} {}", operands.join(", ")).trim_end().to_string()
}

fn memory(base: Register, offset: i32) -> String {
    format!("{offset}({})", name(base))
}

fn signed(value: u32) -> String {
    (value as i32).to_string()
}

fn branch(condition: Condition, rs1: Register, rs2: Register, to: String) -> (&'static str, Vec<String>) {
    let with_zero = match condition {
        Condition::Equal => Some("beqz"),
        Condition::NotEqual => Some("bnez"),
        Condition::Less => Some("bltz"),
        Condition::GreaterEqual => Some("bgez"),
        Condition::LessUnsigned | Condition::GreaterEqualUnsigned => None,
    };
    match (condition, with_zero) {
        (Condition::Less, _) if rs1 == 0 => ("bgtz", vec![name(rs2).into(), to]),
        (Condition::GreaterEqual, _) if rs1 == 0 => ("blez", vec![name(rs2).into(), to]),
        (_, Some(mnemonic)) if rs2 == 0 => (mnemonic, vec![name(rs1).into(), to]),
        _ => {
            let mnemonic = match condition {
                Condition::Equal => "beq",
                Condition::NotEqual => "bne",
                Condition::Less => "blt",
                Condition::GreaterEqual => "bge",
                Condition::LessUnsigned => "bltu",
                Condition::GreaterEqualUnsigned => "bgeu",
            };
            (mnemonic, vec![name(rs1).into(), name(rs2).into(), to])
        }
    }
}

fn arithmetic(op: AluOp) -> &'static str {
    match op {
        AluOp::Add => "add",
        AluOp::Sub => "sub",
        AluOp::ShiftLeft => "sll",
        AluOp::Less => "slt",
        AluOp::LessUnsigned => "sltu",
        AluOp::Xor => "xor",
        AluOp::ShiftRight => "srl",
        AluOp::ShiftRightArithmetic => "sra",
        AluOp::Or => "or",
        AluOp::And => "and",
        AluOp::Multiply => "mul",
        AluOp::MultiplyHigh => "mulh",
        AluOp::MultiplyHighSignedUnsigned => "mulhsu",
        AluOp::MultiplyHighUnsigned => "mulhu",
        AluOp::Divide => "div",
        AluOp::DivideUnsigned => "divu",
        AluOp::Remainder => "rem",
        AluOp::RemainderUnsigned => "remu",
    }
}

fn atomic(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Swap => "amoswap.w",
        AtomicOp::Add => "amoadd.w",
        AtomicOp::Xor => "amoxor.w",
        AtomicOp::And => "amoand.w",
        AtomicOp::Or => "amoor.w",
        AtomicOp::Min => "amomin.w",
        AtomicOp::Max => "amomax.w",
        AtomicOp::MinUnsigned => "amominu.w",
        AtomicOp::MaxUnsigned => "amomaxu.w",
    }
}

/// As in `warploom.h`.
fn register_of(csr: Csr) -> String {
    let axis = |index: usize| ["x", "y", "z"][index];
    match csr {
        Csr::Tid(index) => format!("tid.{}", axis(index)),
        Csr::Ctaid(index) => format!("ctaid.{}", axis(index)),
        Csr::Ntid(index) => format!("ntid.{}", axis(index)),
        Csr::Nctaid(index) => format!("nctaid.{}", axis(index)),
        Csr::Lane => "lane".into(),
        Csr::Warp => "warp".into(),
        Csr::Core => "core".into(),
        Csr::Arguments => "arguments".into(),
    }
}
