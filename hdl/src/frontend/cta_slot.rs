//! One CTA slot of the [`CtaDispatcher`](super::CtaDispatcher): how many of its warps still run.
//!
//! ```text
//!                    +---------+
//!  start, warps ---->| CtaSlot |---> occupied
//!      finished ---->|         |
//!                    +---------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start`, `warps` | 1, n | a CTA of so many warps starts |
//! | `finished` | 1 | one of its warps has ended |
//! | `occupied` | 1 | some warp still runs |
//!
//! Latency 1. State: a count of warps.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CtaSlot: clock, reset {
        pub start: Signal<In, Bit>,
        pub warps: Net<In> = count,
        pub finished: Signal<In, Bit>,
        pub occupied: Signal<Out, Bit>,

        running: Register = Register::new(count),
    }
    /// A slot whose warp count has `count` bits.
    pub fn new(count: usize) {}
}

impl Logic for CtaSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaSlot");
        dff_setup!(self, clock, running);
        if self.finished.val() {
            self.running.d.next = self.running.q.val() - 1;
        }
        if self.start.val() {
            self.running.d.next = self.warps.val();
        }
        self.occupied.next = self.running.q.val().any();
    }
}
