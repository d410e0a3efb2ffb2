//! How long things take, roughly, in scalar operations.
use crate::ir::{Graph, NodeId, Op, Type};

/// Of a vector operation on a type.
fn chunks(ty: Type) -> f64 {
    let chunks = (ty.lanes as usize).div_ceil(16) as f64;
    match ty.width {
        1 => 1.0,
        2..=32 => chunks,
        _ => 2.0 * chunks,
    }
}

/// Of computing a node from its operands.
pub fn of_node(graph: &Graph, id: NodeId) -> f64 {
    let ty = graph.ty(id);
    match graph.op(id) {
        Op::Lanes(parts) => 2.0 * parts.len() as f64,
        Op::Select { inputs, .. } => 1.0 + inputs.len() as f64 * chunks(ty).max(1.0),
        Op::LastWins { conditions, .. } => 1.0 + conditions.len() as f64 * chunks(ty).max(1.0),
        Op::Chain(_, parts) => parts.len() as f64 * chunks(ty).max(1.0),
        Op::Reduce(_, a) => 4.0 * chunks(graph.ty(*a)),
        Op::Concat(parts) => parts.len() as f64 * chunks(ty).max(1.0),
        Op::Read { address, .. } | Op::Lookup { index: address, .. } if graph.ty(*address).is_vector() => {
            8.0 * chunks(ty)
        }
        Op::Unpack { .. } => 2.0 * chunks(ty),
        _ => chunks(ty).max(1.0),
    }
}

/// Of storing a value that crosses into another partition, comparing it with what was there.
pub fn of_crossing(ty: Type) -> f64 {
    2.0 * chunks(ty).max(1.0)
}

/// Of asking whether a partition runs.
pub const OF_A_QUESTION: f64 = 7.0;

/// Of running it, whatever it does: a call, values loaded and stored, a branch not foreseen.
pub const OF_A_CALL: f64 = 15.0;
