//! Extensions, slices and concatenations.
use super::{constant, is_zero, simplest, splat};
use crate::ir::{Graph, NodeId, Op, Type, Unary};

/// The rules of this file.
pub fn rules(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    match op {
        Op::Unary(Unary::ZeroExtend | Unary::SignExtend, a) if graph.ty(*a) == ty => Some(*a),
        Op::Unary(Unary::ZeroExtend, a) => match *graph.op(*a) {
            Op::Unary(Unary::ZeroExtend, x) => Some(simplest(graph, Op::Unary(Unary::ZeroExtend, x), ty)),
            _ => None,
        },
        Op::Unary(Unary::SignExtend, a) => match *graph.op(*a) {
            Op::Unary(op @ (Unary::ZeroExtend | Unary::SignExtend), x) if graph.width(x) < graph.width(*a) => {
                Some(simplest(graph, Op::Unary(op, x), ty))
            }
            _ => None,
        },
        Op::Slice { value, low } => slice(graph, *value, *low as usize, ty),
        Op::Concat(parts) => concat(graph, parts, ty),
        _ => None,
    }
}

fn slice(graph: &mut Graph, value: NodeId, low: usize, ty: Type) -> Option<NodeId> {
    if low == 0 && graph.ty(value) == ty {
        return Some(value);
    }
    let end = low + ty.width();
    match graph.op(value).clone() {
        Op::Slice { value, low: lower } => Some(simplest(graph, Op::Slice { value, low: lower + low as u8 }, ty)),
        Op::Unary(op @ (Unary::ZeroExtend | Unary::SignExtend), x) => {
            let width = graph.width(x);
            if end <= width {
                Some(simplest(graph, Op::Slice { value: x, low: low as u8 }, ty))
            } else if low == 0 {
                Some(simplest(graph, Op::Unary(op, x), ty))
            } else {
                (op == Unary::ZeroExtend && low >= width).then(|| splat(graph, 0, ty))
            }
        }
        Op::Concat(parts) => {
            let mut top = graph.width(value);
            for &part in parts.iter() {
                let bottom = top - graph.width(part);
                if low >= bottom && end <= top {
                    return Some(simplest(graph, Op::Slice { value: part, low: (low - bottom) as u8 }, ty));
                }
                top = bottom;
            }
            None
        }
        _ => None,
    }
}

/// Adjacent slices of one value are one slice; zeros on top are an extension.
fn concat(graph: &mut Graph, parts: &[NodeId], ty: Type) -> Option<NodeId> {
    let mut merged: Vec<NodeId> = vec![];
    for &part in parts {
        let joined = merged.last().and_then(|&above| adjacent(graph, above, part));
        match joined {
            Some(both) => *merged.last_mut().expect("joined to it") = both,
            None => merged.push(part),
        }
    }
    let (first, rest) = merged.split_first().expect("a concatenation has parts");
    if rest.is_empty() {
        return Some(*first);
    }
    let lanes = ty.with_width(ty.width() - graph.width(*first));
    if is_zero(graph, *first) {
        let rest = if rest.len() == 1 { rest[0] } else { graph.add(Op::Concat(rest.into()), lanes) };
        return Some(simplest(graph, Op::Unary(Unary::ZeroExtend, rest), ty));
    }
    (merged.len() < parts.len()).then(|| graph.add(Op::Concat(merged.into()), ty))
}

/// The two parts as one, when they are wires of one value, or constants.
fn adjacent(graph: &mut Graph, high: NodeId, low: NodeId) -> Option<NodeId> {
    let ty = graph.ty(low).with_width(graph.width(high) + graph.width(low));
    if let (Some(above), Some(below)) = (constant(graph, high), constant(graph, low)) {
        return Some(splat(graph, above << graph.width(low) | below, ty));
    }
    let range = |id| match *graph.op(id) {
        Op::Slice { value, low } => (value, low as usize),
        _ => (id, 0),
    };
    let ((value, from), (other, lower)) = (range(high), range(low));
    (value == other && from == lower + graph.width(low) && graph.width(value) >= from + graph.width(high))
        .then(|| simplest(graph, Op::Slice { value, low: lower as u8 }, ty))
}
