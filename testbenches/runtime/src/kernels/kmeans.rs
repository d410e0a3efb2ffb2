//! k-means after Rodinia (Che et al. 2009) and MineBench, on points of eight-bit integers: the device assigns points to the nearest
//! centre, the host moves the centres, twice.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid, words};
use crate::host::{DeviceError, Session};

/// Clusters, and coordinates of a point.
const CLUSTERS: usize = 8;
const FEATURES: usize = 4;
/// Rounds.
const ROUNDS: usize = 2;

pub(super) const ABOUT: About = About {
    summary: "assigns points to the nearest centre: uniform loops, a short branch on the distance",
    papers: "Narasiman 2014 (kmeans), Turner 2012 (KMN)",
    arithmetic: Arithmetic::Integer,
    unit: "points",
    sizes: Sizes { smoke: 20, default: 2048, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let mut point = || -> Point { [(); FEATURES].map(|()| random.below(256) as i32) };
    let points: Vec<Point> = (0..n).map(|_| point()).collect();
    let mut centres: Vec<Point> = (0..CLUSTERS).map(|_| point()).collect();
    let by_feature: Vec<i32> = (0..FEATURES).flat_map(|feature| points.iter().map(move |p| p[feature])).collect();
    let by_feature = session.buffer(&words(&by_feature))?;
    let mut outputs = Vec::new();
    for _ in 0..ROUNDS {
        let (buffer, membership) = (session.buffer(&words(&centres.concat()))?, session.zeros(n)?);
        let buffers = [by_feature, buffer, membership].map(|buffer| buffer.address);
        let arguments = [&buffers[..], &[n as u32, CLUSTERS as u32, FEATURES as u32]].concat();
        session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        let expected: Vec<u32> = points.iter().map(|point| nearest(point, &centres)).collect();
        centres = means(&points, &expected, &centres);
        outputs.push(Output::exact("membership", session.read(membership), expected));
    }
    Ok(outputs)
}

type Point = [i32; FEATURES];

/// The first of the nearest centres.
fn nearest(point: &Point, centres: &[Point]) -> u32 {
    let square = |centre: &Point| -> i32 { point.iter().zip(centre).map(|(a, b)| (a - b).pow(2)).sum() };
    (0..CLUSTERS).min_by_key(|&cluster| square(&centres[cluster])).unwrap_or(0) as u32
}

/// The centres of their points; those without stay.
fn means(points: &[Point], membership: &[u32], centres: &[Point]) -> Vec<Point> {
    let mean = |(cluster, centre): (usize, &Point)| {
        let own: Vec<&Point> =
            points.iter().zip(membership).filter(|(_, m)| **m as usize == cluster).map(|p| p.0).collect();
        let sum = |feature: usize| own.iter().map(|point| point[feature]).sum::<i32>();
        std::array::from_fn(|feature| sum(feature).checked_div(own.len() as i32).unwrap_or(centre[feature]))
    };
    centres.iter().enumerate().map(mean).collect()
}
