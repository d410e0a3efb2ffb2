//! The host's side of a run: a device with memory that launches grids.
//!
//! A [`Device`] is the RTL core ([`RtlDevice`]) or a functional model of it; kernels do not know which. [`Session`] adds buffers and arguments.
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};
use warploom_hdl::compaction_counters::COMPACTION_COUNTERS;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::counters;
use warploom_hdl::formation_counters::FORMATION_COUNTERS;
use warploom_hdl::interface::TrapCause;
use warploom_hdl::memory::HAZARD_COUNTERS;
use warploom_hdl::path_counters::PATH_COUNTERS;
use warploom_hdl::performance_counters::{PERFORMANCE_COUNTERS, PerformanceCounts};
use warploom_hdl::replay::REPLAY_COUNTERS;
use warploom_hdl::sub_warp_counters::SUB_WARP_COUNTERS;
use warploom_hdl::turn_statistics::TURN_COUNTERS;
use warploom_sim::Simulator;
use warploom_sim::engine::Bits;

use crate::loader::{GLOBAL_BASE, LoadError, PRIVATE_BASE, Program};

mod checkpoint;
mod checkpoint_times;
mod control_trace;
pub mod dram;
mod driven_core;
mod global_memory;
mod gpu;
mod hardware;
mod history;
mod image;
pub mod inputs;
mod memory_model;
mod ports;
mod printf;
mod recording;
mod retirement;
mod rtl;
mod run_state;
mod session;
mod signature;
mod sparse;
mod trace;
mod write_trace;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use checkpoint_times::CheckpointTime;
pub use control_trace::{Branch, CompactedPath, ControlTrace, Decision, Served};
pub use global_memory::GlobalMemory;
pub use gpu::{ChannelCounts, GpuCounts, GpuDevice, GpuEngines, GpuMemory};
pub use hardware::Hardware;
pub use image::Imaging;
pub use inputs::{INSTRUCTION_PORTS, LAUNCH_PORTS};
pub use memory_model::{AtomicAccess, Jitter, MemoryModel, MemoryTiming, PRIVATE_PHYSICAL_BASE, Traffic};
pub use ports::Ports;
pub use printf::take_printed;
pub use recording::Recording;
pub use retirement::{Retired, Retirement};
pub use rtl::{Limits, Observer, RtlDevice};
pub use session::{Buffer, Layout, Session};
pub use signature::Signature;
pub use trace::{CycleCount, Issue, IssueTrace};
pub use write_trace::{Write, WriteTrace};

/// Where the value of a net inside the core is, which the simulator was built to show.
///
/// # Panics
/// If it was not.
pub fn observed_bits(simulator: &Simulator, path: &str) -> Bits {
    let net = simulator.observed().iter().position(|net| net.path == path);
    simulator.observed_bits(net.unwrap_or_else(|| panic!("the simulator shows no net {path}")))
}

/// The path of a net of the core, as the simulator of the core or of its tile has it.
fn path_in_core(config: &CoreConfig, net: &str) -> String {
    format!("{}.{net}", if config.in_gpu { "core_tile.core" } else { "core" })
}

/// Bytes of global memory, unless a device is told otherwise.
pub const DEFAULT_GLOBAL_BYTES: usize = 64 << 20;

/// Something that runs programs.
pub trait Device {
    /// Its sizes.
    fn config(&self) -> &CoreConfig;

    /// Its global memory, past whatever the device remembers of [`read`](Self::read) and [`write`](Self::write).
    fn memory(&mut self) -> &mut GlobalMemory;

    /// Words of global memory for the host, between launches.
    ///
    /// # Panics
    /// If they are not all in global memory.
    fn read(&mut self, address: u32, count: usize) -> Vec<u32>;

    /// Words of the host for global memory, between launches.
    ///
    /// # Panics
    /// If they are not all in global memory.
    fn write(&mut self, address: u32, words: &[u32]);

    /// Replaces the program: code, annotations and initial data.
    fn load(&mut self, program: &Program) -> Result<(), DeviceError>;

