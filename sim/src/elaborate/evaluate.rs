//! Expressions of `update()`, with the meaning of `Word` and `bool`.
use rust_hdl::core::ast::{VerilogExpression, VerilogOp, VerilogOpUnary};
use warploom_hdl::word::mask;

use super::execute::{Execution, Reported};
use super::names::{self, IndexError};
use super::scope::{is_bool, number};
use super::wires::{Role, WireId};
use crate::lint::Problem;
use crate::netlist::{EnumType, ExprId, Op};

/// What an expression stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// A literal or loop variable: takes the width of what it meets.
    Number(u64),
    /// A condition over numbers only, or `true` and `false`.
    Flag(bool),
    /// A value of the circuit.
    Wire(ExprId),
    /// The same, to be sign-extended by the cast around it.
    Signed(ExprId),
}

type Evaluated<T = Value> = Result<T, Reported>;

impl Execution<'_> {
    pub(super) fn evaluate(&mut self, expression: &VerilogExpression) -> Evaluated {
        use VerilogExpression::*;
        match expression {
            Signal(name) => self.name(name),
            Literal(literal) => match number(literal) {
                Some(value) if is_bool(literal) => Ok(Value::Flag(value == 1)),
                Some(value) => Ok(Value::Number(value)),
                None => Err(self.unsupported(format!("the number {literal:x}"))),
            },
            Paren(inner) | Unsigned(inner) => self.evaluate(inner),
            Signed(inner) => match self.evaluate(inner)? {
                Value::Wire(a) => Ok(Value::Signed(a)),
                _ => Err(self.unsupported("signed_cast of a number".into())),
            },
            Cast(inner, width) => self.cast(inner, *width),
            Unary(operator, a) => self.unary(operator, a),
            Binary(a, operator, b) => {
                let (a, b) = (self.evaluate(a)?, self.evaluate(b)?);
                self.binary(a, operator, b)
            }
            Index(base, index) => {
                let base = self.wire(base)?;
                match self.evaluate(index)? {
                    Value::Number(index) => self.slice(base, index, 1),
                    index => {
                        let index = self.sized(index)?;
                        Ok(Value::Wire(self.exprs.make(1, Op::BitSelect { value: base, index })))
                    }
                }
            }
            Slice(base, width, low) => {
                let base = self.wire(base)?;
                match self.evaluate(low)? {
                    Value::Number(low) => self.slice(base, low, *width),
                    low => {
                        let low = self.sized(low)?;
                        let shifted = self.exprs.binary(Op::Shr, base, low);
                        self.slice(shifted, 0, *width)
                    }
                }
            }
            IndexReplace(base, index, bit) => self.replace_bit(base, index, bit),
        }
    }

    /// A circuit value; a number has no width of its own here.
    fn wire(&mut self, expression: &VerilogExpression) -> Evaluated<ExprId> {
        let value = self.evaluate(expression)?;
        self.sized(value)
    }

    fn sized(&mut self, value: Value) -> Evaluated<ExprId> {
        match value {
            Value::Wire(a) => Ok(a),
            Value::Flag(bit) => Ok(self.exprs.constant(1, bit as u64)),
            Value::Number(n) => Err(self.unsupported(format!("the number {n}, which has no width here,"))),
            Value::Signed(_) => Err(self.unsupported("signed_cast outside bit_cast_to".into())),
        }
    }

    /// The value as exactly `width` bits.
    pub(super) fn with_width(&mut self, value: Value, width: usize) -> Evaluated<ExprId> {
        if let Value::Number(number) = value {
            return self.literal(number, width);
        }
        let a = self.sized(value)?;
        match self.exprs.width(a) {
            right if right == width => Ok(a),
            right => Err(self.report_here(|place| Problem::WidthMismatch { left: width, right, place })),
        }
    }

    fn literal(&mut self, value: u64, width: usize) -> Evaluated<ExprId> {
        if value > mask(width) {
            return Err(self.report_here(|place| Problem::LiteralTooWide { value, width, place }));
        }
        Ok(self.exprs.constant(width, value))
    }

    fn cast(&mut self, inner: &VerilogExpression, width: usize) -> Evaluated {
        if !(1..=64).contains(&width) {
            return Err(self.report_here(|_| Problem::Width(width)));
        }
        Ok(Value::Wire(match self.evaluate(inner)? {
            Value::Number(number) => self.literal(number, width)?,
            Value::Flag(bit) => self.exprs.constant(width, bit as u64),
            Value::Wire(a) => self.exprs.resize(a, width),
            Value::Signed(a) => self.exprs.sign_resize(a, width),
        }))
    }

    fn unary(&mut self, operator: &VerilogOpUnary, a: &VerilogExpression) -> Evaluated {
        let a = self.evaluate(a)?;
        if let (VerilogOpUnary::Not, Value::Flag(bit)) = (operator, a) {
            return Ok(Value::Flag(!bit));
        }
        let a = self.sized(a)?;
        Ok(Value::Wire(match operator {
            VerilogOpUnary::Not => self.exprs.unary(Op::Not, a),
            VerilogOpUnary::All => self.exprs.make(1, Op::ReduceAnd(a)),
            VerilogOpUnary::Any => self.exprs.make(1, Op::ReduceOr(a)),
            VerilogOpUnary::Xor => self.exprs.make(1, Op::ReduceXor(a)),
            VerilogOpUnary::Neg => return Err(self.unsupported("a negation".into())),
        }))
    }

    fn binary(&mut self, a: Value, operator: &VerilogOp, b: Value) -> Evaluated {
        use VerilogOp::*;
        match (a, b) {
            (Value::Number(a), Value::Number(b)) => return self.on_numbers(a, operator, b),
            (Value::Flag(a), Value::Flag(b)) => return self.on_flags(a, operator, b),
            _ => {}
        }
        if let Shl | Shr = operator {
            let operation = if let Shl = operator { Op::Shl } else { Op::Shr };
            let value = self.sized(a)?;
            return Ok(Value::Wire(match b {
                Value::Number(by) => self.exprs.shift(operation, value, by),
                by => {
                    let by = self.sized(by)?;
                    self.exprs.binary(operation, value, by)
                }
            }));
        }
        let (a, b) = self.same_width(a, b)?;
        let e = &mut self.exprs;
        Ok(Value::Wire(match operator {
            Add => e.binary(Op::Add, a, b),
            Sub => e.binary(Op::Sub, a, b),
            Mul => e.binary(Op::Mul, a, b),
            BitXor => e.binary(Op::Xor, a, b),
            BitAnd => e.binary(Op::And, a, b),
            BitOr => e.or(a, b),
            Eq => e.make(1, Op::Eq(a, b)),
            Ne => e.make(1, Op::Ne(a, b)),
            Lt => e.less(a, b),
            Le => e.at_most(a, b),
            Gt => e.less(b, a),
            Ge => e.at_most(b, a),
            LogicalAnd | LogicalOr if e.width(a) != 1 => {
                return Err(self.unsupported("&& or || on more than one bit".into()));
            }
            LogicalAnd => e.binary(Op::And, a, b),
            LogicalOr => e.binary(Op::Or, a, b),
            Shl | Shr => unreachable!("shifts are done"),
        }))
    }

    /// Both operands with the width of the one that has one.
    fn same_width(&mut self, a: Value, b: Value) -> Evaluated<(ExprId, ExprId)> {
        match (a, b) {
            (Value::Number(number), b) => {
                let b = self.sized(b)?;
                Ok((self.literal(number, self.exprs.width(b))?, b))
            }
            (a, b) => {
                let a = self.sized(a)?;
                Ok((a, self.with_width(b, self.exprs.width(a))?))
            }
        }
    }

    fn on_numbers(&mut self, a: u64, operator: &VerilogOp, b: u64) -> Evaluated {
        use VerilogOp::*;
        let (symbol, result) = match operator {
            Eq => return Ok(Value::Flag(a == b)),
            Ne => return Ok(Value::Flag(a != b)),
            Lt => return Ok(Value::Flag(a < b)),
            Le => return Ok(Value::Flag(a <= b)),
            Gt => return Ok(Value::Flag(a > b)),
            Ge => return Ok(Value::Flag(a >= b)),
            Add => ("+", a.checked_add(b)),
            Sub => ("-", a.checked_sub(b)),
            Mul => ("*", a.checked_mul(b)),
            BitXor => ("^", Some(a ^ b)),
            BitAnd => ("&", Some(a & b)),
            BitOr => ("|", Some(a | b)),
            Shl => ("<<", u32::try_from(b).ok().and_then(|b| a.checked_shl(b))),
            Shr => (">>", u32::try_from(b).ok().and_then(|b| a.checked_shr(b))),
            LogicalAnd | LogicalOr => ("&&", None),
        };
        result.map(Value::Number).ok_or_else(|| self.report_here(|_| Problem::Index(format!("{a} {symbol} {b}"))))
    }

    fn on_flags(&mut self, a: bool, operator: &VerilogOp, b: bool) -> Evaluated {
        use VerilogOp::*;
        Ok(Value::Flag(match operator {
            LogicalAnd | BitAnd => a & b,
            LogicalOr | BitOr => a | b,
            BitXor | Ne => a ^ b,
            Eq => a == b,
            _ => return Err(self.unsupported("arithmetic on conditions".into())),
        }))
    }

    fn slice(&mut self, base: ExprId, low: u64, width: usize) -> Evaluated {
        let from = self.exprs.width(base);
        if low + width as u64 > from as u64 {
            let index = low + width as u64 - 1;
            return Err(self.report_here(|place| Problem::OutOfRange { index, width: from, place }));
        }
        Ok(Value::Wire(self.exprs.slice(base, low as usize, width)))
    }

    fn replace_bit(
        &mut self,
        base: &VerilogExpression,
        index: &VerilogExpression,
        bit: &VerilogExpression,
    ) -> Evaluated {
        let base = self.wire(base)?;
        let bit = self.evaluate(bit)?;
        let bit = self.with_width(bit, 1)?;
        match self.evaluate(index)? {
            Value::Number(index) => self.replace(base, index, bit).map(Value::Wire),
            index => {
                let index = self.sized(index)?;
                Ok(Value::Wire(self.exprs.unary(|value| Op::BitReplace { value, index, bit }, base)))
            }
        }
    }

    /// `base` with the bits from `low` up replaced by `field`.
    pub(super) fn replace(&mut self, base: ExprId, low: u64, field: ExprId) -> Evaluated<ExprId> {
        let (all, bits) = (self.exprs.width(base), self.exprs.width(field));
        if low + bits as u64 > all as u64 {
            let index = low + bits as u64 - 1;
            return Err(self.report_here(|place| Problem::OutOfRange { index, width: all, place }));
        }
        let (low, end) = (low as usize, low as usize + bits);
        let mut parts = vec![];
        if end < all {
            parts.push(self.exprs.slice(base, end, all - end));
        }
        parts.push(field);
        if low > 0 {
            parts.push(self.exprs.slice(base, 0, low));
        }
        Ok(self.exprs.concat(parts))
    }

    fn name(&mut self, name: &str) -> Evaluated {
        if let Some(variable) = self.loops.iter().rev().find(|variable| variable.name == name) {
            return Ok(Value::Number(variable.value));
        }
        if let Some(id) = self.find(name)? {
            return self.read(id);
        }
        match self.variant(name)? {
            Some((value, width)) => Ok(Value::Wire(self.exprs.constant(width, value))),
            None => Err(self.unresolved(name)),
        }
    }

    /// The signal of this name, loop variables replaced by their values.
    pub(super) fn find(&mut self, name: &str) -> Evaluated<Option<WireId>> {
        match names::resolve(name, &self.loops) {
            Ok(name) => Ok(self.wires.find(&name)),
            Err(IndexError::Unresolved(name)) => Err(self.unresolved(&name)),
            Err(IndexError::Syntax(text) | IndexError::Arithmetic(text)) => {
                Err(self.report_here(|_| Problem::Index(text.replace('$', "."))))
            }
        }
    }

    /// The value a signal has at this point of `update()`.
    pub(super) fn read(&mut self, id: WireId) -> Evaluated {
        let wire = self.wires.get(id);
        match wire.role {
            Role::Constant(value) => Ok(Value::Wire(self.exprs.constant(wire.width, value))),
            Role::Clock | Role::ChildClock(_) | Role::PinClock(_) => Err(self.report_here(Problem::Clock)),
            Role::Output | Role::Local | Role::ChildUnread => {
                let slot = self.slots[id.0];
                match slot.value {
                    Some(value) if slot.certain => {
                        self.note_read(id, value);
                        Ok(Value::Wire(value))
                    }
                    _ => {
                        let place = self.place_text();
                        Err(self.report(Some(id), Problem::ReadBeforeAssigned(place)))
                    }
                }
            }
            Role::Input | Role::ChildInput(_) | Role::ChildOutput(_) | Role::PinInput(_) | Role::PinOutput(_) => {
                let (width, net) = (wire.width, self.net_of(id));
                Ok(Value::Wire(self.exprs.make(width, Op::Net(net))))
            }
        }
    }

    /// Encoding and width of `AluOp$Add`.
    pub(super) fn variant(&mut self, name: &str) -> Evaluated<Option<(u64, usize)>> {
        let mut parts = name.rsplit('$');
        let (Some(variant), Some(enumeration)) = (parts.next(), parts.next()) else { return Ok(None) };
        let known = match self.enumerations.get(enumeration) {
            Some(Some(known)) => known.clone(),
            Some(None) => return Err(self.report_here(|_| Problem::AmbiguousEnumeration(enumeration.to_string()))),
            None => return Ok(None),
        };
        let position = known.variants.iter().position(|v| v == variant);
        Ok(position.map(|value| (value as u64, enumeration_width(&known))))
    }
}

fn enumeration_width(enumeration: &EnumType) -> usize {
    warploom_hdl::word::index_width(enumeration.variants.len())
}
