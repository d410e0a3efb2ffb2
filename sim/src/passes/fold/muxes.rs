//! Choices.
use std::rc::Rc;

use super::{constant, is_ones, is_zero, simplest, splat};
use crate::ir::{Binary, Graph, NodeId, Op, Type, Unary};

/// The rules of this file.
pub fn rules(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    match op {
        Op::Mux(c, a, b) => {
            decided(graph, *c, *a, *b).or_else(|| bits(graph, *c, *a, *b, ty)).or_else(|| nested(graph, *c, *a, *b, ty))
        }
        Op::Select { index, inputs } => select(graph, *index, inputs, ty),
        Op::LastWins { conditions, values, default } => last_wins(graph, conditions, values, *default, ty),
        Op::BitReplace { value, index, bit: _ } => {
            let past_end = constant(graph, *index)? >= ty.width() as u64;
            past_end.then_some(*value)
        }
        _ => None,
    }
}

fn decided(graph: &Graph, c: NodeId, a: NodeId, b: NodeId) -> Option<NodeId> {
    match constant(graph, c) {
        Some(0) => Some(b),
        Some(_) => Some(a),
        None => (a == b).then_some(a),
    }
}

/// Of single bits.
fn bits(graph: &mut Graph, c: NodeId, a: NodeId, b: NodeId, ty: Type) -> Option<NodeId> {
    if ty.width > 1 {
        return None;
    }
    let (a_is, b_is) = (constant(graph, a), constant(graph, b));
    let mut make = |op| Some(simplest(graph, op, ty));
    match (a_is, b_is) {
        (Some(1), Some(0)) => Some(c),
        (Some(0), Some(1)) => make(Op::Unary(Unary::Not, c)),
        (Some(1), None) => make(Op::Binary(Binary::Or, c, b)),
        (None, Some(0)) => make(Op::Binary(Binary::And, c, a)),
        _ if a == c => make(Op::Binary(Binary::Or, c, b)),
        _ if b == c => make(Op::Binary(Binary::And, c, a)),
        _ => None,
    }
}

/// Choices within choices.
fn nested(graph: &mut Graph, c: NodeId, a: NodeId, b: NodeId, ty: Type) -> Option<NodeId> {
    if let Op::Unary(Unary::Not, c) = *graph.op(c) {
        return Some(simplest(graph, Op::Mux(c, b, a), ty));
    }
    let bit = graph.ty(c);
    if let Op::Mux(d, x, y) = *graph.op(a) {
        if c == d {
            return Some(simplest(graph, Op::Mux(c, x, b), ty));
        }
        if y == b {
            let both = simplest(graph, Op::Binary(Binary::And, c, d), bit);
            return Some(simplest(graph, Op::Mux(both, x, b), ty));
        }
    }
    if let Op::Mux(d, x, y) = *graph.op(b) {
        if c == d {
            return Some(simplest(graph, Op::Mux(c, a, y), ty));
        }
        if x == a {
            let either = simplest(graph, Op::Binary(Binary::Or, c, d), bit);
            return Some(simplest(graph, Op::Mux(either, a, y), ty));
        }
    }
    None
}

fn select(graph: &mut Graph, index: NodeId, inputs: &Rc<[NodeId]>, ty: Type) -> Option<NodeId> {
    if let Some(index) = constant(graph, index) {
        let chosen = usize::try_from(index).ok().and_then(|index| inputs.get(index));
        return Some(chosen.copied().unwrap_or_else(|| splat(graph, 0, ty)));
    }
    if let Op::Broadcast(scalar) = *graph.op(index) {
        return Some(simplest(graph, Op::Select { index: scalar, inputs: inputs.clone() }, ty));
    }
    // What no index reaches.
    let reached = 1usize.checked_shl(graph.width(index) as u32).unwrap_or(usize::MAX);
    if reached < inputs.len() {
        return Some(simplest(graph, Op::Select { index, inputs: inputs[..reached].into() }, ty));
    }
    match inputs[..] {
        [zero, one] if reached == 2 && graph.ty(index).lanes == ty.lanes => {
            Some(simplest(graph, Op::Mux(index, one, zero), ty))
        }
        [first, ..] if reached == inputs.len() && inputs.iter().all(|&input| input == first) => Some(first),
        _ => None,
    }
}

fn last_wins(graph: &mut Graph, conditions: &[NodeId], values: &[NodeId], default: NodeId, ty: Type) -> Option<NodeId> {
    let (mut kept, mut default, all) = (vec![], default, conditions.len());
    for (&condition, &value) in conditions.iter().zip(values) {
        let chooses_the_default = kept.is_empty() && value == default;
        if is_ones(graph, condition) {
            kept.clear();
            default = value;
        } else if !(chooses_the_default || is_zero(graph, condition)) {
            kept.push((condition, value));
        }
    }
    if kept.len() == all {
        return None;
    }
    Some(match kept[..] {
        [] => default,
        [(condition, value)] => simplest(graph, Op::Mux(condition, value, default), ty),
        _ => {
            let (conditions, values): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
            graph.add(Op::LastWins { conditions: conditions.into(), values: values.into(), default }, ty)
        }
    })
}