    /// Runs a grid to its end.
    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError>;
}

/// A grid to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// CTAs in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z.
    pub block: [u32; 3],
    /// Shared memory of a CTA, in bytes.
    pub shared_bytes: u32,
    /// Address of the argument block (CSR 0xCCF).
    pub arguments: u32,
}

/// How many there are in three dimensions; no more than there are numbers.
pub fn volume(extent: [u32; 3]) -> u64 {
    extent.iter().fold(1, |volume, &size| volume.saturating_mul(size.into()))
}

impl Launch {
    /// Threads of a CTA.
    pub fn threads(&self) -> usize {
        volume(self.block) as usize
    }

    /// Warps of a CTA; the last may be partial.
    pub fn warps(&self, config: &CoreConfig) -> usize {
        self.threads().div_ceil(config.lanes)
    }

    /// CTAs of the grid.
    pub fn ctas(&self) -> u64 {
        volume(self.grid)
    }

    /// CTAs that the core can hold at once: limited by slots, warps and shared memory.
    pub fn resident_ctas(&self, config: &CoreConfig) -> usize {
        let by_shared = config.shared_bytes.checked_div(self.shared_bytes as usize).unwrap_or(usize::MAX);
        config.cta_slots.min(config.warps / self.warps(config).max(1)).min(by_shared)
    }

    /// Checks the launch against the sizes of the core and the program.
    pub fn check(&self, config: &CoreConfig, program: &Program) -> Result<(), DeviceError> {
        let most = config.lanes * config.warps;
        let reason = if self.threads() == 0 || self.ctas() == 0 {
            format!("an empty grid ({:?}) or CTA ({:?})", self.grid, self.block)
        } else if self.threads() > most || self.block.iter().any(|&n| n as usize > most) {
            format!("a CTA of {:?} threads; the core holds {most} ({} x {})", self.block, config.warps, config.lanes)
        } else if self.shared_bytes as usize > config.shared_bytes {
            format!("{} bytes of shared memory per CTA; the core has {}", self.shared_bytes, config.shared_bytes)
        } else if self.shared_bytes < program.shared_bytes {
            format!("{} bytes of shared memory; the program places {}", self.shared_bytes, program.shared_bytes)
        } else if !self.shared_bytes.is_multiple_of(4) {
            format!("{} bytes of shared memory: not a multiple of four", self.shared_bytes)
        } else {
            return Ok(());
        };
        Err(DeviceError::BadLaunch { program: program.name.clone(), reason })
    }
}

/// The initial stack pointer of every thread.
pub fn stack_top(config: &CoreConfig) -> u32 {
    PRIVATE_BASE + config.private_bytes as u32
}

/// What the counters say about a run: see docs/reference/metrics.md. The reference model knows only
/// `thread_instructions`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchStats {
    /// What every core counts; its fields are at hand as those of the whole.
    pub counts: PerformanceCounts,
    /// Issue slots that issued, by eight equal classes of active lanes (as many as lanes below eight).
    pub issued: Vec<u64>,
    /// In the order of `COMPACTION_COUNTERS`; empty where warps do not gather.
    pub compaction_counts: Vec<u64>,
    /// In the order of `PATH_COUNTERS`; empty where warps have one path.
    pub path_counts: Vec<u64>,
    /// In the order of `TURN_COUNTERS`; empty where threads take no turns.
    #[serde(default)]
    pub turn_counts: Vec<u64>,
    /// In the order of `FORMATION_COUNTERS`; empty where threads are not regrouped.
    #[serde(default)]
    pub formation_counts: Vec<u64>,
    /// In the order of `SUB_WARP_COUNTERS`; empty where there are no large warps.
    #[serde(default)]
    pub sub_warp_counts: Vec<u64>,
    /// In the order of `REPLAY_COUNTERS`; empty where loads issue once.
    #[serde(default)]
    pub replay_counts: Vec<u64>,
    /// In the order of `HAZARD_COUNTERS`; empty where what memory instructions wait for is not counted.
    #[serde(default)]
    pub hazard_counts: Vec<u64>,
    /// Of the memory beyond L1.
    pub traffic: Traffic,
}

