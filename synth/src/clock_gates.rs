//! Clocks that stand still: registers that hold their value under a condition get a clock that is gated by it, in place of a multiplexer for every bit.
//!
//! ```text
//!            +---+                                      +---+
//!    v ----->|mux|--> [q] --+-- q               v ----->|   |
//!     +----->|   |          |        ===>               |[q]|-- q
//!     | c -->+---+          |          c --> ClockGate  |   |
//!     +---------------------+                clock -->|-->|> |
//!                                                       +---+
//! ```
//! The conditions are those of the netlist: an enable; a next value that is the register itself on some paths; or bits that are set and cleared under a condition, for which there is no multiplexer to be saved but a clock
//! to stand still. Registers of a module with one condition share a gate. The gate takes its
//! enable while the clock is low, so a condition that depends on registers, and on inputs that change with them, is what it was at the edge that counts.
use std::collections::HashMap;

use warploom_sim::ir::mask;
use warploom_sim::netlist::{
    Driver, Expr, ExprId, Instance, Module, ModuleId, Net, NetId, NetKind, NetName, Netlist, Op, Segment,
};

use crate::verilog;

/// The module that gates a clock, with ports `clock`, `enable` and `gated`.
pub const CLOCK_GATE: &str = "ClockGate";

/// What it does, for whoever has a cell for it to put in its place.
const PORTABLE: &str = "  // Open while the clock is low.
  /* verilator lint_off LATCH */
  reg open;
  always @* if (!clock) open = enable;
  /* verilator lint_on LATCH */
  assign gated = clock & open;
";

/// Bits from which a gate costs less than the multiplexers that it saves.
pub const FROM_BITS: usize = 4;

/// The same design with gated clocks, where at least so many bits hold under one condition; and how many gates there are, in all types of modules.
pub fn gate_clocks(netlist: &Netlist, from_bits: usize) -> (Netlist, usize) {
    let mut gated = netlist.clone();
    let gates = gated.modules.iter_mut().map(|module| Gating::new(module).run(from_bits)).sum();
    if gates == 0 {
        return (netlist.clone(), 0);
    }
    // Children come before their parents.
    gated.modules.insert(0, gate());
    gated.top.0 += 1;
    (gated, gates)
}

/// The Verilog of a design with gated clocks, for tools that know no library.
pub fn export(netlist: &Netlist) -> String {
    let bodies = [(CLOCK_GATE.to_string(), PORTABLE.to_string())].into();
    verilog::export_with(&gate_clocks(netlist, FROM_BITS).0, &bodies)
}

/// The gate; what is in it is no netlist.
fn gate() -> Module {
    let port = |field: &str, kind, driver| Net { name: name(field, &[]), width: 1, kind, driver, variants: None };
    let zero = Expr { width: 1, op: Op::Const(0) };
    Module {
        name: CLOCK_GATE.into(),
        source: CLOCK_GATE.into(),
        nets: vec![
            port("clock", NetKind::Clock, Driver::Parent),
            port("enable", NetKind::Input, Driver::Parent),
            port("gated", NetKind::Output, Driver::Expr(ExprId(0))),
        ],
        ports: [0, 1, 2].map(NetId).into(),
        exprs: vec![zero],
        instances: vec![],
        registers: vec![],
        memories: vec![],
    }
}

fn name(field: &str, index: &[usize]) -> NetName {
    NetName(vec![Segment { field: field.into(), index: index.into() }])
}

/// When a register takes what.
#[derive(Clone, Copy)]
enum Next {
    /// This, always.
    Always(ExprId),
    /// The second, when the first is set.
    When(ExprId, ExprId),
    /// It holds.
    Never,
}

/// When a value sets or clears bits of another.
#[derive(Clone, Copy)]
enum Busy {
    Never,
    When(ExprId),
    /// In any cycle.
    Maybe,
}

/// Registers of one clock that hold unless one condition is set.
struct Group {
    clock: NetId,
    condition: ExprId,
    /// By number, with what they take.
    registers: Vec<(usize, ExprId)>,
}

struct Gating<'a> {
    module: &'a mut Module,
    known: HashMap<Expr, ExprId>,
    /// Of the register at hand: what has been found of the values that go into its next one. Shared ones are met often.
    found: HashMap<ExprId, Next>,
    /// The same of what sets or clears bits, whose register does not matter.
    busy: HashMap<(ExprId, u64), Busy>,
}

