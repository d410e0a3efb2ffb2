//! Quicksort after Cederman and Tsigas (GPU-Quicksort, 2009): a launch per level, a CTA per segment; the pivot is halfway between
//! the segment's extremes, so that the levels do not depend on the order of the atomics. Other than there, a segment has one CTA
//! from the first level on, an element's place comes from an atomic and not from prefix sums, and short segments are sorted by
//! ranking.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Words of a segment's description, and of what the threads of a CTA share while they split it.
const SEGMENT: usize = 4;

pub(super) const ABOUT: About = About {
    summary: "quicksort: a launch per level, a CTA per segment, elements below and above the pivot go different ways",
    papers: "Rhu 2014 (QSort)",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 32, default: 512, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    // Two warps to a CTA: most segments are short, and a warp without elements costs as much as one with a few.
    let threads = problem.block.unwrap_or((2 * config.lanes).min(config.lanes * config.warps));
    let few = config.lanes;
    // Some are equal.
    let mut random = Random::new(problem.seed);
    let mut values: Vec<u32> = (0..n).map(|_| random.below(2 * n as u32)).collect();
    let (mut from, mut to) = (session.buffer(&values)?, session.zeros(n)?);
    let sorted = session.zeros(n)?;
    let (mut segments, mut next) = (session.zeros(SEGMENT * n)?, session.zeros(SEGMENT * n)?);
    let count = session.zeros(1)?;
    values.sort_unstable();
    session.write(segments, &[0, n as u32, values[0], values[n - 1]]);

    let mut ctas = 1;
    while ctas > 0 {
        session.write(count, &[0]);
        let buffers = [from, to, sorted, segments, next, count].map(|buffer| buffer.address);
        let arguments = [&buffers[..], &[few as u32]].concat();
        session.launch([ctas, 1, 1], [threads as u32, 1, 1], few.max(SEGMENT), &arguments)?;
        ctas = session.read(count)[0];
        (from, to, segments, next) = (to, from, next, segments);
    }
    Ok(vec![Output::exact("sorted", session.read(sorted), values)])
}
