//! One requester's row of the age matrix of [`OldestFirstArbiter`](super::OldestFirstArbiter).
//!
//! ```text
//!                 +----------------+
//!     request --->|                |
//!  requesting --->| OldestFirstRow |---> granted
//!     renewed --->|                |
//!    renewing --->|                |
//!       order --->|                |
//!                 +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | n | who requests |
//! | `requesting` | 1 | this one does |
//! | `renewed` | n | one-hot: who becomes the youngest at the edge, or 0 |
//! | `renewing` | 1 | this one does |
//! | `order` | n | constant: who is older at start |
//! | `granted` | 1 | this one requests and nobody older does |
//!
//! Latency 0. State: n bits, kept as the difference from `order` so that all rows are the same hardware and start at zero.
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct OldestFirstRow {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Net<In>,
    pub requesting: Signal<In, Bit>,
    pub renewed: Net<In>,
    pub renewing: Signal<In, Bit>,
    pub order: Net<In>,
    pub granted: Signal<Out, Bit>,

    changed: Register,
    /// Bit *j*: requester *j* is older than this one.
    older: Net<Local>,
    older_next: Net<Local>,
    older_requests: Net<Local>,
}

impl OldestFirstRow {
    /// A row for `requesters`.
    pub fn new(requesters: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Net::new(requesters),
            requesting: Default::default(),
            renewed: Net::new(requesters),
            renewing: Default::default(),
            order: Net::new(requesters),
            granted: Default::default(),
            changed: Register::new(requesters),
            older: Net::new(requesters),
            older_next: Net::new(requesters),
            older_requests: Net::new(requesters),
        }
    }
}

impl Logic for OldestFirstRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OldestFirstRow");
        clock!(self, clock, changed);
        self.changed.reset.next = self.reset.val();
        self.older.next = self.changed.q.val() ^ self.order.val();
        self.older_next.next = self.older.val() & !self.renewed.val();
        if self.renewing.val() {
            self.older_next.next = !self.renewed.val();
        }
        self.changed.d.next = self.older_next.val() ^ self.order.val();
        self.older_requests.next = self.older.val() & self.request.val();
        self.granted.next = self.requesting.val() & !self.older_requests.val().any();
    }
}
