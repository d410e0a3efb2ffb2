//! Control flow of every function, and its reconvergence points: the immediate post-dominator of every conditional branch.
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
use warploom_sim::tool;

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

/// Every function that can be reached from the entry point or has a symbol.
pub(super) fn functions<'a>(program: &'a Program, symbols: &[u32]) -> Result<Vec<Function<'a>>, LoadError> {
    let mut functions = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<u32> = symbols.iter().copied().chain([program.entry]).collect();
    while let Some(start) = pending.pop() {
        if seen.insert(start) {
            let function = Function::trace(program, start, symbols)?;
            pending.extend(function.calls.values().chain(function.tail_calls.values()));
            functions.push(function);
        }
    }
    Ok(functions)
}

/// The control flow of one function.
pub(super) struct Function<'a> {
    program: &'a Program,
    /// Its first instruction.
    pub start: u32,
    /// Its instructions and where they lead inside it.
    pub graph: DiGraphMap<u32, ()>,
    /// Conditional branches.
    pub branches: BTreeSet<u32>,
    /// Targets of direct calls, by the place of the call.
    pub calls: BTreeMap<u32, u32>,
    /// Targets of jumps to other functions, which return for this one, by their place.
    pub tail_calls: BTreeMap<u32, u32>,
    /// Where indirect calls are.
    pub indirect_calls: BTreeSet<u32>,
    /// Where it returns.
    pub returns: BTreeSet<u32>,
    /// Post-dominators with respect to the returns.
    before_returns: Dominators<u32>,
    /// Post-dominators with respect to the ends of threads.
    before_ends: Dominators<u32>,
}

/// Where the sides of a conditional branch meet.
pub(super) struct Branch {
    pub rpc: Option<u32>,
    pub lpc: Option<u32>,
    pub meeting_block: Option<u32>,
}

impl<'a> Function<'a> {
    fn trace(program: &'a Program, start: u32, functions: &[u32]) -> Result<Self, LoadError> {
        let mut graph = DiGraphMap::<u32, ()>::new();
        let (mut calls, mut tail_calls) = (BTreeMap::new(), BTreeMap::new());
        let (mut branches, mut indirect_calls) = (BTreeSet::new(), BTreeSet::new());
        let (mut returns, mut ends) = (BTreeSet::new(), BTreeSet::new());
        let problem = |pc, reason| Err(refuse(program, start, pc, reason));
        graph.add_node(start);
        let mut pending = vec![start];
        let mut seen = BTreeSet::new();
        while let Some(pc) = pending.pop() {
            if !seen.insert(pc) {
                continue;
            }
            tool::go_on()?;
            let mut next = Vec::new();
            match flow(program, pc) {
                Flow::Next => next.push(pc + 4),
                Flow::Branch(target) => {
                    branches.insert(pc);
                    next.extend([pc + 4, target]);
                }
                // A jump to another function is a tail call: it returns in this function's place.
                Flow::Jump(target) if target != start && functions.contains(&target) => {
                    tail_calls.insert(pc, target);
                }
                Flow::Jump(target) => next.push(target),
                Flow::Call(target) => {
                    match target {
                        Some(target) => drop(calls.insert(pc, target)),
                        None => drop(indirect_calls.insert(pc)),
                    }
                    next.push(pc + 4);
                }
                Flow::Return => drop(returns.insert(pc)),
                Flow::End => drop(ends.insert(pc)),
                Flow::Indirect => return problem(pc, ControlFlowProblem::IndirectJump),
            }
            let called = calls.get(&pc).or(tail_calls.get(&pc));
            for target in next.iter().chain(called).copied() {
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
        let post_dominators = |exits: Vec<u32>| {
            let mut reversed = DiGraphMap::<u32, ()>::new();
            reversed.add_node(EXIT);
            // They are asked for where branches meet, and take the longest of all that is found out here.
            for (from, to, ()) in graph.all_edges().filter(|_| !branches.is_empty()) {
                reversed.add_edge(to, from, ());
            }
            for pc in exits {
                reversed.add_edge(EXIT, pc, ());
            }
            simple_fast(&reversed, EXIT)
        };
        let before_returns = post_dominators(returns.iter().chain(tail_calls.keys()).copied().collect());
        let before_ends = post_dominators(ends.into_iter().collect());
        Ok(Self {
            program,
            start,
            graph,
            branches,
            calls,
            tail_calls,
            indirect_calls,
            returns,
            before_returns,
            before_ends,
        })
    }

    /// Where the sides of a branch of this function meet.
    pub fn reconvergence(&self, branch: u32) -> Result<Option<u32>, LoadError> {
        match self.before_returns.immediate_dominator(branch) {
            Some(EXIT) => Err(self.problem(branch, ControlFlowProblem::MeetsAtExit)),
            Some(point) => Ok(Some(point)),
            None => Ok(self.before_ends.immediate_dominator(branch).filter(|&point| point != EXIT)),
        }
    }

    /// That the program is refused because of the instruction at `pc`.
    pub fn problem(&self, pc: u32, reason: ControlFlowProblem) -> LoadError {
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

impl Program {
    /// Where the instruction at `pc` branches, jumps or calls, if the code says so: in itself, or with an `auipc` before it.
    pub fn target(&self, pc: u32) -> Option<u32> {
        match flow(self, pc) {
            Flow::Branch(target) | Flow::Jump(target) | Flow::Call(Some(target)) => Some(target),
            _ => None,
        }
    }
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
