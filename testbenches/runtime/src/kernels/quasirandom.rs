//! Quasirandom numbers after the CUDA SDK's quasirandomGenerator: points in three dimensions from direction vectors, then normally
//! distributed numbers from them by Moro's approximation. Direction vectors are Sobol's (there: Niederreiter's); fixed point with 24
//! fraction bits, logarithms by a series.
use super::{About, Arithmetic, Output, Problem, Sizes, words};
use crate::host::{DeviceError, Session};

/// Bits of a direction vector, and dimensions: the sample's.
const RESOLUTION: usize = 31;
const DIMENSIONS: usize = 3;
/// Fraction bits.
const FRACTION: u32 = 24;
/// The steps, as the source numbers them.
const GENERATE: u32 = 0;
const INVERT: u32 = 1;

pub(super) const ABOUT: About = About {
    summary: "quasirandom numbers, made normal: a loop over bits, then a short side and a longer one in the tails",
    papers: "Rhu 2014 (QSRDM)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
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
    let inverse: Vec<i32> = points.iter().map(|&point| inverse_normal(point)).collect();
    let points: Vec<u32> = points.iter().map(|point| point / 2).collect();
    Ok(vec![
        Output::exact("values", session.read(values), points),
        Output::exact("normals", session.read(normals), words(&inverse)),
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

fn fixed(x: f64) -> i32 {
    (x * f64::from(1 << FRACTION)).round() as i32
}

fn multiply(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b)) >> FRACTION) as i32
}

/// In two parts, of as many bits as there is room for.
fn divide(a: i32, b: i32) -> i32 {
    let high = (a << 6) / (b >> 6);
    let rest = a - ((i64::from(high) * i64::from(b)) >> 12) as i32;
    (high << 12) + (rest << 16) / (b >> 8)
}

/// A polynomial, the factor of the highest power first.
fn polynomial(factors: &[f64], x: i32) -> i32 {
    factors.iter().fold(0, |sum, &factor| fixed(factor) + multiply(x, sum))
}

/// Natural logarithm of a number with `point` fraction bits.
fn logarithm(x: u32, point: i32) -> i32 {
    let zeros = x.leading_zeros();
    let mantissa = (x << zeros >> 8) as i32;
    let s = divide((mantissa - fixed(1.0)) / 2, (mantissa + fixed(1.0)) / 2);
    let series = polynomial(&[2.0 / 7.0, 2.0 / 5.0, 2.0 / 3.0, 2.0], multiply(s, s));
    multiply(s, series) + (32 - zeros as i32 - point) * fixed(std::f64::consts::LN_2)
}

/// Moro's approximation, of a number with 32 fraction bits.
fn inverse_normal(x: u32) -> i32 {
    const OVER: [f64; 4] = [-25.44106049637, 41.39119773534, -18.61500062529, 2.50662823884];
    const UNDER: [f64; 5] = [3.13082909833, -21.06224101826, 23.08336743743, -8.4735109309, 1.0];
    const TAIL: [f64; 9] = [
        0.0000003960315187,
        0.000000288817,
        0.0000321767881768,
        0.0003951896511919,
        0.0038405729373609,
        0.0276438810333863,
        0.1607979714918209,
        0.9761690190917186,
        0.3374754822726147,
    ];
    let half = 1 << 31;
    let lower = x.min(x.wrapping_neg());
    let y = ((half - lower) >> (32 - FRACTION)) as i32;
    let z = if y < fixed(0.42) {
        let square = multiply(y, y);
        divide(multiply(y, polynomial(&OVER, square)), polynomial(&UNDER, square))
    } else {
        polynomial(&TAIL, logarithm(logarithm(lower, 32).unsigned_abs(), FRACTION as i32))
    };
    if x >= half { z } else { -z }
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
            let got = f64::from(inverse_normal((probability * 2f64.powi(32)) as u32)) / f64::from(1 << FRACTION);
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
