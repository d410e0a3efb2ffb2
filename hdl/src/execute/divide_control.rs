//! Steps the dividers of all lanes through one division, and holds its result until it is taken.
//!
//! ```text
//!             +--------+ start  +------+ all steps +------+
//!             |  Idle  |------->| Busy |---------->| Done |--+
//!             +--------+        +------+           +------+  |
//!                 ^------------------ accept ----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start` | 1 | EXECUTE: the dividers load their operands; only when nothing is in flight |
//! | `start_remainder` | 1 | the remainder is wanted |
//! | `destination_warp`, `destination_home_warps[R]`, `destination_rd`, `destination_mask` | p, w, 5, L | where the result goes |
//! | `drive_load` | 1 | `start`, for the dividers |
//! | `drive_step` | 1 | the dividers work |
//! | `drive_remainder` | 1 | which result they show |
//! | `done` | 1 | the result is there, until the cycle of `accept` |
//! | `accept` | 1 | the result is taken |
//! | `result_warp`, `result_home_warps[R]`, `result_rd`, `result_mask` | p, w, 5, L | its destination |
//!
//! Latency: `done` a cycle after the last step, of which there are 32 / *n* to a division of integers, where *n* is [`CoreConfig::divide_bits`]. State: three states, a step
//! counter, the destination.
use super::operation::DivideStep;
use crate::interface::{Destination, DestinationRegister};
use crate::prelude::*;

hardware_enum! {
    /// What the dividers are doing.
    pub enum DivideState {
        /// Nothing in flight.
        Idle,
        /// Producing quotient bits.
        Busy,
        /// Waiting for a write-back slot.
        Done,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct DivideControl: clock, reset {
        pub start: Signal<In, Bit>,
        pub start_remainder: Signal<In, Bit>,
        pub destination: Destination<In> = Destination::new(config),
        pub drive: DivideStep<Out> = DivideStep::new(),
        pub done: Signal<Out, Bit>,
        pub accept: Signal<In, Bit>,
        pub result: Destination<Out> = Destination::new(config),

        state: StateRegister<DivideState>,
        steps: Register = Register::new(index_width(steps)),
        last_step: Constant = Constant::new(steps as u64 - 1, index_width(steps)),
        wants_remainder: StateRegister<Bit> => { q: drive.remainder },
        held: DestinationRegister = DestinationRegister::new(config) => { q: result },
    }
    /// Of dividers in a core that need so many steps.
    pub fn new(config: &CoreConfig, steps: usize) {}
}

impl Logic for DivideControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DivideControl");
        dff_setup!(self, clock, state, steps, wants_remainder);
        wire::join(&mut self.held.q, &mut self.held.d);
        match self.state.q.val() {
            DivideState::Idle => {
                if self.start.val() {
                    self.state.d.next = DivideState::Busy;
                    self.wants_remainder.d.next = self.start_remainder.val();
                    wire::join(&mut self.destination, &mut self.held.d);
                }
            }
            DivideState::Busy => {
                self.steps.d.next = self.steps.q.val() + 1;
                if self.steps.q.val() == self.last_step.val() {
                    self.steps.d.next = 0.into();
                    self.state.d.next = DivideState::Done;
                }
            }
            DivideState::Done => {
                if self.accept.val() {
                    self.state.d.next = DivideState::Idle;
                }
            }
        }
        self.drive.load.next = self.start.val();
        self.drive.step.next = self.state.q.val() == DivideState::Busy;
        self.done.next = self.state.q.val() == DivideState::Done;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    #[test]
    fn as_many_steps_as_it_takes_then_waits() {
        for steps in [32, 27, 8, 2] {
            steps_then_waits(steps);
        }
    }

    fn steps_then_waits(steps: usize) {
        let compacting = CoreConfig { warps: 8, mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
        let mut control = DivideControl::new(&compacting, steps);
        control.connect_all();
        simulate(&mut control, 1000);
        for round in 0..2 {
            control.start.next = true;
            control.destination.warp.next = (6 + round).into();
            for (lane, port) in control.destination.home_warps.iter_mut().enumerate() {
                port.next = (lane + round).into();
            }
            control.destination.rd.next = 9.into();
            control.destination.mask.next = 0b1010.into();
            control.start_remainder.next = round == 1;
            tick!(control);
            control.start.next = false;
            control.destination.warp.next = 0.into();
            control.destination.home_warps[3].next = 0.into();
            control.start_remainder.next = false;
            for step in 0..steps {
                assert!(control.drive.step.val() && !control.done.val(), "step {step}");
                tick!(control);
            }
            for _ in 0..3 {
                assert!(!control.drive.step.val() && control.done.val());
                let destination = (control.result.warp.val(), control.result.rd.val(), control.result.mask.val());
                assert_eq!(destination, (Word::new(6 + round as u64, 3), Word::new(9, 5), Word::new(0b1010, 4)));
                assert_eq!(control.result.home_warps[3].val(), 3 + round);
                assert_eq!(control.drive.remainder.val(), round == 1);
                tick!(control);
            }
            control.accept.next = true;
            tick!(control);
            control.accept.next = false;
            assert!(!control.drive.step.val() && !control.done.val());
        }
    }
}
