//! The float units against the reference: values and flags of every operation in every rounding mode.
//!
//! ```text
//!   corners, random vectors --+--> 32 lanes of a unit, generated simulator --+
//!   (vectors.rs)              |    (lanes.rs)                                +--> equal values and flags
//!                             +--> rustc_apfloat (reference/float.rs) -------+
//! ```
//!
//! By hand, ten million random vectors and all combinations of corners for each operation, which is what docs/verification/floats.md tells:
//! `WARPLOOM_WRITE=1 cargo test -p warploom-verification --test float campaign -- --ignored`.
use std::sync::Mutex;

use rustc_apfloat::ieee::{Semantics, SingleS};
use warploom_hdl::execute::float::FloatFormat;
use warploom_hdl::execute::float::operation::{FloatOperation, FloatRounding};
use warploom_runtime::kernels::Random;
use warploom_verification::cores::each;
use warploom_verification::reference::float::Format;

mod lanes;
mod operation;
mod page;
mod vectors;

use lanes::{Group, LANES, Units};
use operation::Operation;

/// Runs vectors and compares; how many there were.
struct Comparison<'a> {
    units: &'a mut Units,
    count: u64,
}

impl Comparison<'_> {
    /// Of an operation, in a rounding mode.
    fn run<S: Semantics>(
        &mut self,
        operation: Operation,
        rounding: FloatRounding,
        vectors: impl Iterator<Item = [u64; 3]>,
    ) {
        let mut vectors = vectors.peekable();
        while let Some(&first) = vectors.peek() {
            let mut operands = [first; LANES];
            let count = operands.iter_mut().zip(&mut vectors).map(|(lane, vector)| *lane = vector).count();
            self.count += count as u64;
            self.units.run(Group { operation, rounding, operands }, check::<S>);
        }
        self.units.drain(check::<S>);
    }
}

fn check<S: Semantics>(group: &Group, outcomes: &lanes::Outcomes) {
    for (operands, found) in group.operands.iter().zip(outcomes) {
        let expected = group.operation.reference::<S>(group.rounding, *operands);
        let (name, rounding) = (group.operation.name(), group.rounding);
        assert!(
            *found == expected,
            "{name}, {rounding:?}, of {operands:x?}: {:x} with flags {:05b}, not {:x} with {:05b}",
            found.result,
            found.flags,
            expected.result,
            expected.flags,
        );
    }
}

/// Corners in all combinations, every `every`th value of them for operations of three; then random ones. How many.
fn single(units: &mut Units, operation: Operation, every: usize, random: u64, seed: u64) -> [u64; 2] {
    let corners = vectors::corners();
    let fewer: Vec<u64> = corners.iter().copied().step_by(if operation.operands() == 3 { every } else { 1 }).collect();
    let mut comparison = Comparison { units, count: 0 };
    for &rounding in operation.modes() {
        comparison.run::<SingleS>(operation, rounding, vectors::directed(operation, &fewer).into_iter());
    }
    let directed = comparison.count;
    let mut source = Random::new(seed);
    let modes = operation.modes();
    let share = random.div_ceil(modes.len() as u64);
    for &rounding in modes {
        let vectors = (0..share).map(|_| vectors::random(operation, &corners, &mut source));
        comparison.run::<SingleS>(operation, rounding, vectors);
    }
    [directed, comparison.count - directed]
}

#[test]
fn every_operation_as_the_reference() {
    let mut units = Units::new(FloatFormat::SINGLE, 2);
    for operation in Operation::all() {
        single(&mut units, operation, 5, 5_000, 1);
    }
}

#[test]
#[ignore = "long: a million random vectors of every operation; runs in .ci/run"]
fn more_of_every_operation() {
    let mut units = Units::new(FloatFormat::SINGLE, 2);
    for operation in Operation::all() {
        single(&mut units, operation, 2, 1_000_000, 2);
    }
}

/// All operands of a format.
fn exhaustive<const EXPONENT: usize, const FRACTION: usize>(bits: usize, operations: impl Iterator<Item = Operation>) {
    let mut units = Units::new(FloatFormat { exponent: EXPONENT, fraction: FRACTION }, bits);
    let width = 1 + EXPONENT + FRACTION;
    let mut comparison = Comparison { units: &mut units, count: 0 };
    for operation in operations.filter(|operation| !matches!(operation, Operation::Compared(_))) {
        let operand = |vector: u64, number: usize| vector >> (number * width) & ((1 << width) - 1);
        for &rounding in operation.modes() {
            let vectors =
                (0..1u64 << (operation.operands() * width)).map(|vector| [0, 1, 2].map(|i| operand(vector, i)));
            comparison.run::<Format<EXPONENT, FRACTION>>(operation, rounding, vectors);
        }
    }
}

#[test]
fn all_operands_of_six_bits() {
    // A negative integer is a difference from 2^6, which this format has not.
    let others = |operation: &Operation| *operation != Operation::Pipelined(FloatOperation::FromInteger);
    exhaustive::<3, 2>(1, Operation::all().filter(others));
}

#[test]
#[ignore = "long: all operands of ten bits for operations of one or two; runs in .ci/run"]
fn all_operands_of_ten_bits() {
    exhaustive::<5, 4>(1, Operation::all().filter(|operation| operation.operands() < 3));
}

#[test]
#[ignore = "long: all quotients and roots of eleven bits; runs in .ci/run"]
fn all_quotients_and_roots_of_eleven_bits() {
    for bits in [1, 3] {
        exhaustive::<4, 6>(bits, [Operation::Quotient, Operation::Root].into_iter());
    }
}

#[test]
#[ignore = "campaign: ten million random vectors of every operation; by hand, docs/developer/tests.md"]
fn campaign() {
    let (operations, rows): (Vec<_>, _) = (Operation::all().enumerate().collect(), Mutex::new(vec![]));
    each(&operations, |&(number, operation)| {
        let mut units = Units::new(FloatFormat::SINGLE, 2);
        let [directed, random] = single(&mut units, operation, 1, 10_000_000, 3);
        println!("{}: {directed} corners, {random} random vectors, 0 differences", operation.name());
        rows.lock().unwrap().push((number, page::Row { operation: operation.name().into(), directed, random }));
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(number, _)| *number);
    page::record(&rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>());
}
