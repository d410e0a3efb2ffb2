//! Persistent threads: the first thread of a warp fetches tasks for all of it.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Numbers are below this: so few steps lead to 1 that products stay in a word.
const NUMBERS: u32 = 10_000;

pub(super) const ABOUT: About = About {
    summary: "steps from numbers to 1; the first thread of a warp fetches tasks for all of it, without a barrier",
    papers: "Fung 2011 (NVRT, how it fetches rays)",
    arithmetic: Arithmetic::Integer,
    unit: "tasks",
    sizes: Sizes { smoke: 40, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let (lanes, threads) = (session.config().lanes, problem.threads(session.config()));
    let ctas = (session.config().lanes * session.config().warps).div_ceil(threads);
    let mut random = Random::new(problem.seed);
    let numbers: Vec<u32> = (0..n).map(|_| 1 + random.below(NUMBERS)).collect();
    let expected = numbers.iter().map(|&number| steps(number)).collect();
    let (buffer, counts, next) = (session.buffer(&numbers)?, session.zeros(n)?, session.zeros(1)?);
    let arguments = [buffer.address, counts.address, next.address, n as u32, lanes as u32];
    session.launch([ctas as u32, 1, 1], [threads as u32, 1, 1], threads.div_ceil(lanes), &arguments)?;
    Ok(vec![Output::exact("steps", session.read(counts), expected)])
}

fn steps(mut number: u32) -> u32 {
    let mut steps = 0;
    while number > 1 {
        number = if number % 2 == 1 { 3 * number + 1 } else { number / 2 };
        steps += 1;
    }
    steps
}
