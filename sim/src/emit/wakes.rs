//! Who has to run when something changes.
use super::schedule::{Schedule, Step};
use crate::gating::{Source, for_each_source, is_leaf};
use crate::ir::Design;

/// Partitions to run, as bits of a word.
#[derive(Clone, Debug, Default)]
pub struct Wakes {
    /// By register: in the next cycle. Its own partition is among them: the other bank has to follow.
    pub registers: Vec<u64>,
    /// By memory that is written: in the next cycle.
    pub memories: Vec<u64>,
    /// By input.
    pub inputs: Vec<u64>,
    /// By node: the later partitions that use it.
    pub nodes: Vec<u64>,
}

/// Collects what every partition reads.
pub fn wakes(design: &Design, schedule: &Schedule) -> Wakes {
    let mut wakes = Wakes {
        registers: vec![0; design.registers.len()],
        memories: vec![0; design.memories.len()],
        inputs: vec![0; design.inputs.len()],
        nodes: vec![0; design.graph.len()],
    };
    let mut makers = vec![usize::MAX; design.graph.len()];
    for function in schedule.functions.iter().filter(|function| !function.writes) {
        let bit = 1 << function.partition;
        for &step in &function.steps {
            match step {
                Step::Node(id) => makers[id.0 as usize] = function.partition,
                Step::Register(i) => wakes.registers[i] |= bit,
                _ => {}
            }
            let mut reads = |source| match source {
                Source::Register(i) => wakes.registers[i as usize] |= bit,
                Source::Memory(i) => wakes.memories[i as usize] |= bit,
                Source::Input(i) => wakes.inputs[i as usize] |= bit,
            };
            if let Step::Node(id) = step {
                let node = design.graph.node(id);
                for_each_source(&node.op, node.ty, &mut reads);
            }
            step.for_each_use(design, |id| {
                let node = design.graph.node(id);
                if is_leaf(&node.op) {
                    for_each_source(&node.op, node.ty, &mut reads);
                } else if makers[id.0 as usize] != function.partition {
                    wakes.nodes[id.0 as usize] |= bit;
                }
            });
        }
    }
    wakes
}
