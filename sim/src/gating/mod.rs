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
//! [`partition`] finds the partitions: first [blocks](blocks), whose cuts cannot form a loop, then [merging](merge) as long as
//! it pays by an estimate of how often things change.
use crate::ir::{Design, NodeId, Op, Type};

mod activity;
mod blocks;
pub mod cost;
mod merge;

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

/// Partitions of a cycle are bits of a word.
pub const MAX_PARTITIONS: usize = 64;

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

/// Cuts `design` into partitions.
pub fn partition(design: &Design) -> Partitions {
    let blocks = blocks::find(design);
    let home = merge::run(design, &blocks);
    let part = |&block: &u32| if block == NOWHERE { NOWHERE } else { home[block as usize] };
    Partitions {
        count: home.iter().max().map_or(1, |&last| last as usize + 1),
        nodes: blocks.nodes.iter().map(part).collect(),
        registers: blocks.registers.iter().map(part).collect(),
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
