//! How many arguments a kernel in C has to be given.
//!
//! The start code loads all argument registers, and calls the kernel. Those that the kernel, or what it calls with them, reads before they
//! are written are its parameters, and those before them: liveness, backwards over the graphs of the functions.
use std::collections::BTreeMap;

use petgraph::Direction;

use super::control_flow::Function;
use super::{Program, REGISTER_ARGUMENTS};
use crate::isa::{Csr, Instruction, Register, decode};

/// Number of the first argument register, a0.
const FIRST: Register = 10;

/// A bit for each argument register.
type Registers = u8;

/// Arguments of the kernel that start code like ours calls, in words and as far as registers hold them; 0 of any other program.
pub(super) fn parameters(program: &Program, functions: &[Function]) -> usize {
    let reads_block = |pc: u32| matches!(instruction(program, pc), Instruction::ReadCsr { csr: Csr::Arguments, .. });
    let start = functions.iter().find(|function| function.start == program.entry);
    let Some(start) = start.filter(|start| start.graph.nodes().any(reads_block)) else { return 0 };
    let mut read: BTreeMap<u32, Registers> = BTreeMap::new();
    loop {
        let now = functions.iter().map(|function| (function.start, at_start(program, function, &read))).collect();
        if read == now {
            break;
        }
        read = now;
    }
    let called = start.calls.values().chain(start.tail_calls.values());
    let all = called.fold(0, |all, target| all | read.get(target).copied().unwrap_or_default());
    (Registers::BITS - all.leading_zeros()) as usize
}

fn instruction(program: &Program, pc: u32) -> Instruction {
    decode(program.word(pc).unwrap_or_default())
}

fn bit(register: Option<Register>) -> Registers {
    let index = register.and_then(|register| register.checked_sub(FIRST)).unwrap_or(Register::MAX);
    if usize::from(index) < REGISTER_ARGUMENTS { 1 << index } else { 0 }
}

/// The argument registers that a function reads before it writes them, if those that it calls do so with these.
fn at_start(program: &Program, function: &Function, read: &BTreeMap<u32, Registers>) -> Registers {
    let mut live: BTreeMap<u32, Registers> = BTreeMap::new();
    let mut waiting: Vec<u32> = function.graph.nodes().collect();
    while let Some(pc) = waiting.pop() {
        let instruction = instruction(program, pc);
        let before = if function.is_call(pc) {
            // It may write all of them.
            function.calls.get(&pc).and_then(|target| read.get(target)).copied().unwrap_or_default()
        } else {
            let behind = |next| live.get(&next).copied().unwrap_or_default();
            let behind = function.graph.neighbors(pc).map(behind).fold(0, |all, one| all | one);
            let sources = instruction.sources().into_iter().map(bit).fold(0, |all, one| all | one);
            sources | behind & !bit(instruction.destination())
        };
        if live.insert(pc, before) != Some(before) {
            waiting.extend(function.graph.neighbors_directed(pc, Direction::Incoming));
        }
    }
    live.get(&function.start).copied().unwrap_or_default()
}
