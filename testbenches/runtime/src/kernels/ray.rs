//! Ray tracing after the one that comes with GPGPU-Sim (Bakhoda et al. 2009): spheres, some of them mirrors, on a floor of squares. The
//! seed places the spheres.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// Spheres, and mirrors that a ray goes on from.
const SPHERES: usize = 6;
const MIRRORS: usize = 4;
/// The most columns of a CTA: GPGPU-Sim's.
const WIDTH: usize = 16;
/// Nothing farther than this is met; and nothing nearer, where a ray begins.
const FAR: f32 = 1000.0;
const NEAR: f32 = 0.001;

pub(super) const ABOUT: About = About {
    summary: "ray tracing: rays go from mirror to mirror, and to the light until something is in between",
    papers: "Rhu 2014 (RAY), Fung 2011 (RAY), Turner 2012 (RAY)",
    arithmetic: Arithmetic::Float,
    unit: "pixels to a side of the picture",
    sizes: Sizes { smoke: 6, default: 32, large: 96 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let side = problem.size;
    let threads = problem.threads(session.config());
    let width = threads.min(WIDTH);
    let height = threads / width;
    let scene = Scene::random(problem.seed);
    let spheres: Vec<f32> = scene.spheres.iter().flat_map(Sphere::words).collect();
    let (spheres, lights) = (session.buffer(&float_words(&spheres))?, session.buffer(&float_words(&scene.words()))?);
    let pixels = session.zeros(side * side)?;
    let arguments = [spheres.address, SPHERES as u32, lights.address, pixels.address, side as u32, MIRRORS as u32];
    let grid = [side.div_ceil(width) as u32, side.div_ceil(height) as u32, 1];
    session.launch(grid, [width as u32, height as u32, 1], 0, &arguments)?;
    let expected = (0..side * side).map(|i| scene.pixel(i % side, i / side, side)).collect();
    Ok(vec![Output::exact("pixels", session.read(pixels), expected)])
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Vector([f32; 3]);

impl Vector {
    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|c| self.0[c] + other.0[c]))
    }

    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|c| self.0[c] - other.0[c]))
    }

    fn times(self, factor: f32) -> Self {
        Self(self.0.map(|x| x * factor))
    }

    fn dot(self, other: Self) -> f32 {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        c.mul_add(z, a.mul_add(x, b * y))
    }
}

struct Sphere {
    centre: Vector,
    radius: f32,
    colour: Vector,
    mirror: f32,
}

impl Sphere {
    fn words(&self) -> Vec<f32> {
        [&self.centre.0[..], &[self.radius], &self.colour.0, &[self.mirror]].concat()
    }

    /// How far a ray goes to it.
    fn distance(&self, from: Vector, along: Vector) -> f32 {
        let away = self.centre.minus(from);
        let middle = away.dot(along);
        let inside = middle.mul_add(middle, -(-self.radius).mul_add(self.radius, away.dot(away)));
        if inside < 0.0 {
            return FAR;
        }
        let half = inside.sqrt();
        [middle - half, middle + half].into_iter().find(|&distance| distance > NEAR).unwrap_or(FAR)
    }
}

struct Scene {
    spheres: Vec<Sphere>,
    eye: Vector,
    light: Vector,
    sky: Vector,
    floor_colours: [Vector; 2],
    floor_mirror: f32,
    ambient: f32,
}

impl Scene {
    /// Every second sphere is a mirror.
    fn random(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut between = |low: f32, high: f32| low + (high - low) * random.float();
        let spheres = (0..SPHERES).map(|i| {
            let radius = between(0.4, 1.0);
            Sphere {
                centre: Vector([between(-3.0, 3.0), radius + between(0.0, 0.5), between(0.0, 5.0)]),
                radius,
                colour: Vector([(); 3].map(|()| between(0.2, 1.0))),
                mirror: if i % 2 == 0 { 0.6 } else { 0.0 },
            }
        });
        Self {
            spheres: spheres.collect(),
            eye: Vector([0.0, 1.5, -4.0]),
            light: Vector([4.0, 8.0, -3.0]),
            sky: Vector([0.4, 0.6, 0.9]),
            floor_colours: [Vector([0.9, 0.9, 0.9]), Vector([0.2, 0.2, 0.2])],
            floor_mirror: 0.2,
            ambient: 0.2,
        }
    }

