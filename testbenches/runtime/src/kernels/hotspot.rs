//! Temperature of a processor from its power, after Rodinia's Hotspot (Che et al. 2009), in fixed point: a launch computes several
//! steps in shared memory on tiles that overlap.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, words};
use crate::host::{DeviceError, Session};

/// Rodinia's side of a tile, and the least that has an inside.
const TILE: usize = 16;
const LEAST_TILE: usize = 4;
/// Steps in all, and of one launch at most.
const STEPS: usize = 3;
const STEPS_OF_A_LAUNCH: usize = 2;
/// Fraction bits of everything.
const FRACTION: u32 = 10;
/// As in the source.
const ACROSS: i32 = 205;
const DOWN: i32 = 154;
const UP: i32 = 2;
const STEP: i32 = 256;
const AIR: i32 = 80 << FRACTION;

pub(super) const ABOUT: About = About {
    summary: "temperature of a processor: several steps in shared memory, with fewer threads of a tile at every step",
    papers: "Rhu 2014 (HOTSPOT), Fung 2011 (HSP), Narasiman 2014 (hotspot), Turner 2012 (HOTSP)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
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
    let mut values = |least: i32, range: u32| -> Vec<i32> {
        (0..n * n).map(|_| (least << FRACTION) + random.below(range << FRACTION) as i32).collect()
    };
    let (power, mut warmth) = (values(0, 8), values(320, 20));
    let power_buffer = session.buffer(&words(&power))?;
    let (mut from, mut to) = (session.buffer(&words(&warmth))?, session.zeros(n * n)?);
    for done in (0..STEPS).step_by(most) {
        let steps = most.min(STEPS - done);
        let arguments = [power_buffer.address, from.address, to.address, n as u32, steps as u32];
        let ctas = n.div_ceil(tile - 2 * steps) as u32;
        session.launch([ctas, ctas, 1], [tile as u32, tile as u32, 1], 3 * tile * tile, &arguments)?;
        (from, to) = (to, from);
        (0..steps).for_each(|_| warmth = step(&power, &warmth, n));
    }
    Ok(vec![Output::exact("temperature", session.read(from), words(&warmth))])
}

/// The whole chip after a step.
fn step(power: &[i32], warmth: &[i32], n: usize) -> Vec<i32> {
    let scale = |factor: i32, value: i32| (factor * value) >> FRACTION;
    let point = |i: usize| {
        let (x, y, here) = (i % n, i / n, warmth[i]);
        let neighbour = |is_there: bool, at: usize| if is_there { warmth[at] } else { here };
        let across = neighbour(x > 0, i.wrapping_sub(1)) + neighbour(x + 1 < n, i + 1);
        let down = neighbour(y > 0, i.wrapping_sub(n)) + neighbour(y + 1 < n, i + n);
        let flows = scale(ACROSS, across - 2 * here) + scale(DOWN, down - 2 * here) + scale(UP, AIR - here);
        here + scale(STEP, power[i] + flows)
    };
    (0..warmth.len()).map(point).collect()
}
