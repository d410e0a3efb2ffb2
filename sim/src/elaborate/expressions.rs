//! The arena of expressions of one module: hash-consed, widths checked by construction.
//!
//! Little is simplified here, on purpose: the copies of an array element must keep one shape, so
//! that the simulator can evaluate them as one vector. What is normalised is wiring only: slices
//! of slices, and fields packed with shifts and ors, become [`Op::Concat`]s.
use std::collections::HashMap;

use warploom_hdl::word::mask;

use crate::netlist::{Expr, ExprId, Op};

#[derive(Default)]
pub(super) struct Expressions {
    list: Vec<Expr>,
    ids: HashMap<Expr, ExprId>,
    /// Per expression: the bits that can be one.
    possible_ones: Vec<u64>,
}

impl Expressions {
    /// The expressions so far, operands first.
    pub fn list(&self) -> &[Expr] {
        &self.list
    }

    pub fn get(&self, id: ExprId) -> &Expr {
        &self.list[id.0 as usize]
    }

    pub fn width(&self, id: ExprId) -> usize {
        self.get(id).width
    }

    /// The expression `op` of `width` bits, built once.
    pub fn make(&mut self, width: usize, op: Op) -> ExprId {
        debug_assert!((1..=64).contains(&width), "{width} bits: {op:?}");
        let expr = Expr { width, op };
        if let Some(&id) = self.ids.get(&expr) {
            return id;
        }
        let id = ExprId(self.list.len() as u32);
        self.possible_ones.push(self.ones_of(&expr));
        self.ids.insert(expr.clone(), id);
        self.list.push(expr);
        id
    }

    pub fn constant(&mut self, width: usize, value: u64) -> ExprId {
        self.make(width, Op::Const(value & mask(width)))
    }

