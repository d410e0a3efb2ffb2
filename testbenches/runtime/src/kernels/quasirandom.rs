//! Quasirandom numbers after the CUDA SDK's quasirandomGenerator: points in three dimensions from direction vectors, then normally
//! distributed numbers from them by Moro's approximation. Direction vectors are Sobol's (there: Niederreiter's),
//! and points stay integers.
use super::elementary::{logarithm, polynomial};
use super::{About, Arithmetic, Output, Problem, Sizes};
use crate::host::{DeviceError, Session};

/// Bits of a direction vector, and dimensions: the sample's.
const RESOLUTION: usize = 31;
const DIMENSIONS: usize = 3;
/// The steps, as the source numbers them.
const GENERATE: u32 = 0;
const INVERT: u32 = 1;

pub(super) const ABOUT: About = About {
    summary: "quasirandom numbers, made normal: a loop over bits, then a short side and a longer one in the tails",
    papers: "Rhu 2014 (QSRDM)",
    arithmetic: Arithmetic::Float,
    unit: "points",
    sizes: Sizes { smoke: 10, default: 768, large: 6144 },
};

/// The seed says where in the sequence to begin, as in the sample.
pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let first = (problem.seed % 1024) as u32;
    let threads = problem.threads(session.config());
    let most = session.config().cta_slots;
    let directions: Vec<u32> = directions().into_iter().flatten().collect();
    let directions = session.buffer(&directions)?;
    let (values, normals) = (session.zeros(DIMENSIONS * n)?, session.zeros(DIMENSIONS * n)?);
    let buffers = [directions, values, normals].map(|buffer| buffer.address);
    // No more CTAs than can be resident: threads take several numbers each.
    let mut launch = |count: usize, width: usize, height: usize, step| {
        let ctas = count.div_ceil(width).min(most) as u32;
        let arguments = [&buffers[..], &[count as u32, first, step]].concat();
        session.launch([ctas, 1, 1], [width as u32, height as u32, 1], 0, &arguments)
    };
    launch(n, (threads / DIMENSIONS).max(1), DIMENSIONS, GENERATE)?;
    launch(DIMENSIONS * n, threads, 1, INVERT)?;
    let points = points(first, n);
    let inverse: Vec<f32> = points.iter().map(|&point| inverse_normal(point)).collect();
    let points: Vec<u32> = points.iter().map(|point| point / 2).collect();
    Ok(vec![
        Output::exact("values", session.read(values), points),
        Output::floats("normals", session.read(normals), inverse),
    ])
}

/// Sobol's, for the polynomials 1 (van der Corput), x + 1 and x^2 + x + 1.
fn directions() -> [[u32; RESOLUTION]; DIMENSIONS] {
    let mut numbers = [[1u32; RESOLUTION]; DIMENSIONS];
    numbers[2][1] = 3;
    for i in 1..RESOLUTION {
        numbers[1][i] = numbers[1][i - 1] << 1 ^ numbers[1][i - 1];
        if i >= 2 {
            numbers[2][i] = numbers[2][i - 1] << 1 ^ numbers[2][i - 2] << 2 ^ numbers[2][i - 2];
        }
    }
    numbers.map(|row| std::array::from_fn(|i| row[i] << (RESOLUTION - 1 - i)))
}

/// `n` numbers of each dimension, with 32 fraction bits.
fn points(first: u32, n: usize) -> Vec<u32> {
    let point = |row: &[u32; RESOLUTION], position: u32| {
        let set = row.iter().enumerate().filter(|(bit, _)| position >> bit & 1 == 1);
        2 * (set.fold(0, |value, (_, direction)| value ^ direction) + 1)
    };
    let dimension = |row: &[u32; RESOLUTION]| (0..n as u32).map(|i| point(row, first + i)).collect::<Vec<_>>();
    directions().iter().flat_map(dimension).collect()
}

/// Moro's approximation, of a number with 32 fraction bits.
fn inverse_normal(x: u32) -> f32 {
    const OVER: [f32; 4] = [-25.441061, 41.391197, -18.615, 2.5066283];
    const UNDER: [f32; 5] = [3.130829, -21.06224, 23.083368, -8.473511, 1.0];
    const TAIL: [f32; 9] = [
        3.960315e-7,
        2.8881675e-7,
        3.2176787e-5,
        3.9518965e-4,
        3.840573e-3,
        2.7643882e-2,
        0.16079797,
        0.976169,
        0.33747548,
    ];
    let upper = x >= 1 << 31;
    let lower = if upper { !x } else { x };
    let probability = (lower as f32).mul_add(1.0 / 4_294_967_296.0, 0.5 / 4_294_967_296.0);
    let y = probability - 0.5;
    let z = if y > -0.42 {
        y * polynomial(&OVER, y * y) / polynomial(&UNDER, y * y)
    } else {
        -polynomial(&TAIL, logarithm(-logarithm(probability)))
    };
    if upper { -z } else { z }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (probability, quantile) in [
            (0.5, 0.0),
            (0.9, 1.28155),
            (0.91, 1.34076),
            (0.93, 1.47579),
            (0.975, 1.95996),
            (0.001, -3.09023),
            (0.3, -0.52440),
        ] {
            let got = f64::from(inverse_normal((probability * 2f64.powi(32)) as u32));
            assert!((got - quantile).abs() < 2e-5, "{probability}: {got}, expected {quantile}");
        }
    }

    #[test]
    fn every_256_points_fall_into_256_equal_parts() {
        for dimension in points(512, 256).chunks(256) {
            let mut parts: Vec<u32> = dimension.iter().map(|point| point >> 24).collect();
            parts.sort_unstable();
            assert!(parts.iter().copied().eq(0..256), "{parts:?}");
        }
    }
}
