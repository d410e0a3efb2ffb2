//! The machines of the papers, in issue slots of this core, and the sizes that tests use.
//!
//! Ratios between issue rate, latency and bandwidth make results, not nanoseconds. A *slot* is the time in which a core can issue one instruction of a
//! warp of 32 lanes: one cycle of this core, or as many as `issue_interval` says. What a paper gives in its own clocks is translated by its slot rate:
//! B per slot = GB/s / cores / slot rate, slots = ns x slot rate. Each value has its source; [`Machine::values`] lists them.
mod capri;
mod fermi;
mod fung;
mod large_warp;
mod replay;
mod shared_memory;
mod sizes;

use serde::Serialize;
use warploom_hdl::config::{CoreConfig, SchedulerPolicy, WarpGroup};
use warploom_hdl::limits::parameters;
use warploom_hdl::mechanism::MECHANISMS;
use warploom_hdl::memory_system::SystemConfig;

use crate::host::MemoryTiming;

pub use shared_memory::{CHANNELS, LEAST_LINE_BYTES, MOST_CORES, SharedMemory, in_gpu};

/// A core and its memory.
pub struct Machine {
    /// As given to `--preset`.
    pub name: &'static str,
    /// Other names that it is known by.
    pub aliases: &'static [&'static str],
    /// What it is.
    pub summary: &'static str,
    /// The core, under a single-path stack.
    pub core: fn() -> CoreConfig,
    /// Its share of the memory beyond L1.
    pub memory: fn() -> MemoryTiming,
    /// All of the memory beyond L1, where several cores share it.
    pub shared_memory: fn() -> SharedMemory,
    /// Cores of the whole machine, and how many million slots each has in a second; of a paper's machine.
    pub rate: Option<Rate>,
    /// Where its values come from: names of values, and their source. [`COMMON`] says it of the others.
    pub sources: &'static [(&'static [&'static str], &'static str)],
    /// Where it is not the paper's machine.
    pub deviations: &'static [&'static str],
    /// What else has to be run before a result counts, since the paper leaves it open.
    pub readings: &'static [Reading],
}

/// How fast a machine issues.
#[derive(Clone, Copy, Serialize)]
pub struct Rate {
    /// Cores.
    pub cores: usize,
    /// Slots in a core cycle of its own: two, where two schedulers issue.
    pub slots_per_core_cycle: usize,
    /// Slots of a core in a second, in millions.
    pub mega_slots: usize,
}

/// Another reading of what the paper says.
#[derive(Clone, Copy, Serialize)]
pub struct Reading {
    /// In a word.
    pub name: &'static str,
    /// Options of `warploom run`, and their values.
    pub options: &'static [(&'static str, &'static str)],
    /// Why it is another one.
    pub reason: &'static str,
}

/// A value of a machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Value {
    /// The option that overrides it.
    pub option: String,
    /// As the option takes it.
    pub value: String,
    /// Paper and table, or how it is derived.
    pub source: &'static str,
}

/// All of them; the first is the default.
pub const MACHINES: [&Machine; 10] = [
    &capri::CAPRI,
    &fung::FUNG,
    &fermi::DPE,
    &fermi::LAMAR,
    &fermi::PCA,
    &fermi::LAZY,
    &large_warp::LARGE_WARP,
    &replay::REPLAY,
    &sizes::SMALL,
    &sizes::TINY,
];

/// The machine of this name.
pub fn find(name: &str) -> Option<&'static Machine> {
    MACHINES.into_iter().find(|machine| machine.name == name || machine.aliases.contains(&name))
}

