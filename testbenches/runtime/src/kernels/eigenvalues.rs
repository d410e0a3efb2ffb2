//! Eigenvalues of a symmetric tridiagonal matrix after the CUDA SDK's eigenvalues: bisection with Sturm counts, a thread per
//! eigenvalue, as in its kernel for intervals with one eigenvalue. Other than there, all intervals are Gerschgorin's at first. Fixed
//! point with 12 fraction bits. A count divides once per row, and the core has one division at a time: that bounds the size.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid, words};
use crate::host::{DeviceError, Session};

/// Fraction bits.
const FRACTION: u32 = 12;
/// An interval is short if it has no more units than this, or than its distance from zero shifted down by so many bits.
const PRECISION: i32 = 2;
const RELATIVE_BITS: u32 = 8;

pub(super) const ABOUT: About = About {
    summary: "eigenvalues of a tridiagonal matrix by bisection: a CTA loops until its last thread is done, divisions",
    papers: "Rhu 2014 (EIGENVL)",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
    unit: "rows of the matrix",
    sizes: Sizes { smoke: 6, default: 48, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    let threads = problem.threads(config).min(n.next_multiple_of(config.lanes));
    let matrix = Matrix::random(n, problem.seed);
    let (left, right) = matrix.bounds();
    let diagonal = session.buffer(&words(&matrix.diagonal))?;
    let squares = session.buffer(&words(&matrix.squares()))?;
    let values = session.zeros(n)?;
    let buffers = [diagonal, squares, values].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[n as u32, left as u32, right as u32, PRECISION as u32]].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], 2 * threads + 1, &arguments)?;
    Ok(vec![Output::exact("eigenvalues", session.read(values), words(&matrix.eigenvalues()))])
}

/// A symmetric tridiagonal matrix.
struct Matrix {
    diagonal: Vec<i32>,
    /// `beside[i]` is in rows `i - 1` and `i`; the first is 0.
    beside: Vec<i32>,
}

impl Matrix {
    /// The diagonal has numbers of all magnitudes up to 8, of both signs: small eigenvalues take more steps.
    fn random(n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let diagonal = (0..n)
            .map(|_| {
                let magnitude = (random.below(8 << FRACTION) >> random.below(6)) as i32;
                if random.below(2) == 0 { magnitude } else { -magnitude }
            })
            .collect();
        let beside = (0..n).map(|i| if i == 0 { 0 } else { random.below(1 << (FRACTION - 2)) as i32 }).collect();
        Self { diagonal, beside }
    }

    /// With twice the fraction bits.
    fn squares(&self) -> Vec<i32> {
        self.beside.iter().map(|element| element * element).collect()
    }

    /// All eigenvalues are between these (Gerschgorin), also with what a count loses to rounding.
    fn bounds(&self) -> (i32, i32) {
        let radius = |i: usize| self.beside[i] + self.beside.get(i + 1).unwrap_or(&0) + 4;
        let rows = || self.diagonal.iter().enumerate();
        let left = rows().map(|(i, centre)| centre - radius(i)).min();
        let right = rows().map(|(i, centre)| centre + radius(i)).max();
        (left.unwrap_or(0), right.unwrap_or(0))
    }

    /// Eigenvalues below `x`.
    fn count_below(&self, x: i32) -> usize {
        let mut term = 1 << FRACTION;
        let negative = self.diagonal.iter().zip(self.squares()).filter(|&(centre, square)| {
            term = centre - (x + square / term);
            term += i32::from(term == 0);
            term < 0
        });
        negative.count()
    }

    /// In ascending order.
    fn eigenvalues(&self) -> Vec<i32> {
        let bisect = |i: usize| {
            let (mut left, mut right) = self.bounds();
            let mut short = left == right;
            while !short {
                let middle = left + (right - left) / 2;
                if self.count_below(middle) > i {
                    right = middle;
                } else {
                    left = middle;
                }
                short = right - left <= (left.abs().max(right.abs()) >> RELATIVE_BITS).max(PRECISION);
            }
            left + (right - left) / 2
        };
        (0..self.diagonal.len()).map(bisect).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eigenvalues below `x` units, in floating point.
    fn exact_count(matrix: &Matrix, x: f64) -> usize {
        let mut term = 1.0;
        let negative = matrix.diagonal.iter().zip(matrix.squares()).filter(|&(&centre, square)| {
            term = f64::from(centre) - x - f64::from(square) / term;
            term < 0.0
        });
        negative.count()
    }

    #[test]
    fn the_eigenvalues_are_as_near_as_promised() {
        let matrix = Matrix::random(50, 3);
        for (i, &value) in matrix.eigenvalues().iter().enumerate() {
            // Rounding is as if an element of the diagonal were off by less than three units.
            let error = f64::from((value.abs() >> RELATIVE_BITS).max(PRECISION) + 4);
            let (low, high) = (f64::from(value) - error, f64::from(value) + error);
            assert!(exact_count(&matrix, low) <= i && exact_count(&matrix, high) > i, "eigenvalue {i}: {value}");
        }
    }
}
