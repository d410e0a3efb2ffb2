//! Histogram of the characters of a text, after the CUDA SDK's sample: counts of a CTA in shared memory, then of all.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Characters.
const BINS: usize = 128;
/// Words that a thread reads.
const WORDS: usize = 8;

pub(super) const ABOUT: About = About {
    summary: "counts the characters of a text: atomics in shared memory, several on the same word, little divergence",
    papers: "Narasiman 2014 (histogram)",
    arithmetic: Arithmetic::Integer,
    unit: "words of four characters",
    sizes: Sizes { smoke: 40, default: 8192, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let text: Vec<u32> = (0..n).map(|_| u32::from_le_bytes([(); 4].map(|()| character(&mut random)))).collect();
    let mut expected = vec![0; BINS];
    text.iter().flat_map(|word| word.to_le_bytes()).for_each(|character| expected[usize::from(character)] += 1);
    let (buffer, counts) = (session.buffer(&text)?, session.zeros(BINS)?);
    let arguments = [buffer.address, counts.address, n as u32];
    session.launch(grid(n, threads * WORDS), [threads as u32, 1, 1], BINS, &arguments)?;
    Ok(vec![Output::exact("counts", session.read(counts), expected)])
}

/// Some letters are more frequent than others, every sixth character is a space.
fn character(random: &mut Random) -> u8 {
    if random.below(6) == 0 { b' ' } else { b'a' + random.below(26).min(random.below(26)) as u8 }
}
