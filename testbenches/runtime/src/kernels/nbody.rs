//! Bodies that attract each other, after the CUDA SDK's nbody: two steps, a launch each. Massless bodies fill the last CTA, as the
//! sample wants none in part.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Steps, and the time of each.
const STEPS: usize = 2;
const STEP: f32 = 0.016;
/// Squared, and what remains of a velocity after a step: the sample's.
const SOFTENING: f32 = 0.01;
const DAMPING: f32 = 0.995;

pub(super) const ABOUT: About = About {
    summary: "all pairs of bodies: tiles in shared memory, square roots and divisions, no divergence",
    papers: "none of those here; CUDA SDK",
    arithmetic: Arithmetic::Float,
    unit: "bodies",
    sizes: Sizes { smoke: 10, default: 96, large: 384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let config = session.config();
    let threads = problem.threads(config).min(problem.size.next_multiple_of(config.lanes));
    let n = problem.size.next_multiple_of(threads);
    let mut random = Random::new(problem.seed);
    let mut vector = |size: f32| [(); 3].map(|()| size * random.of_either_sign());
    let mut bodies: Vec<Body> = (0..problem.size)
        .map(|_| Body { place: vector(1.0), velocity: vector(0.1), mass: 1.0 + vector(0.5)[0] })
        .collect();

    let at_rest = Body { place: [0.0; 3], velocity: [0.0; 3], mass: 0.0 };
    let with_massless = || bodies.iter().chain(std::iter::repeat(&at_rest)).take(n);
    let places: Vec<f32> = with_massless().flat_map(|body| [&body.place[..], &[body.mass]].concat()).collect();
    let velocities: Vec<f32> = with_massless().flat_map(|body| body.velocity).collect();
    let (mut from, mut to) = (session.buffer(&float_words(&places))?, session.zeros(4 * n)?);
    let velocities = session.buffer(&float_words(&velocities))?;
    let constants = [STEP, SOFTENING, DAMPING].map(f32::to_bits);
    for _ in 0..STEPS {
        let arguments = [&[from.address, to.address, velocities.address, n as u32], &constants[..]].concat();
        session.launch([(n / threads) as u32, 1, 1], [threads as u32, 1, 1], 4 * threads, &arguments)?;
        (from, to) = (to, from);
        bodies = step(&bodies);
    }
    let mut places = session.read(from);
    places.truncate(4 * problem.size);
    let expected = bodies.iter().flat_map(|body| [&body.place[..], &[body.mass]].concat()).collect();
    Ok(vec![Output::floats("to", places, expected)])
}

#[derive(Clone, Debug)]
struct Body {
    place: [f32; 3],
    velocity: [f32; 3],
    mass: f32,
}

fn step(bodies: &[Body]) -> Vec<Body> {
    let moved = |body: &Body| {
        let acceleration = acceleration(body, bodies);
        let velocity: [f32; 3] = std::array::from_fn(|c| acceleration[c].mul_add(STEP, body.velocity[c]) * DAMPING);
        let place = std::array::from_fn(|c| velocity[c].mul_add(STEP, body.place[c]));
        Body { place, velocity, ..*body }
    };
    bodies.iter().map(moved).collect()
}

fn acceleration(body: &Body, bodies: &[Body]) -> [f32; 3] {
    bodies.iter().fold([0.0; 3], |sum, other| {
        let [x, y, z]: [f32; 3] = std::array::from_fn(|c| other.place[c] - body.place[c]);
        let inverse = 1.0 / (z.mul_add(z, x.mul_add(x, y * y)) + SOFTENING).sqrt();
        let pull = other.mass * (inverse * inverse * inverse);
        [x.mul_add(pull, sum[0]), y.mul_add(pull, sum[1]), z.mul_add(pull, sum[2])]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bodies_fall_towards_each_other() {
        let body = |x: f32| Body { place: [x, 0.0, 0.0], velocity: [0.0; 3], mass: 2.0 };
        let after = step(&[body(-1.0), body(1.0)]);
        // Two by the square of the distance, but for the softening.
        let expected = 2.0 * 2.0 / (4.0f32 + SOFTENING).powf(1.5) * STEP * DAMPING;
        assert!((after[0].velocity[0] - expected).abs() < 1e-6 * expected, "{after:?}");
        assert_eq!(after[0].velocity[0], -after[1].velocity[0]);
        assert_eq!(after[0].place[0], -after[1].place[0]);
    }
}
