//! A netlist's meaning, written down as plainly as possible.
//!
//! [`Interpreter`] walks the hierarchy and evaluates every expression until nothing changes. It
//! shares no code with the generated simulator and optimises nothing: it is what the simulator and
//! the exported Verilog are tested against.
use crate::netlist::{Driver, ExprId, Memory, Module, ModuleId, NetId, NetKind, Netlist, Op};

/// A design that runs one cycle at a time.
///
/// ```text
/// set(inputs)...  get(outputs)  step()     // step: the clock edge
/// ```
pub struct Interpreter<'n> {
    netlist: &'n Netlist,
    top: State,
    settled: bool,
}

/// What one instance holds.
struct State {
    module: ModuleId,
    nets: Vec<u64>,
    memories: Vec<Vec<u64>>,
    children: Vec<State>,
}

impl<'n> Interpreter<'n> {
    /// The design before its first clock edge: registers at their initial value, memories at 0, inputs at 0.
    pub fn new(netlist: &'n Netlist) -> Self {
        Self { netlist, top: State::new(netlist, netlist.top), settled: false }
    }

    /// Drives an input port of the top module.
    ///
    /// # Panics
    /// If there is no such input or the value does not fit.
    pub fn set(&mut self, port: &str, value: u64) {
        let id = self.port(port);
        let net = self.netlist.top().net(id);
        assert!(net.kind == NetKind::Input, "`{port}` is not an input");
        assert!(value <= mask(net.width), "{value:#x} does not fit into the {} bits of `{port}`", net.width);
        self.top.nets[id.0 as usize] = value;
        self.settled = false;
    }

    /// The settled value of a port of the top module.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn get(&mut self, port: &str) -> u64 {
        self.settle();
        self.top.nets[self.port(port).0 as usize]
    }

    /// The settled value of any net, by the names of the instances on the way and of the net:
    /// `["lanes[3]", "sum"]`.
    pub fn peek(&mut self, path: &[&str]) -> Option<u64> {
        self.settle();
        let (net, instances) = path.split_last()?;
        let mut state = &self.top;
        for name in instances {
            let instances = &self.netlist.module(state.module).instances;
            state = &state.children[instances.iter().position(|i| i.name.to_string() == *name)?];
        }
        let nets = &self.netlist.module(state.module).nets;
        nets.iter().position(|n| n.name.to_string() == *net).map(|i| state.nets[i])
    }

    /// Puts the design into any state, reachable or not: every register holds what `value` makes of its width. Memories stay.
    pub fn disturb(&mut self, mut value: impl FnMut(usize) -> u64) {
        self.top.disturb(self.netlist, &mut value);
        self.settled = false;
    }

    /// Evaluates combinational logic until nothing changes.
    ///
    /// # Panics
    /// If it does not settle: the netlist has a combinational loop, which the elaborator refuses.
    pub fn settle(&mut self) {
        let mut passes = 0;
        while !self.settled {
            self.settled = !self.top.propagate(self.netlist);
            passes += 1;
            assert!(passes < 100_000, "the netlist does not settle: it has a combinational loop");
        }
    }

    /// Settles, then one rising clock edge: every register and memory takes its next value.
    pub fn step(&mut self) {
        self.settle();
        self.top.clock_edge(self.netlist);
        self.settled = false;
    }

    fn port(&self, name: &str) -> NetId {
        self.netlist.top().port(name).unwrap_or_else(|| panic!("no port `{name}`"))
    }
}

impl State {
    fn new(netlist: &Netlist, id: ModuleId) -> Self {
        let module = netlist.module(id);
        let mut nets = vec![0; module.nets.len()];
        for register in &module.registers {
            nets[register.q.0 as usize] = register.initial;
        }
        Self {
            module: id,
            nets,
            memories: module.memories.iter().map(|memory| vec![0; memory.depth]).collect(),
            children: module.instances.iter().map(|instance| State::new(netlist, instance.module)).collect(),
        }
    }

    fn disturb(&mut self, netlist: &Netlist, value: &mut impl FnMut(usize) -> u64) {
        let module = netlist.module(self.module);
        for register in &module.registers {
            let width = module.net(register.q).width;
            self.nets[register.q.0 as usize] = value(width) & mask(width);
        }
        self.children.iter_mut().for_each(|child| child.disturb(netlist, value));
    }

    /// One pass over the hierarchy; true when some net changed.
    fn propagate(&mut self, netlist: &Netlist) -> bool {
        let module = netlist.module(self.module);
        let before = self.nets.clone();
        let values = self.evaluate(module);
        for (i, net) in module.nets.iter().enumerate() {
            if let Driver::Expr(expr) = net.driver {
                self.nets[i] = values[expr.0 as usize];
            }
        }
        for (memory, rows) in module.memories.iter().zip(&self.memories) {
            for read in memory.reads.iter().filter(|read| read.enable.is_none()) {
                let address = values[read.address.0 as usize] as usize;
                self.nets[read.data.0 as usize] = rows.get(address).copied().unwrap_or(0);
            }
        }
        let mut changed = false;
        for (instance, child) in module.instances.iter().zip(&mut self.children) {
            let ports = &netlist.module(instance.module).ports;
            for (&outside, &inside) in instance.ports.iter().zip(ports) {
                if matches!(module.net(outside).kind, NetKind::ChildInput(_)) {
                    changed |= child.nets[inside.0 as usize] != self.nets[outside.0 as usize];
                    child.nets[inside.0 as usize] = self.nets[outside.0 as usize];
                }
            }
            changed |= child.propagate(netlist);
            for (&outside, &inside) in instance.ports.iter().zip(ports) {
                if matches!(module.net(outside).kind, NetKind::ChildOutput(_)) {
                    self.nets[outside.0 as usize] = child.nets[inside.0 as usize];
                }
            }
        }
        changed || self.nets != before
    }

