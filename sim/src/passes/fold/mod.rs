//! Constant folding and algebraic simplification, of scalars and vectors.
//!
//! Runs after the vectors are found: folding `x + 0` before would make lane 0 of an array look unlike its neighbours.
//! Every rule makes the value out of no more operators than before, mostly fewer.
use crate::ir::{Design, Graph, NodeId, Op, Type, eval, mask};

mod lanes;
mod logic;
mod muxes;
mod wires;

/// Runs the pass.
pub fn run(design: &mut Design) {
    super::rewrite(design, simplest);
}

/// The simplest form of an operator whose operands are as simple as they get.
pub fn simplest(graph: &mut Graph, op: Op, ty: Type) -> NodeId {
    let rules = [constants, lanes::rules, logic::rules, muxes::rules, wires::rules];
    rules.iter().find_map(|rule| rule(graph, &op, ty)).unwrap_or_else(|| graph.add(op, ty))
}

/// Operators on constants alone.
fn constants(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    if !ty.is_vector() {
        // Those of scalars fold wherever they are made.
        return None;
    }
    if let Op::Constants(values) = op {
        let same = values.iter().all(|&value| value == values[0]);
        return same.then(|| splat(graph, values[0], ty));
    }
    if !lanewise(op) {
        return None;
    }
    let lane = |l| eval::scalar(op, ty.width(), |id| Some((constant_lane(graph, id, l)?, graph.width(id))));
    let values: Vec<u64> = (0..ty.lanes as usize).map(lane).collect::<Option<_>>()?;
    if values.iter().all(|&value| value == values[0]) {
        return Some(splat(graph, values[0], ty));
    }
    Some(graph.add(Op::Constants(values.into()), ty))
}

/// Whether lane *l* of the result is the operator on lane *l* of the operands.
fn lanewise(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary(..)
            | Op::Binary(..)
            | Op::Mux(..)
            | Op::Slice { .. }
            | Op::Concat(_)
            | Op::BitReplace { .. }
            | Op::Select { .. }
            | Op::LastWins { .. }
            | Op::Chain(..)
    )
}

/// The value of one lane, or of a scalar, when it is constant.
fn constant_lane(graph: &Graph, id: NodeId, lane: usize) -> Option<u64> {
    match graph.op(id) {
        Op::Const(value) => Some(*value),
        Op::Constants(values) => Some(values[lane]),
        Op::Broadcast(scalar) => graph.constant(*scalar),
        _ => None,
    }
}

/// The value of a scalar constant, or of all lanes.
fn constant(graph: &Graph, id: NodeId) -> Option<u64> {
    match graph.op(id) {
        Op::Const(value) => Some(*value),
        Op::Broadcast(scalar) => graph.constant(*scalar),
        _ => None,
    }
}

fn is_zero(graph: &Graph, id: NodeId) -> bool {
    constant(graph, id) == Some(0)
}

fn is_ones(graph: &Graph, id: NodeId) -> bool {
    constant(graph, id) == Some(mask(graph.width(id)))
}

