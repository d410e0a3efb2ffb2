//! What a device remembers from one cycle to the next, beside the engine's state and memory.
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;

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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WarpTrace {
    pub pc: u32,
    /// Lanes that have issued last.
    pub mask: u64,
    pub most_active: u32,
    /// By lane, the last instruction of a thread that did not go on with others.
    pub stopped: Vec<Option<u32>>,
}

impl WarpTrace {
    /// Of a warp that has not begun.
    pub fn of(config: &CoreConfig) -> Self {
        Self { pc: 0, mask: 0, most_active: 0, stopped: vec![None; config.lanes] }
    }

    /// The threads in these lanes do not go on from where the warp is.
    pub fn stop(&mut self, lanes: u64) {
        let is_one = |(lane, _): &(usize, &mut Option<u32>)| lanes >> lane & 1 == 1;
        self.stopped.iter_mut().enumerate().filter(is_one).for_each(|(_, stopped)| *stopped = Some(self.pc));
    }

    /// Who runs and who does not. Threads that have ended are not told from those that wait to reconverge.
    pub fn describe(&self) -> String {
        let active = self.mask.count_ones();
        match self.most_active - active {
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
