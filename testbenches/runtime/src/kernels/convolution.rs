//! Separable convolution after the CUDA SDK's convolutionSeparable: a launch along the rows, one along the columns, each through tiles
//! in shared memory with an apron of what the 17 taps reach. The image is 0 outside.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// The sample's radius.
const RADIUS: usize = 8;
/// Widths of a CTA that it does.
const STEPS: usize = 2;
/// The passes, as the source numbers them.
const ROWS: u32 = 0;
const COLUMNS: u32 = 1;

pub(super) const ABOUT: About = About {
    summary: "separable convolution through tiles with an apron: divergence at the borders of the image only",
    papers: "Rhu 2014 (CONVSEP)",
    arithmetic: Arithmetic::Float,
    unit: "pixels to a side",
    sizes: Sizes { smoke: 6, default: 64, large: 176 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let tile = problem.tile(session.config());
    let halo = RADIUS.div_ceil(tile);
    let mut random = Random::new(problem.seed);
    let image: Vec<f32> = (0..n * n).map(|_| random.float()).collect();
    let most = 2.0 / (2 * RADIUS + 1) as f32;
    let taps: Vec<f32> = (0..=2 * RADIUS).map(|_| most * (random.float() - 0.25)).collect();

    let (input, output) = (session.buffer(&float_words(&image))?, session.zeros(n * n)?);
    let (middle, tap_buffer) = (session.zeros(n * n)?, session.buffer(&float_words(&taps))?);
    let (few, many) = (n.div_ceil(STEPS * tile) as u32, n.div_ceil(tile) as u32);
    let shared = tile * ((STEPS + 2 * halo) * tile + 1);
    for (from, to, grid, pass) in [(input, middle, [few, many, 1], ROWS), (middle, output, [many, few, 1], COLUMNS)] {
        let buffers = [from, to, tap_buffer].map(|buffer| buffer.address);
        let arguments = [&buffers[..], &[n as u32, STEPS as u32, halo as u32, pass]].concat();
        session.launch(grid, [tile as u32, tile as u32, 1], shared, &arguments)?;
    }
    let rows = convolve(&image, &taps, n, |line, place| line * n + place);
    let columns = convolve(&rows, &taps, n, |line, place| place * n + line);
    Ok(vec![Output::floats("image", session.read(output), columns)])
}

/// Along the lines of an image; `at(line, place)` says where a pixel is.
fn convolve(image: &[f32], taps: &[f32], n: usize, at: impl Fn(usize, usize) -> usize) -> Vec<f32> {
    let mut result = vec![0.0; n * n];
    for (line, place) in (0..n).flat_map(|line| (0..n).map(move |place| (line, place))) {
        let reached = place.saturating_sub(RADIUS)..n.min(place + RADIUS + 1);
        let terms = reached.map(|from| (taps[place + RADIUS - from], image[at(line, from)]));
        result[at(line, place)] = terms.fold(0.0f32, |sum, (tap, pixel)| tap.mul_add(pixel, sum));
    }
    result
}
