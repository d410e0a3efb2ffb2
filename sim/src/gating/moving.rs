//! What moves in a design that otherwise rests, while its inputs stay: counters, and what runs free.
//!
//! ```text
//!   free-running --> ticks --+--> everything else, of which nothing has changed
//!     ^     |                |                 |
//!     +-----+                +--> counters <---+    + what the tick and the rest say
//!                                    |
//!                                    +--> outputs
//! ```
//! A counter is a lane of a register whose next value is its own and something added, unless in reset, and which nothing but outputs looks at. What runs free is looked at in a few bits
//! only. So what a cycle does depends on these bits alone, and one in which nothing else has changed tells of all that follow with the same bits: nothing else will, and
//! counters add the same.
use std::collections::HashMap;

use super::free_running;
use crate::ir::{Binary, Design, Graph, NodeId, Op, Type, mask};

/// The bits through which the rest sees what runs free make a number of so many bits at most.
const MOST_TICKS: usize = 6;

/// What may move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moving {
    /// By register: the lanes that are counters, lane 0 for a scalar.
    pub counters: Vec<u64>,
    /// By register: whether it runs free, and is seen through ticks only.
    pub free: Vec<bool>,
    /// Bits that what runs free makes, through which the rest sees it.
    pub ticks: Vec<NodeId>,
}

impl Moving {
    /// By register: the lanes that may not change in a design that rests.
    pub fn still(&self, register: usize, ty: Type) -> u64 {
        if self.free[register] { 0 } else { lanes(ty) & !self.counters[register] }
    }
}

/// Finds it; none if what runs free is seen through too many bits.
pub fn find(design: &Design) -> Option<Moving> {
    let scalars = design.registers.iter().map(|register| !register.ty.is_vector()).collect();
    let free = free_running::among(design, scalars);
    let counts = |(register, free): (&crate::ir::Register, &bool)| match register.ty {
        // The generated code packs them.
        ty if *free || ty.is_vector() && ty.width == 1 => 0,
        ty => lanes(ty),
    };
    let counters = design.registers.iter().zip(&free).map(counts).collect();
    let mut moving = Moving { counters, free, ticks: vec![] };
    loop {
        let next = moving.without_what_is_seen(design);
        if next.counters == moving.counters && next.free == moving.free {
            return (next.ticks.len() <= MOST_TICKS).then_some(next);
        }
        moving = next;
    }
}

fn lanes(ty: Type) -> u64 {
    mask(ty.lanes.max(1) as usize)
}

impl Moving {
    /// Without the lanes of which the next value is no such sum, or is used by something else that has to rest; and the ticks of those that are left.
    fn without_what_is_seen(&self, design: &Design) -> Self {
        let graph = &design.graph;
        let mut next = self.clone();
        let mut seen = Seen { graph, lanes: vec![0; graph.len()] };
        for (i, register) in design.registers.iter().enumerate().filter(|(i, _)| !self.free[*i]) {
            if self.counters[i] != 0 {
                let mut sums = Sums { design, register: i as u32, known: HashMap::new() };
                next.counters[i] &= sums.of(register.next);
                sums.see_addends(register.next, next.counters[i], &mut seen);
            }
            seen.add(register.next, lanes(register.ty) & !next.counters[i]);
        }
        for write in design.memories.iter().flat_map(|memory| &memory.writes) {
            write.operands().for_each(|operand| seen.all(operand));
        }
        let (is_bit, runs) = (free_running::ticks(design, &self.free), self.runs(graph));
        next.ticks.clear();
        // Users come after their operands, so they are looked at first.
        for i in (0..graph.len()).rev() {
            match graph.op(NodeId(i as u32)) {
                _ if seen.lanes[i] == 0 => {}
                _ if is_bit[i] && runs[i] => next.ticks.push(NodeId(i as u32)),
                _ if is_bit[i] => {}
                Op::Register(register) => {
                    next.counters[*register as usize] &= !seen.lanes[i];
                    next.free[*register as usize] = false;
                }
                _ => seen.operands(NodeId(i as u32)),
            }
        }
        next.free = free_running::among(design, next.free);
        next
    }

