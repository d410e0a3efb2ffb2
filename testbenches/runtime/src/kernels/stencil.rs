//! Seven-point stencil on a grid of eight planes, after Parboil (Stratton et al. 2012), in fixed point: two steps, a launch each. Other
//! than there, the surface of the grid has a rule of its own.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, words};
use crate::host::{DeviceError, Session};

/// Planes of the grid.
const PLANES: usize = 8;
/// Steps of the iteration.
const STEPS: usize = 2;
/// Fraction bits of the factors, which are a 36th and a sixth.
const FRACTION: u32 = 12;
const NEIGHBOURS: i32 = 114;
const CENTRE: i32 = 683;

pub(super) const ABOUT: About = About {
    summary: "seven-point stencil in three dimensions: loads on both sides, for the inside and for the surface",
    papers: "Rhu 2014 (Stencil)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
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
    let mut values: Vec<i32> = (0..side * side * PLANES).map(|_| random.below(1 << 16) as i32).collect();
    let (mut from, mut to) = (session.buffer(&words(&values))?, session.zeros(values.len())?);
    let grid = [side.div_ceil(width) as u32, side.div_ceil(height) as u32, 1];
    for _ in 0..STEPS {
        let arguments = [from.address, to.address, side as u32, PLANES as u32];
        session.launch(grid, [width as u32, height as u32, 1], 0, &arguments)?;
        (from, to) = (to, from);
        values = step(&values, side);
    }
    Ok(vec![Output::exact("values", session.read(from), words(&values))])
}

/// The grid after one step.
fn step(values: &[i32], side: usize) -> Vec<i32> {
    let at = |[x, y, z]: [usize; 3]| values[(z * side + y) * side + x];
    let point = |point: [usize; 3]| {
        let here = at(point);
        let mut inner = point;
        for (place, size) in inner.iter_mut().zip([side, side, PLANES]) {
            *place = *place + usize::from(*place == 0) - usize::from(*place == size - 1);
        }
        if inner != point || side == 1 {
            return (here + at(inner)) >> 1;
        }
        let [x, y, z] = point;
        let around = [[x - 1, y, z], [x + 1, y, z], [x, y - 1, z], [x, y + 1, z], [x, y, z - 1], [x, y, z + 1]];
        (around.map(at).iter().sum::<i32>() * NEIGHBOURS - here * CENTRE) >> FRACTION
    };
    (0..values.len()).map(|i| point([i % side, i / side % side, i / side / side])).collect()
}
