//! A chain of threads, each of which waits for the flag of the one before.
use super::{About, Arithmetic, Output, Problem, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "a chain of flags: every thread waits for the one before it, which waits for it where they meet",
    papers: "of its own",
    arithmetic: Arithmetic::Integer,
    unit: "threads",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let (values, flags) = (session.zeros(n)?, session.zeros(n)?);
    let arguments = [values.address, flags.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    let next = |before: &mut u32, i: u32| {
        *before = before.wrapping_mul(3).wrapping_add(i);
        Some(*before)
    };
    let expected = (0..n as u32).scan(1, next).collect();
    Ok(vec![Output::exact("values", session.read(values), expected)])
}
