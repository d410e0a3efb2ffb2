//! A module of the netlist from its executed `update()`.
use std::collections::HashMap;

use rust_hdl::core::ast::VerilogStatement;
use warploom_hdl::prim::Tag;

use super::execute::Execution;
use super::expressions::Expressions;
use super::scope::Enumerations;
use super::wires::{ChildKind, Role, Wire, WireId, Wires};
use crate::lint::Problem;
use crate::netlist::{Driver, Expr, ExprId, Instance, Module, ModuleId, Net, NetId, NetKind, NetName, Op, Segment};

/// The children of a module.
#[derive(Default)]
pub(super) struct Parts {
    instances: Vec<(Segment, ModuleId, Vec<WireId>)>,
    pub primitives: Vec<Primitive>,
}

pub(super) struct Primitive {
    pub name: NetName,
    pub tag: Tag,
    /// By port name: `d`, `write_data[1]`.
    pub pins: HashMap<String, WireId>,
}

impl Parts {
    pub fn add_instance(&mut self, name: Segment, module: ModuleId) -> usize {
        self.instances.push((name, module, vec![]));
        self.instances.len() - 1
    }

    /// The type of the instance added last.
    pub fn last_module(&self) -> Option<ModuleId> {
        self.instances.last().map(|(_, module, _)| *module)
    }

    pub fn add_primitive(&mut self, name: Segment, tag: Tag) -> usize {
        self.primitives.push(Primitive { name: NetName(vec![name]), tag, pins: HashMap::new() });
        self.primitives.len() - 1
    }

    /// The wires from number `first` on are the ports of the child just added.
    pub fn set_ports(&mut self, kind: ChildKind, first: usize, wires: &Wires) {
        let ports = (first..wires.list.len()).map(WireId);
        match kind {
            ChildKind::Instance(i) => {
                self.instances[i].2 = ports.filter(|&id| wires.get(id).role != Role::ChildUnread).collect();
            }
            ChildKind::Primitive(i) => {
                let port = |id: WireId| NetName(wires.get(id).name.0[1..].to_vec()).to_string();
                self.primitives[i].pins = ports.map(|id| (port(id), id)).collect();
            }
        }
    }
}

/// A module, its name still blank.
pub(super) struct Finished {
    pub module: Module,
    /// Its inputs that are fields of bundles.
    pub bundled: Vec<NetId>,
    /// What is wrong, and with which net.
    pub problems: Vec<(Option<String>, Problem)>,
}

/// Executes `declared` and `update`, and builds the module.
pub(super) fn module(
    source: String,
    declared: &[VerilogStatement],
    update: &[VerilogStatement],
    mut wires: Wires,
    parts: Parts,
    enumerations: &Enumerations,
) -> Finished {
    let mut net_count = 0;
    for wire in &mut wires.list {
        use Role::*;
        if !matches!(wire.role, Constant(_) | ChildClock(_) | ChildUnread | PinClock(_) | PinInput(_)) {
            wire.net = Some(NetId(net_count));
            net_count += 1;
        }
    }
    let mut execution = Execution::new(&mut wires, enumerations, net_count as usize);
    execution.run(declared, update);

    let mut module = Module {
        name: String::new(),
        source,
        nets: vec![],
        ports: vec![],
        exprs: vec![],
        instances: vec![],
        registers: vec![],
        memories: vec![],
    };
    let mut nets: Vec<Option<Net>> = vec![None; execution.net_count];
    for id in execution.wires.ids() {
        let wire = execution.wires.get(id);
        let Some(net) = wire.net else { continue };
        let (kind, driver) = match wire.role {
            Role::Input => (NetKind::Input, Driver::Parent),
            Role::Clock => (NetKind::Clock, Driver::Parent),
            Role::Output => (NetKind::Output, Driver::Expr(execution.value(id))),
            Role::Local | Role::PinInput(_) => (NetKind::Local, Driver::Expr(execution.value(id))),
            Role::ChildInput(i) => (NetKind::ChildInput(i), Driver::Expr(execution.value(id))),
            Role::ChildOutput(i) => (NetKind::ChildOutput(i), Driver::Child),
            // Their primitives say below what they are.
            Role::PinOutput(_) => (NetKind::Local, Driver::State),
            Role::Constant(_) | Role::ChildClock(_) | Role::ChildUnread | Role::PinClock(_) => continue,
        };
        if matches!(wire.role, Role::Input | Role::Clock | Role::Output) {
            module.ports.push(net);
        }
        let (name, width, variants) = (wire.name.clone(), wire.width, wire.variants.clone());
        nets[net.0 as usize] = Some(Net { name, width, kind, driver, variants });
    }
    module.nets = nets.into_iter().map(|net| net.expect("every number was given out once")).collect();
    for primitive in &parts.primitives {
        primitive.build(&mut execution, &mut module);
    }
    for (name, id, ports) in parts.instances {
        let net = |&port: &WireId| {
            let clock = execution.clock_of[port.0].and_then(|clock| execution.wires.get(clock).net);
            execution.wires.get(port).net.or(clock).unwrap_or(NetId(0))
        };
        module.instances.push(Instance { name, module: id, ports: ports.iter().map(net).collect() });
    }
    let nameable = |id: &WireId| execution.nameable(*id);
    let names = execution.wires.ids().filter(nameable).filter_map(|id| execution.wires.get(id).net).collect();
    let Execution { exprs, problems, .. } = execution;
    name_and_compact(&mut module, &exprs, names);
    let name = |id: WireId| wires.get(id).name.to_string();
    let bundled = |wire: &Wire| wire.net.filter(|_| wire.bundled && wire.role == Role::Input);
    let bundled = wires.list.iter().filter_map(bundled).collect();
    let problems = problems.into_iter().map(|(wire, problem)| (wire.map(name), problem)).collect();
    Finished { module, bundled, problems }
}

