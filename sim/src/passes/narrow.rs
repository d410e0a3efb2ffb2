//! Vectors of which only the low bits are needed are computed in narrower elements: half as many registers, and a
//! product of 32 bits is several times as fast as one of 64.
//!
//! Sums and products, logic and choices give the same low bits whatever stands above. What is needed of every value is
//! found from the sinks upward; state keeps its width.
use super::fold::simplest;
use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, Unary};

/// Runs the pass.
pub fn run(design: &mut Design) {
    let needed = needed(design);
    let mut i = 0..;
    super::rewrite(design, |graph, op, ty| {
        let bits = needed[i.next().expect("endless")];
        if !worth(ty, bits) {
            return graph.add(op, ty);
        }
        match low_bits(graph, &op, ty.with_width(bits)) {
            // The bits above are not needed, whatever they are.
            Some(low) => graph.add(Op::Unary(Unary::ZeroExtend, low), ty),
            None => graph.add(op, ty),
        }
    });
}

/// Whether that few bits have smaller elements.
fn worth(ty: Type, bits: usize) -> bool {
    ty.is_vector() && bits > 0 && (bits <= 32 && ty.width > 32 || bits == 1 && ty.width > 1)
}

/// By node: how many of its low bits somebody needs.
fn needed(design: &Design) -> Vec<usize> {
    let graph = &design.graph;
    let mut needed = vec![0; graph.len()];
    design.sinks().for_each(|id| needed[id.0 as usize] = graph.width(id));
    for (i, node) in graph.nodes().iter().enumerate().rev() {
        let bits = needed[i];
        let mut need = |id: NodeId, bits: usize| {
            let entry = &mut needed[id.0 as usize];
            *entry = bits.min(graph.width(id)).max(*entry);
        };
        match &node.op {
            _ if bits == 0 => {}
            Op::Slice { value, low } => need(*value, *low as usize + bits),
            Op::Concat(parts) => {
                let mut low = 0;
                for &part in parts.iter().rev() {
                    need(part, bits.saturating_sub(low));
                    low += graph.width(part);
                }
            }
            op if keeps_low_bits(op) => {
                let controls = controls(op);
                op.for_each_operand(|id| need(id, if controls.contains(&Some(id)) { graph.width(id) } else { bits }));
            }
            op => op.for_each_operand(|id| need(id, graph.width(id))),
        }
    }
    needed
}

/// Whether the low bits of the result depend on as many low bits of the operands alone, [controls](controls) apart.
fn keeps_low_bits(op: &Op) -> bool {
    use Binary::*;
    match op {
        Op::Unary(op, _) => matches!(op, Unary::Not | Unary::ZeroExtend | Unary::SignExtend),
        Op::Binary(op, ..) => matches!(op, And | Or | Xor | Add | Sub | Mul | Shl),
        Op::Mux(..) | Op::Select { .. } | Op::Lookup { .. } => true,
        Op::Broadcast(_) | Op::Lanes(_) | Op::Permute(..) | Op::Blend(..) => true,
        _ => false,
    }
}

/// Operands that count as a whole.
fn controls(op: &Op) -> [Option<NodeId>; 1] {
    match *op {
        Op::Mux(c, ..) => [Some(c)],
        Op::Select { index, .. } | Op::Lookup { index, .. } => [Some(index)],
        Op::Binary(Binary::Shl, _, by) => [Some(by)],
        _ => [None],
    }
}

/// The operator on the low bits of its operands.
fn low_bits(graph: &mut Graph, op: &Op, ty: Type) -> Option<NodeId> {
    let bits = ty.width();
    if let Op::Unary(extend @ (Unary::ZeroExtend | Unary::SignExtend), a) = *op {
        return Some(match graph.width(a) {
            width if width >= bits => low(graph, a, bits),
            _ => graph.add(Op::Unary(extend, a), ty),
        });
    }
    if let Op::Concat(parts) = op {
        let (mut kept, mut below) = (vec![], 0);
        for &part in parts.iter().rev() {
            if below < bits {
                kept.push(low(graph, part, bits - below));
            }
            below += graph.width(part);
        }
        kept.reverse();
        return Some(simplest(graph, Op::Concat(kept.into()), ty));
    }
    if !keeps_low_bits(op) {
        return None;
    }
    let controls = controls(op);
    let mut uses = 0;
    op.for_each_operand(|id| uses += controls.contains(&Some(id)) as u32);
    if uses > 1 {
        // One value as a control and for its low bits.
        return None;
    }
    let op = op.clone().map_operands(|id| if controls.contains(&Some(id)) { id } else { low(graph, id, bits) });
    Some(graph.add(op, ty))
}

/// At most so many low bits.
fn low(graph: &mut Graph, value: NodeId, bits: usize) -> NodeId {
    let ty = graph.ty(value);
    if bits >= ty.width() { value } else { simplest(graph, Op::Slice { value, low: 0 }, ty.with_width(bits)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Output;

    /// Widths of the vector products and choices that are left of `(c ? x : y) * x`, when its bits from `from` to 32 are needed.
    fn widths(from: u8) -> Vec<u8> {
        let (mut design, wide) = (Design::default(), Type::vector(64, 8));
        let graph = &mut design.graph;
        let [x, y] = [0, 8].map(|i| {
            let half = graph.add(Op::Input(i), wide.with_width(32));
            graph.add(Op::Unary(Unary::SignExtend, half), wide)
        });
        let c = graph.add(Op::Input(16), wide.with_width(1));
        let chosen = graph.add(Op::Mux(c, x, y), wide);
        let product = graph.add(Op::Binary(Binary::Mul, chosen, x), wide);
        let vector = graph.add(Op::Slice { value: product, low: from }, wide.with_width(32 - from as usize));
        let value = graph.add(Op::Extract(vector, 0), Type::scalar(32 - from as usize));
        design.outputs.push(Output { port: None, value });
        run(&mut design);
        super::super::fold::run(&mut design);
        let mut live = vec![design.outputs[0].value];
        let mut widths = vec![];
        while let Some(id) = live.pop() {
            if matches!(design.graph.op(id), Op::Binary(Binary::Mul, ..) | Op::Mux(..)) {
                widths.push(design.graph.ty(id).width);
            }
            design.graph.op(id).for_each_operand(|operand| live.push(operand));
        }
        widths
    }

    #[test]
    fn a_product_of_which_the_low_half_is_used_is_narrow() {
        assert_eq!(widths(0), [32, 32]);
        assert_eq!(widths(31), [32, 32]);
    }

    #[test]
    fn bits_above_are_needed_where_they_are_used() {
        let mut design = Design::default();
        let ty = Type::vector(40, 4);
        let x = design.graph.add(Op::Input(0), ty);
        let sum = design.graph.add(Op::Binary(Binary::Add, x, x), ty);
        let top = design.graph.add(Op::Slice { value: sum, low: 39 }, ty.with_width(1));
        let value = design.graph.add(Op::Pack(top), Type::scalar(4));
        design.outputs.push(Output { port: None, value });
        assert_eq!(needed(&design)[sum.0 as usize], 40);
    }
}
