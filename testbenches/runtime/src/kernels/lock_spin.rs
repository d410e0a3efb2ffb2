//! A spin lock that every thread takes once, as threads that run by themselves would.
use super::{About, Arithmetic, Output, Problem, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "a spin lock: threads of a warp wait for the one that has it, which waits for them where they meet",
    papers: "ElTantawy 2016 (the SIMT deadlock)",
    arithmetic: Arithmetic::Integer,
    unit: "threads",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let (lock, count, order) = (session.zeros(1)?, session.zeros(1)?, session.zeros(n)?);
    let arguments = [lock.address, count.address, order.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![
        Output::exact("count", session.read(count), vec![n as u32]),
        Output::permutation("order", session.read(order)),
    ])
}
