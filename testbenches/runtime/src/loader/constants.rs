//! Values of registers that are the same in every run, as far as one function tells: addresses of labels, and what is
//! read from tables.
//!
//! One forward data flow over the instructions of a function. A register holds one of a few [`Known::Values`], or still what
//! it held when the function was called, or anything. A branch that compares an unknown register with a constant bounds it from
//! above, which is how an index into a jump table comes to be known. A call leaves nothing known.
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use petgraph::graphmap::DiGraphMap;
use warploom_sim::tool::{self, Interrupted};

use super::control_flow::Context;
use super::{DataSegment, Program};
use crate::isa::{AluOp, Condition, Instruction, Register, Size, decode};

/// What is known of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// What this register held when the function was called.
    Entry(Register),
    /// One of these, in order. Not `certain` if they were read where a program may write.
    Values { values: Rc<[u32]>, certain: bool },
    /// Nothing.
    Anything,
}

impl Known {
    fn one(value: u32) -> Self {
        Self::Values { values: [value].into(), certain: true }
    }

    fn set(values: BTreeSet<u32>, certain: bool) -> Self {
        if values.len() > MOST_VALUES {
            Self::Anything
        } else {
            Self::Values { values: values.into_iter().collect(), certain }
        }
    }

    /// The only value that it can have.
    pub fn single(&self) -> Option<u32> {
        match self {
            Self::Values { values, certain: true } if values.len() == 1 => Some(values[0]),
            _ => None,
        }
    }

    /// One or the other. Sets grow only so far here: loops would count in them.
    fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one.clone(),
            (Self::Values { values: a, certain: c }, Self::Values { values: b, certain: d }) => {
                let union: BTreeSet<u32> = a.iter().chain(b.iter()).copied().collect();
                if union.len() > MOST_JOINED { Self::Anything } else { Self::set(union, *c && *d) }
            }
            _ => Self::Anything,
        }
    }

    /// Computed from each.
    fn map(&self, f: impl Fn(u32) -> Option<u32>) -> Self {
        let Self::Values { values, certain } = self else { return Self::Anything };
        let mapped: Option<BTreeSet<u32>> = values.iter().map(|&value| f(value)).collect();
        mapped.map_or(Self::Anything, |values| Self::set(values, *certain))
    }

    /// Computed from both.
    fn with(&self, other: &Self, f: impl Fn(u32, u32) -> u32) -> Self {
        match (self, other) {
            (Self::Values { values: a, certain: c }, Self::Values { values: b, certain: d })
                if a.len() * b.len() <= MOST_VALUES =>
            {
                Self::set(
                    a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b))).map(|(a, b)| f(a, b)).collect(),
                    *c && *d,
                )
            }
            _ => Self::Anything,
        }
    }
}

/// Entries of the largest jump table.
const MOST_VALUES: usize = 1024;
/// Values of a register from different ways to an instruction.
const MOST_JOINED: usize = 64;

type State = Vec<Known>;

/// What is known before every instruction of a function that is reached.
pub(super) struct Constants {
    before: BTreeMap<u32, State>,
}

impl Constants {
    /// Of the function that starts at `start` and has these instructions; `calls` come back with other values.
    pub fn of(
        program: &Program,
        context: &Context,
        start: u32,
        graph: &DiGraphMap<u32, ()>,
        calls: impl Fn(u32) -> bool,
    ) -> Result<Self, Interrupted> {
        let mut state: State = (0..32).map(Known::Entry).collect();
        state[0] = Known::one(0);
        let mut constants = Self { before: BTreeMap::from([(start, state)]) };
        let mut pending = BTreeSet::from([start]);
        while let Some(pc) = pending.pop_first() {
            tool::go_on()?;
            let mut state = constants.before[&pc].clone();
            if calls(pc) {
                state[1..].fill(Known::Anything);
            } else {
                execute(program, context, pc, &mut state);
            }
            for next in graph.neighbors(pc) {
                let bounded = bounded(program, pc, next, &state);
                if constants.join(next, bounded.as_ref().unwrap_or(&state)) {
                    pending.insert(next);
                }
            }
        }
        Ok(constants)
    }

    /// Before the instruction at `pc`.
    pub fn register(&self, pc: u32, register: Register) -> &Known {
        self.before.get(&pc).and_then(|state| state.get(usize::from(register))).unwrap_or(&Known::Anything)
    }

    fn join(&mut self, pc: u32, state: &State) -> bool {
        let joined = match self.before.get(&pc) {
            Some(there) => there.iter().zip(state).map(|(one, other)| one.or(other)).collect(),
            None => state.clone(),
        };
        self.before.insert(pc, joined.clone()) != Some(joined)
    }
}

