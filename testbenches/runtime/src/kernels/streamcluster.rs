//! Clustering of a stream after Rodinia's streamcluster (Che et al. 2009; from PARSEC), one chunk of it: the device computes for a few
//! candidates what every point would gain, the host adds it up and opens those that are worth a centre, with the centres closed that are not any more.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid};
use crate::host::{DeviceError, Session};

/// Coordinates of a point.
const DIMENSIONS: usize = 8;
/// Centres at first, and candidates after them.
const CENTRES: usize = 8;
const CANDIDATES: usize = 3;
/// What a centre costs: as much as so many points at a distance of 1.
const CENTRE: f32 = 4.0;

pub(super) const ABOUT: About = About {
    summary: "gains of new centres: distances in a uniform loop, then a branch on the cost, each side to a place in a row of the thread's own",
    papers: "Fung 2011 (STMCL), Rhu 2014 (SCLST), Turner 2012 (STMCL)",
    arithmetic: Arithmetic::Float,
    unit: "points",
    sizes: Sizes { smoke: 20, default: 2048, large: 16384 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut random = Random::new(problem.seed);
    let mut clusters = Clusters::random(n, &mut random);
    let by_dimension: Vec<f32> =
        (0..DIMENSIONS).flat_map(|dimension| clusters.points.iter().map(move |p| p.at[dimension])).collect();
    let coordinates = session.buffer(&float_words(&by_dimension))?;
    let (points, columns) = (session.zeros(3 * n)?, session.zeros(n)?);
    let mut outputs = Vec::new();
    for _ in 0..CANDIDATES {
        let candidate = random.below(n as u32) as usize;
        let centres = clusters.centres.len();
        session.write(points, &clusters.words());
        session.write(columns, &clusters.columns());
        let work = session.zeros(n * (centres + 2))?;
        let buffers = [points, coordinates, columns, work].map(|buffer| buffer.address);
        let arguments = [&buffers[..], &[n as u32, DIMENSIONS as u32, candidate as u32, centres as u32]].concat();
        session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)?;
        let mut gains = session.read(work);
        let switches = gains.split_off(n * (centres + 1));
        let (expected_gains, expected_switches) = clusters.gains(candidate);
        clusters.open(candidate, &expected_gains);
        outputs.push(Output::floats("gains", gains, expected_gains));
        outputs.push(Output::exact("switches", switches, expected_switches));
    }
    Ok(outputs)
}

struct Point {
    at: [f32; DIMENSIONS],
    weight: f32,
    cost: f32,
    centre: usize,
}

impl Point {
    /// What it costs with a centre there.
    fn cost_at(&self, centre: &[f32; DIMENSIONS]) -> f32 {
        let differences = self.at.iter().zip(centre).map(|(a, b)| a - b);
        differences.fold(0.0f32, |sum, difference| difference.mul_add(difference, sum)) * self.weight
    }
}

struct Clusters {
    points: Vec<Point>,
    /// Points.
    centres: Vec<usize>,
}

impl Clusters {
    /// Each point with the nearest of the first ones.
    fn random(n: usize, random: &mut Random) -> Self {
        let mut point = || {
            let at = [(); DIMENSIONS].map(|()| random.float());
            Point { at, weight: 1.0 + random.below(4) as f32, cost: f32::INFINITY, centre: 0 }
        };
        let mut clusters = Self { points: (0..n).map(|_| point()).collect(), centres: (0..CENTRES.min(n)).collect() };
        for centre in clusters.centres.clone() {
            clusters.move_to(centre, |point, cost| cost < point.cost);
        }
        clusters
    }

    /// Those points that would, knowing what it costs them.
    fn move_to(&mut self, centre: usize, would: impl Fn(&Point, f32) -> bool) {
        let at = self.points[centre].at;
        for point in &mut self.points {
            let cost = point.cost_at(&at);
            if would(point, cost) {
                (point.cost, point.centre) = (cost, centre);
            }
        }
    }

    /// As the source declares a point.
    fn words(&self) -> Vec<u32> {
        self.points
            .iter()
            .flat_map(|point| [point.weight.to_bits(), point.cost.to_bits(), point.centre as u32])
            .collect()
    }

    /// Of the points that are centres.
    fn columns(&self) -> Vec<u32> {
        let mut columns = vec![0; self.points.len()];
        self.centres.iter().enumerate().for_each(|(column, &centre)| columns[centre] = column as u32);
        columns
    }

    /// A row for each point: what is gained, and lost, by centre and at last for the candidate; and who would switch to it.
    fn gains(&self, candidate: usize) -> (Vec<f32>, Vec<u32>) {
        let (columns, centres) = (self.columns(), self.centres.len());
        let of = |point: &Point| {
            let mut row = vec![0.0; centres + 1];
            let cost = point.cost_at(&self.points[candidate].at);
            let switches = cost < point.cost;
            let column = if switches { centres } else { columns[point.centre] as usize };
            row[column] = if switches { cost - point.cost } else { point.cost - cost };
            (row, u32::from(switches))
        };
        let (rows, switches): (Vec<_>, Vec<_>) = self.points.iter().map(of).unzip();
        (rows.concat(), switches)
    }

    /// A centre at the candidate, if it is worth it; centres are closed whose points lose less there than a centre costs.
    fn open(&mut self, candidate: usize, gains: &[f32]) {
        let centres = self.centres.len();
        let sum = |column: usize| gains.chunks(centres + 1).map(|row| row[column]).sum::<f32>();
        let saved: Vec<f32> = (0..centres).map(|column| CENTRE + sum(column)).collect();
        let cost = CENTRE + sum(centres) - saved.iter().filter(|&&saved| saved > 0.0).sum::<f32>();
        if cost >= 0.0 {
            return;
        }
        let closed: Vec<usize> = (0..centres).filter(|&c| saved[c] > 0.0).map(|c| self.centres[c]).collect();
        self.move_to(candidate, |point, cost| cost < point.cost || closed.contains(&point.centre));
        self.centres.retain(|centre| !closed.contains(centre));
        self.centres.push(candidate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_opened_saves_costs() {
        let mut random = Random::new(1);
        let mut clusters = Clusters::random(300, &mut random);
        let total = |clusters: &Clusters| {
            CENTRE * clusters.centres.len() as f32 + clusters.points.iter().map(|point| point.cost).sum::<f32>()
        };
        let mut opened = 0;
        for candidate in (0..300).step_by(7) {
            let before = (total(&clusters), clusters.centres.clone());
            let (gains, _) = clusters.gains(candidate);
            clusters.open(candidate, &gains);
            assert!(total(&clusters) <= before.0);
            opened += usize::from(clusters.centres != before.1);
            assert!(clusters.points.iter().all(|point| clusters.centres.contains(&point.centre)));
        }
        assert!(opened > 3, "{opened}");
    }
}
