//! A litmus test as a kernel: many instances of it at once, each on words of its own.
use warploom_runtime::loader::Program;

use super::{Step, Test};
use crate::words::{
    EXIT, FENCE, add, add_immediate, amo, and_immediate, branch, branch_not_zero, branch_offset, csr, i_type, load,
    load_reserved, shift_left, store, store_conditional,
};

/// Bytes from a word to the next: another line, and the next channel.
const STRIDE_BITS: u32 = 8;
/// Words for each instance: four of the test, whether it needs them or not.
pub const WORDS_OF_AN_INSTANCE: usize = 4 << (STRIDE_BITS - 2);
/// Results for each, and words at the end.
const RESULT_BITS: u32 = 3;

/// Where the threads of an instance are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Each in a CTA of its own: on all cores in turn.
    Ctas,
    /// In a CTA, each in a warp of its own, of so many lanes (log2).
    Warps(u32),
    /// In a warp.
    Lanes,
}

const WORDS: u32 = 5;
const RESULTS: u32 = 6;
const INSTANCE: u32 = 7;
const ROLE: u32 = 8;
const DELAY: u32 = 9;
const SCRATCH: u32 = 10;
const VALUE: u32 = 11;
/// Registers from here on: addresses of words, then results.
const ADDRESS: u32 = 12;
const RESULT: u32 = 16;

fn shift_right(rd: u32, rs1: u32, by: u32) -> u32 {
    i_type(0x13, 5, rd, rs1, by)
}

fn step(step: Step) -> Vec<u32> {
    match step {
        Step::Store(word, value) => {
            vec![add_immediate(VALUE, 0, value), store(2, VALUE, ADDRESS + word, 0)]
        }
        Step::Load(word, result) => vec![load(2, RESULT + result as u32, ADDRESS + word, 0)],
        Step::Fence => vec![FENCE],
        Step::Add { word, value, result, release, acquire } => vec![
            add_immediate(VALUE, 0, value),
            amo(0, RESULT + result as u32, ADDRESS + word, VALUE) | u32::from(acquire) << 26 | u32::from(release) << 25,
        ],
        Step::Increment(word, result) => {
            let result = RESULT + result as u32;
            vec![
                load_reserved(result, ADDRESS + word),
                add_immediate(VALUE, result, 1),
                store_conditional(SCRATCH, ADDRESS + word, VALUE),
                branch_not_zero(SCRATCH, -3),
            ]
        }
    }
}

fn results(steps: &[Step]) -> impl Iterator<Item = usize> {
    steps.iter().filter_map(|step| match step {
        Step::Load(_, result) | Step::Add { result, .. } | Step::Increment(_, result) => Some(*result),
        _ => None,
    })
}

/// The arguments are the addresses of the words, of the results, and of a delay for each thread of each instance: how many turns of an empty loop it waits, and in bit 15
/// whether it loads all words before that.
pub fn program(test: &Test, places: Places) -> Program {
    let threads = test.threads.len().next_power_of_two().ilog2();
    let mut code = vec![csr(INSTANCE, 0xcc3), csr(ROLE, 0xcc0)];
    match places {
        Places::Ctas => {
            code.extend([and_immediate(ROLE, INSTANCE, (1 << threads) - 1), shift_right(INSTANCE, INSTANCE, threads)])
        }
        Places::Warps(lanes) => {
            // The first lane of each.
            code.extend([
                and_immediate(SCRATCH, ROLE, (1 << lanes) - 1),
                branch(0, SCRATCH, 0) | branch_offset(8),
                EXIT,
                shift_right(ROLE, ROLE, lanes),
            ]);
        }
        Places::Lanes => {}
    }
    code.extend([
        csr(SCRATCH, 0xccf),
        load(2, WORDS, SCRATCH, 0),
        load(2, RESULTS, SCRATCH, 4),
        load(2, DELAY, SCRATCH, 8),
        // Of this thread: its delay, its words, its results.
        shift_left(SCRATCH, INSTANCE, threads),
        add(SCRATCH, SCRATCH, ROLE),
        shift_left(SCRATCH, SCRATCH, 2),
        add(SCRATCH, SCRATCH, DELAY),
        load(2, DELAY, SCRATCH, 0),
        shift_left(SCRATCH, INSTANCE, STRIDE_BITS + 2),
        add(WORDS, WORDS, SCRATCH),
        shift_left(SCRATCH, INSTANCE, RESULT_BITS + 2),
        add(RESULTS, RESULTS, SCRATCH),
        add_immediate(ADDRESS, WORDS, 0),
    ]);
    for word in 1..test.words as u32 {
        code.push(add_immediate(ADDRESS + word, ADDRESS + word - 1, 1 << STRIDE_BITS));
    }
    let loads = (0..test.words as u32).map(|word| load(2, VALUE, ADDRESS + word, 0));
    code.push(shift_right(SCRATCH, DELAY, 15));
    code.push(branch(0, SCRATCH, 0) | branch_offset(4 * (test.words as u32 + 1)));
    code.extend(loads);
    code.extend([
        and_immediate(DELAY, DELAY, 0x7ff),
        // Waits for what was loaded.
        add(VALUE, VALUE, VALUE),
        add_immediate(DELAY, DELAY, 0xfff),
        i_type(0x13, 2, SCRATCH, DELAY, 1),
        branch(0, SCRATCH, 0) | branch_offset(-8_i32 as u32),
    ]);
    for (role, steps) in test.threads.iter().enumerate() {
        let mut part: Vec<u32> = steps.iter().flat_map(|what| step(*what)).collect();
        part.extend(results(steps).map(|result| store(2, RESULT + result as u32, RESULTS, 4 * result as u32)));
        part.push(EXIT);
        code.push(add_immediate(SCRATCH, ROLE, (-(role as i32)) as u32));
        code.push(branch_not_zero(SCRATCH, part.len() as i32 + 1));
        code.extend(part);
    }
    code.push(EXIT);
    Program::from_words(test.name, code).expect("a program")
}
