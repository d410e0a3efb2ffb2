//! The sorting networks of the CUDA SDK's sample, which sort keys with their values in shared memory: one launch of the bitonic
//! network, which is the one that the sample runs and Rhu quotes, and one of the odd-even merge, whose branches depend on the
//! thread's place alone.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Threads of the sample's CTA, as far as the core can hold it; half of the sample's.
const THREADS: usize = 256;
/// The networks, as the source numbers them.
const NETWORKS: [(u32, [&str; 2]); 2] =
    [(0, ["bitonic keys", "bitonic values"]), (1, ["odd-even keys", "odd-even values"])];
/// Direction.
const ASCENDING: u32 = 1;

pub(super) const ABOUT: About = About {
    summary: "bitonic and odd-even merge networks on keys and values: barriers, branches on data and on the thread's place",
    papers: "Rhu 2014 (SORTNW)",
    arithmetic: Arithmetic::Integer,
    unit: "elements",
    sizes: Sizes { smoke: 33, default: 2048, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    let threads = 1 << problem.block.unwrap_or((config.lanes * config.warps).min(THREADS)).ilog2();
    let length = 2 * threads;
    // Two keys of an array are never equal, and none is as large as what fills up the last array.
    let mut random = Random::new(problem.seed);
    let keys: Vec<u32> = (0..n as u32).map(|i| random.below(0xffff) << 16 | (i & 0xffff)).collect();
    let values = random.words(n);
    let mut sorted: Vec<_> = keys.iter().copied().zip(values.iter().copied()).collect();
    sorted.chunks_mut(length).for_each(<[_]>::sort_unstable);
    let (sorted_keys, sorted_values): (Vec<_>, Vec<_>) = sorted.into_iter().unzip();

    let mut outputs = Vec::new();
    for (network, [name_of_keys, name_of_values]) in NETWORKS {
        let (keys, values) = (session.buffer(&keys)?, session.buffer(&values)?);
        let arguments = [keys.address, values.address, n as u32, network, ASCENDING];
        session.launch(grid(n, length), [threads as u32, 1, 1], 2 * length, &arguments)?;
        outputs.push(Output::exact(name_of_keys, session.read(keys), sorted_keys.clone()));
        outputs.push(Output::exact(name_of_values, session.read(values), sorted_values.clone()));
    }
    Ok(outputs)
}
