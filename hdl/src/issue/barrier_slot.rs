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

module! {
    /// See the [module documentation](self).
    pub struct BarrierSlot: clock, reset {
        pub start: Signal<In, Bit>,
        pub threads: Net<In> = 16,
        pub arrive: Signal<In, Bit>,
        pub arrive_count: Net<In> = count,
        pub exit: Signal<In, Bit>,
        pub exit_count: Net<In> = count,
        pub complete: Signal<Out, Bit>,

        live: Register = Register::new(16),
        waiting: Register = Register::new(16),
        arrived: Net<Local> = 16,
        exited: Net<Local> = 16,
    }
    /// A slot; `count` is the width of a warp's thread count.
    pub fn new(count: usize) {}
}

impl Logic for BarrierSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BarrierSlot");

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
