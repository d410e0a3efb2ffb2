//! Sobel filter after the CUDA SDK's SobelFilter, a CTA per row of an image of bytes; pixels of the border take the nearest pixel for
//! those outside. The sample's scale, a float, has 8 fraction bits.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

/// Fraction bits of the scale, and the scale.
const FRACTION: u32 = 8;
const SCALE: u32 = 160;

pub(super) const ABOUT: About = About {
    summary: "Sobel filter of an image of bytes: branches at the border, and to clamp the result",
    papers: "Rhu 2014 (SOBFLT)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
    unit: "pixels to a side",
    sizes: Sizes { smoke: 12, default: 128, large: 352 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    let threads = problem.threads(config).min(n.next_multiple_of(config.lanes));
    let mut random = Random::new(problem.seed);
    let image: Vec<u8> = (0..n * n).map(|_| (random.below(180) + 40 * (random.below(2))) as u8).collect();
    let (from, to) = (session.buffer(&packed(&image))?, session.zeros((n * n).div_ceil(4))?);
    let arguments = [from.address, to.address, n as u32, n as u32, SCALE];
    session.launch([n as u32, 1, 1], [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![Output::exact("edges", session.read(to), packed(&edges(&image, n)))])
}

/// Four bytes to a word, the last filled up with zeros.
fn packed(bytes: &[u8]) -> Vec<u32> {
    let byte = |bytes: &[u8], i: usize| bytes.get(i).copied().unwrap_or(0);
    bytes.chunks(4).map(|four| u32::from_le_bytes(std::array::from_fn(|i| byte(four, i)))).collect()
}

fn edges(image: &[u8], n: usize) -> Vec<u8> {
    const WEIGHTS: [[i32; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
    let edge = |i: usize| {
        let (mut horizontal, mut vertical) = (0, 0);
        for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
            let y = (i / n + row).saturating_sub(1).min(n - 1);
            let x = (i % n + column).saturating_sub(1).min(n - 1);
            let pixel = i32::from(image[y * n + x]);
            horizontal += WEIGHTS[row][column] * pixel;
            vertical += WEIGHTS[column][row] * pixel;
        }
        let sum = ((horizontal.unsigned_abs() + vertical.unsigned_abs()) * SCALE) >> FRACTION;
        sum.min(255) as u8
    };
    (0..n * n).map(edge).collect()
}
