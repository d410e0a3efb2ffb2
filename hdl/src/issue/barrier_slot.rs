//! One CTA slot's thread counts in the [`BarrierUnit`](super::BarrierUnit).
//!
//! ```text
//!                        +-------------+
//!   start, threads ----->|             |---> complete
//!  arrive, exit, count ->| BarrierSlot |
//!                        +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `start`, `threads` | 1, 16 | a CTA with so many threads starts in this slot |
//! | `arrive`, `arrive_count` | 1, n | so many threads reach `bar.sync` |
//! | `exit`, `exit_count` | 1, n | so many threads end |
//! | `complete` | 1 | every live thread waits: all go on (one cycle) |
//!
//! Latency 1 from the last arrival or exit to `complete`. State: two counts of 16 bits.
//! Arrivals count threads, not warps, so a barrier in divergent code works (spec rule 10), and an exit can be what completes it (rule 7).
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct BarrierSlot {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub start: Signal<In, Bit>,
    pub threads: Net<In>,
    pub arrive: Signal<In, Bit>,
    pub arrive_count: Net<In>,
    pub exit: Signal<In, Bit>,
    pub exit_count: Net<In>,
    pub complete: Signal<Out, Bit>,

    live: Register,
    waiting: Register,
    arrived: Net<Local>,
    exited: Net<Local>,
}

impl BarrierSlot {
    /// A slot; `count` is the width of a warp's thread count.
    pub fn new(count: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            start: Default::default(),
            threads: Net::new(16),
            arrive: Default::default(),
            arrive_count: Net::new(count),
            exit: Default::default(),
            exit_count: Net::new(count),
            complete: Default::default(),
            live: Register::new(16),
            waiting: Register::new(16),
            arrived: Net::new(16),
            exited: Net::new(16),
        }
    }
}

impl Logic for BarrierSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BarrierSlot");
        clock!(self, clock, live, waiting);
        self.live.reset.next = self.reset.val();
        self.waiting.reset.next = self.reset.val();

        self.arrived.next = 0.into();
        if self.arrive.val() {
            self.arrived.next = bit_cast_to(self.arrive_count.val(), 16);
        }
        self.exited.next = 0.into();
        if self.exit.val() {
            self.exited.next = bit_cast_to(self.exit_count.val(), 16);
        }
        self.complete.next = self.waiting.q.val().any() & (self.waiting.q.val() == self.live.q.val());

        self.waiting.d.next = self.waiting.q.val() + self.arrived.val();
        if self.complete.val() {
            self.waiting.d.next = self.arrived.val();
        }
        self.live.d.next = self.live.q.val() - self.exited.val();
        if self.start.val() {
            self.live.d.next = self.threads.val();
            self.waiting.d.next = 0.into();
        }
    }
}
