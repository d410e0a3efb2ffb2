//! What the parts of a GPU did: each core, each slice of L2, each channel of DRAM.
#[cfg(test)]
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use warploom_hdl::counters::Counter;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::memory_system::dram::CHANNEL_COUNTERS;
use warploom_hdl::memory_system::l2::L2_COUNTERS;
use warploom_runtime::host::dram::{ChannelActivity, DramEnergy, DramPart};
use warploom_runtime::host::{ChannelCounts, GpuCounts};

use super::{named, object};

/// A GPU. Field names are part of the interface; every metric is defined in docs/reference/metrics.md.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SystemReport {
    /// Its cores.
    pub cores: Vec<CoreReport>,
    /// Its channels of DRAM, each with its slice of L2.
    pub channels: Vec<ChannelReport>,
    /// Requests to L2 that found all of their sectors there, over all of them, 0 to 1.
    pub l2_hit_rate: f64,
    /// Requests to DRAM for which no row was opened, over all of them, 0 to 1.
    pub row_hit_rate: f64,
    /// Share of the clocks of the data buses in which data passed, 0 to 1.
    pub dram_utilization: f64,
    /// Bytes to and from DRAM in a cycle of the cores, of all channels.
    pub dram_bytes_per_cycle: f64,
    /// What all channels of DRAM used, and how.
    pub dram_energy: EnergyReport,
}

/// One of the cores.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CoreReport {
    /// Cycles until it was done, all launches.
    pub cycles: u64,
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Active lanes summed over them.
    pub thread_instructions: u64,
    /// Accesses of its L1.
    pub l1_accesses: u64,
    /// Loads of them that missed.
    pub l1_misses: u64,
    /// Requests to the network.
    pub memory_transactions: u64,
}

/// A channel of DRAM and its slice of L2.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChannelReport {
    /// The counters of the slice.
    #[serde(with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub l2: Vec<(String, u64)>,
    /// The counters of the channel.
    #[serde(with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub dram: Vec<(String, u64)>,
}

/// Of DRAM, without its pins: docs/reference/dram-energy.md.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EnergyReport {
    /// The part whose currents they are.
    pub part: String,
    /// Rows opened and closed, in nJ.
    pub activate_nj: f64,
    /// Bursts read, in nJ.
    pub read_nj: f64,
    /// Bursts written, in nJ.
    pub write_nj: f64,
    /// Refreshes, in nJ.
    pub refresh_nj: f64,
    /// Standby, all rows taken as open, in nJ.
    pub background_nj: f64,
    /// All of it over the time, in mW.
    pub average_mw: f64,
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl SystemReport {
    /// Of what was counted in a GPU with this memory system, whose channels are made of this part.
    pub fn new(counts: &GpuCounts, system: &SystemConfig, part: &DramPart) -> Self {
        let sum = |of: &dyn Fn(&ChannelCounts) -> u64| counts.channels.iter().map(of).sum::<u64>();
        let l2 = |name: &'static str| sum(&move |channel: &ChannelCounts| channel.of_l2(name));
        let dram = |name: &'static str| sum(&move |channel: &ChannelCounts| channel.of_dram(name));
        let requests = l2("l2_reads") + l2("l2_writes") + l2("l2_atomics");
        let missing = l2("l2_misses") + l2("l2_sector_misses");
        let bursts = dram("reads") + dram("writes");
        let clocks = counts.cycles * system.clocks.dram as u64 / system.clocks.core as u64;
        let core = |core: &_| CoreReport::new(core);
        Self {
            cores: counts.cores.iter().map(core).collect(),
            channels: counts.channels.iter().map(ChannelReport::new).collect(),
            l2_hit_rate: ratio(requests.saturating_sub(missing), requests),
            row_hit_rate: ratio(dram("row_hits"), dram("row_hits") + dram("activates")),
            dram_utilization: ratio(bursts * system.dram.timing.burst as u64, clocks * system.channels as u64),
            dram_bytes_per_cycle: ratio(4 * bursts * system.dram.burst_words as u64, counts.cycles),
            dram_energy: EnergyReport::new(counts, clocks, system, part),
        }
    }

    /// Slots, by cycles, of cores that had no CTA any more.
    pub fn cycles_without_cta(&self, cycles: u64) -> u64 {
        self.cores.iter().map(|core| cycles.saturating_sub(core.cycles)).sum()
    }
}

