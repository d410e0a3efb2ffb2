//! Operands of binary32 where something happens: subnormals, ties, cancellation, the ends of the range, NaN.
use warploom_hdl::execute::float::operation::{FloatOperation, FloatRounding};
use warploom_runtime::kernels::Random;
use warploom_verification::reference::float::Single;

use crate::operation::Operation;

/// Values at the corners, of both signs.
pub fn corners() -> Vec<u64> {
    const MAGNITUDES: [u32; 40] = [
        0,           // zero
        1,           // the smallest subnormal
        2,           //
        3,           //
        0x0040_0000, // half of the smallest normal
        0x007f_fffe, //
        0x007f_ffff, // the largest subnormal
        0x0080_0000, // the smallest normal
        0x0080_0001, //
        0x00ff_ffff, //
        0x0100_0000, //
        0x1f80_0000, // 2^-64
        0x3380_0000, // 2^-24
        0x33ff_ffff, //
        0x3400_0000, // 2^-23
        0x3e80_0000, // 0.25
        0x3eff_ffff, // below 0.5
        0x3f00_0000, // 0.5
        0x3f00_0001, //
        0x3f7f_fffe, //
        0x3f7f_ffff, // below 1
        0x3f80_0000, // 1
        0x3f80_0001, // above 1
        0x3fc0_0000, // 1.5
        0x4000_0000, // 2
        0x4020_0000, // 2.5
        0x4b00_0000, // 2^23
        0x4b7f_ffff, // 2^24 - 1
        0x4eff_ffff, // below 2^31
        0x4f00_0000, // 2^31
        0x4f00_0001, //
        0x4f7f_ffff, // below 2^32
        0x4f80_0000, // 2^32
        0x5f80_0000, // 2^64
        0x7f00_0000, // 2^127
        0x7f7f_ffff, // the largest
        0x7f80_0000, // infinity
        0x7f80_0001, // a signaling NaN
        0x7fc0_0000, // NaN
        0x7fff_ffff, // with a payload
    ];
    MAGNITUDES.into_iter().flat_map(|magnitude| [magnitude, magnitude | 1 << 31]).map(u64::from).collect()
}

/// Integers at the corners.
fn integers() -> Vec<u64> {
    let near = (0..32).flat_map(|bit| [-2i64, -1, 0, 1, 2].map(|by| (1i64 << bit) + by));
    let ties = (24..32).flat_map(|bit| [1i64, 3].map(|odd| (1 << bit) + (odd << (bit - 24))));
    near.chain(ties).flat_map(|integer| [integer as u32, integer.wrapping_neg() as u32]).map(u64::from).collect()
}

/// All combinations of corners that an operation can have.
pub fn directed(operation: Operation, of: &[u64]) -> Vec<[u64; 3]> {
    let one = |a: &u64| [*a, 0, 0];
    match (operation, operation.operands()) {
        (Operation::Pipelined(FloatOperation::FromInteger | FloatOperation::FromUnsigned), _) => {
            integers().iter().chain(of).map(one).collect()
        }
        (_, 1) => of.iter().map(one).collect(),
        (_, 2) => of.iter().flat_map(|&a| of.iter().map(move |&b| [a, b, 0])).collect(),
        _ => of.iter().flat_map(|&a| of.iter().flat_map(move |&b| of.iter().map(move |&c| [a, b, c]))).collect(),
    }
}

/// Random operands of an operation, mostly related to each other.
pub fn random(operation: Operation, corners: &[u64], random: &mut Random) -> [u64; 3] {
    use FloatOperation::*;
    let [a, b, c] = match random.below(8) {
        0 => [(); 3].map(|()| u64::from(random.word())),
        1 => [(); 3].map(|()| {
            if random.below(2) == 0 { corners[random.below(corners.len() as u32) as usize] } else { value(random) }
        }),
        _ => [(); 3].map(|()| value(random)),
    };
    let near = |random: &mut Random, exponent: i32, spread: u32| {
        let exponent = exponent + random.below(2 * spread + 1) as i32 - spread as i32;
        (random.word() & 1) << 31 | (exponent.clamp(0, 254) as u32) << 23 | fraction(random)
    };
    let exponent = |value: u64| (value >> 23 & 255) as i32;
    let related = random.below(4);
    match operation {
        Operation::Pipelined(FromInteger | FromUnsigned) => [u64::from(random.word() >> random.below(32)), b, c],
        Operation::Pipelined(ToInteger | ToUnsigned) if related > 0 => [near(random, 141, 18).into(), b, c],
        Operation::Pipelined(Add | Subtract) if related > 0 => {
            [a, near(random, exponent(a), [1, 26, 60][related as usize - 1]).into(), c]
        }
        // At either end of the range.
        Operation::Pipelined(Multiply) if related == 1 => [a, near(random, 127 - exponent(a), 30).into(), c],
        Operation::Pipelined(Multiply) if related == 2 => [a, near(random, 381 - exponent(a), 3).into(), c],
        Operation::Quotient if related == 1 => [a, near(random, exponent(a) + 139, 16).into(), c],
        Operation::Quotient if related == 2 => [a, near(random, exponent(a) - 127, 3).into(), c],
        Operation::Quotient if related == 3 => [a, a & !7 | u64::from(random.below(8)), c],
        Operation::Pipelined(_) if operation.operands() == 3 && related == 1 => {
            // The product takes the addend away, but for the last bits.
            let product = Single::multiply_add(Multiply, FloatRounding::TowardsZero, [a, b, 0]).result;
            [a, b, product ^ u64::from(random.word() & 1) << 31 ^ u64::from(random.below(4))]
        }
        Operation::Pipelined(_) if operation.operands() == 3 && related == 2 => {
            [a, b, near(random, exponent(a) + exponent(b) - 127, 52).into()]
        }
        Operation::Pipelined(_) if operation.operands() == 3 && related == 3 => {
            [a, near(random, 127 - exponent(a), 30).into(), near(random, 1, 12).into()]
        }
        Operation::Compared(_) if related == 1 => [a, a, c],
        Operation::Compared(_) if related == 2 => [a, a ^ (1u64 << random.below(32)), c],
        _ => [a, b, c],
    }
}

/// A value whose exponent and fraction are at an end more often than by chance.
fn value(random: &mut Random) -> u64 {
    let exponent = match random.below(8) {
        0 => 0,
        1 => random.below(26),
        2 => 254 - random.below(4),
        3 => 255 - random.below(2) * 128,
        4..6 => 100 + random.below(54),
        _ => random.below(256),
    };
    ((random.word() & 1) << 31 | exponent << 23 | fraction(random)).into()
}

/// Long runs of equal bits, few bits, or anything.
fn fraction(random: &mut Random) -> u32 {
    const ALL: u32 = (1 << 23) - 1;
    let fraction = match random.below(8) {
        0 => 0,
        1 => ALL,
        2 => 1 << random.below(23),
        3 => ALL ^ 1 << random.below(23),
        4 => ALL >> random.below(23),
        5 => ALL << random.below(23),
        _ => random.word(),
    };
    fraction & ALL
}
