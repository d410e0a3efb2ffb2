//! Random graphs, and distances in them.
use std::collections::VecDeque;

use super::Random;

/// Distance of a vertex not reached, and parent of one without.
pub(super) const UNREACHED: u32 = u32::MAX;

/// A directed graph in compressed sparse rows.
pub(super) struct Graph {
    pub first_edge: Vec<u32>,
    pub edges: Vec<u32>,
}

impl Graph {
    /// Most vertices have less than `few` edges, one in sixteen may have many; some are never reached.
    pub fn random(n: usize, few: u32, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let (mut first_edge, mut edges) = (vec![0], Vec::new());
        for _ in 0..n {
            let degree = if random.below(16) == 0 { random.below(24) } else { random.below(few) };
            edges.extend((0..degree).map(|_| random.below(n as u32)));
            first_edge.push(edges.len() as u32);
        }
        Self { first_edge, edges }
    }

    /// Where the edges of a vertex lead.
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.edges[self.first_edge[vertex] as usize..self.first_edge[vertex + 1] as usize]
    }

    /// Edges from vertex 0.
    pub fn distances(&self) -> Vec<u32> {
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
}
