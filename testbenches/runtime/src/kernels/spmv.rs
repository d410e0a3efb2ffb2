//! Product of a sparse matrix and a vector, in compressed sparse rows, after Bell and Garland (2009).
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "sparse matrix times vector: a thread per row, rows of unequal length, scattered loads",
    papers: "none of those here; Bell and Garland 2009 (CSR, scalar), Parboil",
    arithmetic: Arithmetic::Float,
    unit: "rows of the square matrix",
    sizes: Sizes { smoke: 50, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let rows: Vec<Vec<(u32, f32)>> = (0..n).map(|_| row(&mut random, n)).collect();
    let vector: Vec<f32> = (0..n).map(|_| random.of_either_sign()).collect();
    let product = |row: &Vec<(u32, f32)>| {
        row.iter().fold(0.0f32, |sum, &(column, value)| value.mul_add(vector[column as usize], sum))
    };
    let expected: Vec<f32> = rows.iter().map(product).collect();

    let mut first = vec![0];
    first.extend(rows.iter().scan(0, |sum, row| {
        *sum += row.len() as u32;
        Some(*sum)
    }));
    let (columns, values): (Vec<u32>, Vec<f32>) = rows.into_iter().flatten().unzip();
    let (first, columns) = (session.buffer(&first)?, session.buffer(&columns)?);
    let (values, vector) = (session.buffer(&float_words(&values))?, session.buffer(&float_words(&vector))?);
    let product = session.zeros(n)?;
    let buffers = [first, columns, values, vector, product].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[n as u32]].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![Output::floats("product", session.read(product), expected)])
}

/// Columns and values of a row: a few, in one row of sixteen many.
fn row(random: &mut Random, n: usize) -> Vec<(u32, f32)> {
    let count = if random.below(16) == 0 { 16 + random.below(32) } else { random.below(12) };
    let mut columns: Vec<u32> = (0..count).map(|_| random.below(n as u32)).collect();
    columns.sort_unstable();
    columns.dedup();
    columns.into_iter().map(|column| (column, random.of_either_sign())).collect()
}
