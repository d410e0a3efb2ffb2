//! AES-128 encryption of independent blocks (electronic code book mode), by tables, after Manavski (2007), whose kernel comes with
//! GPGPU-Sim (Bakhoda et al. 2009) for longer keys. The host expands the key and makes the tables. Any size: filled up to full
//! CTAs.
use super::{About, Arithmetic, Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Rounds of a key of 128 bits.
const ROUNDS: usize = 10;
/// Bytes of a block; words, which are the columns of the state.
const BYTES: usize = 16;
const COLUMNS: usize = 4;

pub(super) const ABOUT: About = About {
    summary: "AES-128 encryption by tables: a barrier per round, scattered loads, no divergence",
    papers: "Fung 2011 (AES), Turner 2012 (AES); Narasiman 2014 decrypts (decrypt)",
    arithmetic: Arithmetic::Integer,
    unit: "blocks of sixteen bytes",
    sizes: Sizes { smoke: 5, default: 256, large: 2048 },
};

pub(super) fn run(session: &mut Session, problem: &Problem) -> Result<Vec<Output>, DeviceError> {
    let blocks_of_a_cta = (problem.threads(session.config()) / COLUMNS).max(1);
    let blocks = problem.size.next_multiple_of(blocks_of_a_cta);
    let (threads, words) = (COLUMNS * blocks_of_a_cta, COLUMNS * blocks);
    let mut random = Random::new(problem.seed);
    let mut bytes = |count: usize| -> Vec<u8> { (0..count).map(|_| random.below(256) as u8).collect() };
    let (key, plain) = (bytes(BYTES), bytes(BYTES * blocks));
    let s_box = s_box();
    let keys = expand(&key, &s_box);
    let cipher: Vec<u8> = plain.chunks(BYTES).flat_map(|block| encrypt(block, &keys, &s_box)).collect();

    let (plain, result) = (session.buffer(&big_endian(&plain))?, session.zeros(words)?);
    let (keys, tables) = (session.buffer(&big_endian(&keys))?, session.buffer(&tables(&s_box))?);
    let arguments = [plain, result, keys, tables].map(|buffer| buffer.address);
    session.launch(grid(words, threads), [threads as u32, 1, 1], 2 * threads, &arguments)?;
    Ok(vec![Output::exact("cipher", session.read(result), big_endian(&cipher))])
}

/// Words of four bytes, the first one highest.
fn big_endian(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| word.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte))).collect()
}

/// What SubBytes and MixColumns make of each byte of a column, by its row; then the S-box.
fn tables(s_box: &[u8; 256]) -> Vec<u32> {
    let effect = |byte: u8| u32::from_be_bytes([times(2, byte), byte, byte, times(3, byte)]);
    let of_row = |row: u32| s_box.iter().map(move |&byte| effect(byte).rotate_right(8 * row));
    (0..4).flat_map(of_row).chain(s_box.iter().map(|&byte| u32::from(byte))).collect()
}

/// Product in the field of 256 elements.
fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        product ^= if b & 1 == 1 { a } else { 0 };
        a = a << 1 ^ if a & 0x80 == 0 { 0 } else { 0x1b };
        b >>= 1;
    }
    product
}

/// Inverse in the field, then an affine map.
fn s_box() -> [u8; 256] {
    std::array::from_fn(|byte| {
        let inverse = (0..=255).find(|&other| times(byte as u8, other) == 1).unwrap_or(0u8);
        (0..5).fold(0x63, |sum, by| sum ^ inverse.rotate_left(by))
    })
}

/// The keys of all rounds.
fn expand(key: &[u8], s_box: &[u8; 256]) -> Vec<u8> {
    let mut keys = key.to_vec();
    let mut constant = 1;
    for word in COLUMNS..COLUMNS * (ROUNDS + 1) {
        let mut last: [u8; 4] = std::array::from_fn(|i| keys[4 * (word - 1) + i]);
        if word.is_multiple_of(COLUMNS) {
            last.rotate_left(1);
            last = last.map(|byte| s_box[usize::from(byte)]);
            last[0] ^= constant;
            constant = times(2, constant);
        }
        (0..4).for_each(|i| keys.push(keys[4 * (word - COLUMNS) + i] ^ last[i]));
    }
    keys
}

/// Step by step, as in FIPS 197, without tables of columns.
fn encrypt(plain: &[u8], keys: &[u8], s_box: &[u8; 256]) -> Vec<u8> {
    let mut keys = keys.chunks(BYTES);
    let mut add_key =
        |state: Vec<u8>| -> Vec<u8> { state.iter().zip(keys.next().unwrap_or_default()).map(|(a, b)| a ^ b).collect() };
    let substitute_and_shift = |state: &[u8]| -> Vec<u8> {
        (0..BYTES).map(|i| s_box[usize::from(state[(i + 4 * (i % 4)) % BYTES])]).collect()
    };
    let mix = |state: Vec<u8>| -> Vec<u8> {
        let byte = |i: usize| {
            let of_column = |row: usize| state[i / 4 * 4 + (i + row) % 4];
            times(2, of_column(0)) ^ times(3, of_column(1)) ^ of_column(2) ^ of_column(3)
        };
        (0..BYTES).map(byte).collect()
    };
    let mut state = add_key(plain.to_vec());
    for _ in 1..ROUNDS {
        state = add_key(mix(substitute_and_shift(&state)));
    }
    add_key(substitute_and_shift(&state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard() {
        let key: Vec<u8> = (0..16).collect();
        let plain: Vec<u8> = (0..16).map(|byte| 0x11 * byte).collect();
        let s_box = s_box();
        let cipher = encrypt(&plain, &expand(&key, &s_box), &s_box);
        assert_eq!(big_endian(&cipher), [0x69c4_e0d8, 0x6a7b_0430, 0xd8cd_b780, 0x70b4_c55a]);
    }
}
