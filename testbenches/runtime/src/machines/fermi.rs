//! Machines after NVIDIA's Fermi, with two schedulers: a core cycle has two slots.
//!
//! On this core, which issues one instruction in a cycle, a slot is half a core cycle: latencies in core cycles double, rates per
//! core cycle halve, and a warp issues in at most every second slot.
use warploom_hdl::config::{CoreConfig, SchedulerPolicy};

use warploom_hdl::memory_system::Clocks;
use warploom_hdl::memory_system::dram::GDDR5;

use super::{Machine, Rate, Reading, SharedMemory};
use crate::host::MemoryTiming;

const DEVIATIONS: &[&str] = &[
    "two schedulers take turns in slots of half a cycle, where the paper's issue at once",
    "RV32 has 32 registers per thread: 49,152 where the table has 32,768",
    "an L1 line that a store hits is updated, where the paper's simulator drops it",
    "loads that wait for the same line take an MSHR each, where the paper's merge up to 8 in one",
];

/// Dual paths: Rhu 2014, Table 3.1.
pub static DPE: Machine = Machine {
    name: "dpe",
    aliases: &["fermi"],
    summary: "dual-path execution: Rhu 2014, Table 3.1",
    core: CoreConfig::fermi,
    memory: || MemoryTiming {
        l2_bytes: 48 << 10,
        l2_ways: 8,
        l2_latency: 256,
        l2_bandwidth: 10.2,
        dram_latency: 500,
        dram_bandwidth: 8.46,
        queue: 16,
        jitter: None,
    },
    // The core's clock is that of its slots.
    shared_memory: || SharedMemory {
        cores: 15,
        channels: 6,
        slice_bytes: 128 << 10,
        slice_ways: 8,
        slice_mshrs: SLICE_MSHRS,
        dram: GDDR5,
        queue: 16,
        clocks: Clocks { core: 1400, network: 1400, l2: 700, dram: 924 },
        fixed: 227,
        read_delay: 200,
    },
    rate: Some(Rate { cores: 15, slots_per_core_cycle: 2, mega_slots: 1400 }),
    sources: &[
        (&["lanes", "warps", "shared-bytes"], "Table 3.1"),
        (&["warp-interval"], "Table 3.1: two schedulers; a warp belongs to one of them"),
        (
            &["memory-interval", "l1-ports"],
            "GPGPU-Sim's GTX480: one line, and one row of shared memory, in a core cycle of two slots",
        ),
        (&["l1-sets", "l1-ways", "line-bytes"], "Table 3.1: 16 KB, 4 ways; lines of 128 B in GPGPU-Sim's GTX480"),
        (&["mshrs"], "GPGPU-Sim's GTX480: 32"),
        (&["alu-latency", "multiply-latency"], "GPGPU-Sim's GTX480: 4 core cycles"),
        (&["scheduler"], "Table 3.1: oldest first"),
        (&["l2-bytes", "l2-ways"], "Table 3.1: 768 KB, 8 ways; a core's share, 51 KB, rounded to 48 sets"),
        (&["l2-latency"], "GPGPU-Sim of 2012-07: 128 core cycles of 700 MHz, of which 120 are the delay before L2"),
        (
            &["l2-bandwidth"],
            "a core's share of 6 ports of 32 B at 1400 MHz, in flits of which 128 of 160 B are the line",
        ),
        (&["dram-latency"], "250 core cycles: as L2's, and a delay of 100, and 29 memory clocks of 924 MHz"),
        (&["dram-bandwidth"], "Table 3.1: 177.6 GB/s, over 15 cores of 1400 M slots a second"),
        (&["dram-queue"], "GPGPU-Sim's GTX480"),
    ],
    deviations: DEVIATIONS,
    readings: &[Reading {
        name: "L2 whole",
        options: &[("l2-bytes", "786432")],
        reason: "data that cores share is seen whole by each",
    }],
};

const fn memory(l2_bytes: usize, l2_ways: usize, l2_bandwidth: f64, dram_bandwidth: f64, queue: usize) -> MemoryTiming {
    let (l2_latency, dram_latency) = (270, 514);
    MemoryTiming { l2_bytes, l2_ways, l2_latency, l2_bandwidth, dram_latency, dram_bandwidth, queue, jitter: None }
}

/// GPGPU-Sim's GTX480 has two partitions of L2 at a channel, of 32 MSHRs each.
const SLICE_MSHRS: usize = 64;

