//! A queue with few places, into which half of the threads put an item each, and out of which the others take one.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Words of the queue: tickets drawn and called, items put and taken so far, and two places.
const QUEUE: usize = 6;

pub(super) const ABOUT: About = About {
    summary: "a queue with two places: half of the threads wait while it is full, the others while it is empty",
    papers: "of its own",
    arithmetic: Arithmetic::Integer,
    unit: "threads",
    sizes: Sizes { smoke: 8, default: 64, large: 256 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let pairs = problem.size.div_ceil(2);
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    // No two are the same, and none is 0.
    let items: Vec<u32> = (1..=pairs as u32).map(|number| number << 16 | random.below(1 << 16)).collect();
    let (queue, buffer, received) = (session.zeros(QUEUE)?, session.buffer(&items)?, session.zeros(pairs)?);
    let arguments = [queue.address, buffer.address, received.address, pairs as u32];
    session.launch(grid(2 * pairs, threads), [threads as u32, 1, 1], 0, &arguments)?;
    // Who takes which depends on the schedule, and that each is taken once does not.
    let mut received = session.read(received);
    received.sort_unstable();
    Ok(vec![
        Output::exact("received", received, items),
        Output::exact("put, taken", session.read(queue)[2..4].to_vec(), vec![pairs as u32; 2]),
    ])
}
