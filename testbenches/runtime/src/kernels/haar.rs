//! Haar wavelet transform after the CUDA SDK's dwtHaar1D: a launch does as many levels as a CTA can hold, two elements to a thread;
//! the next launch goes on with what remains of each CTA. Any size: padded with zeros to a
//! power of two.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, float_words};
use crate::host::{DeviceError, Session};

/// One by the square root of two.
const HALF_ROOT: f32 = std::f32::consts::FRAC_1_SQRT_2;

pub(super) const ABOUT: About = About {
    summary: "Haar wavelet transform: barriers, half of the threads that still run drop out at every level",
    papers: "Rhu 2014 (DWTHARR)",
    arithmetic: Arithmetic::Float,
    unit: "elements",
    sizes: Sizes { smoke: 64, default: 8192, large: 65536 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let threads = 1 << problem.threads(session.config()).ilog2();
    let mut random = Random::new(problem.seed);
    let mut signal: Vec<f32> = (0..problem.size).map(|_| random.of_either_sign()).collect();
    signal.resize(problem.size.next_power_of_two().max(2), 0.0);

    let (mut from, mut to) = (session.buffer(&float_words(&signal))?, session.zeros(signal.len() / 2)?);
    let transformed = session.zeros(signal.len())?;
    let mut length = signal.len();
    while length > 1 {
        let block = threads.min(length / 2);
        let ctas = length / (2 * block);
        let approximations = if ctas == 1 { transformed } else { to };
        let arguments = [from.address, transformed.address, approximations.address, length as u32];
        session.launch([ctas as u32, 1, 1], [block as u32, 1, 1], 2 * block, &arguments)?;
        (from, to) = (to, from);
        length = ctas;
    }
    Ok(vec![Output::floats("transformed", session.read(transformed), transform(signal))])
}

/// The transform of a signal whose length is a power of two: what remains of it, then the details, coarse ones first.
fn transform(mut signal: Vec<f32>) -> Vec<f32> {
    let mut transformed = signal.clone();
    while signal.len() > 1 {
        let details = signal.chunks(2).map(|pair| (pair[0] - pair[1]) * HALF_ROOT);
        transformed.splice(signal.len() / 2..signal.len(), details);
        signal = signal.chunks(2).map(|pair| (pair[0] + pair[1]) * HALF_ROOT).collect();
    }
    transformed[0] = signal[0];
    transformed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_has_one_detail_and_keeps_its_energy() {
        let signal = [vec![1.0; 4], vec![-1.0; 4]].concat();
        let mut expected = [0.0; 8];
        expected[1] = 8f32.sqrt();
        for (got, expected) in transform(signal).into_iter().zip(expected) {
            assert!((got - expected).abs() < 1e-6, "{got}, expected {expected}");
        }
    }
}
