//! Cycles that are skipped, because only counters would change in them, beside the same cycles stepped one by one.
use warploom_sim::netlist::*;
use warploom_sim::{BuildOptions, Passes, Simulator};

mod support;

use support::Builder;
use support::compare::cache;
use support::random::Random;

/// Enough to be a partition of its own.
fn much(b: &mut Builder, mut value: ExprId, with: ExprId) -> ExprId {
    for _ in 0..100 {
        let sum = b.expr(32, Op::Add(value, with));
        value = b.expr(32, Op::Mul(sum, sum));
    }
    value
}

/// Work that goes on while `start` is set, so that there is something that may rest; two partitions of it.
fn work(b: &mut Builder, start: ExprId, data: ExprId) {
    for name in ["left", "right"] {
        let (work, work_q) = b.register(name, &[], 32, 1);
        let product = much(b, work_q, data);
        b.module.registers[work].d = b.expr(32, Op::Mux(start, product, work_q));
        let shown = much(b, data, product);
        b.output(&format!("{name}_shown"), &[], shown);
    }
}

/// A register that wraps around from `last` to 0, by itself; and whether it is there.
fn phase(b: &mut Builder, name: &str, width: usize, last: u64) -> ExprId {
    let (phase, phase_q) = b.register(name, &[], width, 0);
    let (zero, one, last) = (b.constant(width, 0), b.constant(width, 1), b.constant(width, last));
    let tick = b.expr(1, Op::Eq(phase_q, last));
    let more = b.expr(width, Op::Add(phase_q, one));
    b.module.registers[phase].d = b.expr(width, Op::Mux(tick, zero, more));
    tick
}

/// A register that takes its value and `by`, if `when`, else its value; in reset 0.
fn counter(b: &mut Builder, (name, index): (&str, &[usize]), by: ExprId, when: ExprId, reset: ExprId) -> ExprId {
    let width = b.width(by);
    let (counter, counter_q) = b.register(name, index, width, 7);
    let more = b.expr(width, Op::Add(counter_q, by));
    b.module.registers[counter].d = b.expr(width, Op::Mux(when, more, counter_q));
    b.module.registers[counter].reset = Some(reset);
    b.output(&format!("{name}_now"), index, counter_q);
    counter_q
}

fn build(design: &Netlist, passes: Passes) -> Simulator {
    let options = BuildOptions { cache: cache(), passes, ..Default::default() };
    let simulator = Simulator::build(design, &options).unwrap();
    assert!(!passes.gating || simulator.report().work.partitions > 1, "else nothing can rest");
    simulator
}

/// The same design twice.
struct Pair {
    stepped: Simulator,
    skipped: Simulator,
    /// How many cycles were skipped.
    count: u64,
}

impl Pair {
    fn new(design: &Netlist) -> Self {
        let stepped = build(design, Passes::default());
        Self { skipped: stepped.another(), stepped, count: 0 }
    }

    fn set(&mut self, name: &str, value: u64) {
        for simulator in [&mut self.stepped, &mut self.skipped] {
            simulator.set(simulator.port(name).unwrap(), value);
        }
    }

    /// So many cycles, of which as many are skipped as can be but for the last one.
    fn run(&mut self, cycles: u64) {
        let mut left = cycles;
        while left > 0 {
            let skipped = self.skipped.skip(left - 1);
            assert!(skipped < left && (skipped == 0 || self.skipped.rests()));
            (0..skipped).for_each(|_| self.stepped.step());
            self.count += skipped;
            self.stepped.step();
            self.skipped.step();
            left -= skipped + 1;
            let [expected, state] = [&self.stepped, &self.skipped].map(Simulator::save);
            assert!(state == expected, "after {skipped} skipped: {}", difference(&expected, &state));
        }
    }
}

fn difference(expected: &warploom_sim::State, state: &warploom_sim::State) -> String {
    let registers = expected.registers.iter().map(|(name, word)| (name, word.value, state.registers[name].value));
    let ports = expected.ports.iter().map(|(name, word)| (name, word.value, state.ports[name].value));
    let wrong = registers.chain(ports).filter(|(_, value, other)| value != other);
    wrong.map(|(name, value, other)| format!("{name} is {other:#x}, not {value:#x}; ")).collect()
}

