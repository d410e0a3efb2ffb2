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

#[cfg(test)]
mod tests {
    use super::super::operation::{FloatComparison, FloatOperation};
    use super::*;

    /// Far below the last place of 1.
    const TINY: f32 = 1e-20;

    fn lane() -> FloatLane {
        let mut lane = FloatLane::default();
        lane.connect_all();
        simulate(&mut lane, 1000);
        lane
    }

    fn operands(lane: &mut FloatLane, [a, b, c]: [f32; 3]) {
        let [a, b, c] = [a, b, c].map(|number| (number.to_bits() as usize).into());
        (lane.float_rs1.next, lane.float_rs2.next, lane.float_rs3.next) = (a, b, c);
        lane.controls.float_a.next = true;
    }

    #[test]
    fn results_come_after_five_cycles_one_in_each() {
        let mut lane = lane();
        let cases = [
            (FloatOperation::MultiplyAdd, [2.0, 3.0, 1.0], 7.0f32),
            (FloatOperation::Add, [2.0, 3.0, 9.0], 5.0),
            (FloatOperation::Multiply, [2.0, 3.0, 9.0], 6.0),
            (FloatOperation::NegatedMultiplyAdd, [2.0, 3.0, 1.0], -7.0),
        ];
        for cycle in 0..cases.len() + 5 {
            if let Some((operation, numbers, _)) = cases.get(cycle) {
                operands(&mut lane, *numbers);
                lane.controls.operation.next = *operation;
            }
            if let Some((operation, _, result)) = cycle.checked_sub(5).and_then(|then| cases.get(then)) {
                assert_eq!(lane.pipeline_result.val().value() as u32, result.to_bits(), "{operation:?}");
                assert_eq!(lane.pipeline_flags.val(), 0);
            }
            tick!(lane);
        }
    }

    #[test]
    fn rounds_as_it_is_told() {
        let mut lane = lane();
        // 1 + TINY and -1 - TINY, and halves, for which the fifth mode is there.
        for (mode, above, below, half) in [
            (0usize, 1.0f32, -1.0f32, 2u32),
            (1, 1.0, -1.0, 2),
            (2, 1.0, -(1.0f32.next_up()), 2),
            (3, 1.0f32.next_up(), -1.0, 3),
            (4, 1.0, -1.0, 3),
        ] {
            lane.rounding.next = mode.into();
            for (operation, numbers, expected) in [
                (FloatOperation::Add, [1.0, TINY, 0.0], above.to_bits()),
                (FloatOperation::Subtract, [-1.0, TINY, 0.0], below.to_bits()),
                (FloatOperation::ToInteger, [2.5, 0.0, 0.0], half),
            ] {
                operands(&mut lane, numbers);
                lane.controls.operation.next = operation;
                (0..5).for_each(|_| {
                    tick!(lane);
                });
                assert_eq!(lane.pipeline_result.val().value() as u32, expected, "{operation:?} in mode {mode}");
                assert_eq!(lane.pipeline_flags.val(), 1, "inexact");
            }
        }
    }

    #[test]
    fn integers_and_floats_are_first_operands() {
        let mut lane = lane();
        operands(&mut lane, [5.0, 1.0, 0.0]);
        lane.rs1.next = 7.into();
        lane.controls.comparison.next = FloatComparison::Move;
        for (float_a, found) in [(true, 5.0f32.to_bits()), (false, 7)] {
            lane.controls.float_a.next = float_a;
            simulate(&mut lane, 1000);
            assert_eq!(lane.comparison.val().value() as u32, found);
        }
        lane.controls.operation.next = FloatOperation::FromInteger;
        (0..5).for_each(|_| {
            tick!(lane);
        });
        assert_eq!(lane.pipeline_result.val().value() as u32, 7.0f32.to_bits());
        // A comparison raises its flags at once.
        operands(&mut lane, [f32::NAN, 1.0, 0.0]);
        lane.controls.comparison.next = FloatComparison::Less;
        simulate(&mut lane, 1000);
        assert_eq!((lane.comparison.val().value(), lane.comparison_flags.val().value()), (0, 0b10000));
    }

    #[test]
    fn quotients_are_those_of_the_float_registers() {
        let mut lane = lane();
        operands(&mut lane, [1.0, 3.0, 0.0]);
        lane.controls.float_a.next = false;
        lane.rounding.next = 3.into();
        lane.divide_drive.load.next = true;
        tick!(lane);
        (lane.divide_drive.load.next, lane.divide_drive.adjust.next) = (false, true);
        lane.rounding.next = 0.into();
        tick!(lane);
        (lane.divide_drive.adjust.next, lane.divide_drive.step.next) = (false, true);
        for step in 0..13usize {
            lane.divide_drive.place.next = (1usize << (25 - 2 * step)).into();
            tick!(lane);
        }
        let third = (1.0f32 / 3.0).to_bits();
        assert_eq!((lane.divide_result.val().value() as u32, lane.divide_flags.val().value()), (third, 1));
    }
}
