//! Expressions of the netlist as Verilog whose meaning does not depend on where it stands.
//!
//! Every printed expression has, by itself, exactly the width of its netlist expression, and stands only where
//! nothing wider or signed can reach into it: operands of equal width, concatenations, index brackets, arguments.
//! What would need a context (a sign to shift in, a slice of a result) has a wire of its own.
use warploom_sim::netlist::{EnumType, ExprId, NetId, Op};

use super::functions::Function;
use super::layout::Doc;
use super::module::Printer;
use super::sharing::indexes_all;

impl Printer<'_> {
    /// An operand: its name if it has one.
    pub(super) fn expr(&self, id: ExprId) -> Doc {
        match &self.names[id.0 as usize] {
            Some(name) => Doc::text(name),
            None => self.value(id, None),
        }
    }

    /// What an expression is, for the net it drives.
    pub(super) fn value(&self, id: ExprId, target: Option<NetId>) -> Doc {
        use Op::*;
        let expr = self.module.expr(id);
        let (w, infix) = (expr.width, |operator, a: &ExprId, b: &ExprId| self.infix(operator, *a, *b));
        match &expr.op {
            Const(value) => Doc::text(self.constant(*value, w, target)),
            Net(net) => Doc::text(self.net(*net)),
            Not(a) => Doc::Prefix("~", Box::new(self.expr(*a))),
            And(..) | Or(..) | Xor(..) => self.chain(id),
            Add(a, b) => infix("+", a, b),
            Sub(a, b) => infix("-", a, b),
            Mul(a, b) => infix("*", a, b),
            Eq(a, b) => infix("==", a, b),
            Ne(a, b) => infix("!=", a, b),
            Lt(a, b) => infix("<", a, b),
            Le(a, b) => infix("<=", a, b),
            SignedLt(a, b) => Doc::infix("<", self.signed(*a), self.signed(*b)),
            Shl(a, by) => Doc::infix("<<", self.expr(*a), self.expr(*by)),
            Shr(a, by) => Doc::infix(">>", self.expr(*a), self.expr(*by)),
            Sra(a, by) => Doc::infix(">>>", self.signed(*a), self.expr(*by)),
            Mux(..) => self.choice(id, target),
            Slice { value, low } => Doc::text(self.slice(*value, *low, w)),
            Concat(parts) => self.concat(parts),
            ZeroExtend(a) => self.zero_extend(*a, w),
            SignExtend(a) => self.sign_extend(*a, w),
            BitSelect { value, index } => self.bit_select(*value, *index),
            BitReplace { value, index, bit } => {
                let at = |what: Doc| Doc::infix("<<", what, self.expr(*index));
                let hole = Doc::Prefix("~", Box::new(at(Doc::text(format!("{w}'d1")))));
                let kept = Doc::infix("&", self.expr(*value), hole);
                Doc::infix("|", kept, at(self.zero_extend(*bit, w)))
            }
            Select { index, inputs } => {
                let operands = std::iter::once(index).chain(inputs).map(|operand| self.expr(*operand));
                self.call(&expr.op, w, operands.collect())
            }
            ReduceAnd(a) => Doc::Prefix("&", Box::new(self.expr(*a))),
            ReduceOr(a) => Doc::Prefix("|", Box::new(self.expr(*a))),
            ReduceXor(a) => Doc::Prefix("^", Box::new(self.expr(*a))),
            Popcount(a) if self.width(*a) == 1 => self.zero_extend(*a, w),
            LowestBit(a) if self.width(*a) == 1 => Doc::text(format!("{w}'d0")),
            LowestOneHot(a) if w == 1 => self.expr(*a),
            Popcount(a) | LowestBit(a) | LowestOneHot(a) => self.call(&expr.op, w, vec![self.expr(*a)]),
        }
    }

    fn width(&self, id: ExprId) -> usize {
        self.module.expr(id).width
    }

    /// A literal; with the variant's name when it stands for, or meets, an enumeration.
    pub(super) fn constant(&self, value: u64, width: usize, meets: Option<NetId>) -> String {
        let variants = meets.and_then(|net| self.module.net(net).variants.as_deref());
        let variant = |variants: &EnumType| variants.variants.get(value as usize).map(|name| format!(" /* {name} */"));
        let name = variants.and_then(variant).unwrap_or_default();
        match value {
            0..=64 => format!("{width}'d{value}{name}"),
            _ => format!("{width}'h{value:x}{name}"),
        }
    }

    fn infix(&self, operator: &'static str, a: ExprId, b: ExprId) -> Doc {
        let side = |id: ExprId, other: ExprId| match (&self.module.expr(id).op, &self.module.expr(other).op) {
            (Op::Const(_), Op::Net(net)) => self.value(id, Some(*net)),
            _ => self.expr(id),
        };
        Doc::infix(operator, side(a, b), side(b, a))
    }

    /// Operands of the same associative operator side by side: `a & b & c`.
    fn chain(&self, id: ExprId) -> Doc {
        let operator = match &self.module.expr(id).op {
            Op::And(..) => "&",
            Op::Or(..) => "|",
            _ => "^",
        };
        let same = |other: ExprId| {
            self.names[other.0 as usize].is_none()
                && std::mem::discriminant(&self.module.expr(other).op)
                    == std::mem::discriminant(&self.module.expr(id).op)
        };
        let mut operands = vec![];
        let mut pending = vec![id];
        while let Some(next) = pending.pop() {
            if next == id || same(next) {
                pending.extend(self.module.expr(next).op.operands().into_iter().rev());
            } else {
                operands.push(self.expr(next));
            }
        }
        Doc::Infix(operator, operands)
    }

    /// `condition ? value : condition ? value : default`.
    fn choice(&self, id: ExprId, target: Option<NetId>) -> Doc {
        let (choices, default) = self.choices(id, target);
        Doc::Choice(choices, Box::new(self.choice_value(default, target)))
    }

    pub(super) fn choice_value(&self, id: ExprId, target: Option<NetId>) -> Doc {
        match &self.names[id.0 as usize] {
            Some(name) => Doc::text(name),
            None => self.value(id, target),
        }
    }

    /// Conditions with their values, first match wins, and what is left when none holds.
    pub(super) fn choices(&self, id: ExprId, target: Option<NetId>) -> (Vec<(Doc, Doc)>, ExprId) {
        let mut choices = vec![];
        let mut rest = id;
        while let Op::Mux(condition, then, otherwise) = &self.module.expr(rest).op {
            if rest != id && self.names[rest.0 as usize].is_some() {
                break;
            }
            choices.push((self.expr(*condition), self.choice_value(*then, target)));
            rest = *otherwise;
        }
        (choices, rest)
    }

    fn signed(&self, id: ExprId) -> Doc {
        Doc::call("$signed", vec![self.expr(id)])
    }

    fn call(&self, op: &Op, width: usize, operands: Vec<Doc>) -> Doc {
        let function = Function::of(self.module, op, width).expect("collected from the same expressions");
        Doc::call(&self.functions[&function], operands)
    }

    /// `width` bits of a named value from bit `low` up.
    pub(super) fn slice(&self, value: ExprId, low: usize, width: usize) -> String {
        let name = match &self.module.expr(value).op {
            Op::Const(constant) => {
                let mask = if width == 64 { u64::MAX } else { (1 << width) - 1 };
                return self.constant((constant >> low) & mask, width, None);
            }
            _ => self.expr(value).flat(true),
        };
        match width {
            _ if width == self.width(value) => self.expr(value).flat(false),
            1 => format!("{name}[{low}]"),
            _ => format!("{name}[{}:{low}]", low + width - 1),
        }
    }

    /// Equal neighbours are counted: `{4{x}}`.
    fn concat(&self, parts: &[ExprId]) -> Doc {
        let groups = parts.chunk_by(|a, b| a == b).map(|group| match group.len() {
            1 => self.expr(group[0]),
            count => replicated(count, self.expr(group[0])),
        });
        Doc::concat(groups.collect())
    }

    fn zero_extend(&self, a: ExprId, width: usize) -> Doc {
        match width - self.width(a) {
            0 => self.expr(a),
            more => Doc::concat(vec![Doc::text(format!("{more}'d0")), self.expr(a)]),
        }
    }

    fn sign_extend(&self, a: ExprId, width: usize) -> Doc {
        let from = self.width(a);
        match width - from {
            0 => self.expr(a),
            _ if from == 1 => replicated(width, self.expr(a)),
            more => {
                let sign = Doc::text(self.slice(a, from - 1, 1));
                Doc::concat(vec![replicated(more, sign), self.expr(a)])
            }
        }
    }

    fn bit_select(&self, value: ExprId, index: ExprId) -> Doc {
        let (width, index_width) = (self.width(value), self.width(index));
        let constant = matches!(self.module.expr(value).op, Op::Const(_));
        if !constant && indexes_all(width, index_width) {
            let needed = (width - 1).ilog2() as usize + 1;
            let index = self.zero_extend(index, needed).flat(true);
            return Doc::text(format!("{}[{index}]", self.expr(value).flat(true)));
        }
        // Past the end the mask is empty.
        let mask = Doc::infix("<<", Doc::text(format!("{width}'d1")), self.expr(index));
        Doc::Prefix("|", Box::new(Doc::infix("&", self.expr(value), mask)))
    }
}

/// `{4{x}}`.
fn replicated(count: usize, what: Doc) -> Doc {
    Doc::List(format!("{{{count}{{"), vec![what], "}}")
}
