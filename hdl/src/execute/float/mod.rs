//! Floating point: the units of one lane, for RISC-V's F (IEEE 754 binary32), and what they share: rounding modes and flags of the threads, what is under way.
//!
//! ```text
//!   FloatMultiplyAdd   fused multiply-add, add, subtract, multiply, conversions     a pipeline
//!     FloatOperands --> multiplier --> FloatAlign, sum --> FloatNormalize --> FloatRound, FloatConvert
//!   FloatDivide        quotient and square root                                     some bits a step
//!   FloatCompare       comparisons, minimum and maximum, class, signs               no state
//! ```
//!
//! Values are plain binary32 in registers and between units (docs/decisions/0026-float-units.md). The widths of exponent and fraction are sizes of every block,
//! a [`FloatFormat`]: formats of a few bits are checked in all their operands.
mod float_align;
mod float_compare;
mod float_convert;
mod float_divide;
mod float_divide_control;
mod float_increment;
mod float_lane;
mod float_multiply_add;
mod float_normalize;
mod float_operands;
mod float_pipeline_control;
mod float_round;
mod float_status;
mod float_unpack;
mod format;
pub mod operation;

pub use float_align::FloatAlign;
pub use float_compare::FloatCompare;
pub use float_convert::FloatConvert;
pub use float_divide::FloatDivide;
pub use float_divide_control::FloatDivideControl;
pub use float_increment::FloatIncrement;
pub use float_lane::{DIVIDE_BITS, FloatLane};
pub use float_multiply_add::FloatMultiplyAdd;
pub use float_normalize::FloatNormalize;
pub use float_operands::FloatOperands;
pub use float_pipeline_control::{FloatPipelineControl, STAGES};
pub use float_round::FloatRound;
pub use float_status::FloatStatus;
pub use float_unpack::FloatUnpack;
pub use format::FloatFormat;
