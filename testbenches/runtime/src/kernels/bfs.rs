//! Breadth-first search by levels: a launch per level until one visits nothing new.
use super::graph::{Graph, UNREACHED};
use super::{About, Arithmetic, Output, Problem, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "breadth-first search of a random graph: a launch per level, loops of unequal length, atomics",
    papers: "Rhu 2014 (BFS)",
    arithmetic: Arithmetic::Integer,
    unit: "vertices",
    sizes: Sizes { smoke: 100, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let graph = Graph::random(n, 4, problem.seed);
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
        Output::schedule_dependent("parent", parents, |vertex, parent| wrong_parent(&graph, &expected, vertex, parent)),
    ])
}

/// What the parent of `vertex` should be, if it is not that: any vertex one level above with an edge to it.
fn wrong_parent(graph: &Graph, distance: &[u32], vertex: usize, parent: u32) -> Option<String> {
    let expected = match distance[vertex] {
        0 | UNREACHED => {
            return (parent != UNREACHED).then(|| "no parent".into());
        }
        level => level - 1,
    };
    let right = (parent as usize) < distance.len()
        && distance[parent as usize] == expected
        && graph.neighbours(parent as usize).contains(&(vertex as u32));
    (!right).then(|| format!("a vertex at distance {expected} with an edge to {vertex}"))
}
