//! Product of a sparse matrix and a vector, in compressed sparse rows, after Bell and Garland (2009), in fixed point.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid, words};
use crate::host::{DeviceError, Session};

/// Fraction bits.
const FRACTION: u32 = 12;

pub(super) const ABOUT: About = About {
    summary: "sparse matrix times vector: a thread per row, rows of unequal length, scattered loads",
    papers: "none of those here; Bell and Garland 2009 (CSR, scalar), Parboil",
    arithmetic: Arithmetic::FixedPoint { fraction: FRACTION },
    unit: "rows of the square matrix",
    sizes: Sizes { smoke: 50, default: 1024, large: 8192 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let rows: Vec<Vec<(u32, i32)>> = (0..n).map(|_| row(&mut random, n)).collect();
    let vector: Vec<i32> = (0..n).map(|_| number(&mut random)).collect();
    let product = |row: &Vec<(u32, i32)>| {
        row.iter().map(|&(column, value)| (value * vector[column as usize]) >> FRACTION).sum::<i32>()
    };
    let expected: Vec<i32> = rows.iter().map(product).collect();

    let mut first = vec![0];
    first.extend(rows.iter().scan(0, |sum, row| {
        *sum += row.len() as u32;
        Some(*sum)
    }));
    let (columns, values): (Vec<u32>, Vec<i32>) = rows.into_iter().flatten().unzip();
    let (first, columns) = (session.buffer(&first)?, session.buffer(&columns)?);
    let (values, vector) = (session.buffer(&words(&values))?, session.buffer(&words(&vector))?);
    let product = session.zeros(n)?;
    let buffers = [first, columns, values, vector, product].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[n as u32]].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![Output::exact("product", session.read(product), words(&expected))])
}

/// From -1 to 1.
fn number(random: &mut Random) -> i32 {
    random.below(2 << FRACTION) as i32 - (1 << FRACTION)
}

/// Columns and values of a row: a few, in one row of sixteen many.
fn row(random: &mut Random, n: usize) -> Vec<(u32, i32)> {
    let count = if random.below(16) == 0 { 16 + random.below(32) } else { random.below(12) };
    let mut columns: Vec<u32> = (0..count).map(|_| random.below(n as u32)).collect();
    columns.sort_unstable();
    columns.dedup();
    columns.into_iter().map(|column| (column, number(random))).collect()
}
