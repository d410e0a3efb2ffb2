//! The machine of thread block compaction: Fung & Aamodt 2011, Table 2.
use warploom_hdl::config::{CoreConfig, SchedulerPolicy};

use warploom_hdl::memory_system::Clocks;
use warploom_hdl::memory_system::dram::GDDR3;

use super::{Machine, Rate, Reading, SharedMemory};
use crate::host::MemoryTiming;

/// 30 cores of 8 lanes at 1.3 GHz, which take four cycles for a warp.
pub static FUNG: Machine = Machine {
    name: "fung",
    aliases: &[],
    summary: "TBC: Fung & Aamodt 2011, Table 2; TBC runs there with --cta-priority age",
    core: || CoreConfig {
        scheduler: SchedulerPolicy::LooseRoundRobin,
        shared_bytes: 16 * 1024,
        issue_interval: 4,
        alu_latency: 4,
        multiply_latency: 32,
        l1_ports: 1,
        ..CoreConfig::paper()
    },
    // Of capri in slots; a slot is four cycles here.
    memory: || MemoryTiming {
        l2_bytes: 256 << 10,
        l2_ways: 64,
        l2_latency: 488,
        l2_bandwidth: 2.85,
        dram_latency: 532,
        dram_bandwidth: 2.62,
        queue: 32,
        jitter: None,
    },
    shared_memory: || SharedMemory {
        cores: 30,
        channels: 8,
        slice_bytes: 1024 << 10,
        slice_ways: 64,
        dram: GDDR3,
        queue: 32,
        clocks: Clocks { core: 1300, network: 650, l2: 650, dram: 800 },
        fixed: 446,
        read_delay: 0,
    },
    rate: Some(Rate { cores: 30, slots_per_core_cycle: 1, mega_slots: 325 }),
    sources: &[
        (
            &["lanes", "warps"],
            "Table 2: 1024 threads, warps of 32, SIMD units of 8 lanes: four cycles of 1300 MHz are a slot",
        ),
        (&["shared-bytes"], "Table 2: 16 KB"),
        (&["l1-sets", "l1-ways", "line-bytes"], "Table 2: 32 KB, 8 ways, 64 B"),
        (&["alu-latency"], "the last of four beats of 8 lanes"),
        (&["multiply-latency"], "the paper does not say; the longest that is built, 8 slots"),
        (&["l1-ports"], "Table 2: one line in a cycle of 1300 MHz"),
        (&["scheduler"], "section 5: loose round robin"),
        (
            &["l2-bytes", "l2-ways"],
            "Table 2: 1 MB for each of 8 channels, 64 ways; a core's share, 273 KB, rounded to 64 sets",
        ),
        (
            &["l2-latency", "dram-latency"],
            "as capri's, in cycles of 1300 MHz; the paper does not say which GPGPU-Sim it had",
        ),
        (&["l2-bandwidth"], "as capri's: the same network"),
        (
            &["dram-bandwidth"],
            "Table 2: 8 channels of 2 x 4 B a beat at 800 MHz, two clocks for a burst of four: 102.4 GB/s",
        ),
        (&["dram-queue"], "Table 2"),
    ],
    deviations: &[
        "shared memory serves a row in a cycle, where the paper's 16 banks serve a warp in four",
        "a warp has all its lanes in EXECUTE at once: only issue and results take the time of 8 lanes",
        "RV32 has 32 registers per thread: 32,768 where the table has 16,384",
        "an L1 line that a store hits is updated, where the paper's simulator drops it",
        "no caches of constants and textures",
    ],
    readings: &[
        Reading {
            name: "early GPGPU-Sim",
            options: &[("dram-latency", "80"), ("l2-latency", "32")],
            reason: "the delay of 115 cycles before L2 entered the simulator in October 2010",
        },
        Reading {
            name: "half the bandwidth",
            options: &[("dram-bandwidth", "1.31")],
            reason: "Table 2 read literally: 8 B per channel and cycle",
        },
        Reading {
            name: "small L2",
            options: &[("l2-bytes", "32768"), ("l2-ways", "8")],
            reason: "section 6.4: 128 KB of 8 ways for each of 8 channels; a core's share, 34 KB",
        },
    ],
};
