//! Matrix product in floats, as BLAS's sgemm has it: tiles in shared memory, several results in the registers of a thread.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Results of a thread, as in the source.
const WORK: usize = 4;
/// Rows and columns of the largest tile.
const TILE: usize = 16;

pub(super) const ABOUT: About = About {
    summary: "matrix product in floats: tiles in shared memory, four sums in the registers of a thread, no divergence but at the edges",
    papers: "CUDA SDK, BLAS",
    arithmetic: Arithmetic::Float,
    unit: "rows of the first matrix",
    sizes: Sizes { smoke: 10, default: 32, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    // Three sizes that differ a little, so that every edge of a tile occurs.
    let sizes = [problem.size, problem.size + 3, problem.size + 1];
    let [m, n, k] = sizes;
    let most = (problem.threads(session.config()) * WORK).isqrt().clamp(WORK, TILE);
    let tile = most / WORK * WORK;
    let mut random = Random::new(problem.seed);
    let mut matrix =
        |rows: usize, columns: usize| -> Vec<f32> { (0..rows * columns).map(|_| random.of_either_sign()).collect() };
    let (a, b, before) = (matrix(m, k), matrix(k, n), matrix(m, n));
    let (alpha, beta) = (1.5f32, -0.75f32);
    let [of_a, of_b, of_c] = [&a, &b, &before].map(|matrix| session.buffer(&float_words(matrix)));
    let (of_a, of_b, of_c, of_sizes) = (of_a?, of_b?, of_c?, session.buffer(&sizes.map(|size| size as u32))?);
    let buffers = [of_a, of_b, of_c, of_sizes].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[alpha.to_bits(), beta.to_bits()]].concat();
    let grid = [n.div_ceil(tile) as u32, m.div_ceil(tile) as u32, 1];
    session.launch(grid, [tile as u32, (tile / WORK) as u32, 1], 2 * tile * tile, &arguments)?;
    let result = |i: usize| {
        let (row, column) = (i / n, i % n);
        let terms = (0..k).map(|k_| (a[row * k + k_], b[k_ * n + column]));
        let sum = terms.fold(0.0f32, |sum, (a, b)| a.mul_add(b, sum));
        beta.mul_add(before[i], alpha * sum)
    };
    Ok(vec![Output::floats("c", session.read(of_c), (0..m * n).map(result).collect())])
}
