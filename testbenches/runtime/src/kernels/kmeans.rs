//! k-means after Rodinia (Che et al. 2009) and MineBench, on points of eight-bit integers: the device assigns points to the nearest
//! centre, the host moves the centres, twice.
use super::{Binary, Kernel, Output, Problem, Random, Sizes, binary, grid, words};
use crate::host::{DeviceError, Session};

/// Clusters, and coordinates of a point.
const CLUSTERS: usize = 8;
const FEATURES: usize = 4;
/// Rounds.
const ROUNDS: usize = 2;

/// See the [module documentation](self).
pub struct Kmeans;

impl Kernel for Kmeans {
    fn name(&self) -> &'static str {
        "kmeans"
    }

    fn summary(&self) -> &'static str {
        "assigns points to the nearest centre: uniform loops, a short branch on the distance"
    }

    fn papers(&self) -> &'static str {
        "Narasiman 2014 (kmeans), Turner 2012 (KMN)"
    }

    fn unit(&self) -> &'static str {
        "points"
    }

    fn sizes(&self) -> Sizes {
        Sizes { smoke: 20, default: 2048, large: 16384 }
    }

    fn binary(&self) -> Binary {
        binary!("kmeans.c", "kmeans.elf")
    }

    fn run(&self, session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
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
