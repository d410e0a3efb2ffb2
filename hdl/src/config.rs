//! [`CoreConfig`]: every size of the core, and the named presets.
use serde::{Deserialize, Serialize};

use crate::execute::float::STAGES;
use crate::formation_counters::formation_counters;
use crate::mechanism::TrackedBy;
pub use crate::mechanism::options::*;
pub use crate::mechanism::{Mechanism, Permutation};
use crate::word::index_width;

/// Order in which the scheduler prefers ready warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SchedulerPolicy {
    /// Loose round robin: the next ready warp after the one issued last.
    LooseRoundRobin,
    /// Greedy-then-oldest: the warp issued last while it is ready, else the one launched first.
    GreedyThenOldest,
    /// The ready warp launched first.
    OldestFirst,
    /// Two-level round robin: loose round robin inside a group of warps, and the next group's turn when all of the first are stalled for
    /// long, or have had their turn for long.
    TwoLevel {
        /// What makes a group.
        group: WarpGroup,
        /// Issued instructions after which the first group loses its place; 0: none.
        timeout: usize,
    },
}

impl SchedulerPolicy {
    /// Two-level round robin in groups of so many warps, without a timeout.
    pub const fn groups_of(warps: usize) -> Self {
        Self::TwoLevel { group: WarpGroup::Warps(warps), timeout: 0 }
    }

    /// A warp that stays ready issues in the end, whatever the others do.
    pub fn is_fair(self) -> bool {
        match self {
            Self::LooseRoundRobin => true,
            Self::GreedyThenOldest | Self::OldestFirst => false,
            Self::TwoLevel { timeout, .. } => timeout > 0,
        }
    }

    /// Of the two-level scheduler: its groups and its timeout.
    pub fn groups(self) -> Option<(WarpGroup, usize)> {
        match self {
            Self::TwoLevel { group, timeout } => Some((group, timeout)),
            _ => None,
        }
    }
}

/// Which warps the two-level scheduler prefers together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WarpGroup {
    /// So many consecutive warp slots: Narasiman 2014, 4.3.
    Warps(usize),
    /// The warps of a CTA: Rhu 2014, 4.4.1.
    Cta,
}

/// Which CTA's warps the scheduler prefers: Fung & Aamodt 2011, 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CtaPriority {
    /// All CTAs are alike.
    None,
    /// The CTA that started first.
    Age,
    /// The next CTA in every cycle.
    RoundRobin,
    /// The same CTA until none of its warps is ready.
    StickyRoundRobin,
}

impl CtaPriority {
    /// As they are called.
    pub const NAMES: &[(&str, Self)] =
        &[("none", Self::None), ("age", Self::Age), ("rrb", Self::RoundRobin), ("srr", Self::StickyRoundRobin)];
}

/// Which pending registers an instruction waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HazardRule {
    /// Those that it reads or writes.
    #[default]
    Own,
    /// Any of its warp: one instruction that writes a register is under way at a time. Large warps have this rule by thread, whatever is chosen:
    /// Narasiman 2014, 4.2.1.
    Any,
}

impl HazardRule {
    /// As they are called.
    pub const NAMES: &[(&str, Self)] = &[("own", Self::Own), ("any", Self::Any)];
}

/// Where a memory instruction waits for what it cannot have at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemoryPath {
    /// In the load/store unit, and those behind it in a queue.
    #[default]
    Decoupled,
    /// There, and in the slots of an operand collector that all instructions go through: when all are taken, nothing issues (Turner 2012, 4.2: generic
    /// slots).
    Stalling,
    /// A load, in the warp buffer: it is issued again for the threads that are not done (Turner 2012, chapter 5).
    Replay,
}

impl MemoryPath {
    /// As they are called.
    pub const NAMES: &[(&str, Self)] =
        &[("decoupled", Self::Decoupled), ("stalling", Self::Stalling), ("replay", Self::Replay)];
}

/// Which loads are taken to need an MSHR before they issue (Turner 2012, chapter 6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum HazardPrediction {
    /// No load waits for an MSHR before it issues.
    #[default]
    Off,
    /// Those whose last look found their line missing and got nothing (the thesis' *false*: others are taken to hit).
    Known,
    /// These, and those at whose PC loads mostly miss, by saturating counters.
    Counters,
    /// Every one (the thesis' *true*).
    Every,
}

impl HazardPrediction {
    /// As they are called.
    pub const NAMES: &[(&str, Self)] =
        &[("off", Self::Off), ("known", Self::Known), ("counters", Self::Counters), ("every", Self::Every)];
}

