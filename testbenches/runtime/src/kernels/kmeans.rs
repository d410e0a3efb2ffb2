//! k-means after Rodinia (Che et al. 2009) and MineBench, in floats: the device assigns points to the nearest
//! centre, the host moves the centres, twice.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

/// Clusters, and coordinates of a point.
const CLUSTERS: usize = 8;
const FEATURES: usize = 4;
/// Rounds.
const ROUNDS: usize = 2;

pub(super) const ABOUT: About = About {
    summary: "assigns points to the nearest centre: uniform loops, a short branch on the distance",
    papers: "Narasiman 2014 (kmeans), Turner 2012 (KMN)",
    arithmetic: Arithmetic::Float,
    unit: "points",
    sizes: Sizes { smoke: 20, default: 2048, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let mut point = || -> Point { [(); FEATURES].map(|()| random.float()) };
    let points: Vec<Point> = (0..n).map(|_| point()).collect();
    let mut centres: Vec<Point> = (0..CLUSTERS).map(|_| point()).collect();
    let by_feature: Vec<f32> = (0..FEATURES).flat_map(|feature| points.iter().map(move |p| p[feature])).collect();
    let by_feature = session.buffer(&float_words(&by_feature))?;
    let mut outputs = Vec::new();
    for _ in 0..ROUNDS {
        let (buffer, membership) = (session.buffer(&float_words(&centres.concat()))?, session.zeros(n)?);
        let buffers = [by_feature, buffer, membership].map(|buffer| buffer.address);
        let arguments = [&buffers[..], &[n as u32, CLUSTERS as u32, FEATURES as u32]].concat();
        session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        let expected: Vec<u32> = points.iter().map(|point| nearest(point, &centres)).collect();
        centres = means(&points, &expected, &centres);
        outputs.push(Output::exact("membership", session.read(membership), expected));
    }
    Ok(outputs)
}

type Point = [f32; FEATURES];

/// The first of the nearest centres.
fn nearest(point: &Point, centres: &[Point]) -> u32 {
    let square = |centre: &Point| {
        let differences = point.iter().zip(centre).map(|(a, b)| a - b);
        differences.fold(0.0f32, |sum, difference| difference.mul_add(difference, sum))
    };
    let order = |&one: &usize, &other: &usize| square(&centres[one]).total_cmp(&square(&centres[other]));
    (0..CLUSTERS).min_by(order).unwrap_or(0) as u32
}

/// The centres of their points; those without stay.
fn means(points: &[Point], membership: &[u32], centres: &[Point]) -> Vec<Point> {
    let mean = |(cluster, centre): (usize, &Point)| {
        let own: Vec<&Point> =
            points.iter().zip(membership).filter(|(_, m)| **m as usize == cluster).map(|p| p.0).collect();
        let sum = |feature: usize| own.iter().map(|point| point[feature]).sum::<f32>();
        if own.is_empty() { *centre } else { std::array::from_fn(|feature| sum(feature) / own.len() as f32) }
    };
    centres.iter().enumerate().map(mean).collect()
}
