//! Cycles in which the core waits, and nobody looks.
use warploom_sim::Engine;

use super::{INTERRUPTIBLE, RtlDevice, Running};
use crate::host::checkpoint_times::Interruptible;

impl<E: Engine> RtlDevice<'_, E> {
    /// Leaves out cycles of a core that [rests](Engine::rests): at most up to the one before something is due, which is stepped, so that ports are as they are then.
    pub(super) fn skip(&mut self, running: &Running) {
        let passed = self.cycle - running.start;
        let due = [
            self.checkpoints().due(),
            running.start.saturating_add(self.limits.cycles),
            running.last_issue.saturating_add(self.limits.silence),
            running.start + (passed / INTERRUPTIBLE + 1) * INTERRUPTIBLE,
            self.model.next_change(self.transfers.accepting, self.cycle),
            self.next_observed(),
        ];
        let last = due.into_iter().min().unwrap_or(self.cycle).saturating_sub(1);
        if last > self.cycle {
            let skipped = self.core.engine.skip(last - self.cycle);
            self.cycle += skipped;
            self.skipped += skipped;
        }
    }

    /// The next cycle that must be seen.
    fn next_observed(&self) -> u64 {
        match &self.observed {
            cycles if self.observer.is_none() || self.cycle >= cycles.end => u64::MAX,
            cycles => cycles.start.max(self.cycle),
        }
    }
}
