//! What each primitive's [`Tag`] becomes in the module around it.
use warploom_hdl::prim::Tag;
use warploom_hdl::word::index_width;

use super::execute::Execution;
use super::expressions::Expressions;
use super::finish::Primitive;
use super::wires::WireId;
use crate::lint::Problem;
use crate::netlist::{Driver, ExprId, Memory, Module, NetId, NetKind, Op, ReadPort, Register, WritePort};

impl Primitive {
    /// Adds the primitive's registers and memories, and drives its outputs.
    pub fn build(&self, execution: &mut Execution, module: &mut Module) {
        use Tag::*;
        let missing = self.missing_pin();
        if let Some(pin) = missing {
            execution.report(None, Problem::NotAModule(format!("the primitive {} has no port {pin}", self.name)));
            return;
        }
        match self.tag {
            Flop { initial, .. } => self.register(initial, execution, module),
            Register { initial, .. } => self.register(initial, execution, module),
            EnabledRegister { initial, .. } => self.register(initial, execution, module),
            Memory { width, depth, reads, writes, .. } => {
                self.memory(width, depth, reads, writes, execution, module);
            }
            _ => self.function(execution, module),
        }
    }

    fn missing_pin(&self) -> Option<String> {
        self.tag_pins().into_iter().find(|pin| !self.pins.contains_key(pin))
    }

    /// The ports that a tag promises.
    fn tag_pins(&self) -> Vec<String> {
        let names: &[&str] = match self.tag {
            Tag::Flop { .. } => &["clock", "d", "q"],
            Tag::Register { .. } => &["clock", "reset", "d", "q"],
            Tag::EnabledRegister { .. } => &["clock", "reset", "enable", "d", "q"],
            Tag::Memory { .. } => &["clock"],
            Tag::Multiplier { .. } => &["a", "b", "a_signed", "b_signed", "low", "high"],
            Tag::BarrelShifter { .. } => &["value", "amount", "left", "arithmetic", "result"],
            Tag::SignedCompare { .. } => &["a", "b", "less"],
            Tag::PriorityEncoder { .. } => &["request", "index", "one_hot", "any"],
            Tag::Popcount { .. } => &["value", "count"],
            Tag::IndexedMux { .. } => &["index", "selected"],
        };
        let mut pins: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let mut array = |names: &[&str], count: usize| {
            pins.extend(names.iter().flat_map(|name| (0..count).map(move |i| format!("{name}[{i}]"))));
        };
        match self.tag {
            Tag::Memory { reads, writes, synchronous, byte_enables, .. } => {
                array(&["read_address", "read_data"], reads);
                array(&["read_enable"], if synchronous { reads } else { 0 });
                array(&["write_enable", "write_address", "write_data"], writes);
                array(&["write_mask"], if byte_enables { writes } else { 0 });
            }
            Tag::IndexedMux { inputs, .. } => array(&["inputs"], inputs),
            _ => {}
        }
        pins
    }

    /// The expression that drives an input.
    fn input(&self, pin: &str, execution: &Execution) -> ExprId {
        execution.value(self.pins[pin])
    }

    fn optional(&self, pin: &str, execution: &Execution) -> Option<ExprId> {
        self.pins.get(pin).map(|&wire| execution.value(wire))
    }

    fn output(&self, pin: &str, execution: &mut Execution) -> NetId {
        execution.net_of(self.pins[pin])
    }

    fn clock(&self, execution: &Execution) -> NetId {
        let wire: WireId = self.pins["clock"];
        let clock = execution.clock_of[wire.0].and_then(|clock| execution.wires.get(clock).net);
        clock.unwrap_or(NetId(0))
    }

    fn register(&self, initial: u64, execution: &mut Execution, module: &mut Module) {
        let q = self.output("q", execution);
        module.nets[q.0 as usize].kind = NetKind::RegisterOutput(module.registers.len());
        module.registers.push(Register {
            name: self.name.clone(),
            width: module.net(q).width,
            initial,
            clock: self.clock(execution),
            reset: self.optional("reset", execution),
            enable: self.optional("enable", execution),
            d: self.input("d", execution),
            q,
        });
    }

