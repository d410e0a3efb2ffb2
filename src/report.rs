//! What a run prints: one object for `--json`, an explained summary for people.
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use warploom_hdl::compaction_counters::COMPACTION_COUNTERS;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::counters::Counter;
use warploom_hdl::formation_counters::FORMATION_COUNTERS;
use warploom_hdl::memory::HAZARD_COUNTERS;
use warploom_hdl::path_counters::PATH_COUNTERS;
use warploom_hdl::replay::REPLAY_COUNTERS;
use warploom_hdl::sub_warp_counters::SUB_WARP_COUNTERS;
use warploom_hdl::turn_statistics::TURN_COUNTERS;
use warploom_runtime::host::LaunchStats;
use warploom_verification::compactability::Compactability;

use crate::eddy::Eddy;
use crate::energy::Energy;
use crate::trace::{self, BranchReport, WatchReport};

mod system;

pub use system::SystemReport;

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// All threads ended, and the result is right if there is a reference.
    Pass,
    /// The result is wrong.
    Fail,
    /// The hardware, the watchdog or the user stopped it.
    #[default]
    Error,
}

/// The version of [`RunReport`] as JSON.
pub const SCHEMA_VERSION: u32 = 1;

/// The result of one run. Field names are part of the interface; every metric is defined in docs/reference/metrics.md.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunReport {
    /// Of what is here: grows when a field goes or means something else, not when there is one more.
    #[serde(default)]
    pub schema_version: u32,
    /// Kernel name, or the ELF's path.
    pub kernel: String,
    /// Mechanism.
    pub mechanism: String,
    /// Preset.
    pub preset: String,
    /// Lanes of a warp.
    pub lanes: usize,
    /// Hardware warps.
    pub warps: usize,
    /// What differs from the preset, by the names of the options.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, String>,
    /// `pass`, `fail` or `error`.
    pub result: Ending,
    /// Whether there is a reference to check the result against.
    pub checked: bool,
    /// Why the result is not `pass`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How the program was read, where that is not as its author may think.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Of a kernel of one's own: its program and what its arguments and buffers were, as a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Of a kernel of one's own that has come to its end: what it has left in each buffer, as a number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, String>,
    /// Problem size.
    pub size: u64,
    /// What the size counts.
    #[serde(skip)]
    pub unit: String,
    /// Kernel launches.
    pub launches: u64,
    /// Core cycles, all launches.
    pub cycles: u64,
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Thread instructions: active lanes summed over the issued warp instructions.
    pub thread_instructions: u64,
    /// Thread instructions per cycle.
    pub ipc: f64,
    /// Active lanes / lanes over issued warp instructions, 0 to 1.
    pub simd_utilization: f64,
    /// Every cycle in exactly one class.
    pub issue_slots: IssueSlots,
    /// Issue slots without an issue.
    pub idle_slots: u64,
    /// What compaction formed, and could have formed; only of a mechanism whose warps gather.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub compaction: Vec<(String, u64)>,
    /// What compaction could do, whatever the mechanism; only if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<BTreeMap<String, serde_json::Value>>"))]
    pub compactability: Option<Compactability>,
    /// Paths of the issuing warp that could be scheduled, over issued warp instructions: Rhu 2014, eq. 3.1. 1 if warps have one path.
    pub average_paths: f64,
    /// What became of the paths; only of a mechanism with several.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub paths: Vec<(String, u64)>,
    /// Why threads gave up their turns, and what came of it; only of a mechanism with turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub turns: Vec<(String, u64)>,
    /// What became of threads that were regrouped; only of a mechanism that does.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub formation: Vec<(String, u64)>,
    /// How large warps issued; only where there are any.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub sub_warps: Vec<(String, u64)>,
    /// What became of looks at loads; only where loads are issued again.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub replay: Vec<(String, u64)>,
    /// What memory instructions waited for; only where they wait otherwise than usual, or warps run ahead of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub hazards: Vec<(String, u64)>,
    /// Into how many warps the threads at a block were split, as the run went on; only if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eddy: Option<Eddy>,
    /// What it took from the supply; only if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<Energy>,
    /// Conditional branches whose lanes went both ways.
    pub divergent_branches: u64,
    /// Of these, branches neither of whose sides starts at the reconvergence point.
    pub interleavable_branches: u64,
    /// Most entries in use in one reconvergence stack.
    pub stack_max_depth: u64,
    /// L1 data cache.
    pub l1: L1Counts,
    /// Requests to memory beyond L1.
    pub memory_transactions: u64,
    /// Of these, for lines that L2 did not have.
    #[serde(default)]
    pub l2_misses: u64,
    /// Bytes to and from DRAM.
    #[serde(default)]
    pub dram_bytes: u64,
    /// Cycles lost to bank conflicts in shared memory.
    pub shared_conflicts: u64,
    /// Most CTAs resident at once; in a core, where there are several.
    pub resident_ctas_max: u64,
    /// What the cores of a GPU, the slices of its L2 and its channels of DRAM did; only of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemReport>,
    /// The simulation itself.
    pub sim: SimFigures,
    /// Every branch that was executed, after `--restore` since the checkpoint; only if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches: Option<Vec<BranchReport>>,
    /// What was written to the places that were to be watched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched: Option<Vec<WatchReport>>,
}

