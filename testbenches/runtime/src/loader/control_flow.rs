//! Control flow of every function, and its reconvergence points: the immediate post-dominator of every conditional branch.
//!
//! One graph per function, a node per instruction; a call is an edge to the instruction behind it. Functions are
//! the entry point, the targets of calls and the function symbols. What reconverges where:
//!
//! - The first instruction that all paths from a branch to its function's returns share. Paths that end in `exit`
//!   or a certain trap do not count: threads on them never come back.
//! - Where no return can be reached (the entry code, a dead end), the same with `exit` in place of return, and if
//!   the sides meet nowhere, no point at all: they run separately until their threads end.
//! - If the sides meet only at the returns, these are joined ([`returns`](super::returns)).
//!
//! Handled: irreducible loops (post-dominators do not need reducibility), tail calls (the function they lead to is a part of its
//! caller: what follows an instruction is the same for both, and so are the points), indirect calls (every function symbol is analysed), indirect jumps whose targets are found ([`indirect`](super::indirect)).
//! The branches before a jump whose targets nobody knows meet at the exit, and so nowhere.
//! A branch in a recursive function reconverges inside the activation that all its threads share; when the depth of
//! recursion differs among the threads of a warp, the hardware traps at the return (divergent indirect jump).
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, Range};

use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graphmap::DiGraphMap;
use warploom_sim::tool;

use super::indirect::{self, Found};
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

/// What is known of a whole program before its functions are.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    /// Function symbols.
    pub functions: Vec<u32>,
    /// Data that the program does not write.
    pub read_only: Vec<Range<u32>>,
    /// Instructions whose addresses lie in data for certain.
    pub pointers: Vec<u32>,
    /// Where code was linked that runs elsewhere.
    pub moved: Vec<Range<u32>>,
    /// Registers that get return addresses.
    pub links: u32,
    /// There may be instructions of 16 bits.
    pub compressed: bool,
}

impl Context {
    /// With the links of these instructions.
    pub fn with_links(self, words: &[u32]) -> Self {
        let link = |&word: &u32| match decode(word) {
            Instruction::JumpAndLink { rd, .. } | Instruction::JumpAndLinkRegister { rd, .. } => 1 << rd,
            _ => 0,
        };
        let links = words.iter().map(link).fold(1 << 1 | 1 << 5, |links, link| links | link);
        Self { links: links & !1, ..self }
    }
}

/// Node that stands for the function's exit: no PC, since PCs are multiples of four.
const EXIT: u32 = u32::MAX;

/// Every function that can be reached from the entry point or has a symbol.
pub(super) fn functions<'a>(program: &'a Program, context: &Context) -> Result<Vec<Function<'a>>, LoadError> {
    let mut functions = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<u32> = context.functions.iter().copied().chain([program.entry]).collect();
    while let Some(start) = pending.pop() {
        if seen.insert(start) {
            let function = Function::trace(program, start, context)?;
            let Walk { calls, tail_calls, may_call, .. } = &function.walk;
            pending.extend(calls.values().chain(tail_calls.values()).chain(may_call));
            functions.push(function);
        }
    }
    Ok(functions)
}

/// The instructions of one function.
#[derive(Default)]
pub(super) struct Walk {
    /// Its first instruction.
    pub start: u32,
    /// Its instructions and where they lead inside it.
    pub graph: DiGraphMap<u32, ()>,
    /// Conditional branches.
    pub branches: BTreeSet<u32>,
    /// Targets of direct calls, by the place of the call.
    pub calls: BTreeMap<u32, u32>,
    /// Targets of jumps to other functions, which return for this one and are walked with it, by their place.
    pub tail_calls: BTreeMap<u32, u32>,
    /// Where indirect calls are.
    pub indirect_calls: BTreeSet<u32>,
    /// What they may call, as far as that is known.
    pub may_call: BTreeSet<u32>,
    /// Indirect jumps whose targets are not certain, with those that they are taken to have.
    pub guesses: BTreeMap<u32, BTreeSet<u32>>,
    /// Where it returns.
    pub returns: BTreeSet<u32>,
    /// Where threads end in it.
    pub ends: BTreeSet<u32>,
}

/// The control flow of one function.
pub(super) struct Function<'a> {
    program: &'a Program,
    walk: Walk,
    /// Post-dominators with respect to the returns.
    before_returns: Dominators<u32>,
    /// Post-dominators with respect to the ends of threads.
    before_ends: Dominators<u32>,
}

impl Deref for Function<'_> {
    type Target = Walk;

    fn deref(&self) -> &Walk {
        &self.walk
    }
}

/// Where the sides of a conditional branch meet.
pub(super) struct Branch {
    pub rpc: Option<u32>,
    pub lpc: Option<u32>,
    pub meeting_block: Option<u32>,
}