    fn memory(
        &self,
        width: usize,
        depth: usize,
        reads: usize,
        writes: usize,
        execution: &mut Execution,
        module: &mut Module,
    ) {
        let index = module.memories.len();
        let reads = (0..reads).map(|port| {
            let data = self.output(&format!("read_data[{port}]"), execution);
            module.nets[data.0 as usize].kind = NetKind::ReadData(index, port);
            ReadPort {
                address: self.input(&format!("read_address[{port}]"), execution),
                enable: self.optional(&format!("read_enable[{port}]"), execution),
                data,
            }
        });
        let reads = reads.collect();
        let writes = (0..writes).map(|port| WritePort {
            enable: self.input(&format!("write_enable[{port}]"), execution),
            address: self.input(&format!("write_address[{port}]"), execution),
            data: self.input(&format!("write_data[{port}]"), execution),
            mask: self.optional(&format!("write_mask[{port}]"), execution),
        });
        let writes = writes.collect();
        let clock = self.clock(execution);
        module.memories.push(Memory { name: self.name.clone(), width, depth, clock, reads, writes });
    }

    /// A primitive without state: every output net is driven by an expression.
    fn function(&self, execution: &mut Execution, module: &mut Module) {
        let inputs: Vec<(&str, ExprId)> = match self.tag {
            Tag::IndexedMux { .. } => vec![],
            _ => ["a", "b", "a_signed", "b_signed", "value", "amount", "left", "arithmetic", "request"]
                .into_iter()
                .filter_map(|pin| Some((pin, self.optional(pin, execution)?)))
                .collect(),
        };
        let input = |pin: &str| inputs.iter().find(|(name, _)| *name == pin).expect("checked above").1;
        let e = &mut execution.exprs;
        let outputs: Vec<(&str, ExprId)> = match self.tag {
            Tag::Multiplier { width } if width > 32 => {
                execution.report(
                    None,
                    Problem::Unsupported {
                        what: format!("a multiplier of {width} bits (at most 32)"),
                        place: self.name.to_string(),
                    },
                );
                return;
            }
            Tag::Multiplier { width } => {
                let a = extended(e, input("a"), input("a_signed"), 2 * width);
                let b = extended(e, input("b"), input("b_signed"), 2 * width);
                let product = e.binary(Op::Mul, a, b);
                vec![("low", e.slice(product, 0, width)), ("high", e.slice(product, width, width))]
            }
            Tag::BarrelShifter { .. } => {
                let (value, amount) = (input("value"), input("amount"));
                let left = e.binary(Op::Shl, value, amount);
                let logical = e.binary(Op::Shr, value, amount);
                let arithmetic = e.binary(Op::Sra, value, amount);
                let right = e.mux(input("arithmetic"), arithmetic, logical);
                vec![("result", e.mux(input("left"), left, right))]
            }
            Tag::SignedCompare { .. } => vec![("less", e.make(1, Op::SignedLt(input("a"), input("b"))))],
            Tag::PriorityEncoder { width } => {
                let request = input("request");
                vec![
                    ("index", e.make(index_width(width), Op::LowestBit(request))),
                    ("one_hot", e.make(width, Op::LowestOneHot(request))),
                    ("any", e.make(1, Op::ReduceOr(request))),
                ]
            }
            Tag::Popcount { width } => {
                vec![("count", e.make(index_width(width + 1), Op::Popcount(input("value"))))]
            }
            Tag::IndexedMux { width, inputs } => {
                let index = self.input("index", execution);
                let inputs = (0..inputs).map(|i| self.input(&format!("inputs[{i}]"), execution)).collect();
                vec![("selected", execution.exprs.make(width, Op::Select { index, inputs }))]
            }
            Tag::Flop { .. } | Tag::Register { .. } | Tag::EnabledRegister { .. } | Tag::Memory { .. } => vec![],
        };
        for (pin, value) in outputs {
            let net = self.output(pin, execution);
            let value = execution.exprs.resize(value, module.net(net).width);
            module.nets[net.0 as usize].driver = Driver::Expr(value);
        }
    }
}

/// Extended to `width` bits, with the sign when `signed`.
fn extended(e: &mut Expressions, a: ExprId, signed: ExprId, width: usize) -> ExprId {
    let top = e.slice(a, e.width(a) - 1, 1);
    let sign = e.binary(Op::And, signed, top);
    let with_sign = e.concat(vec![sign, a]);
    e.sign_resize(with_sign, width)
}