/// ```text
///  phase (mod 5) -> tick --> slots + 1, rows[..] + data if `keep`
///  time (12 bits) == 1000 -> alarms, a register
///  wraps + 200 (8 bits), down - 1, sums + data if `go`, pairs[..] + 1 if `go` or always
///  limited + 1 if `go` until it is 900, which it sees itself
/// ```
fn counters() -> Netlist {
    let mut b = Builder::new("Counters");
    let [reset, start, go, keep] = ["reset", "start", "go", "keep"].map(|name| b.input(name, &[], 1));
    let data = b.input("data", &[], 32);
    work(&mut b, start, data);
    let tick = phase(&mut b, "phase", 3, 4);
    let always = b.constant(1, 1);
    let [wrap, less] = [(8, 200), (7, u64::MAX)].map(|(width, by)| b.constant(width, by));
    let one = b.constant(16, 1);
    counter(&mut b, ("wraps", &[]), wrap, always, reset);
    counter(&mut b, ("down", &[]), less, go, reset);
    counter(&mut b, ("slots", &[]), one, tick, reset);
    counter(&mut b, ("sums", &[]), data, go, reset);
    for lane in 0..16 {
        counter(&mut b, ("pairs", &[lane]), one, if lane % 3 == 0 { go } else { always }, reset);
    }
    let ticked = phase(&mut b, "time", 12, 1000);
    let (alarms, alarms_q) = b.register("alarms", &[], 8, 0);
    let two = b.constant(8, 2);
    let more = b.expr(8, Op::Mul(alarms_q, two));
    let more = b.expr(8, Op::Xor(more, two));
    b.module.registers[alarms].d = b.expr(8, Op::Mux(ticked, more, alarms_q));
    b.output("alarms_now", &[], alarms_q);
    let (limited, limited_q) = b.register("limited", &[], 16, 0);
    let end = b.constant(16, 900);
    let below = b.expr(1, Op::Lt(limited_q, end));
    let counts = b.expr(1, Op::And(below, go));
    let more = b.expr(16, Op::Add(limited_q, one));
    b.module.registers[limited].d = b.expr(16, Op::Mux(counts, more, limited_q));
    b.output("limited_now", &[], limited_q);
    let rows = b.memory("rows", &[], 32, 4);
    let enable = b.expr(1, Op::And(tick, keep));
    let address = b.expr(2, Op::Slice { value: data, low: 0 });
    let kept = b.read(rows, address, None);
    let more = b.expr(32, Op::Add(kept, data));
    b.module.memories[rows].writes = vec![WritePort { enable, address, data: more, mask: None }];
    b.output("kept", &[], kept);
    Netlist { modules: vec![b.module], top: ModuleId(0) }
}

#[test]
fn counters_count_as_if_every_cycle_were_stepped() {
    let mut pair = Pair::new(&counters());
    for (name, value) in [("go", 1), ("data", 0x1234_5678), ("start", 1)] {
        pair.set(name, value);
    }
    pair.run(50);
    assert_eq!(pair.count, 0, "it works");
    pair.set("start", 0);
    // The one that is limited is seen, so it is no counter: nothing is skipped before it has come to its end.
    pair.run(840);
    assert_eq!(pair.count, 0);
    pair.run(10_000);
    // The alarm in a thousand and one cycles, and three behind it, when its partition follows and the tick is seen again.
    assert!(pair.count > 9_700, "{} skipped", pair.count);
    let skipped = pair.count;
    pair.set("keep", 1);
    pair.run(1000);
    assert!((100..800).contains(&(pair.count - skipped)), "a memory changes in each tick: {}", pair.count - skipped);
    let skipped = pair.count;
    pair.set("data", 0);
    pair.run(1000);
    assert!(pair.count - skipped > 900, "what is written is there already: {}", pair.count - skipped);
    for (name, value) in [("keep", 0), ("go", 0), ("data", 5)] {
        pair.set(name, value);
        pair.run(300);
    }
    let skipped = pair.count;
    pair.set("reset", 1);
    pair.run(100);
    assert_eq!(pair.count, skipped, "in reset");
    pair.set("reset", 0);
    pair.run(3000);
    assert!(pair.count > skipped + 2000);
}

/// Whether some of the next cycles are skipped: the ticks of two must be the same.
fn skips(simulator: &mut Simulator) -> bool {
    let skipped = |_| {
        simulator.step();
        simulator.skip(1)
    };
    (0..10).map(skipped).sum::<u64>() > 0
}