    /// `a < b`. Nothing is less than a size that is 0: linters of the export know that.
    pub fn less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.is_zero(b) { self.constant(1, 0) } else { self.make(1, Op::Lt(a, b)) }
    }

    /// `a <= b`.
    pub fn at_most(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if self.is_zero(a) { self.constant(1, 1) } else { self.make(1, Op::Le(a, b)) }
    }

    fn is_zero(&self, id: ExprId) -> bool {
        self.list[id.0 as usize].op == Op::Const(0)
    }

    /// `operation` on one operand, result as wide.
    pub fn unary(&mut self, operation: impl Fn(ExprId) -> Op, a: ExprId) -> ExprId {
        self.make(self.width(a), operation(a))
    }

    /// `operation` on two operands, result as wide as the first.
    pub fn binary(&mut self, operation: impl Fn(ExprId, ExprId) -> Op, a: ExprId, b: ExprId) -> ExprId {
        self.make(self.width(a), operation(a, b))
    }

    /// `condition ? a : b`.
    pub fn mux(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        self.make(self.width(a), Op::Mux(condition, a, b))
    }

    /// Zero-extended or truncated to `width`.
    pub fn resize(&mut self, a: ExprId, width: usize) -> ExprId {
        match self.width(a) {
            from if from < width => self.make(width, Op::ZeroExtend(a)),
            from if from > width => self.truncate(a, width),
            _ => a,
        }
    }

    /// Sign-extended or truncated to `width`.
    pub fn sign_resize(&mut self, a: ExprId, width: usize) -> ExprId {
        if self.width(a) < width { self.make(width, Op::SignExtend(a)) } else { self.resize(a, width) }
    }

    /// The low `width` bits; of a shifted value, the bits further up.
    fn truncate(&mut self, a: ExprId, width: usize) -> ExprId {
        if let Op::Shr(value, by) = self.get(a).op
            && let Op::Const(by) = self.get(by).op
            && by < 64
            && by as usize + width <= self.width(value)
        {
            return self.slice(value, by as usize, width);
        }
        self.slice(a, 0, width)
    }

    /// Shift by a constant.
    pub fn shift(&mut self, operation: impl Fn(ExprId, ExprId) -> Op, a: ExprId, by: u64) -> ExprId {
        // As many bits for every amount that matters, so that the copies of a loop body look alike.
        let needed = |n: u64| (64 - n.leading_zeros()).max(1) as usize;
        let amount = self.constant(needed(by.max(self.width(a) as u64)), by);
        self.binary(operation, a, amount)
    }

    /// `width` bits from bit `low` up, which must exist.
    pub fn slice(&mut self, a: ExprId, low: usize, width: usize) -> ExprId {
        let from = self.width(a);
        debug_assert!(low + width <= from, "bits {low}+{width} of {from}");
        if width == from {
            return a;
        }
        match self.get(a).op.clone() {
            Op::Const(value) => self.constant(width, value >> low),
            Op::Slice { value, low: inner } => self.slice(value, inner + low, width),
            Op::ZeroExtend(inner) => match self.width(inner) {
                bits if low + width <= bits => self.slice(inner, low, width),
                bits if low >= bits => self.constant(width, 0),
                bits => {
                    let field = self.slice(inner, low, bits - low);
                    self.make(width, Op::ZeroExtend(field))
                }
            },
            Op::Concat(parts) => {
                let mut bottom = from;
                let mut taken = vec![];
                for part in parts {
                    let top = bottom;
                    bottom -= self.width(part);
                    let (first, end) = (low.max(bottom), (low + width).min(top));
                    if first < end {
                        taken.push(self.slice(part, first - bottom, end - first));
                    }
                }
                self.concat(taken)
            }
            _ => self.make(width, Op::Slice { value: a, low }),
        }
    }

    /// Operands side by side, the first one on top. Neighbours that are one slice, or constants, merge.
    pub fn concat(&mut self, parts: Vec<ExprId>) -> ExprId {
        let mut merged: Vec<ExprId> = vec![];
        let mut pending: Vec<ExprId> = parts.into_iter().rev().collect();
        while let Some(part) = pending.pop() {
            match &self.get(part).op {
                Op::Concat(inner) => pending.extend(inner.clone().into_iter().rev()),
                Op::ZeroExtend(inner) => {
                    let (inner, zeros) = (*inner, self.width(part) - self.width(*inner));
                    pending.push(inner);
                    pending.push(self.constant(zeros, 0));
                }
                _ => match merged.last().copied().and_then(|above| self.adjacent(above, part)) {
                    Some(both) => *merged.last_mut().expect("there is one above") = both,
                    None => merged.push(part),
                },
            }
        }
        let width = |list: &[ExprId]| list.iter().map(|&part| self.width(part)).sum::<usize>();
        let total = width(&merged);
        match merged[..] {
            [only] => only,
            [top, ref rest @ ..] if self.get(top).op == Op::Const(0) => {
                let (rest, bits) = (rest.to_vec(), width(rest));
                let inner = if rest.len() == 1 { rest[0] } else { self.make(bits, Op::Concat(rest)) };
                self.make(total, Op::ZeroExtend(inner))
            }
            _ => self.make(total, Op::Concat(merged)),
        }
    }

    /// Two neighbours in a concatenation as one value, when they are one.
    fn adjacent(&mut self, above: ExprId, below: ExprId) -> Option<ExprId> {
        let (high, low) = (self.width(above), self.width(below));
        match (&self.get(above).op, &self.get(below).op) {
            (Op::Const(a), Op::Const(b)) => {
                let both = (a << low) | b;
                Some(self.constant(high + low, both))
            }
            (Op::Slice { value: a, low: from_a }, Op::Slice { value: b, low: from_b })
                if a == b && *from_a == from_b + low =>
            {
                let (value, from) = (*b, *from_b);
                Some(self.slice(value, from, high + low))
            }
            _ => None,
        }
    }

    /// `a | b`; fields that do not overlap become a concatenation.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (ones_a, ones_b) = (self.ones(a), self.ones(b));
        if !self.is_packed(a) || !self.is_packed(b) || ones_a & ones_b != 0 {
            return self.binary(Op::Or, a, b);
        }
        // Runs of bits from one operand, from the top down; bits of neither are the first one's zeros.
        let mut parts = vec![];
        let mut top = self.width(a);
        while top > 0 {
            let from_b = ones_b >> (top - 1) & 1 == 1;
            let same = |bit: usize| (ones_b >> bit & 1 == 1) == from_b;
            let bottom = (0..top).rev().find(|&bit| !same(bit)).map_or(0, |bit| bit + 1);
            parts.push(self.field(if from_b { b } else { a }, bottom, top - bottom));
            top = bottom;
        }
        self.concat(parts)
    }

    /// Bits of a packed value, seen through its shift.
    fn field(&mut self, a: ExprId, low: usize, width: usize) -> ExprId {
        if self.ones(a) >> low & mask(width) == 0 {
            return self.constant(width, 0);
        }
        let Some((value, by)) = self.left_shift(a) else { return self.slice(a, low, width) };
        if low >= by {
            return self.slice(value, low - by, width);
        }
        if low + width <= by {
            return self.constant(width, 0);
        }
        let (zeros, field) = (self.constant(by - low, 0), self.slice(value, 0, low + width - by));
        self.concat(vec![field, zeros])
    }

    /// The value and distance of a shift by a constant less than the width.
    fn left_shift(&self, a: ExprId) -> Option<(ExprId, usize)> {
        let Op::Shl(value, by) = self.get(a).op else { return None };
        let Op::Const(by) = self.get(by).op else { return None };
        (by < self.width(a) as u64).then_some((value, by as usize))
    }

    /// Whether the zeros of a value come from wiring.
    fn is_packed(&self, a: ExprId) -> bool {
        matches!(self.get(a).op, Op::Const(_) | Op::Concat(_) | Op::ZeroExtend(_)) || self.left_shift(a).is_some()
    }

    fn ones(&self, id: ExprId) -> u64 {
        self.possible_ones[id.0 as usize]
    }

    fn ones_of(&self, expr: &Expr) -> u64 {
        let all = mask(expr.width);
        match &expr.op {
            Op::Const(value) => *value,
            Op::And(a, b) => self.ones(*a) & self.ones(*b),
            Op::Or(a, b) | Op::Xor(a, b) | Op::Mux(_, a, b) => self.ones(*a) | self.ones(*b),
            Op::ZeroExtend(a) => self.ones(*a),
            Op::Slice { value, low } => self.ones(*value) >> low & all,
            Op::Concat(parts) => parts.iter().fold(0, |ones, part| match self.width(*part) {
                64 => self.ones(*part),
                bits => ones << bits | self.ones(*part),
            }),
            Op::Shl(a, by) => match self.get(*by).op {
                Op::Const(by) if by < 64 => self.ones(*a) << by & all,
                _ => all,
            },
            _ => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret::Interpreter;
    use crate::netlist::{Driver, Module, ModuleId, Net, NetId, NetKind, NetName, Netlist, Segment};

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % n
        }
    }

    /// Values made of wiring, with what they mean computed beside them.
    struct Wiring {
        exprs: Expressions,
        made: Vec<(ExprId, u64)>,
        random: Random,
    }

    impl Wiring {
        fn any(&mut self) -> (ExprId, u64, usize) {
            let (id, value) = self.made[self.random.below(self.made.len())];
            (id, value, self.exprs.width(id))
        }

        /// Some value in exactly `width` bits.
        fn of_width(&mut self, width: usize) -> (ExprId, u64) {
            let (a, value, _) = self.any();
            (self.exprs.resize(a, width), value & mask(width))
        }

        fn grow(&mut self) {
            let (a, value, width) = self.any();
            let made = match self.random.below(5) {
                0 => {
                    let low = self.random.below(width);
                    let bits = 1 + self.random.below(width - low);
                    (self.exprs.slice(a, low, bits), value >> low & mask(bits))
                }
                1 => {
                    let (b, below, bits) = self.any();
                    if width + bits > 64 {
                        return;
                    }
                    (self.exprs.concat(vec![a, b]), value << bits | below)
                }
                2 => {
                    let by = self.random.below(width + 2);
                    let shifted = if by >= 64 { 0 } else { value << by & mask(width) };
                    (self.exprs.shift(Op::Shl, a, by as u64), shifted)
                }
                3 => self.of_width(width),
                _ => {
                    let (b, other) = self.of_width(width);
                    (self.exprs.or(a, b), value | other)
                }
            };
            self.made.push(made);
        }
    }

    #[test]
    fn wiring_keeps_its_meaning() {
        for seed in 0..200 {
            let mut wiring = Wiring { exprs: Expressions::default(), made: vec![], random: Random(seed) };
            let mut nets = vec![];
            let segment = |name: String| NetName(vec![Segment { field: name, index: vec![] }]);
            for (i, width) in [1, 3, 8, 16].into_iter().enumerate() {
                let value = wiring.random.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> i & mask(width);
                let net = wiring.exprs.make(width, Op::Net(NetId(i as u32)));
                wiring.made.push((net, value));
                let (kind, driver) = (NetKind::Input, Driver::Parent);
                nets.push(Net { name: segment(format!("in{i}")), width, kind, driver, variants: None });
                let (zero, wide) = (wiring.exprs.constant(20 + i, 0), wiring.exprs.resize(net, 32));
                wiring.made.extend([(zero, 0), (wide, value)]);
            }
            let inputs: Vec<u64> = wiring.made.iter().step_by(3).map(|made| made.1).collect();
            (0..100).for_each(|_| wiring.grow());
            for (i, &(id, _)) in wiring.made.iter().enumerate() {
                let (width, kind, driver) = (wiring.exprs.width(id), NetKind::Output, Driver::Expr(id));
                nets.push(Net { name: segment(format!("out{i}")), width, kind, driver, variants: None });
            }
            let module = Module {
                name: "Wiring".into(),
                source: "Wiring".into(),
                ports: (0..nets.len() as u32).map(NetId).collect(),
                nets,
                exprs: wiring.exprs.list().to_vec(),
                instances: vec![],
                registers: vec![],
                memories: vec![],
            };
            let netlist = Netlist { modules: vec![module], top: ModuleId(0) };
            let mut run = Interpreter::new(&netlist);
            inputs.iter().enumerate().for_each(|(i, &value)| run.set(&format!("in{i}"), value));
            for (i, &(id, value)) in wiring.made.iter().enumerate() {
                assert_eq!(run.get(&format!("out{i}")), value, "seed {seed}: {:?}", wiring.exprs.get(id));
            }
        }
    }
}
