//! Matrix multiplication, a tile at a time through shared memory.
use super::{About, Arithmetic, Output, Problem, Random, Sizes};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "matrix product by tiles in shared memory: barriers, little divergence",
    papers: "CUDA SDK",
    arithmetic: Arithmetic::Integer,
    unit: "rows of the square matrices",
    sizes: Sizes { smoke: 10, default: 32, large: 96 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let tile = problem.tile(session.config());
    let mut random = Random::new(problem.seed);
    let (a, b) = (random.words(n * n), random.words(n * n));
    let expected = product(&a, &b, n);
    let (a, b, c) = (session.buffer(&a)?, session.buffer(&b)?, session.zeros(n * n)?);
    let tiles = n.div_ceil(tile) as u32;
    let arguments = [a.address, b.address, c.address, n as u32];
    session.launch([tiles, tiles, 1], [tile as u32, tile as u32, 1], 2 * tile * tile, &arguments)?;
    Ok(vec![Output::exact("c", session.read(c), expected)])
}

fn product(a: &[u32], b: &[u32], n: usize) -> Vec<u32> {
    let mut c = vec![0u32; n * n];
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let terms = (0..n).map(|k| a[row * n + k].wrapping_mul(b[k * n + column]));
        c[row * n + column] = terms.fold(0, u32::wrapping_add);
    }
    c
}
