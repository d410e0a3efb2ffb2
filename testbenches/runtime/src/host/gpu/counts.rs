//! What the hardware of a GPU counts: in each core, each slice of L2, each channel of DRAM.
use serde::{Deserialize, Serialize};
use warploom_hdl::counters;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::CHANNEL_COUNTERS;
use warploom_hdl::memory_system::l2::L2_COUNTERS;

use super::{LaunchStats, Traffic};

/// Of a channel of DRAM and the slice of L2 before it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelCounts {
    /// In the order of [`L2_COUNTERS`].
    pub l2: Vec<u64>,
    /// In the order of [`CHANNEL_COUNTERS`].
    pub dram: Vec<u64>,
    /// Bytes of a burst.
    burst_bytes: u64,
}

impl ChannelCounts {
    pub(super) fn new(l2: Vec<u64>, dram: Vec<u64>, system: &SystemConfig) -> Self {
        Self { l2, dram, burst_bytes: 4 * system.dram.burst_words as u64 }
    }

    fn count(counters: &[counters::Counter], counts: &[u64], name: &str) -> u64 {
        counts.get(counters::place(counters, name)).copied().unwrap_or_default()
    }

    /// The counter of L2 of this name.
    pub fn of_l2(&self, name: &str) -> u64 {
        Self::count(L2_COUNTERS, &self.l2, name)
    }

    /// The counter of DRAM of this name.
    pub fn of_dram(&self, name: &str) -> u64 {
        Self::count(CHANNEL_COUNTERS, &self.dram, name)
    }

    /// What the host model calls so.
    fn traffic(&self) -> Traffic {
        Traffic {
            l2_misses: self.of_l2("l2_misses"),
            dram_bytes: self.burst_bytes * (self.of_dram("reads") + self.of_dram("writes")),
        }
    }
}

/// Of all launches so far, or of one. What is written to DRAM behind the end of a kernel, for the host to read it, is not of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GpuCounts {
    /// By core.
    pub cores: Vec<LaunchStats>,
    /// By channel.
    pub channels: Vec<ChannelCounts>,
    /// Cycles of the cores, from a launch until the last of them was done.
    pub cycles: u64,
}

impl GpuCounts {
    /// What was counted after `before` was read.
    pub(super) fn since(mut self, before: &Self) -> Self {
        let cores = self.cores.into_iter().zip(&before.cores);
        self.cores = cores.map(|(now, before)| now.since(before)).collect();
        for (now, before) in self.channels.iter_mut().zip(&before.channels) {
            counters::since(L2_COUNTERS, &mut now.l2, &before.l2);
            counters::since(CHANNEL_COUNTERS, &mut now.dram, &before.dram);
        }
        self
    }

    /// Adds those of another launch.
    pub(super) fn add(&mut self, other: &Self) {
        self.cores.resize(other.cores.len(), LaunchStats::default());
        self.cores.iter_mut().zip(&other.cores).for_each(|(sum, other)| sum.add(other));
        self.channels.resize(other.channels.len(), ChannelCounts::default());
        for (sum, other) in self.channels.iter_mut().zip(&other.channels) {
            counters::add(L2_COUNTERS, &mut sum.l2, &other.l2);
            counters::add(CHANNEL_COUNTERS, &mut sum.dram, &other.dram);
            sum.burst_bytes = other.burst_bytes;
        }
        self.cycles += other.cycles;
    }

    /// All cores as one: sums, in as many cycles as the longest took.
    pub fn total(&self) -> LaunchStats {
        let mut total = LaunchStats::default();
        self.cores.iter().for_each(|core| total.add(core));
        total.counts.cycles = self.cycles;
        self.channels.iter().for_each(|channel| total.traffic.add(channel.traffic()));
        total
    }
}
