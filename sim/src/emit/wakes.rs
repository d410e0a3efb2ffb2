//! Who has to run when something changes.
use super::schedule::{Schedule, Step};
use crate::gating::{Source, for_each_source, free_running, is_leaf};
use crate::ir::{Design, NodeId};

/// As many ticks are told from other changes: what they are at a time is a number of a bit in a word.
const MOST_TICKS: usize = 6;

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
    /// Bits that come and go by themselves.
    pub ticks: Vec<Tick>,
}

/// A clock enable, or its like. Who reads one does not run for it if it is known that nothing would change.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    pub node: NodeId,
    /// Partitions that use it, and can be known to rest.
    pub readers: u64,
}

impl Wakes {
    /// Of the ticks, those that a partition reads, as bits; 0: none, or it never is known to rest.
    pub fn ticks_of(&self, partition: usize) -> u64 {
        let reads = |(i, tick): (usize, &Tick)| (tick.readers >> partition & 1) << i;
        self.ticks.iter().enumerate().map(reads).sum()
    }
}

/// Collects what every partition reads.
pub fn wakes(design: &Design, schedule: &Schedule) -> Wakes {
    let mut wakes = Wakes {
        registers: vec![0; design.registers.len()],
        memories: vec![0; design.memories.len()],
        inputs: vec![0; design.inputs.len()],
        nodes: vec![0; design.graph.len()],
        ticks: vec![],
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
    wakes.ticks = ticks(design, schedule, &mut wakes.nodes);
    wakes
}

/// Takes the ticks out of what wakes in any case.
fn ticks(design: &Design, schedule: &Schedule, nodes: &mut [u64]) -> Vec<Tick> {
    let is_tick = free_running::ticks(design, &free_running::registers(design));
    let crossing = |i: &usize| is_tick[*i] && nodes[*i] != 0;
    let mut found: Vec<usize> = (0..nodes.len()).filter(crossing).collect();
    found.sort_by_key(|&i| std::cmp::Reverse(nodes[i].count_ones()));
    found.truncate(MOST_TICKS);
    let resting = can_rest(design, schedule, &found);
    let mut take = |i: usize| {
        let readers = nodes[i] & resting;
        nodes[i] &= !resting;
        Tick { node: NodeId(i as u32), readers }
    };
    found.into_iter().map(&mut take).collect()
}

/// The partitions in which all is compared that they store, and that make none of these ticks.
fn can_rest(design: &Design, schedule: &Schedule, ticks: &[usize]) -> u64 {
    let mut resting = u64::MAX;
    for function in schedule.functions.iter().filter(|function| !function.writes) {
        let is_open = |step: &Step| match *step {
            Step::Node(NodeId(i)) => ticks.contains(&(i as usize)),
            Step::Output(i) => {
                let node = design.graph.node(design.outputs[i].value);
                node.ty.is_vector() && !is_leaf(&node.op)
            }
            _ => false,
        };
        if function.steps.iter().any(is_open) {
            resting &= !(1 << function.partition);
        }
    }
    resting
}