/// Six channels of GDDR5, and a network of half the slots' clock.
const fn shared(cores: usize, slice_bytes: usize, slice_ways: usize, dram: usize, queue: usize) -> SharedMemory {
    let clocks = Clocks { core: 1400, network: 700, l2: 700, dram };
    SharedMemory {
        cores,
        channels: 6,
        slice_bytes,
        slice_ways,
        slice_mshrs: SLICE_MSHRS,
        dram: GDDR5,
        queue,
        clocks,
        fixed: 223,
        read_delay: 200,
    }
}

/// What no table of the others has.
const AS_DPE: (&[&str], &str) = (
    &["line-bytes", "mshrs", "warp-interval", "memory-interval", "l1-ports", "alu-latency", "multiply-latency"],
    "GPGPU-Sim's GTX480, as dpe",
);

const LATENCY: &str = "as dpe's, with a network at 700 MHz: 135 and 257 core cycles";

/// Locality-aware memory hierarchy: the machine of LAMAR.
pub static LAMAR: Machine = Machine {
    name: "lamar",
    aliases: &[],
    summary: "the core of LAMAR, whose sectored memory system is not built yet: Rhu 2014, Table 5.3",
    memory: || memory(48 << 10, 16, 10.2, 8.53, 16),
    shared_memory: || shared(15, 128 << 10, 16, 933, 16),
    sources: &[
        (&["lanes", "warps", "shared-bytes", "l1-sets", "l1-ways"], "the paper's table"),
        AS_DPE,
        (&["dram-queue"], AS_DPE.1),
        (&["scheduler"], "the paper's table: oldest first"),
        (&["l2-bytes", "l2-ways"], "the paper's table: 768 KB, 16 ways; a core's share, 51 KB, rounded to 24 sets"),
        (&["l2-latency", "dram-latency"], LATENCY),
        (
            &["l2-bandwidth"],
            "a core's share of 12 ports of 32 B at 700 MHz, in flits of which 128 of 160 B are the line",
        ),
        (&["dram-bandwidth"], "the paper's table: 179.2 GB/s, over 15 cores of 1400 M slots a second"),
    ],
    readings: &[],
    ..DPE
};

/// Priority-based cache allocation.
pub static PCA: Machine = Machine {
    name: "pca",
    aliases: &[],
    summary: "the core of priority-based cache allocation, whose cache is not built yet: Rhu 2014, 6.2",
    core: || CoreConfig { scheduler: SchedulerPolicy::GreedyThenOldest, ..CoreConfig::fermi() },
    memory: || memory(48 << 10, 16, 10.2, 8.46, 16),
    shared_memory: || shared(15, 128 << 10, 16, 924, 16),
    sources: &[
        (&["lanes", "warps", "shared-bytes", "l1-sets", "l1-ways"], "the paper's table"),
        AS_DPE,
        (&["dram-queue"], AS_DPE.1),
        (&["scheduler"], "the paper's table: greedy, then oldest"),
        (&["l2-bytes", "l2-ways"], "the paper's table: 768 KB, 16 ways; a core's share, 51 KB, rounded to 24 sets"),
        (&["l2-latency", "dram-latency"], LATENCY),
        (&["l2-bandwidth"], "as lamar"),
        (&["dram-bandwidth"], "the paper's table: 177.6 GB/s, over 15 cores of 1400 M slots a second"),
    ],
    ..LAMAR
};

/// Lazy memory scheduling.
pub static LAZY: Machine = Machine {
    name: "lazy",
    aliases: &[],
    summary: "the core of lazy memory scheduling, whose controllers are not built yet: Wang 2020, chapter 4",
    core: || CoreConfig {
        scheduler: SchedulerPolicy::GreedyThenOldest,
        shared_bytes: 32 * 1024,
        ..CoreConfig::fermi()
    },
    memory: || memory(24 << 10, 8, 5.1, 4.22, 128),
    // Of the 128 requests that wait in the paper, half.
    shared_memory: || shared(30, 128 << 10, 8, 924, 64),
    rate: Some(Rate { cores: 30, slots_per_core_cycle: 2, mega_slots: 1400 }),
    sources: &[
        (
            &["lanes", "warps", "shared-bytes", "l1-sets", "l1-ways"],
            "the paper's table; 16 lanes twice at 1400 MHz are 32 at 700",
        ),
        AS_DPE,
        (&["scheduler"], "MAFIA's configuration of the GTX480: greedy, then oldest"),
        (&["l2-bytes", "l2-ways"], "the paper's table: 768 KB, 8 ways; a core's share, 26 KB, rounded to 24 sets"),
        (&["l2-latency", "dram-latency"], LATENCY),
        (&["l2-bandwidth"], "half of lamar's: 30 cores share the ports"),
        (&["dram-bandwidth"], "6 channels of 32 B at 924 MHz, over 30 cores of 1400 M slots a second"),
        (&["dram-queue"], "the paper's table"),
    ],
    ..LAMAR
};