/// How many MSHRs there are for loads that are to need one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum MshrTracker {
    /// Those free, less what loads under way have been promised.
    #[default]
    Credit,
    /// Those free.
    Naive,
}

impl MshrTracker {
    /// As they are called.
    pub const NAMES: &[(&str, Self)] = &[("credit", Self::Credit), ("naive", Self::Naive)];
}

/// Sizes of the core, all free at construction time, within the [legal values](crate::limits).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoreConfig {
    /// Lanes of a warp.
    pub lanes: usize,
    /// Hardware warps.
    pub warps: usize,
    /// CTAs resident at once.
    pub cta_slots: usize,
    /// What handles divergence.
    pub mechanism: Mechanism,
    /// Likely-convergence points on its stack: Fung & Aamodt 2011, 4.
    pub likely_convergence: bool,
    /// Permutation of lanes at launch.
    pub permutation: Permutation,
    /// Entries of each reconvergence stack (of a warp or of a CTA); overflow traps.
    pub stack_depth: usize,
    /// Which pending registers an instruction waits for.
    #[serde(default)]
    pub hazards: HazardRule,
    /// Which side of a divergent branch runs first.
    pub taken_first: bool,
    /// Warp scheduler.
    pub scheduler: SchedulerPolicy,
    /// CTAs the scheduler prefers.
    pub cta_priority: CtaPriority,
    /// Cycles of an issue slot: lanes of a warp over those of the SIMD units.
    pub issue_interval: usize,
    /// Issue slots from an instruction of a warp to its next.
    pub warp_interval: usize,
    /// Instructions of a warp that wait to issue: more than one are fetched ahead.
    pub warp_buffer: usize,
    /// Where a memory instruction waits.
    #[serde(default)]
    pub memory_path: MemoryPath,
    /// Which loads wait for an MSHR before they issue.
    #[serde(default)]
    pub hazard_prediction: HazardPrediction,
    /// For how many of them there is one.
    #[serde(default)]
    pub mshr_tracker: MshrTracker,
    /// Instruction memory, in words.
    pub instruction_words: usize,
    /// Shared memory of the core, in bytes, divided among the resident CTAs.
    pub shared_bytes: usize,
    /// Private memory (stack) of a thread, in bytes.
    pub private_bytes: usize,
    /// L1 line, in bytes.
    pub line_bytes: usize,
    /// L1 sets.
    pub l1_sets: usize,
    /// L1 ways.
    pub l1_ways: usize,
    /// Lines and atomics that the L1 waits for.
    pub mshrs: usize,
    /// Groups of threads that may wait for what comes, for each of these: all share the places. With 1 a group takes an MSHR even if its line has been asked for.
    pub mshr_merges: usize,
    /// L1 lines that can be accessed at once: as many banks share its sets and its MSHRs.
    pub l1_ports: usize,
    /// Cycles between two accesses of a bank of the L1, or of the shared memory.
    pub memory_interval: usize,
    /// Memory instructions queued before the load/store unit; with [`MemoryPath::Stalling`] slots of the operand collector.
    pub memory_queue: usize,
    /// Cycles from EXECUTE until a product is written back.
    pub multiply_latency: usize,
    /// Cycles from EXECUTE until any other result of a lane is (arithmetic, CSR, ballot, link); quotients aside.
    pub alu_latency: usize,
    /// Quotient bits that the dividers work out in a cycle.
    pub divide_bits: usize,
    /// RV32F: float registers and units in every lane.
    #[serde(default)]
    pub floats: bool,
    /// `xwarp`: `cpop`, `cond_acc`, `tree_traverse`.
    #[serde(default)]
    pub warp_instructions: bool,
    /// Cycles from EXECUTE until a float result of fixed latency is written back.
    #[serde(default = "least_float_latency")]
    pub float_latency: usize,
    /// One of the cores of a GPU, which see each other's writes: stores are acknowledged, fences wait for that, and L2 decides on LR/SC.
    #[serde(default)]
    pub in_gpu: bool,
}

/// The stages of [`FloatMultiplyAdd`](crate::execute::float::FloatMultiplyAdd), and write-back.
pub const fn least_float_latency() -> usize {
    STAGES + 1
}

/// The instruction sets, by what a core has beside RV32IMA: bit 0 floats, bit 1 warp instructions. Of a vendor, which RISC-V marks by an `x`, are the latter.
pub const ISAS: [&str; 4] = ["rv32ima", "rv32imaf", "rv32ima_xwarp", "rv32imaf_xwarp"];

