//! Decryption by [`rijndael`], as the equivalent inverse cipher of FIPS 197 has it: keys in the other order, those between mixed as the state is.
use super::rijndael::{self, BYTES, Work};
use super::{About, Arithmetic, Output, Problem};
use crate::host::{DeviceError, Session};

/// Undoes [`rijndael::MIX`].
const UNMIX: [u8; 4] = [14, 11, 13, 9];

pub(super) const ABOUT: About = About {
    summary: "AES-128 decryption by tables: a barrier per round, scattered loads, no divergence",
    papers: "Narasiman 2014 (decrypt)",
    arithmetic: Arithmetic::Integer,
    unit: rijndael::UNIT,
    sizes: rijndael::SIZES,
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    rijndael::run(session, problem, "plain", |[plain, cipher], keys, s_box| Work {
        from: cipher,
        to: plain,
        keys: backwards(&keys),
        tables: rijndael::tables(&inverse(s_box), UNMIX),
    })
}

/// The keys of all rounds of decryption.
fn backwards(keys: &[u8]) -> Vec<u8> {
    let last = keys.len() / BYTES - 1;
    let key = |(round, key): (usize, &[u8])| match round {
        0 => key.to_vec(),
        round if round == last => key.to_vec(),
        _ => rijndael::mixed(key, UNMIX),
    };
    keys.chunks(BYTES).rev().enumerate().flat_map(key).collect()
}

fn inverse(s_box: &[u8; 256]) -> [u8; 256] {
    let mut inverse = [0; 256];
    (0..=255).zip(s_box).for_each(|(byte, &to)| inverse[usize::from(to)] = byte);
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_is_undone() {
        let state: Vec<u8> = (0..16u8).map(|i| i.wrapping_mul(37)).collect();
        assert_eq!(rijndael::mixed(&rijndael::mixed(&state, rijndael::MIX), UNMIX), state);
    }
}
