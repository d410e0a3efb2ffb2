//! Matrix multiplication, a tile at a time through shared memory.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "matrix product by tiles in shared memory: barriers, little divergence",
    papers: "CUDA SDK",
    arithmetic: Arithmetic::Float,
    unit: "rows of the square matrices",
    sizes: Sizes { smoke: 10, default: 32, large: 96 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let tile = problem.tile(session.config());
    let mut random = Random::new(problem.seed);
    let mut matrix = || -> Vec<f32> { (0..n * n).map(|_| random.of_either_sign()).collect() };
    let (a, b) = (matrix(), matrix());
    let expected = product(&a, &b, n);
    let (a, b, c) = (session.buffer(&float_words(&a))?, session.buffer(&float_words(&b))?, session.zeros(n * n)?);
    let tiles = n.div_ceil(tile) as u32;
    let arguments = [a.address, b.address, c.address, n as u32];
    session.launch([tiles, tiles, 1], [tile as u32, tile as u32, 1], 2 * tile * tile, &arguments)?;
    Ok(vec![Output::floats("c", session.read(c), expected)])
}

fn product(a: &[f32], b: &[f32], n: usize) -> Vec<f32> {
    let mut c = vec![0.0; n * n];
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        c[row * n + column] = (0..n).fold(0.0, |sum, k| a[row * n + k].mul_add(b[k * n + column], sum));
    }
    c
}