/// What a core has beside RV32IMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extensions {
    /// See [`CoreConfig::floats`].
    pub floats: bool,
    /// See [`CoreConfig::warp_instructions`].
    pub warp_instructions: bool,
}

impl Extensions {
    /// Of this instruction set, if there is one of this name.
    pub fn of_isa(isa: &str) -> Option<Self> {
        let extensions = ISAS.iter().position(|name| *name == isa)?;
        Some(Self { floats: extensions & 1 != 0, warp_instructions: extensions & 2 != 0 })
    }
}

impl CoreConfig {
    /// 4 lanes x 4 warps: the papers' worked examples, and what rust-hdl's own simulator can run.
    pub fn tiny() -> Self {
        Self {
            lanes: 4,
            warps: 4,
            cta_slots: 4,
            mechanism: Mechanism::SinglePath,
            likely_convergence: false,
            permutation: Permutation::None,
            stack_depth: 16,
            hazards: HazardRule::Own,
            taken_first: true,
            scheduler: SchedulerPolicy::LooseRoundRobin,
            cta_priority: CtaPriority::None,
            issue_interval: 1,
            warp_interval: 1,
            warp_buffer: 1,
            memory_path: MemoryPath::Decoupled,
            hazard_prediction: HazardPrediction::Off,
            mshr_tracker: MshrTracker::Credit,
            instruction_words: 4096,
            shared_bytes: 8 * 1024,
            private_bytes: 1024,
            line_bytes: 16,
            l1_sets: 16,
            l1_ways: 2,
            mshrs: 4,
            mshr_merges: 1,
            l1_ports: 1,
            memory_interval: 1,
            memory_queue: 4,
            multiply_latency: 3,
            alu_latency: 1,
            divide_bits: 4,
            floats: false,
            warp_instructions: false,
            float_latency: least_float_latency(),
            in_gpu: false,
        }
    }

    /// 8 lanes x 8 warps.
    pub fn small() -> Self {
        Self {
            lanes: 8,
            warps: 8,
            line_bytes: 32,
            l1_sets: 32,
            l1_ways: 4,
            mshrs: 8,
            shared_bytes: 16 * 1024,
            ..Self::tiny()
        }
    }

    /// 32 lanes x 32 warps, 32 KB 8-way L1 of 64 B lines, two-level round robin by CTA: Rhu 2014, Table 4.1.
    pub fn paper() -> Self {
        Self {
            lanes: 32,
            warps: 32,
            cta_slots: 8,
            stack_depth: 32,
            scheduler: SchedulerPolicy::TwoLevel { group: WarpGroup::Cta, timeout: 0 },
            line_bytes: 64,
            l1_sets: 64,
            l1_ways: 8,
            mshrs: 32,
            shared_bytes: 32 * 1024,
            l1_ports: 2,
            multiply_latency: 24,
            ..Self::tiny()
        }
    }

    /// 32 lanes x 48 warps, 16 KB 4-way L1, 48 KB of shared memory, oldest warp first: Rhu 2014, Table 3.1. Two schedulers take turns: a core cycle of
    /// that table is two cycles here.
    pub fn fermi() -> Self {
        Self {
            warps: 48,
            scheduler: SchedulerPolicy::OldestFirst,
            warp_interval: 2,
            alu_latency: 8,
            multiply_latency: 8,
            float_latency: 8,
            line_bytes: 128,
            l1_sets: 32,
            l1_ways: 4,
            l1_ports: 1,
            memory_interval: 2,
            shared_bytes: 48 * 1024,
            ..Self::paper()
        }
    }

