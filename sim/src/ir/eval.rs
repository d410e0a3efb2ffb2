//! What every scalar operator means, on constants.
use super::{Binary, NodeId, Op, Unary, mask};

/// The value of a scalar operator of `width` bits whose operands `known` gives as (value, width); `None` when one
/// that matters is unknown, or for what is not a function of its operands.
pub fn scalar(op: &Op, width: usize, known: impl Fn(NodeId) -> Option<(u64, usize)>) -> Option<u64> {
    let value = |id| known(id).map(|(value, _)| value);
    let result = match op {
        Op::Const(value) => *value,
        Op::Unary(op, a) => {
            let (a, a_width) = known(*a)?;
            unary(*op, a, a_width)
        }
        Op::Binary(op, a, b) => {
            let (a, a_width) = known(*a)?;
            binary(*op, a, value(*b)?, a_width)
        }
        Op::Mux(c, a, b) => {
            if value(*c)? != 0 {
                value(*a)?
            } else {
                value(*b)?
            }
        }
        Op::Slice { value: a, low } => value(*a)? >> low,
        Op::Concat(parts) => {
            let mut result = 0;
            for part in parts.iter() {
                let (part, part_width) = known(*part)?;
                result = if part_width == 64 { part } else { (result << part_width) | part };
            }
            result
        }
        Op::BitReplace { value: a, index, bit } => {
            let (a, index, bit) = (value(*a)?, value(*index)?, value(*bit)?);
            if index < width as u64 { (a & !(1 << index)) | (bit << index) } else { a }
        }
        Op::Select { index, inputs } => match inputs.get(usize::try_from(value(*index)?).unwrap_or(usize::MAX)) {
            Some(&input) => value(input)?,
            None => 0,
        },
        Op::LastWins { conditions, values, default } => {
            let mut result = value(*default)?;
            for (condition, candidate) in conditions.iter().zip(values.iter()) {
                if value(*condition)? != 0 {
                    result = value(*candidate)?;
                }
            }
            result
        }
        Op::Chain(op, parts) => {
            let mut parts = parts.iter().map(|&part| value(part));
            let first = parts.next()??;
            parts.try_fold(first, |result, part| Some(binary(*op, result, part?, width)))?
        }
        _ => return None,
    };
    Some(result & mask(width))
}

/// Sign extension to 64 bits.
fn signed(value: u64, width: usize) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

fn unary(op: Unary, a: u64, width: usize) -> u64 {
    match op {
        Unary::Not => !a,
        Unary::ZeroExtend => a,
        Unary::SignExtend => signed(a, width) as u64,
        Unary::ReduceAnd => (a == mask(width)) as u64,
        Unary::ReduceOr => (a != 0) as u64,
        Unary::ReduceXor => a.count_ones() as u64 & 1,
        Unary::Popcount => a.count_ones() as u64,
        Unary::LowestBit => {
            if a == 0 {
                0
            } else {
                a.trailing_zeros() as u64
            }
        }
        Unary::HighestBit => {
            if a == 0 {
                0
            } else {
                63 - a.leading_zeros() as u64
            }
        }
    }
}

/// A binary operator on operands of `width` bits (the first one's, for shifts). The result is not yet masked.
pub fn binary(op: Binary, a: u64, b: u64, width: usize) -> u64 {
    let past_end = b >= width as u64;
    match op {
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Eq => (a == b) as u64,
        Binary::Ne => (a != b) as u64,
        Binary::Lt => (a < b) as u64,
        Binary::Le => (a <= b) as u64,
        Binary::SignedLt => (signed(a, width) < signed(b, width)) as u64,
        Binary::Shl => {
            if past_end {
                0
            } else {
                a << b
            }
        }
        Binary::Shr => {
            if past_end {
                0
            } else {
                a >> b
            }
        }
        Binary::Sra => (signed(a, width) >> b.min(63)) as u64,
        Binary::BitSelect => {
            if past_end {
                0
            } else {
                (a >> b) & 1
            }
        }
    }
}
