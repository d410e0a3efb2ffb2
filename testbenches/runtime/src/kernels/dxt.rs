//! DXT1 compression after the CUDA SDK's dxtc: a CTA per block of 4 x 4 pixels. Sixteen threads sort the pixels along the line that
//! fits them best, then all threads try ways to cut them into four groups, find the two end colours that fit with least squares, and
//! the thread with the least error writes. Other than there, cuts are after every second pixel only (35 ways instead of 992), and
//! there are no blocks of three colours. Integers with scaled weights instead of floats.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Pixels of a block.
const PIXELS: usize = 16;
/// The most threads of a CTA: the sample's.
const THREADS: usize = 64;
/// Bits of an element of the line's direction, and fraction bits of the inverse of the determinant.
const AXIS_BITS: u32 = 12;
const FACTOR_BITS: u32 = 24;
/// The codes of the four groups along the line, and their weights of the two ends, in thirds.
const CODES: [u32; 4] = [0, 2, 3, 1];
const ALPHAS: [i32; 4] = [3, 0, 2, 1];

pub(super) const ABOUT: About = About {
    summary: "DXT1 compression of 4 x 4 pixels per CTA: sorting in half a warp, candidates on all threads, a tree, one thread writes",
    papers: "Rhu 2014 (DXTC)",
    arithmetic: Arithmetic::FixedPoint { fraction: FACTOR_BITS },
    unit: "blocks of 4 x 4 pixels",
    sizes: Sizes { smoke: 1, default: 16, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let threads = problem.block.unwrap_or_else(|| problem.threads(session.config()).min(THREADS));
    let mut random = Random::new(problem.seed);
    let pixels: Vec<u32> = (0..problem.size).flat_map(|_| pixels(&mut random)).collect();
    let ways = ways();
    let (input, blocks) = (session.buffer(&pixels)?, session.zeros(2 * problem.size)?);
    let candidates = session.buffer(&ways)?;
    let arguments = [input.address, blocks.address, candidates.address, ways.len() as u32];
    // Nine moments, a sorted pixel, its place on the line and its rank for each pixel.
    let shared = PIXELS * (9 + 3 + 1 + 1) + 2 * threads;
    session.launch([problem.size as u32, 1, 1], [threads as u32, 1, 1], shared, &arguments)?;
    let expected = pixels.chunks(PIXELS).flat_map(|block| compress(block, &ways)).collect();
    Ok(vec![Output::exact("blocks", session.read(blocks), expected)])
}

/// A block between two random colours, with noise; red is in the lowest byte.
fn pixels(random: &mut Random) -> [u32; PIXELS] {
    let (from, to) = (random.word(), random.word());
    std::array::from_fn(|_| {
        let place = random.below(256) as i32;
        let mix = |c: u32| {
            let ends = [from, to].map(|colour| (colour >> (8 * c) & 0xFF) as i32);
            let noisy = ends[0] + (((ends[1] - ends[0]) * place) >> 8) + random.below(17) as i32 - 8;
            (noisy.clamp(0, 255) as u32) << (8 * c)
        };
        (0..3).map(mix).sum()
    })
}

/// All ways to cut 16 pixels into four groups that are not empty, after even pixels only: two bits for each pixel.
fn ways() -> Vec<u32> {
    let mut ways = Vec::new();
    let pairs = PIXELS / 2;
    for first in 1..pairs {
        for second in first + 1..pairs {
            for third in second + 1..pairs {
                let group = |i: usize| [first, second, third].iter().filter(|&&cut| i / 2 >= cut).count();
                ways.push((0..PIXELS).map(|i| CODES[group(i)] << (2 * i)).sum());
            }
        }
    }
    ways
}

fn channels(pixel: u32) -> [i32; 3] {
    std::array::from_fn(|c| (pixel >> (8 * c) & 0xFF) as i32)
}

fn dot(a: [i32; 3], b: [i32; 3]) -> i32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Both end colours in a word, then the codes of the pixels.
fn compress(pixels: &[u32], ways: &[u32]) -> [u32; 2] {
    let colours: Vec<[i32; 3]> = pixels.iter().map(|&pixel| channels(pixel)).collect();
    let axis = best_axis(&colours);
    let mut order: Vec<usize> = (0..PIXELS).collect();
    order.sort_by_key(|&i| dot(colours[i], axis));
    let sorted: Vec<_> = order.iter().map(|&i| colours[i]).collect();

    let fits = ways.iter().map(|&way| (fit(&sorted, way), way));
    let ((_, mut start, mut end), mut codes) = fits.min_by_key(|((error, ..), _)| *error).expect("some ways");
    if start < end {
        (start, end) = (end, start);
        codes ^= 0x5555_5555;
    }
    let indices = order.iter().enumerate().map(|(rank, &i)| (codes >> (2 * rank) & 3) << (2 * i)).sum();
    [start | end << 16, indices]
}

/// The direction in which the colours differ most, by four steps of the power method.
fn best_axis(colours: &[[i32; 3]]) -> [i32; 3] {
    let sum = |c: usize| colours.iter().map(|colour| colour[c]).sum::<i32>();
    let covariance = |a: usize, b: usize| {
        let products: i32 = colours.iter().map(|colour| colour[a] * colour[b]).sum();
        (PIXELS as i32 * products - sum(a) * sum(b)) >> 8
    };
    let matrix: [[i32; 3]; 3] = std::array::from_fn(|a| std::array::from_fn(|b| covariance(a, b)));
    let mut axis = [1 << (AXIS_BITS - 1); 3];
    for _ in 0..4 {
        let next = matrix.map(|row| dot(row, axis));
        let bits = next.iter().map(|x| 32 - x.unsigned_abs().leading_zeros()).max().unwrap_or(0);
        axis = next.map(|x| x >> bits.saturating_sub(AXIS_BITS));
    }
    axis
}

/// Error of a way, but for what all ways have in common, and its end colours.
fn fit(sorted: &[[i32; 3]], way: u32) -> (i32, u32, u32) {
    let alphas: Vec<i32> = (0..PIXELS).map(|i| ALPHAS[(way >> (2 * i) & 3) as usize]).collect();
    let sum = |term: &dyn Fn(i32, [i32; 3]) -> i32| -> i32 {
        alphas.iter().zip(sorted).map(|(&alpha, &colour)| term(alpha, colour)).sum()
    };
    let alpha2 = sum(&|alpha, _| alpha * alpha);
    let beta2 = sum(&|alpha, _| (3 - alpha) * (3 - alpha));
    let both = sum(&|alpha, _| alpha * (3 - alpha));
    let factor = (3 << FACTOR_BITS) / (alpha2 * beta2 - both * both);
    let (mut error, mut start, mut end) = (0, 0, 0);
    for c in 0..3 {
        let (ax, bx) = (sum(&|alpha, colour| alpha * colour[c]), sum(&|alpha, colour| (3 - alpha) * colour[c]));
        let solve = |value: i32| ((i64::from(value) * i64::from(factor)) >> FACTOR_BITS).clamp(0, 255) as i32;
        let bits = if c == 1 { 6 } else { 5 };
        let (a_code, a) = round(solve(ax * beta2 - bx * both), bits);
        let (b_code, b) = round(solve(bx * alpha2 - ax * both), bits);
        (start, end) = (start << bits | a_code, end << bits | b_code);
        error += a * a * alpha2 + b * b * beta2 + 2 * a * b * both - 6 * (a * ax + b * bx);
    }
    (error, start, end)
}

/// The nearest number of so many bits to a byte, and the byte that it stands for.
fn round(byte: i32, bits: u32) -> (u32, i32) {
    let most = (1 << bits) - 1;
    let code = (2 * byte * most + 255) / 510;
    (code as u32, code << (8 - bits) | code >> (2 * bits - 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_four_colours_in_a_line_comes_back() {
        let colour = |i: usize| 0x0020_4010 + 0x0018_1818 * [0, 1, 2, 3][i % 4];
        let pixels: Vec<u32> = (0..PIXELS).map(colour).collect();
        let [ends, indices] = compress(&pixels, &ways());
        let expand = |end: u32| [11, 5, 0].map(|at| end >> at).map(|x| ((x & 31) << 3) as i32);
        let green = |end: u32| ((end >> 5 & 63) << 2) as i32;
        let (mut start, mut end) = (expand(ends & 0xFFFF), expand(ends >> 16));
        (start[1], end[1]) = (green(ends & 0xFFFF), green(ends >> 16));
        for (i, &pixel) in pixels.iter().enumerate() {
            let alpha = ALPHAS[(indices >> (2 * i) & 3) as usize];
            for c in 0..3 {
                let got = (alpha * start[c] + (3 - alpha) * end[c]) / 3;
                assert!((got - channels(pixel)[c]).abs() <= 8, "pixel {i}: {got}, {:?}", channels(pixel));
            }
        }
    }
}
