//! One instruction in assembler's notation: as objdump has it, but for what only this core has.
use disc_v::{Isa, decode};

use crate::isa::{Csr, Instruction, Register, WarpInstruction};

/// Names of the registers in the calling convention.
const REGISTERS: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

/// Mnemonic and operands of the instruction at `pc`.
pub(super) fn assembly(instruction: &Instruction, word: u32, pc: u32) -> String {
    let usual = decode(Isa::Rv32, pc.into(), word.into());
    let operands = usual.operands().to_string().replace(',', ", ");
    let register = |number: Register| REGISTERS[usize::from(number)];
    let (mnemonic, operands) = match *instruction {
        Instruction::ReadCsr { rd, csr } => ("csrr", format!("{}, {}", register(rd), name(csr))),
        Instruction::Barrier => ("bar.sync", String::new()),
        Instruction::Exit => ("exit", String::new()),
        Instruction::Ballot { rd, rs1 } => ("ballot", format!("{}, {}", register(rd), register(rs1))),
        Instruction::Warp(warp) => {
            let operands = match warp {
                WarpInstruction::Population { rd, rs1 } => format!("{}, {}", register(rd), register(rs1)),
                WarpInstruction::Accumulate { rd, rs1, rs2, .. } => {
                    format!("{}, {}, {}", register(rd), register(rs1), register(rs2))
                }
                WarpInstruction::Traverse { rd, rs1, rs2, shift } => {
                    format!("{}, {}, {}, {shift}", register(rd), register(rs1), register(rs2))
                }
            };
            (instruction.mnemonic(), operands)
        }
        Instruction::Illegal => (".word", format!("{word:#010x}")),
        _ => (usual.mnemonic(), operands),
    };
    format!("{mnemonic:<8} {operands}").trim_end().to_string()
}

/// As in `warploom.h`.
fn name(csr: Csr) -> String {
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
