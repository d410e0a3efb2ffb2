//! The end of a link at which flits enter: as many as have room at the other end.
//!
//! ```text
//!                 +------------+
//!  flit --------->|            |---> link
//!  flit_ready <---| LinkSender |
//!  tick --------->|            |<--- credit
//!                 |            |<--- link_tick
//!                 +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | of whoever sends |
//! | `flit`, `flit_ready` | , 1 | a flit; with a tick it is taken |
//! | `link_tick` | 1 | the link moves: what is on it goes on at the next edge |
//! | `link` | | the flit that enters it |
//! | `credit` | 1 | with a tick of the link: a flit has left the other end |
//!
//! Latency 1. State: two flits, and how many are between here and there.
//!
//! A link may be of any length, since nobody has to say *stop*: a flit enters only if the other end has room for it.
use super::{Flit, FlitBuffer, NetworkConfig};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LinkSender: clock, reset {
        pub tick: Signal<In, Bit>,
        pub flit: Flit<In> = Flit::new(config),
        pub flit_ready: Signal<Out, Bit>,
        pub link_tick: Signal<In, Bit>,
        pub link: Flit<Out> = Flit::new(config),
        pub credit: Signal<In, Bit>,

        buffer: FlitBuffer = FlitBuffer::new(config, 2) => { push_tick: tick, push: flit, push_ready: flit_ready, pop_tick: link_tick, pop_ready: has_room },
        /// Flits that have no credit yet.
        owed: Register = Register::new(index_width(room + 1)),
        room: Constant = Constant::new(room as u64, index_width(room + 1)),
        has_room: Signal<Local, Bit>,
    }
    /// To an end of this network's flits with so much room.
    pub fn new(config: &NetworkConfig, room: usize) {}
}

impl Logic for LinkSender {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LinkSender");
        dff_setup!(self, clock, owed);
        self.has_room.next = self.owed.q.val() != self.room.val();
        wire::join(&mut self.link.destination, &mut self.buffer.pop.destination);
        wire::join(&mut self.link.payload, &mut self.buffer.pop.payload);
        self.link.head.next = self.buffer.pop.head.val();
        self.link.tail.next = self.buffer.pop.tail.val();
        self.link.valid.next = self.buffer.pop.valid.val() & self.has_room.val();
        if self.link_tick.val() {
            if self.link.valid.val() & !self.credit.val() {
                self.owed.d.next = self.owed.q.val() + 1;
            } else if !self.link.valid.val() & self.credit.val() {
                self.owed.d.next = self.owed.q.val() - 1;
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/links.rs"]
mod tests;
