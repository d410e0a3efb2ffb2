//! What the decoder tells the float units, and what passes between their stages.
use super::FloatFormat;
use crate::prelude::*;

hardware_enum! {
    /// What happens to bits that do not fit: RISC-V's rounding modes, in its encoding.
    pub enum FloatRounding {
        /// To the nearest, ties to the even one (RNE).
        NearestEven,
        /// Towards zero (RTZ).
        TowardsZero,
        /// Down (RDN).
        Down,
        /// Up (RUP).
        Up,
        /// To the nearest, ties away from zero (RMM).
        NearestAway,
    }
}

hardware_enum! {
    /// What [`FloatMultiplyAdd`](super::FloatMultiplyAdd) computes. The first four as in bits 3 and 2 of the opcode.
    pub enum FloatOperation {
        /// a * b + c.
        MultiplyAdd,
        /// a * b - c.
        MultiplySubtract,
        /// -(a * b) + c.
        NegatedMultiplySubtract,
        /// -(a * b) - c.
        NegatedMultiplyAdd,
        /// a + b.
        Add,
        /// a - b.
        Subtract,
        /// a * b.
        Multiply,
        /// The integer a in two's complement.
        FromInteger,
        /// The unsigned integer a.
        FromUnsigned,
        /// a as an integer in two's complement.
        ToInteger,
        /// a as an unsigned integer.
        ToUnsigned,
    }
}

hardware_enum! {
    /// What [`FloatCompare`](super::FloatCompare) computes.
    pub enum FloatComparison {
        /// a = b.
        Equal,
        /// a < b.
        Less,
        /// a <= b.
        LessOrEqual,
        /// The smaller one; a number rather than NaN.
        Minimum,
        /// The larger one; a number rather than NaN.
        Maximum,
        /// One of ten bits.
        Classify,
        /// a with the sign of b.
        CopySign,
        /// a with the other one.
        CopyInvertedSign,
        /// a with the sign of the product.
        MultiplySigns,
        /// a.
        Move,
    }
}

hardware_enum! {
    /// Which float unit has the result.
    pub enum FloatResult {
        /// None: a load, a store, or no float instruction.
        None,
        /// [`FloatMultiplyAdd`](super::FloatMultiplyAdd).
        Pipeline,
        /// [`FloatDivide`](super::FloatDivide).
        Divide,
        /// [`FloatCompare`](super::FloatCompare).
        Comparison,
        /// [`FloatStatus`](super::FloatStatus).
        Status,
    }
}

hardware_enum! {
    /// Which CSR.
    pub enum FloatCsr {
        /// None.
        None,
        /// `fflags`.
        Flags,
        /// `frm`.
        Rounding,
        /// `fcsr`.
        Both,
    }
}

registers! {
    /// [`FloatControls`], a cycle later.
    pub struct FloatControlsRegister {
        /// What a float instruction says, as [`DecodeFloat`](crate::execute::DecodeFloat) documents it.
        FloatControls() {
            /// The first operand is a float register, else an integer's.
            float_a: Bit,
            /// `fsw`.
            store: Bit,
            result: FloatResult,
            operation: FloatOperation,
            comparison: FloatComparison,
            /// A square root, else a quotient.
            root: Bit,
            /// As [`FloatRounding`]; 7: see `dynamic`.
            rounding: [3],
            /// It rounds as the thread's `frm` says.
            dynamic: Bit,
            /// Its result changes `fflags`.
            raises: [1],
            /// It says what they are, whatever they were.
            replaces: [1],
            csr: FloatCsr,
            /// The operand of the CSR instruction, in place of `rs1`.
            csr_immediate: [5],
            csr_is_immediate: Bit,
            csr_sets: Bit,
            csr_clears: Bit,
            csr_writes: Bit,
        }
    }
}

/// Flags of an operation, from bit 4 down: NV, DZ, OF, UF, NX, as in RISC-V's `fflags`.
pub const FLAGS: usize = 5;

registers! {
    /// [`FloatOutcome`], a cycle later.
    pub struct FloatOutcomeRegister: clock {
        /// What goes with an operation from stage to stage.
        FloatOutcome() {
            /// How to round, as [`FloatRounding`].
            rounding: [3],
            /// The result is no number.
            nan: [1],
            /// The result is infinite; in a conversion to an integer: too large.
            infinite: [1],
            /// The operation is invalid.
            invalid: [1],
            /// The result is an integer.
            to_integer: [1],
            /// And that in two's complement.
            is_signed: [1],
        }
    }
}

registers! {
    /// [`FloatFactors`], a cycle later.
    pub struct FloatFactorsRegister: clock {
        /// Two factors and an addend, or the integer `{b, a}` in place of the product. Factors are normalised, unless both were subnormal.
        FloatFactors(format: FloatFormat) {
            a: [format.significand()],
            b: [format.significand()],
            addend: [format.significand()],
            /// Exponent of the top bit of a sum in which the product is at the lower end.
            product_exponent: [format.wide_exponent()],
            /// Exponent of the addend's top bit.
            addend_exponent: [format.exponent],
            product_sign: [1],
            addend_sign: [1],
            /// A factor is zero.
            no_product: [1],
            from_integer: [1],
            outcome: (FloatOutcome() in FloatOutcomeRegister()),
        }
    }
}

registers! {
    /// [`FloatTerms`], a cycle later.
    pub struct FloatTermsRegister: clock {
        /// A product, and an addend with its distance from the top of the sum.
        FloatTerms(format: FloatFormat) {
            product: [format.product()],
            addend: [format.significand()],
            distance: [format.distance()],
            /// Of the top bit of the sum.
            exponent: [format.exponent + 1],
            product_sign: [1],
            addend_sign: [1],
            outcome: (FloatOutcome() in FloatOutcomeRegister()),
        }
    }
}

registers! {
    /// [`FloatSum`], a cycle later.
    pub struct FloatSumRegister: clock {
        /// What [`FloatNormalize`](super::FloatNormalize) takes.
        FloatSum(format: FloatFormat) {
            high: [format.above()],
            low: [format.product()],
            complement: [1],
            pending: [1],
            sticky: [1],
            exponent: [format.exponent + 1],
            sign: [1],
            /// A difference: if it is zero, the sign depends on the rounding mode.
            is_difference: [1],
            outcome: (FloatOutcome() in FloatOutcomeRegister()),
        }
    }
}

registers! {
    /// [`FloatUnrounded`], a cycle later.
    pub struct FloatUnroundedRegister: clock {
        /// What is left to round. Of an integer all these are one number down to the bit below its unit, the exponent at the end.
        FloatUnrounded(format: FloatFormat) {
            sign: [1],
            significand: [format.significand()],
            guard: [1],
            half: [1],
            sticky: [1],
            carry: [1],
            exponent: [format.exponent + 1],
            outcome: (FloatOutcome() in FloatOutcomeRegister()),
        }
    }
}

bundle! {
    /// To the float dividers of all lanes.
    pub struct FloatDivideStep(format: FloatFormat) {
        /// Take the operands.
        load: Bit,
        /// The cycle after.
        adjust: Bit,
        /// Some bits of the result.
        step: Bit,
        /// The place of the first of them.
        place: [format.above()],
        /// A square root, else a quotient; from `load` on.
        root: Bit,
    }
}
