//! Masks that depend on one scalar are computed as scalars.
//!
//! The lane whose number is `x`, the lanes below `x`, bit `l` of `x` in lane `l`: as vectors these are a broadcast, a
//! comparison of all lanes and the packing of its result; as a word of one bit per lane they are a shift.
use std::rc::Rc;

use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, Unary, mask};

/// Runs the pass.
pub fn run(design: &mut Design) {
    super::rewrite(design, |graph, op, ty| {
        if !ty.is_vector() || ty.width > 1 {
            return graph.add(op, ty);
        }
        if let Some(value) = word(graph, &op, ty.lanes as usize) {
            return graph.add(Op::Unpack { value, low: 0, stride: 1 }, ty);
        }
        let op = reversed(graph, &op).unwrap_or(op);
        graph.add(op, ty)
    });
}

/// The bits of a scalar from some bit downward as a permutation, which is one instruction for all of them.
fn reversed(graph: &mut Graph, op: &Op) -> Option<Op> {
    let &Op::Binary(Binary::BitSelect, a, b) = op else { return None };
    let (value, numbers) = (scalar(graph, a)?, numbers(graph, b)?);
    let downward = numbers.windows(2).all(|pair| pair[0] == pair[1] + 1);
    let width = graph.width(value);
    if !downward || numbers[0] >= width as u64 {
        return None;
    }
    let bits = graph.add(Op::Unpack { value, low: 0, stride: 1 }, Type::vector(1, width));
    Some(Op::Permute(bits, numbers.iter().map(|&number| number as u8).collect()))
}

/// The mask as a scalar of as many bits as there are `lanes`.
fn word(graph: &mut Graph, op: &Op, lanes: usize) -> Option<NodeId> {
    let &Op::Binary(op, a, b) = op else { return None };
    let ty = Type::scalar(lanes);
    match (op, scalar(graph, a), numbers(graph, b), numbers(graph, a), scalar(graph, b)) {
        (Binary::Eq, Some(x), Some(numbers), ..) | (Binary::Eq, _, _, Some(numbers), Some(x)) => {
            one_block(graph, x, &numbers, ty)
        }
        (Binary::BitSelect, Some(x), Some(numbers), ..) => spread_bits(graph, x, &numbers, ty),
        (Binary::Lt, _, _, Some(numbers), Some(x)) if in_order(&numbers) => Some(below(graph, x, ty)),
        (Binary::Le, Some(x), Some(numbers), ..) if in_order(&numbers) => {
            let below = below(graph, x, ty);
            Some(graph.add(Op::Unary(Unary::Not, below), ty))
        }
        _ => None,
    }
}

/// The scalar that stands in every lane.
fn scalar(graph: &Graph, vector: NodeId) -> Option<NodeId> {
    match *graph.op(vector) {
        Op::Broadcast(x) => Some(x),
        _ => None,
    }
}

fn numbers(graph: &Graph, vector: NodeId) -> Option<Rc<[u64]>> {
    match graph.op(vector) {
        Op::Constants(values) => Some(values.clone()),
        _ => None,
    }
}

fn in_order(numbers: &[u64]) -> bool {
    numbers.iter().enumerate().all(|(l, &number)| number == l as u64)
}

/// Lanes with the number `x`, when blocks of equal size are numbered from 0 upward.
fn one_block(graph: &mut Graph, x: NodeId, numbers: &[u64], ty: Type) -> Option<NodeId> {
    let size = numbers.iter().take_while(|&&number| number == 0).count();
    let numbered = size.is_power_of_two() && numbers.iter().enumerate().all(|(l, &n)| n == (l / size) as u64);
    // A block that does not fit would be shifted out in part only.
    if !numbered || !ty.width().is_multiple_of(size) {
        return None;
    }
    let block = graph.add_const(mask(size), ty.width());
    let zeros = size.trailing_zeros() as usize;
    let width = graph.width(x) + zeros;
    let by = match zeros {
        0 => x,
        _ if width > 64 => return None,
        _ => {
            let low = graph.add_const(0, zeros);
            graph.add(Op::Concat([x, low].into()), Type::scalar(width))
        }
    };
    Some(graph.add(Op::Binary(Binary::Shl, block, by), ty))
}

