//! Locks of ranges of cells: no two threads have ranges that overlap.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Ranges that can be had at once.
const PLACES: usize = 8;
/// Cells of a range at most.
const WIDTH: u32 = 6;

pub(super) const ABOUT: About = About {
    summary: "adds to ranges of cells, of which no two that overlap are had at once: a table under a lock, and waiting for both",
    papers: "Vortex (rangelock)",
    arithmetic: Arithmetic::Integer,
    unit: "threads",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let mut cells = vec![0; n.max(2 * WIDTH as usize)];
    let mut ranges = Vec::new();
    for _ in 0..n {
        let first = random.below(cells.len() as u32 - WIDTH);
        let end = first + 1 + random.below(WIDTH);
        ranges.push(end << 16 | first);
        cells[first as usize..end as usize].iter_mut().for_each(|cell| *cell += 1);
    }
    let (lock, table) = (session.zeros(1)?, session.zeros(PLACES)?);
    let (ranges, counts) = (session.buffer(&ranges)?, session.zeros(cells.len())?);
    let arguments = [lock.address, table.address, ranges.address, counts.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![
        Output::exact("cells", session.read(counts), cells),
        Output::exact("table", session.read(table), vec![0; PLACES]),
    ])
}
