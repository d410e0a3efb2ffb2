//! Finite differences in three dimensions after the CUDA SDK's FDTD3d: a time step of a stencil of radius 4. Columns of threads
//! march through the planes. Fixed point with 12 fraction bits; a border as wide as the radius stays as it is.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, words};
use crate::host::{DeviceError, Session};

/// The sample's radius, which is also the least side of a CTA; the source has room for a CTA as wide as this.
const RADIUS: usize = 4;
const WIDEST: usize = 32;
/// Planes of the volume.
const PLANES: usize = 4;
/// Fraction bits of the factors.
const FRACTION: u32 = 12;

pub(super) const ABOUT: About = About {
    summary: "stencil of radius 4 marching through planes: barriers, threads at a tile's edge load more than the others",
    papers: "Rhu 2014 (FDTD3D)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
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
    let most = (2 << FRACTION) / (6 * RADIUS as u32 + 1);
    let factors: [i32; RADIUS + 1] = std::array::from_fn(|_| random.below(2 * most) as i32 - most as i32);

    // The border is in both.
    let (from, to) = (session.buffer(&words(&volume.points))?, session.buffer(&words(&volume.points))?);
    let factor_buffer = session.buffer(&words(&factors))?;
    let shared = (height + 2 * RADIUS) * (WIDEST + 2 * RADIUS);
    let grid = [problem.size.div_ceil(width) as u32, problem.size.div_ceil(height) as u32, 1];
    let buffers = [from, to, factor_buffer].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[problem.size as u32, PLANES as u32]].concat();
    session.launch(grid, [width as u32, height as u32, 1], shared, &arguments)?;
    let expected = volume.step(&factors);
    Ok(vec![Output::exact("volume", session.read(to), words(&expected))])
}

/// Points with their border.
struct Volume {
    size: usize,
    points: Vec<i32>,
}

impl Volume {
    fn random(size: usize, random: &mut Random) -> Self {
        let side = size + 2 * RADIUS;
        let count = side * side * (PLANES + 2 * RADIUS);
        Self { size, points: (0..count).map(|_| random.below(1 << 14) as i32 - (1 << 13)).collect() }
    }

    /// The points after a time step.
    fn step(&self, factors: &[i32]) -> Vec<i32> {
        let side = self.size + 2 * RADIUS;
        let strides = [1, side, side * side];
        let mut points = self.points.clone();
        for z in RADIUS..RADIUS + PLANES {
            for y in RADIUS..RADIUS + self.size {
                for x in RADIUS..RADIUS + self.size {
                    let at = x + y * strides[1] + z * strides[2];
                    let around = |i: usize| -> i32 {
                        strides.iter().map(|stride| self.points[at - i * stride] + self.points[at + i * stride]).sum()
                    };
                    let near: i32 = (1..=RADIUS).map(|i| factors[i] * around(i)).sum();
                    points[at] = (factors[0] * self.points[at] + near) >> FRACTION;
                }
            }
        }
        points
    }
}
