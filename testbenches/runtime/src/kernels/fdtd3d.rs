//! Finite differences in three dimensions after the CUDA SDK's FDTD3d: a time step of a stencil of radius 4. Columns of threads
//! march through the planes. A border as wide as the radius stays as it is.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// The sample's radius, which is also the least side of a CTA; the source has room for a CTA as wide as this.
const RADIUS: usize = 4;
const WIDEST: usize = 32;
/// Planes of the volume.
const PLANES: usize = 4;

pub(super) const ABOUT: About = About {
    summary: "stencil of radius 4 marching through planes: barriers, threads at a tile's edge load more than the others",
    papers: "Rhu 2014 (FDTD3D)",
    arithmetic: Arithmetic::Float,
    unit: "points to a side of a plane",
    sizes: Sizes { smoke: 3, default: 32, large: 96 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let config = session.config();
    // As wide as a warp, as in the sample.
    let width = config.lanes.clamp(RADIUS, WIDEST);
    let height = (problem.threads(config) / width).max(RADIUS);
    let mut random = Random::new(problem.seed);
    let volume = Volume::random(problem.size, &mut random);
    let most = 2.0 / (6 * RADIUS + 1) as f32;
    let factors: [f32; RADIUS + 1] = std::array::from_fn(|_| most * random.of_either_sign());

    // The border is in both.
    let (from, to) = (session.buffer(&float_words(&volume.points))?, session.buffer(&float_words(&volume.points))?);
    let factor_buffer = session.buffer(&float_words(&factors))?;
    let shared = (height + 2 * RADIUS) * (WIDEST + 2 * RADIUS);
    let grid = [problem.size.div_ceil(width) as u32, problem.size.div_ceil(height) as u32, 1];
    let buffers = [from, to, factor_buffer].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[problem.size as u32, PLANES as u32]].concat();
    session.launch(grid, [width as u32, height as u32, 1], shared, &arguments)?;
    let expected = volume.step(&factors);
    Ok(vec![Output::floats("volume", session.read(to), expected)])
}

/// Points with their border.
struct Volume {
    size: usize,
    points: Vec<f32>,
}

impl Volume {
    fn random(size: usize, random: &mut Random) -> Self {
        let side = size + 2 * RADIUS;
        let count = side * side * (PLANES + 2 * RADIUS);
        Self { size, points: (0..count).map(|_| random.of_either_sign()).collect() }
    }

    /// The points after a time step.
    fn step(&self, factors: &[f32]) -> Vec<f32> {
        let side = self.size + 2 * RADIUS;
        let strides = [1, side, side * side];
        let mut points = self.points.clone();
        for z in RADIUS..RADIUS + PLANES {
            for y in RADIUS..RADIUS + self.size {
                for x in RADIUS..RADIUS + self.size {
                    let at = x + y * strides[1] + z * strides[2];
                    // In the order of the source.
                    let around = |i: usize| {
                        let [x, y, z] = strides.map(|stride| i * stride);
                        [at + z, at - z, at - y, at + y, at - x, at + x].iter().map(|&at| self.points[at]).sum::<f32>()
                    };
                    let centre = factors[0] * self.points[at];
                    points[at] = (1..=RADIUS).fold(centre, |sum, i| factors[i].mul_add(around(i), sum));
                }
            }
        }
        points
    }
}
