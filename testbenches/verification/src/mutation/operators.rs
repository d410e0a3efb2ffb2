//! What can be changed in a module, and what it is called.
//!
//! | operator | becomes |
//! |---|---|
//! | `&`, or, `^` | or, `&`, or |
//! | `+`, `-` | `-`, `+` |
//! | `==`, `!=` | each other |
//! | `<`, `<=` | each other; their operands swapped |
//! | signed `<` | unsigned |
//! | shifts | the other direction; arithmetic: logical |
//! | `!x` | `x` |
//! | `c ? a : b` | `c ? b : a` |
//! | a constant operand of these | one more; of one bit: the other |
//! | part of a word | that from the next bit on |
//! | bit of a word by number | that of the complemented number |
//! | words side by side, one of n words | the first two swapped |
//! | sign or zero extension | each other |
//! | all, any, parity of bits | any, all, any |
//! | number of bits, lowest bit, it alone | whether any, 0, all of them |
//! | bit replaced | by its complement |
//! | register | enable stuck at 0 and at 1, reset ignored, another value after reset |
//! | write port of a memory | enable stuck at 0 and at 1 |
//! | wire to or from a child | stuck at 0 |
use std::collections::HashMap;

use warploom_sim::netlist::{Driver, ExprId, Module, NetId, NetKind, Op};

use super::text::text;

/// One change of one module.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// Module, the net or register that its place drives, what stands there, what it becomes: the same in every size of the module
    /// that has this place.
    pub name: String,
    /// Where.
    pub site: Site,
    /// What.
    pub change: Change,
}

/// Where a mutant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// An expression.
    Expr(ExprId),
    /// What drives a net.
    Net(NetId),
    /// Enable of a register.
    Enable(usize),
    /// Reset of a register.
    Reset(usize),
    /// Value of a register after reset.
    ResetValue(usize),
    /// Enable of a memory's write port.
    Write(usize, usize),
}

/// What it becomes.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another operator on operands that are there.
    Op(Op),
    /// This operand, as wide as the result.
    Operand(ExprId),
    /// Its operand at this position becomes a constant.
    Constant(usize, u64),
    /// The whole becomes a constant.
    Stuck(u64),
    /// Whether any bit of this operand is set.
    Any(ExprId),
    /// Its operand at this position is complemented.
    Complement(usize),
}

/// All mutants of a module. They depend on its own logic alone, not on its children's.
pub fn mutants(module: &Module) -> Vec<Mutant> {
    let mut found = Found { module, mutants: vec![], seen: vec![false; module.exprs.len()], names: HashMap::new() };
    for (i, net) in module.nets.iter().enumerate() {
        let Driver::Expr(expr) = net.driver else { continue };
        let place = net.name.to_string();
        if let (NetKind::ChildInput(_) | NetKind::Output, Op::Net(_)) = (net.kind, &module.expr(expr).op) {
            found.add(&place, &text(module, expr), "0", Site::Net(NetId(i as u32)), Change::Stuck(0));
        }
        found.cone(&place, expr);
    }
    for (i, register) in module.registers.iter().enumerate() {
        let place = register.name.to_string();
        found.cone(&place, register.d);
        if let Some(enable) = register.enable {
            found.cone(&place, enable);
            found.add(&place, "enable", "1", Site::Enable(i), Change::Stuck(1));
            found.add(&place, "enable", "0", Site::Enable(i), Change::Stuck(0));
        }
        if let Some(reset) = register.reset {
            found.cone(&place, reset);
            found.add(&place, "reset", "0", Site::Reset(i), Change::Stuck(0));
            let other = register.initial ^ 1;
            found.add(&place, "value after reset", &other.to_string(), Site::ResetValue(i), Change::Stuck(other));
        }
    }
    for (i, memory) in module.memories.iter().enumerate() {
        let place = memory.name.to_string();
        for read in &memory.reads {
            found.cone(&place, read.address);
            read.enable.iter().for_each(|enable| found.cone(&place, *enable));
        }
        for (j, write) in memory.writes.iter().enumerate() {
            [write.enable, write.address, write.data].into_iter().chain(write.mask).for_each(|e| found.cone(&place, e));
            let what = format!("write enable {j}");
            found.add(&place, &what, "1", Site::Write(i, j), Change::Stuck(1));
            found.add(&place, &what, "0", Site::Write(i, j), Change::Stuck(0));
        }
    }
    found.mutants
}

struct Found<'m> {
    module: &'m Module,
    mutants: Vec<Mutant>,
    seen: Vec<bool>,
    names: HashMap<String, usize>,
}

