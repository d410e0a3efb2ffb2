//! AES-128 of independent blocks (electronic code book mode), by tables, after Manavski (2007), whose kernel comes with
//! GPGPU-Sim (Bakhoda et al. 2009) for longer keys. The host expands the key and makes the tables. Any size: filled up to full
//! CTAs.
use super::{Output, Problem, Random, Sizes, grid};
use crate::host::{DeviceError, Session};

/// Rounds of a key of 128 bits.
const ROUNDS: usize = 10;
/// Bytes of a block; words, which are the columns of the state.
pub(super) const BYTES: usize = 16;
const COLUMNS: usize = 4;
/// What a byte of a mixed column has of that in its own row, and in those below.
pub(super) const MIX: [u8; 4] = [2, 3, 1, 1];

pub(super) const UNIT: &str = "blocks of sixteen bytes";
pub(super) const SIZES: Sizes = Sizes { smoke: 5, default: 256, large: 2048 };

/// What a kernel is given, and what it is to make of it.
pub(super) struct Work {
    pub from: Vec<u8>,
    pub to: Vec<u8>,
    pub keys: Vec<u8>,
    pub tables: Vec<u32>,
}

/// Runs a kernel whose work follows from a text, what it is encrypted, the keys of all rounds, and the S-box.
pub(super) fn run(
    session: &mut Session,
    problem: &Problem,
    output: &'static str,
    work: impl Fn([Vec<u8>; 2], Vec<u8>, &[u8; 256]) -> Work,
) -> Result<Vec<Output>, DeviceError> {
    let blocks_of_a_cta = (problem.threads(session.config()) / COLUMNS).max(1);
    let blocks = problem.size.next_multiple_of(blocks_of_a_cta);
    let (threads, words) = (COLUMNS * blocks_of_a_cta, COLUMNS * blocks);
    let mut random = Random::new(problem.seed);
    let mut bytes = |count: usize| -> Vec<u8> { (0..count).map(|_| random.below(256) as u8).collect() };
    let (key, plain) = (bytes(BYTES), bytes(BYTES * blocks));
    let s_box = s_box();
    let keys = expand(&key, &s_box);
    let cipher: Vec<u8> = plain.chunks(BYTES).flat_map(|block| encrypt(block, &keys, &s_box)).collect();
    let Work { from, to, keys, tables } = work([plain, cipher], keys, &s_box);

    let (from, result) = (session.buffer(&big_endian(&from))?, session.zeros(words)?);
    let (keys, tables) = (session.buffer(&big_endian(&keys))?, session.buffer(&tables)?);
    let arguments = [from, result, keys, tables].map(|buffer| buffer.address);
    session.launch(grid(words, threads), [threads as u32, 1, 1], 2 * threads, &arguments)?;
    Ok(vec![Output::exact(output, session.read(result), big_endian(&to))])
}

/// Words of four bytes, the first one highest.
fn big_endian(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|word| word.iter().fold(0, |sum, &byte| sum << 8 | u32::from(byte))).collect()
}

/// What a substitution and a mix make of each byte of a column, by its row; then the substitution.
pub(super) fn tables(s_box: &[u8; 256], mix: [u8; 4]) -> Vec<u32> {
    let effect = |byte: u8| u32::from_be_bytes([0, 3, 2, 1].map(|row| times(mix[row], byte)));
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

/// Every column, by such a polynomial.
pub(super) fn mixed(state: &[u8], mix: [u8; 4]) -> Vec<u8> {
    let byte = |i: usize| {
        let of_row = |row: usize| times(mix[row], state[i / 4 * 4 + (i + row) % 4]);
        (0..4).fold(0, |sum, row| sum ^ of_row(row))
    };
    (0..state.len()).map(byte).collect()
}

/// Step by step, as in FIPS 197, without tables of columns.
fn encrypt(plain: &[u8], keys: &[u8], s_box: &[u8; 256]) -> Vec<u8> {
    let mut keys = keys.chunks(BYTES);
    let mut add_key =
        |state: Vec<u8>| -> Vec<u8> { state.iter().zip(keys.next().unwrap_or_default()).map(|(a, b)| a ^ b).collect() };
    let substitute_and_shift = |state: &[u8]| -> Vec<u8> {
        (0..BYTES).map(|i| s_box[usize::from(state[(i + 4 * (i % 4)) % BYTES])]).collect()
    };
    let mut state = add_key(plain.to_vec());
    for _ in 1..ROUNDS {
        state = add_key(mixed(&substitute_and_shift(&state), MIX));
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