/// Keeps the expressions in use. Where the value of one of the nets `names` is used, its name stands
/// instead of a copy of its logic, so that the Verilog reads like the source.
fn name_and_compact(module: &mut Module, exprs: &Expressions, names: Vec<NetId>) {
    let mut named: HashMap<ExprId, NetId> = HashMap::new();
    for id in names {
        if let Driver::Expr(value) = module.net(id).driver
            && !matches!(exprs.get(value).op, Op::Const(_) | Op::Net(_))
        {
            named.entry(value).or_insert(id);
        }
    }
    let mut compactor =
        Compactor { old: exprs.list(), named, new: HashMap::new(), interned: HashMap::new(), list: vec![] };
    let mut used = vec![false; compactor.old.len()];
    for_each_root(module, &mut |root, _| used[root.0 as usize] = true);
    for i in (0..used.len()).rev() {
        if used[i] {
            for operand in compactor.old[i].op.operands() {
                used[operand.0 as usize] = true;
            }
        }
    }
    for i in (0..used.len()).filter(|&i| used[i]) {
        compactor.copy(ExprId(i as u32));
    }
    for_each_root(module, &mut |root, net| {
        *root = match compactor.named.get(root) {
            Some(&name) if Some(name) != net => compactor.net(*root, name),
            _ => compactor.new[root],
        }
    });
    module.exprs = compactor.list;
}

struct Compactor<'a> {
    old: &'a [Expr],
    named: HashMap<ExprId, NetId>,
    /// Old expressions to new ones.
    new: HashMap<ExprId, ExprId>,
    interned: HashMap<Expr, ExprId>,
    list: Vec<Expr>,
}

impl Compactor<'_> {
    fn copy(&mut self, id: ExprId) {
        let Expr { width, mut op } = self.old[id.0 as usize].clone();
        op.for_each_operand(&mut |operand| {
            *operand = match self.named.get(operand) {
                Some(&net) => self.net(*operand, net),
                None => self.new[operand],
            }
        });
        let copied = self.intern(Expr { width, op });
        self.new.insert(id, copied);
    }

    fn net(&mut self, old: ExprId, net: NetId) -> ExprId {
        self.intern(Expr { width: self.old[old.0 as usize].width, op: Op::Net(net) })
    }

    fn intern(&mut self, expr: Expr) -> ExprId {
        *self.interned.entry(expr).or_insert_with_key(|expr| {
            self.list.push(expr.clone());
            ExprId(self.list.len() as u32 - 1)
        })
    }
}

/// Every use of an expression outside expressions, with the net it drives.
fn for_each_root(module: &mut Module, visit: &mut impl FnMut(&mut ExprId, Option<NetId>)) {
    for (i, net) in module.nets.iter_mut().enumerate() {
        if let Driver::Expr(root) = &mut net.driver {
            visit(root, Some(NetId(i as u32)));
        }
    }
    for register in &mut module.registers {
        register.reset.iter_mut().chain(&mut register.enable).for_each(|root| visit(root, None));
        visit(&mut register.d, None);
    }
    for memory in &mut module.memories {
        for read in &mut memory.reads {
            visit(&mut read.address, None);
            read.enable.iter_mut().for_each(|root| visit(root, None));
        }
        for write in &mut memory.writes {
            [&mut write.enable, &mut write.address, &mut write.data].into_iter().for_each(|root| visit(root, None));
            write.mask.iter_mut().for_each(|root| visit(root, None));
        }
    }
}
