//! The hierarchy dissolved: every module instance's logic in one [`Design`].
//!
//! Nets vanish into the values that drive them; reset, enable and synchronous read ports become part of a
//! register's next value. What nothing outside the logic depends on is left out.

use std::collections::HashMap;

use crate::glob::Globs;
use crate::ir::{
    Binary, Design, Graph, Memory, NodeId, Observed, Op, Output, Path, Register, Type, Unary, Write, path_name,
};
use crate::netlist::{self, Driver, Expr, ExprId, Module, ModuleId, Net, NetId, NetKind, Netlist, Segment};

/// Combinational logic feeds back on itself through these nets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("combinational loop: {}", .0.join(" <- "))]
pub struct CombinationalLoop(pub Vec<String>);

/// The flat design, with the outputs and the nets that `observe` selects as its results.
pub fn flatten(netlist: &Netlist, observe: &Globs) -> Result<Design, CombinationalLoop> {
    let mut flattener = Flattener::new(netlist);
    flattener.add_state();
    flattener.connect_state()?;
    flattener.connect_outputs(observe)?;
    flattener.note_arrays();
    Ok(flattener.design)
}

/// The name of the scope that stands for the top module: `SimtCore` is `simt_core`.
pub fn top_scope(netlist: &Netlist) -> String {
    let mut name = String::new();
    for (i, c) in netlist.top().source.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            name.push('_');
        }
        name.extend(c.to_lowercase());
    }
    name
}

/// Whether it stands for a port of a child, which has the same net under the same name.
fn is_childs(kind: NetKind) -> bool {
    matches!(kind, NetKind::ChildInput(_) | NetKind::ChildOutput(_))
}

/// The name under which a net is observed in its module: a register's output has the register's.
pub fn shown_name(net: &Net) -> &[Segment] {
    match (net.kind, net.name.0.as_slice()) {
        (NetKind::RegisterOutput(_), [name @ .., output]) if !name.is_empty() && output.field == "q" => name,
        (_, name) => name,
    }
}

/// One occurrence of a module.
struct Occurrence {
    module: ModuleId,
    path: Vec<Segment>,
    /// The occurrence above, and which of its instances this is.
    parent: Option<(usize, usize)>,
    /// Occurrences of `module.instances`.
    children: Vec<usize>,
    /// Where its nets, expressions, registers and memories start in the flat numbering.
    net_base: usize,
    expr_base: usize,
    register_base: usize,
    memory_base: usize,
}

/// A net or an expression of one occurrence.
#[derive(Clone, Copy)]
enum Item {
    Net(usize, NetId),
    Expr(usize, ExprId),
}

#[derive(Clone, Copy)]
enum Mark {
    New,
    Open,
    Done(NodeId),
}

struct Flattener<'a> {
    netlist: &'a Netlist,
    occurrences: Vec<Occurrence>,
    net_marks: Vec<Mark>,
    expr_marks: Vec<Mark>,
    /// For each flat memory, the registers that hold its synchronous read ports' data (`None`: asynchronous).
    latches: Vec<Vec<Option<u32>>>,
    design: Design,
}

impl<'a> Flattener<'a> {
    fn new(netlist: &'a Netlist) -> Self {
        let mut this = Self {
            netlist,
            occurrences: vec![],
            net_marks: vec![],
            expr_marks: vec![],
            latches: vec![],
            design: Design { graph: Graph::unshared(), ..Design::default() },
        };
        this.open(netlist.top, vec![], None);
        this
    }

    fn open(&mut self, module: ModuleId, path: Vec<Segment>, parent: Option<(usize, usize)>) -> usize {
        let definition = self.netlist.module(module);
        let index = self.occurrences.len();
        self.occurrences.push(Occurrence {
            module,
            path,
            parent,
            children: vec![],
            net_base: self.net_marks.len(),
            expr_base: self.expr_marks.len(),
            register_base: 0,
            memory_base: 0,
        });
        self.net_marks.resize(self.net_marks.len() + definition.nets.len(), Mark::New);
        self.expr_marks.resize(self.expr_marks.len() + definition.exprs.len(), Mark::New);
        for (i, instance) in definition.instances.iter().enumerate() {
            let mut path = self.occurrences[index].path.clone();
            path.push(instance.name.clone());
            let child = self.open(instance.module, path, Some((index, i)));
            self.occurrences[index].children.push(child);
        }
        index
    }

