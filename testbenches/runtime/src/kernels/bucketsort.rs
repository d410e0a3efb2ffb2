//! Bucket sort of random words: four launches, of which the last sorts each bucket by a thread of its own. After the benchmark of Narasiman 2014, of which
//! only a sentence is known.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Words of a bucket, on average.
const WORDS: usize = 8;
/// The steps, as the source numbers them.
const COUNT: u32 = 0;
const SCAN: u32 = 1;
const SCATTER: u32 = 2;
const SORT: u32 = 3;

pub(super) const ABOUT: About = About {
    summary: "bucket sort: atomics count, a scan, then an insertion sort by a thread per bucket; buckets are of unequal size",
    papers: "Narasiman 2014 (sort)",
    arithmetic: Arithmetic::Integer,
    unit: "words",
    sizes: Sizes { smoke: 100, default: 8192, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let buckets = n.div_ceil(WORDS);
    let words = Random::new(problem.seed).words(n);
    let mut expected = words.clone();
    expected.sort_unstable();
    let (words, sorted, places) = (session.buffer(&words)?, session.zeros(n)?, session.zeros(buckets)?);
    let buffers = [words, sorted, places].map(|buffer| buffer.address);
    for (step, items, shared) in [(COUNT, n, 0), (SCAN, threads, 2 * threads), (SCATTER, n, 0), (SORT, buckets, 0)] {
        let arguments = [&buffers[..], &[n as u32, buckets as u32, step]].concat();
        session.launch(grid(items, threads), [threads as u32, 1, 1], shared, &arguments)?;
    }
    Ok(vec![Output::exact("sorted", session.read(sorted), expected)])
}
