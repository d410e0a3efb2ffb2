//! The end of a link at which flits leave.
//!
//! ```text
//!                 +--------------+
//!  link --------->|              |---> flit
//!  credit <-------| LinkReceiver |<--- flit_ready
//!  link_tick ---->|              |<--- tick
//!                 +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `link_tick` | 1 | the link moves |
//! | `link` | | the flit that leaves it; there is room for it |
//! | `credit` | 1 | with a tick of the link: a flit has left for good |
//! | `tick` | 1 | of whoever receives |
//! | `flit`, `flit_ready` | , 1 | the oldest flit; with a tick it is taken |
//!
//! Latency 1. State: the flits, and how many have left that the other end has not been told of.
use super::{Flit, FlitBuffer, NetworkConfig};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LinkReceiver: clock, reset {
        pub link_tick: Signal<In, Bit>,
        pub link: Flit<In> = Flit::new(config),
        pub credit: Signal<Out, Bit>,
        pub tick: Signal<In, Bit>,
        pub flit: Flit<Out> = Flit::new(config),
        pub flit_ready: Signal<In, Bit>,

        buffer: FlitBuffer = FlitBuffer::new(config, room) => { push_tick: link_tick, push: link, pop_tick: tick, pop: flit, pop_ready: flit_ready },
        untold: Register = Register::new(index_width(room + 1)),
        leaves: Signal<Local, Bit>,
    }
    /// Of this network's flits, with room for so many.
    pub fn new(config: &NetworkConfig, room: usize) {}
}

impl Logic for LinkReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LinkReceiver");
        dff_setup!(self, clock, untold);
        self.credit.next = self.untold.q.val().any();
        self.leaves.next = self.tick.val() & self.flit.valid.val() & self.flit_ready.val();
        if self.leaves.val() & !(self.link_tick.val() & self.credit.val()) {
            self.untold.d.next = self.untold.q.val() + 1;
        } else if !self.leaves.val() & self.link_tick.val() & self.credit.val() {
            self.untold.d.next = self.untold.q.val() - 1;
        }
    }
}
