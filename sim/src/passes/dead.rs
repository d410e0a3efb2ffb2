//! Logic that nothing needs is left out, and what only looks like state.
//!
//! Live is what a next value, a write port or an output depends on. A register that can only hold its initial value is a constant, also if it
//! takes it over from others of which the same is true, a
//! memory that is never written reads as zeros, a write port that is never enabled goes. The state itself stays complete,
//! so that it can be saved here and restored where this pass is off.
use std::collections::HashSet;

use crate::ir::{Design, Graph, NodeId, Op, Type};

/// Runs the pass.
pub fn run(design: &mut Design) {
    for memory in &mut design.memories {
        memory.writes.retain(|write| constant(&design.graph, write.enable) != Some(0));
    }
    let fixed = unchanging(design);
    let mut live = vec![false; design.graph.len()];
    let mut pending: Vec<NodeId> = design.sinks().chain(design.arrayed.iter().map(|(_, id)| *id)).collect();
    while let Some(id) = pending.pop() {
        if !std::mem::replace(&mut live[id.0 as usize], true) {
            design.graph.op(id).for_each_operand(|operand| pending.push(operand));
        }
    }
    let old = design.graph.take();
    let mut new: Vec<Option<NodeId>> = vec![None; old.len()];
    for (i, node) in old.nodes().iter().enumerate().filter(|(i, _)| live[*i]) {
        let op =
            node.op.clone().map_operands(|operand| new[operand.0 as usize].expect("operands of live nodes are live"));
        new[i] = Some(match op {
            Op::Register(r) if fixed[r as usize] => {
                let initial = design.registers[r as usize].initial.clone();
                value(&mut design.graph, initial, node.ty)
            }
            Op::Read { memory, .. } | Op::ReadLane { memory, .. }
                if design.memories[memory as usize].writes.is_empty() =>
            {
                let zeros = vec![0; (node.ty.lanes as usize).max(1)];
                value(&mut design.graph, zeros, node.ty)
            }
            op => design.graph.add(op, node.ty),
        });
    }
    let renamed = |id: NodeId| new[id.0 as usize].expect("what something takes is live");
    design.map_sinks(|_, id| renamed(id));
    design.arrayed.iter_mut().for_each(|(_, id)| *id = renamed(*id));
}

fn constant(graph: &Graph, id: NodeId) -> Option<u64> {
    match *graph.op(id) {
        Op::Const(value) => Some(value),
        Op::Broadcast(scalar) => graph.constant(scalar),
        _ => None,
    }
}

/// A constant; one value for a scalar.
fn value(graph: &mut Graph, lanes: Vec<u64>, ty: Type) -> NodeId {
    let op = if ty.is_vector() { Op::Constants(lanes.into()) } else { Op::Const(lanes[0]) };
    graph.add(op, ty)
}

/// The registers that always have their initial value: the largest set of which every next value is chosen among it and members that have the same.
fn unchanging(design: &Design) -> Vec<bool> {
    let mut fixed = vec![true; design.registers.len()];
    loop {
        let leaving: Vec<usize> = (0..fixed.len()).filter(|&i| fixed[i] && may_change(design, i, &fixed)).collect();
        if leaving.is_empty() {
            return fixed;
        }
        leaving.into_iter().for_each(|i| fixed[i] = false);
    }
}

/// Whether the next value of register `i` may be another than its initial one while those of `fixed` have theirs.
fn may_change(design: &Design, i: usize, fixed: &[bool]) -> bool {
    let initial = &design.registers[i].initial;
    let mut pending = vec![design.registers[i].next];
    let mut seen = HashSet::new();
    while let Some(id) = pending.pop() {
        let keeps = match design.graph.op(id) {
            Op::Mux(_, a, b) => {
                pending.extend([*a, *b].into_iter().filter(|choice| seen.insert(*choice)));
                true
            }
            Op::Register(other) => {
                let other = *other as usize;
                other == i || fixed[other] && design.registers[other].initial == *initial
            }
            Op::Constants(values) => values[..] == initial[..],
            _ => constant(&design.graph, id).is_some_and(|value| initial.iter().all(|&was| was == value)),
        };
        if !keeps {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Memory, Output, Register, Write};

    const BYTE: Type = Type { width: 8, lanes: 0 };
    const BIT: Type = Type { width: 1, lanes: 0 };

    fn register(design: &mut Design, initial: u64) -> NodeId {
        let value = design.graph.add(Op::Register(design.registers.len() as u32), BYTE);
        design.registers.push(Register { paths: vec![[].into()], ty: BYTE, initial: vec![initial], next: value });
        value
    }

    #[test]
    fn a_register_that_holds_for_ever_is_a_constant() {
        let mut design = Design::default();
        let [counter, fixed] = [2, 7].map(|initial| register(&mut design, initial));
        let one = design.graph.add_const(1, 8);
        design.registers[0].next = design.graph.add(Op::Binary(Binary::Add, counter, one), BYTE);
        let value = design.graph.add(Op::Binary(Binary::Add, counter, fixed), BYTE);
        design.outputs.push(Output { port: None, value });
        design.graph.add(Op::Binary(Binary::Sub, counter, fixed), BYTE);
        run(&mut design);
        let Op::Binary(_, a, b) = *design.graph.op(design.outputs[0].value) else { panic!("a sum") };
        assert_eq!((design.graph.op(a), design.graph.constant(b)), (&Op::Register(0), Some(7)));
        assert_eq!(design.registers.len(), 2, "the state stays complete");
        let subtracts = |op: &Op| matches!(op, Op::Binary(Binary::Sub, ..));
        assert!(!design.graph.nodes().iter().any(|node| subtracts(&node.op)), "nothing needs the difference");
    }

    #[test]
    fn registers_that_take_over_what_does_not_change_are_constants() {
        let mut design = Design::default();
        let [first, second, third, other] = [0, 0, 0, 1].map(|initial| register(&mut design, initial));
        let (enable, data) = (design.graph.add(Op::Input(0), BIT), design.graph.add(Op::Input(1), BYTE));
        let zero = design.graph.add_const(0, 8);
        let mut held = |i: usize, entering: NodeId, held: NodeId| {
            design.registers[i].next = design.graph.add(Op::Mux(enable, entering, held), BYTE);
        };
        // Two stages behind a constant; one before which there may be something else, and one that is of another value.
        held(0, zero, first);
        held(1, first, second);
        held(2, data, third);
        held(3, second, other);
        assert_eq!(unchanging(&design), [true, true, false, false]);
    }

    #[test]
    fn a_memory_that_is_never_written_reads_as_zeros() {
        let mut design = Design::default();
        let (address, data) = (design.graph.add(Op::Input(0), BYTE), design.graph.add(Op::Input(1), BYTE));
        let (on, off) = (design.graph.add_const(1, 1), design.graph.add_const(0, 1));
        for (memory, enable) in [on, off].into_iter().enumerate() {
            let writes = vec![Write { enable, address, data, mask: None }];
            design.memories.push(Memory { paths: vec![[].into()], ty: BYTE, depth: 4, writes });
            let value = design.graph.add(Op::Read { memory: memory as u32, address }, BYTE);
            design.outputs.push(Output { port: None, value });
        }
        run(&mut design);
        let [written, never] = [0, 1].map(|i| design.graph.op(design.outputs[i].value));
        assert_eq!((written, never), (&Op::Read { memory: 0, address: NodeId(0) }, &Op::Const(0)));
        assert_eq!(design.memories[1].writes.len(), 0);
    }
}
