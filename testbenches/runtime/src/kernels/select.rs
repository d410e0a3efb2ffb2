//! A full scan of a column for the words that are less than a limit, after Narasiman (2014, 6.1). The table is filled up to whole warps with words that are
//! never selected.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Words are below this.
const WORDS: u32 = 1 << 20;
/// No limit is above it.
const NEVER: u32 = u32::MAX;
/// Words of a warp's buffer, for each lane: as the source has it.
const ROOM: usize = 8;

pub(super) const ABOUT: About = About {
    summary: "numbers of the words of a table below a limit: a ballot a row, and counts of its bits",
    papers: "Narasiman 2014 (full table scan, baseline)",
    arithmetic: Arithmetic::Integer,
    unit: "words",
    sizes: Sizes { smoke: 300, default: 16384, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let lanes = session.config().lanes;
    let (threads, ctas) = problem.whole_warps(session.config());
    let limit = WORDS / problem.selectivity.unwrap_or(2);
    let mut random = Random::new(problem.seed);
    let mut column: Vec<u32> = (0..problem.size).map(|_| random.below(WORDS)).collect();
    let expected: Vec<u32> = (0..).zip(&column).filter(|(_, word)| **word < limit).map(|(row, _)| row).collect();
    column.resize(problem.size.next_multiple_of(lanes), NEVER);
    let (buffer, output, next) = (session.buffer(&column)?, session.zeros(problem.size)?, session.zeros(1)?);
    let arguments = [buffer.address, output.address, next.address, column.len() as u32, limit, lanes as u32];
    // And the word by which lanes are told their place.
    let shared = threads / lanes * (ROOM * lanes + 1);
    let ctas = ctas.min(column.len().div_ceil(threads));
    session.launch([ctas as u32, 1, 1], [threads as u32, 1, 1], shared, &arguments)?;
    // Which warp comes first is open.
    let mut found = session.read(output);
    found[..expected.len()].sort_unstable();
    let rest = vec![0; found.len() - expected.len()];
    Ok(vec![
        Output::exact("next", session.read(next), vec![expected.len() as u32]),
        Output::exact("output, sorted", found, [expected, rest].concat()),
    ])
}
