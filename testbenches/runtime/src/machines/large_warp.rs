//! The machine of large warps: Narasiman 2014, chapter 5.
use warploom_hdl::config::{CoreConfig, HazardRule, SchedulerPolicy};

use warploom_hdl::memory_system::Clocks;
use warploom_hdl::memory_system::dram::GDDR3;

use super::{Machine, Rate, Reading, SharedMemory};
use crate::host::MemoryTiming;

/// One core, with the memory to itself.
pub static LARGE_WARP: Machine = Machine {
    name: "large-warp",
    aliases: &["large_warp"],
    summary: "LWM: Narasiman 2014, chapter 5; two-level scheduling is --scheduler 2lev:8:32768 there",
    core: || CoreConfig {
        scheduler: SchedulerPolicy::LooseRoundRobin,
        hazards: HazardRule::Any,
        shared_bytes: 128 * 1024,
        alu_latency: 5,
        multiply_latency: 5,
        line_bytes: 128,
        l1_sets: 64,
        l1_ways: 16,
        ..CoreConfig::paper()
    },
    memory: || MemoryTiming {
        l2_bytes: 0,
        l2_ways: 64,
        l2_latency: 0,
        l2_bandwidth: 32.0,
        dram_latency: 200,
        dram_bandwidth: 32.0,
        queue: 32,
        jitter: None,
    },
    shared_memory: || SharedMemory {
        cores: 1,
        channels: 2,
        slice_bytes: 512 << 10,
        slice_ways: 16,
        slice_mshrs: 16,
        dram: GDDR3,
        queue: 32,
        clocks: Clocks { core: 1000, network: 1000, l2: 1000, dram: 1000 },
        fixed: 8,
        read_delay: 0,
    },
    rate: Some(Rate { cores: 1, slots_per_core_cycle: 1, mega_slots: 1000 }),
    sources: &[
        (&["lanes", "warps", "shared-bytes"], "chapter 5: 32 warps of 32 threads, 128 KB"),
        (&["l1-sets", "l1-ways", "line-bytes"], "chapter 5: 128 KB, lines of 128 B"),
        (&["alu-latency", "multiply-latency"], "chapter 5: a pipeline of five stages"),
        (&["scheduler"], "Table 5.1: round robin"),
        (&["hazards"], "chapter 5: in order, without a scoreboard: a warp has one instruction in flight"),
        (
            &["l2-bytes", "l2-ways", "l2-latency", "l2-bandwidth"],
            "chapter 5 has no L2; what passes the port is not limited before DRAM",
        ),
        (&["dram-latency"], "chapter 5: 100 cycles for a row hit, 300 for a conflict; an empty bank taken as 200"),
        (&["dram-bandwidth"], "chapter 5: 32 B a cycle, to a core taken as 1 GHz"),
        (&["dram-queue"], "a guess"),
    ],
    deviations: &[
        "the L1 has 64 sets of 16 ways, where the paper's has 256 of 4",
        "rows of DRAM are not modelled: every access takes the middle of hit and conflict",
    ],
    readings: &[
        Reading {
            name: "half the bandwidth",
            options: &[("dram-bandwidth", "16")],
            reason: "the thesis does not give the core's clock",
        },
        Reading {
            name: "row hits",
            options: &[("dram-latency", "100")],
            reason: "as if every access met its row open",
        },
        Reading {
            name: "row conflicts",
            options: &[("dram-bandwidth", "3.4"), ("dram-latency", "300")],
            reason: "as if none did: each of 8 banks is held for 300 cycles by a line of 128 B",
        },
    ],
};
