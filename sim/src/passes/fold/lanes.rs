//! What puts lanes together and takes them apart.
use super::{constant, constant_lane, lanewise, simplest, splat};
use crate::ir::{Binary, Graph, NodeId, Op, Type, Unary, mask};
use crate::passes::groups::FEWEST_LANES;

/// The rules of this file.
pub fn rules(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    if ty.is_vector() && lanewise(op) {
        return uniform(graph, op, ty);
    }
    match op {
        Op::Lanes(parts) => lanes(graph, parts, ty),
        Op::Unpack { value, low, stride: 1 } if ty.width == 1 => unpack(graph, *value, *low as usize, ty),
        Op::Permute(a, numbers) => permute(graph, *a, numbers, ty),
        Op::Blend(a, b, _) => (a == b).then_some(*a),
        Op::Lookup { table, index } => lookup(graph, *table, *index, ty),
        Op::Extract(a, lane) => extract(graph, *a, *lane as usize, ty),
        Op::Pack(a) => pack(graph, *a, ty),
        Op::Concat(parts) => bits_of_lanes(graph, parts, ty),
        Op::Reduce(op, a) => reduce(graph, *op, *a, ty),
        _ => None,
    }
}

/// The same in all lanes is computed once.
fn uniform(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    let mut all = true;
    op.for_each_operand(|operand| all &= !graph.ty(operand).is_vector() || scalar(graph, operand).is_some());
    if !all {
        return None;
    }
    let op = op.clone().map_operands(|operand| scalar(graph, operand).unwrap_or(operand));
    let once = simplest(graph, op, Type::scalar(ty.width()));
    Some(graph.add(Op::Broadcast(once), ty))
}

/// The scalar that stands in every lane.
fn scalar(graph: &Graph, vector: NodeId) -> Option<NodeId> {
    match *graph.op(vector) {
        Op::Broadcast(scalar) => Some(scalar),
        _ => None,
    }
}

fn lanes(graph: &mut Graph, parts: &[NodeId], ty: Type) -> Option<NodeId> {
    if parts.iter().all(|&part| part == parts[0]) {
        return Some(graph.add(Op::Broadcast(parts[0]), ty));
    }
    if let Some(values) = parts.iter().map(|&part| graph.constant(part)).collect() {
        return Some(graph.add(Op::Constants(values), ty));
    }
    let &Op::Extract(vector, _) = graph.op(parts[0]) else { return None };
    let lane = |&part| match *graph.op(part) {
        Op::Extract(of, lane) if of == vector => Some(lane),
        _ => None,
    };
    let numbers = parts.iter().map(lane).collect::<Option<_>>()?;
    Some(simplest(graph, Op::Permute(vector, numbers), ty))
}

fn unpack(graph: &mut Graph, value: NodeId, low: usize, ty: Type) -> Option<NodeId> {
    if let Some(value) = graph.constant(value) {
        let bits = (0..ty.lanes as usize).map(|l| value.checked_shr((low + l) as u32).unwrap_or(0) & 1);
        let bits = graph.add(Op::Constants(bits.collect()), ty);
        return Some(bits);
    }
    match *graph.op(value) {
        Op::Pack(vector) if low == 0 && graph.ty(vector) == ty => Some(vector),
        Op::Unary(Unary::SignExtend, bit) if graph.width(bit) == 1 && low + ty.lanes as usize <= graph.width(value) => {
            Some(graph.add(Op::Broadcast(bit), ty))
        }
        // Lanes past the slice must stay zero.
        Op::Slice { value: of, low: lower } if low + ty.lanes as usize <= graph.width(value) => {
            Some(simplest(graph, Op::Unpack { value: of, low: lower + low as u8, stride: 1 }, ty))
        }
        _ => None,
    }
}

fn permute(graph: &mut Graph, a: NodeId, numbers: &[u8], ty: Type) -> Option<NodeId> {
    if graph.ty(a) == ty && numbers.iter().enumerate().all(|(l, &number)| l == number as usize) {
        return Some(a);
    }
    match graph.op(a).clone() {
        Op::Broadcast(scalar) => Some(graph.add(Op::Broadcast(scalar), ty)),
        Op::Constants(values) => {
            let values = numbers.iter().map(|&number| values[number as usize]).collect();
            Some(simplest(graph, Op::Constants(values), ty))
        }
        Op::Lanes(parts) => {
            let parts = numbers.iter().map(|&number| parts[number as usize]).collect();
            Some(simplest(graph, Op::Lanes(parts), ty))
        }
        Op::Permute(of, first) => {
            let numbers = numbers.iter().map(|&number| first[number as usize]).collect();
            Some(simplest(graph, Op::Permute(of, numbers), ty))
        }
        _ => None,
    }
}

