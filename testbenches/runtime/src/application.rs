//! What an application that runs its kernels on the core is told, and what it leaves: the environment and the files between `warploom app`
//! and the OpenCL platform in the application's process.
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;

use crate::host::{LaunchStats, MemoryTiming};

/// Names the machine, as `--preset` does.
pub const PRESET: &str = "WARPLOOM_PRESET";
/// Names the mechanism, as `--mechanism` does.
pub const MECHANISM: &str = "WARPLOOM_MECHANISM";
/// A file with a [`Setting`], in place of both.
pub const SETTING: &str = "WARPLOOM_SETTING";
/// A file that gets a line with a [`Launched`] for every launch.
pub const LAUNCHES: &str = "WARPLOOM_LAUNCHES";
/// A file that gets a waveform of the launches: .vcd, or .fst.
pub const WAVE: &str = "WARPLOOM_WAVE";
/// Signals in the waveform: globs over hierarchical names, with commas in between.
pub const SIGNALS: &str = "WARPLOOM_SIGNALS";
/// Launches in the waveform, from 1: one, or the first and the last with a minus in between.
pub const WAVE_LAUNCHES: &str = "WARPLOOM_WAVE_LAUNCHES";
/// A file that gets a trace of what every warp does, for ui.perfetto.dev.
pub const PERFETTO: &str = "WARPLOOM_PERFETTO";
/// Bytes of global memory.
pub const MEMORY: &str = "WARPLOOM_MEMORY";
/// A multiple of which they are.
pub const PAGE: u64 = 4096;

/// A device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setting {
    /// The machine that it is made from.
    pub preset: String,
    /// The core.
    pub core: CoreConfig,
    /// Whether it gets floats as soon as a program has some.
    pub floats_if_needed: bool,
    /// The memory beyond its L1.
    pub memory: MemoryTiming,
    /// A launch that runs longer is stopped.
    pub cycles: u64,
    /// A launch that issues nothing for so many cycles is stopped.
    pub silence: u64,
}

/// A launch of an application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launched {
    /// The kernel.
    pub kernel: String,
    /// CTAs.
    pub grid: [u32; 3],
    /// Threads of a CTA.
    pub block: [u32; 3],
    /// What the hardware counted; zeros, if it was stopped.
    pub stats: LaunchStats,
    /// Why it was stopped.
    pub stopped: Option<String>,
}
