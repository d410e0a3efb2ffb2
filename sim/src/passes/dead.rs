//! State that nothing outside ever sees is left out, with the logic that feeds it.
//!
//! Live is what an output or an observed net depends on, through registers and memories too. A register that only feeds
//! itself is not. Registers that always hold their initial value, and write ports that are never enabled, go too.
use crate::ir::{Design, Graph, NodeId, Op};

/// Runs the pass.
pub fn run(design: &mut Design) {
    loop {
        for memory in &mut design.memories {
            memory.writes.retain(|write| !is_zero(&design.graph, write.enable));
        }
        let live = Live::of(design);
        let constant: Vec<bool> = (0..design.registers.len()).map(|i| never_changes(design, i)).collect();
        let found = constant.contains(&true);
        live.rebuild(design, &constant);
        if !found {
            return;
        }
    }
}

fn is_zero(graph: &Graph, id: NodeId) -> bool {
    match *graph.op(id) {
        Op::Const(value) => value == 0,
        Op::Broadcast(scalar) => graph.constant(scalar) == Some(0),
        _ => false,
    }
}

/// Whether the next value is always the present one, or the initial one.
fn never_changes(design: &Design, i: usize) -> bool {
    let register = &design.registers[i];
    let graph = &design.graph;
    match graph.op(register.next) {
        Op::Register(other) => *other as usize == i,
        Op::Const(value) => register.initial[0] == *value,
        Op::Constants(values) => values[..] == register.initial[..],
        Op::Broadcast(scalar) => {
            graph.constant(*scalar).is_some_and(|value| register.initial.iter().all(|&initial| initial == value))
        }
        _ => false,
    }
}

/// What outputs depend on.
struct Live {
    nodes: Vec<bool>,
    registers: Vec<bool>,
    memories: Vec<bool>,
}

impl Live {
    fn of(design: &Design) -> Self {
        let mut live = Self {
            nodes: vec![false; design.graph.len()],
            registers: vec![false; design.registers.len()],
            memories: vec![false; design.memories.len()],
        };
        let mut pending: Vec<NodeId> = design.outputs.iter().map(|output| output.value).collect();
        while let Some(id) = pending.pop() {
            if std::mem::replace(&mut live.nodes[id.0 as usize], true) {
                continue;
            }
            let op = design.graph.op(id);
            op.for_each_operand(|operand| pending.push(operand));
            match *op {
                Op::Register(i) if !std::mem::replace(&mut live.registers[i as usize], true) => {
                    pending.push(design.registers[i as usize].next);
                }
                Op::Read { memory, .. } | Op::ReadLane { memory, .. }
                    if !std::mem::replace(&mut live.memories[memory as usize], true) =>
                {
                    pending.extend(design.memories[memory as usize].writes.iter().flat_map(|write| write.operands()));
                }
                _ => {}
            }
        }
        live
    }

    /// The design of what is live alone, with `constant` registers replaced by their values.
    fn rebuild(&self, design: &mut Design, constant: &[bool]) {
        let kept: Vec<bool> = self.registers.iter().zip(constant).map(|(&live, &constant)| live && !constant).collect();
        let (registers, memories) = (renumbered(&kept), renumbered(&self.memories));
        let old = design.graph.take();
        let mut new: Vec<Option<NodeId>> = vec![None; old.len()];
        for (i, node) in old.nodes().iter().enumerate().filter(|(i, _)| self.nodes[*i]) {
            let op = match node.op.clone() {
                Op::Register(r) if constant[r as usize] => match &design.registers[r as usize].initial[..] {
                    values if node.ty.is_vector() => Op::Constants(values.into()),
                    values => Op::Const(values[0]),
                },
                Op::Register(r) => Op::Register(registers[r as usize]),
                Op::Read { memory, address } => Op::Read { memory: memories[memory as usize], address },
                Op::ReadLane { memory, lane, address } => {
                    Op::ReadLane { memory: memories[memory as usize], lane, address }
                }
                op => op,
            };
            let op = op.map_operands(|operand| new[operand.0 as usize].expect("operands of live nodes are live"));
            new[i] = Some(design.graph.add(op, node.ty));
        }
        let mut i = 0..;
        design.registers.retain(|_| kept[i.next().expect("endless")]);
        let mut i = 0..;
        design.memories.retain(|_| self.memories[i.next().expect("endless")]);
        design.map_sinks(|_, id| new[id.0 as usize].expect("what live state takes is live"));
        design.arrayed.retain_mut(|(_, id)| match new[id.0 as usize] {
            Some(new) => {
                *id = new;
                true
            }
            None => false,
        });
    }
}

/// New numbers of what is kept; the others keep 0, which nobody asks for.
fn renumbered(kept: &[bool]) -> Vec<u32> {
    let mut next = 0..;
    kept.iter().map(|&kept| if kept { next.next().expect("endless") } else { 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Memory, Output, Register, Type, Write};

    const BYTE: Type = Type { width: 8, lanes: 0 };

    fn register(design: &mut Design, initial: u64) -> NodeId {
        let value = design.graph.add(Op::Register(design.registers.len() as u32), BYTE);
        design.registers.push(Register { path: [].into(), ty: BYTE, initial: vec![initial], next: value });
        value
    }

    /// A counter, one that only counts for itself, a register that holds 7 for ever; the output is the sum of two.
    fn design() -> Design {
        let mut design = Design::default();
        let [unseen, seen, fixed] = [1, 2, 7].map(|initial| register(&mut design, initial));
        let one = design.graph.add_const(1, 8);
        for (i, value) in [(0, unseen), (1, seen)] {
            design.registers[i].next = design.graph.add(Op::Binary(Binary::Add, value, one), BYTE);
        }
        let value = design.graph.add(Op::Binary(Binary::Add, seen, fixed), BYTE);
        design.outputs.push(Output { port: None, value });
        design
    }

    #[test]
    fn registers_that_nobody_sees_or_that_never_change_go() {
        let mut design = design();
        run(&mut design);
        assert_eq!(design.registers.len(), 1);
        assert_eq!(design.registers[0].initial, [2]);
        let Op::Binary(_, a, b) = *design.graph.op(design.outputs[0].value) else { panic!("a sum") };
        assert_eq!((design.graph.op(a), design.graph.constant(b)), (&Op::Register(0), Some(7)));
    }

    #[test]
    fn memories_are_live_when_they_are_read() {
        let mut design = design();
        let (address, data) = (design.graph.add(Op::Input(0), BYTE), design.graph.add(Op::Register(0), BYTE));
        let (on, off) = (design.graph.add_const(1, 1), design.graph.add_const(0, 1));
        let write = |enable| Write { enable, address, data, mask: None };
        for enable in [on, off] {
            let writes = vec![write(enable), write(off)];
            design.memories.push(Memory { path: [].into(), ty: BYTE, depth: 4, writes });
        }
        let value = design.graph.add(Op::Read { memory: 1, address }, BYTE);
        design.outputs.push(Output { port: None, value });
        run(&mut design);
        assert_eq!(design.memories.len(), 1, "the first is written and never read");
        assert!(design.memories[0].writes.is_empty());
        assert_eq!(design.registers.len(), 1, "and what fed it goes with it");
    }
}
