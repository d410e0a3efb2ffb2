//! One module type: ports, state, logic in the order of the data flow, instances, clocked processes.
use std::collections::{BTreeMap, HashMap, HashSet};

use warploom_sim::netlist::{Driver, ExprId, Module, NetId, NetKind, Netlist, Op};

use crate::assertions;

use super::Bodies;
use super::functions::{self, Function};
use super::layout::Doc;
use super::names::{self, Names};
use super::sharing::{self, Sharing};
use super::state::range;

/// Prints one module.
pub(super) struct Printer<'a> {
    pub module: &'a Module,
    /// Names of the nets.
    nets: Vec<String>,
    /// Names of the expressions that have one.
    pub names: Vec<Option<String>>,
    /// The net after which a named expression is named.
    named_after: HashMap<ExprId, NetId>,
    /// Names of the memories.
    pub memories: Vec<String>,
    /// Names of the functions called.
    pub functions: BTreeMap<Function, String>,
    /// Nets and expressions already printed.
    done: (HashSet<NetId>, HashSet<ExprId>),
    text: String,
}

/// The whole text of a module, with its assertions or without; in place of what is in it, what `bodies` says.
pub(super) fn print(netlist: &Netlist, module: &Module, asserts: bool, bodies: &Bodies) -> String {
    let mut taken = Names::default();
    let nets = names::nets(module, &mut taken);
    let instances = names::instances(module, &mut taken);
    let memories = names::memories(module, &mut taken);
    let row = taken.unique("row");
    let (functions, definitions) = functions::functions(module, &mut taken);
    let mut printer = Printer {
        module,
        nets,
        names: vec![None; module.exprs.len()],
        named_after: HashMap::new(),
        memories,
        functions,
        done: Default::default(),
        text: String::new(),
    };
    printer.name_expressions(&mut taken);
    printer.ports();
    if let Some(body) = bodies.get(&module.name) {
        return format!("{}{body}endmodule\n", printer.text);
    }
    printer.declarations(&row);
    printer.text += &definitions;
    printer.logic();
    for (i, name) in instances.iter().enumerate() {
        printer.instance(netlist, i, name);
    }
    for register in &module.registers {
        printer.text += &printer.register(register);
    }
    for (i, memory) in module.memories.iter().enumerate() {
        printer.text += &printer.memory(i, memory);
    }
    if let Some(assertions) = assertions::of(&module.source).filter(|_| asserts) {
        let names = printer.nets.iter().chain(&printer.memories).map(String::as_str);
        printer.text += &assertions.verilog(&names.collect::<Vec<_>>());
    }
    printer.text += "endmodule\n";
    printer.text
}

