//! What the vector pass makes of designs: how much, and what it has to leave.
use std::path::PathBuf;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::mechanism::Composition;
use warploom_hdl::prelude::*;
use warploom_sim::emit::Work;
use warploom_sim::gating::Partitions;
use warploom_sim::netlist::*;
use warploom_sim::{Passes, Simulator, elaborate, emit, flatten, glob::Globs, passes};

mod support;

use support::{Builder, segment};

fn work(netlist: &Netlist, passes: Passes) -> Work {
    let mut design = flatten::flatten(netlist, &Globs::default()).unwrap();
    passes::run(&mut design, &passes);
    emit::count(&design, &emit::schedule(&design, &Partitions::single(&design)))
}

/// `n` lanes that add their bit of a mask to a sum; the top gives the sums' parities as a mask, and their total.
fn lanes(n: usize) -> Netlist {
    let mut lane = Builder::new("Lane");
    let enable = lane.input("enable", &[], 1);
    let x = lane.input("x", &[], 32);
    let (r, q) = lane.register("sum", &[], 32, 0);
    lane.module.registers[r].d = lane.expr(32, Op::Add(q, x));
    lane.module.registers[r].enable = Some(enable);
    lane.output("sum_out", &[], q);
    let parity = lane.expr(1, Op::ReduceXor(q));
    lane.output("parity", &[], parity);

    let mut top = Builder::new("Top");
    let mask = top.input("mask", &[], n);
    let x = top.input("x", &[], 32);
    let (mut sums, mut parities) = (vec![], vec![]);
    for l in 0..n {
        let outputs = top.instance(segment("lanes", &[l]), ModuleId(0), &lane.module, |b, port| {
            if port.width == 1 { b.expr(1, Op::Slice { value: mask, low: l }) } else { x }
        });
        sums.push(outputs[0].1);
        parities.push(outputs[1].1);
    }
    let total = sums[1..].iter().fold(sums[0], |total, &sum| top.expr(32, Op::Add(total, sum)));
    top.output("total", &[], total);
    parities.reverse();
    let parities = top.expr(n, Op::Concat(parities));
    top.output("parities", &[], parities);
    Netlist { modules: vec![lane.module, top.module], top: ModuleId(1) }
}

#[test]
fn the_number_of_lanes_does_not_show_in_the_number_of_operations() {
    for n in [4, 8, 12, 16, 32, 48, 64] {
        let work = work(&lanes(n), Passes::default());
        assert_eq!(work.scalar_fallbacks, 0, "{n} lanes");
        // Unpack, broadcast, add, enable, parity; reduce and pack.
        assert_eq!((work.vector_ops, work.scalar_ops), (5, 2), "{n} lanes");
    }
}

#[test]
fn two_lanes_stay_scalar() {
    assert_eq!(work(&lanes(2), Passes::default()).vector_ops, 0);
}

#[test]
fn without_the_pass_there_are_no_vectors() {
    let work = work(&lanes(8), Passes { vectors: false, ..Passes::default() });
    assert_eq!(work.vector_ops, 0);
    assert!(work.scalar_ops > 8 * 3);
}

/// A chain through the lanes (each depends on the one before) must not become a loop through the vector.
#[test]
fn a_ripple_through_the_lanes_is_no_loop() {
    let mut top = Builder::new("Top");
    let x = top.input("x", &[], 8);
    let mut carry = top.constant(8, 0);
    for l in 0..8 {
        let (r, q) = top.register("r", &[l], 8, l as u64);
        let sum = top.expr(8, Op::Add(carry, q));
        carry = top.local("carry", &[l], sum);
        top.module.registers[r].d = top.expr(8, Op::Xor(carry, x));
    }
    top.output("carry_out", &[], carry);
    let netlist = Netlist { modules: vec![top.module], top: ModuleId(0) };
    let cache = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warploom-cache"));
    let options = warploom_sim::BuildOptions { cache, ..Default::default() };
    let mut simulator = Simulator::build(&netlist, &options).unwrap();
    simulator.step();
    let out = simulator.port("carry_out").unwrap();
    assert_eq!(simulator.get(out), 28);
    simulator.step();
    // After an edge with x = 0 the registers hold 0, 1, 3, 6... 28.
    assert_eq!(simulator.get(out), (0..8).map(|l| l * (l + 1) / 2).sum::<u64>());
}

/// A table of registers is one vector per column; what looks along a row takes a lane of each.
#[test]
fn a_row_across_vectors_is_not_one_of_them() {
    let mut top = Builder::new("Top");
    let x = top.input("x", &[], 8);
    let mut parities = vec![];
    for row in 0..8 {
        for column in 0..5 {
            let (r, q) = top.register("r", &[row, column], 8, (row * 5 + column) as u64);
            top.module.registers[r].d = top.expr(8, Op::Add(q, x));
            if row == 3 {
                let sum = top.expr(8, Op::Add(q, x));
                parities.insert(0, top.expr(1, Op::ReduceXor(sum)));
            }
        }
    }
    let parities = top.expr(5, Op::Concat(parities));
    top.output("parities", &[], parities);
    let netlist = Netlist { modules: vec![top.module], top: ModuleId(0) };
    let cache = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warploom-cache"));
    let options = warploom_sim::BuildOptions { cache, ..Default::default() };
    let mut simulator = Simulator::build(&netlist, &options).unwrap();
    simulator.evaluate();
    let expected: u64 = (0..5).map(|column| (((15 + column) as u64).count_ones() as u64 & 1) << column).sum();
    assert_eq!(simulator.get(simulator.port("parities").unwrap()), expected);
}

