//! Dual-path execution.
use serde::{Deserialize, Serialize};

use super::{About, Choice, Entry, Mechanism, Representative, TrackedBy, Traits};

/// How dual-path execution issues: Rhu 2014, 3.2.2, 3.2.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DualPathVariant {
    /// Two schedulable entries a warp; registers tracked by path, with false dependences between paths.
    Full,
    /// One schedulable entry a warp: its paths take turns at operations of long latency.
    Constrained,
    /// Two schedulable entries; registers tracked by thread, without false dependences.
    Optimistic,
}

impl DualPathVariant {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Full, Self::Constrained, Self::Optimistic];

    /// Those of the mechanism.
    pub fn traits(self) -> Traits {
        let scoreboard = if self == Self::Optimistic { TrackedBy::Thread } else { TrackedBy::Path };
        Traits { sides: 2, entry_sides: 2, scoreboard, likely_convergence: false, ..Traits::SINGLE_PATH }
    }
}

pub static ENTRY: Entry = Entry {
    about: About {
        name: "dpe",
        summary: "dual-path execution: both sides of a branch run; dpe:constrained has one scheduler entry a warp, dpe:optimistic no false dependences",
        source: "Rhu 2014, 3.2",
        blocks: &["dual_path_stack", "dual_path_scoreboard", "path_selector"],
    },
    alias: None,
    stack: "dual_path_stack",
    default: Mechanism::DualPath(DualPathVariant::Full),
    choices: &[Choice::Name {
        name: "variant",
        names: &["full", "constrained", "optimistic"],
        get: |mechanism| match mechanism {
            Mechanism::DualPath(variant) => DualPathVariant::ALL.iter().position(|other| *other == variant),
            _ => None,
        },
        set: |mechanism, value| {
            if let Mechanism::DualPath(variant) = mechanism {
                *variant = DualPathVariant::ALL[value];
            }
        },
    }],
    spelled: 1,
    representatives: &[
        Representative::of("dpe").covering(),
        Representative::of("dpe:constrained"),
        Representative::of("dpe:optimistic"),
    ],
};
