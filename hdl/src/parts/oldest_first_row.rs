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

module! {
    /// See the [module documentation](self).
    pub struct OldestFirstRow: clock, reset {
        pub request: Net<In> = requesters,
        pub requesting: Signal<In, Bit>,
        pub renewed: Net<In> = requesters,
        pub renewing: Signal<In, Bit>,
        pub order: Net<In> = requesters,
        pub granted: Signal<Out, Bit>,

        changed: Register = Register::new(requesters),
        /// Bit *j*: requester *j* is older than this one.
        older: Net<Local> = requesters,
        older_next: Net<Local> = requesters,
        older_requests: Net<Local> = requesters,
    }
    /// A row for `requesters`.
    pub fn new(requesters: usize) {}
}

impl Logic for OldestFirstRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OldestFirstRow");
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