fn lookup(graph: &mut Graph, table: NodeId, index: NodeId, ty: Type) -> Option<NodeId> {
    let lanes = graph.ty(table).lanes as u64;
    if let (Some(element), true) = (scalar(graph, table), mask(graph.width(index)) < lanes) {
        return Some(if ty.is_vector() { graph.add(Op::Broadcast(element), ty) } else { element });
    }
    if let Some(index) = constant(graph, index) {
        if index >= lanes {
            return Some(splat(graph, 0, ty));
        }
        let word = Type::scalar(ty.width());
        let element = simplest(graph, Op::Extract(table, index as u8), word);
        return Some(if ty.is_vector() { graph.add(Op::Broadcast(element), ty) } else { element });
    }
    match *graph.op(index) {
        Op::Broadcast(index) => {
            let element = graph.add(Op::Lookup { table, index }, Type::scalar(ty.width()));
            Some(graph.add(Op::Broadcast(element), ty))
        }
        Op::Constants(ref numbers) if numbers.iter().all(|&number| number < lanes) => {
            let numbers = numbers.iter().map(|&number| number as u8).collect();
            Some(simplest(graph, Op::Permute(table, numbers), ty))
        }
        _ => None,
    }
}

fn extract(graph: &mut Graph, a: NodeId, lane: usize, ty: Type) -> Option<NodeId> {
    if let Some(value) = constant_lane(graph, a, lane) {
        return Some(splat(graph, value, ty));
    }
    match graph.op(a).clone() {
        Op::Broadcast(scalar) => Some(scalar),
        Op::Lanes(parts) => Some(parts[lane]),
        Op::Permute(of, numbers) => Some(simplest(graph, Op::Extract(of, numbers[lane]), ty)),
        Op::Blend(first, second, lanes) => {
            let of = if lanes >> lane & 1 == 1 { first } else { second };
            Some(simplest(graph, Op::Extract(of, lane as u8), ty))
        }
        Op::Unpack { value, low, stride } => {
            let low = low as usize + lane * stride as usize;
            let within = low + ty.width() <= graph.width(value);
            within.then(|| simplest(graph, Op::Slice { value, low: low as u8 }, ty))
        }
        _ => None,
    }
}

fn pack(graph: &mut Graph, a: NodeId, ty: Type) -> Option<NodeId> {
    match graph.op(a).clone() {
        Op::Broadcast(bit) => Some(simplest(graph, Op::Unary(Unary::SignExtend, bit), ty)),
        Op::Constants(bits) => {
            let value = bits.iter().enumerate().fold(0, |all, (l, bit)| all | bit << l);
            Some(splat(graph, value, ty))
        }
        Op::Unpack { value, low, stride: 1 } if low as usize + ty.width() <= graph.width(value) => {
            Some(simplest(graph, Op::Slice { value, low }, ty))
        }
        _ => None,
    }
}

/// The same bit of many lanes of one vector is packed at once.
fn bits_of_lanes(graph: &mut Graph, parts: &[NodeId], ty: Type) -> Option<NodeId> {
    let bit = |part: &NodeId| match *graph.op(*part) {
        Op::Slice { value, low } if graph.width(*part) == 1 => match *graph.op(value) {
            Op::Extract(vector, lane) => Some((vector, low, lane)),
            _ => None,
        },
        Op::Extract(vector, lane) if graph.width(*part) == 1 => Some((vector, 0, lane)),
        _ => None,
    };
    let bits: Vec<_> = parts.iter().rev().map(bit).collect::<Option<_>>()?;
    let (vector, low, _) = bits[0];
    if bits.len() < FEWEST_LANES || bits.iter().any(|bit| (bit.0, bit.1) != (vector, low)) {
        return None;
    }
    let of = graph.ty(vector);
    let mask = simplest(graph, Op::Slice { value: vector, low }, of.with_width(1));
    let numbers = bits.iter().map(|bit| bit.2).collect();
    let ordered = simplest(graph, Op::Permute(mask, numbers), Type::vector(1, bits.len()));
    Some(simplest(graph, Op::Pack(ordered), ty))
}

fn reduce(graph: &mut Graph, op: Binary, a: NodeId, ty: Type) -> Option<NodeId> {
    let every = scalar(graph, a)?;
    match op {
        Binary::And | Binary::Or => Some(every),
        Binary::Xor if graph.ty(a).lanes.is_multiple_of(2) => Some(splat(graph, 0, ty)),
        Binary::Xor => Some(every),
        _ => None,
    }
}
