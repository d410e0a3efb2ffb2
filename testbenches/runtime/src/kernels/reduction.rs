//! Sum of a vector: a tree in shared memory per CTA as in kernel 2 of the CUDA SDK's sample, then one atomic
//! addition.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "sum of a vector by neighbouring threads: no bank conflicts, whole warps drop out until the root of the tree",
    papers: "Narasiman 2014 (reduction)",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 100, default: 4096, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let values = Random::new(problem.seed).words(n);
    let sum = |values: &[u32]| values.iter().fold(0u32, |sum, value| sum.wrapping_add(*value));
    let parts: Vec<u32> = values.chunks(threads).map(sum).collect();
    let (input, partial, total) = (session.buffer(&values)?, session.zeros(parts.len())?, session.zeros(1)?);
    let arguments = [input.address, partial.address, total.address, n as u32];
    session.launch(grid(n, threads), [threads as u32, 1, 1], threads, &arguments)?;
    Ok(vec![
        Output::exact("partial", session.read(partial), parts),
        Output::exact("total", session.read(total), vec![sum(&values)]),
    ])
}
