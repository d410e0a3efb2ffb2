//! What the rules are crossed with: schedulers, shapes of CTAs, memories. Every core and case belongs to exactly one class of each.
use warploom_hdl::config::SchedulerPolicy;
use warploom_runtime::host::MemoryTiming;

use crate::random_program::Shape;

macro_rules! classes {
    ($(#[$about:meta])* $name:ident, $title:literal: $($class:ident = $text:literal, $what:literal;)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $(#[doc = $what] $class),* }

        impl $name {
            /// What it is a class of.
            pub const TITLE: &'static str = $title;
            /// Name and meaning of each, in order.
            pub const ALL: &'static [(&'static str, &'static str)] = &[$(($text, $what)),*];
            /// Each, in the same order.
            pub const EACH: [Self; Self::ALL.len()] = [$(Self::$class),*];

            /// All of them, to be crossed with others.
            pub fn dimension() -> $crate::coverage::Dimension {
                $crate::coverage::Dimension::new(Self::TITLE, Self::ALL.iter().map(|(name, _)| *name))
            }
        }
    };
}
pub(super) use classes;

classes! {
    /// Which warp goes first.
    Scheduler, "scheduler":
    LooseRoundRobin = "round robin", "the next ready warp after the one issued last";
    GreedyThenOldest = "greedy", "the warp issued last, else the oldest";
    OldestFirst = "oldest", "the oldest ready warp";
    TwoLevel = "two-level", "groups of warps, round robin in each";
}

impl Scheduler {
    /// Of a core.
    pub fn of(policy: SchedulerPolicy) -> Self {
        match policy {
            SchedulerPolicy::LooseRoundRobin => Self::LooseRoundRobin,
            SchedulerPolicy::GreedyThenOldest => Self::GreedyThenOldest,
            SchedulerPolicy::OldestFirst => Self::OldestFirst,
            SchedulerPolicy::TwoLevel { .. } => Self::TwoLevel,
        }
    }
}

classes! {
    /// How the threads of a CTA fill its warps.
    CtaShape, "CTA":
    PartOfWarp = "part of a warp", "one dimension, fewer threads than lanes";
    Warp = "a warp", "one dimension, as many threads as lanes";
    Warps = "warps", "one dimension, several warps, all full";
    EvenRest = "even rest", "one dimension, several warps, the last not full, an even number of threads";
    OddRest = "odd rest", "one dimension, several warps, the last not full, an odd number of threads";
    TwoDimensions = "2-D", "two dimensions";
    ThreeDimensions = "3-D", "three dimensions";
}

impl CtaShape {
    /// Of a launch, on warps of so many lanes.
    pub fn of(shape: &Shape, lanes: usize) -> Self {
        let (threads, lanes) = (shape.threads() as usize, lanes);
        match shape.block {
            [_, _, z] if z > 1 => Self::ThreeDimensions,
            [_, y, _] if y > 1 => Self::TwoDimensions,
            _ if threads < lanes => Self::PartOfWarp,
            _ if threads == lanes => Self::Warp,
            _ if threads % lanes == 0 => Self::Warps,
            _ if threads % 2 == 0 => Self::EvenRest,
            _ => Self::OddRest,
        }
    }
}

classes! {
    /// How the memory behind the core answers.
    Memory, "memory":
    Quick = "quick", "soon, and takes what comes";
    Slow = "slow", "100 cycles or more from DRAM";
    Narrow = "narrow", "soon, but refuses requests for want of room";
    Unruly = "unruly", "refuses at random, and answers out of order";
}

impl Memory {
    /// Of this timing.
    pub fn of(timing: &MemoryTiming) -> Self {
        match timing {
            MemoryTiming { jitter: Some(_), .. } => Self::Unruly,
            MemoryTiming { dram_latency: 100.., .. } => Self::Slow,
            timing if timing.queue < MemoryTiming::default().queue => Self::Narrow,
            _ => Self::Quick,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launch_has_one_shape() {
        let shape = |block| CtaShape::of(&Shape { block, ..Shape::default() }, 8);
        for (block, expected) in [
            ([7, 1, 1], CtaShape::PartOfWarp),
            ([8, 1, 1], CtaShape::Warp),
            ([16, 1, 1], CtaShape::Warps),
            ([18, 1, 1], CtaShape::EvenRest),
            ([17, 1, 1], CtaShape::OddRest),
            ([4, 2, 1], CtaShape::TwoDimensions),
            ([1, 1, 2], CtaShape::ThreeDimensions),
        ] {
            assert_eq!(shape(block), expected, "{block:?}");
        }
    }
}
