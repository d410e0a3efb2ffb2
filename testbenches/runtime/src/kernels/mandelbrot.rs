//! Mandelbrot set in fixed point: pixels of one warp leave the loop at different times.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "Mandelbrot set in fixed point: lanes leave the loop one by one",
    papers: "Rhu 2014 (MDBROT)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
    unit: "pixels",
    sizes: Sizes { smoke: 100, default: 2048, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let view = View::new(n, problem.seed);
    let iterations = session.zeros(n)?;
    let View { width, left, top, step } = view;
    let arguments = [iterations.address, width, n as u32, left as u32, top as u32, step as u32, LIMIT];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    let expected = (0..n as u32).map(|pixel| view.iterations(pixel)).collect();
    Ok(vec![Output::exact("iterations", session.read(iterations), expected)])
}

/// Most iterations of a pixel.
const LIMIT: u32 = 48;
/// Fraction bits.
const FRACTION: u32 = 12;

/// The rectangle that is drawn.
#[derive(Clone, Copy)]
struct View {
    width: u32,
    left: i32,
    top: i32,
    step: i32,
}

impl View {
    /// `n` pixels, row by row, of about -2 to 0.5 and -1.25 to 1.25, moved a little by the seed.
    fn new(n: usize, seed: u64) -> Self {
        let width = (n.isqrt() as u32).max(1);
        let mut random = Random::new(seed);
        let mut nudge = || random.below(256) as i32 - 128;
        let left = (-2 << FRACTION) + nudge();
        let top = -(5 << FRACTION) / 4 + nudge();
        Self { width, left, top, step: ((5 << FRACTION) / 2 / width as i32).max(1) }
    }

    fn iterations(&self, pixel: u32) -> u32 {
        let cr = self.left + (pixel % self.width) as i32 * self.step;
        let ci = self.top + (pixel / self.width) as i32 * self.step;
        let (mut zr, mut zi) = (0i32, 0i32);
        for k in 0..LIMIT {
            let (rr, ii) = ((zr * zr) >> FRACTION, (zi * zi) >> FRACTION);
            if rr + ii > 4 << FRACTION {
                return k;
            }
            (zr, zi) = (rr - ii + cr, ((zr * zi) >> (FRACTION - 1)) + ci);
        }
        LIMIT
    }
}
