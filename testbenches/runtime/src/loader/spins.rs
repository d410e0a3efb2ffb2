//! Loops in which threads may wait for others, for mechanisms under which threads of a warp take turns: a turn ends after some
//! trips round such a loop, so that who is waited for goes on.
//!
//! *Spin* are the branches and jumps that close it: those that go back, to an instruction that every way to them leads over (the head; a natural
//! loop), if some branch leaves the loop depending on a value that was loaded, or atomically obtained, inside the loop. All loops with one head are
//! one: `continue` closes no loop of its own. But where a loop waits at the beginning of another, `for (...) { while (swap(lock, 1)); ... }`, both have one head; so what
//! goes back to a head that others go back to, too, counts as a loop if those who leave it wait behind it for the others, at the branch's reconvergence point. Those who
//! take a lock by `while (!done) if (swap(lock, 1)) {} else { ...; done = 1; }` meet the others inside, and need no turns.
//! Compilers put the end of a loop before its head: what goes back then is the jump to that end.
//!
//! ```text
//! wait: lw   t0, 0(a0)       loaded inside the loop
//!       beqz t0, wait        leaves it depending on that, and closes it: spin
//!
//! each: addi a1, a1, -1      the bound was loaded before the loop
//!       bnez a1, each        not spin
//! ```
//!
//! Whether a loop waits is not in its code. A false mark costs convergence: threads that would have met run on by themselves. A missing one costs the quantum of a
//! turn for every time that a thread waits for another of its warp. What is decided where it is not known:
//!
//! | in the loop | a value from there |
//! |---|---|
//! | loads, atomics, `sc` | is one that may be waited for. A search that ends where it finds something is marked: it looks the same |
//! | loads from the argument block | is not: nobody writes it |
//! | loads relative to `sp` | is what the loop has spilled there: the stack is the thread's own. What it reaches the stack with by other registers is not seen |
//! | loads of constants from a table | may be waited for: where a load leads is not known in general |
//! | a branch that compares it with a counter of the loop | does not count: such a loop comes to its end by itself. A counter is what all instructions of the loop that write it compute from itself |
//! | a call | all that the function writes may, if it, or one that it calls, loads or swaps, or if the loop hands over anything by then; but for registers that functions preserve |
//! | an indirect call | the same: it may load |
//! | an `if` on such a value that sets another register | is not, as only operands count: `if (taken) done = 1` is how a lock is taken that needs no turns |
//!
//! Loops with several entries (irreducible ones), loops of recursion, and loops that only a jump through a table closes, are not marked.
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use petgraph::Direction::Incoming;
use petgraph::algo::dominators::simple_fast;
use warploom_sim::tool::{self, Interrupted};

use super::Program;
use super::control_flow::Function;
use super::values::{Known, Registers};
use crate::isa::{FloatInstruction, Instruction, Register, decode};

/// The stack pointer.
const SP: Register = 2;

/// Those that a function leaves as they were: `sp`, `gp`, `tp`, `s0` to `s11`; with `ilp32` no floats.
const PRESERVED: Registers = 0x0FFC_031C;

/// The place of `x0`, which holds nothing, among the registers: what is spilled to the stack.
const SPILLED: Registers = 1;

/// The branches and jumps that close loops whose threads may wait for others.
pub(super) fn spins(program: &Program, functions: &[Function], known: &Known) -> Result<BTreeSet<u32>, Interrupted> {
    let obtaining = obtaining(program, functions, known);
    let mut spins = BTreeSet::new();
    for function in functions {
        for natural in loops(function)? {
            let mut search = Search { program, function, known, obtaining: &obtaining, natural: &natural, counters: 0 };
            search.counters = search.counters();
            if search.may_wait()? {
                spins.extend(natural.closing);
            }
        }
    }
    Ok(spins)
}

/// All natural loops with the same head, or one of several.
struct NaturalLoop {
    head: u32,
    body: BTreeSet<u32>,
    /// Others go back to the head, too.
    is_part: bool,
    /// What goes back in every trip.
    closing: Vec<u32>,
}

