//! Flits: what moves in a tick, a part of a packet.
use super::NetworkConfig;
use crate::prelude::*;

registers! {
    /// [`Flit`], a cycle later.
    pub struct FlitRegister {
        /// A flit on its way into the network.
        Flit(config: &NetworkConfig) {
            valid: Bit,
            /// The first of its packet.
            head: Bit,
            /// The last of its packet.
            tail: Bit,
            /// Of a head: the output that the packet is for, which there is.
            destination: [config.destination_width()],
            payload: [32; config.flit_words()],
        }
    }
}

registers! {
    /// Keeps one.
    pub struct ArrivedFlitRegister {
        /// A flit behind the switch: it is where it was to go.
        ArrivedFlit(config: &NetworkConfig) {
            valid: Bit,
            head: Bit,
            tail: Bit,
            payload: [32; config.flit_words()],
        }
    }
}
