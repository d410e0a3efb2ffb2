//! Sum of a vector as in kernel 0 of the CUDA SDK's sample: interleaved threads add, chosen by a remainder. A launch sums the
//! slices, further ones the sums.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "sum of a vector by interleaved threads: at every step, every warp has half as many active lanes",
    papers: "Rhu 2014 (REDUCT)",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 40, default: 4096, large: 32768 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    // A power of two, as there; one thread would never be done.
    let threads = 1 << problem.threads(session.config()).max(2).ilog2();
    let mut values = Random::new(problem.seed).words(problem.size);
    let mut from = session.buffer(&values)?;
    let mut outputs = Vec::new();
    while values.len() > 1 || outputs.is_empty() {
        let n = values.len();
        values = values.chunks(threads).map(|slice| slice.iter().fold(0, |sum: u32, v| sum.wrapping_add(*v))).collect();
        let sums = session.zeros(values.len())?;
        let arguments = [from.address, sums.address, n as u32];
        session.launch(grid(n, threads), [threads as u32, 1, 1], threads, &arguments)?;
        outputs.push(Output::exact("sums", session.read(sums), values.clone()));
        from = sums;
    }
    Ok(outputs)
}
