//! What a clock enable makes come and go, while nothing else changes: the generated simulator against the interpreter.
use warploom_sim::netlist::*;
use warploom_sim::{BuildOptions, Interpreter, Simulator};

mod support;

use support::Builder;
use support::compare::cache;
use support::random::Random;

/// A divider by three, and its tick.
fn tick(b: &mut Builder) -> ExprId {
    let (phase, phase_q) = b.register("phase", &[], 2, 0);
    let [zero, one, two] = [0, 1, 2].map(|value| b.constant(2, value));
    let tick = b.expr(1, Op::Eq(phase_q, two));
    let more = b.expr(2, Op::Add(phase_q, one));
    b.module.registers[phase].d = b.expr(2, Op::Mux(tick, zero, more));
    tick
}

/// Of two values, enough to be a partition of its own.
fn much(b: &mut Builder, mut value: ExprId, with: ExprId) -> ExprId {
    for _ in 0..100 {
        let sum = b.expr(32, Op::Add(value, with));
        value = b.expr(32, Op::Mul(sum, sum));
    }
    value
}

/// ```text
///  phase -> tick --+--> product  of the work, in a tick of the data if they `turn`
///                  +--> work     takes it in a tick, if `start`
///                  +--> rows     take it in a tick, if `keep`; and what is poked at any time
///                  +--> shown    of it in a tick, else of the data, too
/// ```
fn divided() -> Netlist {
    let mut b = Builder::new("Divided");
    let [start, keep, turn, poke] = ["start", "keep", "turn", "poke"].map(|name| b.input(name, &[], 1));
    let [data, poked] = ["data", "poked_data"].map(|name| b.input(name, &[], 32));
    let row = b.input("poked_row", &[], 2);
    let tick = tick(&mut b);
    let (work, work_q) = b.register("work", &[], 32, 1);
    let [starts, turns] = [start, turn].map(|asked| b.expr(1, Op::And(tick, asked)));
    let turned = b.expr(32, Op::Mux(turns, data, work_q));
    let product = much(&mut b, turned, work_q);
    b.module.registers[work].d = b.expr(32, Op::Mux(starts, product, work_q));
    let rows = b.memory("rows", &[], 32, 4);
    let keeps = b.expr(1, Op::And(tick, keep));
    let at = b.expr(2, Op::Slice { value: product, low: 0 });
    let writes = [(poke, row, poked), (keeps, at, product)];
    b.module.memories[rows].writes =
        writes.map(|(enable, address, data)| WritePort { enable, address, data, mask: None }).to_vec();
    let kept = b.read(rows, row, None);
    let shown = b.expr(32, Op::Mux(tick, product, data));
    let shown = much(&mut b, shown, product);
    b.output("shown", &[], shown);
    b.output("kept", &[], kept);
    Netlist { modules: vec![b.module], top: ModuleId(0) }
}

/// ```text
///  phase -> tick ----> product  of the data, in a tick of the other if they `turn`: it stores nothing
///                         |
///        counters.sum, frontend.sum  of itself and the product, in each cycle
/// ```
fn heard() -> Netlist {
    let mut child = Builder::new("Counters");
    let product = child.input("product", &[], 32);
    let (sum, sum_q) = child.register("sum", &[], 32, 1);
    child.module.registers[sum].d = much(&mut child, sum_q, product);
    child.output("sum_now", &[], sum_q);
    let mut b = Builder::new("Heard");
    let turn = b.input("turn", &[], 1);
    let [data, other] = ["data", "other"].map(|name| b.input(name, &[], 32));
    let tick = tick(&mut b);
    let turns = b.expr(1, Op::And(tick, turn));
    let turned = b.expr(32, Op::Mux(turns, other, data));
    let product = much(&mut b, turned, data);
    // What serves both is apart from either, and stays so: by these names the estimate takes them to work in most cycles.
    for name in ["counters", "frontend"] {
        let outputs = b.instance(support::segment(name, &[]), ModuleId(1), &child.module, |_, _| product);
        b.output(name, &[], outputs[0].1);
    }
    Netlist { modules: vec![b.module, child.module], top: ModuleId(0) }
}

/// Against the interpreter, of inputs that mostly stay for long: what the ticks have to do with.
fn compare(design: &Netlist, inputs: &[(&str, usize)], outputs: &[&str]) {
    let options = BuildOptions { cache: cache(), ..Default::default() };
    let mut simulator = Simulator::build(design, &options).unwrap();
    assert!(simulator.report().work.partitions > 1, "else nothing can rest");
    let mut reference = Interpreter::new(design);
    let mut random = Random::new(5);
    for cycle in 0..4000 {
        for &(name, width) in inputs {
            if name.starts_with("poke") || cycle % 20 == 0 {
                let value = random.value(width);
                reference.set(name, value);
                simulator.set(simulator.port(name).unwrap(), value);
            }
        }
        simulator.step();
        for &name in outputs {
            assert_eq!(simulator.get(simulator.port(name).unwrap()), reference.get(name), "{name} in cycle {cycle}");
        }
        reference.step();
    }
}

#[test]
fn what_rests_between_ticks_is_as_if_it_ran() {
    let flags = ["start", "keep", "turn", "poke"].map(|name| (name, 1));
    let values = [("data", 32), ("poked_row", 2), ("poked_data", 32)];
    compare(&divided(), &[&flags[..], &values].concat(), &["shown", "kept"]);
}

#[test]
fn who_hears_of_a_tick_from_another_is_not_left_out() {
    compare(&heard(), &[("turn", 1), ("data", 32), ("other", 32)], &["counters", "frontend"]);
}