/// Sources of what no paper has, or what is the same in all.
const COMMON: &[(&[&str], &str)] = &[
    (&["cta-slots"], "8 in GPGPU-Sim's configurations"),
    (&["stack-depth"], "deeper than any kernel needs"),
    (&["issue-interval"], "a cycle is a slot: the memory is scaled instead"),
    (&["warp-interval", "memory-interval"], "one slot in a core cycle"),
    (&["warp-buffer"], "a guess: one instruction of a warp waits to issue"),
    (&["l1-ports"], "one line in a slot"),
    (&["divide-bits"], "by area: docs/decisions/0021-divider.md"),
    (&["instruction-words", "private-bytes"], "enough for every kernel; instructions are not cached"),
    (&["memory-queue"], "a guess"),
    (&["mshrs"], "a guess: the papers do not say"),
    (&["mshr-merges"], "how misses merge is not said: each group has an MSHR"),
];

impl Machine {
    /// The memory system for so many of these cores, with their share of the channels or as many as are asked for.
    pub fn system(&self, config: &CoreConfig, cores: usize, channels: Option<usize>) -> SystemConfig {
        (self.shared_memory)().system(config, cores, channels)
    }

    /// Every value, with its source.
    ///
    /// # Panics
    /// If a value has none, which a test excludes.
    pub fn values(&self) -> Vec<Value> {
        let (core, memory) = ((self.core)(), (self.memory)());
        let of_mechanisms: Vec<_> =
            MECHANISMS.iter().flat_map(|entry| entry.choices).filter_map(|choice| choice.parameter()).collect();
        let sizes = parameters().filter(|parameter| {
            !parameter.name.starts_with("scheduler_") && !of_mechanisms.iter().any(|other| other.name == parameter.name)
        });
        let sizes = sizes.filter_map(|size| Some((size.name.replace('_', "-"), (size.get)(&core)?.to_string())));
        let scheduler = [("scheduler".to_string(), scheduler(core.scheduler))];
        let values = sizes.chain(scheduler).chain(memory.options());
        values.map(|(option, value)| Value { source: self.source(&option), option, value }).collect()
    }

    fn source(&self, option: &str) -> &'static str {
        let sources = self.sources.iter().chain(COMMON);
        let mut sources = sources.filter(|(names, _)| names.contains(&option));
        sources.next().unwrap_or_else(|| panic!("{}: nothing says where {option} comes from", self.name)).1
    }
}

/// As `--scheduler` takes it.
fn scheduler(policy: SchedulerPolicy) -> String {
    match policy {
        SchedulerPolicy::LooseRoundRobin => "lrr".into(),
        SchedulerPolicy::GreedyThenOldest => "gto".into(),
        SchedulerPolicy::OldestFirst => "oldest".into(),
        SchedulerPolicy::TwoLevel { group, timeout } => {
            let group = match group {
                WarpGroup::Warps(warps) => warps.to_string(),
                WarpGroup::Cta => "cta".into(),
            };
            if timeout == 0 { format!("2lev:{group}") } else { format!("2lev:{group}:{timeout}") }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_legal_and_has_a_source() {
        for machine in MACHINES {
            assert_eq!((machine.core)().check(), Ok(()), "{}", machine.name);
            assert!(machine.values().len() > 15, "{}", machine.name);
        }
    }

    #[test]
    fn names_are_unique_and_found() {
        let mut names: Vec<&str> = MACHINES
            .iter()
            .flat_map(|machine| [machine.name].into_iter().chain(machine.aliases.iter().copied()))
            .collect();
        assert!(names.iter().all(|name| find(name).is_some()));
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(find("maxwell").is_none());
    }

    /// The unit of the tables: what the papers give, in slots.
    #[test]
    fn bandwidth_is_the_share_of_a_core() {
        for (name, gigabytes) in
            [("capri", 102.4), ("fung", 102.4), ("dpe", 177.4), ("lamar", 179.2), ("lazy", 177.4), ("replay", 172.8)]
        {
            let machine = find(name).unwrap();
            let Rate { cores, mega_slots, .. } = machine.rate.unwrap();
            let share = gigabytes * 1000.0 / cores as f64 / mega_slots as f64;
            let bandwidth = (machine.memory)().dram_bandwidth * (machine.core)().issue_interval as f64;
            assert!((bandwidth - share).abs() < 0.02 * share, "{name}: {bandwidth} and {share}");
        }
    }
}