/// A constant of any type.
fn splat(graph: &mut Graph, value: u64, ty: Type) -> NodeId {
    let scalar = graph.add_const(value, ty.width());
    if ty.is_vector() { graph.add(Op::Broadcast(scalar), ty) } else { scalar }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Unary};

    /// Inputs 0 to 3 as `lanes` lanes (0: scalars) of `width` bits.
    pub fn inputs(graph: &mut Graph, width: usize, lanes: usize) -> [NodeId; 4] {
        let ty = Type { width: width as u8, lanes: lanes as u8 };
        [0, 1, 2, 3].map(|i| graph.add(Op::Input(i), ty))
    }

    fn both(check: impl Fn(&mut Graph, usize)) {
        for lanes in [0, 8] {
            check(&mut Graph::default(), lanes);
        }
    }

    #[test]
    fn identities_are_their_operand() {
        both(|graph, lanes| {
            let [x, ..] = inputs(graph, 12, lanes);
            let ty = graph.ty(x);
            let (zero, ones, one) = (splat(graph, 0, ty), splat(graph, 0xfff, ty), splat(graph, 1, ty));
            for (op, a, b) in [
                (Binary::And, x, ones),
                (Binary::And, x, x),
                (Binary::Or, zero, x),
                (Binary::Or, x, x),
                (Binary::Xor, x, zero),
                (Binary::Add, zero, x),
                (Binary::Sub, x, zero),
                (Binary::Mul, one, x),
                (Binary::Shl, x, zero),
                (Binary::Sra, x, zero),
            ] {
                assert_eq!(simplest(graph, Op::Binary(op, a, b), ty), x, "{op:?}, {lanes} lanes");
            }
        });
    }

    #[test]
    fn what_cannot_vary_is_constant() {
        both(|graph, lanes| {
            let [x, ..] = inputs(graph, 12, lanes);
            let ty = graph.ty(x);
            let (zero, ones) = (splat(graph, 0, ty), splat(graph, 0xfff, ty));
            for (op, a, b, width, expected) in [
                (Binary::And, x, zero, 12, 0),
                (Binary::Or, ones, x, 12, 0xfff),
                (Binary::Xor, x, x, 12, 0),
                (Binary::Sub, x, x, 12, 0),
                (Binary::Mul, x, zero, 12, 0),
                (Binary::Eq, x, x, 1, 1),
                (Binary::Ne, x, x, 1, 0),
                (Binary::Lt, x, zero, 1, 0),
                (Binary::Le, x, ones, 1, 1),
                (Binary::Shl, x, ones, 12, 0),
                (Binary::BitSelect, x, ones, 1, 0),
            ] {
                let id = simplest(graph, Op::Binary(op, a, b), ty.with_width(width));
                assert_eq!(constant(graph, id), Some(expected), "{op:?}, {lanes} lanes");
            }
        });
    }

    #[test]
    fn a_mux_of_bits_is_logic() {
        both(|graph, lanes| {
            let [c, x, ..] = inputs(graph, 1, lanes);
            let ty = graph.ty(x);
            let (zero, one) = (splat(graph, 0, ty), splat(graph, 1, ty));
            let made = |graph: &mut Graph, a, b| simplest(graph, Op::Mux(c, a, b), ty);
            assert_eq!(made(graph, one, zero), c);
            let (or, and, not) = (made(graph, one, x), made(graph, x, zero), made(graph, zero, one));
            assert_eq!(*graph.op(or), Op::Binary(Binary::Or, c, x));
            assert_eq!(*graph.op(and), Op::Binary(Binary::And, c, x));
            assert_eq!(*graph.op(not), Op::Unary(Unary::Not, c));
            assert_eq!(simplest(graph, Op::Mux(one, x, c), ty), x);
        });
    }

    #[test]
    fn muxes_that_hold_become_one() {
        both(|graph, lanes| {
            let [c, d, ..] = inputs(graph, 1, lanes);
            let [_, _, new, old] = inputs(graph, 12, lanes);
            let ty = graph.ty(new);
            let inner = simplest(graph, Op::Mux(d, new, old), ty);
            let nested = simplest(graph, Op::Mux(c, inner, old), ty);
            let both = simplest(graph, Op::Binary(Binary::And, c, d), ty.with_width(1));
            assert_eq!(*graph.op(nested), Op::Mux(both, new, old));
            let either = simplest(graph, Op::Mux(c, new, inner), ty);
            assert!(matches!(*graph.op(either), Op::Mux(_, a, b) if (a, b) == (new, old)));
        });
    }

    #[test]
    fn wires_are_read_through() {
        both(|graph, lanes| {
            let [high, low, ..] = inputs(graph, 8, lanes);
            let ty = graph.ty(low);
            let pair = graph.add(Op::Concat([high, low].into()), ty.with_width(16));
            assert_eq!(simplest(graph, Op::Slice { value: pair, low: 8 }, ty), high);
            let once = simplest(graph, Op::Unary(Unary::ZeroExtend, low), ty.with_width(12));
            let twice = simplest(graph, Op::Unary(Unary::ZeroExtend, once), ty.with_width(20));
            assert_eq!(*graph.op(twice), Op::Unary(Unary::ZeroExtend, low));
            assert_eq!(simplest(graph, Op::Slice { value: twice, low: 0 }, ty), low);
            let above = simplest(graph, Op::Slice { value: twice, low: 8 }, ty);
            assert_eq!(constant(graph, above), Some(0));
            let limit = splat(graph, 0x100, ty.with_width(20));
            let equal = simplest(graph, Op::Binary(Binary::Eq, twice, limit), ty.with_width(1));
            assert_eq!(constant(graph, equal), Some(0));
        });
    }

    #[test]
    fn lanes_of_lanes_are_scalars() {
        let graph = &mut Graph::default();
        let scalars = inputs(graph, 4, 0);
        let ty = Type::vector(4, 4);
        let lanes = simplest(graph, Op::Lanes(scalars.into()), ty);
        let reversed = simplest(graph, Op::Permute(lanes, [3, 2, 1, 0].into()), ty);
        let word = Type::scalar(4);
        assert_eq!(simplest(graph, Op::Extract(reversed, 1), word), scalars[2]);
        let every = simplest(graph, Op::Lanes([scalars[0]; 4].into()), ty);
        assert_eq!(*graph.op(every), Op::Broadcast(scalars[0]));
        assert_eq!(simplest(graph, Op::Extract(every, 3), word), scalars[0]);
        // Past the end of the table there are zeros.
        let element = simplest(graph, Op::Lookup { table: every, index: scalars[1] }, word);
        assert!(matches!(graph.op(element), Op::Lookup { .. }));
    }

    #[test]
    fn packing_undoes_unpacking() {
        let graph = &mut Graph::default();
        let [word, ..] = inputs(graph, 8, 0);
        let bits = Type::vector(1, 8);
        let unpacked = simplest(graph, Op::Unpack { value: word, low: 0, stride: 1 }, bits);
        assert_eq!(simplest(graph, Op::Pack(unpacked), Type::scalar(8)), word);
        let [_, mask, ..] = inputs(graph, 1, 8);
        let packed = simplest(graph, Op::Pack(mask), Type::scalar(8));
        assert_eq!(simplest(graph, Op::Unpack { value: packed, low: 0, stride: 1 }, bits), mask);
    }
    #[test]
    fn a_bit_of_every_lane_is_packed() {
        let graph = &mut Graph::default();
        let [vector, ..] = inputs(graph, 8, 4);
        let bits: Vec<NodeId> = (0..4)
            .rev()
            .map(|l| {
                let lane = graph.add(Op::Extract(vector, l), Type::scalar(8));
                graph.add_slice(lane, 5, 1)
            })
            .collect();
        let packed = simplest(graph, Op::Concat(bits.into()), Type::scalar(4));
        let bit = graph.add(Op::Slice { value: vector, low: 5 }, Type::vector(1, 4));
        assert_eq!(*graph.op(packed), Op::Pack(bit));
    }
}
