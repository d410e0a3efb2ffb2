//! All mutants in one netlist, behind multiplexers.
use std::collections::HashMap;

use warploom_sim::netlist::{Driver, Expr, ExprId, Module, Net, NetId, NetKind, NetName, Netlist, Op, Segment};

use super::operators::{Change, Mutant, Site, mutants};

/// The input that chooses a mutant.
pub const PORT: &str = "mutant";
/// Its width.
const WIDTH: usize = 16;

/// How a mutant is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// By the input [`PORT`] of the design.
    Port,
    /// This one, for good; the ports stay as they are.
    Fixed(u64),
}

/// Builds the mutants that are numbered into every module that has their place. Number 0 is the design as it was.
pub fn weave(netlist: &Netlist, numbers: &HashMap<String, u64>, selection: Selection) -> Netlist {
    let mut woven = netlist.clone();
    for module in &mut woven.modules {
        let prefix = format!("{}.", module.source);
        let here: Vec<(u64, Mutant)> = match numbers.keys().any(|name| name.starts_with(&prefix)) {
            true => mutants(module).into_iter().filter_map(|m| Some((*numbers.get(&m.name)?, m))).collect(),
            false => vec![],
        };
        Weaver::new(module, selection).run(&here);
    }
    if selection == Selection::Port {
        connect(&mut woven);
    }
    woven
}

/// Gives every instance the input of its parent.
fn connect(netlist: &mut Netlist) {
    for module in &mut netlist.modules {
        let own = module.port(PORT).expect("every module has one");
        let own = module.exprs.iter().position(|expr| expr.op == Op::Net(own)).expect("every module reads it");
        for (i, instance) in module.instances.iter_mut().enumerate() {
            let name = NetName(vec![instance.name.clone(), segment()]);
            instance.ports.push(NetId(module.nets.len() as u32));
            module.nets.push(net(name, NetKind::ChildInput(i), Driver::Expr(ExprId(own as u32))));
        }
    }
}

fn segment() -> Segment {
    Segment { field: PORT.into(), index: vec![] }
}

fn net(name: NetName, kind: NetKind, driver: Driver) -> Net {
    Net { name, width: WIDTH, kind, driver, variants: None }
}

/// One module's logic, rebuilt operands first.
struct Weaver<'m> {
    module: &'m mut Module,
    exprs: Vec<Expr>,
    ids: HashMap<Expr, ExprId>,
    selector: ExprId,
}

impl<'m> Weaver<'m> {
    fn new(module: &'m mut Module, selection: Selection) -> Self {
        let mut weaver = Self { module, exprs: vec![], ids: HashMap::new(), selector: ExprId(0) };
        let selector = match selection {
            Selection::Fixed(number) => Op::Const(number),
            Selection::Port => {
                let id = NetId(weaver.module.nets.len() as u32);
                weaver.module.nets.push(net(NetName(vec![segment()]), NetKind::Input, Driver::Parent));
                weaver.module.ports.push(id);
                Op::Net(id)
            }
        };
        weaver.selector = weaver.expr(WIDTH, selector);
        weaver
    }

    fn expr(&mut self, width: usize, op: Op) -> ExprId {
        let expr = Expr { width, op };
        if let Some(id) = self.ids.get(&expr) {
            return *id;
        }
        let id = ExprId(self.exprs.len() as u32);
        self.exprs.push(expr.clone());
        self.ids.insert(expr, id);
        id
    }

    /// `changed` where this mutant is active, else `value`.
    fn mux(&mut self, number: u64, changed: ExprId, value: ExprId) -> ExprId {
        let width = self.exprs[value.0 as usize].width;
        let number = self.expr(WIDTH, Op::Const(number));
        let active = self.expr(1, Op::Eq(self.selector, number));
        self.expr(width, Op::Mux(active, changed, value))
    }

    /// For places that are no expressions: only constants are put there.
    fn stuck(&mut self, number: u64, change: &Change, value: ExprId) -> ExprId {
        let Change::Stuck(constant) = change else { unreachable!("{change:?}") };
        let width = self.exprs[value.0 as usize].width;
        let changed = self.expr(width, Op::Const(*constant));
        self.mux(number, changed, value)
    }

