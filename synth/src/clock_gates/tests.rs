use warploom_sim::Interpreter;
use warploom_sim::netlist::Register;

use super::*;

/// A module with a clock, a reset, inputs and registers.
struct Demo(Module);

const CLOCK: NetId = NetId(0);

impl Demo {
    fn new() -> Self {
        let module = Module {
            name: "Demo".into(),
            source: "Demo".into(),
            nets: vec![],
            ports: vec![],
            exprs: vec![],
            instances: vec![],
            registers: vec![],
            memories: vec![],
        };
        let mut demo = Self(module);
        demo.port("clock", 1, NetKind::Clock);
        demo
    }

    fn net(&mut self, field: &str, width: usize, kind: NetKind, driver: Driver) -> NetId {
        self.0.nets.push(Net { name: name(field, &[]), width, kind, driver, variants: None });
        NetId(self.0.nets.len() as u32 - 1)
    }

    fn port(&mut self, field: &str, width: usize, kind: NetKind) -> ExprId {
        let net = self.net(field, width, kind, Driver::Parent);
        self.0.ports.push(net);
        self.expr(Op::Net(net), width)
    }

    fn input(&mut self, field: &str, width: usize) -> ExprId {
        self.port(field, width, NetKind::Input)
    }

    fn expr(&mut self, op: Op, width: usize) -> ExprId {
        Gating::new(&mut self.0).add(op, width)
    }

    /// A register that holds; its output.
    fn register(&mut self, field: &str, width: usize) -> ExprId {
        let q = self.net(field, width, NetKind::RegisterOutput(self.0.registers.len()), Driver::State);
        let value = self.expr(Op::Net(q), width);
        let (name, clock) = (name(field, &[]), CLOCK);
        self.0.registers.push(Register { name, width, initial: 0, clock, reset: None, enable: None, d: value, q });
        value
    }

    fn last(&mut self) -> &mut Register {
        self.0.registers.last_mut().expect("a register")
    }

    fn netlist(self) -> Netlist {
        Netlist { modules: vec![self.0], top: ModuleId(0) }
    }

    fn gated(self) -> (Module, usize) {
        let (mut netlist, gates) = gate_clocks(&self.netlist(), FROM_BITS);
        (netlist.modules.pop().expect("the top"), gates)
    }
}

/// The condition of a gate.
fn enable(module: &Module, gate: usize) -> &Op {
    let Driver::Expr(condition) = module.net(module.instances[gate].ports[1]).driver else { panic!("no condition") };
    &module.expr(condition).op
}

#[test]
fn an_enable_becomes_a_gate() {
    let mut demo = Demo::new();
    let (write, value) = (demo.input("write", 1), demo.input("value", 4));
    demo.register("kept", 4);
    (demo.last().enable, demo.last().d) = (Some(write), value);
    let (module, gates) = demo.gated();
    assert_eq!(gates, 1);
    let [gate] = &module.instances[..] else { panic!("{:?}", module.instances) };
    let register = &module.registers[0];
    assert_eq!((gate.module, gate.ports[0], gate.ports[2]), (ModuleId(0), CLOCK, register.clock));
    assert_eq!((register.enable, register.d), (None, value));
    assert_eq!(enable(&module, 0), &module.expr(write).op);
}

#[test]
fn so_does_a_multiplexer_that_holds() {
    let mut demo = Demo::new();
    let (write, clear, value) = (demo.input("write", 1), demo.input("clear", 1), demo.input("value", 4));
    let held = demo.register("kept", 4);
    let inner = demo.expr(Op::Mux(write, value, held), 4);
    demo.last().d = demo.expr(Op::Mux(clear, held, inner), 4);
    let (module, gates) = demo.gated();
    assert_eq!((gates, module.registers[0].d), (1, value));
    let Op::And(not_clear, when) = enable(&module, 0) else { panic!("{:?}", enable(&module, 0)) };
    assert_eq!((module.expr(*not_clear).op.clone(), *when), (Op::Not(clear), write));
}

