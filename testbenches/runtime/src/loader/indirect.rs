//! Where indirect jumps lead: constants and jump tables, as far as [`Constants`] tells.
//!
//! If it does not tell, a jump is taken to lead to every label whose address its function takes or a variable holds: that
//! is a guess, and is said. If there is none, nobody knows.
use std::collections::{BTreeMap, BTreeSet};

use super::constants::{Constants, Known};
use super::control_flow::{Context, Walk, is_return, upper_before};
use super::{LoadError, Program};
use crate::isa::{AluOp, Instruction, Register, decode};

/// Where an indirect jump or call leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Back to the caller of the function.
    Return,
    /// To one of these.
    To(BTreeSet<u32>),
    /// Perhaps to one of these.
    Guess(BTreeSet<u32>),
}

impl Found {
    fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Return, Self::Return) => Self::Return,
            (Self::To(one), Self::To(other)) => Self::To(one | other),
            (one, other) => Self::Guess(&one.targets() | &other.targets()),
        }
    }

    /// Those of its certain targets that are no instructions.
    pub fn outside(&self, program: &Program) -> Vec<u32> {
        match self {
            Self::To(targets) => targets.iter().copied().filter(|&target| program.word(target).is_none()).collect(),
            _ => vec![],
        }
    }

    fn targets(&self) -> BTreeSet<u32> {
        match self {
            Self::Return => BTreeSet::new(),
            Self::To(targets) | Self::Guess(targets) => targets.clone(),
        }
    }
}

/// What is found out about the indirect jumps of a function with these instructions, besides what was found before.
pub(super) fn resolve(
    program: &Program,
    context: &Context,
    walk: &Walk,
    before: &BTreeMap<u32, Found>,
) -> Result<BTreeMap<u32, Found>, LoadError> {
    let mut found = before.clone();
    let questions: Vec<_> = walk.graph.nodes().filter_map(|pc| question(program, walk, pc)).collect();
    if questions.is_empty() {
        return Ok(found);
    }
    let constants = Constants::of(program, context, walk.start, &walk.graph, |pc| walk.is_call(pc))?;
    for (pc, rd, rs1, offset) in questions {
        let is_target = |target: &u32| program.word(*target).is_some();
        let now = match constants.register(pc, rs1) {
            Known::Entry(link) if rd == 0 && offset == 0 && context.links >> link & 1 == 1 => Some(Found::Return),
            Known::Values { values, certain } => {
                let targets: BTreeSet<u32> =
                    values.iter().map(|value| value.wrapping_add_signed(offset) & !1).collect();
                // A table that was read too far, for want of a better bound, has others than it is used for.
                let all = targets.len() == 1 || targets.iter().all(is_target);
                Some(if *certain && all {
                    Found::To(targets)
                } else {
                    Found::Guess(targets.into_iter().filter(is_target).collect())
                })
            }
            // A call of anything, or a return with a register that other instructions write, too.
            _ if rd != 0 || is_return(rs1, offset) => found.get(&pc).map(|_| Found::Guess(BTreeSet::new())),
            _ => Some(Found::Guess(taken(program, context, walk))),
        };
        if let Some(now) = now {
            let joined = found.get(&pc).map_or(now.clone(), |before| before.or(&now));
            found.insert(pc, joined);
        }
    }
    Ok(found)
}

/// The registers and the offset of an indirect jump or call whose targets are worth looking for.
fn question(program: &Program, walk: &Walk, pc: u32) -> Option<(u32, Register, Register, i32)> {
    let Instruction::JumpAndLinkRegister { rd, rs1, offset } = decode(program.word(pc)?) else { return None };
    let computes = |pc: u32| match decode(program.word(pc).unwrap_or(0)) {
        Instruction::LoadUpper { rd, .. }
        | Instruction::AddUpperToPc { rd, .. }
        | Instruction::Immediate { rd, .. }
        | Instruction::Registers { rd, .. } => rd == rs1,
        _ => false,
    };
    let is_plain_return = rd == 0 && is_return(rs1, offset) && !walk.graph.nodes().any(computes);
    (!is_plain_return && upper_before(program, pc, rs1).is_none()).then_some((pc, rd, rs1, offset))
}

/// The labels of a function whose addresses it takes, or that lie in variables.
fn taken(program: &Program, context: &Context, walk: &Walk) -> BTreeSet<u32> {
    let end = context.functions.iter().copied().filter(|&other| other > walk.start).min().unwrap_or(u32::MAX);
    let here = |address: &u32| (walk.start + 1..end).contains(address) && program.word(*address).is_some();
    let in_code = walk.graph.nodes().filter_map(|pc| address_of(program, pc));
    let words = program.data.iter().flat_map(|segment| segment.bytes.chunks_exact(4));
    let in_data = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let is_label = |address: &u32| program.symbols.contains_key(address);
    in_code.chain(in_data.filter(is_label)).chain(context.pointers.iter().copied()).filter(here).collect()
}

/// What `la` computes, whose first instruction is at `pc`.
fn address_of(program: &Program, pc: u32) -> Option<u32> {
    let (upper, base) = match decode(program.word(pc)?) {
        Instruction::AddUpperToPc { rd, value } => (rd, pc.wrapping_add(value)),
        Instruction::LoadUpper { rd, value } => (rd, value),
        _ => return None,
    };
    match decode(program.word(pc.checked_add(4)?)?) {
        Instruction::Immediate { op: AluOp::Add, rs1, value, .. } if rs1 == upper => Some(base.wrapping_add(value)),
        _ => None,
    }
}
