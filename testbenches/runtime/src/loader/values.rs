//! What is known of register values before a program runs: whether the threads that execute an instruction together agree
//! on them, and whether they come from data. It decides which branches are *uniform* and which *data dependent*.
//!
//! One forward data flow over all functions, a [`Value`] per register and instruction. Both properties come from the
//! operands; they differ in their sources:
//!
//! | source                                          | threads agree | from data |
//! |-------------------------------------------------|---------------|-----------|
//! | immediates, `lui`, `auipc`, return addresses    | yes           | no        |
//! | CSRs of the CTA, the grid, the argument block   | yes           | no        |
//! | CSRs `tid`, `lane`, `warp`                      | no            | no        |
//! | loads from the argument block                   | yes           | no        |
//! | other loads, atomics                            | no            | yes       |
//! | `ballot`                                        | no            | as its operand |
//! | `fcsr`, and what is rounded as `frm` says, if the program writes it | no | yes |
//! | registers when a thread starts                  | no            | no        |
//!
//! A value that is spilled to the thread's stack and read back counts as any other load.
//!
//! **Agreement.** *Together* means: in one entry of a reconvergence stack, per warp or CTA-wide. Such threads have taken
//! the same path since the entry was made. An entry is made by a branch, which splits one: then the parts still agree;
//! or where threads meet that a divergent branch has split: then they agree only on what none of them has written since.
//! So a register is uniform at an instruction if it is on every way there, and if the instruction is the
//! reconvergence point of a branch that may diverge, or its likely-convergence point, unless something between the
//! branch and its reconvergence point writes the register. That covers values that depend on which side a thread took, and loops
//! that threads leave after different trips: inside the loop, the threads still there agree on the counter, behind it they do
//! not. Where a loop has a likely-convergence point in it, threads of different trips may meet there, and do not agree on the counter.
//!
//! **Data.** Rhu 2014, 4.3.2 and 4.4.1 (Figure 4.20): a taint analysis; what is loaded from a data array taints, an immediate
//! clears; a branch on a tainted value is a D-branch, any other a P-branch, and a mixture is a D-branch. Kernel
//! parameters and thread numbers are programmatic. Only operands count, not the branches on the way.
//!
//! A call writes what the functions it leads to may write; the other registers keep their values. A function's
//! registers are those of all its calls together. An indirect call may lead anywhere: after it, and in every function
//! of such a program, nothing is known. Nor is anything of a program with an indirect jump whose targets are not certain.
use std::collections::{BTreeMap, BTreeSet};

use warploom_sim::tool::{self, Interrupted};

use super::Program;
use super::control_flow::{Branch, Function};
use super::likely_convergence::between;
use crate::isa::float::{FloatCsr, Operand, Update};
use crate::isa::{AluOp, Csr, FloatInstruction, Instruction, Register, WarpInstruction, decode};

/// What is known of a branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Condition {
    pub uniform: bool,
    pub data_dependent: bool,
}

/// What is known of a program.
#[derive(Default)]
pub(super) struct Known {
    /// Of every branch that can be reached.
    pub conditions: BTreeMap<u32, Condition>,
    /// The loads from the argument block.
    pub arguments: BTreeSet<u32>,
    /// What each function may write, with the functions it calls.
    pub writes: BTreeMap<u32, Registers>,
}

/// What is known of a register's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    /// All threads that are here together have the same.
    uniform: bool,
    /// Something read from memory is in it.
    data: bool,
    /// It is this far behind the start of the argument block: the same wherever threads come from.
    argument: Option<u32>,
}

impl Value {
    const CONSTANT: Self = Self { uniform: true, data: false, argument: None };
    const PROGRAMMATIC: Self = Self { uniform: false, data: false, argument: None };
    const DATA: Self = Self { uniform: false, data: true, argument: None };

    /// Computed from both.
    fn with(self, other: Self) -> Self {
        Self { uniform: self.uniform && other.uniform, data: self.data || other.data, argument: None }
    }

    /// One or the other.
    fn or(self, other: Self) -> Self {
        Self { argument: self.argument.filter(|_| self.argument == other.argument), ..self.with(other) }
    }
}

/// Of every register.
type Values = [Value; REGISTERS];

/// A set of registers.
pub(super) type Registers = u64;

/// Integers and floats.
const REGISTERS: usize = 64;

fn merge(one: &Values, other: &Values) -> Values {
    std::array::from_fn(|register| one[register].or(other[register]))
}

fn has(set: Registers, register: usize) -> bool {
    set >> register & 1 == 1
}