/// `n` registers, each of which takes one of a few sums over all of them: a sum is computed once, not in every lane that takes it.
#[test]
fn what_many_lanes_share_is_computed_once() {
    let mut top = Builder::new("Top");
    let registers: Vec<_> = (0..64).map(|l| top.register("r", &[l], 32, l as u64)).collect();
    let mut sums = [0, 32].map(|first| {
        let half = &registers[first..first + 32];
        half[1..].iter().fold(half[0].1, |sum, (_, q)| top.expr(32, Op::Add(sum, *q)))
    });
    // In both halves, the other's first.
    sums.reverse();
    for (l, &(r, q)) in registers.iter().enumerate() {
        top.module.registers[r].d = top.expr(32, Op::Xor(q, sums[l / 32]));
    }
    let netlist = Netlist { modules: vec![top.module], top: ModuleId(0) };
    let work = work(&netlist, Passes::default());
    assert_eq!(work.scalar_fallbacks, 0, "{work:?}");
    // By half: the half, its sum, and that in every lane. Then the halves together, and the next values.
    assert_eq!((work.vector_ops, work.scalar_ops), (2 + 2 + 2, 2), "{work:?}");
}

/// Words of a bit for each of many registers, four words of them: vectors along the words, not one lane for each word.
#[test]
fn long_words_of_bits_are_vectors_themselves() {
    let mut top = Builder::new("Top");
    let (words, bits) = (4, 32);
    let limits: Vec<ExprId> = (0..words).map(|word| top.input("limit", &[word], 8)).collect();
    let (held, values): (Vec<_>, Vec<_>) = (0..bits).map(|bit| top.register("value", &[bit], 8, bit as u64)).unzip();
    for (&r, &q) in held.iter().zip(&values) {
        top.module.registers[r].d = top.expr(8, Op::Add(q, limits[0]));
    }
    for (word, &limit) in limits.iter().enumerate() {
        let below: Vec<ExprId> = values.iter().rev().map(|&value| top.expr(1, Op::Lt(value, limit))).collect();
        let below = top.expr(bits, Op::Concat(below));
        let (r, q) = top.register("below", &[word], bits, 0);
        top.module.registers[r].d = top.expr(bits, Op::Xor(q, below));
    }
    let netlist = Netlist { modules: vec![top.module], top: ModuleId(0) };
    let work = work(&netlist, Passes::default());
    // By word: the limit in every lane, the comparison, and its bits as a word. The sums are two operations more.
    assert!(work.vector_ops <= 3 * words + 2, "{work:?}");
    assert!(work.scalar_ops <= 2 * words, "{work:?}");
}

#[test]
fn combinational_loops_are_refused_by_name() {
    let mut top = Builder::new("Top");
    let x = top.input("x", &[], 1);
    let first = top.local("first", &[], x);
    let second = top.local("second", &[], first);
    let through = top.expr(1, Op::And(second, x));
    let Op::Net(net) = top.module.expr(first).op else { unreachable!("a local is a net") };
    top.module.nets[net.0 as usize].driver = Driver::Expr(through);
    top.output("out", &[], first);
    let netlist = Netlist { modules: vec![top.module], top: ModuleId(0) };
    let error = Simulator::build(&netlist, &Default::default()).expect_err("a loop").to_string();
    assert!(error.contains("first") && error.contains("second"), "{error}");
}

/// Fails when a change to the hardware or to the passes takes lanes out of the vectors.
#[test]
fn the_core_stays_vectorised() {
    let mut core = Core::new(&CoreConfig::paper());
    core.connect_all();
    let work = work(&elaborate(&core).unwrap(), Passes::default());
    assert!(work.scalar_fallbacks <= 12, "{work:?}");
    assert!(work.scalar_ops <= 3000 && work.vector_ops <= 1500, "{work:?}");
}

/// The same for mechanisms that have a second dimension, sides or CTAs, beside that of the warps or lanes.
#[test]
fn cores_with_sides_stay_vectorised() {
    for (mechanism, fallbacks, operations) in [("dws:50", 24, 5500), ("tbc+dpe", 24, 6000), ("dwf", 64, 5600)] {
        let composition: Composition = mechanism.parse().unwrap();
        let mut core = Core::new(&CoreConfig::paper().with(composition));
        core.connect_all();
        let work = work(&elaborate(&core).unwrap(), Passes::default());
        assert!(work.scalar_fallbacks <= fallbacks, "{mechanism}: {work:?}");
        assert!(work.scalar_ops + work.vector_ops <= operations, "{mechanism}: {work:?}");
    }
}
