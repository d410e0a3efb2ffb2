//! Look-ups in an index tree, after Narasiman (2014, 6.2): a node is a line of the cache, with two keys less than the core has lanes; a node and its children
//! are a row of DRAM, and the children of those begin rows. There are no pointers: nodes of a row, and rows, lie breadth first. All nodes are full. A key in
//! about 64 that is looked up is absent.
//!
//! A load that keeps a row of DRAM open, as the paper has for the first of a row's two nodes, there is not yet: the core's memory knows no rows.
use std::collections::BTreeMap;

use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Words of a node, and of a row, whatever the number of lanes.
const NODE: usize = 32;
const ROW: usize = NODE * NODE;
/// Larger than any key; and where an absent one is.
const NONE: u32 = u32::MAX;
/// A query in so many is for an absent key.
const ABSENT: u32 = 64;
/// So many queries have a tree of a single row.
const FEW: usize = 16;

pub(super) const ABOUT: About = About {
    summary: "look-ups in an index tree, a warp each, a key a lane: a ballot a node, and counts of its bits",
    papers: "Narasiman 2014 (index-based search, baseline)",
    arithmetic: Arithmetic::Integer,
    unit: "queries, to a tree of one row if they are at most 16, else of two levels of rows",
    sizes: Sizes { smoke: FEW, default: 256, large: 4096 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let lanes = session.config().lanes;
    let (threads, ctas) = problem.whole_warps(session.config());
    let levels = if problem.size <= FEW { 1 } else { 2 };
    let mut random = Random::new(problem.seed);
    let shape = Shape::new(lanes, levels);
    // Ascending, none of them a multiple of four.
    let keys: Vec<u32> = (0..shape.keys() as u32).map(|i| 4 * i + 1 + random.below(3)).collect();
    let tree = shape.tree(&keys);
    let query = |_| match random.below(keys.len() as u32) {
        place if random.below(ABSENT) == 0 => 4 * place,
        place => keys[place as usize],
    };
    let queries: Vec<u32> = (0..problem.size).map(query).collect();
    let places: BTreeMap<u32, u32> = tree.iter().copied().zip(0..).filter(|(key, _)| *key != NONE).collect();
    let expected = queries.iter().map(|key| places.get(key).copied().unwrap_or(NONE)).collect();

    let (tree, queries) = (session.buffer(&tree)?, session.buffer(&queries)?);
    let found = session.buffer(&vec![NONE; problem.size])?;
    let buffers = [tree, queries, found].map(|buffer| buffer.address);
    let numbers = [problem.size, levels, shape.fan, lanes].map(|number| number as u32);
    let ctas = ctas.min(problem.size.div_ceil(threads / lanes));
    session.launch([ctas as u32, 1, 1], [threads as u32, 1, 1], 0, &[&buffers[..], &numbers].concat())?;
    Ok(vec![Output::exact("places", session.read(found), expected)])
}

/// A tree for warps of so many lanes.
struct Shape {
    /// Children of a node; it has one key less.
    fan: usize,
    /// Levels of rows, each of two of nodes.
    levels: usize,
}

impl Shape {
    fn new(lanes: usize, levels: usize) -> Self {
        assert!((3..=NODE).contains(&lanes), "a node is for 3 to {NODE} lanes");
        Self { fan: lanes - 1, levels }
    }

    /// What it holds when it is full.
    fn keys(&self) -> usize {
        self.fan.pow(2 * self.levels as u32) - 1
    }

    /// Of so many keys as it holds, in order.
    fn tree(&self, keys: &[u32]) -> Vec<u32> {
        let rows: usize = (0..self.levels).map(|level| self.fan.pow(2 * level as u32)).sum();
        let mut tree = vec![NONE; rows * ROW];
        self.place(&mut tree, 0, keys);
        tree
    }

    /// Keys of a node, and of all below it.
    fn place(&self, tree: &mut [u32], node: usize, keys: &[u32]) {
        if keys.is_empty() {
            return;
        }
        let (row, in_row) = (node / NODE, node % NODE);
        let of_child = keys.len() / self.fan + 1;
        for (child, keys) in keys.chunks(of_child).enumerate() {
            let first = match in_row {
                0 => node + 1,
                number => (row * self.fan * self.fan + 1 + (number - 1) * self.fan) * NODE,
            };
            let (below, own) = keys.split_at(of_child - 1);
            own.iter().for_each(|&key| tree[node * NODE + child] = key);
            self.place(tree, if in_row == 0 { first + child } else { first + child * NODE }, below);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// As the kernel goes down.
    fn look_up(tree: &[u32], key: u32, shape: &Shape) -> Option<usize> {
        let mut row = 0;
        for _ in 0..shape.levels {
            let mut child = 0;
            let mut node = row * ROW;
            for _ in 0..2 {
                let keys = &tree[node..][..NODE];
                if let Some(place) = keys.iter().position(|&other| other == key) {
                    return Some(node + place);
                }
                let less = keys.iter().filter(|&&other| other < key).count();
                child = child * shape.fan + less;
                node = row * ROW + (1 + less) * NODE;
            }
            row = row * shape.fan * shape.fan + 1 + child;
        }
        None
    }

    #[test]
    fn every_key_has_a_word_of_its_own() {
        for (lanes, levels) in [(4, 2), (8, 1), (8, 2), (32, 1)] {
            let shape = Shape::new(lanes, levels);
            let keys: Vec<u32> = (0..shape.keys() as u32).map(|i| 2 * i + 1).collect();
            let tree = shape.tree(&keys);
            let found: BTreeSet<usize> = keys.iter().map(|&key| look_up(&tree, key, &shape).expect("a key")).collect();
            assert_eq!(found.len(), keys.len(), "{lanes} lanes, {levels} levels");
            let absent = (0..=keys.len() as u32).map(|i| 2 * i);
            assert!(absent.into_iter().all(|key| look_up(&tree, key, &shape).is_none()), "{lanes} lanes");
        }
    }

    #[test]
    fn two_levels_of_rows_for_32_lanes_are_as_in_the_paper() {
        let shape = Shape::new(32, 2);
        assert_eq!(shape.keys(), 923_520);
        assert_eq!(shape.tree(&vec![0; shape.keys()]).len(), 962 * ROW);
    }
}
