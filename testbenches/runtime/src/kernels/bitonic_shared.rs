//! Bitonic sort in shared memory, after the CUDA SDK's sample: every CTA sorts a segment of its own, a thread per element. Any
//! size: the last segment is filled up with the largest word.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// The sample's CTA, as far as the core can hold it.
const SEGMENT: usize = 256;

pub(super) const ABOUT: About = About {
    summary: "bitonic sort of a segment per CTA: barriers, half of the CTA's threads idle at every step",
    papers: "Rhu 2014 (BITONIC)",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 100, default: 2048, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let config = session.config();
    // Not a quarter of the core, as elsewhere: threads of one warp alone cannot be compacted.
    let threads = problem.block.unwrap_or((config.lanes * config.warps).min(SEGMENT));
    let segment = 1 << threads.ilog2();
    let mut values = Random::new(problem.seed).words(problem.size);
    let buffer = session.buffer(&values)?;
    let arguments = [buffer.address, problem.size as u32];
    session.launch(grid(problem.size, segment), [segment as u32, 1, 1], segment, &arguments)?;
    values.chunks_mut(segment).for_each(<[u32]>::sort_unstable);
    Ok(vec![Output::exact("values", session.read(buffer), values)])
}
