//! Activity gating: the design cut into partitions, each skipped in a cycle in which nothing it reads has changed.
//!
//! ```text
//!              registers, memories, inputs              changed at the last edge: wakes whoever reads it
//!                  |            |
//!            +-----v----+  +----v-----+
//!            | part 0   |  | part 1   |   in this order; a value that crosses from one into a later one
//!            +--+----+--+  +----+-----+   wakes it only if it changed
//!               |    +---------+|
//!            +--v-------+  +---v------+
//!            | part 2   |  | part 3   |
//!            +----------+  +----------+
//!                  |            |
//!              next values, outputs, write ports
//! ```
//! Registers stand in two banks, so a partition can only be skipped when both hold the same for its registers: one whose
//! registers changed runs once more.
//!
//! [`cut`] finds the partitions: first [blocks], whose cuts cannot form a loop, then [merging](merge), first into as many [`Pieces`] as a word has bits, then as long as
//! it pays: by what was [seen](profile) to work together in a run, else by an estimate of how often things change. What [runs free](free_running) is kept apart from what asks about it,
//! and its [ticks], which are clock enables, need not wake who is seen to do nothing with them.
//!
//! What [moves](moving) in a design that otherwise rests is known too, so that whole cycles can be left out.
//!
//! [ticks]: free_running::ticks
use warploom_hdl::activity::ActivityClasses;

use crate::ir::{Design, NodeId, Op, Type};

mod activity;
mod blocks;
pub mod cost;
pub mod free_running;
mod merge;
pub mod moving;
pub mod profile;

use blocks::Blocks;
use merge::Merging;
use profile::Profile;

/// The partitions of a design, in an order in which values are made before they are used.
#[derive(Clone, Debug)]
pub struct Partitions {
    /// How many, at most [`MAX_PARTITIONS`].
    pub count: usize,
    /// By node: where it is computed. [`NOWHERE`] for nodes that nothing needs, and for leaves.
    pub nodes: Vec<u32>,
    /// By register: where its next value is stored.
    pub registers: Vec<u32>,
}

/// Partitions of a cycle are bits of a word; one more says whether [something else than counters](moving) has changed.
pub const MAX_PARTITIONS: usize = 63;

/// Of a node that is computed nowhere.
pub const NOWHERE: u32 = u32::MAX;

/// Something that can change by itself between two cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A register.
    Register(u32),
    /// A memory.
    Memory(u32),
    /// An input port.
    Input(u32),
}

/// What a node reads besides its operands: a leaf itself, or the memory that a read goes to.
pub fn for_each_source(op: &Op, ty: Type, f: &mut impl FnMut(Source)) {
    match *op {
        Op::Register(i) => f(Source::Register(i)),
        // A vector of inputs is a run of them.
        Op::Input(i) => (i..i + u32::from(ty.lanes.max(1))).map(Source::Input).for_each(f),
        Op::Read { memory, .. } | Op::ReadLane { memory, .. } => f(Source::Memory(memory)),
        _ => {}
    }
}

/// What every part of the generated code loads by itself.
pub fn is_leaf(op: &Op) -> bool {
    matches!(op, Op::Const(_) | Op::Constants(_) | Op::Input(_) | Op::Register(_))
}

/// A design in as many partitions as can be told apart, to be recorded or merged further.
pub struct Pieces {
    blocks: Blocks,
    merging: Merging,
}

/// Cuts `design` into pieces; these classes of it are known.
pub fn cut(design: &Design, known: ActivityClasses) -> Pieces {
    let free = free_running::registers(design);
    let blocks = blocks::find(design, &free);
    let merging = Merging::new(design, &blocks, known, &free);
    Pieces { blocks, merging }
}

impl Pieces {
    /// Each by itself.
    pub fn apart(&self) -> Partitions {
        let home = self.merging.number();
        let part = |&block: &u32| if block == NOWHERE { NOWHERE } else { home[block as usize] };
        Partitions {
            count: home.iter().max().map_or(1, |&last| last as usize + 1),
            nodes: self.blocks.nodes.iter().map(part).collect(),
            registers: self.blocks.registers.iter().map(part).collect(),
        }
    }

