//! Viterbi decoding of the usual convolutional code of constraint length 7 and rate a half (polynomials 171 and 133, octal), hard
//! decisions: a CTA per frame of 32 bits, a thread per state. After the benchmark of Narasiman 2014, of which only the description is
//! known.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

const STATES: usize = 64;
/// Zeros at the end of a frame, which bring the encoder back to its first state.
const TAIL: usize = 6;
/// Bits of a frame; the last may have fewer.
const FRAME: usize = 32;
/// A bit of a symbol in so many is wrong.
const NOISE: u32 = 32;

pub(super) const ABOUT: About = About {
    summary: "Viterbi decoder, a state per thread: a barrier per symbol, a branch on the metrics, one thread goes back",
    papers: "Narasiman 2014 (viterbi)",
    arithmetic: Arithmetic::Integer,
    unit: "bits",
    sizes: Sizes { smoke: 4, default: 384, large: 3072 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let threads = problem.block.unwrap_or_else(|| problem.threads(session.config()).min(STATES));
    let mut random = Random::new(problem.seed);
    let mut frames: Vec<Vec<u32>> = Vec::new();
    for first in (0..problem.size).step_by(FRAME) {
        let message: Vec<u32> = (first..problem.size.min(first + FRAME)).map(|_| random.below(2)).collect();
        let mut noise = || u32::from(random.below(NOISE) == 0);
        frames.push(encode(&message).into_iter().map(|symbol| symbol ^ noise() ^ noise() << 1).collect());
    }
    let codes: Vec<u32> = (0..2 * STATES).map(symbol).collect();
    // Only the last frame is shorter.
    let symbols = session.buffer(&frames.concat())?;
    let (decoded, distances) = (session.zeros(frames.len())?, session.zeros(frames.len())?);
    let code_buffer = session.buffer(&codes)?;
    let buffers = [symbols, code_buffer, decoded, distances].map(|buffer| buffer.address);
    let arguments = [&buffers[..], &[problem.size as u32, FRAME as u32]].concat();
    // Two sets of metrics, and a byte per state and step.
    let shared = 2 * STATES + (FRAME + TAIL) * STATES / 4;
    session.launch(grid(problem.size, FRAME), [threads as u32, 1, 1], shared, &arguments)?;
    let (words, errors) = frames.iter().map(|frame| decode(frame)).unzip();
    Ok(vec![
        Output::exact("decoded", session.read(decoded), words),
        Output::exact("distances", session.read(distances), errors),
    ])
}

/// The symbol for the last seven bits, the newest of them lowest.
fn symbol(register: usize) -> u32 {
    let parity = |polynomial: usize| (register & polynomial).count_ones() & 1;
    parity(0o171) << 1 | parity(0o133)
}

/// Two bits for each bit of the message, and for the tail.
fn encode(message: &[u32]) -> Vec<u32> {
    let shift = |state: &mut usize, bit: &u32| {
        let register = *state << 1 | *bit as usize;
        *state = register % STATES;
        Some(symbol(register))
    };
    message.iter().chain(&[0; TAIL]).scan(0, shift).collect()
}

/// The likeliest message, its first bit lowest, and how many bits of the symbols it takes for wrong. Of two paths that are as good,
/// the one from the lower state.
fn decode(symbols: &[u32]) -> (u32, u32) {
    // Of every state, the best path that ends there.
    let mut paths: Vec<Option<(u32, u64)>> = vec![None; STATES];
    paths[0] = Some((0, 0));
    for (step, received) in symbols.iter().enumerate() {
        let best = |state: usize| {
            let from = |register: usize| {
                let (errors, bits) = paths[register / 2]?;
                Some((errors + (symbol(register) ^ received).count_ones(), bits | ((state & 1) as u64) << step))
            };
            let ways = [from(state), from(state + STATES)];
            ways.into_iter().flatten().min_by_key(|(errors, _)| *errors)
        };
        paths = (0..STATES).map(best).collect();
    }
    let (errors, bits) = paths[0].expect("the tail leads to the first state");
    (bits as u32, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_bits_are_corrected() {
        let message = 0b1011_0010_1110_0001_0100_1101_1000_0111u32;
        let bits: Vec<u32> = (0..FRAME).map(|i| message >> i & 1).collect();
        let mut symbols = encode(&bits);
        assert_eq!(decode(&symbols), (message, 0));
        symbols[3] ^= 3;
        symbols[20] ^= 1;
        symbols[30] ^= 2;
        assert_eq!(decode(&symbols), (message, 4));
    }
}
