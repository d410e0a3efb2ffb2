//! One requester's row of the age matrix of [`OldestFirstArbiter`](super::OldestFirstArbiter).
//!
//! ```text
//!                 +----------------+
//!     request --->|                |
//!  requesting --->| OldestFirstRow |---> granted
//!     renewed --->|                |
//!    renewing --->|                |
//!                 +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `request` | n | who requests |
//! | `requesting` | 1 | this one does |
//! | `renewed` | n | one-hot: who becomes the youngest at the edge, or 0 |
//! | `renewing` | 1 | this one does |
//! | `granted` | 1 | this one requests and nobody older does |
//!
//! Latency 0. State: `older`, n bits.
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
    pub granted: Signal<Out, Bit>,

    /// Bit *j*: requester *j* is older than this one.
    older: Register,
    older_requests: Net<Local>,
}

impl OldestFirstRow {
    /// The row of requester `index` of `requesters`.
    pub fn new(requesters: usize, index: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            request: Net::new(requesters),
            requesting: Default::default(),
            renewed: Net::new(requesters),
            renewing: Default::default(),
            granted: Default::default(),
            older: Register::with_initial(requesters, (1 << index) - 1),
            older_requests: Net::new(requesters),
        }
    }
}

impl Logic for OldestFirstRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module OldestFirstRow");
        dff_setup!(self, clock, older);
        self.older.reset.next = self.reset.val();
        self.older.d.next = self.older.q.val() & !self.renewed.val();
        if self.renewing.val() {
            self.older.d.next = !self.renewed.val();
        }
        self.older_requests.next = self.older.q.val() & self.request.val();
        self.granted.next = self.requesting.val() & !self.older_requests.val().any();
    }
}
