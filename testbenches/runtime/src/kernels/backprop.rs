//! Back propagation, forward pass of a layer, after Rodinia (Che et al. 2009): tiles of weights times inputs, summed over the
//! rows by a tree in shared memory; the host adds the tiles. Any number of inputs: padded with zeros to full tiles.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Hidden units, and the largest side of a tile: Rodinia's CTA has 16 x 16 threads.
const HIDDEN: usize = 16;

pub(super) const ABOUT: About = About {
    summary: "layer forward of back propagation: a tree over the rows of a CTA, whole rows drop out at every step",
    papers: "Rhu 2014 (BACKP), Fung 2011 (BACKP)",
    arithmetic: Arithmetic::Float,
    unit: "inputs",
    sizes: Sizes { smoke: 40, default: 512, large: 4096 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let config = session.config();
    // As large as in Rodinia, or as the core can hold, two rows of a tile to a warp as there: the steps split warps.
    let threads = problem.block.unwrap_or(config.lanes * config.warps);
    let power_of_two = |most: usize| (1 << most.ilog2()).min(HIDDEN);
    let width = power_of_two(threads.min(config.lanes / 2));
    let height = power_of_two(threads / width);
    let rows = problem.size.next_multiple_of(height);
    let mut random = Random::new(problem.seed);
    let mut values = |count: usize| (0..count).map(|_| random.of_either_sign()).collect();
    let (mut inputs, mut weights): (Vec<f32>, Vec<f32>) = (values(problem.size), values(problem.size * HIDDEN));
    inputs.resize(rows, 0.0);
    weights.resize(rows * HIDDEN, 0.0);

    let (input_buffer, weight_buffer) =
        (session.buffer(&float_words(&inputs))?, session.buffer(&float_words(&weights))?);
    let partial_buffer = session.zeros(rows / height * HIDDEN)?;
    let arguments = [input_buffer.address, weight_buffer.address, partial_buffer.address, HIDDEN as u32];
    let grid = [(HIDDEN / width) as u32, (rows / height) as u32, 1];
    session.launch(grid, [width as u32, height as u32, 1], height + height * width, &arguments)?;

    let (sums, partial) = forward(&inputs, weights, height);
    Ok(vec![
        Output::floats("weights", session.read(weight_buffer), sums),
        Output::floats("partial", session.read(partial_buffer), partial),
    ])
}

/// What the tree leaves in place of the weights, and the sums of every `height` rows.
fn forward(inputs: &[f32], mut weights: Vec<f32>, height: usize) -> (Vec<f32>, Vec<f32>) {
    for (row, input) in weights.chunks_mut(HIDDEN).zip(inputs) {
        row.iter_mut().for_each(|weight| *weight *= input);
    }
    for rows in weights.chunks_mut(height * HIDDEN) {
        for distance in (0..height.ilog2()).map(|step| 1 << step) {
            for row in (0..height).step_by(2 * distance) {
                for column in 0..HIDDEN {
                    rows[row * HIDDEN + column] += rows[(row + distance) * HIDDEN + column];
                }
            }
        }
    }
    let partial = weights.chunks(height * HIDDEN).flat_map(|rows| rows[..HIDDEN].iter().copied()).collect();
    (weights, partial)
}