#[test]
fn so_do_bits_that_are_set_and_cleared() {
    let mut demo = Demo::new();
    let (sets, clears) = (demo.input("sets", 1), demo.input("clears", 1));
    let (set, cleared) = (demo.input("set", 4), demo.input("cleared", 4));
    let held = demo.register("kept", 4);
    let zero = demo.expr(Op::Const(0), 4);
    let set = demo.expr(Op::Mux(sets, set, zero), 4);
    let cleared = demo.expr(Op::Mux(clears, cleared, zero), 4);
    let others = demo.expr(Op::Not(cleared), 4);
    let kept = demo.expr(Op::And(held, others), 4);
    let value = demo.expr(Op::Or(kept, set), 4);
    demo.last().d = value;
    let (module, gates) = demo.gated();
    assert_eq!((gates, module.registers[0].d), (1, value));
    assert_eq!(enable(&module, 0), &Op::Or(clears, sets));
}

/// Any bit may be set in any cycle.
#[test]
fn bits_that_are_set_without_a_condition_are_not_gated() {
    let mut demo = Demo::new();
    let (clears, set) = (demo.input("clears", 1), demo.input("set", 4));
    let held = demo.register("kept", 4);
    let zero = demo.expr(Op::Const(0), 4);
    let cleared = demo.expr(Op::Mux(clears, zero, held), 4);
    demo.last().d = demo.expr(Op::Or(cleared, set), 4);
    assert_eq!(demo.gated().1, 0);
}

#[test]
fn what_changes_always_or_is_narrow_is_as_it_was() {
    let mut demo = Demo::new();
    let (write, value, few) = (demo.input("write", 1), demo.input("value", 4), demo.input("few", 3));
    demo.register("always", 4);
    demo.last().d = value;
    demo.register("narrow", 3);
    (demo.last().enable, demo.last().d) = (Some(write), few);
    let netlist = demo.netlist();
    assert_eq!(gate_clocks(&netlist, FROM_BITS), (netlist, 0));
}

#[test]
fn a_reset_comes_through() {
    let mut demo = Demo::new();
    let (reset, write, value) = (demo.input("reset", 1), demo.input("write", 1), demo.input("value", 4));
    demo.register("kept", 4);
    (demo.last().reset, demo.last().enable, demo.last().d) = (Some(reset), Some(write), value);
    let (module, gates) = demo.gated();
    assert_eq!((gates, enable(&module, 0)), (1, &Op::Or(reset, write)));
    assert_eq!(module.registers[0].reset, Some(reset));
}

#[test]
fn registers_with_one_condition_share_a_gate() {
    let mut demo = Demo::new();
    let (write, other) = (demo.input("write", 1), demo.input("other", 1));
    // Together the first two are wide enough.
    for (field, width, enable) in [("a", 2, write), ("b", 2, write), ("c", 4, other)] {
        let value = demo.input(&format!("{field}_value"), width);
        demo.register(field, width);
        (demo.last().enable, demo.last().d) = (Some(enable), value);
    }
    let (module, gates) = demo.gated();
    let clocks: Vec<NetId> = module.registers.iter().map(|register| register.clock).collect();
    assert_eq!((gates, module.instances.len()), (2, 2));
    assert!(clocks[0] == clocks[1] && clocks[1] != clocks[2], "{clocks:?}");
}

#[test]
fn instances_are_of_the_modules_they_were_of() {
    let mut leaf = Demo::new();
    let (write, value) = (leaf.input("write", 1), leaf.input("value", 4));
    leaf.register("kept", 4);
    (leaf.last().enable, leaf.last().d) = (Some(write), value);
    leaf.0.name = "Leaf".into();
    let mut top = Demo::new();
    let ports = vec![CLOCK; leaf.0.ports.len()];
    let name = Segment { field: "leaf".into(), index: vec![] };
    top.0.instances.push(Instance { name, module: ModuleId(0), ports });
    let netlist = Netlist { modules: vec![leaf.0, top.0], top: ModuleId(1) };
    assert_eq!(gate_clocks(&netlist, 5), (netlist.clone(), 0), "too few bits");
    let (gated, gates) = gate_clocks(&netlist, FROM_BITS);
    assert_eq!((gates, gated.top().name.as_str()), (1, "Demo"));
    let leaf = gated.module(gated.top().instances[0].module);
    assert_eq!((leaf.name.as_str(), gated.module(leaf.instances[0].module).name.as_str()), ("Leaf", CLOCK_GATE));
}

/// Random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

const WIDTH: usize = 3;