    fn clock_edge(&mut self, netlist: &Netlist) {
        let module = netlist.module(self.module);
        let values = self.evaluate(module);
        let value = |id: ExprId| values[id.0 as usize];
        for register in &module.registers {
            let q = &mut self.nets[register.q.0 as usize];
            if register.reset.is_some_and(|reset| value(reset) == 1) {
                *q = register.initial;
            } else if register.enable.is_none_or(|enable| value(enable) == 1) {
                *q = value(register.d);
            }
        }
        for (memory, rows) in module.memories.iter().zip(&mut self.memories) {
            for read in &memory.reads {
                if read.enable.is_some_and(|enable| value(enable) == 1) {
                    let row = rows.get(value(read.address) as usize).copied();
                    self.nets[read.data.0 as usize] = row.unwrap_or(0);
                }
            }
            for write in memory.writes.iter().filter(|write| value(write.enable) == 1) {
                let bits = write.mask.map_or(mask(memory.width), |bytes| written_bits(memory, value(bytes)));
                if let Some(row) = rows.get_mut(value(write.address) as usize) {
                    *row = (*row & !bits) | (value(write.data) & bits);
                }
            }
        }
        for child in &mut self.children {
            child.clock_edge(netlist);
        }
    }

    /// The value of every expression; operands come first.
    fn evaluate(&self, module: &Module) -> Vec<u64> {
        let mut values = Vec::with_capacity(module.exprs.len());
        for expr in &module.exprs {
            let value = evaluate(module, &self.nets, &values, &expr.op, expr.width);
            values.push(value & mask(expr.width));
        }
        values
    }
}

fn written_bits(memory: &Memory, bytes: u64) -> u64 {
    (0..memory.width / 8).filter(|byte| bytes >> byte & 1 == 1).fold(0, |bits, byte| bits | 0xff << (8 * byte))
}

/// The bits a width can hold.
fn mask(width: usize) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// A value of `width` bits as a two's-complement number.
fn signed(value: u64, width: usize) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

fn evaluate(module: &Module, nets: &[u64], values: &[u64], op: &Op, w: usize) -> u64 {
    let value = |id: &ExprId| values[id.0 as usize];
    let width = |id: &ExprId| module.expr(*id).width;
    match op {
        Op::Const(constant) => *constant,
        Op::Net(id) => nets[id.0 as usize],
        Op::Not(a) => !value(a),
        Op::And(a, b) => value(a) & value(b),
        Op::Or(a, b) => value(a) | value(b),
        Op::Xor(a, b) => value(a) ^ value(b),
        Op::Add(a, b) => value(a).wrapping_add(value(b)),
        Op::Sub(a, b) => value(a).wrapping_sub(value(b)),
        Op::Mul(a, b) => value(a).wrapping_mul(value(b)),
        Op::Eq(a, b) => (value(a) == value(b)) as u64,
        Op::Ne(a, b) => (value(a) != value(b)) as u64,
        Op::Lt(a, b) => (value(a) < value(b)) as u64,
        Op::Le(a, b) => (value(a) <= value(b)) as u64,
        Op::SignedLt(a, b) => (signed(value(a), width(a)) < signed(value(b), width(b))) as u64,
        Op::Shl(_, by) if value(by) >= w as u64 => 0,
        Op::Shl(a, by) => value(a) << value(by),
        Op::Shr(_, by) if value(by) >= w as u64 => 0,
        Op::Shr(a, by) => value(a) >> value(by),
        Op::Sra(a, by) => (signed(value(a), w) >> value(by).min(63)) as u64,
        Op::Mux(condition, a, b) => value(if value(condition) == 1 { a } else { b }),
        Op::Slice { value: a, low } => value(a) >> low,
        Op::Concat(parts) => parts.iter().fold(0, |all, part| match width(part) {
            64 => value(part),
            bits => all << bits | value(part),
        }),
        Op::ZeroExtend(a) => value(a),
        Op::SignExtend(a) => signed(value(a), width(a)) as u64,
        Op::BitSelect { value: a, index } => match value(index) {
            i if i < width(a) as u64 => value(a) >> i & 1,
            _ => 0,
        },
        Op::BitReplace { value: a, index, bit } => match value(index) {
            i if i < w as u64 => value(a) & !(1 << i) | value(bit) << i,
            _ => value(a),
        },
        Op::Select { index, inputs } => inputs.get(value(index) as usize).map_or(0, value),
        Op::ReduceAnd(a) => (value(a) == mask(width(a))) as u64,
        Op::ReduceOr(a) => (value(a) != 0) as u64,
        Op::ReduceXor(a) => (value(a).count_ones() % 2) as u64,
        Op::Popcount(a) => value(a).count_ones() as u64,
        Op::LowestBit(a) => match value(a) {
            0 => 0,
            bits => bits.trailing_zeros() as u64,
        },
        Op::LowestOneHot(a) => value(a) & value(a).wrapping_neg(),
    }
}
