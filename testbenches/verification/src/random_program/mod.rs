//! Random divergent programs, for comparing the core with the reference model.
//!
//! Structured control flow over a few data registers: nested `if`/`else`, loops whose trips differ from thread to thread or do not, with
//! `break` (also out of the loop around) and `continue`, loops that some enter in their middle, calls four deep, also by pointers, early exits, barriers at top level, on both sides of a divergent branch and on
//! every way out of a loop. Every kind of arithmetic; loads and stores of every size in a region of each thread's own, in its private memory and in its word of
//! shared memory; bytes and halfwords between those of other threads; divergent loads from a shared table; exchange through shared memory between barriers. Atomics
//!
//! - on the thread's own words, and on words of shared memory that no other thread touches at the time,
//! - on a sum of the CTA in shared memory, read between barriers,
//! - on counters, one commutative operation a counter, result unused,
//! - on counters, any operation, result used ([`TICKETS`]): what they return depends on the schedule. It is written to one register and nothing else is, so that it can be
//!   seen, and [replayed](crate::reference::ReferenceDevice::replay),
//! - by LR/SC until it succeeds, on sums ([`SUMS`]): the attempts depend on the schedule, and write one register that nobody else reads;
//! - an SC without LR, which fails, and an LR before the thread ends.
//!
//! With floats: every operation in every rounding mode, on numbers of all kinds, `frm` and `fflags` of every thread.
//!
//! In a ballot every thread looks for its own vote. With warp instructions: the same in `tree_traverse`; of each warp one lane stores in `cond_acc`.
//!
//! In some programs a thread may trap, one only, so that it is known which trap comes first.
//!
//! But for that, every thread computes the same whatever the schedule.
use std::ops::Range;

use warploom_runtime::loader::{LoadError, Program};

mod calls;
mod choices;
mod control;
mod encode;
mod floats;
mod loops;
mod prologue;
pub mod registers;
mod shape;
mod statements;
mod together;
mod traps;
mod warp;

pub use choices::Choices;
use control::Escapes;
pub use shape::Shape;

/// Bytes of global memory that each thread owns.
pub const REGION: u32 = 128;
/// Words of the read-only table.
pub const TABLE: usize = 64;
/// Where, behind the table, two bytes of every thread lie beside those of the next.
pub const NEIGHBOURS: u32 = 4 * TABLE as u32;
/// Shared counters: of each operation one, then [`TICKETS`], then [`SUMS`].
pub const COUNTERS: usize = 20;
/// Counters whose atomics return something that is used.
pub const TICKETS: Range<usize> = 8..16;
/// Counters that LR/SC update.
pub const SUMS: Range<usize> = 16..20;

const DEEPEST: u32 = 4;

/// Registers of a program.
#[derive(Clone, Copy, Default)]
struct Usage {
    /// Read.
    read: u64,
    /// Written by what takes long: loads, atomics, multiplications, divisions.
    late: u64,
    /// The sum of its CTA in shared memory.
    shared_sum: bool,
}

/// Generates a program for launches of this shape. Its arguments are the addresses of the regions, the counters and the table; each CTA
/// needs four bytes of shared memory a thread.
///
/// # Errors
/// None, unless the generator is wrong.
pub fn generate(choices: &mut Choices, shape: &Shape) -> Result<Program, LoadError> {
    let start = choices.count();
    let everything = Usage { read: u64::MAX, late: u64::MAX, shared_sum: true };
    let first = Generator::run(choices, shape, everything);
    // Once it is known which registers it uses, the same again, without what the others need.
    let mut again = Choices::replay(choices.since(start));
    let second = Generator::run(&mut again, shape, first.usage);
    Program::from_words("random program", second.words)
}

/// The program of a seed, for one-dimensional CTAs of `block` threads.
///
/// # Errors
/// None, unless the generator is wrong.
pub fn of_seed(seed: u64, block: u32) -> Result<Program, LoadError> {
    generate(&mut Choices::random(seed), &Shape { block: [block, 1, 1], ..Shape::default() })
}

/// What has been generated.
struct Generated {
    words: Vec<u32>,
    usage: Usage,
}

struct Generator<'a> {
    choices: &'a mut Choices,
    shape: &'a Shape,
    words: Vec<u32>,
    /// So far.
    usage: Usage,
    /// What the prologue has loaded.
    prologue_late: u64,
    /// Of the whole program but its prologue.
    needed: Usage,
    /// Statements left to spend, so that programs stay short.
    budget: u32,
    /// Whether threads of one warp may wait at different barriers.
    parted_barriers: bool,
    /// A thread may trap.
    may_trap: bool,
    /// It has no place to do so yet.
    trap_is_left: bool,
    calls: calls::Calls,
}

impl<'a> Generator<'a> {
    fn run(choices: &'a mut Choices, shape: &'a Shape, needed: Usage) -> Generated {
        let mut generator = Generator {
            choices,
            shape,
            words: vec![],
            usage: Usage::default(),
            prologue_late: 0,
            needed,
            budget: 60,
            parted_barriers: false,
            may_trap: false,
            trap_is_left: false,
            calls: calls::Calls::default(),
        };
        generator.program();
        Generated { words: generator.words, usage: generator.usage }
    }

    fn program(&mut self) {
        self.prologue();
        // What it uses for itself says nothing about what must be set up.
        self.prologue_late = std::mem::take(&mut self.usage).late;
        self.parted_barriers = self.below(4) != 0;
        self.calls.policy = self.choices.of(&calls::Policy::ALL);
        self.may_trap = self.below(6) == 5;
        self.trap_is_left = self.may_trap;
        let kind = self.below(3);
        if kind == 1 && self.parted_barriers {
            self.ways_out();
        }
        self.body(0, None);
        if kind == 2 && self.parted_barriers {
            self.last_loop();
        }
        self.end();
        self.functions();
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.choices.below(bound)
    }

    /// Some statements; `escapes` collects the ways out of the innermost loop.
    fn body(&mut self, depth: u32, mut escapes: Escapes) {
        let most = if depth == 0 { 14 } else { 6 };
        for _ in 0..most {
            let start = self.choices.count();
            if self.budget == 0 || self.below(8) == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(depth, escapes.as_deref_mut());
            self.choices.end_span(start);
        }
    }

    /// Threads show what they have computed, if they do, and end.
    fn end(&mut self) {
        let shown: &[u32] = if self.below(4) == 0 { &[] } else { &registers::DATA };
        for &register in shown {
            self.store(2, register, registers::REGION_BASE, 4 * register);
        }
        if self.shape.floats && !shown.is_empty() {
            self.show_floats();
        }
        self.settle(shown);
        self.abandon_reservation();
        self.exit();
    }
}