impl Walk {
    fn of(program: &Program, start: u32, context: &Context, found: &BTreeMap<u32, Found>) -> Result<Self, LoadError> {
        let mut walk = Self { start, ..Self::default() };
        walk.graph.add_node(start);
        let mut pending = vec![start];
        let mut seen = BTreeSet::new();
        while let Some(pc) = pending.pop() {
            if !seen.insert(pc) {
                continue;
            }
            tool::go_on()?;
            if context.compressed && is_compressed(program, pc) {
                return Err(refuse(program, start, pc, ControlFlowProblem::Compressed));
            }
            let next = match found.get(&pc) {
                Some(found) => {
                    let as_linked = |target: &u32| context.moved.iter().any(|range| range.contains(target));
                    if let Some(&target) = found.outside(program).iter().find(|target| as_linked(target)) {
                        return Err(refuse(program, start, pc, ControlFlowProblem::AsLinked { target }));
                    }
                    walk.indirect(program, context, pc, found)
                }
                None => walk.step(context, pc, flow(program, pc)),
            };
            for target in next.iter().chain(walk.calls.get(&pc)).copied() {
                if program.word(target).is_none() {
                    let reason = match target {
                        target if target == pc + 4 => ControlFlowProblem::FallsOff,
                        target if context.compressed && target % 4 == 2 => ControlFlowProblem::Compressed,
                        target => ControlFlowProblem::BadTarget { target },
                    };
                    return Err(refuse(program, start, pc, reason));
                }
            }
            for target in next {
                walk.graph.add_edge(pc, target, ());
                pending.push(target);
            }
        }
        Ok(walk)
    }

    /// Where the instruction at `pc` leads inside the function.
    fn step(&mut self, context: &Context, pc: u32, flow: Flow) -> Vec<u32> {
        match flow {
            Flow::Next => return vec![pc + 4],
            Flow::Branch(target) => {
                self.branches.insert(pc);
                return vec![pc + 4, target];
            }
            Flow::Jump(target) => {
                if target != self.start && context.functions.contains(&target) {
                    self.tail_calls.insert(pc, target);
                }
                return vec![target];
            }
            Flow::Call(target) => {
                match target {
                    Some(target) => drop(self.calls.insert(pc, target)),
                    None => drop(self.indirect_calls.insert(pc)),
                }
                return vec![pc + 4];
            }
            Flow::Return => drop(self.returns.insert(pc)),
            Flow::End => drop(self.ends.insert(pc)),
            // What is found out about it comes in the next walk.
            Flow::Indirect => {}
        }
        vec![]
    }

    /// The same of an indirect jump or call of which something has been found out.
    fn indirect(&mut self, program: &Program, context: &Context, pc: u32, found: &Found) -> Vec<u32> {
        let link = program.word(pc).and_then(|word| decode(word).destination());
        let only = |targets: &BTreeSet<u32>| targets.first().copied().filter(|_| targets.len() == 1);
        match (found, link) {
            // A certain trap.
            (Found::To(_), _) if !found.outside(program).is_empty() => {
                self.ends.insert(pc);
                vec![]
            }
            (Found::Return, _) => self.step(context, pc, Flow::Return),
            (Found::To(targets), None) => match only(targets) {
                Some(target) => self.step(context, pc, Flow::Jump(target)),
                None => targets.iter().copied().collect(),
            },
            (Found::To(targets), Some(link)) => match only(targets) {
                Some(target) if is_link(link) || context.functions.contains(&target) => {
                    self.step(context, pc, Flow::Call(Some(target)))
                }
                // A jump that keeps where it was: what it leads to may go on anywhere.
                _ if !is_link(link) => targets.iter().copied().collect(),
                _ => {
                    self.may_call.extend(targets);
                    self.step(context, pc, Flow::Call(None))
                }
            },
            (Found::Guess(targets), Some(_)) => {
                self.may_call.extend(targets);
                self.step(context, pc, Flow::Call(None))
            }
            (Found::Guess(targets), None) => {
                self.guesses.insert(pc, targets.clone());
                targets.iter().copied().collect()
            }
        }
    }

    /// The instruction at `pc` calls a function.
    pub fn is_call(&self, pc: u32) -> bool {
        self.calls.contains_key(&pc) || self.indirect_calls.contains(&pc)
    }
}

