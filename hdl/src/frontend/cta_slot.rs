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

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct CtaSlot {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub warps: Net<In>,
    pub finished: Signal<In, Bit>,
    pub occupied: Signal<Out, Bit>,

    running: Register,
}

impl CtaSlot {
    /// A slot whose warp count has `count` bits.
    pub fn new(count: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start: Default::default(),
            warps: Net::new(count),
            finished: Default::default(),
            occupied: Default::default(),
            running: Register::new(count),
        }
    }
}

impl Logic for CtaSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CtaSlot");
        dff_setup!(self, clock, running);
        self.running.reset.next = self.reset.val();
        if self.finished.val() {
            self.running.d.next = self.running.q.val() - 1;
        }
        if self.start.val() {
            self.running.d.next = self.warps.val();
        }
        self.occupied.next = self.running.q.val().any();
    }
}
