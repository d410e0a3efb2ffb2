//! Words put together from bits of many vectors are computed the other way round, then transposed.
//!
//! A crossbar asks in every slot which lanes address it: bit *i* of slot *s* is `slot_of[i] == s`. Seen from the slots
//! these are as many comparisons as there are lanes, each a mask of slots, which then have to become bits of words. Seen from
//! the lanes it is one word each, `1 << slot_of[i]`: one vector, whose rows and columns are then exchanged.
//!
//! A table asks in every row which fields are set: bit *i* of field *f* is `row[i]` at a place that depends on the field. Seen from the rows
//! these are a few bits of each, put together; seen from the fields, one test of all rows at once, and nothing need be exchanged.
use std::rc::Rc;

use super::groups::FEWEST_LANES;
use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, Unary};

/// Fewer bits side by side are put together one by one.
const FEWEST_BITS: usize = 8;

/// Runs the pass.
pub fn run(design: &mut Design) {
    super::rewrite(design, |graph, op, ty| match &op {
        Op::Concat(parts) if ty.is_vector() => {
            let parts = words(graph, parts);
            graph.add(Op::Concat(parts.into()), ty)
        }
        _ => graph.add(op, ty),
    });
}

/// The parts with every long run of bits as one word.
fn words(graph: &mut Graph, parts: &[NodeId]) -> Vec<NodeId> {
    let (mut result, mut rest) = (vec![], parts);
    while let Some(&first) = rest.first() {
        let bits = rest.iter().take_while(|&&part| graph.width(part) == 1).count();
        let lanes = graph.ty(first).lanes as usize;
        if bits < FEWEST_BITS || lanes < FEWEST_LANES {
            result.extend(&rest[..bits.max(1)]);
        } else {
            let rows: Vec<NodeId> = rest[..bits].iter().rev().copied().collect();
            let words = columns(graph, &rows).unwrap_or_else(|| {
                let rows = masks(graph, &rows);
                graph.add(Op::Transpose(rows), Type::vector(bits, lanes))
            });
            result.push(words);
        }
        rest = &rest[bits.max(1)..];
    }
    result
}

/// Rows that each pick the same bits of a scalar of their own: every bit is asked of all scalars at once.
fn columns(graph: &mut Graph, rows: &[NodeId]) -> Option<NodeId> {
    let (numbers, values): (Vec<_>, Vec<_>) = rows.iter().map(|&row| picked(graph, row)).collect::<Option<_>>()?;
    let width = graph.width(values[0]);
    if !values.iter().all(|&value| graph.width(value) == width) || !numbers.iter().all(|bits| *bits == numbers[0]) {
        return None;
    }
    let value = scalars(graph, &values);
    let column = |&bit: &u64| {
        let ty = Type::vector(1, rows.len());
        let bits = match width {
            1 => value,
            _ => graph.add(Op::Slice { value, low: bit as u8 }, ty),
        };
        graph.add(Op::Pack(bits), Type::scalar(rows.len()))
    };
    let columns: Vec<NodeId> = numbers[0].iter().map(column).collect();
    let ty = Type::vector(rows.len(), columns.len());
    Some(graph.add(Op::Lanes(columns.into()), ty))
}

/// The bits that a row picks, of the scalar that it picks them of.
fn picked(graph: &Graph, row: NodeId) -> Option<(Rc<[u64]>, NodeId)> {
    let &Op::Binary(Binary::BitSelect, of, numbers) = graph.op(row) else { return None };
    let (Op::Broadcast(value), Op::Constants(numbers)) = (graph.op(of), graph.op(numbers)) else { return None };
    let are_there = numbers.iter().all(|&bit| (bit as usize) < graph.width(*value));
    are_there.then(|| (numbers.clone(), *value))
}

/// Vectors of single bits as one vector of words: bit *i* of lane *l* is lane *i* of the *l*-th.
fn masks(graph: &mut Graph, rows: &[NodeId]) -> NodeId {
    let bits = graph.ty(rows[0]).lanes as usize;
    let ty = Type::vector(bits, rows.len());
    let first = graph.op(rows[0]).clone();
    if rows.iter().all(|&row| row == rows[0]) {
        let row = graph.add(Op::Pack(rows[0]), Type::scalar(bits));
        return graph.add(Op::Broadcast(row), ty);
    }
    let operands = |graph: &Graph, like: &dyn Fn(&Op) -> Option<NodeId>| {
        rows.iter().map(|&row| like(graph.op(row))).collect::<Option<Vec<NodeId>>>()
    };
    match first {
        Op::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), ..) => {
            let side = |graph: &Graph, second: bool| {
                operands(graph, &|other| match *other {
                    Op::Binary(other, a, b) if other == op => Some(if second { b } else { a }),
                    _ => None,
                })
            };
            if let (Some(left), Some(right)) = (side(graph, false), side(graph, true)) {
                let (left, right) = (masks(graph, &left), masks(graph, &right));
                return graph.add(Op::Binary(op, left, right), ty);
            }
        }
        Op::Unary(Unary::Not, _) => {
            let of = operands(graph, &|other| match *other {
                Op::Unary(Unary::Not, a) => Some(a),
                _ => None,
            });
            if let Some(of) = of {
                let of = masks(graph, &of);
                return graph.add(Op::Unary(Unary::Not, of), ty);
            }
        }
        Op::Broadcast(_) => {
            let bits = operands(graph, &|other| match *other {
                Op::Broadcast(bit) => Some(bit),
                _ => None,
            });
            if let Some(bits) = bits {
                let bits = scalars(graph, &bits);
                return graph.add(Op::Unary(Unary::SignExtend, bits), ty);
            }
        }
        Op::Unpack { low, stride: 1, value } if (low as usize) < graph.width(value) => {
            let width = graph.width(value);
            let values = operands(graph, &|other| match *other {
                Op::Unpack { low: from, stride: 1, value } if from == low && graph.width(value) == width => Some(value),
                _ => None,
            });
            if let Some(values) = values {
                let value = scalars(graph, &values);
                // Past the end of the scalar there are zeros.
                let there = ty.with_width(bits.min(width - low as usize));
                let there = if there.width() == width { value } else { graph.add(Op::Slice { value, low }, there) };
                return if graph.ty(there) == ty { there } else { graph.add(Op::Unary(Unary::ZeroExtend, there), ty) };
            }
        }
        _ => {}
    }
    let packed: Vec<NodeId> = rows.iter().map(|&row| graph.add(Op::Pack(row), Type::scalar(bits))).collect();
    graph.add(Op::Lanes(packed.into()), ty)
}

