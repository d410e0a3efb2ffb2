//! Operations of the float units, by their RISC-V names, and what the reference says of them.
use rustc_apfloat::ieee::Semantics;
use warploom_hdl::execute::float::operation::{FloatComparison, FloatOperation, FloatRounding};
use warploom_verification::reference::float::{Arithmetic, Outcome};

/// What a unit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Of the multiply-add pipeline.
    Pipelined(FloatOperation),
    /// Of the comparison.
    Compared(FloatComparison),
    /// A quotient.
    Quotient,
    /// A square root.
    Root,
}

impl Operation {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let pipelined = FloatOperation::VARIANTS.iter().map(|&operation| Self::Pipelined(operation));
        let compared = FloatComparison::VARIANTS.iter().map(|&operation| Self::Compared(operation));
        pipelined.chain([Self::Quotient, Self::Root]).chain(compared)
    }

    /// As in the manual.
    pub fn name(self) -> &'static str {
        use FloatComparison::*;
        use FloatOperation::*;
        match self {
            Self::Pipelined(operation) => match operation {
                MultiplyAdd => "fmadd.s",
                MultiplySubtract => "fmsub.s",
                NegatedMultiplySubtract => "fnmsub.s",
                NegatedMultiplyAdd => "fnmadd.s",
                Add => "fadd.s",
                Subtract => "fsub.s",
                Multiply => "fmul.s",
                FromInteger => "fcvt.s.w",
                FromUnsigned => "fcvt.s.wu",
                ToInteger => "fcvt.w.s",
                ToUnsigned => "fcvt.wu.s",
            },
            Self::Compared(operation) => match operation {
                Equal => "feq.s",
                Less => "flt.s",
                LessOrEqual => "fle.s",
                Minimum => "fmin.s",
                Maximum => "fmax.s",
                Classify => "fclass.s",
                CopySign => "fsgnj.s",
                CopyInvertedSign => "fsgnjn.s",
                MultiplySigns => "fsgnjx.s",
                Move => "fmv.x.w",
            },
            Self::Quotient => "fdiv.s",
            Self::Root => "fsqrt.s",
        }
    }

    /// How many operands there are.
    pub fn operands(self) -> usize {
        use FloatComparison::{Classify, Move};
        use FloatOperation::*;
        match self {
            Self::Pipelined(MultiplyAdd | MultiplySubtract | NegatedMultiplySubtract | NegatedMultiplyAdd) => 3,
            Self::Pipelined(Add | Subtract | Multiply) | Self::Quotient => 2,
            Self::Pipelined(FromInteger | FromUnsigned | ToInteger | ToUnsigned) | Self::Root => 1,
            Self::Compared(Classify | Move) => 1,
            Self::Compared(_) => 2,
        }
    }

    /// The rounding modes that make a difference.
    pub fn modes(self) -> &'static [FloatRounding] {
        match self {
            Self::Compared(_) => &[FloatRounding::NearestEven],
            _ => FloatRounding::VARIANTS,
        }
    }

    /// What should come out.
    pub fn reference<S: Semantics>(self, rounding: FloatRounding, operands: [u64; 3]) -> Outcome {
        let [a, b, _] = operands;
        match self {
            Self::Pipelined(operation) => Arithmetic::<S>::multiply_add(operation, rounding, operands),
            Self::Compared(operation) => Arithmetic::<S>::compare(operation, [a, b]),
            Self::Quotient => Arithmetic::<S>::divide(rounding, [a, b]),
            Self::Root => Arithmetic::<S>::square_root(rounding, a),
        }
    }
}
