//! The machine of replay and hazard prediction: Turner 2012, Table 4.2.
use warploom_hdl::config::{CoreConfig, MemoryPath, SchedulerPolicy};

use warploom_hdl::memory_system::Clocks;
use warploom_hdl::memory_system::dram::GDDR5;

use super::{Machine, Rate, Reading, SharedMemory};
use crate::host::MemoryTiming;

/// Two schedulers, and an operand collector that memory instructions block.
pub static REPLAY: Machine = Machine {
    name: "replay",
    aliases: &["turner"],
    summary: "replay and hazard prediction: Turner 2012, Table 4.2; loads are issued again with --memory-path replay",
    core: || CoreConfig {
        warps: 64,
        scheduler: SchedulerPolicy::groups_of(8),
        warp_buffer: 8,
        memory_path: MemoryPath::Stalling,
        memory_queue: 8,
        l1_sets: 64,
        l1_ways: 6,
        ..CoreConfig::fermi()
    },
    memory: || MemoryTiming {
        l2_bytes: 10 << 10,
        l2_ways: 8,
        l2_latency: 256,
        l2_bandwidth: 15.4,
        dram_latency: 500,
        dram_bandwidth: 12.3,
        queue: 16,
        jitter: None,
    },
    // The core's clock is that of its slots.
    shared_memory: || SharedMemory {
        cores: 10,
        channels: 6,
        slice_bytes: 16 << 10,
        slice_ways: 8,
        slice_mshrs: 64,
        dram: GDDR5,
        queue: 16,
        clocks: Clocks { core: 1400, network: 1400, l2: 1400, dram: 924 },
        fixed: 227,
        read_delay: 200,
    },
    rate: Some(Rate { cores: 10, slots_per_core_cycle: 2, mega_slots: 1400 }),
    sources: &[
        (&["lanes", "warps"], "Table 4.2: 64 warps of 32 threads"),
        (&["shared-bytes"], "Table 4.2 prints 26k; 48 KB, as on GPGPU-Sim's GTX480"),
        (&["warp-interval"], "Table 4.2: two schedulers, of warps of their own"),
        (&["warp-buffer"], "Table 4.2: 8 instructions of a warp"),
        (&["memory-queue"], "Table 4.2: an operand collector of 8 slots for every instruction"),
        (
            &["memory-interval", "l1-ports"],
            "Table 4.2: one memory unit: one line, and one row of shared memory, in a core cycle of two slots",
        ),
        (&["l1-sets", "l1-ways", "line-bytes"], "Table 4.2: 64 sets of 6 ways of 128 B"),
        (&["mshrs"], "Table 4.2: 32; 64 and 128 in chapters 6 and 7"),
        (&["alu-latency", "multiply-latency"], "not given; GPGPU-Sim's GTX480: 4 core cycles"),
        (&["scheduler"], "1.1.6: two levels; groups of 8 are a guess"),
        (&["l2-bytes", "l2-ways"], "Table 4.2: 16 KB at each of 6 controllers, 8 ways; a core's share, 10 KB"),
        (&["l2-latency", "dram-latency"], "not given; as dpe's"),
        (
            &["l2-bandwidth"],
            "a core's share of 6 ports of 32 B at 1400 MHz, in flits of which 128 of 160 B are the line",
        ),
        (&["dram-bandwidth"], "6 channels of 16 B at 1800 MHz, over 10 cores of 1400 M slots a second"),
        (&["dram-queue"], "GPGPU-Sim's GTX480"),
    ],
    deviations: &[
        "two schedulers take turns in slots of half a cycle, where the paper's issue at once",
        "a group of two ALUs is one that takes an instruction in every slot",
        "operands are collected in one cycle, without conflicts of banks",
        "each group of threads has an MSHR of its own, whether its line is on its way or not: how MSHRs of the paper merge is not said",
        "there are neither constants nor textures, nor caches of them",
        "lines of L2 have 128 B, where the paper's have 32",
        "with several cores, DRAM has 6 channels of 32 B at 924 MHz: 177.4 GB/s where the paper has 172.8",
        "an L1 line that a store hits is updated, where the paper's simulator drops it",
    ],
    readings: &[
        Reading { name: "64 MSHRs", options: &[("mshrs", "64")], reason: "the thesis varies them: Figure 6.1" },
        Reading { name: "128 MSHRs", options: &[("mshrs", "128")], reason: "the thesis varies them: Figure 6.1" },
        Reading {
            name: "MSHRs that merge",
            options: &[("mshr-merges", "4")],
            reason: "the thesis does not say whether a load whose line is on its way needs an MSHR",
        },
        Reading {
            name: "quick memory",
            options: &[("l2-latency", "20"), ("dram-latency", "60")],
            reason: "the fixed delays before L2 and DRAM may not have been in the thesis' simulator",
        },
        Reading {
            name: "one scheduler",
            options: &[
                ("warp-interval", "1"),
                ("memory-interval", "1"),
                ("alu-latency", "4"),
                ("multiply-latency", "4"),
                ("l2-latency", "128"),
                ("l2-bandwidth", "30.7"),
                ("dram-latency", "250"),
                ("dram-bandwidth", "24.7"),
            ],
            reason: "the thesis compares them: Figure 7.4; a slot is a core cycle then",
        },
    ],
};
