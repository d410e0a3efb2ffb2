//! Carries a multiplication's controls and destination along the multipliers of the lanes.
//!
//! ```text
//!   EXECUTE          + 1                 + 2
//!   start_kind ----> [en..]  ---> kind
//!   destination ---> [en..] -----------> [en..] ---> result
//!   start ---+-----> [....] ----+------> [....] ---> result_valid
//!            +-- en             +-- en
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
//! Latency 2, one per cycle. State: two stages, which hold where no multiplication enters.
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

        kind_1: MultiplyKindRegister = MultiplyKindRegister::new() => { q: kind },
        valid_1: StateRegister<Bit> => { d: start },
        valid_2: StateRegister<Bit> => { d: valid_1.q, q: result_valid },
        destination_1: DestinationRegister = DestinationRegister::new(config),
        destination_2: DestinationRegister = DestinationRegister::new(config) => { q: result },
    }
    /// Of the multipliers of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for MultiplyControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MultiplyControl");
        wire::join(&mut self.kind_1.q, &mut self.kind_1.d);
        wire::join(&mut self.destination_1.q, &mut self.destination_1.d);
        wire::join(&mut self.destination_2.q, &mut self.destination_2.d);
        if self.start.val() {
            wire::join(&mut self.start_kind, &mut self.kind_1.d);
            wire::join(&mut self.destination, &mut self.destination_1.d);
        }
        if self.valid_1.q.val() {
            wire::join(&mut self.destination_1.q, &mut self.destination_2.d);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    /// One line a cycle: `start high rd | high result_valid result_rd`.
    const DELAYS: &str = "
        1 1 5 | 0 0 0
        0 0 6 | 1 0 0
        1 0 7 | 1 1 5
        0 0 0 | 0 0 5
        0 0 0 | 0 1 7
        0 0 0 | 0 0 7";

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

    #[test]
    fn every_field_comes_back_two_cycles_later() {
        let config = CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
        let mut control = MultiplyControl::new(&config);
        control.connect_all();
        simulate(&mut control, 1000);
        control.start.next = true;
        for cycle in 0..8usize {
            let (kind, destination) = (&mut control.start_kind, &mut control.destination);
            (kind.high.next, kind.a_signed.next, kind.b_signed.next) = (cycle % 2 == 0, cycle < 4, cycle % 4 < 2);
            destination.warp.next = (cycle % 4).into();
            destination.rd.next = (cycle + 8).into();
            destination.mask.next = (15 - cycle).into();
            for (lane, home_warp) in destination.home_warps.iter_mut().enumerate() {
                home_warp.next = ((cycle + lane) % 4).into();
            }
            simulate(&mut control, 1000);
            if let Some(then) = cycle.checked_sub(1) {
                let found = [&control.kind.high, &control.kind.a_signed, &control.kind.b_signed].map(|bit| bit.val());
                assert_eq!(found, [then % 2 == 0, then < 4, then % 4 < 2], "cycle {cycle}");
            }
            if let Some(then) = cycle.checked_sub(2) {
                let Destination { warp, home_warps, rd, mask, raises, replaces, is_look } = &control.result;
                assert!(raises.is_empty() && replaces.is_empty() && is_look.is_empty(), "no floats, no loads");
                assert_eq!([warp, rd, mask].map(|port| port.val().index()), [then % 4, then + 8, 15 - then]);
                let home_warps = home_warps.iter().map(|port| port.val().index());
                assert_eq!(home_warps.collect::<Vec<_>>(), [0, 1, 2, 3].map(|lane| (then + lane) % 4));
            }
            tick!(control);
        }
    }
}
