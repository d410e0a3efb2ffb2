//! The nearest of many records after Rodinia's nn (Che et al. 2009), which looks for a hurricane near a place: the device computes
//! distances, the host picks the nearest. Here one is picked, there as many as asked for.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

pub(super) const ABOUT: About = About {
    summary: "distances of records to a place: two loads, a root, a store, no divergence but at the end",
    papers: "Turner 2012 (NNC)",
    arithmetic: Arithmetic::Float,
    unit: "records",
    sizes: Sizes { smoke: 50, default: 8192, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let mut place = || [90.0 * random.of_either_sign(), 180.0 * random.of_either_sign()];
    let target = place();
    let records: Vec<Place> = (0..n).map(|_| place()).collect();
    let (buffer, distances) = (session.buffer(&float_words(&records.concat()))?, session.zeros(n)?);
    let arguments = [buffer.address, distances.address, n as u32, target[0].to_bits(), target[1].to_bits()];
    session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;

    let distances = session.read(distances);
    let expected: Vec<f32> = records.iter().map(|&record| distance(target, record)).collect();
    let picked = nearest(distances.iter().map(|&word| f32::from_bits(word)));
    let nearest = Output::exact("nearest", vec![picked], vec![nearest(expected.iter().copied())]);
    Ok(vec![Output::floats("distances", distances, expected), nearest])
}

/// Latitude and longitude.
type Place = [f32; 2];

fn distance(one: Place, other: Place) -> f32 {
    let (north, east) = (one[0] - other[0], one[1] - other[1]);
    north.mul_add(north, east * east).sqrt()
}

/// The first with the least distance.
fn nearest(distances: impl Iterator<Item = f32>) -> u32 {
    let least = distances.enumerate().min_by(|(_, one), (_, other)| one.total_cmp(other));
    least.map_or(0, |(record, _)| record as u32)
}
