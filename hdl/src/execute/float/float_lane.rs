//! The float units of one lane.
//!
//! ```text
//!  float_rs1, rs1 ---> a mux --+--> FloatMultiplyAdd --> pipeline_result, pipeline_flags
//!  float_rs2 ------------------+--> FloatDivide -------> divide_result, divide_flags
//!  float_rs3 ------------------+--> FloatCompare ------> comparison, comparison_flags
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rs1`, `float_rs1`, `float_rs2`, `float_rs3` | 32 | EXECUTE: the thread's registers |
//! | `controls_*` | | from the decoder |
//! | `rounding` | 3 | how it is rounded, the thread's mode included |
//! | `divide_drive_*` | | from the control of the float dividers |
//! | `comparison`, `comparison_flags` | 32, 5 | in the same cycle |
//! | `pipeline_result`, `pipeline_flags` | 32, 5 | five cycles after EXECUTE |
//! | `divide_result`, `divide_flags` | 32, 5 | when the control says so |
//!
//! Latency: see the units. A sum takes its second operand from `float_rs2`, as a product does: [`FloatMultiplyAdd`] knows.
use super::operation::{FLAGS, FloatControls, FloatDivideStep, FloatRounding};
use super::{FloatCompare, FloatDivide, FloatFormat, FloatMultiplyAdd};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatLane: clock {
        pub rs1: Net<In> = 32,
        pub float_rs1: Net<In> = 32,
        pub float_rs2: Net<In> = 32,
        pub float_rs3: Net<In> = 32,
        pub controls: FloatControls<In> = FloatControls::new(),
        pub rounding: Net<In> = 3,
        pub divide_drive: FloatDivideStep<In> = FloatDivideStep::new(FloatFormat::SINGLE),
        pub comparison: Net<Out> = 32,
        pub comparison_flags: Net<Out> = FLAGS,
        pub pipeline_result: Net<Out> = 32,
        pub pipeline_flags: Net<Out> = FLAGS,
        pub divide_result: Net<Out> = 32,
        pub divide_flags: Net<Out> = FLAGS,

        a: Net<Local> = 32,
        pipeline: FloatMultiplyAdd = FloatMultiplyAdd::new(FloatFormat::SINGLE) => {
            operation: controls.operation, a, b: float_rs2, c: float_rs3, result: pipeline_result, flags: pipeline_flags,
        },
        divide: FloatDivide = FloatDivide::new(FloatFormat::SINGLE, DIVIDE_BITS) => {
            drive: divide_drive, rounding, a: float_rs1, b: float_rs2, result: divide_result, flags: divide_flags,
        },
        compare: FloatCompare = FloatCompare::default() => {
            operation: controls.comparison, a, b: float_rs2, result: comparison, flags: comparison_flags,
        },
    }
}

/// Bits of a quotient or root in a step.
pub const DIVIDE_BITS: usize = 2;

impl Logic for FloatLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatLane");
        self.a.next = self.rs1.val();
        if self.controls.float_a.val() {
            self.a.next = self.float_rs1.val();
        }
        match self.rounding.val().index() {
            0 => self.pipeline.rounding.next = FloatRounding::NearestEven,
            1 => self.pipeline.rounding.next = FloatRounding::TowardsZero,
            2 => self.pipeline.rounding.next = FloatRounding::Down,
            3 => self.pipeline.rounding.next = FloatRounding::Up,
            _ => self.pipeline.rounding.next = FloatRounding::NearestAway,
        }
    }
}
