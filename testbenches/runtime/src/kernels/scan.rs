//! Exclusive prefix sums after the CUDA SDK's scan, its work-efficient version (Blelloch): every CTA scans two elements to a thread,
//! the sums of the CTAs are scanned in the same way, then added.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{Buffer, DeviceError, Session};

/// The steps, as the source numbers them.
const SCAN: u32 = 0;
const ADD: u32 = 1;

pub(super) const ABOUT: About = About {
    summary: "prefix sums: barriers, up a tree and down again, half of the threads more or less at every step",
    papers: "CUDA SDK",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 64, default: 4096, large: 32768 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let threads = 1 << problem.threads(session.config()).ilog2();
    let values = Random::new(problem.seed).words(problem.size);
    let (from, to) = (session.buffer(&values)?, session.zeros(values.len())?);
    scan(session, from, to, threads)?;
    let before = values.iter().scan(0u32, |sum, value| {
        let before = *sum;
        *sum = sum.wrapping_add(*value);
        Some(before)
    });
    Ok(vec![Output::exact("sums", session.read(to), before.collect())])
}

/// By CTAs, then, if there are several, their sums.
fn scan(session: &mut Session, from: Buffer, to: Buffer, threads: usize) -> Result<(), DeviceError> {
    let (n, segment) = (from.words, 2 * threads);
    let ctas = n.div_ceil(segment);
    let (sums, before) = (session.zeros(ctas)?, session.zeros(ctas)?);
    let (grid, block) = ([ctas as u32, 1, 1], [threads as u32, 1, 1]);
    let padded = segment + segment / 32;
    session.launch(grid, block, padded, &[from.address, to.address, sums.address, n as u32, SCAN])?;
    if ctas > 1 {
        scan(session, sums, before, threads)?;
        session.launch(grid, block, 0, &[from.address, to.address, before.address, n as u32, ADD])?;
    }
    Ok(())
}