    /// All but the spheres.
    fn words(&self) -> Vec<f32> {
        let vectors = [self.eye, self.light, self.sky, self.floor_colours[0], self.floor_colours[1]];
        vectors.into_iter().flat_map(|vector| vector.0).chain([self.floor_mirror, self.ambient]).collect()
    }

    fn pixel(&self, x: usize, y: usize, side: usize) -> u32 {
        let (middles, across) = ([2 * x + 1, 2 * y + 1].map(|at| at as f32), side as f32);
        let along = Vector([(middles[0] - across) / across, (across - middles[1]) / across, 1.0]);
        let colour = self.colour(self.eye, along.times(1.0 / along.dot(along).sqrt()));
        let byte = |intensity: f32| intensity.min(1.0).mul_add(255.0, 0.5) as u32;
        let [red, green, blue] = colour.0.map(byte);
        red | green << 8 | blue << 16
    }

    fn colour(&self, mut from: Vector, mut along: Vector) -> Vector {
        let (mut colour, mut weight) = (Vector([0.0; 3]), 1.0);
        for _ in 0..=MIRRORS {
            let Some((at, normal, own, mirror)) = self.meet(from, along) else {
                return colour.plus(self.sky.times(weight));
            };
            let lit = own.times(weight * (1.0 - mirror) * self.brightness(at, normal));
            colour = colour.plus(lit);
            if mirror == 0.0 {
                break;
            }
            weight *= mirror;
            from = at;
            along = along.minus(normal.times(2.0 * along.dot(normal)));
        }
        colour
    }

    /// Where a ray ends, the normal, the colour and how much of a mirror there is.
    fn meet(&self, from: Vector, along: Vector) -> Option<(Vector, Vector, Vector, f32)> {
        let (mut distance, mut nearest) = (FAR, None);
        for sphere in &self.spheres {
            let to = sphere.distance(from, along);
            if to < distance {
                (distance, nearest) = (to, Some(sphere));
            }
        }
        let to_floor = if along.0[1] < 0.0 { -from.0[1] / along.0[1] } else { FAR };
        let is_floor = to_floor > NEAR && to_floor < distance;
        let at = from.plus(along.times(if is_floor { to_floor } else { distance }));
        if is_floor {
            let [x, _, z] = at.0.map(|x| (x + 2.0 * FAR) as u32);
            return Some((at, Vector([0.0, 1.0, 0.0]), self.floor_colours[((x ^ z) & 1) as usize], self.floor_mirror));
        }
        let sphere = nearest?;
        let normal = at.minus(sphere.centre).times(1.0 / sphere.radius);
        Some((at, normal, sphere.colour, sphere.mirror))
    }

    fn brightness(&self, at: Vector, normal: Vector) -> f32 {
        let to_light = self.light.minus(at);
        let distance = to_light.dot(to_light).sqrt();
        let to_light = to_light.times(1.0 / distance);
        let facing = normal.dot(to_light);
        let is_lit = || self.spheres.iter().all(|sphere| sphere.distance(at, to_light) >= distance);
        if facing > 0.0 && is_lit() { self.ambient + facing } else { self.ambient }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_meet_spheres_in_front_of_them() {
        let white = Vector([1.0; 3]);
        let sphere = Sphere { centre: Vector([0.0, 0.0, 5.0]), radius: 2.0, colour: white, mirror: 0.0 };
        let ahead = Vector([0.0, 0.0, 1.0]);
        let places = [(0.0, 3.0), (5.0, 2.0), (8.0, FAR)];
        for (z, distance) in places {
            assert_eq!(sphere.distance(Vector([0.0, 0.0, z]), ahead), distance, "from {z}");
        }
        assert_eq!(sphere.distance(Vector([0.0, 2.5, 0.0]), ahead), FAR);
    }

    #[test]
    fn a_picture_has_sky_floor_and_shadow() {
        let scene = Scene::random(1);
        let pixels: Vec<u32> = (0..32 * 32).map(|i| scene.pixel(i % 32, i / 32, 32)).collect();
        let sky = scene.pixel(0, 0, 32);
        assert!((10..900).contains(&pixels.iter().filter(|&&pixel| pixel == sky).count()));
        let colours: std::collections::BTreeSet<_> = pixels.iter().collect();
        assert!(colours.len() > 100, "{} colours", colours.len());
    }
}