#[test]
fn what_does_not_rest_is_not_skipped() {
    let design = counters();
    let mut simulator = build(&design, Passes::default());
    assert!(!simulator.rests(), "nothing is known at the start");
    (0..20).for_each(|_| simulator.step());
    assert!(simulator.rests());
    simulator.set(simulator.port("data").unwrap(), 3);
    assert!(!simulator.rests(), "an input has changed");
    assert_eq!(simulator.skip(10), 0);
    (0..20).for_each(|_| simulator.step());
    assert!(simulator.rests());
    let state = simulator.save();
    simulator.restore(&state).unwrap();
    assert!(!simulator.rests(), "nothing is known of a state that was written");
    (0..20).for_each(|_| simulator.step());
    assert!(skips(&mut simulator));
    simulator.step();
    assert!(simulator.rests());
    simulator.disturb();
    assert_eq!((simulator.rests(), simulator.skip(10)), (false, 0), "the last cycle does not count");
    assert!(skips(&mut simulator));
    for passes in [Passes { idle: false, ..Passes::default() }, Passes { gating: false, ..Passes::default() }] {
        let mut simulator = build(&design, passes);
        (0..20).for_each(|_| simulator.step());
        assert_eq!((simulator.rests(), simulator.skip(10)), (false, 0), "{passes:?}");
    }
}

/// Something that may be a condition: a bit of the inputs, of a register, of what runs free.
fn any_of(random: &mut Random, of: &[ExprId]) -> ExprId {
    of[random.below(of.len())]
}

/// Counters of all kinds with conditions of all kinds, some of which something sees, and lanes that are none among lanes that are.
fn random_counters(random: &mut Random) -> Netlist {
    let mut b = Builder::new("RandomCounters");
    let (reset, start, data) = (b.input("reset", &[], 1), b.input("start", &[], 1), b.input("data", &[], 32));
    work(&mut b, start, data);
    let mut bits: Vec<ExprId> = (0..4).map(|low| b.expr(1, Op::Slice { value: data, low })).collect();
    bits.push(b.constant(1, 1));
    for i in 0..random.below(3) {
        let last = 1 + random.below(40) as u64;
        bits.push(phase(&mut b, &format!("phase{i}"), 6, last));
    }
    let mut counts = vec![];
    for i in 0..2 + random.below(6) {
        let (name, width) = (format!("count{i}"), random.width().max(2));
        let when = any_of(random, &bits);
        let by = match random.below(3) {
            0 => b.constant(width, 1),
            1 => b.constant(width, random.value(width)),
            _ if width <= 32 => b.expr(width, Op::Slice { value: data, low: 0 }),
            _ => b.expr(width, Op::ZeroExtend(data)),
        };
        let lanes = if random.chance(40) { 16 } else { 1 };
        for lane in 0..lanes {
            let index = [lane];
            let index = if lanes > 1 { &index[..] } else { &[] };
            let when = if random.chance(30) { any_of(random, &bits) } else { when };
            counts.push(counter(&mut b, (&name, index), by, when, reset));
        }
    }
    // Who sees some of them, and maxima, which see themselves.
    for i in 0..random.below(3) {
        let count = any_of(random, &counts);
        let width = b.width(count);
        let limit = b.constant(width, random.value(width));
        let (kind, name) = (random.below(3), format!("seen{i}"));
        let (seen, seen_q) = b.register(&name, &[], width, 0);
        let value = match kind {
            0 => b.expr(1, Op::Lt(count, limit)),
            1 => b.expr(1, Op::Eq(count, limit)),
            _ => b.expr(1, Op::Lt(seen_q, count)),
        };
        let sum = b.expr(width, Op::Add(seen_q, limit));
        let taken = if kind == 2 { count } else { sum };
        b.module.registers[seen].d = b.expr(width, Op::Mux(value, taken, seen_q));
        b.output(&format!("{name}_now"), &[], seen_q);
    }
    Netlist { modules: vec![b.module], top: ModuleId(0) }
}

#[test]
fn random_counters_count_as_if_every_cycle_were_stepped() {
    let mut skipped = vec![];
    for seed in 0..8 {
        let random = &mut Random::new(seed);
        let mut pair = Pair::new(&random_counters(random));
        for _ in 0..30 {
            for (name, width) in [("data", 32), ("start", 1), ("reset", 1)] {
                if random.chance(50) {
                    let value = random.value(width);
                    pair.set(name, if name == "data" || random.chance(20) { value } else { 0 });
                }
            }
            pair.run(1 + random.below(300) as u64);
        }
        skipped.push(pair.count);
    }
    assert!(skipped.iter().filter(|&&count| count > 500).count() > 3, "{skipped:?}");
}
