//! Wires cut up and put together again become plain concatenations.
//!
//! Masks are built bit by bit in loops (`mask = mask.replace_bit(i, x[i])`, also under an `if`) and taken apart the
//! same way. Every value made by wiring alone is a list of pieces of other values; the pass keeps that list, reads
//! slices out of it, and writes each value as one concatenation of its pieces. A mux whose sides share pieces is
//! moved into the pieces that differ.
use std::collections::HashMap;

use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, Unary, mask};

/// `width` bits of `value` from bit `low`; `value` is not made by wiring, or is a constant of `width` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    value: NodeId,
    low: usize,
    width: usize,
}

/// Most pieces that a value may be cut into before it is left as it is.
const MOST_PIECES: usize = 64;

/// Runs the pass.
pub fn run(design: &mut Design) {
    let mut wires = Wires::default();
    super::rewrite(design, |graph, op, ty| wires.rebuild(graph, op, ty));
}

#[derive(Default)]
struct Wires {
    /// Pieces from the lowest up, of the values made by wiring.
    pieces: HashMap<NodeId, Vec<Piece>>,
}

impl Wires {
    fn rebuild(&mut self, graph: &mut Graph, op: Op, ty: Type) -> NodeId {
        let pieces = match &op {
            Op::Slice { value, low } => self.range(graph, *value, *low as usize, ty.width()),
            Op::Concat(parts) => parts.iter().rev().flat_map(|&part| self.of(graph, part)).collect(),
            Op::Unary(Unary::ZeroExtend, a) => {
                let width = graph.width(*a);
                let mut pieces = self.of(graph, *a);
                if width < ty.width() {
                    pieces.push(constant(graph, 0, ty.width() - width));
                }
                pieces
            }
            Op::Binary(Binary::Shl | Binary::Shr, a, by)
                if graph.constant(*by).is_some_and(|by| by < ty.width() as u64) =>
            {
                let by = graph.constant(*by).unwrap_or(0) as usize;
                if by == 0 {
                    return *a;
                }
                let zeros = constant(graph, 0, by);
                if matches!(op, Op::Binary(Binary::Shl, ..)) {
                    [vec![zeros], self.range(graph, *a, 0, ty.width() - by)].concat()
                } else {
                    [self.range(graph, *a, by, ty.width() - by), vec![zeros]].concat()
                }
            }
            Op::BitReplace { value, index, bit } => match graph.constant(*index) {
                Some(i) if i < ty.width() as u64 => {
                    let (i, mut pieces) = (i as usize, vec![]);
                    if i > 0 {
                        pieces.extend(self.range(graph, *value, 0, i));
                    }
                    pieces.extend(self.of(graph, *bit));
                    if i + 1 < ty.width() {
                        pieces.extend(self.range(graph, *value, i + 1, ty.width() - i - 1));
                    }
                    pieces
                }
                Some(_) => return *value,
                None => return graph.add(op, ty),
            },
            Op::Mux(c, a, b) => match self.shared(graph, *c, *a, *b) {
                Some(pieces) => pieces,
                None => return graph.add(op, ty),
            },
            _ => return graph.add(op, ty),
        };
        if pieces.len() > MOST_PIECES {
            return graph.add(op, ty);
        }
        self.join(graph, pieces)
    }

    /// The pieces of a value, itself if it is not made by wiring.
    fn of(&self, graph: &Graph, id: NodeId) -> Vec<Piece> {
        self.pieces.get(&id).cloned().unwrap_or_else(|| vec![Piece { value: id, low: 0, width: graph.width(id) }])
    }

    /// The pieces of `width` bits from `low`.
    fn range(&self, graph: &mut Graph, id: NodeId, low: usize, width: usize) -> Vec<Piece> {
        let (mut at, mut result) = (0, vec![]);
        for piece in self.of(graph, id) {
            let (start, end) = (low.max(at), (low + width).min(at + piece.width));
            if start < end {
                result.push(cut(graph, piece, start - at, end - start));
            }
            at += piece.width;
        }
        result
    }

    /// One value out of pieces.
    fn join(&mut self, graph: &mut Graph, pieces: Vec<Piece>) -> NodeId {
        let mut merged: Vec<Piece> = vec![];
        for piece in pieces {
            match merged.last_mut() {
                Some(last)
                    if graph.constant(last.value).is_none()
                        && last.value == piece.value
                        && last.low + last.width == piece.low =>
                {
                    last.width += piece.width;
                }
                Some(last) => match (graph.constant(last.value), graph.constant(piece.value)) {
                    (Some(low), Some(high)) => {
                        *last = constant(graph, low | (high << last.width), last.width + piece.width)
                    }
                    _ => merged.push(piece),
                },
                None => merged.push(piece),
            }
        }
        let parts: Vec<NodeId> =
            merged.iter().rev().map(|piece| graph.add_slice(piece.value, piece.low, piece.width)).collect();
        let width = merged.iter().map(|piece| piece.width).sum();
        let ty = Type::scalar(width);
        let id = match (parts.as_slice(), graph.constant(parts[0])) {
            ([_, low], Some(0)) => graph.add(Op::Unary(Unary::ZeroExtend, *low), ty),
            ([_, low @ ..], Some(0)) if low.len() > 1 => {
                let low_width = low.iter().map(|&part| graph.width(part)).sum();
                let low = graph.add(Op::Concat(low.into()), Type::scalar(low_width));
                graph.add(Op::Unary(Unary::ZeroExtend, low), ty)
            }
            _ => graph.add(Op::Concat(parts.into()), ty),
        };
        if graph.constant(id).is_none() && !matches!(merged.as_slice(), [piece] if piece.value == id) {
            self.pieces.insert(id, merged);
        }
        id
    }