/// Scalars of one width side by side as a vector.
fn scalars(graph: &mut Graph, lanes: &[NodeId]) -> NodeId {
    let ty = Type::vector(graph.width(lanes[0]), lanes.len());
    if lanes.iter().all(|&lane| lane == lanes[0]) {
        return graph.add(Op::Broadcast(lanes[0]), ty);
    }
    if let Some(values) = lanes.iter().map(|&lane| graph.constant(lane)).collect() {
        return graph.add(Op::Constants(values), ty);
    }
    if let Some(vector) =
        taken(graph, lanes, ty).or_else(|| bits_of(graph, lanes, ty)).or_else(|| alike(graph, lanes, ty))
    {
        return vector;
    }
    graph.add(Op::Lanes(lanes.into()), ty)
}

/// Lanes of one vector.
fn taken(graph: &mut Graph, lanes: &[NodeId], ty: Type) -> Option<NodeId> {
    let &Op::Extract(vector, _) = graph.op(lanes[0]) else { return None };
    let numbers = lanes.iter().map(|&lane| match *graph.op(lane) {
        Op::Extract(of, number) if of == vector => Some(number),
        _ => None,
    });
    let numbers: Vec<u8> = numbers.collect::<Option<_>>()?;
    let in_order = numbers.iter().enumerate().all(|(l, &number)| l == number as usize);
    if in_order && graph.ty(vector) == ty {
        return Some(vector);
    }
    Some(graph.add(Op::Permute(vector, numbers.into()), ty))
}

/// Single bits of one scalar.
fn bits_of(graph: &mut Graph, lanes: &[NodeId], ty: Type) -> Option<NodeId> {
    let &Op::Slice { value, .. } = graph.op(lanes[0]) else { return None };
    let numbers = lanes.iter().map(|&lane| match *graph.op(lane) {
        Op::Slice { value: of, low } if of == value && ty.width == 1 => Some(low),
        _ => None,
    });
    let numbers: Vec<u8> = numbers.collect::<Option<_>>()?;
    let all = Type::vector(1, graph.width(value));
    let bits = graph.add(Op::Unpack { value, low: 0, stride: 1 }, all);
    let in_order = numbers.iter().enumerate().all(|(l, &number)| l == number as usize);
    if in_order && all == ty {
        return Some(bits);
    }
    Some(graph.add(Op::Permute(bits, numbers.into()), ty))
}

/// The same lane-wise operator, with operands of the same widths.
fn alike(graph: &mut Graph, lanes: &[NodeId], ty: Type) -> Option<NodeId> {
    let model = shape(graph, lanes[0])?;
    if !lanes.iter().all(|&lane| shape(graph, lane).as_ref() == Some(&model)) {
        return None;
    }
    let operands = |id: NodeId| {
        let mut operands = vec![];
        graph.op(id).for_each_operand(|operand| operands.push(operand));
        operands
    };
    let columns: Vec<Vec<NodeId>> = lanes.iter().map(|&lane| operands(lane)).collect();
    let rows: Vec<Vec<NodeId>> =
        (0..columns[0].len()).map(|k| columns.iter().map(|column| column[k]).collect()).collect();
    let mut vectors = rows.iter().map(|row| scalars(graph, row)).collect::<Vec<_>>().into_iter();
    let op = graph.op(lanes[0]).clone().map_operands(|_| vectors.next().expect("one for each operand"));
    Some(graph.add(op, ty))
}

/// The operator without its operands, and their widths; `None` when it has no lane-wise form.
fn shape(graph: &Graph, id: NodeId) -> Option<(Op, Vec<usize>)> {
    let op = graph.op(id);
    let lanewise = matches!(op, Op::Unary(..) | Op::Binary(..) | Op::Mux(..) | Op::Slice { .. } | Op::Concat(_))
        && !matches!(op, Op::Unary(Unary::HighestBit, _));
    let mut widths = vec![];
    op.for_each_operand(|operand| widths.push(graph.width(operand)));
    let scalar = lanewise && !graph.ty(id).is_vector();
    scalar.then(|| (op.clone().map_operands(|_| NodeId(0)), widths))
}
