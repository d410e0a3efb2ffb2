//! Reconvergence points: the immediate post-dominator of every conditional branch.
//!
//! One graph per function, a node per instruction; a call is an edge to the instruction behind it. Functions are
//! the entry point, the targets of calls and the function symbols. What reconverges where:
//!
//! - The first instruction that all paths from a branch to its function's returns share. Paths that end in `exit`
//!   or a certain trap do not count: threads on them never come back.
//! - Where no return can be reached (the entry code, a dead end), the same with `exit` in place of return, and if
//!   the sides meet nowhere, no point at all: they run separately until their threads end.
//! - If the sides meet only at the returns, the program is refused.
//!
//! Handled: irreducible loops (post-dominators do not need reducibility), tail calls (they return for their
//! caller), indirect calls (every function symbol is analysed). Refused: other indirect jumps, such as jump tables.
//! A branch in a recursive function reconverges inside the activation that all its threads share; when the depth of
//! recursion differs among the threads of a warp, the hardware traps at the return (divergent indirect jump).
use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graphmap::DiGraphMap;

use super::{ControlFlowProblem, LoadError, Program};
use crate::isa::{Instruction, decode};

/// Where an instruction leads.
enum Flow {
    /// Only behind itself.
    Next,
    /// A conditional branch.
    Branch(u32),
    /// An unconditional jump.
    Jump(u32),
    /// A call, to a known target if it is direct; then behind itself.
    Call(Option<u32>),
    /// Back to the caller.
    Return,
    /// The thread ends here.
    End,
    /// Anywhere.
    Indirect,
}

/// Node that stands for the function's exit: no PC, since PCs are multiples of four.
const EXIT: u32 = u32::MAX;

/// The reconvergence PC of every word.
pub(super) fn annotate(program: &Program, functions: &[u32]) -> Result<Vec<Option<u32>>, LoadError> {
    let mut points = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<u32> = functions.iter().copied().chain([program.entry]).collect();
    while let Some(start) = pending.pop() {
        if seen.insert(start) {
            let function = Function::trace(program, start, functions)?;
            pending.extend(&function.calls);
            for &branch in &function.branches {
                let point = function.reconvergence(branch)?;
                if *points.entry(branch).or_insert(point) != point {
                    return Err(function.problem(branch, ControlFlowProblem::TwoFunctions));
                }
            }
        }
    }
    Ok((0..program.words.len() as u32).map(|word| points.get(&(word * 4)).copied().flatten()).collect())
}

/// The control flow of one function.
struct Function<'a> {
    program: &'a Program,
    start: u32,
    calls: Vec<u32>,
    branches: Vec<u32>,
    /// Post-dominators with respect to the returns.
    returns: Dominators<u32>,
    /// Post-dominators with respect to the ends of threads.
    ends: Dominators<u32>,
}

impl<'a> Function<'a> {
    fn trace(program: &'a Program, start: u32, functions: &[u32]) -> Result<Self, LoadError> {
        let (mut graph, mut calls, mut branches) = (DiGraphMap::<u32, ()>::new(), Vec::new(), Vec::new());
        let (mut returns, mut ends) = (Vec::new(), Vec::new());
        let problem = |pc, reason| Err(refuse(program, start, pc, reason));
        graph.add_node(start);
        let mut pending = vec![start];
        let mut seen = BTreeSet::new();
        while let Some(pc) = pending.pop() {
            if !seen.insert(pc) {
                continue;
            }
            let mut next = Vec::new();
            match flow(program, pc) {
                Flow::Next => next.push(pc + 4),
                Flow::Branch(target) => {
                    branches.push(pc);
                    next.extend([pc + 4, target]);
                }
                // A jump to another function is a tail call: it returns in this function's place.
                Flow::Jump(target) if target != start && functions.contains(&target) => {
                    calls.push(target);
                    returns.push(pc);
                }
                Flow::Jump(target) => next.push(target),
                Flow::Call(target) => {
                    calls.extend(target);
                    next.push(pc + 4);
                }
                Flow::Return => returns.push(pc),
                Flow::End => ends.push(pc),
                Flow::Indirect => return problem(pc, ControlFlowProblem::IndirectJump),
            }
            for target in calls.iter().chain(&next).copied() {
                if program.word(target).is_none() {
                    let falls = target == pc + 4;
                    let reason =
                        if falls { ControlFlowProblem::FallsOff } else { ControlFlowProblem::BadTarget { target } };
                    return problem(pc, reason);
                }
            }
            for target in next {
                graph.add_edge(pc, target, ());
                pending.push(target);
            }
        }
        let post_dominators = |exits: &[u32]| {
            let mut reversed = DiGraphMap::<u32, ()>::new();
            reversed.add_node(EXIT);
            for (from, to, ()) in graph.all_edges() {
                reversed.add_edge(to, from, ());
            }
            for &pc in exits {
                reversed.add_edge(EXIT, pc, ());
            }
            simple_fast(&reversed, EXIT)
        };
        let (returns, ends) = (post_dominators(&returns), post_dominators(&ends));
        Ok(Self { program, start, calls, branches, returns, ends })
    }

    fn reconvergence(&self, branch: u32) -> Result<Option<u32>, LoadError> {
        match self.returns.immediate_dominator(branch) {
            Some(EXIT) => Err(self.problem(branch, ControlFlowProblem::MeetsAtExit)),
            Some(point) => Ok(Some(point)),
            None => Ok(self.ends.immediate_dominator(branch).filter(|&point| point != EXIT)),
        }
    }

    fn problem(&self, pc: u32, reason: ControlFlowProblem) -> LoadError {
        refuse(self.program, self.start, pc, reason)
    }
}

fn refuse(program: &Program, function: u32, pc: u32, reason: ControlFlowProblem) -> LoadError {
    let function = match program.symbols.get(&function) {
        Some(name) => format!("function `{name}`"),
        None => format!("the function at {function:#x}"),
    };
    LoadError::ControlFlow { file: program.name.clone(), function, pc, reason }
}

fn flow(program: &Program, pc: u32) -> Flow {
    let link = |register| matches!(register, 1 | 5);
    let target = |offset: i32| pc.wrapping_add_signed(offset);
    match decode(program.word(pc).unwrap_or(0)) {
        Instruction::Branch { offset, .. } => Flow::Branch(target(offset)),
        Instruction::JumpAndLink { rd: 0, offset } => Flow::Jump(target(offset)),
        Instruction::JumpAndLink { offset, .. } => Flow::Call(Some(target(offset))),
        Instruction::JumpAndLinkRegister { rd, rs1, offset } => match (rd, upper_before(program, pc, rs1)) {
            (0, Some(base)) => Flow::Jump(base.wrapping_add_signed(offset)),
            (_, Some(base)) => Flow::Call(Some(base.wrapping_add_signed(offset))),
            (0, None) if link(rs1) && offset == 0 => Flow::Return,
            (0, None) => Flow::Indirect,
            _ => Flow::Call(None),
        },
        Instruction::Exit | Instruction::EnvironmentCall | Instruction::Breakpoint | Instruction::Illegal => Flow::End,
        _ => Flow::Next,
    }
}

/// The value of `register` if the instruction before `pc` is the `auipc` of a call or far jump.
fn upper_before(program: &Program, pc: u32, register: u8) -> Option<u32> {
    let before = pc.checked_sub(4)?;
    match decode(program.word(before)?) {
        Instruction::AddUpperToPc { rd, value } if rd == register => Some(before.wrapping_add(value)),
        _ => None,
    }
}
