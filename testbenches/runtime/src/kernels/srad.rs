//! Diffusion that takes away the speckle of an image, after Rodinia's srad_v1 (Che et al. 2009): two rounds, without the exponential of
//! the image before them and its logarithm behind them.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

/// Rounds, and how much of a difference flows in one, with the quarter of the method.
const ROUNDS: usize = 2;
const RATE: f32 = 0.25 * 0.5;
/// An image of a single colour has no speckle, and that is divided by.
const LEAST_SPECKLE: f32 = 1e-6;
/// What a launch does, as the source numbers it.
const PREPARE: u32 = 0;
const REDUCE: u32 = 1;
const COEFFICIENTS: u32 = 2;
const FLOW: u32 = 3;
/// Words of work for each pixel: a sum, a square, a coefficient and four differences.
const WORK: usize = 7;

pub(super) const ABOUT: About = About {
    summary: "diffusion against speckle: sums by trees with barriers, neighbours from tables, coefficients cut off at both ends",
    papers: "Turner 2012 (SRAD), Rhu 2014 (SRAD)",
    arithmetic: Arithmetic::Float,
    unit: "pixels to a side of the image",
    sizes: Sizes { smoke: 5, default: 40, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let side = problem.size;
    let n = side * side;
    // The tree has a power of two at its bottom.
    let threads = 1 << problem.threads(session.config()).ilog2();
    let mut image = image(side, problem.seed);
    let neighbours = Neighbours::new(side);
    let (buffer, work) = (session.buffer(&float_words(&image))?, session.zeros(WORK * n)?);
    let tables = session.buffer(&neighbours.tables())?;
    let buffers = [buffer, work, tables].map(|buffer| buffer.address);
    let launch = |session: &mut Session, step, count: usize, stride: usize, speckle: f32| {
        let arguments = [&buffers[..], &[side as u32, count as u32, stride as u32, speckle.to_bits(), step]].concat();
        session.launch(grid(count, threads), [threads as u32, 1, 1], 2 * threads, &arguments)
    };
    for _ in 0..ROUNDS {
        launch(session, PREPARE, n, 1, 0.0)?;
        let (mut count, mut stride) = (n, 1);
        while count > 1 {
            launch(session, REDUCE, count, stride, 0.0)?;
            (count, stride) = (count.div_ceil(threads), stride * threads);
        }
        let sums = session.read(work);
        let speckle = speckle(f32::from_bits(sums[0]), f32::from_bits(sums[n]), n);
        launch(session, COEFFICIENTS, n, 1, speckle)?;
        launch(session, FLOW, n, 1, speckle)?;
        image = round(&image, &neighbours, threads);
    }
    Ok(vec![Output::floats("image", session.read(buffer), image)])
}

/// Exponentials, as it were, of a bright square on a dark ground with speckle.
fn image(side: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let inside = |at: usize| (side / 4..side - side / 4).contains(&at);
    let ground = |i: usize| if inside(i % side) && inside(i / side) { 2.0 } else { 1.25 };
    (0..side * side).map(|i| ground(i) * (0.8 + 0.4 * random.float())).collect()
}

/// Rows and columns before and after each; those at the edges have themselves.
struct Neighbours {
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Neighbours {
    fn new(side: usize) -> Self {
        Self {
            before: (0..side).map(|at| at.saturating_sub(1)).collect(),
            after: (0..side).map(|at| (at + 1).min(side - 1)).collect(),
        }
    }

    /// To the north, south, west and east.
    fn tables(&self) -> Vec<u32> {
        let all = [&self.before, &self.after, &self.before, &self.after];
        all.into_iter().flatten().map(|&at| at as u32).collect()
    }
}

/// Variance by the square of the mean.
fn speckle(sum: f32, squares: f32, n: usize) -> f32 {
    let mean = sum / n as f32;
    let variance = squares / n as f32 - mean * mean;
    (variance / (mean * mean)).max(LEAST_SPECKLE)
}

/// In the order of the trees: parts of so many elements, their sums again.
fn sum(mut values: Vec<f32>, threads: usize) -> f32 {
    while values.len() > 1 {
        values = values.chunks(threads).map(sum_of_part).collect();
    }
    values[0]
}

/// A tree over a power of two, then what is left.
fn sum_of_part(part: &[f32]) -> f32 {
    let full = 1 << part.len().ilog2();
    let mut tree = part[..full].to_vec();
    while tree.len() > 1 {
        tree = tree.chunks(2).map(|pair| pair[1] + pair[0]).collect();
    }
    part[full..].iter().fold(tree[0], |sum, value| sum + value)
}

/// The image after a round.
fn round(image: &[f32], neighbours: &Neighbours, threads: usize) -> Vec<f32> {
    let Neighbours { before, after } = neighbours;
    let (side, n) = (before.len(), image.len());
    let squares = image.iter().map(|pixel| pixel * pixel).collect();
    let speckle = speckle(sum(image.to_vec(), threads), sum(squares, threads), n);
    let pixels: Vec<([f32; 4], f32)> = (0..n)
        .map(|i| {
            let (row, column, here) = (i % side, i / side, image[i]);
            let around = [(before[row], column), (after[row], column), (row, before[column]), (row, after[column])];
            let differences = around.map(|(row, column)| image[row + side * column] - here);
            (differences, coefficient(differences, here, speckle))
        })
        .collect();
    let flow = |i: usize| {
        let (row, column) = (i % side, i / side);
        let ([north, south, west, east], here) = pixels[i];
        let (below, right) = (pixels[after[row] + side * column].1, pixels[row + side * after[column]].1);
        let divergence = right.mul_add(east, here.mul_add(west, here.mul_add(north, below * south)));
        RATE.mul_add(divergence, image[i])
    };
    (0..n).map(flow).collect()
}

/// How much may flow, from the differences to the neighbours.
fn coefficient([north, south, west, east]: [f32; 4], here: f32, speckle: f32) -> f32 {
    let squares = east.mul_add(east, west.mul_add(west, north.mul_add(north, south * south)));
    let (gradient, laplacian) = (squares / (here * here), (north + south + west + east) / here);
    let spread = 0.25f32.mul_add(laplacian, 1.0);
    let variation = 0.5f32.mul_add(gradient, -(laplacian * laplacian / 16.0)) / (spread * spread);
    (1.0 / (1.0 + (variation - speckle) / (speckle * (1.0 + speckle)))).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_small_integers_are_exact_in_any_order() {
        for n in 1..70 {
            let values: Vec<f32> = (0..n).map(|i| i as f32).collect();
            assert_eq!(sum(values, 8), (n * (n - 1) / 2) as f32, "{n}");
        }
    }

    #[test]
    fn speckle_becomes_less() {
        let side = 24;
        let deviation = |image: &[f32]| {
            // Of the dark ground, above the bright square.
            let ground: Vec<f32> = (0..4 * side).map(|i| image[i % 4 + side * (i / 4)]).collect();
            let mean = ground.iter().sum::<f32>() / ground.len() as f32;
            ground.iter().map(|pixel| (pixel - mean).powi(2)).sum::<f32>()
        };
        let before = image(side, 1);
        let after = round(&round(&before, &Neighbours::new(side), 64), &Neighbours::new(side), 64);
        assert!(deviation(&after) < 0.5 * deviation(&before), "{} {}", deviation(&before), deviation(&after));
    }
}
