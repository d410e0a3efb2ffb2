//! Steps the float dividers of all lanes through a quotient or a square root, and holds the result until it is taken.
//!
//! ```text
//!   start ---> load ---> adjust ---> (f + 3) / n steps ---> done ---> accept
//!                         place:     100.. 0010.. ...
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start` | 1 | EXECUTE: the dividers load their operands; only when nothing is in flight |
//! | `start_root` | 1 | a square root, else a quotient |
//! | `destination_warp`, `destination_home_warps[R]`, `destination_rd`, `destination_mask` | p, w, 5, L | where the result goes |
//! | `drive_load`, `drive_adjust`, `drive_step` | 1 | to [`FloatDivide`](super::FloatDivide) |
//! | `drive_place` | f + 3 | with `drive_step`, the place of its first bit |
//! | `drive_root` | 1 | from `start` on |
//! | `done` | 1 | the result is there, until the cycle of `accept` |
//! | `accept` | 1 | the result is taken |
//! | `result_warp`, `result_home_warps[R]`, `result_rd`, `result_mask` | p, w, 5, L | its destination |
//!
//! Latency: `done` (f + 3) / *n* + 2 cycles after `start`. State: that of the control of integer division, for which the adjustment is a step more; the place; whether this is the
//! adjustment. The rounding mode is each lane's own.
use super::FloatFormat;
use super::operation::FloatDivideStep;
use crate::execute::DivideControl;
use crate::interface::Destination;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct FloatDivideControl: clock, reset {
        pub start: Signal<In, Bit>,
        pub start_root: Signal<In, Bit>,
        pub destination: Destination<In> = Destination::new(config),
        pub drive: FloatDivideStep<Out> = FloatDivideStep::new(format),
        pub done: Signal<Out, Bit>,
        pub accept: Signal<In, Bit>,
        pub result: Destination<Out> = Destination::new(config),

        control: DivideControl = DivideControl::new(config, 1 + format.above() / bits) => {
            start, start_remainder: start_root, destination, done, accept, result,
        },
        adjust: StateRegister<Bit> => { d: control.drive.load, q: drive.adjust },
        place: Flop = Flop::new(format.above()) => { q: drive.place },
        bits: Constant = Constant::new(bits as u64, 6),
        top: Constant = Constant::new(1 << (format.above() - 1), format.above()),
    }
    /// Of float dividers that work out `bits` bits in a step.
    pub fn new(config: &CoreConfig, format: FloatFormat, bits: usize) {}
}

impl Logic for FloatDivideControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatDivideControl");
        dff_setup!(self, clock, place);
        self.drive.load.next = self.control.drive.load.val();
        self.drive.step.next = self.control.drive.step.val() & !self.adjust.q.val();
        if self.drive.step.val() {
            self.place.d.next = self.place.q.val() >> self.bits.val();
        }
        self.drive.root.next = self.control.drive.remainder.val();
        if self.start.val() {
            self.drive.root.next = self.start_root.val();
            self.place.d.next = self.top.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_adjusts_and_goes_through_all_places() {
        let mut control = FloatDivideControl::new(&CoreConfig::tiny(), FloatFormat::SINGLE, 2);
        control.connect_all();
        simulate(&mut control, 1000);
        for root in [true, false] {
            control.start.next = true;
            control.start_root.next = root;
            control.destination.rd.next = 9.into();
            simulate(&mut control, 1000);
            assert!(control.drive.load.val() && control.drive.root.val() == root);
            tick!(control);
            control.start.next = false;
            control.start_root.next = !root;
            simulate(&mut control, 1000);
            assert!(!control.drive.load.val() && control.drive.adjust.val() && !control.drive.step.val());
            tick!(control);
            for step in 0..13 {
                assert!(control.drive.step.val() && !control.drive.adjust.val() && !control.done.val());
                assert_eq!(control.drive.place.val(), 1 << (25 - 2 * step));
                tick!(control);
            }
            for _ in 0..2 {
                assert!(control.done.val() && !control.drive.step.val());
                assert_eq!(control.drive.root.val(), root);
                assert_eq!(control.result.rd.val(), 9);
                tick!(control);
            }
            control.accept.next = true;
            tick!(control);
            control.accept.next = false;
        }
    }
}
