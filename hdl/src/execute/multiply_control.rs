//! Carries a multiplication's controls and destination along the multipliers of the lanes.
//!
//! ```text
//!   EXECUTE          + 1                 + 2
//!   start_kind ----> [....]  ---> kind
//!   destination ---> [....] -----------> [....] ---> result
//!   start ---------> [....] -----------> [....] ---> result_valid
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start` | 1 | EXECUTE: a multiplication with a destination |
//! | `start_kind_high`, `start_kind_a_signed`, `start_kind_b_signed` | 1 | which one |
//! | `destination_warp`, `destination_home_warps[R]`, `destination_rd`, `destination_mask` | p, w, 5, L | where its result goes |
//! | `kind_high`, `kind_a_signed`, `kind_b_signed` | 1 | one cycle later, for [`Multiply`](super::Multiply) |
//! | `result_valid`, `result_warp`, `result_home_warps[R]`, `result_rd`, `result_mask` | 1, p, w, 5, L | two cycles later, with the result |
//!
//! Latency 2, one per cycle. State: two stages.
use super::operation::{MultiplyKind, MultiplyKindRegister};
use crate::interface::{Destination, DestinationRegister};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MultiplyControl: clock, reset {
        pub start: Signal<In, Bit>,
        pub start_kind: MultiplyKind<In> = MultiplyKind::new(),
        pub destination: Destination<In> = Destination::new(config),
        pub kind: MultiplyKind<Out> = MultiplyKind::new(),
        pub result_valid: Signal<Out, Bit>,
        pub result: Destination<Out> = Destination::new(config),

        kind_1: MultiplyKindRegister = MultiplyKindRegister::new() => { d: start_kind, q: kind },
        valid_1: StateRegister<Bit> => { d: start },
        valid_2: StateRegister<Bit> => { d: valid_1.q, q: result_valid },
        destination_1: DestinationRegister = DestinationRegister::new(config) => { d: destination },
        destination_2: DestinationRegister = DestinationRegister::new(config) => { d: destination_1.q, q: result },
    }
    /// Of the multipliers of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for MultiplyControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MultiplyControl");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `start high rd | high result_valid result_rd`.
    const DELAYS: &str = "
        1 1 5 | 0 0 0
        0 0 6 | 1 0 0
        1 0 7 | 0 1 5
        0 0 0 | 0 0 6
        0 0 0 | 0 1 7
        0 0 0 | 0 0 0";

    #[test]
    fn delays() {
        let mut control = MultiplyControl::new(&CoreConfig::tiny());
        control.connect_all();
        simulate(&mut control, 1000);
        for line in DELAYS.trim().lines().map(str::trim) {
            control.start.next = &line[0..1] == "1";
            control.start_kind.high.next = &line[2..3] == "1";
            control.destination.rd.next = line[4..5].parse::<usize>().unwrap().into();
            simulate(&mut control, 1000);
            let outputs =
                (control.kind.high.val() as u8, control.result_valid.val() as u8, control.result.rd.val().value());
            assert_eq!(format!("{} {} {}", outputs.0, outputs.1, outputs.2), &line[8..13], "{line}");
            tick!(control);
        }
    }
}