fn execute(program: &Program, context: &Context, pc: u32, state: &mut State) {
    let instruction = decode(program.word(pc).unwrap_or(0));
    let of = |register: Register| &state[usize::from(register)];
    let result = match instruction {
        Instruction::LoadUpper { value, .. } => Known::one(value),
        Instruction::AddUpperToPc { value, .. } => Known::one(pc.wrapping_add(value)),
        Instruction::JumpAndLink { .. } | Instruction::JumpAndLinkRegister { .. } => Known::one(pc.wrapping_add(4)),
        Instruction::Immediate { op: AluOp::Add, rs1, value: 0, .. } => of(rs1).clone(),
        Instruction::Immediate { op, rs1, value, .. } => match (op, of(rs1)) {
            // An unknown number that is cut down to an index.
            (AluOp::And, known) if !matches!(known, Known::Values { .. }) => below(value.wrapping_add(1))
                .filter(|_| value.wrapping_add(1).is_power_of_two())
                .unwrap_or(Known::Anything),
            (op, known) => known.map(|known| compute(op, known, value)),
        },
        Instruction::Registers { op, rs1, rs2, .. } if compute(op, 0, 0).is_some() => {
            of(rs1).with(of(rs2), |a, b| compute(op, a, b).unwrap_or_default())
        }
        Instruction::Load { size, signed, rs1, offset, .. } => {
            let address = of(rs1).map(|base| Some(base.wrapping_add_signed(offset)));
            load(program, context, &address, size, signed)
        }
        _ => Known::Anything,
    };
    if let Some(rd) = instruction.destination().filter(|&rd| rd < 32) {
        state[usize::from(rd)] = result;
    }
}

fn compute(op: AluOp, a: u32, b: u32) -> Option<u32> {
    Some(match op {
        AluOp::Add => a.wrapping_add(b),
        AluOp::Sub => a.wrapping_sub(b),
        AluOp::And => a & b,
        AluOp::Or => a | b,
        AluOp::Xor => a ^ b,
        AluOp::ShiftLeft => a.wrapping_shl(b),
        AluOp::ShiftRight => a.wrapping_shr(b),
        AluOp::ShiftRightArithmetic => (a as i32).wrapping_shr(b) as u32,
        _ => return None,
    })
}

/// What lies at these addresses when the program starts.
fn load(program: &Program, context: &Context, address: &Known, size: Size, signed: bool) -> Known {
    let bytes = size as usize;
    let read = |address: u32| {
        let holds = |segment: &&DataSegment| {
            address.checked_sub(segment.address).is_some_and(|at| at as usize + bytes <= segment.bytes.len())
        };
        let segment = program.data.iter().find(holds)?;
        let at = (address - segment.address) as usize;
        let value = segment.bytes[at..at + bytes].iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        let unused = 32 - 8 * bytes as u32;
        Some(if signed { ((value << unused) as i32 >> unused) as u32 } else { value })
    };
    let Known::Values { values, .. } = address else { return Known::Anything };
    let read_only = values.iter().all(|address| context.read_only.iter().any(|range| range.contains(address)));
    match address.map(read) {
        Known::Values { values, certain } => Known::Values { values, certain: certain && read_only },
        known => known,
    }
}

/// 0, 1, ... before `bound`.
fn below(bound: u32) -> Option<Known> {
    (1..=MOST_VALUES as u32).contains(&bound).then(|| Known::set((0..bound).collect(), true))
}

/// The state on the way from a branch to one of its sides, if the branch bounds a register from above there.
fn bounded(program: &Program, pc: u32, next: u32, state: &State) -> Option<State> {
    let Instruction::Branch { condition, rs1, rs2, offset } = decode(program.word(pc)?) else { return None };
    let target = pc.wrapping_add_signed(offset);
    // Both sides lead to one place, or it is signed or for equality.
    if target == pc + 4 {
        return None;
    }
    let less = match (condition, next == target) {
        (Condition::LessUnsigned, taken) => taken,
        (Condition::GreaterEqualUnsigned, taken) => !taken,
        _ => return None,
    };
    // rs1 < rs2, or rs2 <= rs1.
    let (small, large, above) = if less { (rs1, rs2, 0) } else { (rs2, rs1, 1) };
    let bound = state[usize::from(large)].single()?.checked_add(above)?;
    let known = match &state[usize::from(small)] {
        Known::Values { values, certain } => {
            Known::set(values.iter().copied().filter(|&value| value < bound).collect(), *certain)
        }
        _ => below(bound)?,
    };
    let mut state = state.clone();
    state[usize::from(small)] = known;
    Some(state)
}
