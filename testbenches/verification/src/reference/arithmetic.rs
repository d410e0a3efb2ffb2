//! What every arithmetic instruction computes, with the corner cases of the RISC-V specification.
use warploom_runtime::isa::{AluOp, AtomicOp, Condition};

/// The result of an arithmetic instruction.
pub fn alu(op: AluOp, a: u32, b: u32) -> u32 {
    let (signed_a, signed_b) = (a as i32, b as i32);
    match op {
        AluOp::Add => a.wrapping_add(b),
        AluOp::Sub => a.wrapping_sub(b),
        // Shifts use the low five bits of b, as `wrapping_shl` and its kin do.
        AluOp::ShiftLeft => a.wrapping_shl(b),
        AluOp::ShiftRight => a.wrapping_shr(b),
        AluOp::ShiftRightArithmetic => signed_a.wrapping_shr(b) as u32,
        AluOp::Less => (signed_a < signed_b).into(),
        AluOp::LessUnsigned => (a < b).into(),
        AluOp::Xor => a ^ b,
        AluOp::Or => a | b,
        AluOp::And => a & b,
        AluOp::Multiply => a.wrapping_mul(b),
        AluOp::MultiplyHigh => high(i64::from(signed_a) * i64::from(signed_b)),
        AluOp::MultiplyHighSignedUnsigned => high(i64::from(signed_a) * i64::from(b)),
        AluOp::MultiplyHighUnsigned => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        // Division by zero: quotient of ones, remainder the dividend. Overflow wraps.
        AluOp::Divide if b == 0 => u32::MAX,
        AluOp::Divide => signed_a.wrapping_div(signed_b) as u32,
        AluOp::DivideUnsigned => a.checked_div(b).unwrap_or(u32::MAX),
        AluOp::Remainder if b == 0 => a,
        AluOp::Remainder => signed_a.wrapping_rem(signed_b) as u32,
        AluOp::RemainderUnsigned => a.checked_rem(b).unwrap_or(a),
    }
}

fn high(product: i64) -> u32 {
    (product >> 32) as u32
}

/// Whether a branch is taken.
pub fn taken(condition: Condition, a: u32, b: u32) -> bool {
    match condition {
        Condition::Equal => a == b,
        Condition::NotEqual => a != b,
        Condition::Less => (a as i32) < b as i32,
        Condition::GreaterEqual => a as i32 >= b as i32,
        Condition::LessUnsigned => a < b,
        Condition::GreaterEqualUnsigned => a >= b,
    }
}

/// What an atomic stores, given the word in memory and the operand.
pub fn atomic(op: AtomicOp, memory: u32, operand: u32) -> u32 {
    match op {
        AtomicOp::Swap => operand,
        AtomicOp::Add => memory.wrapping_add(operand),
        AtomicOp::Xor => memory ^ operand,
        AtomicOp::And => memory & operand,
        AtomicOp::Or => memory | operand,
        AtomicOp::Min => (memory as i32).min(operand as i32) as u32,
        AtomicOp::Max => (memory as i32).max(operand as i32) as u32,
        AtomicOp::MinUnsigned => memory.min(operand),
        AtomicOp::MaxUnsigned => memory.max(operand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AluOp::*;

    const MIN: u32 = 0x8000_0000;
    const MINUS_1: u32 = 0xFFFF_FFFF;

    #[test]
    fn corner_cases() {
        for (op, a, b, result) in [
            (Add, MINUS_1, 1, 0),
            (Sub, 0, 1, MINUS_1),
            (ShiftLeft, 1, 31, MIN),
            (ShiftLeft, 1, 32, 1),
            (ShiftRight, MIN, 31, 1),
            (ShiftRight, MIN, 33, 0x4000_0000),
            (ShiftRightArithmetic, MIN, 31, MINUS_1),
            (ShiftRightArithmetic, MIN, 32, MIN),
            (Less, MIN, 0, 1),
            (Less, 0, MIN, 0),
            (LessUnsigned, 0, MIN, 1),
            (LessUnsigned, MIN, 0, 0),
            (Multiply, MIN, MINUS_1, MIN),
            (MultiplyHigh, MIN, MIN, 0x4000_0000),
            (MultiplyHigh, MINUS_1, MINUS_1, 0),
            (MultiplyHigh, MIN, 1, MINUS_1),
            (MultiplyHighSignedUnsigned, MINUS_1, MINUS_1, MINUS_1),
            (MultiplyHighSignedUnsigned, MIN, MINUS_1, MIN),
            (MultiplyHighSignedUnsigned, 1, MINUS_1, 0),
            (MultiplyHighUnsigned, MINUS_1, MINUS_1, 0xFFFF_FFFE),
            (Divide, 7, 0, MINUS_1),
            (Divide, MIN, MINUS_1, MIN),
            (Divide, -7i32 as u32, 2, -3i32 as u32),
            (DivideUnsigned, 7, 0, MINUS_1),
            (DivideUnsigned, MIN, MINUS_1, 0),
            (Remainder, 7, 0, 7),
            (Remainder, MIN, MINUS_1, 0),
            (Remainder, -7i32 as u32, 2, MINUS_1),
            (Remainder, 7, -2i32 as u32, 1),
            (RemainderUnsigned, 7, 0, 7),
            (RemainderUnsigned, MIN, MINUS_1, MIN),
        ] {
            assert_eq!(alu(op, a, b), result, "{op:?} {a:#x} {b:#x}");
        }
    }

    #[test]
    fn branches_compare_with_and_without_sign() {
        for (condition, a, b, expected) in [
            (Condition::Equal, 3, 3, true),
            (Condition::NotEqual, 3, 3, false),
            (Condition::Less, MIN, 0, true),
            (Condition::LessUnsigned, MIN, 0, false),
            (Condition::GreaterEqual, 3, 3, true),
            (Condition::GreaterEqual, MIN, 0, false),
            (Condition::GreaterEqualUnsigned, MIN, 0, true),
        ] {
            assert_eq!(taken(condition, a, b), expected, "{condition:?} {a:#x} {b:#x}");
        }
    }

    #[test]
    fn atomics_compare_with_and_without_sign() {
        assert_eq!(atomic(AtomicOp::Min, 1, MINUS_1), MINUS_1);
        assert_eq!(atomic(AtomicOp::MinUnsigned, 1, MINUS_1), 1);
        assert_eq!(atomic(AtomicOp::Max, 1, MINUS_1), 1);
        assert_eq!(atomic(AtomicOp::MaxUnsigned, 1, MINUS_1), MINUS_1);
        assert_eq!(atomic(AtomicOp::Add, MINUS_1, 2), 1);
        assert_eq!(atomic(AtomicOp::Swap, 5, 6), 6);
    }
}