impl Deref for LaunchStats {
    type Target = PerformanceCounts;

    fn deref(&self) -> &PerformanceCounts {
        &self.counts
    }
}

impl LaunchStats {
    /// What happened after `before` was read from the same counters; maxima are kept as they are.
    pub fn since(mut self, before: &Self) -> Self {
        let mut counts = self.counts.values();
        counters::since(PERFORMANCE_COUNTERS, &mut counts, &before.counts.values());
        self.counts = PerformanceCounts::of(counts);
        self.issued.iter_mut().zip(&before.issued).for_each(|(now, then)| *now -= then);
        counters::since(COMPACTION_COUNTERS, &mut self.compaction_counts, &before.compaction_counts);
        counters::since(PATH_COUNTERS, &mut self.path_counts, &before.path_counts);
        counters::since(TURN_COUNTERS, &mut self.turn_counts, &before.turn_counts);
        counters::since(FORMATION_COUNTERS, &mut self.formation_counts, &before.formation_counts);
        counters::since(SUB_WARP_COUNTERS, &mut self.sub_warp_counts, &before.sub_warp_counts);
        counters::since(REPLAY_COUNTERS, &mut self.replay_counts, &before.replay_counts);
        counters::since(HAZARD_COUNTERS, &mut self.hazard_counts, &before.hazard_counts);
        self.traffic = self.traffic.since(before.traffic);
        self
    }

    /// Adds those of another launch.
    pub fn add(&mut self, other: &Self) {
        let mut counts = self.counts.values();
        counters::add(PERFORMANCE_COUNTERS, &mut counts, &other.counts.values());
        self.counts = PerformanceCounts::of(counts);
        self.issued.resize(self.issued.len().max(other.issued.len()), 0);
        self.issued.iter_mut().zip(&other.issued).for_each(|(sum, n)| *sum += n);
        counters::add(COMPACTION_COUNTERS, &mut self.compaction_counts, &other.compaction_counts);
        counters::add(PATH_COUNTERS, &mut self.path_counts, &other.path_counts);
        counters::add(TURN_COUNTERS, &mut self.turn_counts, &other.turn_counts);
        counters::add(FORMATION_COUNTERS, &mut self.formation_counts, &other.formation_counts);
        counters::add(SUB_WARP_COUNTERS, &mut self.sub_warp_counts, &other.sub_warp_counts);
        counters::add(REPLAY_COUNTERS, &mut self.replay_counts, &other.replay_counts);
        counters::add(HAZARD_COUNTERS, &mut self.hazard_counts, &other.hazard_counts);
        self.traffic.add(other.traffic);
    }
}

/// Why a device stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum DeviceError {
    /// The program cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The device cannot run such a grid.
    #[error("{program} cannot be launched: {reason}")]
    BadLaunch { program: String, reason: String },
    /// The host asked for memory that the device does not have.
    #[error("no room for {bytes} bytes in global memory: {free} of {size} are free")]
    OutOfMemory { bytes: usize, free: usize, size: usize },
    /// The hardware stopped.
    #[error(transparent)]
    Trap(Box<Trap>),
    /// Nothing happens any more.
    #[error("deadlock: no instruction issued for {cycles} cycles\n{waiting}")]
    Deadlock { cycles: u64, waiting: String },
    /// The program runs longer than allowed.
    #[error("no end after {limit} {unit}: an infinite loop, or raise the limit\n{running}")]
    Limit { limit: u64, unit: &'static str, running: String },
    /// A controller has told its DRAM what that does not allow.
    #[error(transparent)]
    Dram(#[from] dram::Violation),
    /// The host program does not repeat what it did before the checkpoint.
    #[error("the checkpoint is of another run: {0}")]
    OtherRun(String),
    /// The user interrupted the run.
    #[error("interrupted after {cycles} cycles")]
    Interrupted { cycles: u64 },
}

/// Why and where the hardware stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// Why.
    pub cause: TrapCause,
    /// Which core, where there are several.
    pub core: Option<usize>,
    /// Warp with which the thread was launched: of the core in hardware, of its CTA in the reference model.
    pub warp: usize,
    /// The thread's number in that warp; 0 if the warp is to blame.
    pub lane: usize,
    /// Instruction.
    pub pc: u32,
    /// The same with its symbol.
    pub place: String,
    /// The instruction word or the address.
    pub value: u32,
    /// Of an `ecall`: a7, if the code tells.
    pub called: Option<u32>,
}