impl Found<'_> {
    fn add(&mut self, place: &str, what: &str, becomes: &str, site: Site, change: Change) {
        let name = format!("{}.{place}: {what} becomes {becomes}", self.module.source);
        let count = self.names.entry(name.clone()).or_default();
        *count += 1;
        let name = if *count == 1 { name } else { format!("{name} #{count}") };
        self.mutants.push(Mutant { name, site, change });
    }

    /// The logic that drives a place, where no place before it has it.
    fn cone(&mut self, place: &str, id: ExprId) {
        if std::mem::replace(&mut self.seen[id.0 as usize], true) {
            return;
        }
        let operands = self.module.expr(id).op.operands();
        let what = text(self.module, id);
        for (becomes, change) in self.changes(id) {
            self.add(place, &what, &becomes, Site::Expr(id), change);
        }
        operands.into_iter().for_each(|operand| self.cone(place, operand));
    }

    fn width(&self, id: ExprId) -> usize {
        self.module.expr(id).width
    }

    fn changes(&self, id: ExprId) -> Vec<(String, Change)> {
        use Change::{Any, Complement, Operand, Stuck};
        let expr = self.module.expr(id);
        let op = |what: &str, op: Op| (what.to_string(), Change::Op(op));
        let mut changes = match expr.op.clone() {
            Op::Const(_) | Op::Net(_) | Op::Mul(..) => vec![],
            Op::Not(a) => vec![("its operand".into(), Operand(a))],
            Op::And(a, b) => vec![op("or", Op::Or(a, b))],
            Op::Or(a, b) => vec![op("&", Op::And(a, b))],
            Op::Xor(a, b) => vec![op("or", Op::Or(a, b))],
            Op::Add(a, b) => vec![op("-", Op::Sub(a, b))],
            Op::Sub(a, b) => vec![op("+", Op::Add(a, b))],
            Op::Eq(a, b) => vec![op("!=", Op::Ne(a, b))],
            Op::Ne(a, b) => vec![op("==", Op::Eq(a, b))],
            Op::Lt(a, b) => vec![op("<=", Op::Le(a, b)), op("swapped", Op::Lt(b, a))],
            Op::Le(a, b) => vec![op("<", Op::Lt(a, b)), op("swapped", Op::Le(b, a))],
            Op::SignedLt(a, b) => vec![op("unsigned", Op::Lt(a, b))],
            Op::Shl(a, b) => vec![op(">>", Op::Shr(a, b))],
            Op::Shr(a, b) => vec![op("<<", Op::Shl(a, b))],
            Op::Sra(a, b) => vec![op(">>", Op::Shr(a, b))],
            Op::Mux(c, a, b) => vec![op("swapped", Op::Mux(c, b, a))],
            Op::Slice { value, low } => {
                let next = if low + expr.width < self.width(value) { Some(low + 1) } else { low.checked_sub(1) };
                next.map(|low| op("the next bit", Op::Slice { value, low })).into_iter().collect()
            }
            Op::Concat(mut parts) => match self.width(parts[0]) == self.width(parts[1.min(parts.len() - 1)]) {
                true if parts.len() > 1 => {
                    parts.swap(0, 1);
                    vec![op("swapped", Op::Concat(parts))]
                }
                _ => vec![],
            },
            Op::ZeroExtend(a) | Op::SignExtend(a) if self.width(a) == expr.width => vec![],
            Op::ZeroExtend(a) => vec![op("a sign extension", Op::SignExtend(a))],
            Op::SignExtend(a) => vec![op("a zero extension", Op::ZeroExtend(a))],
            Op::BitSelect { .. } => vec![("the number complemented".into(), Complement(1))],
            Op::BitReplace { .. } => vec![("complemented".into(), Complement(2))],
            Op::Select { index, mut inputs } if inputs.len() > 1 => {
                inputs.swap(0, 1);
                vec![op("swapped", Op::Select { index, inputs })]
            }
            Op::Select { .. } => vec![],
            Op::ReduceAnd(a) | Op::ReduceOr(a) | Op::ReduceXor(a) if self.width(a) == 1 => vec![],
            Op::ReduceAnd(a) => vec![op("any", Op::ReduceOr(a))],
            Op::ReduceOr(a) => vec![op("all", Op::ReduceAnd(a))],
            Op::ReduceXor(a) => vec![op("any", Op::ReduceOr(a))],
            Op::Popcount(a) => vec![("whether any".into(), Any(a))],
            Op::LowestBit(_) => vec![("0".into(), Stuck(0))],
            Op::LowestOneHot(a) => vec![("all bits".into(), Operand(a))],
        };
        changes.extend(self.constants(&expr.op));
        changes
    }

    fn constants(&self, op: &Op) -> Vec<(String, Change)> {
        use Op::{Add, Eq, Le, Lt, Mux, Ne, Shl, Shr, Sub};
        if !matches!(op, Add(..) | Eq(..) | Le(..) | Lt(..) | Mux(..) | Ne(..) | Shl(..) | Shr(..) | Sub(..)) {
            return vec![];
        }
        let operands = op.operands().into_iter().enumerate();
        let changed = operands.filter_map(|(position, id)| {
            let expr = self.module.expr(id);
            let Op::Const(value) = expr.op else { return None };
            let other = value.wrapping_add(1) & if expr.width == 64 { u64::MAX } else { (1 << expr.width) - 1 };
            Some((format!("{other} for {value}"), Change::Constant(position, other)))
        });
        changed.collect()
    }
}