    /// By node: whether it is made of something that runs free.
    fn runs(&self, graph: &Graph) -> Vec<bool> {
        let mut runs = vec![false; graph.len()];
        for (i, node) in graph.nodes().iter().enumerate() {
            let mut any = matches!(node.op, Op::Register(register) if self.free[register as usize]);
            node.op.for_each_operand(|NodeId(operand)| any |= runs[operand as usize]);
            runs[i] = any;
        }
        runs
    }
}

/// Values that have to rest, by their lanes.
struct Seen<'a> {
    graph: &'a Graph,
    lanes: Vec<u64>,
}

impl Seen<'_> {
    fn add(&mut self, id: NodeId, lanes: u64) {
        self.lanes[id.0 as usize] |= lanes;
    }

    fn all(&mut self, id: NodeId) {
        self.add(id, lanes(self.graph.ty(id)));
    }

    /// So do their operands, in the lanes that they are made of.
    fn operands(&mut self, id: NodeId) {
        let (node, seen) = (self.graph.node(id), self.lanes[id.0 as usize]);
        match &node.op {
            &Op::Blend(a, b, from_a) => {
                self.add(a, seen & from_a);
                self.add(b, seen & !from_a);
            }
            &Op::Extract(a, lane) => self.add(a, 1 << lane),
            Op::Lanes(parts) => {
                for (_, &part) in parts.iter().enumerate().filter(|(lane, _)| seen >> lane & 1 == 1) {
                    self.all(part);
                }
            }
            op if node.ty.is_vector() && is_lane_by_lane(op) => op.clone().for_each_operand(|operand| {
                let lanes = if self.graph.ty(operand).is_vector() { seen } else { 1 };
                self.add(operand, lanes);
            }),
            op => op.clone().for_each_operand(|operand| self.all(operand)),
        }
    }
}

fn is_lane_by_lane(op: &Op) -> bool {
    use Op::*;
    matches!(op, Unary(..) | Binary(..) | Mux(..) | Slice { .. } | Concat(_) | BitReplace { .. } | Select { .. })
}

/// Values that are what a register holds with something added, by its lanes: of a vector each in its own place, of a scalar all that it is a sum of.
struct Sums<'a> {
    design: &'a Design,
    register: u32,
    known: HashMap<NodeId, u64>,
}