fn loops(function: &Function) -> Result<Vec<NaturalLoop>, Interrupted> {
    let dominators = simple_fast(&function.graph, function.start);
    let closes = |from: u32, to: u32| dominators.dominators(from).is_some_and(|mut all| all.any(|pc| pc == to));
    let several = |pc: u32| function.graph.neighbors_directed(pc, Incoming).count() > usize::from(pc != function.start);
    let mut ends: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (from, to, ()) in function.graph.all_edges() {
        if several(to) && closes(from, to) {
            ends.entry(to).or_default().push(from);
        }
    }
    let natural = |(head, ends, is_part): (u32, Vec<u32>, bool)| {
        let mut body = BTreeSet::from([head]);
        let mut pending = ends.clone();
        while let Some(pc) = pending.pop() {
            tool::go_on()?;
            if body.insert(pc) {
                pending.extend(function.graph.neighbors_directed(pc, Incoming));
            }
        }
        let closing = going_back(function, head, ends, closes);
        Ok(NaturalLoop { head, body, is_part, closing })
    };
    let with_parts = |(head, ends): (u32, Vec<u32>)| {
        let parts = if ends.len() > 1 { ends.clone() } else { Vec::new() };
        iter::once((head, ends, false)).chain(parts.into_iter().map(move |end| (head, vec![end], true)))
    };
    ends.into_iter().flat_map(with_parts).map(natural).collect()
}

/// What goes back, as the code lies, on the ways that end at the last instructions of a loop: these themselves, but where they lie before the head, what leads there.
fn going_back(function: &Function, head: u32, ends: Vec<u32>, closes: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let mut closing = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending: Vec<(u32, u32)> = ends.into_iter().map(|end| (end, head)).collect();
    while let Some((from, to)) = pending.pop() {
        if to <= from {
            // Of a jump through a table, only the target would tell.
            let is_known = function.branches.contains(&from) || function.graph.neighbors(from).count() == 1;
            closing.extend(Some(from).filter(|_| is_known));
        } else if from != head && seen.insert(from) {
            let before = function.graph.neighbors_directed(from, Incoming).map(|before| (before, from));
            // Those of loops inside of this one go round these.
            pending.extend(before.filter(|&(before, to)| !closes(before, to)));
        }
    }
    closing
}

/// The functions in which a value may be obtained that others write, or in one that they call.
fn obtaining(program: &Program, functions: &[Function], known: &Known) -> BTreeSet<u32> {
    let mut obtaining = BTreeSet::new();
    loop {
        let before = obtaining.len();
        for function in functions {
            let obtains = |pc: u32| obtains(program, known, pc) || function.indirect_calls.contains(&pc);
            if function.graph.nodes().any(obtains) || function.calls.values().any(|callee| obtaining.contains(callee)) {
                obtaining.insert(function.start);
            }
        }
        if obtaining.len() == before {
            return obtaining;
        }
    }
}

/// The instruction at `pc` reads memory that another thread may write.
fn obtains(program: &Program, known: &Known, pc: u32) -> bool {
    match instruction(program, pc) {
        Instruction::Load { rs1, .. } | Instruction::Float(FloatInstruction::Load { rs1, .. }) => {
            rs1 != SP && !known.arguments.contains(&pc)
        }
        Instruction::LoadReserved { .. } | Instruction::StoreConditional { .. } | Instruction::Atomic { .. } => true,
        _ => false,
    }
}

fn instruction(program: &Program, pc: u32) -> Instruction {
    program.word(pc).map_or(Instruction::Illegal, decode)
}

fn reads(instruction: &Instruction, registers: Registers) -> bool {
    instruction.sources().into_iter().flatten().any(|register| register != 0 && registers >> register & 1 == 1)
}

/// What becomes of the values that are obtained in a loop, while they are in the loop.
struct Search<'a> {
    program: &'a Program,
    function: &'a Function<'a>,
    known: &'a Known,
    obtaining: &'a BTreeSet<u32>,
    natural: &'a NaturalLoop,
    /// What the loop computes from itself, in every trip.
    counters: Registers,
}

