//! A hierarchy of modules as one list of cells between numbered nets.
use std::collections::{BTreeMap, HashMap};

use super::{GatesError, Port};
use crate::clock_gates::CLOCK_GATE;
use crate::yosys_json::{Bit, Design, Instance, Module};

/// Net that is always 0; the next one is always 1.
pub const ZERO: u32 = 0;

/// A cell.
pub struct FlatCell {
    /// Its name, below those of the instances that it is in.
    pub path: String,
    /// Its type.
    pub kind: String,
    /// Nets by pin.
    pub pins: BTreeMap<String, u32>,
    /// Number of the child of the top that it is in.
    pub child: usize,
}

/// A port of the whole.
pub struct FlatPort {
    /// What it is called.
    pub port: Port,
    /// The lowest first.
    pub nets: Vec<u32>,
}

/// Where a clock is gated.
pub struct FlatClockGate {
    /// The clock that comes in.
    pub clock: u32,
    /// Whether the next edge comes out.
    pub enable: u32,
    /// The clock that comes out.
    pub gated: u32,
}

/// A design without hierarchy.
pub struct Flat {
    /// All cells.
    pub cells: Vec<FlatCell>,
    /// Driven from outside.
    pub inputs: Vec<FlatPort>,
    /// Read outside.
    pub outputs: Vec<FlatPort>,
    /// Nets of the clocks of black boxes.
    pub box_clocks: Vec<u32>,
    /// Gates of clocks; what they consist of is among the cells.
    pub clock_gates: Vec<FlatClockGate>,
    /// Nets of registers that start at 1.
    pub starts_high: Vec<u32>,
    /// Types of the children of the top; the first is the top itself.
    pub children: Vec<Option<String>>,
    /// Number of nets.
    pub nets: usize,
}

/// Nets, some of which turn out to be the same.
struct Nets(Vec<u32>);

impl Nets {
    fn add(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    fn find(&self, mut net: u32) -> u32 {
        while self.0[net as usize] != net {
            net = self.0[net as usize];
        }
        net
    }

    /// The lower number stays, so that constants do.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// Nets of a module by the numbers that it has for them.
type Bound = HashMap<u32, u32>;

struct Flattening<'a> {
    design: &'a Design,
    nets: Nets,
    flat: Flat,
}

/// Dissolves all modules but black boxes.
pub fn flatten(design: &Design) -> Result<Flat, GatesError> {
    let unreadable = |reason: String| GatesError::Unreadable { reason };
    let top = design.top().ok_or_else(|| unreadable("it has no module".into()))?;
    let flat = Flat {
        cells: vec![],
        inputs: vec![],
        outputs: vec![],
        box_clocks: vec![],
        clock_gates: vec![],
        starts_high: vec![],
        children: vec![None],
        nets: 0,
    };
    let mut flattening = Flattening { design, nets: Nets(vec![ZERO, ZERO + 1]), flat };
    let module = &design.modules[top];
    let mut bound = Bound::new();
    for (name, port) in &module.ports {
        let nets: Vec<u32> = port.bits.iter().map(|bit| flattening.net(bit, &mut bound)).collect();
        let port_of = Port { name: name.clone(), width: nets.len() };
        let ports = match port.direction.as_str() {
            "input" => &mut flattening.flat.inputs,
            "output" => &mut flattening.flat.outputs,
            other => return Err(unreadable(format!("port {name} is an {other}"))),
        };
        ports.push(FlatPort { port: port_of, nets });
    }
    flattening.module(module, "", bound, 0)?;
    let Flattening { nets, mut flat, .. } = flattening;
    let mut numbers: HashMap<u32, u32> = [(ZERO, ZERO), (ZERO + 1, ZERO + 1)].into();
    let mut number = |net: &mut u32| {
        let next = numbers.len() as u32;
        *net = *numbers.entry(nets.find(*net)).or_insert(next);
    };
    flat.cells.iter_mut().flat_map(|cell| cell.pins.values_mut()).for_each(&mut number);
    flat.inputs.iter_mut().chain(&mut flat.outputs).flat_map(|port| &mut port.nets).for_each(&mut number);
    flat.box_clocks.iter_mut().chain(&mut flat.starts_high).for_each(&mut number);
    let gates = flat.clock_gates.iter_mut();
    gates.flat_map(|gate| [&mut gate.clock, &mut gate.enable, &mut gate.gated]).for_each(&mut number);
    flat.nets = numbers.len();
    Ok(flat)
}

impl Flattening<'_> {
    fn net(&mut self, bit: &Bit, bound: &mut Bound) -> u32 {
        match bit {
            Bit::Net(number) => *bound.entry(*number).or_insert_with(|| self.nets.add()),
            Bit::Constant(value) => ZERO + u32::from(value == "1"),
        }
    }

