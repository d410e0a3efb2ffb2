//! Blocks: logic that serves the same sinks.
//!
//! Every sink (register, write port, output) belongs to the instance it stands in, all elements of an array together.
//! A node serves the instances of all its users. Nodes that serve the same instances, and are of one [level](free_running::levels), are a block; since a node serves at
//! least what its users serve, values go from blocks that serve more to blocks that serve fewer, never around a loop; and among those that serve the same, to higher levels.
use std::cmp::Reverse;
use std::collections::HashMap;

use super::free_running::{self, FREE_RUNNING};
use super::{NOWHERE, is_leaf};
use crate::ir::{Design, NodeId, Path};

/// The blocks of a design, numbered so that values are made before they are used.
pub struct Blocks {
    /// By node; [`NOWHERE`] for leaves and dead logic.
    pub nodes: Vec<u32>,
    /// By register.
    pub registers: Vec<u32>,
    /// How many.
    pub count: usize,
}

/// A set of instances.
type Set = Vec<u64>;

/// Finds the blocks; these registers are free-running.
pub fn find(design: &Design, free: &[bool]) -> Blocks {
    let mut instances = Instances::default();
    let graph = &design.graph;
    let mut serves: Vec<Set> = vec![vec![]; graph.len()];
    let registers = design.registers.iter().zip(free);
    let registers: Vec<u32> = registers.map(|(register, free)| instances.of(&register.paths[0], *free)).collect();
    for (register, &instance) in design.registers.iter().zip(&registers) {
        insert(&mut serves[register.next.0 as usize], instance);
    }
    for memory in &design.memories {
        let instance = instances.of(&memory.paths[0], false);
        for operand in memory.writes.iter().flat_map(|write| write.operands()) {
            insert(&mut serves[operand.0 as usize], instance);
        }
    }
    for output in &design.outputs {
        // A value that is only watched is computed with what it watches.
        let instance = instances.outside(output.port.is_some());
        if output.port.is_some() || serves[output.value.0 as usize].is_empty() {
            insert(&mut serves[output.value.0 as usize], instance);
        }
    }
    let watched = instances.outside(false);
    // Operands come before their users, so the users are looked at first.
    for i in (0..graph.len()).rev() {
        if serves[i].is_empty() {
            continue;
        }
        let mut set = std::mem::take(&mut serves[i]);
        // What something else needs, too, is not there for the watchers.
        if set.iter().map(|word| word.count_ones()).sum::<u32>() > 1 {
            remove(&mut set, watched);
        }
        graph.op(NodeId(i as u32)).for_each_operand(|operand| union(&mut serves[operand.0 as usize], &set));
        serves[i] = set;
    }
    number(design, &registers, watched, serves, &free_running::levels(design, free))
}

/// Blocks of more instances first, those of the same by their level, and what is only watched last.
fn number(design: &Design, registers: &[u32], watched: u32, serves: Vec<Set>, levels: &[u32]) -> Blocks {
    let mut sets: HashMap<(Set, u32), u32> = HashMap::new();
    let mut ranks: Vec<(bool, Reverse<u32>, u32)> = vec![];
    let mut name = |set: &Set, level: u32| {
        *sets.entry((trim(set), level)).or_insert_with_key(|(set, level)| {
            let size = set.iter().map(|word| word.count_ones()).sum();
            ranks.push((contains(set, watched), Reverse(size), *level));
            ranks.len() as u32 - 1
        })
    };
    let mut nodes = vec![NOWHERE; design.graph.len()];
    for (i, set) in serves.iter().enumerate() {
        if !set.is_empty() && !is_leaf(design.graph.op(NodeId(i as u32))) {
            nodes[i] = name(set, levels[i]);
        }
    }
    let homes = registers.iter().zip(&design.registers).map(|(&instance, register)| {
        let mut set = vec![];
        insert(&mut set, instance);
        name(&set, levels[register.next.0 as usize])
    });
    let mut homes: Vec<u32> = homes.collect();
    let mut order: Vec<u32> = (0..ranks.len() as u32).collect();
    order.sort_by_key(|&block| ranks[block as usize]);
    let mut position = vec![0; order.len()];
    for (at, &block) in order.iter().enumerate() {
        position[block as usize] = at as u32;
    }
    nodes.iter_mut().filter(|block| **block != NOWHERE).for_each(|block| *block = position[*block as usize]);
    homes.iter_mut().for_each(|block| *block = position[*block as usize]);
    Blocks { nodes, registers: homes, count: order.len() }
}

fn insert(set: &mut Set, element: u32) {
    let word = element as usize / 64;
    set.resize(set.len().max(word + 1), 0);
    set[word] |= 1 << (element % 64);
}

fn contains(set: &Set, element: u32) -> bool {
    set.get(element as usize / 64).is_some_and(|word| word >> (element % 64) & 1 == 1)
}

fn remove(set: &mut Set, element: u32) {
    if let Some(word) = set.get_mut(element as usize / 64) {
        *word &= !(1 << (element % 64));
    }
}

fn union(set: &mut Set, other: &Set) {
    set.resize(set.len().max(other.len()), 0);
    set.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

fn trim(set: &Set) -> Set {
    let end = set.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    set[..end].to_vec()
}

/// Instances by the names on their path, indices left out.
#[derive(Default)]
struct Instances {
    numbers: HashMap<Vec<String>, u32>,
}

impl Instances {
    /// The instance in which something stands; what is free-running in it is one of its own.
    fn of(&mut self, path: &Path, free: bool) -> u32 {
        let end = path.len().saturating_sub(1);
        let names = path[..end].iter().map(|segment| segment.field.clone());
        self.number(names.chain(free.then(|| FREE_RUNNING.to_string())).collect())
    }

    /// Ports, or nets that are only watched: no instance has such a name.
    fn outside(&mut self, ports: bool) -> u32 {
        self.number(vec![if ports { "(ports)" } else { "(watched)" }.to_string()])
    }

    fn number(&mut self, names: Vec<String>) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(names).or_insert(next)
    }
}
