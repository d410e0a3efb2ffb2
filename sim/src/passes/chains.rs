//! Chains of two-operand nodes become one node with many operands, which can then be evaluated as one vector.
//!
//! `a & b & c & d` is a [`Op::Chain`]; `if c0 { x = v0 } if c1 { x = v1 }...` is an [`Op::LastWins`], or an
//! [`Op::Select`] when the conditions compare one value with constants. Only links that nothing else uses are taken in.
use std::collections::HashMap;

use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, mask};

/// Shorter chains stay as they are.
const SHORTEST: usize = 4;

/// Runs the pass.
pub fn run(design: &mut Design) {
    let old = design.graph.clone();
    let mut uses = vec![0u32; old.len()];
    old.nodes().iter().for_each(|node| node.op.for_each_operand(|operand| uses[operand.0 as usize] += 1));
    design.sinks().for_each(|sink| uses[sink.0 as usize] += 1);
    let links = Links { old: &old, uses };
    let mut new: Vec<NodeId> = vec![];
    super::rewrite(design, |graph, op, ty| {
        let id = NodeId(new.len() as u32);
        let made = match links.associative(id) {
            Some((op, parts)) => graph.add(Op::Chain(op, parts.iter().map(|part| new[part.0 as usize]).collect()), ty),
            None => match links.muxes(id) {
                Some((choices, default)) => {
                    let choices = choices.iter().map(|(c, v)| (new[c.0 as usize], new[v.0 as usize])).collect();
                    last_wins(graph, choices, new[default.0 as usize], ty)
                }
                None => graph.add(op, ty),
            },
        };
        new.push(made);
        made
    });
}

struct Links<'a> {
    old: &'a Graph,
    uses: Vec<u32>,
}

impl Links<'_> {
    fn used_once(&self, id: NodeId) -> bool {
        self.uses[id.0 as usize] == 1
    }

    /// The operands of the chain that ends in `id`.
    fn associative(&self, id: NodeId) -> Option<(Binary, Vec<NodeId>)> {
        let &Op::Binary(op @ (Binary::And | Binary::Or | Binary::Xor | Binary::Add), a, b) = self.old.op(id) else {
            return None;
        };
        let (mut parts, mut pending) = (vec![], vec![b, a]);
        while let Some(part) = pending.pop() {
            match *self.old.op(part) {
                Op::Binary(other, a, b) if other == op && self.used_once(part) => pending.extend([b, a]),
                _ if self.does_nothing(op, part) => {}
                _ => parts.push(part),
            }
        }
        (parts.len() >= SHORTEST).then_some((op, parts))
    }

    /// Whether an operand of the chain leaves the others as they are: what loops start with. It would be a lane unlike the others.
    fn does_nothing(&self, op: Binary, part: NodeId) -> bool {
        let neutral = if op == Binary::And { mask(self.old.width(part)) } else { 0 };
        self.old.constant(part) == Some(neutral)
    }

    /// Conditions with values, the winning one last, and the default of the chain that ends in `id`.
    fn muxes(&self, id: NodeId) -> Option<(Vec<(NodeId, NodeId)>, NodeId)> {
        let (mut choices, mut at) = (vec![], id);
        while let Op::Mux(c, then, otherwise) = *self.old.op(at) {
            if at != id && !self.used_once(at) {
                break;
            }
            choices.push((c, then));
            at = otherwise;
        }
        choices.reverse();
        (choices.len() >= SHORTEST).then_some((choices, at))
    }
}

fn last_wins(graph: &mut Graph, choices: Vec<(NodeId, NodeId)>, default: NodeId, ty: Type) -> NodeId {
    if let Some(id) = table(graph, &choices, default, ty) {
        return id;
    }
    let (conditions, values): (Vec<_>, Vec<_>) = choices.into_iter().unzip();
    graph.add(Op::LastWins { conditions: conditions.into(), values: values.into(), default }, ty)
}