impl Search<'_> {
    fn counters(&self) -> Registers {
        let (mut counters, mut others) = (0, 0);
        for &pc in &self.natural.body {
            let instruction = instruction(self.program, pc);
            let rd = instruction.destination().map_or(0, |rd| 1 << rd);
            if self.function.is_call(pc) {
                others |= self.written_by_call(pc);
            } else if reads(&instruction, rd) && !obtains(self.program, self.known, pc) {
                counters |= rd;
            } else {
                others |= rd;
            }
        }
        counters & !others
    }

    /// Whether a branch that leaves the loop depends on one of them.
    fn may_wait(&self) -> Result<bool, Interrupted> {
        let mut before = BTreeMap::from([(self.natural.head, 0)]);
        let mut pending = vec![self.natural.head];
        while let Some(pc) = pending.pop() {
            tool::go_on()?;
            let mut tainted = before[&pc];
            if self.leaves(pc) && self.depends(pc, tainted) {
                return Ok(true);
            }
            self.execute(pc, &mut tainted);
            for next in self.function.graph.neighbors(pc).filter(|next| self.natural.body.contains(next)) {
                let there = before.get(&next).copied();
                let merged = there.unwrap_or(0) | tainted;
                if there != Some(merged) {
                    before.insert(next, merged);
                    pending.push(next);
                }
            }
        }
        Ok(false)
    }

    fn leaves(&self, pc: u32) -> bool {
        let outside = |next: u32| !self.natural.body.contains(&next);
        self.function.branches.contains(&pc)
            && self.function.graph.neighbors(pc).any(outside)
            && (!self.natural.is_part || self.function.reconvergence(pc).is_ok_and(|rpc| rpc.is_some_and(outside)))
    }

    /// Whether one of these values decides about it, and nothing that changes anyway.
    fn depends(&self, pc: u32, tainted: Registers) -> bool {
        let branch = instruction(self.program, pc);
        reads(&branch, tainted) && !reads(&branch, self.counters & !tainted)
    }

    fn execute(&self, pc: u32, tainted: &mut Registers) {
        let instruction = instruction(self.program, pc);
        let has_one = match instruction {
            Instruction::Load { rs1: SP, .. } | Instruction::Float(FloatInstruction::Load { rs1: SP, .. }) => {
                *tainted & SPILLED != 0
            }
            Instruction::Load { .. } | Instruction::Float(FloatInstruction::Load { .. }) => {
                obtains(self.program, self.known, pc)
            }
            _ => obtains(self.program, self.known, pc) || reads(&instruction, *tainted),
        };
        match instruction {
            Instruction::Store { rs1: SP, .. } | Instruction::Float(FloatInstruction::Store { rs1: SP, .. }) => {
                *tainted |= SPILLED * Registers::from(has_one);
            }
            _ => {}
        }
        if self.function.is_call(pc) {
            self.call(pc, tainted);
        } else if let Some(rd) = instruction.destination() {
            *tainted = *tainted & !(1 << rd) | Registers::from(has_one) << rd;
        }
    }

    fn written_by_call(&self, pc: u32) -> Registers {
        let writes = self.function.calls.get(&pc).and_then(|callee| self.known.writes.get(callee));
        writes.copied().unwrap_or(!SPILLED) & !PRESERVED
    }

    fn call(&self, pc: u32, tainted: &mut Registers) {
        let (callee, written) = (self.function.calls.get(&pc), self.written_by_call(pc));
        let may_obtain = callee.is_none_or(|callee| self.obtaining.contains(callee));
        *tainted = if may_obtain || *tainted != 0 { *tainted | written } else { *tainted & !written };
    }
}

impl Program {
    /// The first and the last instruction of the innermost loop around the one at `pc`, as the code lies, whose threads may wait there for others.
    pub fn waiting_loop(&self, pc: u32) -> Option<(u32, u32)> {
        let ends = (pc..4 * self.words.len() as u32).step_by(4);
        let spins = ends.filter(|end| self.annotations[*end as usize / 4].spin);
        let loops = spins.filter_map(|end| Some((self.target(end)?, end))).filter(|(start, _)| *start <= pc);
        loops.min_by_key(|(start, end)| end - start)
    }
}
