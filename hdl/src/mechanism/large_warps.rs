//! Large warps: how many threads share a PC.
use serde::{Deserialize, Serialize};

use super::{About, Choice, Entry, Mechanism, Representative, TrackedBy, Traits};
use crate::config::CoreConfig;
use crate::limits::{Legal, Parameter};

/// The large warp microarchitecture: Narasiman 2014, 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LargeWarps {
    /// Threads of a large warp.
    pub threads: usize,
    /// In how many sub-warps a jump issues.
    #[serde(default)]
    pub jumps: JumpIssue,
}

/// In how many sub-warps a jump without a link issues: Narasiman 2014, 4.2.4.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum JumpIssue {
    /// In one, for all threads.
    #[default]
    Once,
    /// As any other instruction does.
    Packed,
}

impl JumpIssue {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Once, Self::Packed];
}

impl LargeWarps {
    /// Large warps of so many threads, as the thesis has them.
    pub const fn of(threads: usize) -> Self {
        Self { threads, jumps: JumpIssue::Once }
    }

    /// Those of the mechanism.
    pub fn traits(self) -> Traits {
        Traits {
            compacts: true,
            scoreboard: TrackedBy::ThreadInFlight,
            large_warp_threads: Some(self.threads),
            ..Traits::SINGLE_PATH
        }
    }
}

impl CoreConfig {
    /// Warps that are the rows of a large warp, at most; 0: there are none.
    pub fn large_warp_rows(&self) -> usize {
        let rows = |threads: usize| threads.div_ceil(self.lanes).clamp(1, self.warps);
        self.mechanism.traits().large_warp_threads.map_or(0, rows)
    }

    /// Whether a jump of a large warp issues in one sub-warp.
    pub fn jumps_at_once(&self) -> bool {
        large_warps(self.mechanism).is_some_and(|warps| warps.jumps == JumpIssue::Once)
    }

    /// One if there are large warps, else none: so many ports and parts that only they need.
    pub fn of_large_warps(&self) -> usize {
        (self.large_warp_rows() > 0) as usize
    }

    /// The same core with a CTA slot for each large warp: what has a stack for every CTA has one for every large warp then.
    pub fn by_large_warp(&self) -> Self {
        Self { cta_slots: self.warps, ..self.clone() }
    }
}

pub static ENTRY: Entry = Entry {
    about: About {
        name: "lwm",
        summary: "large warps: the threads of several warps share a PC and a stack; sub-warps are packed from those that are active as they issue; lwm:N says how many threads, 256 by default; packed-jumps: a jump issues like any other instruction",
        source: "Narasiman 2014, 4.2",
        blocks: &["large_warps", "sub_warp_unit", "large_warp_rows", "cta_stack"],
    },
    alias: None,
    stack: "large_warps",
    default: Mechanism::LargeWarps(LargeWarps::of(256)),
    choices: &[
        Choice::Number {
            parameter: Parameter {
                name: "large_warp_threads",
                meaning: "threads of a large warp",
                legal: |_| Legal::powers_of_two(8, 1024),
                reason: "a large warp is of whole warps",
                get: |config| large_warps(config.mechanism).map(|warps| warps.threads),
                set: |config, value| {
                    if let Mechanism::LargeWarps(warps) = &mut config.mechanism {
                        warps.threads = value;
                    }
                },
            },
            of: "threads",
            tried: &[256, 8, 16, 64],
        },
        Choice::Name {
            name: "large_warp_jumps",
            names: &["single-jumps", "packed-jumps"],
            get: |mechanism| {
                let jumps = large_warps(mechanism)?.jumps;
                JumpIssue::ALL.iter().position(|other| *other == jumps)
            },
            set: |mechanism, value| {
                if let Mechanism::LargeWarps(warps) = mechanism {
                    warps.jumps = JumpIssue::ALL[value];
                }
            },
        },
    ],
    spelled: 2,
    representatives: &[Representative::of("lwm:8").covering(), Representative::of("lwm:256+lcp")],
};

fn large_warps(mechanism: Mechanism) -> Option<LargeWarps> {
    match mechanism {
        Mechanism::LargeWarps(warps) => Some(warps),
        _ => None,
    }
}