impl<'a> Function<'a> {
    fn trace(program: &'a Program, start: u32, context: &Context) -> Result<Self, LoadError> {
        let mut found = BTreeMap::new();
        let walk = loop {
            let walk = Walk::of(program, start, context, &found)?;
            let more = indirect::resolve(program, context, &walk, &found)?;
            if more == found {
                break walk;
            }
            found = more;
        };
        let post_dominators = |exits: Vec<u32>| {
            let mut reversed = DiGraphMap::<u32, ()>::new();
            reversed.add_node(EXIT);
            // They are asked for where branches meet, and take the longest of all that is found out here.
            for (from, to, ()) in walk.graph.all_edges().filter(|_| !walk.branches.is_empty()) {
                reversed.add_edge(to, from, ());
            }
            for pc in exits {
                reversed.add_edge(EXIT, pc, ());
            }
            simple_fast(&reversed, EXIT)
        };
        let unknown = walk.guesses.iter().filter(|(_, targets)| targets.is_empty()).map(|(pc, _)| pc);
        let before_returns = post_dominators(walk.returns.iter().chain(unknown).copied().collect());
        let before_ends = post_dominators(walk.ends.iter().copied().collect());
        Ok(Self { program, walk, before_returns, before_ends })
    }

    /// Indirect jumps whose targets are not certain: a sentence each.
    pub fn warnings(&self) -> impl Iterator<Item = (u32, String)> + '_ {
        let name = function_name(self.program, self.start);
        self.guesses.iter().map(move |(&pc, targets)| {
            let what = if targets.is_empty() {
                "an indirect jump whose targets are not known: the branches before it reconverge only when their threads end".into()
            } else {
                let places: Vec<String> = targets.iter().map(|&pc| self.program.place(pc).to_string()).collect();
                format!("an indirect jump is taken to lead to {}, which is not certain", places.join(", "))
            };
            (pc, format!("in {name}, at {}: {what}", self.program.source_place(pc)))
        })
    }

    /// Where the sides of a branch of this function meet.
    pub fn reconvergence(&self, branch: u32) -> Result<Option<u32>, LoadError> {
        match self.before_returns.immediate_dominator(branch) {
            Some(EXIT) if self.guesses.values().any(BTreeSet::is_empty) => Ok(None),
            Some(EXIT) => Err(self.problem(branch, ControlFlowProblem::MeetsAtExit)),
            Some(point) => Ok(Some(point)),
            None => Ok(self.before_ends.immediate_dominator(branch).filter(|&point| point != EXIT)),
        }
    }

    /// The sides of some branch meet nowhere in the function, though they return.
    pub fn has_branch_to_exit(&self) -> bool {
        self.branches.iter().any(|&branch| self.before_returns.immediate_dominator(branch) == Some(EXIT))
    }

    /// That the program is refused because of the instruction at `pc`.
    pub fn problem(&self, pc: u32, reason: ControlFlowProblem) -> LoadError {
        refuse(self.program, self.start, pc, reason)
    }
}

fn refuse(program: &Program, function: u32, pc: u32, reason: ControlFlowProblem) -> LoadError {
    LoadError::ControlFlow { file: program.name.clone(), function: function_name(program, function), pc, reason }
}

pub(super) fn function_name(program: &Program, start: u32) -> String {
    match program.symbols.get(&start) {
        Some(name) => format!("function `{name}`"),
        None => format!("the function at {start:#x}"),
    }
}

/// Not the first half of an instruction of 32 bits; zeros are none of either.
fn is_compressed(program: &Program, pc: u32) -> bool {
    program.word(pc).is_some_and(|word| word & 3 != 3 && word & 0xFFFF != 0)
}

/// A register that ordinary calls use.
fn is_link(register: u8) -> bool {
    matches!(register, 1 | 5)
}

/// A jump with it returns, by convention.
pub(super) fn is_return(rs1: u8, offset: i32) -> bool {
    is_link(rs1) && offset == 0
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
    let target = |offset: i32| pc.wrapping_add_signed(offset);
    match decode(program.word(pc).unwrap_or(0)) {
        Instruction::Branch { offset, .. } => Flow::Branch(target(offset)),
        Instruction::JumpAndLink { rd: 0, offset } => Flow::Jump(target(offset)),
        Instruction::JumpAndLink { offset, .. } => Flow::Call(Some(target(offset))),
        Instruction::JumpAndLinkRegister { rd, rs1, offset } => match (rd, upper_before(program, pc, rs1)) {
            (0, Some(base)) => Flow::Jump(base.wrapping_add_signed(offset)),
            (_, Some(base)) => Flow::Call(Some(base.wrapping_add_signed(offset))),
            (0, None) if is_return(rs1, offset) => Flow::Return,
            (0, None) => Flow::Indirect,
            _ => Flow::Call(None),
        },
        Instruction::Exit | Instruction::EnvironmentCall | Instruction::Breakpoint | Instruction::Illegal => Flow::End,
        _ => Flow::Next,
    }
}

/// The value of `register` if the instruction before `pc` is the `auipc` of a call or far jump.
pub(super) fn upper_before(program: &Program, pc: u32, register: u8) -> Option<u32> {
    let before = pc.checked_sub(4)?;
    match decode(program.word(before)?) {
        Instruction::AddUpperToPc { rd, value } if rd == register => Some(before.wrapping_add(value)),
        _ => None,
    }
}
