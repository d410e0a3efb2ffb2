//! Which threads of a warp run next, without a stack: those at the lowest PC.
//!
//! ```text
//!            +---------------+---> pc
//!  active -->|               |---> mask
//!  pcs[i] -->| MinPcSelector |
//!            +---------------+---> divergent
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `active` | L | threads that have not ended, a bit each |
//! | `pcs[i]` | 32 | where thread *i* is |
//! | `pc` | 32 | the lowest PC of an active thread; 0 if there is none |
//! | `mask` | L | active threads that are there |
//! | `divergent` | 32 | cycles so far in which that were not all of them |
//!
//! Latency 0, of `divergent` 1. Threads meet again behind a branch if its join has a higher address than both sides: then nobody
//! runs it before all have come there.
use warploom_hdl::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MinPcSelector: clock, reset {
        pub active: Net<In> = lanes,
        pub pcs: Vec<Net<In>> = (0..lanes).map(|_| Net::new(32)).collect(),
        pub pc: Net<Out> = 32,
        pub mask: Net<Out> = lanes,
        pub divergent: Net<Out> = 32,

        counter: Register = Register::new(32) => { q: divergent },
        found: Signal<Local, Bit>,
    }
    /// For a warp of `lanes` threads, at most 64.
    pub fn new(lanes: usize) {}
}

impl Logic for MinPcSelector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MinPcSelector");
        // A chain of comparators: every thread against the lowest before it.
        self.pc.next = 0.into();
        self.found.next = false;
        for i in 0..self.pcs.len() {
            if self.active.val().get_bit(i) & (!self.found.val() | (self.pcs[i].val() < self.pc.val())) {
                self.pc.next = self.pcs[i].val();
                self.found.next = true;
            }
        }
        self.mask.next = 0.into();
        for i in 0..self.pcs.len() {
            if self.active.val().get_bit(i) & (self.pcs[i].val() == self.pc.val()) {
                self.mask.next = self.mask.val().replace_bit(i, true);
            }
        }
        self.counter.d.next = self.counter.q.val();
        if self.mask.val() != self.active.val() {
            self.counter.d.next = self.counter.q.val() + 1;
        }
    }
}