    /// Merged as long as that pays.
    pub fn merged(mut self, profile: Option<Profile>) -> Partitions {
        self.merging.go_on(profile);
        self.apart()
    }
}

impl Partitions {
    /// Everything in one partition: no gating.
    pub fn single(design: &Design) -> Self {
        Self { count: 1, nodes: vec![0; design.graph.len()], registers: vec![0; design.registers.len()] }
    }

    /// Where a value is stored for the outside.
    pub fn of_stored(&self, design: &Design, value: NodeId) -> usize {
        match *design.graph.op(value) {
            // Whoever's register changed runs in the next cycle.
            Op::Register(i) => self.registers[i as usize] as usize,
            _ => match self.nodes[value.0 as usize] {
                NOWHERE => 0,
                part => part as usize,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Binary, Register};
    use crate::netlist::Segment;

    /// A register of its own part of the hierarchy, whose next value is so many products of itself and `input`.
    fn part(design: &mut Design, name: &str, input: NodeId, products: usize) -> NodeId {
        let ty = Type::scalar(32);
        let state = design.graph.add(Op::Register(design.registers.len() as u32), ty);
        let next = (0..products).fold(state, |value, _| design.graph.add(Op::Binary(Binary::Mul, value, input), ty));
        let path = [name, "state"].map(|field| Segment { field: field.into(), index: vec![] });
        design.registers.push(Register { paths: vec![path.into()], ty, initial: vec![1], next });
        next
    }

    fn input(design: &mut Design, name: &str) -> NodeId {
        let i = design.inputs.len() as u32;
        design.inputs.push((name.into(), 32));
        design.graph.add(Op::Input(i), Type::scalar(32))
    }

    #[test]
    fn parts_that_share_nothing_are_apart_if_they_are_large() {
        for (products, count) in [(200, 2), (1, 1)] {
            let mut design = Design::default();
            for name in ["left", "right"] {
                let input = input(&mut design, name);
                part(&mut design, name, input, products);
            }
            let pieces = cut(&design, ActivityClasses::default());
            assert_eq!(pieces.apart().count, 2);
            assert_eq!(pieces.merged(None).count, count, "{products} products");
        }
    }

    #[test]
    fn what_was_seen_to_work_together_is_one() {
        let mut design = Design::default();
        for name in ["first", "second", "third"] {
            let input = input(&mut design, name);
            part(&mut design, name, input, 40);
        }
        // Cycles, and which pieces are woken in them.
        let partitions = |seen: &[(u64, u64)]| {
            let mut profile = Profile::default();
            seen.iter().for_each(|&(cycles, woken)| (0..cycles).for_each(|_| profile.note(woken)));
            cut(&design, ActivityClasses::default()).merged(Some(profile)).registers
        };
        let [a, b, c] = partitions(&[(40, 0b011), (60, 0b100)])[..] else { panic!("three registers") };
        assert!(a == b && b != c, "{a} {b} {c}");
        let [a, b, c] = partitions(&[(40, 0b101), (60, 0b010)])[..] else { panic!("three registers") };
        assert!(a == c && a != b, "{a} {b} {c}");
        assert_eq!(partitions(&[(100, 0b111)]), [0, 0, 0]);
    }

    #[test]
    fn values_are_made_before_they_are_used() {
        let mut design = Design::default();
        for chain in 0..8 {
            let mut value = input(&mut design, &format!("in{chain}"));
            for i in 0..12 {
                value = part(&mut design, &format!("chain{chain}_{}", i % 5), value, 40);
            }
        }
        let partitions = cut(&design, ActivityClasses::default()).merged(None);
        assert!((2..=MAX_PARTITIONS).contains(&partitions.count), "{} partitions", partitions.count);
        for (i, node) in design.graph.nodes().iter().enumerate().filter(|(_, node)| !is_leaf(&node.op)) {
            node.op.for_each_operand(|operand| {
                let (from, to) = (partitions.nodes[operand.0 as usize], partitions.nodes[i]);
                assert!(is_leaf(design.graph.op(operand)) || from <= to, "{operand:?} in {from}, used in {to}");
            });
        }
    }
}