    fn run(mut self, mutants: &[(u64, Mutant)]) {
        let mut by_site: HashMap<Site, Vec<(u64, &Change)>> = HashMap::new();
        for (number, mutant) in mutants {
            by_site.entry(mutant.site).or_default().push((*number, &mutant.change));
        }
        let at = |site: Site| by_site.get(&site).into_iter().flatten().copied();

        let old = std::mem::take(&mut self.module.exprs);
        let mut new: Vec<ExprId> = Vec::with_capacity(old.len());
        for (i, expr) in old.iter().enumerate() {
            let mut op = expr.op.clone();
            op.for_each_operand(&mut |id| *id = new[id.0 as usize]);
            let mut value = self.expr(expr.width, op);
            for (number, change) in at(Site::Expr(ExprId(i as u32))) {
                let changed = self.changed(change, expr, &new, &old);
                value = self.mux(number, changed, value);
            }
            new.push(value);
        }
        let id = |id: ExprId| new[id.0 as usize];

        for i in 0..self.module.nets.len() {
            if let Driver::Expr(expr) = self.module.nets[i].driver {
                let site = Site::Net(NetId(i as u32));
                let driver = at(site).fold(id(expr), |value, (number, change)| self.stuck(number, change, value));
                self.module.nets[i].driver = Driver::Expr(driver);
            }
        }
        for i in 0..self.module.registers.len() {
            let mut register = self.module.registers[i].clone();
            register.d = id(register.d);
            for (field, site) in [(&mut register.enable, Site::Enable(i)), (&mut register.reset, Site::Reset(i))] {
                *field = field
                    .map(|field| at(site).fold(id(field), |value, (number, change)| self.stuck(number, change, value)));
            }
            if let (Some(reset), Some((number, change))) = (register.reset, at(Site::ResetValue(i)).next()) {
                // A reset that loads what the mutant says: part of the next value.
                let initial = self.expr(register.width, Op::Const(register.initial));
                let initial = self.stuck(number, change, initial);
                let q = self.expr(register.width, Op::Net(register.q));
                let enabled = register.enable.take();
                let held = enabled.map_or(register.d, |e| self.expr(register.width, Op::Mux(e, register.d, q)));
                register.d = self.expr(register.width, Op::Mux(reset, initial, held));
                register.reset = None;
            }
            self.module.registers[i] = register;
        }
        for i in 0..self.module.memories.len() {
            let mut memory = self.module.memories[i].clone();
            for read in &mut memory.reads {
                read.address = id(read.address);
                read.enable = read.enable.map(id);
            }
            for (j, write) in memory.writes.iter_mut().enumerate() {
                let enable = id(write.enable);
                write.enable =
                    at(Site::Write(i, j)).fold(enable, |value, (number, change)| self.stuck(number, change, value));
                (write.address, write.data) = (id(write.address), id(write.data));
                write.mask = write.mask.map(id);
            }
            self.module.memories[i] = memory;
        }
        self.module.exprs = self.exprs;
    }

    /// A change of an expression; `new` are its operands' new places.
    fn changed(&mut self, change: &Change, expr: &Expr, new: &[ExprId], old: &[Expr]) -> ExprId {
        let width = expr.width;
        match change {
            Change::Op(op) => {
                let mut op = op.clone();
                op.for_each_operand(&mut |id| *id = new[id.0 as usize]);
                self.expr(width, op)
            }
            Change::Operand(operand) => new[operand.0 as usize],
            Change::Stuck(value) => self.expr(width, Op::Const(*value)),
            Change::Any(operand) => {
                let any = self.expr(1, Op::ReduceOr(new[operand.0 as usize]));
                self.expr(width, Op::ZeroExtend(any))
            }
            Change::Constant(position, value) => {
                let width_there = old[expr.op.operands()[*position].0 as usize].width;
                let constant = self.expr(width_there, Op::Const(*value));
                self.replaced(expr, *position, constant, new)
            }
            Change::Complement(position) => {
                let operand = expr.op.operands()[*position];
                let complement = self.expr(old[operand.0 as usize].width, Op::Not(new[operand.0 as usize]));
                self.replaced(expr, *position, complement, new)
            }
        }
    }

    fn replaced(&mut self, expr: &Expr, position: usize, by: ExprId, new: &[ExprId]) -> ExprId {
        let (mut op, mut at) = (expr.op.clone(), 0);
        op.for_each_operand(&mut |id| {
            *id = if at == position { by } else { new[id.0 as usize] };
            at += 1;
        });
        self.expr(expr.width, op)
    }
}
