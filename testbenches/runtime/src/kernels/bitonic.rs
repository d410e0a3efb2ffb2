//! Bitonic sort: a launch per compare-and-exchange step. Any size: padded with the largest word to a power of two.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "bitonic sort: one launch per step, half of each warp on either side of a branch",
    papers: "CUDA SDK; Rhu 2014 has it in shared memory",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 100, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let padded = n.next_power_of_two();
    let pairs = padded / 2;
    let threads = problem.threads(session.config());
    let mut values = Random::new(problem.seed).words(n);
    let buffer = session.buffer(&[values.clone(), vec![u32::MAX; padded - n]].concat())?;
    for run in (1..=padded.trailing_zeros()).map(|bits| 1u32 << bits) {
        for distance in (0..run.trailing_zeros()).rev().map(|bits| 1u32 << bits) {
            let arguments = [buffer.address, pairs as u32, distance, run];
            session.launch(grid(pairs, threads), [threads as u32, 1, 1], 0, &arguments)?;
        }
    }
    values.sort_unstable();
    Ok(vec![Output::exact("values", session.read(buffer)[..n].to_vec(), values)])
}
