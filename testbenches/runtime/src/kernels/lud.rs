//! LU decomposition after Rodinia (Che et al. 2009), in place, without pivoting, blocked: for each block of the diagonal a launch for
//! the block, one for its row and column of blocks, one for the blocks behind. The matrix is diagonally dominant. Any
//! size: padded with the identity to full blocks.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// The largest side of a block: Rodinia's.
const BLOCK: usize = 16;
/// The steps, as the source numbers them.
const DIAGONAL: u32 = 0;
const PERIMETER: u32 = 1;
const INTERNAL: u32 = 2;

pub(super) const ABOUT: About = About {
    summary: "LU decomposition in blocks: half of each warp on a row of blocks, half on a column, loads on both sides",
    papers: "Rhu 2014 (LUD), Turner 2012 (LUD)",
    arithmetic: Arithmetic::Float,
    unit: "rows",
    sizes: Sizes { smoke: 8, default: 64, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let config = session.config();
    // As in Rodinia, a row and a column of blocks share a warp.
    let threads = problem.block.unwrap_or(config.lanes);
    let size = (threads / 2).clamp(1, BLOCK.min((config.lanes * config.warps).isqrt()));
    let n = problem.size.next_multiple_of(size);
    let matrix = matrix(problem.size, n, problem.seed);
    let buffer = session.buffer(&float_words(&matrix))?;

    for offset in (0..n).step_by(size) {
        let behind = ((n - offset) / size - 1) as u32;
        let (side, area) = (size as u32, size * size);
        let mut launch = |step, ctas: [u32; 2], block: [u32; 2], shared| {
            let arguments = [buffer.address, n as u32, offset as u32, side, step];
            session.launch([ctas[0], ctas[1], 1], [block[0], block[1], 1], shared, &arguments)
        };
        launch(DIAGONAL, [1, 1], [side, 1], area)?;
        if behind > 0 {
            launch(PERIMETER, [behind, 1], [2 * side, 1], 3 * area)?;
            launch(INTERNAL, [behind, behind], [side, side], 2 * area)?;
        }
    }
    Ok(vec![Output::floats("matrix", session.read(buffer), decompose(matrix, n))])
}

/// `size` rows of numbers from -1 to 1 and a dominant diagonal, in the corner of an identity of `n` rows.
fn matrix(size: usize, n: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut matrix = vec![0.0; n * n];
    for row in 0..size {
        for column in 0..size {
            matrix[row * n + column] = random.of_either_sign();
        }
        matrix[row * n + row] += (size + 1) as f32;
    }
    (size..n).for_each(|row| matrix[row * n + row] = 1.0);
    matrix
}

/// Element by element. Blocks do not change the order in which products are subtracted from an element.
fn decompose(mut matrix: Vec<f32>, n: usize) -> Vec<f32> {
    for k in 0..n {
        for row in k + 1..n {
            let factor = matrix[row * n + k] / matrix[k * n + k];
            matrix[row * n + k] = factor;
            for column in k + 1..n {
                let from = matrix[row * n + column];
                matrix[row * n + column] = (-factor).mul_add(matrix[k * n + column], from);
            }
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factors_multiply_to_the_matrix() {
        let (size, n) = (37, 40);
        let before = matrix(size, n, 5);
        let lu = decompose(before.clone(), n);
        for row in 0..n {
            for column in 0..n {
                let factor = |k: usize| if k == row { 1.0 } else { f64::from(lu[row * n + k]) };
                let products = (0..=row.min(column)).map(|k| factor(k) * f64::from(lu[k * n + column]));
                let error = products.sum::<f64>() - f64::from(before[row * n + column]);
                // Every product is rounded, and no sum is larger than the diagonal.
                let most = n as f64 * (size + 2) as f64 * f64::from(f32::EPSILON);
                assert!(error.abs() <= most, "row {row}, column {column}: off by {error}");
            }
        }
    }
}
