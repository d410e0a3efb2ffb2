//! What a clock enable makes come and go, while nothing else changes: the generated simulator against the interpreter.
use warploom_sim::netlist::*;
use warploom_sim::{BuildOptions, Interpreter, Simulator};

mod support;

use support::Builder;
use support::compare::cache;
use support::random::Random;

/// A divider by three, whose tick all else waits for:
///
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
    let (phase, phase_q) = b.register("phase", &[], 2, 0);
    let [zero, one, two] = [0, 1, 2].map(|value| b.constant(2, value));
    let tick = b.expr(1, Op::Eq(phase_q, two));
    let more = b.expr(2, Op::Add(phase_q, one));
    b.module.registers[phase].d = b.expr(2, Op::Mux(tick, zero, more));
    let (work, work_q) = b.register("work", &[], 32, 1);
    let [starts, turns] = [start, turn].map(|asked| b.expr(1, Op::And(tick, asked)));
    // Enough to be a partition of its own.
    let much = |b: &mut Builder, mut value: ExprId, with: ExprId| {
        for _ in 0..100 {
            let sum = b.expr(32, Op::Add(value, with));
            value = b.expr(32, Op::Mul(sum, sum));
        }
        value
    };
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

#[test]
fn what_rests_between_ticks_is_as_if_it_ran() {
    let design = divided();
    let options = BuildOptions { cache: cache(), ..Default::default() };
    let mut simulator = Simulator::build(&design, &options).unwrap();
    assert!(simulator.report().work.partitions > 1, "else nothing can rest");
    let mut reference = Interpreter::new(&design);
    let mut random = Random::new(5);
    for cycle in 0..4000 {
        for (name, width) in
            [("start", 1), ("keep", 1), ("turn", 1), ("data", 32), ("poke", 1), ("poked_row", 2), ("poked_data", 32)]
        {
            // What the ticks have to do with stays for long.
            if name.starts_with("poke") || cycle % 20 == 0 {
                let value = random.value(width);
                reference.set(name, value);
                simulator.set(simulator.port(name).unwrap(), value);
            }
        }
        simulator.step();
        for name in ["shown", "kept"] {
            assert_eq!(simulator.get(simulator.port(name).unwrap()), reference.get(name), "{name} in cycle {cycle}");
        }
        reference.step();
    }
}
