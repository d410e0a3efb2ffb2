//! Cycles in which only counters change, and what runs free: the function that leaves them out.
//!
//! What runs free goes on cycle by cycle, by itself. The number that its ticks make says what a cycle does, as long as nothing else has changed: how much the counters add was seen when one of the same
//! number was evaluated. Before a number that was not seen it stops.
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::state::{Cells, register_cells};
use super::{Body, Class, Emitter, MOVED, Regions, class, word_type};
use crate::gating::free_running::RESET;
use crate::gating::is_leaf;
use crate::gating::moving::Moving;
use crate::ir::{NodeId, mask};

impl Emitter<'_> {
    /// Writes it, and the types it needs; if cycles cannot be skipped, only these.
    pub(super) fn idle(&self, out: &mut String) {
        let Some(moving) = self.moving else {
            out.push_str("type Rates = ();\n");
            return;
        };
        let registers = self.design.registers.iter().enumerate();
        let counters: Vec<_> = registers.filter(|(i, _)| moving.counters[*i] != 0).collect();
        writeln!(out, "static COUNTERS: [Counter; {}] = [", counters.len()).unwrap();
        let mut words = 0;
        for (i, register) in counters {
            let Cells::Bytes { size, .. } = register_cells(register.ty) else {
                unreachable!("packed lanes count nothing")
            };
            let (lanes, mask) = (register.ty.lanes.max(1), mask(register.ty.width()));
            words += lanes as usize;
            writeln!(out, "    Counter {{ at: std::mem::offset_of!(Registers, r{i}), size: {size}, lanes: {lanes}, mask: {mask:#x} }},").unwrap();
        }
        let numbers = 1 << moving.ticks.len();
        writeln!(out, "];\nconst MOVED: u64 = {MOVED:#x};\nconst NUMBERS: usize = {numbers};\ntype Rates = [[u64; {words}]; NUMBERS];").unwrap();
        let reset = self.design.inputs.iter().position(|(name, _)| name == RESET);
        let in_reset = reset.map_or("false".into(), |input| format!("io[{input}] != 0"));
        writeln!(out, "fn in_reset(io: &Io) -> bool {{ {in_reset} }}").unwrap();
        self.free(moving, out);
        self.wake_moving(moving, out);
        out.push_str(include_str!("prelude/idle.rs"));
    }

    /// What runs free, and a cycle of it: the number of its ticks, and what comes next.
    fn free(&self, moving: &Moving, out: &mut String) {
        let free: Vec<usize> = (0..moving.free.len()).filter(|&i| moving.free[i]).collect();
        let mut nodes = BTreeSet::new();
        let mut pending: Vec<NodeId> = free.iter().map(|&i| self.design.registers[i].next).collect();
        pending.extend(&moving.ticks);
        while let Some(id) = pending.pop() {
            let op = self.design.graph.op(id);
            if !is_leaf(op) && nodes.insert(id) {
                op.for_each_operand(|operand| pending.push(operand));
            }
        }
        let mut body = Body::new(*self, Regions::default());
        // Operands come before their users.
        nodes.into_iter().for_each(|id| body.compute(id));
        let bits: Vec<String> =
            moving.ticks.iter().enumerate().map(|(k, &tick)| format!("{} << {k}", body.value(tick))).collect();
        let number = if bits.is_empty() { "0".into() } else { bits.join(" | ") };
        let (mut fields, mut copies, mut stores) = (String::new(), String::new(), String::new());
        let mut next = String::new();
        for i in free {
            let register = &self.design.registers[i];
            debug_assert_eq!(class(register.ty), Class::Word);
            let (ty, value) = (word_type(register.ty.width()), body.value(register.next));
            writeln!(fields, "    r{i}: {ty},").unwrap();
            write!(copies, "r{i}: registers.r{i}, ").unwrap();
            write!(stores, "registers.r{i} = self.r{i}; ").unwrap();
            write!(next, "r{i}: {value} as {ty}, ").unwrap();
        }
        writeln!(out, "#[derive(Clone, Copy)]\nstruct Free {{\n{fields}}}\nimpl Free {{\n    fn of(registers: &Registers) -> Self {{ Self {{ {copies}}} }}\n    fn store(&self, registers: &mut Registers) {{ {stores}}}\n    #[inline(always)]\n    unsafe fn cycle(&self, io: &Io) -> (u64, Self) {{\n        let cur = self;\n{}        ({number}, Self {{ {next}}})\n    }}\n}}", body.text).unwrap();
    }

    /// Who reads what has moved.
    fn wake_moving(&self, moving: &Moving, out: &mut String) {
        let wakes = self.wakes.expect("nothing rests without partitions");
        let moved = |i: &usize| moving.free[*i] || moving.counters[*i] != 0;
        let woken = (0..moving.free.len()).filter(moved).fold(0, |woken, i| woken | wakes.registers[i]);
        writeln!(out, "const WOKEN: u64 = {woken:#x};").unwrap();
    }
}
