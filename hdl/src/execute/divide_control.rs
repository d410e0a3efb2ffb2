//! Steps the dividers of all lanes through one division, and holds its result until it is taken.
//!
//! ```text
//!             +--------+ start  +------+ 32 steps  +------+
//!             |  Idle  |------->| Busy |---------->| Done |--+
//!             +--------+        +------+           +------+  |
//!                 ^------------------ accept ----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start` | 1 | EXECUTE: the dividers load their operands; only when nothing is in flight |
//! | `start_remainder` | 1 | the remainder is wanted |
//! | `start_warp`, `start_rows[R]`, `start_rd`, `start_mask` | w, w, 5, L | the destination |
//! | `step` | 1 | the dividers work |
//! | `remainder` | 1 | which result they show |
//! | `done` | 1 | the result is there, until the cycle of `accept` |
//! | `accept` | 1 | the result is taken |
//! | `result_warp`, `result_rows[R]`, `result_rd`, `result_mask` | w, w, 5, L | its destination |
//!
//! Latency: `done` 33 cycles after `start`. State: three states, a step counter, the destination.
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
        pub start_warp: Net<In> = path,
        pub start_rows: Vec<Net<In>> = Net::vec(rows, warp),
        pub start_rd: Net<In> = 5,
        pub start_mask: Net<In> = lanes,
        pub step: Signal<Out, Bit>,
        pub remainder: Signal<Out, Bit>,
        pub done: Signal<Out, Bit>,
        pub accept: Signal<In, Bit>,
        pub result_warp: Net<Out> = path,
        pub result_rows: Vec<Net<Out>> = Net::vec(rows, warp),
        pub result_rd: Net<Out> = 5,
        pub result_mask: Net<Out> = lanes,

        state: StateRegister<DivideState>,
        steps: Register = Register::new(5),
        wants_remainder: StateRegister<Bit>,
        warp: Flop = Flop::new(path),
        rows: Vec<Flop> = Flop::vec(rows, warp),
        rd: Flop = Flop::new(5),
        lanes: Flop = Flop::new(lanes),
        starting: Signal<Local, Bit>,
    }
    /// Of the dividers of a core.
    pub fn new(config: &CoreConfig) {
        let (warp, path, lanes, rows) = (config.warp_width(), config.path_width(), config.lanes, config.row_ports());
    }
}

impl Logic for DivideControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DivideControl");
        dff_setup!(self, clock, state, steps, wants_remainder, warp, rd, lanes);

        self.starting.next = (self.state.q.val() == DivideState::Idle) & self.start.val();
        match self.state.q.val() {
            DivideState::Idle => {
                if self.start.val() {
                    self.state.d.next = DivideState::Busy;
                    self.wants_remainder.d.next = self.start_remainder.val();
                    self.warp.d.next = self.start_warp.val();
                    self.rd.d.next = self.start_rd.val();
                    self.lanes.d.next = self.start_mask.val();
                }
            }
            DivideState::Busy => {
                self.steps.d.next = self.steps.q.val() + 1;
                if self.steps.q.val().all() {
                    self.state.d.next = DivideState::Done;
                }
            }
            DivideState::Done => {
                if self.accept.val() {
                    self.state.d.next = DivideState::Idle;
                }
            }
        }
        self.step.next = self.state.q.val() == DivideState::Busy;
        self.done.next = self.state.q.val() == DivideState::Done;
        self.remainder.next = self.wants_remainder.q.val();
        self.result_warp.next = self.warp.q.val();
        self.result_rd.next = self.rd.q.val();
        self.result_mask.next = self.lanes.q.val();
        for i in 0..self.rows.len() {
            self.rows[i].d.next = self.rows[i].q.val();
            if self.starting.val() {
                self.rows[i].d.next = self.start_rows[i].val();
            }
            self.result_rows[i].next = self.rows[i].q.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    #[test]
    fn thirty_two_steps_then_waits() {
        let mut control = DivideControl::new(&CoreConfig { warps: 8, mechanism: Mechanism::Tbc, ..CoreConfig::tiny() });
        control.connect_all();
        simulate(&mut control, 1000);
        for round in 0..2 {
            control.start.next = true;
            control.start_warp.next = (6 + round).into();
            for (lane, port) in control.start_rows.iter_mut().enumerate() {
                port.next = (lane + round).into();
            }
            control.start_rd.next = 9.into();
            control.start_mask.next = 0b1010.into();
            control.start_remainder.next = round == 1;
            tick!(control);
            control.start.next = false;
            control.start_warp.next = 0.into();
            control.start_rows[3].next = 0.into();
            control.start_remainder.next = false;
            for step in 0..32 {
                assert!(control.step.val() && !control.done.val(), "step {step}");
                tick!(control);
            }
            for _ in 0..3 {
                assert!(!control.step.val() && control.done.val());
                let destination = (control.result_warp.val(), control.result_rd.val(), control.result_mask.val());
                assert_eq!(destination, (Word::new(6 + round as u64, 3), Word::new(9, 5), Word::new(0b1010, 4)));
                assert_eq!(control.result_rows[3].val(), 3 + round);
                assert_eq!(control.remainder.val(), round == 1);
                tick!(control);
            }
            control.accept.next = true;
            tick!(control);
            control.accept.next = false;
            assert!(!control.step.val() && !control.done.val());
        }
    }
}
