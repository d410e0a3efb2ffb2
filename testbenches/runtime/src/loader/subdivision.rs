//! Where a warp may be divided: the length of the block at which a branch reconverges.
//!
//! Dynamic warp subdivision divides a warp at a divergent branch if the block at its immediate post-dominator is short
//! (Rhu 2014, 3.1.2): the splits, which do not reconverge there, then repeat little work.
//!
//! A divided warp whose splits all wait at `bar.sync` cannot yield to a lower entry of its stack. That matters where a
//! barrier may be reached by some threads of a warp only; a program with such a barrier is not divided at all.
//!
//! Splits that meet at the same PC merge. If that happens in a function that they have called from different places, they return
//! to different addresses, which is a trap; so neither is a program divided in which some function is called from two places. A function that does
//! nothing but wait at a barrier may be: all threads have come to one call of it before the first comes to another.
use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction;

use super::Program;
use super::control_flow::{Branch, Function};
use super::likely_convergence::between;
use super::values::Condition;
use crate::isa::{Instruction, decode};

/// Instructions of the basic block at `rpc`.
pub(super) fn block_length(function: &Function, rpc: u32) -> u32 {
    let (mut length, mut pc) = (1, rpc);
    loop {
        let mut next = function.graph.neighbors(pc);
        match (next.next(), next.next()) {
            (Some(to), None)
                if to == pc + 4 && function.graph.neighbors_directed(to, Direction::Incoming).count() == 1 =>
            {
                (length, pc) = (length + 1, to);
            }
            _ => return length,
        }
    }
}

/// No barrier lies where the threads of a warp may have diverged, and every function returns to one place.
pub(super) fn is_safe_to_divide(
    program: &Program,
    functions: &[Function],
    branches: &BTreeMap<u32, Branch>,
    conditions: &BTreeMap<u32, Condition>,
) -> bool {
    let waiting = waiting_functions(program, functions);
    let returns = functions_return_to_one_place(program, functions);
    returns
        && functions.iter().all(|function| {
            let diverges = |pc: &&u32| !conditions.get(pc).copied().unwrap_or_default().uniform;
            function.branches.iter().filter(diverges).all(|&pc| {
                let rpc = branches.get(&pc).and_then(|branch| branch.rpc);
                !between(function, pc, rpc).iter().any(|&pc| waits(program, function, &waiting, pc))
            })
        })
}

/// No function in which splits could meet is called from two places, as far as that can be known.
fn functions_return_to_one_place(program: &Program, functions: &[Function]) -> bool {
    let only_waits = |function: &&Function| {
        function.branches.is_empty()
            && function.calls.is_empty()
            && function.tail_calls.is_empty()
            && function.graph.nodes().any(|pc| is_barrier(program, pc))
    };
    let meeting_places: BTreeSet<u32> = functions.iter().filter(only_waits).map(|function| function.start).collect();
    let calls = |function: &Function| {
        let calls = function.calls.iter().chain(&function.tail_calls);
        calls.map(|(&pc, &callee)| (pc, callee)).collect::<Vec<_>>()
    };
    let elsewhere = |&(_, callee): &(u32, u32)| !meeting_places.contains(&callee);
    let places: BTreeSet<(u32, u32)> = functions.iter().flat_map(calls).filter(elsewhere).collect();
    let callees: BTreeSet<u32> = places.iter().map(|&(_, callee)| callee).collect();
    let is_known = |function: &Function| function.indirect_calls.is_empty() && function.guesses.is_empty();
    callees.len() == places.len() && functions.iter().all(is_known)
}

fn is_barrier(program: &Program, pc: u32) -> bool {
    program.words.get(pc as usize / 4).is_some_and(|&word| decode(word) == Instruction::Barrier)
}

/// The instruction at `pc` is a barrier, or calls a function that may come to one.
fn waits(program: &Program, function: &Function, waiting: &BTreeSet<u32>, pc: u32) -> bool {
    let calls_one = |calls: &BTreeMap<u32, u32>| calls.get(&pc).is_some_and(|callee| waiting.contains(callee));
    is_barrier(program, pc)
        || calls_one(&function.calls)
        || (!waiting.is_empty() && function.indirect_calls.contains(&pc))
}

/// The functions that may come to a barrier.
fn waiting_functions(program: &Program, functions: &[Function]) -> BTreeSet<u32> {
    let mut waiting = BTreeSet::new();
    loop {
        let before = waiting.len();
        for function in functions {
            if function.graph.nodes().any(|pc| waits(program, function, &waiting, pc)) {
                waiting.insert(function.start);
            }
        }
        if waiting.len() == before {
            return waiting;
        }
    }
}
