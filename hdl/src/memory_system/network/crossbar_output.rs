//! An output of the crossbar: which input it belongs to, and the way from there.
//!
//! ```text
//!                   +-----------------------------------------------------+
//!  number --------->|  heads for it --> RoundRobinArbiter --+             |
//!  flits[N] ------->|                      owner -----------+-> connected |
//!                   |  flits ------------------> OneHotMux <--------+     |
//!  taken <----------|                                |                    |
//!  tick ----------->|                                +--> HopPipeline ----|---> arrived
//!                   +-----------------------------------------------------+<--- arrived_ready
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | flits move at the next edge |
//! | `number` | d | the number of this output |
//! | `flits[N]` | | the oldest flit of each input |
//! | `taken` | N | the input whose flit moves, if there is a tick (one-hot, or 0) |
//! | `arrived`, `arrived_ready` | , 1 | the flit that arrives; with a tick it leaves |
//!
//! Latency: as many ticks as there are hops. State: the owner, whose turn it is, and flits on their way.
//!
//! *Wormhole*: the output belongs to a packet from its head to its tail, even while no flit of it is there. A free output is granted round robin, and
//! belongs to the input in the same tick; if there is room its flit moves at once.
//!
//! This is iSLIP with one iteration (McKeown 1999). An input shows one flit, so that it asks for one output, and accepts the only grant that it can have: its
//! own round robin over outputs would have nothing to choose from, and every pointer moves past the input that was granted.
use super::{ArrivedFlit, Flit, HopPipeline, NetworkConfig};
use crate::parts::{OneHotMux, RoundRobinArbiter};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CrossbarOutput: clock, reset {
        pub tick: Signal<In, Bit>,
        pub number: Net<In> = config.destination_width(),
        pub flits: Vec<Flit<In>> = (0..inputs).map(|_| Flit::new(config)).collect(),
        pub taken: Net<Out> = inputs,
        pub arrived: ArrivedFlit<Out> = ArrivedFlit::new(config),
        pub arrived_ready: Signal<In, Bit>,

        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(inputs) => { request: requests, accept: tick },
        /// The input that it belongs to; none: it is free.
        owner: Register = Register::new(inputs),
        words: Vec<OneHotMux> = (0..config.flit_words()).map(|_| OneHotMux::new(32, inputs)).collect() => |w| {
            select: connected, selected: flit.payload[w],
        },
        hops: HopPipeline = HopPipeline::new(config) => { tick, push: flit, pop: arrived, pop_ready: arrived_ready },

        valid: Net<Local> = inputs,
        heads: Net<Local> = inputs,
        tails: Net<Local> = inputs,
        for_this: Net<Local> = inputs,
        requests: Net<Local> = inputs,
        connected: Net<Local> = inputs,
        flit: ArrivedFlit<Local> = ArrivedFlit::new(config),
    }
    /// Of this network.
    pub fn new(config: &NetworkConfig) {
        let inputs = config.inputs;
    }
}

impl Logic for CrossbarOutput {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CrossbarOutput");
        dff_setup!(self, clock, owner);
        self.valid.next = 0.into();
        self.heads.next = 0.into();
        self.tails.next = 0.into();
        self.for_this.next = 0.into();
        for i in 0..self.flits.len() {
            self.valid.next = self.valid.val().replace_bit(i, self.flits[i].valid.val());
            self.heads.next = self.heads.val().replace_bit(i, self.flits[i].head.val());
            self.tails.next = self.tails.val().replace_bit(i, self.flits[i].tail.val());
            self.for_this.next =
                self.for_this.val().replace_bit(i, self.flits[i].destination.val() == self.number.val());
            for w in 0..self.words.len() {
                self.words[w].inputs[i].next = self.flits[i].payload[w].val();
            }
        }
        self.requests.next = 0.into();
        if !self.owner.q.val().any() {
            self.requests.next = self.valid.val() & self.heads.val() & self.for_this.val();
        }
        self.connected.next = self.owner.q.val() | self.arbiter.grant.val();
        self.flit.valid.next = (self.connected.val() & self.valid.val()).any();
        self.flit.head.next = (self.connected.val() & self.heads.val()).any();
        self.flit.tail.next = (self.connected.val() & self.tails.val()).any();

        self.taken.next = 0.into();
        if self.hops.push_ready.val() {
            self.taken.next = self.connected.val() & self.valid.val();
        }
        if self.tick.val() {
            self.owner.d.next = self.connected.val();
            if (self.taken.val() & self.tails.val()).any() {
                self.owner.d.next = 0.into();
            }
        }
    }
}
