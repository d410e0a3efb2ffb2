//! A program as a listing: instructions, basic blocks, and what the hardware is told about every branch.
use serde::Serialize;

use crate::isa::{Instruction, decode};
use crate::loader::{Annotation, LoadError, Program, signature};

mod assembly;

/// An instruction of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its address.
    pub address: u32,
    /// The instruction word.
    pub word: u32,
    /// Mnemonic and operands.
    pub assembly: String,
    /// The function or label that starts here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether a basic block starts here, or a label is.
    pub leader: bool,
    /// Where it jumps, branches or calls to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<u32>,
    /// What the hardware is told, if it is a conditional branch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<ListedBranch>,
    /// It goes back to the head of a loop whose threads may wait there for others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub spin: bool,
    /// Where it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// A conditional branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ListedBranch {
    /// Where its sides meet (reconvergence PC); none if they meet only when their threads end.
    pub rpc: Option<u32>,
    /// Where they are likely to meet before (likely-convergence PC).
    pub lpc: Option<u32>,
    /// All threads of a CTA that come to it together go the same way.
    pub uniform: bool,
    /// Rhu 2014, 4.3: `P`, programmatic, or `D`, data-dependent.
    pub class: char,
    /// Instructions of the block at `rpc`, if a warp may be divided here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meeting_block: Option<u32>,
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Name of the file, as the compiler was given it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
}

/// All instructions of an ELF file, in order; of a file with several kernels, with what holds for `kernel`, or for
/// all of them.
pub fn listing(name: &str, elf: &[u8], kernel: Option<&str>) -> Result<Vec<Listed>, LoadError> {
    let kernels: Vec<String> = match kernel {
        Some(kernel) => vec![kernel.into()],
        None => signature::kernels(elf).into_iter().map(|kernel| kernel.name).collect(),
    };
    let mut programs: Vec<Program> =
        kernels.iter().map(|kernel| Program::from_elf_kernel(name, elf, kernel)).collect::<Result<_, _>>()?;
    if programs.is_empty() {
        programs.push(Program::from_elf(name, elf)?);
    }
    let program = &programs[0];
    let annotation = |index: usize| programs.iter().map(|program| program.annotation(index)).reduce(both);
    let list = |(index, &word): (usize, &u32)| {
        let (address, instruction) = (4 * index as u32, decode(word));
        let is_branch = matches!(instruction, Instruction::Branch { .. });
        Listed {
            address,
            word,
            assembly: assembly::assembly(&instruction, word, address),
            label: program.symbols.get(&address).cloned(),
            leader: program.symbols.contains_key(&address)
                || programs.iter().any(|program| program.blocks.binary_search(&address).is_ok()),
            target: program.target(address),
            branch: annotation(index).filter(|_| is_branch).map(branch),
            spin: annotation(index).is_some_and(|annotation| annotation.spin),
            source: program.lines.line(address).map(|(file, line)| Source { file: file.into(), line }),
        }
    };
    Ok(program.words.iter().enumerate().map(list).collect())
}

/// Mnemonic and operands of the instruction `word` at `pc`.
pub fn instruction(word: u32, pc: u32) -> String {
    assembly::assembly(&decode(word), word, pc)
}

fn branch(annotation: Annotation) -> ListedBranch {
    let Annotation { rpc, lpc, uniform, data_dependent, meeting_block, .. } = annotation;
    ListedBranch { rpc, lpc, uniform, class: if data_dependent { 'D' } else { 'P' }, meeting_block }
}

/// What holds in both programs; one in which the branch is not reached says nothing.
fn both(one: Annotation, other: Annotation) -> Annotation {
    let says_nothing = |annotation| Annotation { join: false, ..annotation } == Annotation::default();
    if says_nothing(one) || says_nothing(other) {
        return if says_nothing(one) { other } else { one };
    }
    Annotation {
        rpc: one.rpc,
        lpc: one.lpc.filter(|_| one.lpc == other.lpc),
        uniform: one.uniform && other.uniform,
        data_dependent: one.data_dependent || other.data_dependent,
        meeting_block: one.meeting_block.filter(|_| one.meeting_block == other.meeting_block),
        spin: one.spin || other.spin,
        join: one.join || other.join,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: u32) -> String {
        assembly::assembly(&decode(word), word, 0x100)
    }

    /// Where the disassembler has no abbreviation, it and [`Instruction::mnemonic`] agree.
    #[test]
    fn mnemonics() {
        for word in (3..0x80).step_by(4).flat_map(|opcode| (0..0x400).map(move |functs| (opcode, functs))) {
            let (opcode, functs) = word;
            let (funct7, funct3) = (functs >> 3, functs & 7);
            // lr.w, and what reads a CSR, have none of these registers; x5 and x0 else stand for something.
            for (rs1, rs2) in [(6, 7), (6, 0), (0, 0)] {
                let word = funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | 8 << 7 | opcode;
                let plain = match decode(word) {
                    Instruction::LoadReserved { .. } | Instruction::ReadCsr { .. } => true,
                    Instruction::Illegal => false,
                    // fence.i is a fence to this core.
                    Instruction::Fence => funct3 == 0,
                    _ => (rs1, rs2) == (6, 7),
                };
                if plain {
                    let text = text(word);
                    assert_eq!(text.split(' ').next(), Some(decode(word).mnemonic()), "{word:#010x}: {text}");
                }
            }
        }
    }

    #[test]
    fn notation() {
        for (word, expected) in [
            (0x0000_0013, "nop"),
            (0xFFF0_0513, "li       a0, -1"),
            (0x0005_8513, "mv       a0, a1"),
            (0x0015_B513, "seqz     a0, a1"),
            (0x0025_B513, "sltiu    a0, a1, 2"),
            (0x4030_5513, "srai     a0, zero, 0x3"),
            (0x40B0_0533, "neg      a0, a1"),
            (0x0000_8067, "ret"),
            (0x0100_006F, "j        0x110"),
            (0xFE05_0EE3, "beqz     a0, 0xfc"),
            (0x00A0_4463, "bgtz     a0, 0x108"),
            (0x00B5_7463, "bgeu     a0, a1, 0x108"),
            (0xCC00_2573, "csrr     a0, tid.x"),
            (0xFFC1_2503, "lw       a0, -4(sp)"),
            (0x00A1_2023, "sw       a0, 0(sp)"),
            (0x00B5_252F, "amoadd.w a0, a1, (a0)"),
            (0x0000_000B, "bar.sync"),
            (0x0000_100B, "exit"),
            (0xFFFF_FFFF, ".word    0xffffffff"),
        ] {
            assert_eq!(text(word), expected);
        }
    }
}
