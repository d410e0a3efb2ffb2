//! Greatest common divisor by subtraction: the number of steps, and the side of each, differ from thread to thread.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "greatest common divisor per thread: every thread takes its own way through a loop",
    papers: "none",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 100, default: 1024, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let mut numbers = || -> Vec<u32> { (0..n).map(|_| 1 + random.below(255)).collect() };
    let (a, b) = (numbers(), numbers());
    let expected = a.iter().zip(&b).map(|(&a, &b)| gcd(a, b)).collect();
    let (a, b, divisor) = (session.buffer(&a)?, session.buffer(&b)?, session.zeros(n)?);
    let arguments = [a.address, b.address, divisor.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![Output::exact("divisor", session.read(divisor), expected)])
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
