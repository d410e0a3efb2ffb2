//! A sorted list into which every thread inserts a node, with a lock in every node.
use std::iter::successors;

use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "inserts into a sorted list, a lock in every node, hand over hand: two locks at a time",
    papers: "Vortex (lclist)",
    arithmetic: Arithmetic::Integer,
    unit: "threads",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    // Behind that of the head, every key once.
    let mut keys: Vec<u32> = (0..=n as u32).collect();
    let mut random = Random::new(problem.seed);
    (2..=n).rev().for_each(|i| keys.swap(i, 1 + random.below(i as u32) as usize));
    let (locks, links, buffer) = (session.zeros(n + 1)?, session.zeros(n + 1)?, session.buffer(&keys)?);
    let arguments = [locks.address, links.address, buffer.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    let links = session.read(links);
    let behind = |&node: &u32| links.get(node as usize).copied().filter(|&node| node != 0);
    let nodes = successors(behind(&0), behind).take(n);
    let mut list: Vec<u32> = nodes.map(|node| keys.get(node as usize).copied().unwrap_or_default()).collect();
    list.resize(n, 0);
    Ok(vec![
        Output::exact("list", list, (1..=n as u32).collect()),
        Output::exact("locks", session.read(locks), vec![0; n + 1]),
    ])
}
