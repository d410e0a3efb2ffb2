//! One warp's slot of the [`WarpBuffer`](super::WarpBuffer): what the scheduler watches every cycle.
//!
//! ```text
//!                      +----------+
//!  write, written_* -->| WarpSlot |---> valid, waiting_*
//!              take -->|          |
//!                      +----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write` | 1 | a decoded instruction enters at the edge |
//! | `written_rs1`, `written_rs2`, `written_rd` | 5 | its registers |
//! | `written_flags` | 7 | {control, memory, divide, multiply, writes_rd, reads_rs2, reads_rs1} |
//! | `take` | 1 | the instruction issues: the slot is empty after the edge |
//! | `valid`, `waiting_rs1`, `waiting_rs2`, `waiting_rd`, `waiting_flags` | 1, 5, 5, 5, 7 | the instruction held |
//!
//! Latency 1. State: 23 bits.
use crate::interface::{Predecoded, PredecodedRegister};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpSlot: clock, reset {
        pub write: Signal<In, Bit>,
        pub written: Predecoded<In> = Predecoded::new(config),
        pub take: Signal<In, Bit>,
        pub valid: Signal<Out, Bit>,
        pub waiting: Predecoded<Out> = Predecoded::new(config),

        occupied: StateRegister<Bit> => { q: valid },
        held: PredecodedRegister = PredecodedRegister::new(config) => { q: waiting },
    }
    /// A slot of a core.
    pub fn new(config: &CoreConfig) {}
}

impl Logic for WarpSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpSlot");
        dff_setup!(self, clock, occupied);
        wire::join(&mut self.held.q, &mut self.held.d);
        if self.take.val() {
            self.occupied.d.next = false;
        }
        if self.write.val() {
            self.occupied.d.next = true;
            wire::join(&mut self.written, &mut self.held.d);
        }
    }
}
