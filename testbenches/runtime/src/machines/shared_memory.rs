//! What all cores of a machine share: networks, L2, DRAM; for as many of its cores as are simulated.
use serde::Serialize;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::dram::{ChannelConfig, DramTiming};
use warploom_hdl::memory_system::{Clocks, SystemConfig};

use crate::host::dram::{DramPart, GDDR3_PART, GDDR5_PART};

/// A core asks for lines of whole sectors.
pub const LEAST_LINE_BYTES: usize = 32;

/// A core like this one, as it is in a GPU.
pub fn in_gpu(config: &CoreConfig) -> CoreConfig {
    CoreConfig { in_gpu: true, line_bytes: config.line_bytes.max(LEAST_LINE_BYTES), ..config.clone() }
}

/// Cores of a GPU at most.
pub const MOST_CORES: usize = 16;

/// Channels that there can be.
pub const CHANNELS: [usize; 7] = [1, 2, 3, 4, 6, 8, 12];

/// Cycles of a core that links take at least in machines whose [`SharedMemory::fixed`] has them, two links each way; all others have the length of the shorter.
const LONG: usize = 16;
const SHORT_LINK: usize = 2;

/// Of the whole machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SharedMemory {
    /// Cores that share it.
    pub cores: usize,
    /// Channels of DRAM, each with a slice of L2.
    pub channels: usize,
    /// Bytes of a slice.
    pub slice_bytes: usize,
    /// Ways of a slice.
    pub slice_ways: usize,
    /// MSHRs of a slice.
    pub slice_mshrs: usize,
    /// The DRAM of a channel.
    pub dram: DramTiming,
    /// Requests that wait at a channel.
    pub queue: usize,
    /// In MHz, that of the core being the clock of this core.
    pub clocks: Clocks,
    /// Cycles of the core that requests and answers take beside those of the slice and of the networks, so that a hit takes what the machine has it take:
    /// testbenches/verification/tests/gpu_latency.rs measures it.
    pub fixed: usize,
    /// Cycles of the core that a read takes between L2 and DRAM.
    pub read_delay: usize,
}

impl SharedMemory {
    /// For so many cores: their share of the channels, to the nearest number of channels that there can be, or as many as are asked for.
    pub fn system(&self, config: &CoreConfig, cores: usize, channels: Option<usize>) -> SystemConfig {
        let channels = channels.unwrap_or_else(|| self.share(cores));
        let sets = (self.slice_bytes / (self.slice_ways * config.line_bytes)).max(1);
        let sets = 1 << sets.ilog2();
        let system = SystemConfig::new(cores, channels, config.line_bytes, (sets, self.slice_ways), &self.dram)
            .with_mshrs(self.slice_mshrs);
        let link_cycles = if self.fixed < LONG { SHORT_LINK } else { system.link_cycles };
        let system = SystemConfig { link_cycles, clocks: self.clocks, ..system };
        // A tick to get on the link, and one to get off.
        let slice_link_cycles = ((system.slice_link_ticks() + 2) * self.clocks.core).div_ceil(self.clocks.network);
        SystemConfig {
            dram: ChannelConfig { queue: self.queue, read_delay: self.read_delay, ..system.dram },
            l2_fixed: self.fixed.saturating_sub(2 * (link_cycles + slice_link_cycles)),
            ..system
        }
    }

    /// Channels for so many cores.
    fn share(&self, cores: usize) -> usize {
        let distance = |channels: &usize| (channels * self.cores).abs_diff(self.channels * cores);
        CHANNELS.into_iter().min_by_key(distance).unwrap_or(1)
    }

    /// What its devices draw.
    pub fn part(&self) -> &'static DramPart {
        if self.dram.groups > 1 { &GDDR5_PART } else { &GDDR3_PART }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MACHINES, find};

    #[test]
    fn cores_have_their_share_of_the_channels() {
        let channels = |name: &str| {
            let machine = find(name).unwrap();
            [1, 2, 4, 8, 16].map(|cores| machine.system(&(machine.core)(), cores, None).channels)
        };
        // Of 8 for 30, and of 6 for 15.
        assert_eq!(channels("capri"), [1, 1, 1, 2, 4]);
        assert_eq!(channels("dpe"), [1, 1, 2, 3, 6]);
    }

    #[test]
    fn slices_are_those_of_the_papers() {
        let slice = |name: &str| {
            let machine = find(name).unwrap();
            let l2 = machine.system(&(machine.core)(), 2, None).l2;
            (l2.sets * l2.ways * l2.line_bytes, l2.ways)
        };
        assert_eq!(["capri", "dpe", "lamar"].map(slice), [(1 << 20, 64), (128 << 10, 8), (128 << 10, 16)]);
    }

    #[test]
    fn every_machine_has_one() {
        for machine in MACHINES {
            let mut core = (machine.core)();
            core.line_bytes = core.line_bytes.max(super::LEAST_LINE_BYTES);
            let system = machine.system(&core, 3, Some(3));
            assert_eq!(
                (system.cores, system.channels, system.l2.line_bytes),
                (3, 3, core.line_bytes),
                "{}",
                machine.name
            );
        }
    }
}
