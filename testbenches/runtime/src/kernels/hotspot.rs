//! Temperature of a processor from its power, after Rodinia's Hotspot (Che et al. 2009): a launch computes several steps
//! in shared memory on tiles that overlap.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Rodinia's side of a tile, and the least that has an inside.
const TILE: usize = 16;
const LEAST_TILE: usize = 4;
/// Steps in all, and of one launch at most.
const STEPS: usize = 3;
const STEPS_OF_A_LAUNCH: usize = 2;
/// As in the source.
const ACROSS: f32 = 0.2;
const DOWN: f32 = 0.15;
const UP: f32 = 0.002;
const STEP: f32 = 0.25;
const AIR: f32 = 80.0;

pub(super) const ABOUT: About = About {
    summary: "temperature of a processor: several steps in shared memory, with fewer threads of a tile at every step",
    papers: "Rhu 2014 (HOTSPOT), Fung 2011 (HSP), Narasiman 2014 (hotspot), Turner 2012 (HOTSP)",
    arithmetic: Arithmetic::Float,
    unit: "points to a side of the chip",
    sizes: Sizes { smoke: 3, default: 36, large: 108 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    let tile = problem.block.unwrap_or(config.lanes * config.warps).isqrt().clamp(LEAST_TILE, TILE);
    // Half of a tile at least is computed in vain only at its border.
    let most = (tile / 4).min(STEPS_OF_A_LAUNCH);
    let mut random = Random::new(problem.seed);
    let mut values =
        |least: f32, range: f32| -> Vec<f32> { (0..n * n).map(|_| range.mul_add(random.float(), least)).collect() };
    let (power, mut warmth) = (values(0.0, 8.0), values(320.0, 20.0));
    let power_buffer = session.buffer(&float_words(&power))?;
    let (mut from, mut to) = (session.buffer(&float_words(&warmth))?, session.zeros(n * n)?);
    for done in (0..STEPS).step_by(most) {
        let steps = most.min(STEPS - done);
        let arguments = [power_buffer.address, from.address, to.address, n as u32, steps as u32];
        let ctas = n.div_ceil(tile - 2 * steps) as u32;
        session.launch([ctas, ctas, 1], [tile as u32, tile as u32, 1], 3 * tile * tile, &arguments)?;
        (from, to) = (to, from);
        (0..steps).for_each(|_| warmth = step(&power, &warmth, n));
    }
    Ok(vec![Output::floats("temperature", session.read(from), warmth)])
}

/// The whole chip after a step.
fn step(power: &[f32], warmth: &[f32], n: usize) -> Vec<f32> {
    let point = |i: usize| {
        let (x, y, here) = (i % n, i / n, warmth[i]);
        let neighbour = |is_there: bool, at: usize| if is_there { warmth[at] } else { here };
        let across = neighbour(x > 0, i.wrapping_sub(1)) + neighbour(x + 1 < n, i + 1);
        let down = neighbour(y > 0, i.wrapping_sub(n)) + neighbour(y + 1 < n, i + n);
        let along = (down - 2.0 * here).mul_add(DOWN, power[i]);
        let flow = (AIR - here).mul_add(UP, (across - 2.0 * here).mul_add(ACROSS, along));
        STEP.mul_add(flow, here)
    };
    (0..warmth.len()).map(point).collect()
}