/// What is known of a program with these branches.
pub(super) fn known(
    program: &Program,
    functions: &[Function],
    branches: &BTreeMap<u32, Branch>,
) -> Result<Known, Interrupted> {
    if functions.iter().any(|function| !function.guesses.is_empty()) {
        let unknown = Condition { uniform: false, data_dependent: true };
        return Ok(Known { conditions: branches.keys().map(|&pc| (pc, unknown)).collect(), ..Known::default() });
    }
    let mut analysis = Analysis::new(program, functions, branches);
    while analysis.round()? {}
    let mut known = Known { writes: analysis.writes.clone(), ..Known::default() };
    for (&pc, values) in &analysis.before {
        let of = |register: Register| values[usize::from(register)];
        match analysis.instruction(pc) {
            Instruction::Branch { rs1, rs2, .. } => {
                let Value { uniform, data, .. } = of(rs1).with(of(rs2));
                known.conditions.insert(pc, Condition { uniform, data_dependent: data });
            }
            Instruction::Load { rs1, offset, .. } | Instruction::Float(FloatInstruction::Load { rs1, offset, .. })
                if analysis.loaded(of(rs1), offset) == Value::CONSTANT =>
            {
                known.arguments.insert(pc);
            }
            _ => {}
        }
    }
    Ok(known)
}

