//! Chains of two-operand nodes become one node with many operands, which can then be evaluated as one vector.
//!
//! `a & b & c & d` is a [`Op::Chain`]; `if c0 { x = v0 } if c1 { x = v1 }...` is an [`Op::LastWins`], or an
//! [`Op::Select`] when the conditions compare one value with constants. Only links that nothing else uses are taken in.
use std::collections::HashMap;

use crate::ir::{Binary, Design, Graph, NodeId, Op, Type};

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
                _ => parts.push(part),
            }
        }
        (parts.len() >= SHORTEST).then_some((op, parts))
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
