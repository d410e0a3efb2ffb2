//! Small programs in assembler, each for one property of the core: throughput, divergence, traps, deadlocks.
use super::{Binary, binary};

/// A micro-kernel. Arguments and results are described in its source.
#[derive(Clone, Copy, Debug)]
pub struct Micro {
    /// Name of the source without its extension.
    pub name: &'static str,
    /// Source and ELF file.
    pub binary: Binary,
    /// Threads of its CTA, if it is an example for so many.
    pub threads: Option<usize>,
}

macro_rules! micro {
    ($($name:literal $(for $threads:literal)?),* $(,)?) => {
        &[$(Micro {
            name: $name,
            binary: binary!(concat!("micro/", $name, ".s"), concat!("micro/", $name, ".elf")),
            threads: [$($threads,)?].first().copied(),
        }),*]
    };
}

/// All of them.
pub const MICRO: &[Micro] = micro![
    "accesses",
    "alu_loop",
    "arithmetic",
    "ballot",
    "barrier_divergent",
    "barrier_missed",
    "branchy",
    "chase",
    "dual_path",
    "hazards",
    "illegal",
    "infinite_loop",
    "irreducible",
    "likely_convergence",
    "misaligned",
    "nested",
    "orphan_load",
    "recursion",
    "reserved",
    "rhu_4_1" for 12,
    "spin_lock",
    "stream",
    "stream_load",
    "two_callers",
    "unmapped",
];

/// The micro-kernel of this name.
pub fn find(name: &str) -> Option<&'static Micro> {
    MICRO.iter().find(|micro| micro.name == name)
}
