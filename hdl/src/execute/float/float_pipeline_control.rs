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
