//! The cheapest path through a grid of costs from its first to its last row, after Rodinia (Che et al. 2009): dynamic programming
//! by rows, several of them in a launch, on stretches that overlap.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, words};
use crate::host::{DeviceError, Session};

/// Rodinia's CTA, and the least that has an inside.
const THREADS: usize = 256;
const LEAST_THREADS: usize = 4;
/// Rows after the first one in all, and in a launch at most.
const ROWS: usize = 16;
const ROWS_OF_A_LAUNCH: usize = 10;

pub(super) const ABOUT: About = About {
    summary: "cheapest path through a grid: rows in shared memory, barriers, with fewer threads of a CTA at every row",
    papers: "Rhu 2014 (PathFind)",
    arithmetic: Arithmetic::Integer,
    unit: "columns",
    sizes: Sizes { smoke: 9, default: 944, large: 7552 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let columns = problem.size;
    let config = session.config();
    let threads = problem.block.unwrap_or((config.lanes * config.warps).min(THREADS)).max(LEAST_THREADS);
    let most = (threads / 4).min(ROWS_OF_A_LAUNCH);
    let mut random = Random::new(problem.seed);
    let wall: Vec<i32> = (0..(ROWS + 1) * columns).map(|_| random.below(10) as i32).collect();
    let wall_buffer = session.buffer(&words(&wall))?;
    let (mut from, mut to) = (session.buffer(&words(&wall[..columns]))?, session.zeros(columns)?);
    for row in (0..ROWS).step_by(most) {
        let rows = most.min(ROWS - row);
        let grid = super::grid(columns, threads - 2 * rows);
        let arguments = [wall_buffer.address, from.address, to.address, columns as u32, row as u32, rows as u32];
        session.launch(grid, [threads as u32, 1, 1], 2 * threads, &arguments)?;
        (from, to) = (to, from);
    }
    Ok(vec![Output::exact("costs", session.read(from), words(&costs(&wall, columns)))])
}

/// The least cost of a path to every column of the last row.
fn costs(wall: &[i32], columns: usize) -> Vec<i32> {
    let mut rows = wall.chunks(columns);
    let first = rows.next().unwrap_or_default().to_vec();
    rows.fold(first, |before, row| {
        let cheapest = |x: usize| before[x.saturating_sub(1)..(x + 2).min(columns)].iter().min().copied().unwrap_or(0);
        row.iter().enumerate().map(|(x, cost)| cheapest(x) + cost).collect()
    })
}
