//! [`CoreConfig`]: every size of the core, and the named presets.
use crate::word::index_width;

/// Order in which the scheduler prefers ready warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchedulerPolicy {
    /// Loose round robin: the next ready warp after the one issued last.
    LooseRoundRobin,
    /// Greedy-then-oldest: the warp issued last while it is ready, else the one launched first.
    GreedyThenOldest,
}

/// Sizes of the core, all free at construction time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreConfig {
    /// Lanes of a warp, 4 to 32, a power of two (lane numbers and row addresses are bit fields).
    pub lanes: usize,
    /// Hardware warps, 4 to 48.
    pub warps: usize,
    /// CTAs resident at once.
    pub cta_slots: usize,
    /// Entries of each warp's reconvergence stack; overflow traps.
    pub stack_depth: usize,
    /// Which side of a divergent branch runs first.
    pub taken_first: bool,
    /// Warp scheduler.
    pub scheduler: SchedulerPolicy,
    /// Instruction memory, in words, a power of two.
    pub instruction_words: usize,
    /// Shared memory of the core, in bytes, divided among the resident CTAs; a power of two.
    pub shared_bytes: usize,
    /// Private memory (stack) of a thread, in bytes, a power of two.
    pub private_bytes: usize,
    /// L1 line, in bytes, 16 to 64, a power of two.
    pub line_bytes: usize,
    /// L1 sets, a power of two.
    pub l1_sets: usize,
    /// L1 ways, a power of two.
    pub l1_ways: usize,
    /// Outstanding L1 misses and atomics.
    pub mshrs: usize,
    /// Memory instructions queued before the load/store unit.
    pub memory_queue: usize,
}

impl CoreConfig {
    /// 4 lanes x 4 warps: the papers' worked examples, and what rust-hdl's own simulator can run.
    pub fn tiny() -> Self {
        Self {
            lanes: 4,
            warps: 4,
            cta_slots: 4,
            stack_depth: 16,
            taken_first: true,
            scheduler: SchedulerPolicy::LooseRoundRobin,
            instruction_words: 4096,
            shared_bytes: 8 * 1024,
            private_bytes: 1024,
            line_bytes: 16,
            l1_sets: 16,
            l1_ways: 2,
            mshrs: 4,
            memory_queue: 4,
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

    /// 32 lanes x 32 warps, 32 KB 8-way L1 of 64 B lines: Rhu 2014, Table 4.1.
    pub fn paper() -> Self {
        Self {
            lanes: 32,
            warps: 32,
            cta_slots: 8,
            stack_depth: 32,
            line_bytes: 64,
            l1_sets: 64,
            l1_ways: 8,
            mshrs: 32,
            shared_bytes: 32 * 1024,
            ..Self::tiny()
        }
    }

    /// Width of a warp number.
    pub fn warp_width(&self) -> usize {
        index_width(self.warps)
    }

    /// Width of a lane number.
    pub fn lane_width(&self) -> usize {
        index_width(self.lanes)
    }

    /// Width of a CTA slot number.
    pub fn slot_width(&self) -> usize {
        index_width(self.cta_slots)
    }

    /// Width of a word address of the instruction memory.
    pub fn instruction_width(&self) -> usize {
        index_width(self.instruction_words)
    }

    /// 32-bit words of a cache line.
    pub fn line_words(&self) -> usize {
        self.line_bytes / 4
    }
}
