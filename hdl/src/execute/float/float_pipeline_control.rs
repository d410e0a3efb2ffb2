//! Keeps destinations of float results while the pipelines of all lanes work them out.
//!
//! ```text
//!  start, destination ---> [.] -> [.] -> [.] -> [.] -> [.] ---> result_valid, result_*
//!                           +------+------+------+------+-----> empty
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start` | 1 | EXECUTE: an operation enters the pipelines |
//! | `destination_*` | | where its result goes |
//! | `result_valid`, `result_*` | | five cycles later: the result is there, and goes there |
//! | `empty` | 1 | none is in between |
//!
//! Latency 5, as [`FloatMultiplyAdd`](super::FloatMultiplyAdd).
use crate::interface::{Destination, DestinationRegister};
use crate::prelude::*;

/// Stages of the pipeline.
pub const STAGES: usize = 5;

module! {
    /// See the [module documentation](self).
    pub struct FloatPipelineControl: clock, reset {
        pub start: Signal<In, Bit>,
        pub destination: Destination<In> = Destination::new(config),
        pub result_valid: Signal<Out, Bit>,
        pub result: Destination<Out> = Destination::new(config),
        pub empty: Signal<Out, Bit>,

        valid: Vec<StateRegister<Bit>> = StateRegister::vec(STAGES),
        held: Vec<DestinationRegister> = (0..STAGES).map(|_| DestinationRegister::new(config)).collect() => |i| {
            d: before[i], q: before[i + 1],
        },
        /// Before each stage, and behind the last.
        before: Vec<Destination<Local>> = (0..=STAGES).map(|_| Destination::new(config)).collect(),
        earlier: Signal<Local, Bit>,
    }
    /// Of the lanes of a core with floats.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for FloatPipelineControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatPipelineControl");
        wire::join(&mut self.destination, &mut self.before[0]);
        for i in 0..self.before.len() {
            wire::join(&mut self.result, &mut self.before[i]);
        }
        self.empty.next = true;
        self.earlier.next = self.start.val();
        for i in 0..self.valid.len() {
            self.valid[i].d.next = self.earlier.val();
            self.earlier.next = self.valid[i].q.val();
            self.empty.next = self.empty.val() & !self.valid[i].q.val();
        }
        self.result_valid.next = self.earlier.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line a cycle: `start rd | empty result_valid result_rd`.
    const PASSES: &str = "
        1 5 | 1 0 0
        0 6 | 0 0 0
        1 7 | 0 0 0
        0 0 | 0 0 0
        0 0 | 0 0 0
        0 0 | 0 1 5
        0 0 | 0 0 6
        0 0 | 0 1 7
        0 0 | 1 0 0";

    fn control() -> FloatPipelineControl {
        let mut control = FloatPipelineControl::new(&CoreConfig { floats: true, ..CoreConfig::tiny() });
        control.connect_all();
        simulate(&mut control, 1000);
        control
    }

    #[test]
    fn results_pass() {
        let mut control = control();
        for line in PASSES.trim().lines().map(str::trim) {
            control.start.next = &line[0..1] == "1";
            control.destination.rd.next = line[2..3].parse::<usize>().unwrap().into();
            simulate(&mut control, 1000);
            let (empty, valid) = (control.empty.val() as u8, control.result_valid.val() as u8);
            assert_eq!(format!("{empty} {valid} {}", control.result.rd.val().value()), &line[6..11], "{line}");
            tick!(control);
        }
    }

    #[test]
    fn every_field_comes_back_five_cycles_later() {
        let mut control = control();
        for cycle in 0..16usize {
            let destination = &mut control.destination;
            destination.warp.next = (cycle % 4).into();
            destination.home_warps[0].next = ((cycle + 1) % 4).into();
            destination.rd.next = (cycle + 40).into();
            destination.mask.next = (15 - cycle).into();
            destination.raises[0].next = (cycle % 2).into();
            destination.replaces[0].next = (cycle / 2 % 2).into();
            simulate(&mut control, 1000);
            if let Some(then) = cycle.checked_sub(STAGES) {
                let Destination { warp, home_warps, rd, mask, raises, replaces, is_look } = &control.result;
                assert!(is_look.is_empty(), "no loads");
                let found = [warp, &home_warps[0], rd, mask, &raises[0], &replaces[0]].map(|port| port.val().index());
                assert_eq!(
                    found,
                    [then % 4, (then + 1) % 4, then + 40, 15 - then, then % 2, then / 2 % 2],
                    "cycle {cycle}"
                );
            }
            tick!(control);
        }
    }
}
