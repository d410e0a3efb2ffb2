//! Cuts a design and its gates at their registers, which are matched by name.
use std::collections::{BTreeMap, BTreeSet};

use super::blif::Network;
use crate::clock_gates::CLOCK_GATE;
use crate::yosys_json::{Bit, Instance, Module, ModulePort, bit_name};

/// Two networks with the same inputs and outputs.
#[derive(Debug)]
pub(super) struct Matched {
    /// The design's, in BLIF.
    pub design: String,
    /// The gates', in BLIF.
    pub gates: String,
    /// What the outputs are, in order.
    pub outputs: Vec<String>,
    /// Bits of registers of the design that the gates have.
    pub registers: usize,
}

/// Why they cannot be compared.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unmatched(pub String);

/// A flip-flop of one bit.
struct Register<'a> {
    clock: &'a Bit,
    next: &'a Bit,
    /// Without which it holds: that of the gate of its clock.
    enable: Option<&'a Bit>,
}

/// One of the two, sorted.
struct Side<'a> {
    module: &'a Module,
    /// By the net that they drive.
    registers: BTreeMap<u32, Register<'a>>,
    nets: BTreeMap<String, u32>,
    boxes: BTreeMap<&'a str, &'a Instance>,
}

impl<'a> Side<'a> {
    fn new(module: &'a Module, boxes: &[&str]) -> Result<Self, Unmatched> {
        let mut side = Self { module, registers: BTreeMap::new(), nets: module.net_names(), boxes: BTreeMap::new() };
        let gates = module.cells.values().filter(|cell| cell.kind == CLOCK_GATE);
        let gates = gates.filter_map(|gate| {
            let pin = |pin: &str| gate.connections.get(pin)?.first();
            Some((pin("gated")?, [pin("clock")?, pin("enable")?]))
        });
        let gates: Vec<(&Bit, [&Bit; 2])> = gates.collect();
        for (name, cell) in &module.cells {
            let pin = |pin: &str| cell.connections.get(pin).and_then(|bits| bits.first());
            match (cell.kind.as_str(), pin("Q")) {
                ("$_AND_" | "$_NOT_" | CLOCK_GATE, _) => {}
                ("$_DFF_P_", Some(Bit::Net(net))) => {
                    let (Some(clock), Some(next)) = (pin("C"), pin("D")) else { continue };
                    let gate = gates.iter().find(|(gated, _)| *gated == clock);
                    let (clock, enable) = gate.map_or((clock, None), |(_, [clock, enable])| (*clock, Some(*enable)));
                    side.registers.insert(*net, Register { clock, next, enable });
                }
                (kind, _) if boxes.contains(&kind) => {
                    side.boxes.insert(name, cell);
                }
                (kind, _) => return Err(Unmatched(format!("{name} is a {kind}, which cannot be compared"))),
            }
        }
        Ok(side)
    }

    /// The input that a register's clock is, if it is one.
    fn clock(&self, register: &Register) -> Option<&str> {
        let is_clock = |port: &ModulePort| port.direction == "input" && port.bits.contains(register.clock);
        self.module.ports.iter().find(|(_, port)| is_clock(port)).map(|(name, _)| name.as_str())
    }

    fn unmatched(&self, net: u32) -> Unmatched {
        let mut names = self.nets.iter().filter(|(_, of)| **of == net).map(|(name, _)| name);
        // Those of cells start so.
        let name = names.clone().find(|name| !name.starts_with(['_', '$'])).or(names.next());
        Unmatched(format!("{} is a register on one side only", name.map_or("a net without a name", String::as_str)))
    }
}

/// Inputs and outputs that both have, as they are found.
struct Common<'a> {
    design: Network<'a>,
    gates: Network<'a>,
    outputs: Vec<String>,
}

