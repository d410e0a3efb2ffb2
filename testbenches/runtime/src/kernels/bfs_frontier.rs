//! Breadth-first search with a frontier, after Rodinia (Che et al. 2009): two launches per level, without atomics.
use super::graph::{Graph, UNREACHED};
use super::{About, Arithmetic, Output, Problem, Sizes, grid};
use crate::host::{DeviceError, Session};

/// The steps of a level, as the source numbers them.
const EXPAND: u32 = 0;
const ADVANCE: u32 = 1;
/// Flags of a vertex: in the frontier, marked, visited.
const FLAGS: usize = 3;
/// Most vertices have fewer edges: six on average, as in Rodinia's graphs.
const FEW: u32 = 12;

pub(super) const ABOUT: About = About {
    summary: "breadth-first search with flags for the frontier: two launches per level, few threads with loops of unequal length",
    papers: "Rhu 2014 (BFS2), Fung 2011 (BFS2), Turner 2012 (BFS2), Narasiman 2014 (bfs)",
    arithmetic: Arithmetic::Integer,
    unit: "vertices",
    sizes: Sizes { smoke: 33, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let graph = Graph::random(n, FEW, problem.seed);
    let expected = graph.distances();
    let (mut flags, mut distance) = (vec![0; FLAGS * n], vec![UNREACHED; n]);
    (flags[0], flags[2 * n], distance[0]) = (1, 1, 0);
    let (first_edge, edges) = (session.buffer(&graph.first_edge)?, session.buffer(&graph.edges)?);
    let (flags, distance) = (session.buffer(&flags)?, session.buffer(&distance)?);
    let more = session.buffer(&[1])?;
    let buffers = [first_edge, edges, flags, distance, more].map(|buffer| buffer.address);
    while session.read(more)[0] != 0 {
        session.write(more, &[0]);
        for step in [EXPAND, ADVANCE] {
            let arguments = [&buffers[..], &[n as u32, step]].concat();
            session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        }
    }
    let visited = expected.iter().map(|&distance| u32::from(distance != UNREACHED)).collect();
    Ok(vec![
        Output::exact("distance", session.read(distance), expected),
        Output::exact("visited", session.read(flags).split_off(2 * n), visited),
    ])
}
