//! Sizes of a network.
use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// Sizes of a network, which goes one way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkConfig {
    /// Where packets enter, 1 to 64.
    pub inputs: usize,
    /// Where they leave, 1 to 64.
    pub outputs: usize,
    /// Bytes of a flit, a multiple of 4.
    pub flit_bytes: usize,
    /// Flits that wait at an input at most, 2 to 16.
    pub buffer: usize,
    /// Ticks from the switch to an output, 1 to 8.
    pub hop_cycles: usize,
}

impl NetworkConfig {
    /// Of so many inputs and outputs: flits of 32 bytes, 8 of which wait at an input, and four ticks to an output.
    pub const fn new(inputs: usize, outputs: usize) -> Self {
        Self { inputs, outputs, flit_bytes: 32, buffer: 8, hop_cycles: 4 }
    }

    /// Bits of the number of an output.
    pub fn destination_width(&self) -> usize {
        index_width(self.outputs)
    }

    /// Words of 32 bits of a flit.
    pub fn flit_words(&self) -> usize {
        self.flit_bytes / 4
    }
}
