//! Detection of white blood cells after Rodinia's leukocyte (Che et al. 2009; Boyer et al. 2009), its first stage: the gradient inverse
//! coefficient of variation, with three circles of eight points where the original has seven, larger ones, of 150.
use std::f32::consts::FRAC_1_SQRT_2;

use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

/// Radii of the circles in pixels, and points on each.
const RADII: [f32; 3] = [3.0, 6.0, 9.0];
const POINTS: usize = 8;
/// Around the pixels that have a score: the largest circle.
const MARGIN: usize = 9;
/// One pixel in so many has a cell around it.
const CELLS: usize = 200;

pub(super) const ABOUT: About = About {
    summary: "cells in a picture: for each pixel, gradients at points of circles, their mean and variance, and the best circle",
    papers: "Fung 2011 (LKYT), Turner 2012 (LKYT)",
    arithmetic: Arithmetic::Float,
    unit: "pixels to a side of the picture",
    sizes: Sizes { smoke: 4, default: 32, large: 128 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let side = problem.size;
    let n = side * side;
    let threads = problem.threads(session.config());
    let gradient = gradient(&picture(side, problem.seed), side + 2 * MARGIN);
    let (directions, offsets) = (directions(), offsets());
    let both: Vec<f32> = (0..2).flat_map(|along| gradient.iter().map(move |of| of[along])).collect();
    let offset_words: Vec<u32> = offsets.iter().flatten().flatten().map(|&offset| offset as u32).collect();
    let (both, circles) = (session.buffer(&float_words(&both))?, session.buffer(&offset_words)?);
    let (unit, scores) = (session.buffer(&float_words(&directions.concat()))?, session.zeros(n)?);
    let buffers = [both, circles, unit, scores].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[side as u32, MARGIN as u32, RADII.len() as u32, POINTS as u32]].concat();
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
    Ok(vec![Output::floats("scores", session.read(scores), self::scores(&gradient, side))])
}

/// Columns, then rows.
type Vector = [f32; 2];

/// Cosines and sines of the eighths of a circle, a quarter after the other.
fn directions() -> [Vector; POINTS] {
    let quarter = [[1.0, 0.0], [FRAC_1_SQRT_2; 2]];
    let turned = |vector: Vector, quarters| (0..quarters).fold(vector, |[x, y], _| [-y, x]);
    std::array::from_fn(|point| turned(quarter[point % 2], point / 2))
}

/// Of the points of each circle.
fn offsets() -> [[[i32; 2]; POINTS]; RADII.len()] {
    RADII.map(|radius| directions().map(|direction| direction.map(|part| (radius * part).round() as i32)))
}

/// Dark cells on a bright ground, with noise and the margin.
fn picture(side: usize, seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let width = side + 2 * MARGIN;
    let mut picture: Vec<f32> = (0..width * width).map(|_| 1.0 + 0.2 * random.float()).collect();
    for _ in 0..(side * side).div_ceil(CELLS) {
        let mut place = || random.below(side as u32) as usize;
        let corner = place() * width + place();
        let radius = RADII[random.below(RADII.len() as u32) as usize];
        for i in 0..(2 * MARGIN + 1).pow(2) {
            let (x, y) = (i % (2 * MARGIN + 1), i / (2 * MARGIN + 1));
            if ((x.abs_diff(MARGIN).pow(2) + y.abs_diff(MARGIN).pow(2)) as f32) < radius * radius {
                picture[corner + y * width + x] *= 0.5;
            }
        }
    }
    picture
}

/// Half of the difference of the neighbours; at the edges, a pixel is its own neighbour.
fn gradient(picture: &[f32], width: usize) -> Vec<Vector> {
    let around = |at: usize| (at.saturating_sub(1), (at + 1).min(width - 1));
    let of = |i: usize| {
        let (column, row) = (i % width, i / width);
        let ((left, right), (above, below)) = (around(column), around(row));
        let along_row = picture[row * width + right] - picture[row * width + left];
        [0.5 * along_row, 0.5 * (picture[below * width + column] - picture[above * width + column])]
    };
    (0..picture.len()).map(of).collect()
}

/// Mean by deviation on the best circle of each pixel.
fn scores(gradient: &[Vector], side: usize) -> Vec<f32> {
    let (width, directions, offsets) = (side + 2 * MARGIN, directions(), offsets());
    let score = |pixel: usize| {
        let here = (pixel / side + MARGIN) * width + pixel % side + MARGIN;
        let (mut best, mut score) = (0.0, 0.0);
        for circle in &offsets {
            let (mut sum, mut mean, mut squares) = (0.0, 0.0, 0.0f32);
            for (point, ([column, row], [cosine, sine])) in circle.iter().zip(directions).enumerate() {
                let [along_row, along_column] = gradient[(here as i32 + row * width as i32 + column) as usize];
                let outwards = along_row.mul_add(cosine, along_column * sine);
                let difference: f32 = outwards - mean;
                sum += outwards;
                mean += difference / (point + 1) as f32;
                squares = difference.mul_add(outwards - mean, squares);
            }
            mean = sum / POINTS as f32;
            let variance = squares / (POINTS - 1) as f32;
            let ratio = mean * mean / variance;
            if ratio > best {
                (best, score) = (ratio, mean / variance.sqrt());
            }
        }
        score
    };
    (0..side * side).map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_cell_has_the_best_score() {
        let (side, middle) = (21, 10);
        let width = side + 2 * MARGIN;
        for radius in RADII {
            let from_middle = |at: usize| at as f32 - (middle + MARGIN) as f32;
            let inside = |i: usize| from_middle(i % width).powi(2) + from_middle(i / width).powi(2) < radius * radius;
            let noise = picture(side, 3);
            let picture: Vec<f32> = (0..width * width).map(|i| 0.01 * noise[i] + f32::from(!inside(i))).collect();
            let scores = scores(&gradient(&picture, width), side);
            let best = (0..side * side).max_by(|&one, &other| scores[one].total_cmp(&scores[other])).unwrap();
            let off = (best % side).abs_diff(middle).max((best / side).abs_diff(middle));
            assert!(off <= 1 && scores[best] > 2.0, "{radius}: {} at {best}", scores[best]);
        }
    }
}
