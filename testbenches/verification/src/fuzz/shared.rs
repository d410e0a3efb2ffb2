//! What the cores of a GPU share, as it is drawn and as a file says it.
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::dram::{ChannelConfig, GDDR3, GDDR5};
use warploom_hdl::memory_system::{Clocks, SystemConfig};
use warploom_runtime::machines::{CHANNELS, LEAST_LINE_BYTES, MOST_CORES};

use crate::random_program::Choices;

/// Bytes of a burst of GDDR5, which is at most a line.
const GDDR5_BURST: usize = 64;

/// How many cores are wanted, and of what they share how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GpuSize {
    /// Cores.
    pub cores: usize,
    /// Channels of DRAM; drawn if it is not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<usize>,
}

/// What makes such a GPU a [`SystemConfig`]: little of everything, so that all of it is full at times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedParts {
    /// Cores.
    pub cores: usize,
    /// Channels of DRAM, each with a slice of L2.
    pub channels: usize,
    /// Sets of a slice.
    pub l2_sets: usize,
    /// Ways of a slice.
    pub l2_ways: usize,
    /// Cycles of a core before a slice sees a request.
    pub l2_fixed: usize,
    /// Requests that wait at a slice.
    pub l2_queue: usize,
    /// Cycles of a core that a read takes between L2 and DRAM.
    pub read_delay: usize,
    /// GDDR5 in place of GDDR3.
    pub gddr5: bool,
    /// Cycles of a core on a link.
    pub link_cycles: usize,
    /// Flits for which the end of a link has room.
    pub link_room: usize,
    /// Writes of a core that may be under way.
    pub write_credits: usize,
    /// The clocks.
    pub clocks: Clocks,
}

impl SharedParts {
    /// The simplest of this size, with one clock.
    pub fn plain(cores: usize, channels: usize) -> Self {
        Self {
            cores,
            channels,
            l2_sets: 4,
            l2_ways: 4,
            l2_fixed: 0,
            l2_queue: 8,
            read_delay: 0,
            gddr5: false,
            link_cycles: 1,
            link_room: 16,
            write_credits: 64,
            clocks: Clocks::EQUAL,
        }
    }

    /// Any, for cores like this one.
    pub fn draw(choices: &mut Choices, config: &CoreConfig, size: GpuSize) -> Self {
        // Drawn in any case, so that the rest does not depend on it.
        let (channels, l2_ways) = (choices.of(&[1, 2, 3]), choices.of(&[2, 4]));
        let gddr5 = config.line_bytes >= GDDR5_BURST && choices.below(2) == 1;
        let speed = |choices: &mut Choices| choices.of(&[1, 2, 3, 5]);
        let clocks = Clocks { core: speed(choices), network: speed(choices), l2: speed(choices), dram: speed(choices) };
        Self {
            cores: size.cores,
            channels: size.channels.unwrap_or(channels),
            l2_ways,
            gddr5,
            clocks,
            link_cycles: choices.of(&[1, 2, 4, 6]),
            link_room: choices.of(&[5, 9, 16]),
            l2_fixed: choices.of(&[0, 3, 20]),
            l2_queue: choices.of(&[2, 8]),
            read_delay: choices.of(&[0, 0, 9]),
            write_credits: choices.of(&[1, 4, 64]),
            l2_sets: choices.of(&[2, 4]),
        }
    }

    /// The memory system, for such [cores](warploom_runtime::machines::in_gpu).
    pub fn system(&self, config: &CoreConfig) -> SystemConfig {
        let dram = if self.gddr5 { &GDDR5 } else { &GDDR3 };
        let size = (self.l2_sets, self.l2_ways);
        let system = SystemConfig::new(self.cores, self.channels, config.line_bytes, size, dram);
        SystemConfig {
            dram: ChannelConfig { read_delay: self.read_delay, ..system.dram },
            link_cycles: self.link_cycles,
            link_room: self.link_room,
            l2_fixed: self.l2_fixed,
            l2_queue: self.l2_queue,
            write_credits: self.write_credits,
            clocks: self.clocks,
            ..system
        }
    }

    /// Whether it can be built with such a core.
    ///
    /// # Errors
    /// What is wrong, and what would be right.
    pub fn check(&self, config: &CoreConfig) -> Result<(), String> {
        let Clocks { core, network, l2, dram } = self.clocks;
        let ranges = [
            ("cores", self.cores, 1, MOST_CORES),
            ("l2_sets", self.l2_sets, 2, 4096),
            ("l2_ways", self.l2_ways, 2, 64),
            ("l2_fixed", self.l2_fixed, 0, 255),
            ("l2_queue", self.l2_queue, 2, 64),
            ("read_delay", self.read_delay, 0, 255),
            ("link_cycles", self.link_cycles, 1, 16),
            ("link_room", self.link_room, 5, 64),
            ("write_credits", self.write_credits, 1, 128),
            ("clocks.core", core, 1, 9999),
            ("clocks.network", network, 1, 9999),
            ("clocks.l2", l2, 1, 9999),
            ("clocks.dram", dram, 1, 9999),
        ];
        if let Some((name, value, least, most)) =
            ranges.into_iter().find(|(_, value, least, most)| !(least..=most).contains(&value))
        {
            return Err(format!("{name} {value}: it is {least} to {most}"));
        }
        if !CHANNELS.contains(&self.channels) {
            return Err(format!(
                "channels {}: it is one of {}",
                self.channels,
                CHANNELS.map(|n| n.to_string()).join(", ")
            ));
        }
        if let Some((name, value)) = [("l2_sets", self.l2_sets), ("l2_ways", self.l2_ways)]
            .into_iter()
            .find(|(_, value)| !value.is_power_of_two())
        {
            return Err(format!("{name} {value}: it is a power of two"));
        }
        let least = if self.gddr5 { GDDR5_BURST } else { LEAST_LINE_BYTES };
        if config.line_bytes < least {
            return Err(format!(
                "line_bytes {} of the core: it is {least} and more before this DRAM",
                config.line_bytes
            ));
        }
        Ok(())
    }
}
