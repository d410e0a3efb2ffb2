//! What a device remembers from one cycle to the next, beside the engine's state and memory.
use serde::{Deserialize, Serialize};

use super::LaunchStats;

/// A launch under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Running {
    /// The counters when it began.
    pub before: LaunchStats,
    /// The cycle in which it began.
    pub start: u64,
    /// The cycle in which it issued an instruction last.
    pub last_issue: u64,
}

/// What the watchdog knows of a warp.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct WarpTrace {
    pub pc: u32,
    pub active: u32,
    pub most_active: u32,
}

impl WarpTrace {
    /// Who runs and who does not. Threads that have ended are not told from those that wait to reconverge.
    pub fn describe(&self) -> String {
        let Self { active, most_active, .. } = *self;
        match most_active - active {
            0 => format!("runs {active} thread(s)"),
            1 => format!("runs {active} thread(s), for which 1 other of the warp waits unless it has ended"),
            rest => format!("runs {active} thread(s), for which {rest} others of the warp wait unless they have ended"),
        }
    }
}

/// What stands on the memory port between two cycles.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Transfers {
    pub accepting: bool,
    pub answering: bool,
}