impl<'a> Gating<'a> {
    fn new(module: &'a mut Module) -> Self {
        let known = module.exprs.iter().cloned().zip((0..).map(ExprId)).collect();
        Self { module, known, found: HashMap::new(), busy: HashMap::new() }
    }

    /// Gates what is worth it; how many gates that are.
    fn run(mut self, from_bits: usize) -> usize {
        self.module.instances.iter_mut().for_each(|instance| instance.module.0 += 1);
        let mut groups: Vec<Group> = vec![];
        for number in 0..self.module.registers.len() {
            let Some((condition, value)) = self.condition(number) else { continue };
            let clock = self.module.registers[number].clock;
            match groups.iter_mut().find(|group| (group.clock, group.condition) == (clock, condition)) {
                Some(group) => group.registers.push((number, value)),
                None => groups.push(Group { clock, condition, registers: vec![(number, value)] }),
            }
        }
        let bits = |group: &Group| -> usize {
            group.registers.iter().map(|(number, _)| self.module.registers[*number].width).sum()
        };
        groups.retain(|group| bits(group) >= from_bits);
        let count = groups.len();
        for (number, Group { clock, condition, registers }) in groups.into_iter().enumerate() {
            let gated = self.gate(number, clock, condition);
            for (register, value) in registers {
                let register = &mut self.module.registers[register];
                (register.clock, register.enable, register.d) = (gated, None, value);
            }
        }
        count
    }

    /// An instance of the gate; the net of its clock.
    fn gate(&mut self, number: usize, clock: NetId, condition: ExprId) -> NetId {
        let instance = self.module.instances.len();
        let mut net = |field: &str, kind, driver| {
            let name = name(field, &[number]);
            self.module.nets.push(Net { name, width: 1, kind, driver, variants: None });
            NetId(self.module.nets.len() as u32 - 1)
        };
        let enable = net("clock_enable", NetKind::ChildInput(instance), Driver::Expr(condition));
        let gated = net("gated_clock", NetKind::ChildOutput(instance), Driver::Child);
        let name = Segment { field: "clock_gate".into(), index: vec![number] };
        self.module.instances.push(Instance { name, module: ModuleId(0), ports: vec![clock, enable, gated] });
        gated
    }

    /// When a register changes at most, and what it is then, but for its reset; none if it may in every cycle.
    fn condition(&mut self, number: usize) -> Option<(ExprId, ExprId)> {
        let register = self.module.registers[number].clone();
        self.found.clear();
        let next = match register.enable {
            Some(enable) => Next::When(enable, register.d),
            None => self.next(register.d, register.q),
        };
        match (next, register.reset) {
            (Next::When(condition, value), None) => Some((condition, value)),
            (Next::When(condition, value), Some(reset)) => Some((self.add(Op::Or(reset, condition), 1), value)),
            (Next::Never, Some(reset)) => Some((reset, register.d)),
            (Next::Never, None) | (Next::Always(_), _) => None,
        }
    }

    /// Of a next value.
    fn next(&mut self, value: ExprId, q: NetId) -> Next {
        if let Some(&found) = self.found.get(&value) {
            return found;
        }
        let Expr { width, op } = self.module.exprs[value.0 as usize].clone();
        let next = match op {
            Op::Net(net) if net == q => Next::Never,
            Op::Net(net) => match self.module.net(net).driver {
                // A wire, by whose name the value is known.
                Driver::Expr(root) => match self.next(root, q) {
                    Next::Always(_) => Next::Always(value),
                    next => next,
                },
                _ => Next::Always(value),
            },
            Op::Mux(condition, a, b) => self.either(value, condition, [a, b], q, width),
            Op::Or(a, b) => self.changed(value, [a, b], 0, q),
            Op::And(a, b) => self.changed(value, [a, b], mask(width), q),
            _ => Next::Always(value),
        };
        self.found.insert(value, next);
        next
    }

