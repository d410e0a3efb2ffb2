//! Eigenvalues of a symmetric tridiagonal matrix after the CUDA SDK's eigenvalues: bisection with Sturm counts, a thread per
//! eigenvalue, as in its kernel for intervals with one eigenvalue. Other than there, all intervals are Gerschgorin's at first. A
//! count divides once per row, and the core has one division at a time: that bounds the size.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

/// An interval is short if this is more than its length by its larger end: the sample's. And it is if it is this short.
const PRECISION: f32 = 1e-5;
const SHORTEST: f32 = 5e-37;

pub(super) const ABOUT: About = About {
    summary: "eigenvalues of a tridiagonal matrix by bisection: a CTA loops until its last thread is done, divisions",
    papers: "Rhu 2014 (EIGENVL)",
    arithmetic: Arithmetic::Float,
    unit: "rows of the matrix",
    sizes: Sizes { smoke: 6, default: 48, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let config = session.config();
    let threads = problem.threads(config).min(n.next_multiple_of(config.lanes));
    let matrix = Matrix::random(n, problem.seed);
    let (left, right) = matrix.bounds();
    let diagonal = session.buffer(&float_words(&matrix.diagonal))?;
    let beside = session.buffer(&float_words(&matrix.beside))?;
    let values = session.zeros(n)?;
    let buffers = [diagonal, beside, values].map(|buffer| buffer.address);
    let bounds = [left, right, PRECISION].map(f32::to_bits);
    let arguments = [&buffers[..], &[n as u32], &bounds].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], 2 * threads + 1, &arguments)?;
    Ok(vec![Output::floats("eigenvalues", session.read(values), matrix.eigenvalues())])
}

/// A symmetric tridiagonal matrix.
struct Matrix {
    diagonal: Vec<f32>,
    /// `beside[i]` is in rows `i - 1` and `i`; the first is 0, no other one is.
    beside: Vec<f32>,
}

impl Matrix {
    /// The diagonal has numbers of all magnitudes up to 8, of both signs: small eigenvalues take more steps.
    fn random(n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let diagonal = (0..n)
            .map(|_| {
                let magnitude = 8.0 * random.float() / (1 << random.below(6)) as f32;
                if random.below(2) == 0 { magnitude } else { -magnitude }
            })
            .collect();
        let beside = (0..n).map(|i| if i == 0 { 0.0 } else { 0.25 * (1.0 - random.float()) }).collect();
        Self { diagonal, beside }
    }

    /// All eigenvalues are between these (Gerschgorin), also with what a count loses to rounding.
    fn bounds(&self) -> (f32, f32) {
        let radius = |i: usize| self.beside[i] + self.beside.get(i + 1).unwrap_or(&0.0) + 1e-5;
        let rows = || self.diagonal.iter().enumerate();
        let left = rows().map(|(i, centre)| centre - radius(i)).fold(f32::INFINITY, f32::min);
        let right = rows().map(|(i, centre)| centre + radius(i)).fold(f32::NEG_INFINITY, f32::max);
        (left, right)
    }

    /// Eigenvalues below `x`.
    fn count_below(&self, x: f32) -> usize {
        let mut term = 1.0;
        let negative = self.diagonal.iter().zip(&self.beside).filter(|&(centre, beside)| {
            term = centre - x - beside * beside / term;
            term < 0.0
        });
        negative.count()
    }

    /// In ascending order.
    fn eigenvalues(&self) -> Vec<f32> {
        let bisect = |i: usize| {
            let (mut left, mut right) = self.bounds();
            loop {
                let middle = middle(left, right);
                if self.count_below(middle) > i {
                    right = middle;
                } else {
                    left = middle;
                }
                if right - left <= (left.abs().max(right.abs()) * PRECISION).max(SHORTEST) {
                    break;
                }
            }
            middle(left, right)
        };
        (0..self.diagonal.len()).map(bisect).collect()
    }
}

/// Of numbers of one sign without overflow.
fn middle(left: f32, right: f32) -> f32 {
    if (left < 0.0) == (right < 0.0) { (right - left).mul_add(0.5, left) } else { (left + right) * 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eigenvalues below `x`, in doubles.
    fn exact_count(matrix: &Matrix, x: f64) -> usize {
        let mut term = 1.0;
        let negative = matrix.diagonal.iter().zip(&matrix.beside).filter(|&(&centre, &beside)| {
            term = f64::from(centre) - x - f64::from(beside).powi(2) / term;
            term < 0.0
        });
        negative.count()
    }

    #[test]
    fn the_eigenvalues_are_as_near_as_promised() {
        let matrix = Matrix::random(50, 3);
        for (i, &value) in matrix.eigenvalues().iter().enumerate() {
            // Rounding is as if an element of the diagonal were off by two units in the last place of the largest.
            let error = f64::from(value.abs() * PRECISION + 16.0 * f32::EPSILON);
            let (low, high) = (f64::from(value) - error, f64::from(value) + error);
            assert!(exact_count(&matrix, low) <= i && exact_count(&matrix, high) > i, "eigenvalue {i}: {value}");
        }
    }
}
