//! DXT1 compression after the CUDA SDK's dxtc: a CTA per block of 4 x 4 pixels. Sixteen threads sort the pixels along the line that
//! fits them best, then all threads try ways to cut them into four groups, find the two end colours that fit with least squares, and
//! the thread with the least error writes. Other than there, cuts are after every second pixel only (35 ways instead of 992), and
//! there are no blocks of three colours.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Pixels of a block.
const PIXELS: usize = 16;
/// The most threads of a CTA: the sample's.
const THREADS: usize = 64;
/// The codes of the four groups along the line, and their weights of the two ends, in thirds.
const CODES: [u32; 4] = [0, 2, 3, 1];
const ALPHAS: [u32; 4] = [3, 0, 2, 1];

pub(super) const ABOUT: About = About {
    summary: "DXT1 compression of 4 x 4 pixels per CTA: sorting in half a warp, candidates on all threads, a tree, one thread writes",
    papers: "Rhu 2014 (DXTC)",
    arithmetic: Arithmetic::Float,
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
    // A sum, six covariances, a sorted pixel, its place on the line and its rank for each pixel.
    let shared = PIXELS * (3 + 6 + 3 + 1 + 1) + 2 * threads;
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

type Colour = [f32; 3];

/// From 0 to 1.
fn channels(pixel: u32) -> Colour {
    std::array::from_fn(|c| (pixel >> (8 * c) & 0xFF) as f32 * (1.0 / 255.0))
}

fn dot(a: Colour, b: Colour) -> f32 {
    a[2].mul_add(b[2], a[0].mul_add(b[0], a[1] * b[1]))
}

/// Both end colours in a word, then the codes of the pixels.
fn compress(pixels: &[u32], ways: &[u32]) -> [u32; 2] {
    let colours: Vec<Colour> = pixels.iter().map(|&pixel| channels(pixel)).collect();
    let sums: Colour = std::array::from_fn(|c| sum(colours.iter().map(|colour| colour[c])));
    let axis = best_axis(&colours, sums);
    let mut order: Vec<usize> = (0..PIXELS).collect();
    order.sort_by(|&i, &j| dot(colours[i], axis).total_cmp(&dot(colours[j], axis)));
    let sorted: Vec<_> = order.iter().map(|&i| colours[i]).collect();

    let fits = ways.iter().map(|&way| (fit(&sorted, sums, way), way));
    let best = fits.min_by(|((one, ..), _), ((other, ..), _)| one.total_cmp(other));
    let ((_, mut start, mut end), mut codes) = best.expect("some ways");
    if start < end {
        (start, end) = (end, start);
        codes ^= 0x5555_5555;
    }
    let indices = order.iter().enumerate().map(|(rank, &i)| (codes >> (2 * rank) & 3) << (2 * i)).sum();
    [start | end << 16, indices]
}

/// By a tree, over all pixels.
fn sum(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    while values.len() > 1 {
        let (first, second) = values.split_at(values.len() / 2);
        values = first.iter().zip(second).map(|(a, b)| a + b).collect();
    }
    values[0]
}

/// The direction in which the colours differ most, by eight steps of the power method.
fn best_axis(colours: &[Colour], sums: Colour) -> Colour {
    let difference = |colour: &Colour, c: usize| colour[c] - sums[c] / PIXELS as f32;
    let covariance = |a: usize, b: usize| sum(colours.iter().map(|of| difference(of, a) * difference(of, b)));
    let matrix: [Colour; 3] = std::array::from_fn(|a| std::array::from_fn(|b| covariance(a, b)));
    (0..8).fold([1.0; 3], |axis, _| {
        let next = matrix.map(|row| dot(row, axis));
        let largest = next.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let scale = if largest > 0.0 { 1.0 / largest } else { 0.0 };
        next.map(|x| x * scale)
    })
}

/// Error of a way, but for what all ways have in common, and its end colours.
fn fit(sorted: &[Colour], sums: Colour, way: u32) -> (f32, u32, u32) {
    let alphas = (0..PIXELS).map(|i| ALPHAS[(way >> (2 * i) & 3) as usize]);
    let total = |term: fn(u32) -> u32| alphas.clone().map(term).sum::<u32>();
    let counts = [total(|alpha| alpha * alpha), total(|alpha| (3 - alpha).pow(2)), total(|alpha| alpha * (3 - alpha))];
    let factor = 3.0 / (counts[0] * counts[1] - counts[2] * counts[2]) as f32;
    let [alpha2, beta2, both] = counts.map(|count| count as f32);
    let (mut error, mut start, mut end) = (0.0, 0, 0);
    for c in 0..3 {
        let ax = alphas.clone().zip(sorted).fold(0.0, |sum, (alpha, colour)| (alpha as f32).mul_add(colour[c], sum));
        let bx = 3.0f32.mul_add(sums[c], -ax);
        let bits = if c == 1 { 6 } else { 5 };
        let (a_code, a) = round(ax.mul_add(beta2, -(bx * both)) * factor, bits);
        let (b_code, b) = round(bx.mul_add(alpha2, -(ax * both)) * factor, bits);
        (start, end) = (start << bits | a_code, end << bits | b_code);
        let mixed = (a * b).mul_add(both, -(3.0 * a.mul_add(ax, b * bx)));
        error += 2.0f32.mul_add(mixed, (a * a).mul_add(alpha2, b * b * beta2));
    }
    (error, start, end)
}

/// The nearest number of so many bits, and what it stands for.
fn round(value: f32, bits: u32) -> (u32, f32) {
    let most = ((1 << bits) - 1) as f32;
    let code = (value.clamp(0.0, 1.0) * most).round_ties_even();
    (code as u32, code * (1.0 / most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_four_colours_in_a_line_comes_back() {
        let colour = |i: usize| 0x0020_4010 + 0x0018_1818 * [0, 1, 2, 3][i % 4];
        let pixels: Vec<u32> = (0..PIXELS).map(colour).collect();
        let [ends, indices] = compress(&pixels, &ways());
        let expand = |end: u32| [(11, 31), (5, 63), (0, 31)].map(|(at, most)| (end >> at & most) as f32 / most as f32);
        let (start, end) = (expand(ends & 0xFFFF), expand(ends >> 16));
        for (i, &pixel) in pixels.iter().enumerate() {
            let alpha = ALPHAS[(indices >> (2 * i) & 3) as usize] as f32 / 3.0;
            for c in 0..3 {
                let got = alpha * start[c] + (1.0 - alpha) * end[c];
                assert!((got - channels(pixel)[c]).abs() < 0.03, "pixel {i}: {got}, {:?}", channels(pixel));
            }
        }
    }
}
