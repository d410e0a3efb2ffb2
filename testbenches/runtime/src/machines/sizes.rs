//! Small cores, for tests and worked examples.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::Clocks;
use warploom_hdl::memory_system::dram::GDDR3;

use super::{Machine, SharedMemory};
use crate::host::MemoryTiming;

const SOURCES: &[(&[&str], &str)] = &[
    (&["lanes", "warps"], "the papers' worked examples have warps of four threads"),
    (&["shared-bytes", "line-bytes", "l1-sets", "l1-ways"], "small, so that sets and lines run out in a test"),
    (&["scheduler"], "the simplest"),
    (&["alu-latency", "multiply-latency"], "as fast as the pipeline is"),
    (
        &["l2-bytes", "l2-ways", "l2-latency", "l2-bandwidth", "dram-latency", "dram-bandwidth", "dram-queue"],
        "of the order of the papers' machines",
    ),
];

/// 4 lanes x 4 warps.
pub static TINY: Machine = Machine {
    name: "tiny",
    aliases: &[],
    summary: "4 x 4: the papers' worked examples, and what rust-hdl's own simulator can run",
    core: CoreConfig::tiny,
    memory: MemoryTiming::default,
    shared_memory: || SharedMemory {
        cores: 2,
        channels: 2,
        slice_bytes: 4 << 10,
        slice_ways: 4,
        slice_mshrs: 16,
        dram: GDDR3,
        queue: 16,
        clocks: Clocks { core: 800, network: 800, l2: 800, dram: 800 },
        fixed: 0,
        read_delay: 0,
    },
    rate: None,
    sources: SOURCES,
    deviations: &[],
    readings: &[],
};

/// 8 lanes x 8 warps.
pub static SMALL: Machine = Machine {
    name: "small",
    summary: "8 x 8, between tiny and the papers' machines: odd corners show quickly",
    core: CoreConfig::small,
    ..TINY
};