    /// Of a value in which bits are set, or cleared: one operand is the register, the other is `idle`, of which nothing
    /// changes, unless a condition is set.
    fn changed(&mut self, value: ExprId, operands: [ExprId; 2], idle: u64, q: NetId) -> Next {
        let [a, b] = operands;
        for (held, other) in [(a, b), (b, a)] {
            let held = match self.next(held, q) {
                Next::Always(_) => continue,
                Next::When(condition, _) => Some(condition),
                Next::Never => None,
            };
            return match (held, self.busy(other, idle)) {
                (None, Busy::Never) => Next::Never,
                (Some(condition), Busy::Never) | (None, Busy::When(condition)) => Next::When(condition, value),
                (Some(one), Busy::When(other)) => Next::When(self.add(Op::Or(one, other), 1), value),
                (_, Busy::Maybe) => Next::Always(value),
            };
        }
        Next::Always(value)
    }

    /// When a value may be another than `idle`, which is all zeros or all ones.
    fn busy(&mut self, value: ExprId, idle: u64) -> Busy {
        if let Some(&known) = self.busy.get(&(value, idle)) {
            return known;
        }
        let Expr { width, op } = self.module.exprs[value.0 as usize].clone();
        let busy = match op {
            Op::Const(constant) if constant == idle => Busy::Never,
            Op::Not(value) => self.busy(value, mask(width) ^ idle),
            Op::Net(net) => match self.module.net(net).driver {
                Driver::Expr(root) => self.busy(root, idle),
                _ => Busy::Maybe,
            },
            Op::Mux(condition, a, b) => {
                let otherwise = |gating: &mut Self| gating.add(Op::Not(condition), 1);
                match (self.busy(a, idle), self.busy(b, idle)) {
                    (Busy::Never, Busy::Never) => Busy::Never,
                    (Busy::Maybe, Busy::Never) => Busy::When(condition),
                    (Busy::Never, Busy::Maybe) => Busy::When(otherwise(self)),
                    (Busy::When(a), Busy::Never) => Busy::When(self.and(condition, Some(a))),
                    (Busy::Never, Busy::When(b)) => {
                        let otherwise = otherwise(self);
                        Busy::When(self.and(otherwise, Some(b)))
                    }
                    (Busy::When(a), Busy::When(b)) => Busy::When(self.add(Op::Mux(condition, a, b), 1)),
                    (Busy::Maybe, _) | (_, Busy::Maybe) => Busy::Maybe,
                }
            }
            _ => Busy::Maybe,
        };
        self.busy.insert((value, idle), busy);
        busy
    }

    /// Of a multiplexer.
    fn either(&mut self, value: ExprId, condition: ExprId, [a, b]: [ExprId; 2], q: NetId, width: usize) -> Next {
        match (self.next(a, q), self.next(b, q)) {
            (Next::Always(_), Next::Always(_)) => Next::Always(value),
            (Next::Never, Next::Never) => Next::Never,
            (a, Next::Never) => {
                let (when, value) = self.parts(a);
                Next::When(self.and(condition, when), value)
            }
            (Next::Never, b) => {
                let (when, value) = self.parts(b);
                let otherwise = self.add(Op::Not(condition), 1);
                Next::When(self.and(otherwise, when), value)
            }
            (a, b) => {
                let ((first, a), (second, b)) = (self.parts(a), self.parts(b));
                let when = match (first, second) {
                    (None, Some(second)) => Op::Or(condition, second),
                    (Some(first), None) => Op::Or(self.add(Op::Not(condition), 1), first),
                    (Some(first), Some(second)) => Op::Mux(condition, first, second),
                    (None, None) => unreachable!("one of them holds at times"),
                };
                let when = self.add(when, 1);
                Next::When(when, self.add(Op::Mux(condition, a, b), width))
            }
        }
    }

    /// When, if not always, and what.
    fn parts(&self, next: Next) -> (Option<ExprId>, ExprId) {
        match next {
            Next::Always(value) => (None, value),
            Next::When(when, value) => (Some(when), value),
            Next::Never => unreachable!("the arms that hold are taken before"),
        }
    }

    fn and(&mut self, condition: ExprId, when: Option<ExprId>) -> ExprId {
        when.map_or(condition, |when| self.add(Op::And(condition, when), 1))
    }

    fn add(&mut self, op: Op, width: usize) -> ExprId {
        let expr = Expr { width, op };
        *self.known.entry(expr.clone()).or_insert_with(|| {
            self.module.exprs.push(expr);
            ExprId(self.module.exprs.len() as u32 - 1)
        })
    }
}

#[cfg(test)]
mod tests;
