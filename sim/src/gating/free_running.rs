//! Registers that change by themselves, and logic that changes with them.
//!
//! What is next in a free-running register depends on registers like it only, and on reset: the phase of a clock, the time, the clocks since something periodic. It changes in
//! nearly every cycle. Most that reads it asks a question of it, whether it is time, and the answer seldom changes.
use super::is_leaf;
use crate::ir::{Design, Node, NodeId, Op, Type};

/// The name under which what runs free is a part of its own: no instance has such a name.
pub const FREE_RUNNING: &str = "(free-running)";

/// The input that takes every register back to where it began.
pub const RESET: &str = "reset";

/// By register: whether it is free-running.
pub fn registers(design: &Design) -> Vec<bool> {
    among(design, vec![true; design.registers.len()])
}

/// The same, of those registers only that are `free` to be.
pub fn among(design: &Design, mut free: Vec<bool>) -> Vec<bool> {
    loop {
        let driven = driven(design, &free);
        let stays = |register: usize| free[register] && !driven[design.registers[register].next.0 as usize];
        let stay: Vec<bool> = (0..free.len()).map(stays).collect();
        if stay == free {
            return free;
        }
        free = stay;
    }
}

/// By node: whether it depends on something else than these registers, and reset.
fn driven(design: &Design, free: &[bool]) -> Vec<bool> {
    let mut driven = vec![false; design.graph.len()];
    for (i, node) in design.graph.nodes().iter().enumerate() {
        let mut any = match node.op {
            Op::Register(register) => !free[register as usize],
            Op::Input(input) => design.inputs[input as usize].0 != RESET,
            Op::Read { .. } | Op::ReadLane { .. } => true,
            _ => false,
        };
        node.op.for_each_operand(|NodeId(operand)| any |= driven[operand as usize]);
        driven[i] = any;
    }
    driven
}

/// By node: whether it is a tick, a bit that free-running registers make by themselves, as a clock enable is.
pub fn ticks(design: &Design, free: &[bool]) -> Vec<bool> {
    let driven = driven(design, free);
    let is_tick = |(i, node): (usize, &Node)| !driven[i] && !is_leaf(&node.op) && node.ty == Type::scalar(1);
    design.graph.nodes().iter().enumerate().map(is_tick).collect()
}

/// By node: its level, odd where it changes with such a register, even where it is calm. Levels never fall from a value to its users. An answer of one bit is calm.
pub fn levels(design: &Design, free: &[bool]) -> Vec<u32> {
    let graph = &design.graph;
    let mut levels = vec![0; graph.len()];
    let moves = |levels: &[u32], operand: NodeId| match *graph.op(operand) {
        Op::Register(register) => free[register as usize],
        _ => levels[operand.0 as usize] % 2 == 1,
    };
    for (i, node) in graph.nodes().iter().enumerate() {
        let (mut base, mut is_busy) = (0, false);
        node.op.for_each_operand(|operand| {
            base = base.max(levels[operand.0 as usize]);
            is_busy |= moves(&levels, operand);
        });
        levels[i] = if is_busy && node.ty.width != 1 { base | 1 } else { base + base % 2 };
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Register};
    use crate::netlist::Segment;

    fn register(design: &mut Design, width: usize) -> (usize, NodeId) {
        let ty = Type::scalar(width);
        let q = design.graph.add(Op::Register(design.registers.len() as u32), ty);
        let path = vec![Segment { field: format!("r{}", design.registers.len()), index: vec![] }];
        design.registers.push(Register { paths: vec![path.into()], ty, initial: vec![0], next: q });
        (design.registers.len() - 1, q)
    }

    #[test]
    fn what_counts_for_itself_is_free_running() {
        let mut design = Design::default();
        design.inputs.push(("start".into(), 1));
        let start = design.graph.add(Op::Input(0), Type::scalar(1));
        let ((phase, phase_q), (now, now_q), (left, left_q)) =
            (register(&mut design, 8), register(&mut design, 8), register(&mut design, 8));
        let one = design.graph.add(Op::Const(1), Type::scalar(8));
        let mut add = |op, width| design.graph.add(op, Type::scalar(width));
        let next_phase = add(Op::Binary(Binary::Add, phase_q, one), 8);
        let tick = add(Op::Binary(Binary::Eq, phase_q, one), 1);
        let later = add(Op::Binary(Binary::Add, now_q, one), 8);
        let next_now = add(Op::Mux(tick, later, now_q), 8);
        let less = add(Op::Binary(Binary::Sub, left_q, one), 8);
        let next_left = add(Op::Mux(start, now_q, less), 8);
        let is_time = add(Op::Binary(Binary::Eq, now_q, left_q), 1);
        let after = add(Op::Mux(is_time, left_q, one), 8);
        for (register, next) in [(phase, next_phase), (now, next_now), (left, next_left)] {
            design.registers[register].next = next;
        }
        let free = registers(&design);
        assert_eq!(free, [true, true, false], "the last waits for a start");
        let ticks = ticks(&design, &free);
        assert_eq!([tick, is_time, later].map(|node| ticks[node.0 as usize]), [true, false, false]);
        let levels = levels(&design, &free);
        let level = |node: NodeId| levels[node.0 as usize];
        assert_eq!([next_phase, tick, later, next_now].map(level), [1, 0, 1, 1]);
        assert_eq!([less, next_left, is_time, after].map(level), [0, 1, 0, 0]);
    }
}
