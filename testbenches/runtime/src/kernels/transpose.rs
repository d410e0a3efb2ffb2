//! Matrix transpose through shared memory, so that both reads and writes coalesce.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "matrix transpose through shared memory: both sides coalesce",
    papers: "CUDA SDK",
    arithmetic: Arithmetic::Integer,
    unit: "rows; there are half as many columns again, and one",
    sizes: Sizes { smoke: 10, default: 48, large: 160 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let (rows, columns) = (problem.size, problem.size + problem.size / 2 + 1);
    let tile = problem.tile(session.config());
    let a = Random::new(problem.seed).words(rows * columns);
    let expected = (0..rows * columns).map(|i| a[i % rows * columns + i / rows]).collect();
    let (a, b) = (session.buffer(&a)?, session.zeros(rows * columns)?);
    let grid = [columns.div_ceil(tile) as u32, rows.div_ceil(tile) as u32, 1];
    let arguments = [a.address, b.address, rows as u32, columns as u32];
    session.launch(grid, [tile as u32, tile as u32, 1], tile * (tile + 1), &arguments)?;
    Ok(vec![Output::exact("b", session.read(b), expected)])
}