    fn module(&self, occurrence: usize) -> &'a Module {
        self.netlist.module(self.occurrences[occurrence].module)
    }

    fn path(&self, occurrence: usize, name: &[Segment]) -> Path {
        self.occurrences[occurrence].path.iter().chain(name).cloned().collect()
    }

    /// Registers and memories, with nothing connected yet, and the inputs.
    fn add_state(&mut self) {
        let top = self.netlist.top();
        for &port in &top.ports {
            let net = top.net(port);
            if net.kind == NetKind::Input {
                let index = self.design.inputs.len() as u32;
                let node = self.design.graph.add(Op::Input(index), Type::scalar(net.width));
                self.net_marks[port.0 as usize] = Mark::Done(node);
                self.design.inputs.push((net.name.to_string(), net.width));
            }
        }
        for o in 0..self.occurrences.len() {
            let module = self.module(o);
            self.occurrences[o].register_base = self.design.registers.len();
            for register in &module.registers {
                self.add_register(self.path(o, &register.name.0), register.width, register.initial);
            }
            self.occurrences[o].memory_base = self.design.memories.len();
            for memory in &module.memories {
                self.design.memories.push(Memory {
                    paths: vec![self.path(o, &memory.name.0)],
                    ty: Type::scalar(memory.width),
                    depth: memory.depth,
                    writes: vec![],
                });
                let latches = memory.reads.iter().map(|port| {
                    let path = self.path(o, &module.net(port.data).name.0);
                    port.enable.map(|_| self.add_register(path, memory.width, 0))
                });
                let latches = latches.collect();
                self.latches.push(latches);
            }
        }
    }

    fn add_register(&mut self, path: Path, width: usize, initial: u64) -> u32 {
        let index = self.design.registers.len() as u32;
        let ty = Type::scalar(width);
        let next = self.register_value(index, width);
        self.design.registers.push(Register { paths: vec![path], ty, initial: vec![initial], next });
        index
    }

    fn register_value(&mut self, register: u32, width: usize) -> NodeId {
        self.design.graph.add(Op::Register(register), Type::scalar(width))
    }

    fn connect_state(&mut self) -> Result<(), CombinationalLoop> {
        for o in 0..self.occurrences.len() {
            let module = self.module(o);
            for (i, register) in module.registers.iter().enumerate() {
                let index = self.occurrences[o].register_base + i;
                let mut next = self.expr(o, register.d)?;
                if let Some(enable) = register.enable {
                    let hold = self.register_value(index as u32, register.width);
                    let enable = self.expr(o, enable)?;
                    next = self.design.graph.add(Op::Mux(enable, next, hold), Type::scalar(register.width));
                }
                if let Some(reset) = register.reset {
                    let initial = self.design.graph.add_const(register.initial, register.width);
                    let reset = self.expr(o, reset)?;
                    next = self.design.graph.add(Op::Mux(reset, initial, next), Type::scalar(register.width));
                }
                self.design.registers[index].next = next;
            }
            for (i, memory) in module.memories.iter().enumerate() {
                self.connect_memory(o, memory, self.occurrences[o].memory_base + i)?;
            }
        }
        Ok(())
    }

    fn connect_memory(&mut self, o: usize, memory: &netlist::Memory, index: usize) -> Result<(), CombinationalLoop> {
        let ty = Type::scalar(memory.width);
        for (p, port) in memory.reads.iter().enumerate() {
            if let (Some(enable), Some(latch)) = (port.enable, self.latches[index][p]) {
                let address = self.expr(o, port.address)?;
                let enable = self.expr(o, enable)?;
                let row = self.design.graph.add(Op::Read { memory: index as u32, address }, ty);
                let hold = self.register_value(latch, memory.width);
                self.design.registers[latch as usize].next = self.design.graph.add(Op::Mux(enable, row, hold), ty);
            }
        }
        for port in &memory.writes {
            let write = Write {
                enable: self.expr(o, port.enable)?,
                address: self.expr(o, port.address)?,
                data: self.expr(o, port.data)?,
                mask: port.mask.map(|mask| self.expr(o, mask)).transpose()?,
            };
            self.design.memories[index].writes.push(write);
        }
        Ok(())
    }

    fn connect_outputs(&mut self, observe: &Globs) -> Result<(), CombinationalLoop> {
        let top = self.netlist.top();
        for &port in &top.ports {
            if top.net(port).kind == NetKind::Output {
                let value = self.value(Item::Net(0, port))?;
                self.design.outputs.push(Output { port: Some(top.net(port).name.to_string()), value });
            }
        }
        let scope = Segment { field: top_scope(self.netlist), index: vec![] };
        let mut outputs = HashMap::new();
        for o in 0..self.occurrences.len() {
            for (i, net) in self.module(o).nets.iter().enumerate() {
                if net.kind == NetKind::Clock || is_childs(net.kind) {
                    continue;
                }
                let path = self.path(o, shown_name(net));
                let path: Path = std::iter::once(&scope).chain(path.iter()).cloned().collect();
                if observe.matches(&path_name(&path)) {
                    let value = self.value(Item::Net(o, NetId(i as u32)))?;
                    let outputs_so_far = &mut self.design.outputs;
                    let output = *outputs.entry(value).or_insert_with(|| {
                        outputs_so_far.push(Output { port: None, value });
                        outputs_so_far.len() - 1
                    });
                    let (variants, width) = (net.variants.clone(), net.width);
                    let net = Observed { path, variants, width, output, lane: 0, low: 0, stored: width };
                    self.design.observed.push(net);
                }
            }
        }
        Ok(())
    }

    /// Nets that stand in arrays and take part in the design.
    fn note_arrays(&mut self) {
        for o in 0..self.occurrences.len() {
            for (i, net) in self.module(o).nets.iter().enumerate() {
                let Mark::Done(node) = self.net_marks[self.occurrences[o].net_base + i] else { continue };
                if is_childs(net.kind) {
                    continue;
                }
                let path = self.path(o, &net.name.0);
                if path.iter().any(|segment| !segment.index.is_empty()) {
                    self.design.arrayed.push((path, node));
                }
            }
        }
    }

    fn expr(&mut self, occurrence: usize, id: ExprId) -> Result<NodeId, CombinationalLoop> {
        self.value(Item::Expr(occurrence, id))
    }

    fn mark(&mut self, item: Item) -> &mut Mark {
        match item {
            Item::Net(o, id) => &mut self.net_marks[self.occurrences[o].net_base + id.0 as usize],
            Item::Expr(o, id) => &mut self.expr_marks[self.occurrences[o].expr_base + id.0 as usize],
        }
    }

    /// The node of an item: a depth-first walk with its own stack, since logic can be deeper than ours.
    fn value(&mut self, root: Item) -> Result<NodeId, CombinationalLoop> {
        let mut stack = vec![root];
        while let Some(&item) = stack.last() {
            if let Mark::Done(_) = *self.mark(item) {
                stack.pop();
                continue;
            }
            *self.mark(item) = Mark::Open;
            let mut ready = true;
            for dependency in self.dependencies(item) {
                match *self.mark(dependency) {
                    Mark::Done(_) => {}
                    Mark::New => {
                        stack.push(dependency);
                        ready = false;
                    }
                    Mark::Open => return Err(self.combinational_loop(&stack, dependency)),
                }
            }
            if ready {
                let node = self.build(item);
                *self.mark(item) = Mark::Done(node);
                stack.pop();
            }
        }
        Ok(self.done(root))
    }

    fn done(&mut self, item: Item) -> NodeId {
        match *self.mark(item) {
            Mark::Done(node) => node,
            _ => unreachable!("operands are built before their users"),
        }
    }

    /// What `item` needs before it can be built.
    fn dependencies(&self, item: Item) -> Vec<Item> {
        match item {
            Item::Expr(o, id) => match &self.module(o).expr(id).op {
                netlist::Op::Net(net) => vec![Item::Net(o, *net)],
                op => op.operands().into_iter().map(|operand| Item::Expr(o, operand)).collect(),
            },
            Item::Net(o, id) => {
                let net = self.module(o).net(id);
                match (net.driver, net.kind) {
                    (_, NetKind::Clock) => vec![],
                    (Driver::Expr(expr), _) => vec![Item::Expr(o, expr)],
                    (Driver::Parent, _) => self.outer_net(o, id).into_iter().collect(),
                    (Driver::Child, NetKind::ChildOutput(i)) => vec![self.inner_net(o, i, id)],
                    (Driver::State, NetKind::ReadData(m, p)) if self.latch(o, m, p).is_none() => {
                        vec![Item::Expr(o, self.module(o).memories[m].reads[p].address)]
                    }
                    _ => vec![],
                }
            }
        }
    }

    fn latch(&self, o: usize, memory: usize, port: usize) -> Option<u32> {
        self.latches[self.occurrences[o].memory_base + memory][port]
    }

    /// The net of the parent that stands for an input port.
    fn outer_net(&self, o: usize, id: NetId) -> Option<Item> {
        let (parent, index) = self.occurrences[o].parent?;
        let position = self.module(o).ports.iter().position(|&port| port == id)?;
        Some(Item::Net(parent, self.module(parent).instances[index].ports[position]))
    }

    /// The output port of a child that drives `id`.
    fn inner_net(&self, o: usize, instance: usize, id: NetId) -> Item {
        let child = self.occurrences[o].children[instance];
        let position = self.module(o).instances[instance].ports.iter().position(|&port| port == id);
        Item::Net(child, self.module(child).ports[position.expect("a child's output is one of its ports")])
    }

    fn build(&mut self, item: Item) -> NodeId {
        let dependencies = self.dependencies(item);
        match item {
            Item::Expr(o, id) => {
                let expr = self.module(o).expr(id);
                let operands: Vec<NodeId> = dependencies.into_iter().map(|dependency| self.done(dependency)).collect();
                self.build_expr(expr, &operands)
            }
            Item::Net(o, id) => {
                let Net { kind, width, .. } = *self.module(o).net(id);
                match (kind, dependencies.first()) {
                    (NetKind::RegisterOutput(r), _) => {
                        self.register_value((self.occurrences[o].register_base + r) as u32, width)
                    }
                    (NetKind::ReadData(m, p), dependency) => match (self.latch(o, m, p), dependency) {
                        (None, Some(&address)) => {
                            let memory = (self.occurrences[o].memory_base + m) as u32;
                            let address = self.done(address);
                            self.design.graph.add(Op::Read { memory, address }, Type::scalar(width))
                        }
                        (latch, _) => self.register_value(latch.expect("a synchronous port has a latch"), width),
                    },
                    (_, Some(&driver)) => self.done(driver),
                    // A clock is no value; 0 stands for it.
                    (_, None) => self.design.graph.add_const(0, width),
                }
            }
        }
    }

    fn build_expr(&mut self, expr: &Expr, operands: &[NodeId]) -> NodeId {
        use netlist::Op as N;
        let unary = |op| Op::Unary(op, operands[0]);
        let binary = |op| Op::Binary(op, operands[0], operands[1]);
        let graph = &mut self.design.graph;
        let op = match &expr.op {
            N::Net(_) => return operands[0],
            N::Const(value) => Op::Const(*value),
            N::Not(_) => unary(Unary::Not),
            N::ZeroExtend(_) => unary(Unary::ZeroExtend),
            N::SignExtend(_) => unary(Unary::SignExtend),
            N::ReduceAnd(_) => unary(Unary::ReduceAnd),
            N::ReduceOr(_) => unary(Unary::ReduceOr),
            N::ReduceXor(_) => unary(Unary::ReduceXor),
            N::Popcount(_) => unary(Unary::Popcount),
            N::LowestBit(_) => unary(Unary::LowestBit),
            N::LowestOneHot(_) => {
                let zero = graph.add_const(0, expr.width);
                let negative = graph.add(Op::Binary(Binary::Sub, zero, operands[0]), Type::scalar(expr.width));
                Op::Binary(Binary::And, operands[0], negative)
            }
            N::And(..) => binary(Binary::And),
            N::Or(..) => binary(Binary::Or),
            N::Xor(..) => binary(Binary::Xor),
            N::Add(..) => binary(Binary::Add),
            N::Sub(..) => binary(Binary::Sub),
            N::Mul(..) => binary(Binary::Mul),
            N::Eq(..) => binary(Binary::Eq),
            N::Ne(..) => binary(Binary::Ne),
            N::Lt(..) => binary(Binary::Lt),
            N::Le(..) => binary(Binary::Le),
            N::SignedLt(..) => binary(Binary::SignedLt),
            N::Shl(..) => binary(Binary::Shl),
            N::Shr(..) => binary(Binary::Shr),
            N::Sra(..) => binary(Binary::Sra),
            N::BitSelect { .. } => match graph.constant(operands[1]) {
                Some(index) if index < graph.width(operands[0]) as u64 => {
                    Op::Slice { value: operands[0], low: index as u8 }
                }
                Some(_) => Op::Const(0),
                None => binary(Binary::BitSelect),
            },
            N::Mux(..) => Op::Mux(operands[0], operands[1], operands[2]),
            N::Slice { low, .. } => Op::Slice { value: operands[0], low: *low as u8 },
            N::Concat(_) => Op::Concat(operands.into()),
            N::BitReplace { .. } => Op::BitReplace { value: operands[0], index: operands[1], bit: operands[2] },
            N::Select { .. } => Op::Select { index: operands[0], inputs: operands[1..].into() },
        };
        graph.add(op, Type::scalar(expr.width))
    }

    /// The nets on the loop that closes at `item`.
    fn combinational_loop(&self, stack: &[Item], item: Item) -> CombinationalLoop {
        let same = |other: &Item| match (*other, item) {
            (Item::Net(a, b), Item::Net(c, d)) => (a, b) == (c, d),
            (Item::Expr(a, b), Item::Expr(c, d)) => (a, b) == (c, d),
            _ => false,
        };
        let start = stack.iter().position(same).unwrap_or(0);
        let open = |item: &&Item| match **item {
            Item::Net(o, id) => matches!(self.net_marks[self.occurrences[o].net_base + id.0 as usize], Mark::Open),
            Item::Expr(..) => false,
        };
        let nets = stack[start..].iter().filter(open).map(|item| match *item {
            Item::Net(o, id) => path_name(&self.path(o, &self.module(o).net(id).name.0)),
            Item::Expr(..) => unreachable!("only nets are kept"),
        });
        let mut nets: Vec<String> = nets.collect();
        nets.extend(nets.first().cloned());
        CombinationalLoop(nets)
    }
}
