//! Seven-point stencil on a grid of eight planes, after Parboil (Stratton et al. 2012): two steps, a launch each. Other than there,
//! the surface of the grid has a rule of its own.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Planes of the grid.
const PLANES: usize = 8;
/// Steps of the iteration.
const STEPS: usize = 2;
const NEIGHBOURS: f32 = 1.0 / 36.0;
const CENTRE: f32 = 1.0 / 6.0;

pub(super) const ABOUT: About = About {
    summary: "seven-point stencil in three dimensions: loads on both sides, for the inside and for the surface",
    papers: "Rhu 2014 (Stencil)",
    arithmetic: Arithmetic::Float,
    unit: "points to a side of a plane",
    sizes: Sizes { smoke: 6, default: 32, large: 96 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let side = problem.size;
    let config = session.config();
    // As wide as a warp, as in Parboil.
    let threads = problem.threads(config);
    let width = threads.min(config.lanes);
    let height = threads / width;
    let mut random = Random::new(problem.seed);
    let mut values: Vec<f32> = (0..side * side * PLANES).map(|_| random.float()).collect();
    let (mut from, mut to) = (session.buffer(&float_words(&values))?, session.zeros(values.len())?);
    let grid = [side.div_ceil(width) as u32, side.div_ceil(height) as u32, 1];
    for _ in 0..STEPS {
        let arguments = [from.address, to.address, side as u32, PLANES as u32];
        session.launch(grid, [width as u32, height as u32, 1], 0, &arguments)?;
        (from, to) = (to, from);
        values = step(&values, side);
    }
    Ok(vec![Output::floats("values", session.read(from), values)])
}

/// The grid after one step.
fn step(values: &[f32], side: usize) -> Vec<f32> {
    let at = |[x, y, z]: [usize; 3]| values[(z * side + y) * side + x];
    let point = |point: [usize; 3]| {
        let here = at(point);
        let mut inner = point;
        for (place, size) in inner.iter_mut().zip([side, side, PLANES]) {
            *place = *place + usize::from(*place == 0) - usize::from(*place == size - 1);
        }
        if inner != point || side == 1 {
            return (here + at(inner)) * 0.5;
        }
        let [x, y, z] = point;
        let around = [[x - 1, y, z], [x + 1, y, z], [x, y - 1, z], [x, y + 1, z], [x, y, z - 1], [x, y, z + 1]];
        around.map(at).iter().sum::<f32>().mul_add(NEIGHBOURS, -(here * CENTRE))
    };
    (0..values.len()).map(|i| point([i % side, i / side % side, i / side / side])).collect()
}
