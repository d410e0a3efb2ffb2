//! Sizes of the memory system, and the clocks of its parts.
use serde::{Deserialize, Serialize};

use super::dram::{AddressBits, ChannelConfig, DramTiming};
use super::l2::L2Config;
use super::network::NetworkConfig;
use crate::prelude::*;

/// Clocks of the parts in a common unit, such as MHz: what counts is their ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// Of the cores, and of the links between them and the networks.
    pub core: usize,
    /// Of the networks.
    pub network: usize,
    /// Of the slices of L2.
    pub l2: usize,
    /// Of the command buses of the DRAM.
    pub dram: usize,
}

impl Clocks {
    /// All parts have one clock.
    pub const EQUAL: Self = Self { core: 1, network: 1, l2: 1, dram: 1 };

    /// That of the fastest part, on whose cycles all others tick.
    pub fn fastest(&self) -> usize {
        self.core.max(self.network).max(self.l2).max(self.dram)
    }
}

/// The memory system of a GPU: networks, slices of L2, channels of DRAM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemConfig {
    /// Cores.
    pub cores: usize,
    /// Channels of DRAM, each with a slice of L2: 2^k or 3 x 2^k.
    pub channels: usize,
    /// A slice of L2.
    pub l2: L2Config,
    /// A channel of DRAM.
    pub dram: ChannelConfig,
    /// Where a line lies in its channel.
    pub bits: AddressBits,
    /// Flits that wait at an input of a network.
    pub buffer: usize,
    /// Ticks from the switch of a network to an output.
    pub hop_cycles: usize,
    /// Cycles of a core that a flit takes from one end of a link to the other, and a credit back.
    pub link_cycles: usize,
    /// Flits for which an end of a link has room.
    pub link_room: usize,
    /// Cycles of a core that a request takes before a slice sees it, beside its way there.
    pub l2_fixed: usize,
    /// Requests that wait at a slice.
    pub l2_queue: usize,
    /// Writes of a core that may be under way.
    pub write_credits: usize,
    /// The clocks.
    pub clocks: Clocks,
}

/// MSHRs of a slice of [`SystemConfig::new`].
const USUAL_MSHRS: usize = 16;

impl SystemConfig {
    /// Of so many cores and channels: lines of `line_bytes`, slices of `sets` x `ways`, this DRAM; all else as the papers' machines have it, and one clock.
    pub fn new(
        cores: usize,
        channels: usize,
        line_bytes: usize,
        (sets, ways): (usize, usize),
        timing: &DramTiming,
    ) -> Self {
        let mshrs = USUAL_MSHRS;
        let dram = ChannelConfig::new(timing, line_bytes, index_width(mshrs));
        let mut bits = if timing.groups > 1 { AddressBits::gddr5() } else { AddressBits::gddr3() };
        // Of fewer channels each has more: rows as many as there are addresses.
        let first = bits.row[0];
        let top = 32 - (channels.ilog2() as usize);
        bits.row = (first..top).collect();
        let l2 = L2Config {
            line_bytes,
            sets,
            ways,
            mshrs,
            merges: 4,
            evictions: 2,
            replies: 8,
            cores: cores + 1,
            id_width: 7,
            line_width: top - line_bytes.ilog2() as usize,
            burst_sectors: dram.burst_words / 8,
        };
        let dram = ChannelConfig { row_width: bits.row.len(), ..dram };
        Self {
            cores,
            channels,
            l2,
            dram,
            bits,
            buffer: 8,
            hop_cycles: 4,
            link_cycles: 4,
            link_room: 16,
            l2_fixed: 0,
            l2_queue: 8,
            write_credits: 64,
            clocks: Clocks::EQUAL,
        }
    }

    /// With so many MSHRs in a slice, each of which may read a line from DRAM.
    pub fn with_mshrs(self, mshrs: usize) -> Self {
        let dram = ChannelConfig { id_width: index_width(mshrs), ..self.dram };
        Self { l2: L2Config { mshrs, ..self.l2 }, dram, ..self }
    }

    /// Flits that wait for `l2_fixed` to pass, if the network brings one in every tick.
    pub fn delayed_flits(&self) -> usize {
        4 + self.l2_fixed * self.clocks.network.div_ceil(self.clocks.core)
    }

    /// Who asks for memory: the cores, and behind them the host.
    pub fn ports(&self) -> usize {
        self.cores + 1
    }

    /// Ticks of the networks that a flit takes from one end of a link between them and a slice to the other, and a credit back: as many as pass in `link_cycles`, or one more where clocks
    /// shift against each other, so that what enters in so many cycles of a core does not leave in them.
    pub fn slice_link_ticks(&self) -> usize {
        let Clocks { core, network, .. } = self.clocks;
        let is_even = network.is_multiple_of(core) || core == self.clocks.fastest();
        (self.link_cycles * network).div_ceil(core) + usize::from(!is_even)
    }

    /// Flits for which an end of such a link has room: those on their way, and those of which its other end does not know yet that they have left.
    pub fn slice_link_room(&self) -> usize {
        2 * self.slice_link_ticks() + 4
    }

    /// From who asks to the slices.
    pub fn request_network(&self) -> NetworkConfig {
        let network = NetworkConfig::new(self.ports(), self.channels);
        NetworkConfig { buffer: self.buffer, hop_cycles: self.hop_cycles, ..network }
    }

    /// From the slices to who has asked.
    pub fn reply_network(&self) -> NetworkConfig {
        NetworkConfig { inputs: self.channels, outputs: self.ports(), ..self.request_network() }
    }
}
