//! Brings packets from any input to any output, with wormhole switching.
//!
//! ```text
//!                    +-----------------------------------------+
//!  inputs[N] ------->| FlitBuffer x N ---> CrossbarOutput x M  |---> outputs[M]
//!  inputs_ready <----|       ^                   |             |<--- outputs_ready
//!  tick ------------>|       +------ taken ------+             |
//!                    +-----------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | flits move at the next edge |
//! | `inputs[N]` | | flits that come |
//! | `inputs_ready` | N | there is room: with a tick the flit is taken |
//! | `outputs[M]` | | flits that have arrived |
//! | `outputs_ready` | M | with a tick the flit leaves |
//!
//! Latency: in an empty network a head arrives `hop_cycles` + 1 ticks after it was taken; then a flit comes every tick. State: that of the buffers and outputs.
//!
//! Flits of an input come packet by packet, from head to tail. Packets from an input to an output stay in order; nothing else does. A packet that cannot go on
//! keeps those behind it waiting, wherever they are to go.
use super::{ArrivedFlit, CrossbarOutput, Flit, FlitBuffer, NetworkConfig};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Crossbar: clock, reset {
        pub tick: Signal<In, Bit>,
        pub inputs: Vec<Flit<In>> = (0..config.inputs).map(|_| Flit::new(config)).collect(),
        pub inputs_ready: Net<Out> = config.inputs,
        pub outputs: Vec<ArrivedFlit<Out>> = (0..config.outputs).map(|_| ArrivedFlit::new(config)).collect(),
        pub outputs_ready: Net<In> = config.outputs,

        buffers: Vec<FlitBuffer> = (0..config.inputs).map(|_| FlitBuffer::new(config, config.buffer)).collect() => |i| {
            push_tick: tick, pop_tick: tick, push: inputs[i], pop: waiting[i],
        },
        switches: Vec<CrossbarOutput> = (0..config.outputs).map(|_| CrossbarOutput::new(config)).collect() => |o| {
            tick, flits: waiting, arrived: outputs[o],
        },
        /// The oldest flit of each input.
        waiting: Vec<Flit<Local>> = (0..config.inputs).map(|_| Flit::new(config)).collect(),
        taken: Net<Local> = config.inputs,
    }
    /// Of these sizes.
    pub fn new(config: &NetworkConfig) {}
}

impl Logic for Crossbar {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Crossbar");
        self.taken.next = 0.into();
        for o in 0..self.switches.len() {
            self.switches[o].number.next = o.into();
            self.switches[o].arrived_ready.next = self.outputs_ready.val().get_bit(o);
            self.taken.next = self.taken.val() | self.switches[o].taken.val();
        }
        self.inputs_ready.next = 0.into();
        for i in 0..self.buffers.len() {
            self.buffers[i].pop_ready.next = self.taken.val().get_bit(i);
            self.inputs_ready.next = self.inputs_ready.val().replace_bit(i, self.buffers[i].push_ready.val());
        }
    }
}

#[cfg(test)]
#[path = "tests/crossbar.rs"]
mod tests;