struct Analysis<'a> {
    program: &'a Program,
    functions: &'a [Function<'a>],
    /// What each function may write, with the functions it calls.
    writes: BTreeMap<u32, Registers>,
    /// Points where the sides of a branch meet: the branch, and what may have been written since.
    meetings: BTreeMap<u32, Vec<(u32, Registers)>>,
    /// Threads may round in different ways.
    writes_rounding: bool,
    /// Before every instruction that is reached.
    before: BTreeMap<u32, Values>,
    /// After every function that returns.
    after: BTreeMap<u32, Values>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, functions: &'a [Function], branches: &BTreeMap<u32, Branch>) -> Self {
        let mut analysis = Self {
            program,
            functions,
            writes: BTreeMap::new(),
            meetings: BTreeMap::new(),
            writes_rounding: program.words.iter().any(|&word| writes_rounding(decode(word))),
            before: BTreeMap::new(),
            after: BTreeMap::new(),
        };
        analysis.collect_writes();
        for function in functions {
            for &pc in &function.branches {
                let Branch { rpc, lpc, .. } = branches[&pc];
                let split = between(function, pc, rpc);
                let written = split.iter().fold(0, |set, &pc| set | analysis.written(function, pc));
                for point in rpc.into_iter().chain(lpc) {
                    analysis.meetings.entry(point).or_default().push((pc, written));
                }
            }
        }
        let indirect = functions.iter().any(|function| !function.indirect_calls.is_empty());
        for function in functions.iter().filter(|function| indirect || function.start == program.entry) {
            let mut values = [if indirect { Value::DATA } else { Value::PROGRAMMATIC }; REGISTERS];
            values[0] = Value::CONSTANT;
            analysis.before.insert(function.start, values);
        }
        analysis
    }

    fn instruction(&self, pc: u32) -> Instruction {
        self.program.word(pc).map_or(Instruction::Illegal, decode)
    }

    fn collect_writes(&mut self) {
        loop {
            let writes: BTreeMap<u32, Registers> = self
                .functions
                .iter()
                .map(|function| {
                    (function.start, function.graph.nodes().fold(0, |set, pc| set | self.written(function, pc)))
                })
                .collect();
            if writes == self.writes {
                return;
            }
            self.writes = writes;
        }
    }

    /// What may be written between the instruction at `pc` and the next one of its function.
    fn written(&self, function: &Function, pc: u32) -> Registers {
        if function.indirect_calls.contains(&pc) {
            return !1;
        }
        let own = self.instruction(pc).destination().map_or(0, |register| 1 << register);
        let target = function.calls.get(&pc);
        (own | target.and_then(|target| self.writes.get(target)).unwrap_or(&0)) & !1
    }

    /// One pass over all instructions; whether anything has changed.
    fn round(&mut self) -> Result<bool, Interrupted> {
        let mut changed = false;
        for function in self.functions {
            let mut order: Vec<u32> = function.graph.nodes().collect();
            order.sort_unstable();
            for pc in order {
                tool::go_on()?;
                changed |= self.visit(function, pc);
            }
        }
        Ok(changed)
    }

    fn visit(&mut self, function: &Function, pc: u32) -> bool {
        let Some(mut values) = self.before.get(&pc).copied() else { return false };
        self.meet(pc, &mut values);
        let mut changed = self.before.insert(pc, values) != Some(values);
        self.execute(pc, &mut values);
        if function.returns.contains(&pc) {
            changed |= join(&mut self.after, function.start, &values);
        }
        if let Some(&target) = function.calls.get(&pc) {
            changed |= join(&mut self.before, target, &values);
            match self.returned(target, &values) {
                Some(after) => values = after,
                None => return changed,
            }
        }
        if function.indirect_calls.contains(&pc) {
            values[1..].fill(Value::DATA);
        }
        for next in function.graph.neighbors(pc) {
            changed |= join(&mut self.before, next, &values);
        }
        changed
    }

    /// If divergent branches meet here, what their sides have written differs.
    fn meet(&self, pc: u32, values: &mut Values) {
        for &(branch, written) in self.meetings.get(&pc).into_iter().flatten() {
            if !self.may_diverge(branch) {
                continue;
            }
            let known = |value: &Value| value.argument.is_some();
            for (_, value) in values.iter_mut().enumerate().filter(|(r, value)| has(written, *r) && !known(value)) {
                value.uniform = false;
            }
        }
    }

    fn may_diverge(&self, branch: u32) -> bool {
        match (self.before.get(&branch), self.instruction(branch)) {
            (Some(values), Instruction::Branch { rs1, rs2, .. }) => {
                !(values[usize::from(rs1)].uniform && values[usize::from(rs2)].uniform)
            }
            _ => false,
        }
    }

    /// After a call of `target` with these values, if it returns as far as is known.
    fn returned(&self, target: u32, values: &Values) -> Option<Values> {
        let (after, writes) = (self.after.get(&target)?, self.writes[&target]);
        Some(std::array::from_fn(|register| if has(writes, register) { after[register] } else { values[register] }))
    }

    /// What the instruction itself does.
    fn execute(&self, pc: u32, values: &mut Values) {
        let instruction = self.instruction(pc);
        let of = |register: Register| values[usize::from(register)];
        let result = match instruction {
            Instruction::LoadUpper { .. }
            | Instruction::AddUpperToPc { .. }
            | Instruction::JumpAndLink { .. }
            | Instruction::JumpAndLinkRegister { .. } => Value::CONSTANT,
            Instruction::Immediate { op, rs1, value, .. } => {
                let argument = of(rs1).argument.filter(|_| op == AluOp::Add).map(|offset| offset.wrapping_add(value));
                Value { argument, ..of(rs1) }
            }
            Instruction::Registers { rs1, rs2, .. } => of(rs1).with(of(rs2)),
            Instruction::ReadCsr { csr, .. } => match csr {
                Csr::Arguments => Value { argument: Some(0), ..Value::CONSTANT },
                Csr::Ctaid(_) | Csr::Ntid(_) | Csr::Nctaid(_) | Csr::Core => Value::CONSTANT,
                Csr::Tid(_) | Csr::Lane | Csr::Warp => Value::PROGRAMMATIC,
            },
            Instruction::Load { rs1, offset, .. } => self.loaded(of(rs1), offset),
            Instruction::Float(FloatInstruction::Load { rs1, offset, .. }) => self.loaded(of(rs1), offset),
            Instruction::Float(FloatInstruction::Status { .. }) => Value::DATA,
            Instruction::Float(computes) => {
                let operands = instruction.sources().into_iter().flatten().map(of);
                let result = operands.fold(Value::CONSTANT, Value::with);
                if self.writes_rounding && computes.rounds_dynamically() { result.with(Value::DATA) } else { result }
            }
            Instruction::Warp(WarpInstruction::Population { rs1, .. }) => Value { argument: None, ..of(rs1) },
            Instruction::Ballot { rs1, .. } => Value { data: of(rs1).data, ..Value::PROGRAMMATIC },
            _ => Value::DATA,
        };
        if let Some(rd) = instruction.destination() {
            values[usize::from(rd)] = result;
        }
    }

    /// From this far behind an address.
    fn loaded(&self, base: Value, offset: i32) -> Value {
        match base.argument.map(|base| base.wrapping_add_signed(offset)) {
            Some(byte) if byte < 4 * self.program.argument_block_words() as u32 => Value::CONSTANT,
            _ => Value::DATA,
        }
    }
}

/// Whether it may change `frm`.
fn writes_rounding(instruction: Instruction) -> bool {
    match instruction {
        Instruction::Float(FloatInstruction::Status { csr, update, operand, .. }) => {
            let nothing = matches!(operand, Operand::Register(0) | Operand::Immediate(0)) && update != Update::Write;
            csr != FloatCsr::Flags && !nothing
        }
        _ => false,
    }
}

/// Adds a way to a place; whether that changes what is known there.
fn join(places: &mut BTreeMap<u32, Values>, place: u32, values: &Values) -> bool {
    let merged = places.get(&place).map_or(*values, |there| merge(there, values));
    places.insert(place, merged) != Some(merged)
}