/// Where the issue slots went: cycles, unless a slot takes several.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IssueSlots {
    /// Slots that issued, by number of active lanes: `W1-4`, `W5-8`...
    #[serde(with = "object")]
    #[cfg_attr(test, schemars(with = "BTreeMap<String, u64>"))]
    pub issued: Vec<(String, u64)>,
    /// An instruction without hazards waited for a unit.
    pub stall: u64,
    /// Nothing could issue, warps wait for others of their CTA to be compacted.
    pub compaction: u64,
    /// Nothing could issue, memory outstanding.
    pub idle_memory: u64,
    /// Nothing could issue, warps wait at a barrier.
    pub barrier: u64,
    /// Nothing could issue: dependences, control, launch.
    pub idle_other: u64,
    /// Of cores of a GPU that had ended while others ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub no_cta: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl IssueSlots {
    /// Without an issue.
    pub fn idle(&self) -> u64 {
        self.stall + self.compaction + self.idle_memory + self.barrier + self.idle_other + self.no_cta
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.idle() + self.issued.iter().map(|(_, slots)| slots).sum::<u64>()
    }
}

/// L1 data cache.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct L1Counts {
    /// Line accesses after coalescing.
    pub accesses: u64,
    /// Of these, loads that missed.
    pub misses: u64,
}

/// The simulation itself: figures of this machine, for orientation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SimFigures {
    /// Simulated cycles per second.
    pub cycles_per_second: f64,
    /// rust-hdl to netlist.
    pub elaborate_seconds: f64,
    /// Netlist to loaded machine code (small when cached).
    pub generate_seconds: f64,
}

impl RunReport {
    /// The part that the counters know.
    pub fn of(stats: &LaunchStats, config: &CoreConfig) -> Self {
        let ratio = |a: u64, b: u64| if b == 0 { 0.0 } else { a as f64 / b as f64 };
        let step = config.lanes.div_ceil(stats.issued.len().max(1));
        let bucket = |(i, &cycles): (usize, &u64)| match (i * step + 1, (i + 1) * step) {
            (first, last) if first == last => (format!("W{first}"), cycles),
            (first, last) => (format!("W{first}-{last}"), cycles),
        };
        let issue_slots = IssueSlots {
            issued: stats.issued.iter().enumerate().map(bucket).collect(),
            stall: stats.stall,
            compaction: stats.compaction,
            idle_memory: stats.idle_memory,
            barrier: stats.barrier,
            idle_other: stats.idle_other,
            no_cta: 0,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            lanes: config.lanes,
            warps: config.warps,
            cycles: stats.cycles,
            warp_instructions: stats.warp_instructions,
            thread_instructions: stats.thread_instructions,
            ipc: ratio(stats.thread_instructions, stats.cycles),
            simd_utilization: ratio(stats.thread_instructions, stats.warp_instructions * config.lanes as u64),
            idle_slots: issue_slots.idle(),
            issue_slots,
            compaction: named(COMPACTION_COUNTERS, &stats.compaction_counts),
            average_paths: match stats.path_counts.first() {
                Some(sum) => ratio(*sum, stats.warp_instructions),
                None => 1.0,
            },
            paths: named(PATH_COUNTERS, &stats.path_counts),
            turns: named(TURN_COUNTERS, &stats.turn_counts),
            formation: named(FORMATION_COUNTERS, &stats.formation_counts),
            sub_warps: named(SUB_WARP_COUNTERS, &stats.sub_warp_counts),
            replay: named(REPLAY_COUNTERS, &stats.replay_counts),
            hazards: named(HAZARD_COUNTERS, &stats.hazard_counts),
            divergent_branches: stats.divergent_branches,
            interleavable_branches: stats.interleavable_branches,
            stack_max_depth: stats.stack_max_depth,
            l1: L1Counts { accesses: stats.l1_accesses, misses: stats.l1_misses },
            memory_transactions: stats.memory_transactions,
            l2_misses: stats.traffic.l2_misses,
            dram_bytes: stats.traffic.dram_bytes,
            shared_conflicts: stats.shared_conflicts,
            resident_ctas_max: stats.resident_ctas_max,
            ..Self::default()
        }
    }