    /// The instruction set, as `--isa` says it.
    pub fn isa(&self) -> &'static str {
        ISAS[self.of_floats() | (self.of_warp_instructions() << 1)]
    }

    /// One if there are warp instructions, else none: so many ports, parts and bits that only they need.
    pub fn of_warp_instructions(&self) -> usize {
        self.warp_instructions as usize
    }

    /// One if any pending register of its warp holds an instruction, else none.
    pub fn of_any_register(&self) -> usize {
        (self.hazards == HazardRule::Any) as usize
    }

    /// One if there are floats, else none: so many ports, parts and bits that only they need.
    pub fn of_floats(&self) -> usize {
        self.floats as usize
    }

    /// One if there are other cores, else none: so many ports, parts and bits that only they need.
    pub fn of_gpu(&self) -> usize {
        self.in_gpu as usize
    }

    /// One if several instructions of a warp are fetched before the first issues, else none.
    pub fn of_ahead(&self) -> usize {
        (self.warp_buffer > 1) as usize
    }

    /// Instructions of a warp that may be fetched before they issue.
    pub fn most_ahead(&self) -> usize {
        if self.mechanism == Mechanism::SinglePath { 8 } else { 1 }
    }

    /// One if loads are issued again, else none.
    pub fn of_replay(&self) -> usize {
        (self.memory_path == MemoryPath::Replay) as usize
    }

    /// One if memory instructions that wait keep others from issuing, else none.
    pub fn of_stalling(&self) -> usize {
        (self.memory_path == MemoryPath::Stalling) as usize
    }

    /// One if loads may wait for an MSHR before they issue, else none.
    pub fn of_prediction(&self) -> usize {
        (self.hazard_prediction != HazardPrediction::Off) as usize
    }

    /// Loads under way that may have the promise of an MSHR, at most: as many as there are places for them.
    pub fn loads_promised(&self) -> usize {
        self.memory_queue + 4
    }

    /// Width of the count of MSHRs that are neither taken nor promised.
    pub fn credit_width(&self) -> usize {
        crate::replay::credit_width(self.mshrs, self.loads_promised())
    }

    /// One if counters say which, else none.
    pub fn of_miss_counters(&self) -> usize {
        (self.hazard_prediction == HazardPrediction::Counters) as usize
    }

    /// One if what memory instructions wait for is counted, else none: where they wait otherwise than usual, or warps run ahead of them.
    pub fn of_hazards(&self) -> usize {
        (self.of_stalling() + self.of_replay() + self.of_prediction() + self.of_ahead()).min(1)
    }

    /// Bits that name one of a warp's instructions in the warp buffer.
    pub fn buffer_slot_width(&self) -> usize {
        index_width(self.warp_buffer)
    }

    /// So many if only one is, else none.
    pub fn only_slot(&self, count: usize) -> usize {
        if self.warp_buffer == 1 { count } else { 0 }
    }

    /// Registers of a thread: integers, and floats above them.
    pub fn registers(&self) -> usize {
        32 << self.of_floats()
    }

    /// Bits of a register's number.
    pub fn register_width(&self) -> usize {
        index_width(self.registers())
    }

    /// Warps are formed from threads of several home warps: every lane has a home warp of its own.
    pub fn compacts(&self) -> bool {
        self.mechanism.traits().compacts
    }

    /// The warps of a CTA gather at branches, and a compaction unit forms them anew.
    pub fn gathers(&self) -> bool {
        self.mechanism.traits().gathers
    }

    /// Whether a launch may ask for warps that stay as they are.
    pub fn may_leave_warps(&self) -> bool {
        self.gathers() || self.of_large_warps() == 1
    }

    /// Paths of a warp that can be scheduled at once: its *sides*.
    pub fn sides(&self) -> usize {
        self.mechanism.traits().sides
    }

    /// Paths of a warp, or of its CTA, that can be under way at once.
    pub fn paths(&self) -> usize {
        if self.of_cta_paths() == 1 { self.mechanism.traits().entry_sides } else { self.sides() }
    }

    /// One if warps are formed for two paths of a CTA, else none: so many ports and parts that only they need.
    pub fn of_cta_paths(&self) -> usize {
        (self.gathers() && self.mechanism.traits().entry_sides > 1) as usize
    }

    /// One if each of them has slots of its own, else none.
    pub fn of_own_slots(&self) -> usize {
        if self.sides() > 1 { self.of_cta_paths() } else { 0 }
    }

    /// One if both share the slots, else none.
    pub fn of_shared_slots(&self) -> usize {
        self.of_cta_paths() - self.of_own_slots()
    }

    /// Warps are divided at branches annotated for it.
    pub fn subdivides(&self) -> bool {
        self.mechanism.traits().divides_before.is_some()
    }

    /// A branch whose reconvergence point begins a block of so many instructions divides a warp.
    pub fn divides_before(&self, instructions: usize) -> bool {
        self.mechanism.traits().divides_before.is_some_and(|most| instructions <= most)
    }

    /// Threads of a warp take turns, so that those who are waited for go on.
    pub fn takes_turns(&self) -> bool {
        self.mechanism.traits().turns.is_some()
    }

    /// A thread that others wait for in a loop goes on after a bounded time, whatever they do.
    pub fn progresses(&self) -> bool {
        self.mechanism.traits().progresses
    }

    /// Threads are regrouped wherever the control flow of others may meet theirs.
    pub fn regroups(&self) -> bool {
        self.mechanism.traits().regroups
    }

    /// One if the lanes of an instruction are chosen as it issues, not as it is fetched, else none.
    pub fn of_lanes_at_issue(&self) -> usize {
        self.regroups() as usize + self.of_large_warps()
    }

    /// And behind every instruction.
    pub fn regroups_always(&self) -> bool {
        self.mechanism.traits().regroups_always
    }

    /// Threads that have diverged wait for those of their warp.
    pub fn has_warp_barriers(&self) -> bool {
        self.mechanism.traits().warp_barriers
    }

    /// Warps are formed from threads of several CTAs.
    pub fn mixes_ctas(&self) -> bool {
        self.mechanism.traits().mixes_ctas
    }

    /// So many where warps are of threads of several CTAs, else none: ports, parts and fields that only they need.
    pub fn where_mixed(&self, count: usize) -> usize {
        if self.mixes_ctas() { count } else { 0 }
    }

    /// How many of the [`FORMATION_COUNTERS`](crate::formation_counters::FORMATION_COUNTERS) there are.
    pub fn formation_counters(&self) -> usize {
        if self.regroups() { formation_counters(self.has_warp_barriers()) } else { 0 }
    }

    /// So many where threads leave a path with what they have pending, and all paths of their CTA wait for that, else none.
    pub fn of_left_paths(&self, count: usize) -> usize {
        if self.mechanism.traits().scoreboard == TrackedBy::LeftPath { count } else { 0 }
    }

    /// Threads leave a path only when it has no register pending.
    pub fn drains_paths(&self) -> bool {
        self.mechanism.traits().scoreboard == TrackedBy::DrainedPath
    }

    /// The lanes of a `jalr` may have different targets.
    pub fn jumps_diverge(&self) -> bool {
        self.mechanism.traits().divergent_jumps
    }

    /// Registers are tracked by thread, not by path.
    pub fn tracks_threads(&self) -> bool {
        self.mechanism.traits().scoreboard == TrackedBy::Thread
    }

    /// Threads run in other lanes than their own.
    pub fn permutes(&self) -> bool {
        self.permutation != Permutation::None
    }

    /// Home warps that accompany an instruction: one per lane if the mechanism compacts, else one for all.
    pub fn home_warps(&self) -> usize {
        if self.compacts() { self.lanes } else { 1 }
    }

    /// Home warps that the warp buffer knows: if sub-warps are packed as they issue, none but the number of the warp.
    pub fn buffered_home_warps(&self) -> usize {
        if self.of_large_warps() == 1 { 1 } else { self.home_warps() }
    }

    /// How many home warps a table keeps beside a warp number: without compaction none, for the home warp is the warp.
    pub fn kept_home_warps(&self) -> usize {
        if self.compacts() { self.lanes } else { 0 }
    }

    /// Width of a warp number.
    pub fn warp_width(&self) -> usize {
        index_width(self.warps)
    }

    /// Width of a path number, {side, warp}: the name of what fetches and issues.
    pub fn path_width(&self) -> usize {
        self.warp_width() + self.sides().ilog2() as usize
    }

    /// Width of a lane number.
    pub fn lane_width(&self) -> usize {
        index_width(self.lanes)
    }

    /// Width of a CTA slot number.
    pub fn slot_width(&self) -> usize {
        index_width(self.cta_slots)
    }

    /// Width of an address in shared memory.
    pub fn shared_width(&self) -> usize {
        index_width(self.shared_bytes)
    }

    /// Width of a word address of the instruction memory.
    pub fn instruction_width(&self) -> usize {
        index_width(self.instruction_words)
    }

    /// The same with the sets and the MSHRs that a bank of the L1 has.
    pub fn l1_bank(&self) -> Self {
        Self { l1_sets: self.l1_sets / self.l1_ports, mshrs: self.mshrs / self.l1_ports, ..self.clone() }
    }

    /// Groups of threads that may wait for lines.
    pub fn waiting_groups(&self) -> usize {
        self.mshrs * self.mshr_merges
    }

    /// One if groups share MSHRs, else none.
    pub fn of_merging(&self) -> usize {
        (self.mshr_merges > 1) as usize
    }

    /// Width of the number of a line in its bank: the lowest bits of a line's number are that of the bank.
    pub fn line_number_width(&self) -> usize {
        32 - index_width(self.line_bytes) - self.l1_ports.ilog2() as usize
    }

    /// 32-bit words of a cache line.
    pub fn line_words(&self) -> usize {
        self.line_bytes / 4
    }
}