/// A next value that holds here and there.
fn next(demo: &mut Demo, random: &mut Random, q: ExprId, bits: &[ExprId], values: &[ExprId], depth: usize) -> ExprId {
    match random.below(if depth == 0 { 2 } else { 7 }) {
        0 => q,
        1 => random.one_of(values),
        which @ 2..4 => {
            let (condition, value) = (random.one_of(bits), random.one_of(values));
            let zero = demo.expr(Op::Const(0), WIDTH);
            let (a, b) = if random.below(2) == 0 { (value, zero) } else { (zero, value) };
            let some = demo.expr(Op::Mux(condition, a, b), WIDTH);
            let of = next(demo, random, q, bits, values, depth - 1);
            let others = demo.expr(Op::Not(some), WIDTH);
            demo.expr(if which == 2 { Op::Or(of, some) } else { Op::And(others, of) }, WIDTH)
        }
        _ => {
            let condition = random.one_of(bits);
            let [a, b] = [0, 1].map(|_| next(demo, random, q, bits, values, depth - 1));
            demo.expr(Op::Mux(condition, a, b), WIDTH)
        }
    }
}

/// Some registers, by what is in them and by inputs.
fn design(random: &mut Random) -> Netlist {
    let mut demo = Demo::new();
    let mut bits = vec![demo.input("a", 1), demo.input("b", 1), demo.input("c", 1)];
    let mut values = vec![demo.input("value", WIDTH)];
    let registers: Vec<ExprId> = (0..4).map(|i| demo.register(&format!("r{i}"), WIDTH)).collect();
    for &q in &registers {
        bits.push(demo.expr(Op::Slice { value: q, low: 1 }, 1));
        let other = random.one_of(&values);
        values.extend([q, demo.expr(Op::Add(q, other), WIDTH)]);
    }
    for (number, &q) in registers.iter().enumerate() {
        let d = next(&mut demo, random, q, &bits, &values, 3);
        let [reset, enable] = [0, 1].map(|_| (random.below(3) == 0).then(|| random.one_of(&bits)));
        let register = &mut demo.0.registers[number];
        (register.initial, register.d, register.reset, register.enable) = (number as u64, d, reset, enable);
    }
    demo.netlist()
}

/// A register behind a gate as one that takes what it would, a reset included, where the gate is open, and else holds.
fn as_the_gates_do(netlist: &mut Netlist) {
    let module = &mut netlist.modules[netlist.top.0 as usize];
    for number in 0..module.registers.len() {
        let Register { clock, reset, d, width, initial, .. } = module.registers[number];
        let NetKind::ChildOutput(gate) = module.net(clock).kind else { continue };
        let Driver::Expr(enable) = module.net(module.instances[gate].ports[1]).driver else { panic!("no condition") };
        let mut gating = Gating::new(module);
        let initial = gating.add(Op::Const(initial), width);
        let d = reset.map_or(d, |reset| gating.add(Op::Mux(reset, initial, d), width));
        let register = &mut module.registers[number];
        (register.clock, register.reset, register.enable, register.d) = (CLOCK, None, Some(enable), d);
    }
}

#[test]
fn registers_take_what_they_took_without_gates() {
    let (mut random, mut gates, mut held) = (Random(1), 0, 0);
    for round in 0..300 {
        let netlist = design(&mut random);
        let (mut gated, count) = gate_clocks(&netlist, 1);
        gates += count;
        as_the_gates_do(&mut gated);
        let [mut one, mut other] = [&netlist, &gated].map(Interpreter::new);
        let mut before = [0; 4];
        for cycle in 0..30 {
            for (port, width) in [("a", 1), ("b", 1), ("c", 1), ("value", WIDTH)] {
                let value = random.below(1 << width);
                [&mut one, &mut other].into_iter().for_each(|design| design.set(port, value));
            }
            [&mut one, &mut other].into_iter().for_each(|design| design.step());
            for (i, before) in before.iter_mut().enumerate() {
                let register = format!("r{i}");
                let [ours, theirs] =
                    [&mut one, &mut other].map(|design| design.peek(&[&register]).expect("a register"));
                assert_eq!(ours, theirs, "{register} of design {round} after cycle {cycle}: {netlist:?}");
                held += usize::from(std::mem::replace(before, ours) == ours);
            }
        }
    }
    assert!(gates > 300 && held > 10_000, "{gates} gates, {held} times something was held");
}