    fn module(&mut self, module: &Module, path: &str, mut bound: Bound, child: usize) -> Result<(), GatesError> {
        for bit in module.starts_high() {
            let net = self.net(bit, &mut bound);
            self.flat.starts_high.push(net);
        }
        for (name, instance) in &module.cells {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let connections = instance.connections.iter();
            let connections = connections.map(|(pin, bits)| {
                let nets = bits.iter().map(|bit| self.net(bit, &mut bound)).collect::<Vec<_>>();
                (pin.as_str(), nets)
            });
            let connections: HashMap<&str, Vec<u32>> = connections.collect();
            match self.design.modules.get(&instance.kind) {
                None => self.cell(path, instance, &connections, child),
                Some(inside) if inside.is_black_box() => self.black_box(&path, inside, &connections)?,
                Some(inside) => {
                    let net = |pin: &str| connections.get(pin).and_then(|nets| nets.first()).copied();
                    let pins = ["clock", "enable", "gated"].map(net);
                    if let ([Some(clock), Some(enable), Some(gated)], CLOCK_GATE) = (pins, instance.kind.as_str()) {
                        self.flat.clock_gates.push(FlatClockGate { clock, enable, gated });
                    }
                    // The children of the top are told apart, whatever they consist of.
                    let child = if child == 0 { self.child(&instance.kind) } else { child };
                    let bound = self.bind(inside, &connections);
                    self.module(inside, &path, bound, child)?;
                }
            }
        }
        Ok(())
    }

    fn child(&mut self, kind: &str) -> usize {
        let children = &mut self.flat.children;
        let known = children.iter().position(|child| child.as_deref() == Some(kind));
        known.unwrap_or_else(|| {
            children.push(Some(kind.to_string()));
            children.len() - 1
        })
    }

    fn cell(&mut self, path: String, instance: &Instance, connections: &HashMap<&str, Vec<u32>>, child: usize) {
        let pins = connections.iter().filter_map(|(pin, nets)| Some((pin.to_string(), *nets.first()?)));
        self.flat.cells.push(FlatCell { path, kind: instance.kind.clone(), pins: pins.collect(), child });
    }

    fn black_box(
        &mut self,
        path: &str,
        module: &Module,
        connections: &HashMap<&str, Vec<u32>>,
    ) -> Result<(), GatesError> {
        for (name, port) in &module.ports {
            let mut nets = connections.get(name.as_str()).cloned().unwrap_or_default();
            nets.resize_with(port.bits.len(), || self.nets.add());
            let port_of = Port { name: format!("{path}.{name}"), width: nets.len() };
            match port.direction.as_str() {
                "input" if name == "clock" => self.flat.box_clocks.extend(nets),
                "input" => self.flat.outputs.push(FlatPort { port: port_of, nets }),
                "output" => self.flat.inputs.push(FlatPort { port: port_of, nets }),
                other => return Err(GatesError::Unreadable { reason: format!("port {} is an {other}", port_of.name) }),
            }
        }
        Ok(())
    }

    /// What the numbers of a module's ports are outside of it.
    fn bind(&mut self, module: &Module, connections: &HashMap<&str, Vec<u32>>) -> Bound {
        let mut bound = Bound::new();
        for (name, port) in &module.ports {
            let nets = connections.get(name.as_str()).into_iter().flatten();
            for (bit, &outside) in port.bits.iter().zip(nets) {
                // What was bound before goes through the module.
                let inside = match bit {
                    Bit::Net(number) => *bound.entry(*number).or_insert(outside),
                    constant => self.net(constant, &mut bound),
                };
                self.nets.join(inside, outside);
            }
        }
        bound
    }
}