/// `if k == 0 { v0 } if k == 1 { v1 }...` as a selection by `k`.
fn table(graph: &mut Graph, choices: &[(NodeId, NodeId)], default: NodeId, ty: Type) -> Option<NodeId> {
    let mut index = None;
    let mut by_key: HashMap<u64, NodeId> = HashMap::new();
    for &(condition, value) in choices {
        let &Op::Binary(Binary::Eq, a, b) = graph.op(condition) else { return None };
        let (key, of) = match (graph.constant(a), graph.constant(b)) {
            (None, Some(key)) => (key, a),
            (Some(key), None) => (key, b),
            _ => return None,
        };
        if *index.get_or_insert(of) != of {
            return None;
        }
        by_key.insert(key, value);
    }
    let (index, entries) = (index?, by_key.keys().max()? + 1);
    if entries > 2 * choices.len() as u64 {
        return None;
    }
    let inputs = (0..entries).map(|key| by_key.get(&key).copied().unwrap_or(default)).collect();
    let selected = graph.add(Op::Select { index, inputs }, ty);
    let index_width = graph.width(index);
    if index_width < 64 && entries >= 1 << index_width || graph.constant(default) == Some(0) {
        return Some(selected);
    }
    let last = graph.add_const(entries - 1, index_width);
    let inside = graph.add(Op::Binary(Binary::Le, index, last), Type::scalar(1));
    Some(graph.add(Op::Mux(inside, selected, default), ty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Output;

    /// What the pass makes of `if hit(i) { x = value(i) }` for eight i, with input 0 of 3 bits.
    fn choice(hit: impl Fn(&mut Graph, NodeId, usize) -> NodeId) -> Op {
        let mut design = Design::default();
        let graph = &mut design.graph;
        let index = graph.add(Op::Input(0), Type::scalar(3));
        let mut value = graph.add_const(7, 16);
        for i in 0..8 {
            let (condition, candidate) = (hit(graph, index, i), graph.add(Op::Input(9 + i as u32), Type::scalar(16)));
            value = graph.add(Op::Mux(condition, candidate, value), Type::scalar(16));
        }
        design.outputs.push(Output { port: None, value });
        run(&mut design);
        design.graph.op(design.outputs[0].value).clone()
    }

    #[test]
    fn comparisons_of_one_value_are_a_table() {
        let table = choice(|graph, index, i| {
            let key = graph.add_const(i as u64, 3);
            graph.add(Op::Binary(Binary::Eq, index, key), Type::scalar(1))
        });
        assert!(matches!(table, Op::Select { inputs, .. } if inputs.len() == 8));
    }

    #[test]
    fn other_conditions_are_a_priority_chain() {
        let chain = choice(|graph, _, i| graph.add(Op::Input(1 + i as u32), Type::scalar(1)));
        assert!(matches!(chain, Op::LastWins { conditions, .. } if conditions.len() == 8));
    }

    #[test]
    fn a_link_that_is_used_elsewhere_ends_the_chain() {
        let mut design = Design::default();
        let graph = &mut design.graph;
        let inputs: Vec<NodeId> = (0..8).map(|i| graph.add(Op::Input(i), Type::scalar(16))).collect();
        let sum = |graph: &mut Graph, from: NodeId, parts: &[NodeId]| {
            parts.iter().fold(from, |sum, &part| graph.add(Op::Binary(Binary::Add, sum, part), Type::scalar(16)))
        };
        let half = sum(graph, inputs[0], &inputs[1..4]);
        let whole = sum(graph, half, &inputs[4..]);
        for value in [half, whole] {
            design.outputs.push(Output { port: None, value });
        }
        run(&mut design);
        let lengths = design.outputs.iter().map(|output| match design.graph.op(output.value) {
            Op::Chain(Binary::Add, parts) => parts.len(),
            other => panic!("{other:?}"),
        });
        assert_eq!(lengths.collect::<Vec<_>>(), [4, 5]);
    }

    #[test]
    fn what_a_loop_starts_with_is_no_link() {
        for (op, start) in [(Binary::Or, 0), (Binary::Add, 0), (Binary::And, 0xffff), (Binary::And, 0)] {
            let mut design = Design::default();
            let graph = &mut design.graph;
            let mut value = graph.add_const(start, 16);
            for i in 0..8 {
                let input = graph.add(Op::Input(i), Type::scalar(16));
                value = graph.add(Op::Binary(op, value, input), Type::scalar(16));
            }
            design.outputs.push(Output { port: None, value });
            run(&mut design);
            let Op::Chain(_, parts) = design.graph.op(design.outputs[0].value) else { panic!("no chain") };
            assert_eq!(parts.len(), if op == Binary::And && start == 0 { 9 } else { 8 }, "{op:?} from {start}");
        }
    }
}
