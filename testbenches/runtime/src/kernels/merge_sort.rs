//! Merge sort of keys with values, in place of Rodinia's (Che et al. 2009; Sintorn and Assarsson 2008), in which a thread merges two whole
//! lists: this one is as the CUDA SDK's (Satish et al. 2009), but that it does not cut long runs into pieces which shared memory holds:
//! elements look for their rank in global memory.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// The steps, as the source numbers them.
const SORT: u32 = 0;
const MERGE: u32 = 1;

pub(super) const ABOUT: About = About {
    summary: "merge sort: runs in shared memory with barriers, then binary searches in global memory, a launch for each length of runs",
    papers: "Fung 2011 (MGST), Turner 2012 (MGST)",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 40, default: 1024, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    // Runs are a power of two.
    let threads = 1 << problem.threads(session.config()).ilog2();
    // Some keys are equal, and their values stay in order.
    let mut random = Random::new(problem.seed);
    let keys: Vec<u32> = (0..n).map(|_| random.below(2 * n as u32)).collect();
    let values = random.words(n);
    let mut sorted: Vec<_> = keys.iter().copied().zip(values.iter().copied()).collect();
    sorted.sort_by_key(|&(key, _)| key);
    let (sorted_keys, sorted_values) = sorted.into_iter().unzip();

    let mut from = [session.buffer(&keys)?, session.buffer(&values)?];
    let mut to = [session.zeros(n)?, session.zeros(n)?];
    let (mut step, mut run) = (SORT, 1);
    while step == SORT || run < n {
        let buffers = [from[0], from[1], to[0], to[1]].map(|buffer| buffer.address);
        let arguments = [&buffers[..], &[n as u32, run as u32, step]].concat();
        let shared = if step == SORT { 2 * threads } else { 0 };
        session.launch(grid(n, threads), [threads as u32, 1, 1], shared, &arguments)?;
        run = if step == SORT { threads } else { 2 * run };
        (from, to, step) = (to, from, MERGE);
    }
    let [keys, values] = from.map(|buffer| session.read(buffer));
    Ok(vec![Output::exact("keys", keys, sorted_keys), Output::exact("values", values, sorted_values)])
}
