//! Operators with one constant operand, or twice the same.
use super::{constant, is_ones, is_zero, simplest, splat};
use crate::ir::{Binary, Graph, NodeId, Op, Type, Unary, eval, mask};

/// The rules of this file.
pub fn rules(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    match *op {
        Op::Unary(op, a) => unary(graph, op, a, ty),
        Op::Binary(op, a, b) => {
            let (a, b) = constant_last(graph, op, a, b);
            binary(graph, op, a, b, ty).or_else(|| comparison(graph, op, a, b, ty))
        }
        Op::Chain(op, ref parts) => chain(graph, op, parts, ty),
        _ => None,
    }
}

fn unary(graph: &mut Graph, op: Unary, a: NodeId, ty: Type) -> Option<NodeId> {
    match (op, graph.op(a).clone()) {
        (Unary::ReduceAnd | Unary::ReduceOr | Unary::ReduceXor, _) if graph.ty(a) == ty => Some(a),
        (Unary::Not, Op::Unary(Unary::Not, x)) => Some(x),
        (Unary::Not, Op::Binary(of, x, y)) => {
            let (of, x, y) = match of {
                Binary::Eq => (Binary::Ne, x, y),
                Binary::Ne => (Binary::Eq, x, y),
                Binary::Lt => (Binary::Le, y, x),
                Binary::Le => (Binary::Lt, y, x),
                _ => return None,
            };
            Some(simplest(graph, Op::Binary(of, x, y), ty))
        }
        (Unary::ReduceOr, Op::Unary(Unary::ZeroExtend | Unary::SignExtend, x)) => {
            Some(simplest(graph, Op::Unary(Unary::ReduceOr, x), ty))
        }
        _ => None,
    }
}

fn constant_last(graph: &Graph, op: Binary, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
    use Binary::*;
    let commutes = matches!(op, And | Or | Xor | Add | Mul | Eq | Ne);
    if commutes && constant(graph, a).is_some() { (b, a) } else { (a, b) }
}

fn binary(graph: &mut Graph, op: Binary, a: NodeId, b: NodeId, ty: Type) -> Option<NodeId> {
    use Binary::*;
    let (zero, ones, same) = (is_zero(graph, b), is_ones(graph, b), a == b);
    let past_end = constant(graph, b).is_some_and(|by| by >= graph.width(a) as u64);
    match op {
        And | Or if same => Some(a),
        And if zero => Some(b),
        And if ones => Some(a),
        Or | Xor | Add | Sub | Shl | Shr | Sra if zero => Some(a),
        Or if ones => Some(b),
        Xor if ones => Some(simplest(graph, Op::Unary(Unary::Not, a), ty)),
        Xor | Sub if same => Some(splat(graph, 0, ty)),
        Mul if zero => Some(b),
        Mul if constant(graph, b) == Some(1) => Some(a),
        Shl | Shr | BitSelect if past_end => Some(splat(graph, 0, ty)),
        Shl | Shr | Sra if is_zero(graph, a) => Some(a),
        BitSelect => {
            let low = constant(graph, b)? as u8;
            Some(simplest(graph, Op::Slice { value: a, low }, ty))
        }
        _ => None,
    }
}

fn comparison(graph: &mut Graph, op: Binary, a: NodeId, b: NodeId, ty: Type) -> Option<NodeId> {
    use Binary::*;
    let one_bit = graph.width(a) == 1;
    let (zero, ones) = (is_zero(graph, b), is_ones(graph, b));
    let not = |graph: &mut Graph, id| Some(simplest(graph, Op::Unary(Unary::Not, id), ty));
    match op {
        Eq | Le if a == b => Some(splat(graph, 1, ty)),
        Ne | Lt | SignedLt if a == b => Some(splat(graph, 0, ty)),
        Lt if zero || is_ones(graph, a) => Some(splat(graph, 0, ty)),
        Le if ones || is_zero(graph, a) => Some(splat(graph, 1, ty)),
        Eq | Le if one_bit && zero => not(graph, a),
        Ne if one_bit && zero => Some(a),
        Eq if one_bit && ones => Some(a),
        Ne | Lt if one_bit && ones => not(graph, a),
        Le if zero => Some(simplest(graph, Op::Binary(Eq, a, b), ty)),
        Eq | Ne | Lt | Le => extended(graph, op, a, b, ty),
        _ => None,
    }
}

/// Zero-extended values are compared as they were before.
fn extended(graph: &mut Graph, op: Binary, a: NodeId, b: NodeId, ty: Type) -> Option<NodeId> {
    let before = |graph: &Graph, id| match *graph.op(id) {
        Op::Unary(Unary::ZeroExtend, x) => Some(x),
        _ => None,
    };
    let (x, y) = match (before(graph, a), before(graph, b)) {
        (Some(x), Some(y)) if graph.width(x) == graph.width(y) => (x, y),
        (Some(x), None) => {
            let value = constant(graph, b)?;
            let bound = mask(graph.width(x));
            if value > bound {
                // Whatever x is: it compares like its largest value.
                let result = eval::binary(op, bound, value, graph.width(a));
                return Some(splat(graph, result, ty));
            }
            let narrow = graph.ty(x);
            (x, splat(graph, value, narrow))
        }
        _ => return None,
    };
    Some(simplest(graph, Op::Binary(op, x, y), ty))
}

/// Constants are gathered into one operand.
fn chain(graph: &mut Graph, op: Binary, parts: &[NodeId], ty: Type) -> Option<NodeId> {
    let (constants, mut rest): (Vec<NodeId>, Vec<NodeId>) =
        parts.iter().partition(|&&part| constant(graph, part).is_some());
    let neutral = if op == Binary::And { mask(ty.width()) } else { 0 };
    let values = constants.iter().filter_map(|&part| constant(graph, part));
    let value = values.fold(neutral, |all, value| eval::binary(op, all, value, ty.width())) & mask(ty.width());
    if constants.is_empty() || constants.len() == 1 && value != neutral && !absorbs(op, value, ty) {
        return None;
    }
    if absorbs(op, value, ty) {
        return Some(splat(graph, value, ty));
    }
    if value != neutral {
        rest.push(splat(graph, value, ty));
    }
    Some(match rest[..] {
        [] => splat(graph, neutral, ty),
        [a] => a,
        [a, b] => simplest(graph, Op::Binary(op, a, b), ty),
        _ => graph.add(Op::Chain(op, rest.into()), ty),
    })
}

/// Whether the value decides the result alone.
fn absorbs(op: Binary, value: u64, ty: Type) -> bool {
    op == Binary::And && value == 0 || op == Binary::Or && value == mask(ty.width())
}
