//! Laplace solver in three dimensions after the one that comes with GPGPU-Sim (Bakhoda et al. 2009; Giles): a step on a
//! grid of six planes.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Planes of the grid.
const PLANES: usize = 6;
/// Rows of a tile, as there; fewer could not load what lies around the tile.
const HEIGHT: usize = 4;
const SIXTH: f32 = 1.0 / 6.0;

pub(super) const ABOUT: About = About {
    summary: "Laplace solver in three dimensions: tiles in shared memory, some threads load the surroundings, the surface is left out",
    papers: "Rhu 2014 (LPS), Fung 2011 (LPS), Turner 2012 (LPS)",
    arithmetic: Arithmetic::Float,
    unit: "points to a side of a plane",
    sizes: Sizes { smoke: 5, default: 36, large: 100 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let side = problem.size;
    let config = session.config();
    // As wide as a warp, as there.
    let width = config.lanes;
    let height = problem.block.map_or(HEIGHT, |threads| (threads / width).clamp(HEIGHT, config.warps));
    let mut random = Random::new(problem.seed);
    let values: Vec<f32> = (0..side * side * PLANES).map(|_| random.float()).collect();
    let (from, to) = (session.buffer(&float_words(&values))?, session.zeros(values.len())?);
    let grid = [side.div_ceil(width) as u32, side.div_ceil(height) as u32, 1];
    let arguments = [from.address, to.address, side as u32, PLANES as u32];
    session.launch(grid, [width as u32, height as u32, 1], 3 * (width + 2) * (height + 2), &arguments)?;
    Ok(vec![Output::floats("values", session.read(to), step(&values, side))])
}

/// The grid after a step.
fn step(values: &[f32], side: usize) -> Vec<f32> {
    let inside = |at: usize, size: usize| at > 0 && at + 1 < size;
    let point = |i: usize| {
        let (x, y, z) = (i % side, i / side % side, i / side / side);
        if !(inside(x, side) && inside(y, side) && inside(z, PLANES)) {
            return values[i];
        }
        let around = [i - 1, i + 1, i - side, i + side, i - side * side, i + side * side];
        around.iter().map(|&at| values[at]).sum::<f32>() * SIXTH
    };
    (0..values.len()).map(point).collect()
}