impl Common<'_> {
    fn output(&mut self, name: String, one: &Bit, other: &Bit) {
        self.design.output(one);
        self.gates.output(other);
        self.outputs.push(name);
    }

    fn input(&mut self, one: &Bit, other: &Bit) {
        if let (Bit::Net(one), Bit::Net(other)) = (one, other) {
            self.design.input(vec![*one]);
            self.gates.input(vec![*other]);
        }
    }

    /// Signals of one name. `of` is where they are.
    fn signals(
        &mut self,
        of: &str,
        pins: &Pins,
        others: &Pins,
        is_input: &dyn Fn(&str) -> bool,
    ) -> Result<(), Unmatched> {
        for (name, bits) in pins {
            let others = others.get(name).filter(|others| others.len() == bits.len());
            let others = others.ok_or_else(|| Unmatched(format!("the gates have no {of}{name} of the same width")))?;
            for (i, (one, other)) in bits.iter().zip(*others).enumerate() {
                match is_input(name) {
                    true => self.input(one, other),
                    false => self.output(format!("{of}{}", bit_name(name, i, bits.len())), one, other),
                }
            }
        }
        Ok(())
    }
}

/// Bits by the name of a port or pin.
type Pins<'a> = BTreeMap<&'a str, &'a Vec<Bit>>;

impl Matched {
    /// Finds for every register of the gates the one of the design.
    pub fn new(design: &Module, gates: &Module, boxes: &[&str]) -> Result<Self, Unmatched> {
        let (design, gates) = (Side::new(design, boxes)?, Side::new(gates, boxes)?);
        let networks = (Network::new(design.module), Network::new(gates.module));
        let mut common = Common { design: networks.0, gates: networks.1, outputs: vec![] };
        let is_input = |name: &str| design.module.ports[name].direction == "input";
        common.signals("", &ports(design.module), &ports(gates.module), &is_input)?;
        for (name, one) in &design.boxes {
            let other = gates.boxes.get(name).ok_or_else(|| Unmatched(format!("the gates have no {name}")))?;
            let is_input = |pin: &str| one.port_directions.get(pin).is_some_and(|direction| direction == "output");
            common.signals(&format!("{name}."), &pins(one), &pins(other), &is_input)?;
        }
        let pairs = pairs(&design, &gates)?;
        for (one, others) in &pairs {
            let left = &design.registers[one];
            for (name, other) in others {
                let right = &gates.registers[other];
                if design.clock(left) != gates.clock(right) || design.clock(left).is_none() {
                    return Err(Unmatched(format!("{name} has a clock that is computed, or not that of the design")));
                }
                common.design.output(left.next);
                match right.enable {
                    None => common.gates.output(right.next),
                    Some(enable) => common.gates.output_held(right.next, enable, *other),
                }
                common.outputs.push(format!("next value of {name}"));
            }
            common.design.input(vec![*one]);
            common.gates.input(others.iter().map(|(_, other)| *other).collect());
        }
        let Common { design: first, gates: second, outputs } = common;
        let text = |network: Network, side: &Side| network.blif().map_err(|net| side.unmatched(net));
        Ok(Self { design: text(first, &design)?, gates: text(second, &gates)?, outputs, registers: pairs.len() })
    }
}

fn ports(module: &Module) -> Pins<'_> {
    module.ports.iter().map(|(name, port)| (name.as_str(), &port.bits)).collect()
}

fn pins(cell: &Instance) -> Pins<'_> {
    cell.connections.iter().map(|(pin, bits)| (pin.as_str(), bits)).collect()
}

/// Names and nets of the gates' registers, by the net of the design's.
type Pairs<'a> = BTreeMap<u32, Vec<(&'a str, u32)>>;

/// Registers of the gates, with their names, by the register of the design. It may stand for several, which yosys found to
/// be equal when it read the design, but not when it mapped it.
fn pairs<'a>(design: &Side, gates: &'a Side) -> Result<Pairs<'a>, Unmatched> {
    let mut found = Pairs::new();
    let mut left: BTreeSet<u32> = gates.registers.keys().copied().collect();
    for (name, net) in &gates.nets {
        let one = design.nets.get(name).filter(|one| design.registers.contains_key(one));
        if let Some(one) = one.filter(|_| left.remove(net)) {
            found.entry(*one).or_default().push((name, *net));
        }
    }
    left.first().map_or(Ok(found), |net| Err(gates.unmatched(*net)))
}