impl Sums<'_> {
    /// The lanes of a value that are, unless in reset.
    fn of(&mut self, id: NodeId) -> u64 {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let node = self.design.graph.node(id);
        let sums = match &node.op {
            Op::Register(register) if *register == self.register => lanes(node.ty),
            &Op::Binary(Binary::Add, a, b) => self.of(a) ^ self.of(b),
            &Op::Binary(Binary::Sub, a, b) => self.of(a) & !self.of(b),
            &Op::Mux(c, _, b) if self.is_reset(c) => self.of(b),
            &Op::Mux(_, a, b) => self.of(a) & self.of(b),
            &Op::Blend(a, b, from_a) => self.of(a) & from_a | self.of(b) & !from_a,
            &Op::Extract(a, lane) => self.of(a) & 1 << lane,
            Op::Lanes(parts) => {
                parts.iter().enumerate().fold(0, |sums, (lane, &part)| sums | self.of(part) & 1 << lane)
            }
            Op::LastWins { values, default, .. } => {
                values.iter().chain([default]).fold(u64::MAX, |sums, &value| sums & self.of(value))
            }
            _ => 0,
        };
        self.known.insert(id, sums);
        sums
    }

    fn is_reset(&self, condition: NodeId) -> bool {
        match *self.design.graph.op(condition) {
            Op::Input(input) => self.design.inputs[input as usize].0 == free_running::RESET,
            Op::Broadcast(scalar) => self.is_reset(scalar),
            _ => false,
        }
    }

    /// What is added in these lanes, and what decides about it, has to rest.
    fn see_addends(&mut self, id: NodeId, lanes: u64, seen: &mut Seen) {
        if lanes == 0 {
            return;
        }
        match self.design.graph.op(id) {
            &Op::Binary(_, a, b) => {
                let of_a = lanes & self.of(a);
                self.see_addends(a, of_a, seen);
                self.see_addends(b, lanes & !of_a, seen);
                seen.add(a, lanes & !of_a);
                seen.add(b, of_a);
            }
            &Op::Mux(c, a, b) => {
                if !self.is_reset(c) {
                    seen.add(c, lanes);
                    self.see_addends(a, lanes, seen);
                }
                self.see_addends(b, lanes, seen);
            }
            &Op::Blend(a, b, from_a) => {
                self.see_addends(a, lanes & from_a, seen);
                self.see_addends(b, lanes & !from_a, seen);
            }
            &Op::Extract(a, _) => self.see_addends(a, lanes, seen),
            Op::Lanes(parts) => {
                for (lane, &part) in parts.iter().enumerate() {
                    self.see_addends(part, lanes & 1 << lane, seen);
                }
            }
            Op::LastWins { conditions, values, default } => {
                conditions.iter().for_each(|&condition| seen.all(condition));
                values.iter().chain([default]).for_each(|&value| self.see_addends(value, lanes, seen));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Output, Register};

    /// A design with `reset`, `go`, and registers that hold, of a type.
    fn design<const N: usize>(types: [Type; N]) -> (Design, [NodeId; N]) {
        let mut design = Design { inputs: vec![("reset".into(), 1), ("go".into(), 1)], ..Design::default() };
        let registers = types.map(|ty| {
            let q = design.graph.add(Op::Register(design.registers.len() as u32), ty);
            let lanes = ty.lanes.max(1) as usize;
            design.registers.push(Register { paths: vec![[].into(); lanes], ty, initial: vec![0; lanes], next: q });
            design.outputs.push(Output { port: Some("out".into()), value: q });
            q
        });
        (design, registers)
    }

    /// `q + 1` if `when`, 0 in reset.
    fn count(design: &mut Design, q: NodeId, when: Option<NodeId>) -> NodeId {
        let ty = design.graph.ty(q);
        let reset = design.graph.add(Op::Input(0), Type::scalar(1));
        let [zero, one] = [0, 1].map(|value| design.graph.add_const(value, ty.width()));
        let more = design.graph.add(Op::Binary(Binary::Add, q, one), ty);
        let kept = when.map_or(more, |when| design.graph.add(Op::Mux(when, more, q), ty));
        design.graph.add(Op::Mux(reset, zero, kept), ty)
    }

    fn go(design: &mut Design) -> NodeId {
        design.graph.add(Op::Input(1), Type::scalar(1))
    }

    #[test]
    fn a_counter_that_something_sees_is_none() {
        let byte = Type::scalar(8);
        let (mut design, [unseen, seen, limited, sees]) = design([byte; 4]);
        let go = go(&mut design);
        design.registers[0].next = count(&mut design, unseen, Some(go));
        design.registers[1].next = count(&mut design, seen, Some(go));
        let limit = design.graph.add_const(9, 8);
        let below = design.graph.add(Op::Binary(Binary::Lt, limited, limit), Type::scalar(1));
        design.registers[2].next = count(&mut design, limited, Some(below));
        design.registers[3].next = design.graph.add(Op::Mux(go, seen, sees), byte);
        let moving = find(&design).unwrap();
        assert_eq!((moving.counters, moving.ticks), (vec![1, 0, 0, 0], vec![]));
        assert_eq!(moving.free, [false, false, true, false], "the limited one goes on by itself");
    }

    #[test]
    fn what_runs_free_is_seen_through_bits() {
        let byte = Type::scalar(8);
        let (mut design, [phase, time, counter, taken]) = design([byte; 4]);
        design.registers[0].next = count(&mut design, phase, None);
        design.registers[1].next = count(&mut design, time, None);
        let limit = design.graph.add_const(9, 8);
        let tick = design.graph.add(Op::Binary(Binary::Eq, phase, limit), Type::scalar(1));
        let go = go(&mut design);
        let ticks = design.graph.add(Op::Binary(Binary::And, tick, go), Type::scalar(1));
        design.registers[2].next = count(&mut design, counter, Some(ticks));
        design.registers[3].next = design.graph.add(Op::Mux(go, time, taken), byte);
        let moving = find(&design).unwrap();
        assert_eq!(moving.free, [true, false, false, false], "all of the time is seen");
        assert_eq!((moving.counters, moving.ticks), (vec![0, 0, 1, 0], vec![tick]));
    }

    #[test]
    fn lanes_are_told_apart() {
        let (words, lanes) = (Type::vector(8, 4), 0b0110);
        let (mut design, [counts]) = design([words]);
        let bits = Type::vector(1, 4);
        let input = go(&mut design);
        let go = design.graph.add(Op::Broadcast(input), bits);
        let one = design.graph.add(Op::Constants(vec![1, 2, 3, 4].into()), words);
        let more = design.graph.add(Op::Binary(Binary::Add, counts, one), words);
        let count = design.graph.add(Op::Mux(go, more, counts), words);
        let above = design.graph.add(Op::Binary(Binary::Lt, counts, one), bits);
        let most = design.graph.add(Op::Mux(above, one, counts), words);
        design.registers[0].next = design.graph.add(Op::Blend(count, most, lanes), words);
        let moving = find(&design).unwrap();
        assert_eq!((moving.counters[0], moving.still(0, words)), (lanes, 0b1001));
        let seen = design.graph.add(Op::Extract(counts, 1), Type::scalar(8));
        let ty = Type::scalar(8);
        design.registers.push(Register { paths: vec![[].into()], ty, initial: vec![0], next: seen });
        assert_eq!(find(&design).unwrap().counters, [0b0100, 0]);
    }

    #[test]
    fn lanes_are_followed_through_scalars() {
        let words = Type::vector(8, 3);
        let (mut design, [counts]) = design([words]);
        let byte = Type::scalar(8);
        let [first, second, third] = [0, 1, 2].map(|lane| design.graph.add(Op::Extract(counts, lane), byte));
        let one = design.graph.add_const(1, 8);
        let mut plus = |a, b| design.graph.add(Op::Binary(Binary::Add, a, b), byte);
        // The second sees the third; and the first counts in its own place only.
        let (more, sum, last) = (plus(first, one), plus(second, third), plus(third, one));
        design.registers[0].next = design.graph.add(Op::Lanes([more, sum, last].into()), words);
        assert_eq!(find(&design).unwrap().counters, [0b011]);
        design.registers[0].next = design.graph.add(Op::Lanes([last, sum, more].into()), words);
        assert_eq!(find(&design).unwrap().counters, [0b010], "what is swapped has to rest");
    }

    #[test]
    fn what_is_seen_through_too_many_bits_does_not_rest() {
        let (mut design, registers) = design([Type::scalar(8); 9]);
        design.registers[0].next = count(&mut design, registers[0], None);
        let go = go(&mut design);
        for i in 1..9 {
            let limit = design.graph.add_const(i as u64, 8);
            let tick = design.graph.add(Op::Binary(Binary::Eq, registers[0], limit), Type::scalar(1));
            let ticks = design.graph.add(Op::Binary(Binary::And, tick, go), Type::scalar(1));
            design.registers[i].next = design.graph.add(Op::Mux(ticks, limit, registers[i]), Type::scalar(8));
            assert_eq!(find(&design).is_some(), i <= MOST_TICKS, "{i} bits");
        }
    }
}
