//! Vector addition: the simplest streaming kernel.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "c[i] = a[i] + b[i]: streaming, no divergence but at the end",
    papers: "CUDA SDK",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 100, default: 4096, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let (a, b) = (random.words(n), random.words(n));
    let expected = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
    let (a, b, c) = (session.buffer(&a)?, session.buffer(&b)?, session.zeros(n)?);
    let arguments = [a.address, b.address, c.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![Output::exact("c", session.read(c), expected)])
}
