//! Breadth-first search by levels: a launch per level until one visits nothing new.
use std::collections::VecDeque;

use super::{Binary, Kernel, Output, Problem, Random, Sizes, binary, grid};
use crate::host::{DeviceError, Session};

/// See the [module documentation](self).
pub struct Bfs;

impl Kernel for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn summary(&self) -> &'static str {
        "breadth-first search of a random graph: a launch per level, loops of unequal length, atomics"
    }

    fn papers(&self) -> &'static str {
        "Rhu 2014 (BFS), Fung 2011 (BFS2)"
    }

    fn unit(&self) -> &'static str {
        "vertices"
    }

    fn sizes(&self) -> Sizes {
        Sizes { smoke: 100, default: 1024, large: 8192 }
    }

    fn binary(&self) -> Binary {
        binary!("bfs.c", "bfs.elf")
    }

    fn run(&self, session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
        let n = problem.size;
        let threads = problem.threads(session.config());
        let graph = Graph::random(n, problem.seed);
        let mut distance = vec![UNREACHED; n];
        distance[0] = 0;
        let (first_edge, edges) = (session.buffer(&graph.first_edge)?, session.buffer(&graph.edges)?);
        let (distance, parent) = (session.buffer(&distance)?, session.buffer(&vec![UNREACHED; n])?);
        let visited = session.buffer(&[1])?;
        let mut before = 0;
        for level in 0.. {
            // The last level has added nothing: done.
            let now = session.read(visited)[0];
            if now == before {
                break;
            }
            before = now;
            let buffers = [first_edge, edges, distance, parent, visited].map(|buffer| buffer.address);
            let arguments = [&buffers[..], &[n as u32, level]].concat();
            session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        }
        let expected = graph.distances();
        let reached = expected.iter().filter(|&&distance| distance != UNREACHED).count() as u32;
        let parents = session.read(parent);
        Ok(vec![
            Output::exact("distance", session.read(distance), expected.clone()),
            Output::exact("visited", session.read(visited), vec![reached]),
            Output::schedule_dependent("parent", parents, |vertex, parent| {
                graph.wrong_parent(&expected, vertex, parent)
            }),
        ])
    }
}

/// Distance of a vertex not reached, and parent of one without.
const UNREACHED: u32 = u32::MAX;

/// A directed graph in compressed sparse rows.
struct Graph {
    first_edge: Vec<u32>,
    edges: Vec<u32>,
}

impl Graph {
    /// Most vertices have a few edges, one in sixteen has many; some are never reached.
    fn random(n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (mut first_edge, mut edges) = (vec![0], Vec::new());
        for _ in 0..n {
            let degree = if random.below(16) == 0 { random.below(24) } else { random.below(4) };
            edges.extend((0..degree).map(|_| random.below(n as u32)));
            first_edge.push(edges.len() as u32);
        }
        Self { first_edge, edges }
    }

    fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.edges[self.first_edge[vertex] as usize..self.first_edge[vertex + 1] as usize]
    }

    /// Edges from vertex 0.
    fn distances(&self) -> Vec<u32> {
        let mut distance = vec![UNREACHED; self.first_edge.len() - 1];
        distance[0] = 0;
        let mut queue = VecDeque::from([0]);
        while let Some(vertex) = queue.pop_front() {
            for &to in self.neighbours(vertex) {
                if distance[to as usize] == UNREACHED {
                    distance[to as usize] = distance[vertex] + 1;
                    queue.push_back(to as usize);
                }
            }
        }
        distance
    }

    /// What the parent of `vertex` should be, if it is not that: any vertex one level above with an edge to it.
    fn wrong_parent(&self, distance: &[u32], vertex: usize, parent: u32) -> Option<String> {
        let expected = match distance[vertex] {
            0 | UNREACHED => {
                return (parent != UNREACHED).then(|| "no parent".into());
            }
            level => level - 1,
        };
        let right = (parent as usize) < distance.len()
            && distance[parent as usize] == expected
            && self.neighbours(parent as usize).contains(&(vertex as u32));
        (!right).then(|| format!("a vertex at distance {expected} with an edge to {vertex}"))
    }
}