impl Trap {
    /// A thread of the warp is to blame. Else it is the warp: all of its active threads are at this PC, or there is no room for it.
    pub fn is_of_a_thread(&self) -> bool {
        !matches!(self.cause, TrapCause::FetchFault | TrapCause::StackOverflow | TrapCause::GatherMismatch)
    }
}

impl std::error::Error for Trap {}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { core, warp, lane, place, value, .. } = self;
        let core = core.map(|core| format!(", core {core}")).unwrap_or_default();
        let what = match self.cause {
            TrapCause::None => "no trap".to_string(),
            TrapCause::IllegalInstruction => format!("illegal instruction {value:#010x}{}", unknown(*value)),
            TrapCause::FetchFault => format!("the PC {value:#x} is outside the instruction memory"),
            TrapCause::MisalignedTarget => format!("jump to {value:#x}, which is not a multiple of four"),
            TrapCause::DivergentIndirectJump => {
                format!("the threads of the warp jump to different places (this lane to {value:#x})")
            }
            TrapCause::MisalignedAccess => format!("misaligned access to {value:#x}"),
            TrapCause::UnmappedAccess => format!("access to {value:#x}, {}", region(*value)),
            TrapCause::EnvironmentCall => match self.called {
                Some(call) => format!("ecall with a7 = {call}: there is no system; only exit (93) is known"),
                None => "ecall: there is no system; exit needs `li a7, 93` in the function that calls".to_string(),
            },
            TrapCause::Breakpoint => "ebreak".to_string(),
            TrapCause::StackOverflow => "the reconvergence stack is full (a deeper one: --stack-depth)".to_string(),
            TrapCause::GatherMismatch => {
                "warps that share a CTA-wide stack entry came to different places (an indirect jump \
                                          or a branch annotated uniform that depends on the thread)"
                    .to_string()
            }
        };
        write!(f, "trap: {what}\n  at {place}{core}, warp {warp}")?;
        if self.is_of_a_thread() { write!(f, ", lane {lane}") } else { Ok(()) }
    }
}

/// What an instruction is that other cores have.
fn unknown(word: u32) -> String {
    let csr = word >> 20;
    match word & 0x7F {
        _ if word & 3 != 3 && word & 0xFFFF != 0 => {
            ", of 16 bits: compile with -march=rv32ima or rv32imaf, without c".into()
        }
        0x73 if word >> 12 & 3 != 0 && csr == 0xF14 => {
            ", mhartid: a thread's number in its CTA is csrr 0xCC0, that of the CTA 0xCC3, the threads of a CTA 0xCC6"
                .into()
        }
        0x73 if word >> 12 & 3 != 0 => {
            format!(", of the CSR {csr:#x}, which the core does not have or which is read only")
        }
        0x73 => ": there are no privileged instructions".into(),
        _ => String::new(),
    }
}

/// Why an address is unmapped, as far as the address tells.
fn region(address: u32) -> &'static str {
    match address >> 28 {
        0 | 1 => "in the code, which only fetch may read (a null pointer?)",
        2 if address >= PRIVATE_BASE - (PRIVATE_BASE >> 8) => {
            "just below the private window: the thread's stack is full"
        }
        2 => "behind the shared memory of the CTA",
        3 => "behind the private window of the thread",
        _ if address >= GLOBAL_BASE => "behind the end of global memory",
        _ => "in no region",
    }
}