impl CoreReport {
    fn new(stats: &warploom_runtime::host::LaunchStats) -> Self {
        Self {
            cycles: stats.cycles,
            warp_instructions: stats.warp_instructions,
            thread_instructions: stats.thread_instructions,
            l1_accesses: stats.l1_accesses,
            l1_misses: stats.l1_misses,
            memory_transactions: stats.memory_transactions,
        }
    }
}

impl ChannelReport {
    fn new(counts: &ChannelCounts) -> Self {
        Self { l2: named(L2_COUNTERS, &counts.l2), dram: named(CHANNEL_COUNTERS, &counts.dram) }
    }
}

impl EnergyReport {
    /// Of all channels, each of which had so many clocks.
    fn new(counts: &GpuCounts, clocks: u64, system: &SystemConfig, part: &DramPart) -> Self {
        let mhz = system.clocks.dram as f64;
        let energy = |channel: &ChannelCounts| {
            DramEnergy::new(&ChannelActivity::new(&channel.dram, clocks), &system.dram.timing, part, mhz)
        };
        let energies: Vec<DramEnergy> = counts.channels.iter().map(energy).collect();
        let sum = |of: fn(&DramEnergy) -> f64| energies.iter().map(of).sum::<f64>();
        Self {
            part: part.name.to_string(),
            activate_nj: sum(|energy| energy.activate_nj),
            read_nj: sum(|energy| energy.read_nj),
            write_nj: sum(|energy| energy.write_nj),
            refresh_nj: sum(|energy| energy.refresh_nj),
            background_nj: sum(|energy| energy.background_nj),
            average_mw: sum(DramEnergy::average_mw),
        }
    }

    fn total_nj(&self) -> f64 {
        self.activate_nj + self.read_nj + self.write_nj + self.refresh_nj + self.background_nj
    }
}

/// The counters of all slices, or of all channels.
fn all<'a>(
    table: &'static [Counter],
    counts: impl Iterator<Item = &'a Vec<(String, u64)>>,
) -> impl Iterator<Item = (&'static Counter, u64)> {
    let mut sums = vec![0; table.len()];
    for channel in counts {
        let values: Vec<u64> = channel.iter().map(|(_, count)| *count).collect();
        warploom_hdl::counters::add(table, &mut sums, &values);
    }
    table.iter().zip(sums)
}

impl fmt::Display for SystemReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n  what the cores did")?;
        for (number, core) in self.cores.iter().enumerate() {
            let CoreReport { cycles, warp_instructions, l1_misses, memory_transactions, .. } = core;
            let rest = format!(
                "cycles, {warp_instructions} warp instructions, {l1_misses} L1 misses, {memory_transactions} requests"
            );
            writeln!(f, "  {:<20}{cycles:>14}  {rest}", format!("core {number}"))?;
        }
        let percent = |rate: f64| format!("{:.1} %", 100.0 * rate);
        writeln!(f, "\n  what they share: {} slices of L2 and channels of DRAM", self.channels.len())?;
        let mut row = |name: &str, value: String, meaning: &str| writeln!(f, "  {name:<20}{value:>14}  {meaning}");
        row("L2 hits", percent(self.l2_hit_rate), "requests that found all of their sectors")?;
        row("row hits", percent(self.row_hit_rate), "requests to DRAM for which no row was opened")?;
        row("DRAM in use", percent(self.dram_utilization), "clocks of the data buses in which data passed")?;
        row("DRAM bandwidth", format!("{:.2}", self.dram_bytes_per_cycle), "bytes in a core cycle")?;
        row(
            "DRAM power",
            format!("{:.1} mW", self.dram_energy.average_mw),
            "on average, without the pins; rows taken as open",
        )?;
        row("DRAM energy", format!("{:.0} nJ", self.dram_energy.total_nj()), "all of it; of which standby is")?;
        row("", format!("{:.0} nJ", self.dram_energy.background_nj), &self.dram_energy.part)?;
        let l2 = all(L2_COUNTERS, self.channels.iter().map(|channel| &channel.l2));
        for (counter, count) in l2.chain(all(CHANNEL_COUNTERS, self.channels.iter().map(|channel| &channel.dram))) {
            row(counter.name, count.to_string(), counter.meaning)?;
        }
        Ok(())
    }
}
