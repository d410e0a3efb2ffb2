//! Global alignment of two sequences after Needleman and Wunsch (1970), as in Rodinia (Che et al. 2009): the matrix of scores by
//! anti-diagonals of blocks, a launch each. Any size: both sequences are filled up to full blocks, behind what is asked for.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, words};
use crate::host::{DeviceError, Session};

/// Rodinia's side of a block, and threads of a CTA.
const BLOCK: usize = 16;
/// Of a gap.
const PENALTY: i32 = 10;
/// Symbols of a sequence: amino acids.
const SYMBOLS: u32 = 20;

pub(super) const ABOUT: About = About {
    summary: "alignment of two sequences: small CTAs, at every barrier a thread more, then a thread less takes part",
    papers: "Rhu 2014 (NW), Narasiman 2014 (needleman), Turner 2012 (NDL)",
    arithmetic: Arithmetic::Integer,
    unit: "symbols of each sequence",
    sizes: Sizes { smoke: 7, default: 64, large: 192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let size = problem.block.unwrap_or(session.config().lanes).clamp(1, BLOCK);
    let blocks = problem.size.div_ceil(size);
    let n = blocks * size;
    let mut random = Random::new(problem.seed);
    let mut sequence = || -> Vec<u32> { (0..n).map(|_| random.below(SYMBOLS)).collect() };
    let (down, across) = (sequence(), sequence());
    let similarity: Vec<i32> = down.iter().flat_map(|&a| across.iter().map(move |&b| similarity(a, b))).collect();
    let expected = scores(&similarity, n);
    let border = |i: usize| if i <= n || i.is_multiple_of(n + 1) { expected[i] } else { 0 };
    let matrix = session.buffer(&words(&(0..expected.len()).map(border).collect::<Vec<_>>()))?;
    let similarity = session.buffer(&words(&similarity))?;
    let shared = (size + 1).pow(2) + size.pow(2);
    for diagonal in 0..2 * blocks - 1 {
        let first = (diagonal + 1).saturating_sub(blocks);
        let ctas = diagonal.min(blocks - 1) + 1 - first;
        let numbers = [n as u32, PENALTY as u32, diagonal as u32, first as u32];
        let arguments = [&[matrix.address, similarity.address][..], &numbers].concat();
        session.launch([ctas as u32, 1, 1], [size as u32, 1, 1], shared, &arguments)?;
    }
    Ok(vec![Output::exact("matrix", session.read(matrix), words(&expected))])
}

/// Equal symbols fit, others more or less; what a table of amino acids says in the original.
fn similarity(a: u32, b: u32) -> i32 {
    if a == b { 5 } else { 2 - ((a + b) % 6) as i32 }
}

/// All scores, row by row, with a row and a column of gaps in front.
fn scores(similarity: &[i32], n: usize) -> Vec<i32> {
    let stride = n + 1;
    let mut scores = vec![0; stride * stride];
    for i in 1..stride {
        scores[i] = -PENALTY * i as i32;
        scores[i * stride] = -PENALTY * i as i32;
    }
    for y in 1..stride {
        for x in 1..stride {
            let at = y * stride + x;
            let pair = scores[at - stride - 1] + similarity[(y - 1) * n + x - 1];
            scores[at] = pair.max(scores[at - 1].max(scores[at - stride]) - PENALTY);
        }
    }
    scores
}
