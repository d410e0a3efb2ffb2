//! A gas around a wing after Rodinia's cfd (Che et al. 2009; Corrigan et al. 2009: euler3d): a step of three stages on elements with four
//! faces, a launch for the step factors, and for each stage one for the fluxes and one for the variables.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words, grid, words};
use crate::host::{DeviceError, Session};

/// Faces of an element, variables of it, stages of a step.
const FACES: usize = 4;
const VARIABLES: usize = 5;
const STAGES: usize = 3;
/// Of the gas, and of the artificial viscosity: Rodinia's.
const GAMMA: f32 = 1.4;
const SMOOTHING: f32 = 0.2;
/// What may be behind a face instead of an element.
const WING: i32 = -1;
const FAR_FIELD: i32 = -2;
/// What a launch does, as the source numbers it.
const STEP_FACTOR: u32 = 0;
const FLUX: u32 = 1;
const STAGE: u32 = 2;

pub(super) const ABOUT: About = About {
    summary: "gas dynamics on an irregular grid: scattered loads, three ways to go behind a face, one of them long",
    papers: "Turner 2012 (CFD)",
    arithmetic: Arithmetic::Float,
    unit: "elements",
    sizes: Sizes { smoke: 6, default: 512, large: 4096 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let n = problem.size;
    let threads = problem.threads(session.config());
    let mut mesh = Mesh::random(n, problem.seed);
    let variables = session.buffer(&float_words(&mesh.by_variable()))?;
    let work = session.zeros((2 * VARIABLES + 1) * n)?;
    let neighbours = session.buffer(&words(&by_face(&mesh.elements, |element| &element.neighbours)))?;
    let normals = (0..3).flat_map(|c| by_face(&mesh.elements, move |element| &element.normals[c]));
    let geometry: Vec<f32> = mesh.elements.iter().map(|element| element.size).chain(normals).collect();
    let (geometry, far) =
        (session.buffer(&float_words(&geometry))?, session.buffer(&float_words(&mesh.far.0.concat()))?);
    let buffers = [variables, work, neighbours, geometry, far].map(|buffer| buffer.address);
    let mut launch = |step, stages_left: usize| {
        let arguments = [&buffers[..], &[n as u32, step, stages_left as u32]].concat();
        session.launch(grid(n, threads), [threads as u32, 1, 1], 0, &arguments)
    };
    launch(STEP_FACTOR, STAGES)?;
    for left in (1..=STAGES).rev() {
        launch(FLUX, left)?;
        launch(STAGE, left)?;
    }
    mesh.step();
    Ok(vec![Output::floats("variables", session.read(variables), mesh.by_variable())])
}

/// Density, momentum and energy.
type Variables = [f32; VARIABLES];
type Vector = [f32; 3];

struct Element {
    variables: Variables,
    neighbours: [i32; FACES],
    /// All of x, of y, of z.
    normals: [[f32; FACES]; 3],
    size: f32,
}

struct Mesh {
    elements: Vec<Element>,
    far: Carried,
}

/// A face at a time.
fn by_face<T: Copy>(elements: &[Element], of: impl Fn(&Element) -> &[T; FACES]) -> Vec<T> {
    (0..FACES).flat_map(|face| elements.iter().map(|element| of(element)[face]).collect::<Vec<_>>()).collect()
}

impl Mesh {
    /// Squares of different heights in rows, with a wing below, numbered nearly by rows. The gas is that of the far field, disturbed.
    fn random(n: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let width = n.isqrt();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_cached_key(|&place| place + random.below(16) as usize);
        let mut number = vec![0; n];
        order.iter().enumerate().for_each(|(i, &place)| number[place] = i as i32);
        let at = |place: Option<usize>, none: i32| place.and_then(|place| number.get(place).copied()).unwrap_or(none);
        // Flow along x, at 1.2 times the speed of sound.
        let far = [1.4, 1.68, 0.0, 0.0, 2.5 + 0.5 * 1.4 * 1.44];
        let element = |&place: &usize| {
            let column = place % width;
            let height = 0.5 + random.float();
            Element {
                variables: far.map(|variable: f32| variable * (0.95 + 0.1 * random.float())),
                neighbours: [
                    at((column > 0).then(|| place - 1), FAR_FIELD),
                    at((column + 1 < width).then_some(place + 1), FAR_FIELD),
                    at(place.checked_sub(width), WING),
                    at(Some(place + width), FAR_FIELD),
                ],
                normals: [[-height, height, 0.0, 0.0], [0.0, 0.0, -1.0, 1.0], [0.0; FACES]],
                size: height,
            }
        };
        Self { elements: order.iter().map(element).collect(), far: Gas::new(&far).carried() }
    }

    /// All densities first.
    fn by_variable(&self) -> Vec<f32> {
        (0..VARIABLES).flat_map(|v| self.elements.iter().map(move |element| element.variables[v])).collect()
    }

    fn step(&mut self) {
        let before: Vec<Variables> = self.elements.iter().map(|element| element.variables).collect();
        let factor = |element: &Element| {
            let gas = Gas::new(&element.variables);
            0.5 / (element.size.sqrt() * (gas.speed + gas.sound))
        };
        let factors: Vec<f32> = self.elements.iter().map(factor).collect();
        for left in (1..=STAGES).rev() {
            let fluxes: Vec<Variables> = self.elements.iter().map(|element| self.flux(element)).collect();
            for (i, element) in self.elements.iter_mut().enumerate() {
                let factor = factors[i] / left as f32;
                element.variables = std::array::from_fn(|v| factor.mul_add(fluxes[i][v], before[i][v]));
            }
        }
    }

    /// What flows through the faces of an element.
    fn flux(&self, element: &Element) -> Variables {
        let own = Gas::new(&element.variables);
        let mut sums = [0.0; VARIABLES];
        for face in 0..FACES {
            let normal = element.normals.map(|of| of[face]);
            match element.neighbours[face] {
                WING => (0..3).for_each(|c| sums[c + 1] = normal[c].mul_add(own.pressure, sums[c + 1])),
                FAR_FIELD => exchange(&mut sums, normal, &self.far, &own.carried()),
                neighbour => {
                    let other = Gas::new(&self.elements[neighbour as usize].variables);
                    let speeds = own.speed + other.speed + own.sound + other.sound;
                    let viscosity = -square(normal).sqrt() * SMOOTHING * 0.5 * speeds;
                    for (v, sum) in sums.iter_mut().enumerate() {
                        *sum = viscosity.mul_add(own.variables[v] - other.variables[v], *sum);
                    }
                    exchange(&mut sums, normal, &other.carried(), &own.carried());
                }
            }
        }
        sums
    }
}

fn square([x, y, z]: Vector) -> f32 {
    z.mul_add(z, x.mul_add(x, y * y))
}

/// The mean of both sides goes through a face.
fn exchange(sums: &mut Variables, normal: Vector, one: &Carried, other: &Carried) {
    for ((sum, one), other) in sums.iter_mut().zip(&one.0).zip(&other.0) {
        for (c, normal) in normal.iter().enumerate() {
            *sum = (0.5 * normal).mul_add(one[c] + other[c], *sum);
        }
    }
}

/// What a gas carries along, of each variable.
struct Carried([Vector; VARIABLES]);

struct Gas {
    variables: Variables,
    velocity: Vector,
    speed: f32,
    pressure: f32,
    sound: f32,
}

impl Gas {
    fn new(&variables: &Variables) -> Self {
        let [density, x, y, z, energy] = variables;
        let velocity = [x / density, y / density, z / density];
        let squared = square(velocity);
        let pressure = (GAMMA - 1.0) * (-(0.5 * density)).mul_add(squared, energy);
        Self { variables, velocity, speed: squared.sqrt(), pressure, sound: (GAMMA * pressure / density).sqrt() }
    }

    fn carried(&self) -> Carried {
        let ([x, y, z], [_, mx, my, mz, energy], pressure) = (self.velocity, self.variables, self.pressure);
        let energy = energy + pressure;
        Carried([
            [mx, my, mz],
            [x.mul_add(mx, pressure), x * my, x * mz],
            [x * my, y.mul_add(my, pressure), y * mz],
            [x * mz, y * mz, z.mul_add(mz, pressure)],
            [x * energy, y * energy, z * energy],
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gas_that_is_the_same_everywhere_stays_so() {
        let mut mesh = Mesh::random(64, 1);
        let far = [1.4, 1.68, 0.0, 0.0, 3.5];
        for element in &mut mesh.elements {
            element.variables = far;
            element.neighbours = element.neighbours.map(|neighbour| neighbour.max(0));
        }
        mesh.step();
        for element in &mesh.elements {
            let errors = far.iter().zip(element.variables).map(|(right, got)| (right - got).abs());
            assert!(errors.fold(0.0, f32::max) < 1e-5, "{:?}", element.variables);
        }
    }

    #[test]
    fn numbers_stay_near_those_of_the_far_field() {
        let mut mesh = Mesh::random(100, 2);
        mesh.step();
        let all = mesh.by_variable();
        assert!(all.iter().all(|value| value.is_finite() && value.abs() < 10.0), "{all:?}");
        assert!(mesh.elements.iter().all(|element| Gas::new(&element.variables).pressure > 0.0));
    }
}
