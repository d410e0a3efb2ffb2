//! What the decoder tells the lanes and units.
use crate::interface::{ControlKind, MemoryOp, TrapCause};
use crate::prelude::*;

hardware_enum! {
    /// What the ALU computes from its operands.
    pub enum AluOp {
        /// a + b.
        Add,
        /// a - b.
        Sub,
        /// a << b.
        ShiftLeft,
        /// Two's-complement a < b.
        Less,
        /// Unsigned a < b.
        LessUnsigned,
        /// a ^ b.
        Xor,
        /// a >> b, zeros from above.
        ShiftRight,
        /// a >> b, signs from above.
        ShiftRightArithmetic,
        /// a | b.
        Or,
        /// a & b.
        And,
    }
}

hardware_enum! {
    /// First operand of the ALU.
    pub enum OperandA {
        /// `rs1`.
        Register,
        /// The instruction's own address: `auipc`, and the link of `jal` and `jalr`.
        Pc,
        /// Zero: `lui`.
        Zero,
    }
}

hardware_enum! {
    /// Second operand of the ALU.
    pub enum OperandB {
        /// `rs2`.
        Register,
        /// The immediate.
        Immediate,
        /// Four: the link of `jal` and `jalr`.
        Four,
    }
}

hardware_enum! {
    /// Where a one-cycle result comes from.
    pub enum ResultSource {
        /// The ALU.
        Alu,
        /// The CSR unit.
        Csr,
        /// The mask of active lanes with `rs1` != 0.
        Ballot,
    }
}

hardware_enum! {
    /// How the word spells its immediate.
    pub enum ImmediateFormat {
        /// Loads, `jalr`, register-immediate arithmetic.
        I,
        /// Stores.
        S,
        /// Branches.
        B,
        /// `lui`, `auipc`.
        U,
        /// `jal`.
        J,
        /// No immediate, so zero: atomics address memory by `rs1` alone.
        None,
    }
}

hardware_enum! {
    /// When a conditional branch is taken.
    pub enum BranchCondition {
        /// `beq`.
        Equal,
        /// `bne`.
        NotEqual,
        /// `blt`.
        Less,
        /// `bge`.
        GreaterEqual,
        /// `bltu`.
        LessUnsigned,
        /// `bgeu`.
        GreaterEqualUnsigned,
    }
}

hardware_enum! {
    /// Where a CSR's value comes from.
    pub enum CsrSource {
        /// One value for the whole warp.
        Uniform,
        /// The thread's x in its CTA.
        ThreadX,
        /// The thread's y in its CTA.
        ThreadY,
        /// The thread's z in its CTA.
        ThreadZ,
        /// The lane's number.
        Lane,
        /// The number of the thread's row in its CTA.
        Warp,
    }
}

registers! {
    /// [`MultiplyKind`], a cycle later.
    pub struct MultiplyKindRegister {
        /// Which multiplication.
        MultiplyKind() {
            /// The upper half of the product.
            high: Bit,
            a_signed: Bit,
            b_signed: Bit,
        }
    }
}

bundle! {
    /// To the dividers of all lanes.
    pub struct DivideStep() {
        /// Take the operands.
        load: Bit,
        /// One quotient bit.
        step: Bit,
        /// The result is the remainder, else the quotient.
        remainder: Bit,
    }
}

registers! {
    /// [`Controls`], a cycle later.
    pub struct ControlsRegister {
        /// What an instruction word says, as [`Decode`](super::Decode) documents it.
        Controls(config: &CoreConfig) {
            rd: [config.register_width()],
            writes_rd: Bit,
            immediate: [32],
            operand_a: OperandA,
            operand_b: OperandB,
            alu_op: AluOp,
            result_source: ResultSource,
            multiply: (MultiplyKind() in MultiplyKindRegister()),
            divide_signed: Bit,
            divide_remainder: Bit,
            condition: BranchCondition,
            control_kind: ControlKind,
            indirect: Bit,
            memory_op: MemoryOp,
            memory_size: [2],
            memory_unsigned: Bit,
            /// In a GPU: bit 0, what is before it is done first (`rl`, `fence`); bit 1, it is done before what is behind it (`aq`, `fence`).
            orders: [2; config.of_gpu()],
            trap: TrapCause,
        }
    }
}

registers! {
    /// [`CsrChoice`], a cycle later.
    pub struct CsrChoiceRegister {
        /// What every lane reads.
        CsrChoice() {
            source: CsrSource,
            /// The value that is the same for the whole warp.
            uniform: [32],
        }
    }
}

registers! {
    /// [`WarpControls`], a cycle later.
    pub struct WarpControlsRegister {
        /// What a warp instruction says, as [`DecodeWarp`](super::DecodeWarp) documents it.
        WarpControls() {
            /// `cpop`.
            population: Bit,
            /// `tree_traverse`.
            traverses: Bit,
            /// `cond_acc`.
            accumulates: Bit,
            /// Of words, else of halfwords.
            words: Bit,
            /// The number of votes is shifted by so many bits: 0 if it is to be the result.
            shift: [5],
        }
    }
}