impl Printer<'_> {
    /// A net by name, or what stands for it.
    pub(super) fn net(&self, id: NetId) -> String {
        match self.alias(id) {
            Some(value) => self.expr(value).flat(false),
            None => self.nets[id.0 as usize].clone(),
        }
    }

    /// An input of a child that is nothing but another net, a slice of one, or a constant, needs no wire of its own.
    fn alias(&self, id: NetId) -> Option<ExprId> {
        let net = self.module.net(id);
        let (NetKind::ChildInput(_), Driver::Expr(value)) = (net.kind, net.driver) else { return None };
        let leaf = match &self.names[value.0 as usize] {
            Some(name) => *name != self.nets[id.0 as usize],
            None => matches!(self.module.expr(value).op, Op::Const(_) | Op::Net(_) | Op::Slice { .. }),
        };
        leaf.then_some(value)
    }

    /// A shared expression goes by the name of the net it drives, else by one made from the first net that needs it.
    fn name_expressions(&mut self, taken: &mut Names) {
        let module = self.module;
        let mut named = Sharing::new(module).named;
        for (i, net) in module.nets.iter().enumerate() {
            if let Driver::Expr(root) = net.driver
                && std::mem::take(&mut named[root.0 as usize])
            {
                self.names[root.0 as usize] = Some(self.nets[i].clone());
                self.named_after.insert(root, NetId(i as u32));
            }
        }
        let mut seen = HashSet::new();
        let mut counts = HashMap::new();
        for (root, net) in sharing::roots(module) {
            let stem = &self.nets[net.0 as usize];
            let mut found = vec![];
            let mut pending = vec![root];
            while let Some(id) = pending.pop() {
                if seen.insert(id) {
                    found.extend(std::mem::take(&mut named[id.0 as usize]).then_some(id));
                    pending.extend(module.expr(id).op.operands());
                }
            }
            found.sort();
            for id in found {
                let count = counts.entry(stem.clone()).or_insert(0);
                *count += 1;
                self.names[id.0 as usize] = Some(taken.unique(&format!("{stem}_t{count}")));
            }
        }
    }

    fn ports(&mut self) {
        let module = self.module;
        let widest = module.ports.iter().map(|&port| range(module.net(port).width).len()).max().unwrap_or(0);
        let ports = module.ports.iter().map(|&port| {
            let net = module.net(port);
            let direction = if net.kind == NetKind::Output { "output" } else { "input " };
            format!("  {direction} wire {:widest$}{}", range(net.width), self.nets[port.0 as usize])
        });
        let ports: Vec<_> = ports.collect();
        self.text += &format!("module {} (\n{}\n);\n", module.name, ports.join(",\n"));
    }

    /// State, and the wires that instances drive: what logic may name before it is printed.
    fn declarations(&mut self, row: &str) {
        let module = self.module;
        for register in &module.registers {
            self.text += &self.declare_register(register);
        }
        for (i, memory) in module.memories.iter().enumerate() {
            self.text += &self.declare_memory(i, memory);
        }
        if !module.memories.is_empty() {
            self.text += &self.clear_memories(row);
        }
        for (net, name) in module.nets.iter().zip(&self.nets) {
            if let NetKind::ChildOutput(_) = net.kind {
                self.text += &format!("  wire {}{name};\n", range(net.width));
            }
        }
    }

    /// Every wire after those it depends on; otherwise in the order of the source, outputs last.
    fn logic(&mut self) {
        let module = self.module;
        if !self.text.ends_with(");\n") {
            self.text += "\n";
        }
        let read: HashSet<NetId> = module
            .exprs
            .iter()
            .filter_map(|expr| match expr.op {
                Op::Net(net) => Some(net),
                _ => None,
            })
            .collect();
        let ids = || (0..module.nets.len() as u32).map(NetId);
        for id in ids().filter(|&id| module.net(id).kind != NetKind::Output) {
            // A pin of a primitive that nobody reads is only another name.
            let net = module.net(id);
            let another_name =
                matches!(net.driver, Driver::Expr(value) if matches!(module.expr(value).op, Op::Net(_) | Op::Const(_)));
            if net.kind != NetKind::Local || !another_name || read.contains(&id) {
                self.require_net(id);
            }
        }
        ids().filter(|&id| module.net(id).kind == NetKind::Output).for_each(|id| self.require_net(id));
        for (root, _) in sharing::roots(module) {
            self.require(root);
        }
        if self.text.ends_with("\n\n") {
            self.text.pop();
        }
    }

    fn require(&mut self, id: ExprId) {
        let expr = self.module.expr(id);
        if let Some(&net) = self.named_after.get(&id) {
            return self.require_net(net);
        }
        if let Op::Net(net) = expr.op {
            return self.require_net(net);
        }
        let name = self.names[id.0 as usize].clone();
        if name.is_some() && !self.done.1.insert(id) {
            return;
        }
        expr.op.operands().into_iter().for_each(|operand| self.require(operand));
        if let Some(name) = name {
            let head = format!("wire {}{name}", range(expr.width));
            self.text += &self.value(id, None).statement(2, &head, "=");
        }
    }

    fn require_net(&mut self, id: NetId) {
        let net = self.module.net(id);
        if !self.done.0.insert(id) {
            return;
        }
        let name = self.nets[id.0 as usize].clone();
        let wire = format!("wire {}{name}", range(net.width));
        match (net.kind, net.driver) {
            (NetKind::ReadData(memory, port), _) => {
                let read = &self.module.memories[memory].reads[port];
                self.require(read.address);
                if read.enable.is_none() {
                    self.text += &Doc::text(self.row(memory, port)).statement(2, &wire, "=");
                }
            }
            (_, Driver::Expr(value)) if self.alias(id).is_some() => self.require(value),
            (kind, Driver::Expr(value)) => {
                let own = self.named_after.get(&value) == Some(&id);
                match own {
                    true => self.module.expr(value).op.operands().into_iter().for_each(|operand| self.require(operand)),
                    false => self.require(value),
                }
                let value = match &self.names[value.0 as usize] {
                    Some(other) if !own => Doc::text(other),
                    _ => self.value(value, Some(id)),
                };
                let head = if kind == NetKind::Output { format!("assign {name}") } else { wire };
                self.text += &value.statement(2, &head, "=");
            }
            _ => {}
        }
    }

    fn instance(&mut self, netlist: &Netlist, i: usize, name: &str) {
        let instance = &self.module.instances[i];
        let child = netlist.module(instance.module);
        let inside = names::nets(child, &mut Names::default());
        let ports = child.ports.iter().zip(&instance.ports);
        let ports = ports.map(|(port, &net)| format!("    .{}({})", inside[port.0 as usize], self.net(net)));
        let ports: Vec<_> = ports.collect();
        self.text += &format!("\n  {} {name} (\n{}\n  );\n", child.name, ports.join(",\n"));
    }
}