/// Lanes whose number is less than `x`.
fn below(graph: &mut Graph, x: NodeId, ty: Type) -> NodeId {
    let one = graph.add_const(1, ty.width());
    let bit = graph.add(Op::Binary(Binary::Shl, one, x), ty);
    graph.add(Op::Binary(Binary::Sub, bit, one), ty)
}

/// The bits of `x` with these numbers, when they are all in order, or the lowest few repeated.
fn spread_bits(graph: &mut Graph, x: NodeId, numbers: &[u64], ty: Type) -> Option<NodeId> {
    let period = numbers.iter().skip(1).position(|&n| n == 0).map_or(numbers.len(), |at| at + 1);
    if !numbers.iter().enumerate().all(|(l, &n)| n == (l % period) as u64) || !numbers.len().is_multiple_of(period) {
        return None;
    }
    let low = if graph.width(x) > period { graph.add_slice(x, 0, period) } else { x };
    let once = graph.add(Op::Unary(Unary::ZeroExtend, low), ty);
    if period == numbers.len() {
        return Some(once);
    }
    let every = (0..numbers.len()).step_by(period).fold(0, |bits, l| bits | 1 << l);
    let copies = graph.add_const(every, ty.width());
    Some(graph.add(Op::Binary(Binary::Mul, once, copies), ty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Output;

    /// What the pass makes of `op` on an input of `width` bits in every lane and constants.
    fn made(op: Binary, width: usize, numbers: impl Iterator<Item = u64>, swapped: bool) -> Graph {
        let numbers: Rc<[u64]> = numbers.collect();
        let (mut design, lanes) = (Design::default(), numbers.len());
        let graph = &mut design.graph;
        let x = graph.add(Op::Input(0), Type::scalar(width));
        let (every, each) = (Op::Broadcast(x), Op::Constants(numbers));
        let [every, each] = [every, each].map(|op| graph.add(op, Type::vector(width, lanes)));
        let (a, b) = if swapped { (each, every) } else { (every, each) };
        let value = graph.add(Op::Binary(op, a, b), Type::vector(1, lanes));
        design.outputs.push(Output { port: None, value });
        run(&mut design);
        design.graph
    }

    fn has(graph: &Graph, op: Binary) -> bool {
        graph.nodes().iter().any(|node| !node.ty.is_vector() && matches!(node.op, Op::Binary(other, ..) if other == op))
    }

    #[test]
    fn the_lane_of_a_number_is_a_shifted_bit() {
        assert!(has(&made(Binary::Eq, 5, 0..32, false), Binary::Shl));
        assert!(has(&made(Binary::Eq, 5, 0..32, true), Binary::Shl));
        assert!(has(&made(Binary::Eq, 4, (0..64).map(|l| l / 4), false), Binary::Shl));
    }

    #[test]
    fn lanes_up_to_a_number_are_a_difference() {
        assert!(has(&made(Binary::Lt, 5, 0..32, true), Binary::Sub));
        assert!(has(&made(Binary::Le, 5, 0..32, false), Binary::Sub));
    }

    #[test]
    fn repeated_bits_are_a_product() {
        assert!(has(&made(Binary::BitSelect, 4, (0..64).map(|l| l % 4), false), Binary::Mul));
    }

    #[test]
    fn bits_downward_are_a_permutation() {
        let graph = made(Binary::BitSelect, 8, (0..8).rev(), false);
        assert!(graph.nodes().iter().any(|node| matches!(node.op, Op::Permute(..))));
    }

    #[test]
    fn other_numbers_stay_as_they_are() {
        assert!(!has(&made(Binary::Eq, 5, [0, 2, 1, 3].into_iter(), false), Binary::Shl));
        assert!(!has(&made(Binary::Lt, 5, 0..32, false), Binary::Sub));
        assert!(!has(&made(Binary::BitSelect, 5, [0, 1, 0, 1, 0].into_iter(), false), Binary::Mul));
    }
}
