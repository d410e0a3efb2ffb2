//! The machine of CAPRI: Rhu 2014, Table 4.1.
use warploom_hdl::config::CoreConfig;

use warploom_hdl::memory_system::Clocks;
use warploom_hdl::memory_system::dram::GDDR3;

use super::{Machine, Rate, Reading, SharedMemory};
use crate::host::MemoryTiming;

/// The Quadro FX5800 of GPGPU-Sim's manual, with 32 lanes.
pub static CAPRI: Machine = Machine {
    name: "capri",
    aliases: &["paper"],
    summary: "CAPRI and SLP: Rhu 2014, Table 4.1",
    core: CoreConfig::paper,
    memory: || MemoryTiming {
        l2_bytes: 256 << 10,
        l2_ways: 64,
        l2_latency: 122,
        l2_bandwidth: 11.4,
        dram_latency: 133,
        dram_bandwidth: 10.5,
        queue: 16,
        jitter: None,
    },
    shared_memory: || SharedMemory {
        cores: 30,
        channels: 8,
        slice_bytes: 1024 << 10,
        slice_ways: 64,
        slice_mshrs: 16,
        dram: GDDR3,
        queue: 16,
        clocks: Clocks { core: 325, network: 650, l2: 650, dram: 800 },
        fixed: 107,
        read_delay: 0,
    },
    rate: Some(Rate { cores: 30, slots_per_core_cycle: 1, mega_slots: 325 }),
    sources: &[
        (&["lanes", "warps", "shared-bytes"], "Table 4.1"),
        (&["l1-sets", "l1-ways", "line-bytes"], "Table 4.1: 32 KB, 8 ways, 64 B"),
        (&["alu-latency", "multiply-latency"], "GPGPU-Sim of 2011-11: 1 cycle, and 24 for an integer product"),
        (&["l1-ports"], "GPGPU-Sim of 2011-11: the load/store unit is clocked twice, half a warp each"),
        (&["scheduler"], "Table 4.1: two-level round robin; 4.4.1: groups of as many warps as a CTA has"),
        (
            &["l2-bytes", "l2-ways"],
            "Table 4.1: 1024 KB of 64 ways, taken as of each of 8 channels; a core's share, 273 KB, rounded to 64 sets",
        ),
        (
            &["l2-latency"],
            "GPGPU-Sim of 2011-11: network 2.5 + delay before L2 115 + lookup 1 + network 3.5 cycles of 325 MHz",
        ),
        (&["l2-bandwidth"], "a core's share of 8 ports of 32 B at 650 MHz, in flits of which 64 of 96 B are the line"),
        (&["dram-latency"], "as L2's, and 26 memory clocks of 800 MHz for a closed bank"),
        (&["dram-bandwidth"], "Table 4.1: 102.4 GB/s, over 30 cores of 325 M slots a second"),
        (&["dram-queue"], "GPGPU-Sim's configuration of the Quadro"),
    ],
    deviations: &[
        "RV32 has 32 registers per thread: 32,768 where the table has 16,384",
        "an L1 line that a store hits is updated, where the paper's simulator drops it",
        "no caches of instructions, constants and textures",
    ],
    readings: &[
        Reading {
            name: "L2 whole",
            options: &[("l2-bytes", "8388608")],
            reason: "data that cores share is seen whole by each: 1024 KB of each of 8 channels",
        },
        Reading {
            name: "one line a slot",
            options: &[("l1-ports", "1")],
            reason: "how much of it is the second port of L1",
        },
        Reading {
            name: "L2 of 1 MB",
            options: &[("l2-bytes", "1048576")],
            reason: "the table may mean 1024 KB in total",
        },
        Reading {
            name: "early GPGPU-Sim",
            options: &[("dram-latency", "20"), ("l2-latency", "8")],
            reason: "the delay of 115 cycles before L2 entered the simulator in October 2010",
        },
        Reading {
            name: "64 MSHRs",
            options: &[("mshrs", "64")],
            reason: "the paper does not say how many, and loads that wait for the same line take one each here",
        },
    ],
};