    /// What it took from the supply, in uJ; nothing if that was not measured.
    pub fn energy_uj(&self) -> f64 {
        self.energy.as_ref().map_or(0.0, |energy| energy.total_uj)
    }

    /// The same times what it took of time, in uJ x cycles.
    pub fn energy_delay(&self) -> f64 {
        self.energy_uj() * self.cycles as f64
    }
}

fn named(counters: &[Counter], counts: &[u64]) -> Vec<(String, u64)> {
    counters.iter().zip(counts).map(|(counter, count)| (counter.name.to_string(), *count)).collect()
}

/// Named counts as an object, whose order is kept.
mod object {
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(counts: &[(String, u64)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(counts.iter().map(|(name, count)| (name, count)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, u64)>, D::Error> {
        deserializer.deserialize_map(Counts)
    }

    struct Counts;

    impl<'de> Visitor<'de> for Counts {
        type Value = Vec<(String, u64)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of counts")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut counts = Vec::new();
            while let Some(count) = map.next_entry()? {
                counts.push(count);
            }
            Ok(counts)
        }
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slots = self.issue_slots.total().max(1);
        let share = |part: u64| 100.0 * part as f64 / slots as f64;
        let verdict = match self.result {
            Ending::Pass if self.checked => "PASS",
            Ending::Pass => "DONE",
            Ending::Fail => "FAIL",
            Ending::Error => "STOPPED",
        };
        let Self { kernel, preset, mechanism, lanes, warps, .. } = self;
        let cores = match self.system.as_ref().map_or(1, |system| system.cores.len()) {
            1 => String::new(),
            cores => format!("{cores} cores of "),
        };
        writeln!(f, "{verdict}  {kernel} on {cores}{preset} ({lanes} lanes x {warps} warps) under {mechanism}")?;
        if verdict == "DONE" {
            writeln!(f, "  finished, nothing to check against")?;
        }
        if let Some(reason) = &self.reason {
            writeln!(f, "  {}", reason.replace('\n', "\n  "))?;
        }
        for note in &self.notes {
            writeln!(f, "  note: {note}")?;
        }
        writeln!(f)?;
        let mut row = |name: &str, value: String, meaning: &str| writeln!(f, "  {name:<20}{value:>14}  {meaning}");
        let plural = if self.launches == 1 { "" } else { "es" };
        row("size", self.size.to_string(), &format!("{}, in {} launch{plural}", self.unit, self.launches))?;
        row("cycles", self.cycles.to_string(), "core clock cycles")?;
        row("warp instructions", self.warp_instructions.to_string(), "issued, one per cycle at best")?;
        row("thread instructions", self.thread_instructions.to_string(), "active lanes summed over them")?;
        row("IPC", format!("{:.3}", self.ipc), "thread instructions per cycle")?;
        row(
            "SIMD utilisation",
            format!("{:.1} %", 100.0 * self.simd_utilization),
            "active lanes / lanes, when issuing",
        )?;
        row("divergent branches", self.divergent_branches.to_string(), "active lanes went both ways")?;
        row("interleavable", self.interleavable_branches.to_string(), "of these, with something to do on both sides")?;
        row("schedulable paths", format!("{:.3}", self.average_paths), "of the issuing warp, on average (Avg_path)")?;
        row("stack depth", self.stack_max_depth.to_string(), "most entries in one reconvergence stack")?;
        row("resident CTAs", self.resident_ctas_max.to_string(), "most at once")?;
        let hits = self.l1.accesses.saturating_sub(self.l1.misses);
        row("L1 accesses", self.l1.accesses.to_string(), &format!("{hits} hits, {} misses", self.l1.misses))?;
        row("memory transactions", self.memory_transactions.to_string(), "requests beyond L1")?;
        row("L2 misses", self.l2_misses.to_string(), "of these, for lines that were not there")?;
        row("DRAM bytes", self.dram_bytes.to_string(), "read and written")?;
        row("bank conflicts", self.shared_conflicts.to_string(), "cycles lost to them in shared memory")?;
        writeln!(f, "\n  where the issue slots went")?;
        let mut slot =
            |name: &str, slots: u64, meaning: &str| writeln!(f, "  {name:<20}{:>13.1}%  {meaning}", share(slots));
        for (bucket, cycles) in &self.issue_slots.issued {
            slot(bucket, *cycles, "issued with so many active lanes")?;
        }
        slot("stall", self.issue_slots.stall, "an instruction was ready, its unit was not")?;
        slot("idle, compaction", self.issue_slots.compaction, "nothing to issue, warps wait for others of their CTA")?;
        slot("idle, memory", self.issue_slots.idle_memory, "nothing to issue, memory outstanding")?;
        slot("idle, barrier", self.issue_slots.barrier, "nothing to issue, warps wait at a barrier")?;
        slot("idle, other", self.issue_slots.idle_other, "nothing to issue: dependences, control, launch")?;
        if self.issue_slots.no_cta > 0 {
            slot("idle, no CTA", self.issue_slots.no_cta, "of cores that had ended while others ran")?;
        }
        for (title, counts, counters) in [
            ("what compaction did", &self.compaction, COMPACTION_COUNTERS),
            ("what became of the paths", &self.paths, PATH_COUNTERS),
            ("what became of the turns", &self.turns, TURN_COUNTERS),
            ("how warps were formed", &self.formation, FORMATION_COUNTERS),
            ("how large warps issued", &self.sub_warps, SUB_WARP_COUNTERS),
            ("what became of loads", &self.replay, REPLAY_COUNTERS),
            ("what memory instructions waited for", &self.hazards, HAZARD_COUNTERS),
        ] {
            if !counts.is_empty() {
                writeln!(f, "\n  {title}")?;
            }
            for ((name, count), Counter { meaning, .. }) in counts.iter().zip(counters) {
                writeln!(f, "  {name:<20}{count:>14}  {meaning}")?;
            }
        }
        if let Some(system) = &self.system {
            write!(f, "{system}")?;
        }
        write!(
            f,
            "\n  simulated at {:.0} cycles/s (elaborated in {:.2} s, simulator ready in {:.2} s)",
            self.sim.cycles_per_second, self.sim.elaborate_seconds, self.sim.generate_seconds
        )?;
        self.eddy.as_ref().map_or(Ok(()), |eddy| write!(f, "\n{}", eddy.line()))?;
        self.branches.as_ref().map_or(Ok(()), |branches| write!(f, "\n{}", trace::table(branches)))?;
        self.watched.as_ref().map_or(Ok(()), |watched| write!(f, "\n{}", trace::writes_table(watched)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Ending, IssueSlots, RunReport, SCHEMA_VERSION};

    /// With `WARPLOOM_WRITE=1`, writes it.
    #[test]
    fn the_schema_is_that_of_the_report() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/schema/run.json");
        let mut schema = schemars::schema_for!(RunReport);
        let id = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/reference/schema/run.json");
        schema.insert("$id".into(), format!("{id}?version={SCHEMA_VERSION}").into());
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("WARPLOOM_WRITE").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(text == committed, "{path} is stale: run this test with WARPLOOM_WRITE=1");
    }

    #[test]
    fn a_wrong_result_names_the_word() {
        let reason = Some("c[2] is 9 (0x9), expected 3 (0x3)".to_string());
        let report =
            RunReport { kernel: "vecadd".into(), result: Ending::Fail, checked: true, reason, ..Default::default() };
        let text = report.to_string();
        assert!(text.starts_with("FAIL  vecadd"), "{text}");
        assert!(text.contains("\n  c[2] is 9 (0x9), expected 3 (0x3)\n"), "{text}");
    }

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let counts = || vec![("W29-32".to_string(), 7), ("W1-4".to_string(), 1)];
        let issue_slots = IssueSlots { issued: counts(), stall: 3, ..Default::default() };
        let simd_utilization = 8389.0 / 22868.0;
        let report =
            RunReport { cycles: 11, simd_utilization, issue_slots, compaction: counts(), ..Default::default() };
        let text = serde_json::to_string(&report).unwrap();
        let read: RunReport = serde_json::from_str(&text).unwrap();
        assert_eq!((read.issue_slots.issued, read.compaction, read.cycles), (counts(), counts(), 11));
        assert_eq!(read.simd_utilization, simd_utilization, "to the last bit");
        assert!(!text.contains("paths\":{") && !text.contains("parameters"), "{text}");
    }
}
