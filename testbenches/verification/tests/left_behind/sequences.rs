//! Programs that leave as much behind as they can, each followed by a random program.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::loader::Program;
use warploom_verification::cores;
use warploom_verification::fuzz::{Bench, Case, simulator};
use warploom_verification::random_program::Choices;
use warploom_verification::words::{
    BARRIER, ECALL, EXIT, add, add_immediate, and_immediate, branch_not_zero, csr, load, load_reserved, multiply,
    store, store_conditional,
};

use crate::state::{bench, check};

const REGIONS: u32 = 6;
const COUNTERS: u32 = 7;
const THREAD: u32 = 8;
const OTHER: u32 = 9;
/// The first of those that results go to, which nobody waits for.
const RESULT: u32 = 10;

/// What threads do last, some this, some that.
const ENDS: [fn() -> Vec<u32>; 8] = [
    || vec![EXIT],
    // Loads, a quotient and a product are under way.
    || {
        vec![
            load(2, RESULT, REGIONS, 0),
            load(2, RESULT + 1, REGIONS, 64),
            multiply(4, RESULT + 2, THREAD, REGIONS),
            multiply(0, RESULT + 3, THREAD, REGIONS),
            EXIT,
        ]
    },
    || vec![load_reserved(RESULT, COUNTERS), EXIT],
    || {
        vec![
            store_conditional(RESULT, COUNTERS, THREAD),
            load_reserved(RESULT, COUNTERS),
            store_conditional(RESULT, REGIONS, THREAD),
            EXIT,
        ]
    },
    // A barrier that the others end before they reach it.
    || vec![BARRIER, store_conditional(RESULT, COUNTERS, THREAD), EXIT],
    || vec![load(2, RESULT, REGIONS, 0), BARRIER, load(2, RESULT, REGIONS, 4), store(2, RESULT, REGIONS, 0), EXIT],
    || vec![load(2, RESULT, REGIONS, 128), ECALL],
    // Behind the end of global memory.
    || vec![load_reserved(RESULT, COUNTERS), add(RESULT, REGIONS, REGIONS), load(2, RESULT, RESULT, 0), EXIT],
];

/// Threads part by two bits of their numbers, to four of the ends. `traps`: also those that trap.
fn dirty(choices: &mut Choices, traps: bool) -> Program {
    let mut words = vec![
        csr(OTHER, 0xccf),
        load(2, REGIONS, OTHER, 0),
        load(2, COUNTERS, OTHER, 4),
        csr(THREAD, 0xcc0),
        csr(OTHER, 0xcc3),
    ];
    words.extend([add(OTHER, OTHER, THREAD), and_immediate(OTHER, OTHER, 3)]);
    let ends = if traps { ENDS.len() } else { ENDS.len() - 2 };
    for _ in 0..4 {
        let end = ENDS[choices.below(ends as u32) as usize]();
        words.push(branch_not_zero(OTHER, end.len() as i32 + 1));
        words.extend(end);
        words.push(add_immediate(OTHER, OTHER, 0xfff));
    }
    words.push(EXIT);
    Program::from_words("dirty", words).expect("a program")
}

fn sequence(config: &CoreConfig, programs: u64) {
    let config = CoreConfig { stack_depth: 48, ..config.clone() };
    let mut bench: Bench = bench(simulator(&config).unwrap(), &config);
    for seed in 0..programs {
        let mut choices = Choices::random(!seed);
        for _ in 0..1 + choices.below(3) {
            let case = Case::draw(&mut choices, &config).unwrap();
            let traps = choices.below(3) == 0;
            bench.leave(&Case { program: dirty(&mut choices, traps), ..case });
        }
        check(&mut bench, &config, seed);
    }
}

#[test]
fn programs_run_behind_those_that_leave_much_behind() {
    sequence(&cores::plain(), 15);
    sequence(&cores::with("capri+lcp", CoreConfig::tiny()), 10);
}

#[test]
#[ignore = "long: the cores with every kind of stack; runs in .ci/run"]
fn programs_run_behind_those_that_leave_much_behind_under_every_mechanism() {
    cores::each(&cores::tiny(), |config| sequence(config, 200));
}