    /// The pieces of a mux whose sides have some in common.
    fn shared(&mut self, graph: &mut Graph, c: NodeId, a: NodeId, b: NodeId) -> Option<Vec<Piece>> {
        if !self.pieces.contains_key(&a) && !self.pieces.contains_key(&b) {
            return None;
        }
        let (mut result, mut same) = (vec![], false);
        let mut differing: Option<(usize, usize)> = None;
        for (from, to) in self.common_cuts(graph, a, b) {
            let side = self.range(graph, a, from, to - from);
            if side != self.range(graph, b, from, to - from) {
                differing = Some((differing.map_or(from, |(start, _)| start), to));
                continue;
            }
            if let Some((from, to)) = differing.take() {
                result.push(self.mux_piece(graph, c, a, b, from, to));
            }
            result.extend(side);
            same = true;
        }
        if let Some((from, to)) = differing {
            result.push(self.mux_piece(graph, c, a, b, from, to));
        }
        same.then_some(result)
    }

    /// Ranges within which neither value is cut.
    fn common_cuts(&self, graph: &Graph, a: NodeId, b: NodeId) -> Vec<(usize, usize)> {
        let mut ends = vec![0];
        for side in [a, b] {
            let mut at = 0;
            for piece in self.of(graph, side) {
                at += piece.width;
                ends.push(at);
            }
        }
        ends.sort_unstable();
        ends.dedup();
        ends.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }

    fn mux_piece(&mut self, graph: &mut Graph, c: NodeId, a: NodeId, b: NodeId, from: usize, to: usize) -> Piece {
        let sides = [a, b].map(|side| {
            let pieces = self.range(graph, side, from, to - from);
            self.join(graph, pieces)
        });
        let value = graph.add(Op::Mux(c, sides[0], sides[1]), Type::scalar(to - from));
        Piece { value, low: 0, width: to - from }
    }
}

fn constant(graph: &mut Graph, value: u64, width: usize) -> Piece {
    Piece { value: graph.add_const(value, width), low: 0, width }
}

fn cut(graph: &mut Graph, piece: Piece, low: usize, width: usize) -> Piece {
    match graph.constant(piece.value) {
        Some(value) => constant(graph, (value >> (piece.low + low)) & mask(width), width),
        None => Piece { value: piece.value, low: piece.low + low, width },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Output;

    /// The value that the pass makes of the one output.
    fn rewired(build: impl FnOnce(&mut Graph) -> NodeId) -> (Graph, NodeId) {
        let mut design = Design::default();
        let value = build(&mut design.graph);
        design.outputs.push(Output { port: None, value });
        run(&mut design);
        (design.graph, design.outputs[0].value)
    }

    fn input(graph: &mut Graph, i: u32, width: usize) -> NodeId {
        graph.add(Op::Input(i), Type::scalar(width))
    }

    #[test]
    fn a_mask_built_bit_by_bit_is_a_concatenation() {
        let (graph, value) = rewired(|graph| {
            let mut all = graph.add_const(0, 4);
            for i in 0..4 {
                let (bit, index) = (input(graph, i, 1), graph.add_const(i as u64, 2));
                all = graph.add(Op::BitReplace { value: all, index, bit }, Type::scalar(4));
            }
            all
        });
        let Op::Concat(parts) = graph.op(value) else { panic!("{:?}", graph.op(value)) };
        let inputs: Vec<_> = parts.iter().map(|part| graph.op(*part).clone()).collect();
        assert_eq!(inputs, [3, 2, 1, 0].map(Op::Input));
    }

    #[test]
    fn a_slice_of_a_concatenation_is_the_part() {
        let (graph, value) = rewired(|graph| {
            let parts: Vec<NodeId> = (0..3).map(|i| input(graph, i, 8)).collect();
            let all = graph.add(Op::Concat(parts.into()), Type::scalar(24));
            graph.add_slice(all, 8, 8)
        });
        assert_eq!(*graph.op(value), Op::Input(1));
    }

    #[test]
    fn a_mux_moves_into_the_bits_that_differ() {
        let (graph, value) = rewired(|graph| {
            let (condition, all, bit) = (input(graph, 0, 1), input(graph, 1, 4), input(graph, 2, 1));
            let index = graph.add_const(3, 2);
            let replaced = graph.add(Op::BitReplace { value: all, index, bit }, Type::scalar(4));
            graph.add(Op::Mux(condition, replaced, all), Type::scalar(4))
        });
        let Op::Concat(parts) = graph.op(value) else { panic!("{:?}", graph.op(value)) };
        assert!(matches!(graph.op(parts[0]), Op::Mux(..)) && graph.width(parts[0]) == 1);
        assert!(matches!(graph.op(parts[1]), Op::Slice { low: 0, .. }));
    }
}
