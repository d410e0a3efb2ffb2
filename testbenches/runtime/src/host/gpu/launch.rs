//! A launch, phase by phase, so that it can go on from within each of them.
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use warploom_sim::Engine;

use super::parts::{Command, Parts};
use super::shared::Shared;
use super::tile::Seen;
use super::{GpuCounts, GpuDevice};
use crate::host::checkpoint_times::Interruptible;
use crate::host::{Device, DeviceError, Launch, LaunchStats, Limits, inputs};

/// Cycles that the memory has for all that is in L2, or for all that the host can write, many times over.
const MOST_BETWEEN_LAUNCHES: u64 = 1 << 28;

/// Cycles from a launch until a core says that it is busy, at most.
const UNTIL_BUSY: u64 = 4;

/// What is going on in a launch, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    /// L2 takes what the host has written.
    Writing,
    /// The cores run.
    Running,
    /// L2 writes to DRAM what is in it only, where the host reads it.
    Flushing,
}

/// A launch under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::host) struct Running {
    phase: Phase,
    /// The cycle in which the phase began.
    start: u64,
    /// The counters before the cores ran; behind that, what they counted.
    counts: GpuCounts,
}

impl Running {
    /// In this cycle, before its first phase.
    pub fn new(cycle: u64) -> Self {
        Self { phase: Phase::Writing, start: cycle, counts: GpuCounts::default() }
    }
}

impl<E: Engine + Send> GpuDevice<'_, E> {
    /// The cores begin.
    fn start(&mut self, launch: &Launch) -> Running {
        let running = Running { phase: Phase::Running, start: self.cycle, counts: self.counters() };
        let switches = inputs::Switches { compact: self.compact, permute: self.permute };
        let global = self.memory().size();
        let values = inputs::launch(launch, &self.parts.program, &self.config, global, switches);
        self.parts.shared().configure(launch.grid);
        self.parts.tiles().for_each(|tile| {
            tile.core.configure(values);
            tile.forget(running.start);
        });
        self.round(Command::Launch);
        running
    }

    /// Goes on until no core is busy; the cycle in which the last one was.
    fn run(&mut self, running: &Running) -> Result<u64, DeviceError> {
        loop {
            match self.rounds(running.start) {
                ControlFlow::Continue(()) => self.take_checkpoint(running),
                ControlFlow::Break(ended) => {
                    if let Err(DeviceError::Limit { .. } | DeviceError::Interrupted { .. }) = ended {
                        self.take_last_checkpoint(running);
                    }
                    return ended;
                }
            }
        }
    }

    /// Rounds of a launch until it ends; it goes on if only a checkpoint is due.
    fn rounds(&mut self, start: u64) -> ControlFlow<Result<u64, DeviceError>> {
        if self.observers.is_empty() && self.parts.threads > 1 {
            let Self { parts, cycle, limits, checkpoints, .. } = self;
            let mut ended = ControlFlow::Continue(());
            parts.together(*cycle, |parts, now| {
                *cycle = now;
                ended = parts.check(start, now, limits);
                let is_over = ended.is_break() || checkpoints.is_due(now);
                if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            return ended;
        }
        loop {
            let ended = self.parts.check(start, self.cycle, &self.limits);
            if ended.is_break() || self.checkpoints.is_due(self.cycle) {
                return ended;
            }
            self.round(Command::Run);
        }
    }

    /// The cores have ended, or were stopped. Behind that, L2 writes what is in it only to DRAM.
    fn end(&mut self, running: &Running, ended: Result<u64, DeviceError>) -> Result<Running, DeviceError> {
        // The counters see an event two cycles later.
        self.round(Command::Run);
        let cycles = ended.as_ref().map_or(self.cycle, |last| last + 1) - running.start;
        let counts = GpuCounts { cycles, ..self.counters() }.since(&running.counts);
        self.counts.add(&counts);
        ended?;
        self.parts.shared().set_flush(true);
        self.round(Command::Run);
        Ok(Running { phase: Phase::Flushing, start: self.cycle, counts })
    }

    /// From where a launch is to its end.
    pub(super) fn go_on(&mut self, launch: &Launch, mut running: Running) -> Result<LaunchStats, DeviceError> {
        if running.phase == Phase::Writing {
            let what = "L2 has not acknowledged what the host has written";
            self.wait_for(&running, what, |shared| shared.host.is_idle())?;
            running = self.start(launch);
        }
        if running.phase == Phase::Running {
            let ended = self.run(&running);
            running = self.end(&running, ended)?;
        }
        self.wait_for(&running, "L2 has lines that are to be written to DRAM", Shared::is_flushed)?;
        self.parts.shared().set_flush(false);
        self.round(Command::Run);
        Ok(running.counts.total())
    }

    /// Rounds of a phase in which no core runs, until something has happened.
    fn wait_for(
        &mut self,
        running: &Running,
        what: &str,
        has_happened: impl Fn(&Shared<E>) -> bool,
    ) -> Result<(), DeviceError> {
        while !has_happened(self.parts.shared()) {
            if self.checkpoints.is_due(self.cycle) {
                self.take_checkpoint(running);
            }
            let cycles = self.cycle - running.start;
            if self.limits.interrupt.load(Ordering::Relaxed) {
                self.take_last_checkpoint(running);
                return Err(DeviceError::Interrupted { cycles });
            }
            if cycles >= MOST_BETWEEN_LAUNCHES {
                return Err(DeviceError::Deadlock { cycles, waiting: format!("  no core is busy; {what}") });
            }
            self.round(Command::Run);
            if let Some(violation) = self.parts.take_violation() {
                return Err(violation.into());
            }
        }
        Ok(())
    }
}

impl<E: Engine + Send> Parts<E> {
    /// Between two rounds of a launch: whether it goes on; if not, the cycle in which a core was busy last.
    fn check(&self, start: u64, now: u64, limits: &Limits) -> ControlFlow<Result<u64, DeviceError>> {
        if let Some(violation) = self.take_violation() {
            return ControlFlow::Break(Err(violation.into()));
        }
        let seen = self.each(|tile| tile.seen);
        let trapped = seen.iter().enumerate().filter_map(|(core, seen)| Some((seen.trapped?, core)));
        if let Some((_, core)) = trapped.min() {
            return ControlFlow::Break(Err(self.trap(core)));
        }
        let last = |of: fn(&Seen) -> u64| seen.iter().map(of).max().unwrap_or(start);
        let busy = last(|seen| seen.busy);
        if busy < now && now - start > UNTIL_BUSY {
            return ControlFlow::Break(Ok(busy));
        }
        let (cycles, silent) = (now - start, now - last(|seen| seen.issue));
        if cycles >= limits.cycles {
            let (limit, running) = (limits.cycles, self.waiting(false));
            return ControlFlow::Break(Err(DeviceError::Limit { limit, unit: "cycles", running }));
        }
        if silent >= limits.silence {
            return ControlFlow::Break(Err(DeviceError::Deadlock { cycles: silent, waiting: self.waiting(true) }));
        }
        if limits.interrupt.load(Ordering::Relaxed) {
            return ControlFlow::Break(Err(DeviceError::Interrupted { cycles }));
        }
        ControlFlow::Continue(())
    }

    /// Why a core has stopped.
    fn trap(&self, core: usize) -> DeviceError {
        match self.each(|tile| tile.core.trap(&self.program)).swap_remove(core) {
            DeviceError::Trap(mut trap) => {
                trap.core = Some(core);
                DeviceError::Trap(trap)
            }
            error => error,
        }
    }

    /// Where the warps of each core are.
    fn waiting(&self, silent: bool) -> String {
        let warps = self.each(|tile| tile.core.waiting(&self.program, silent));
        let of_core = |(number, warps): (usize, &String)| format!("  core {number}\n{warps}");
        warps.iter().enumerate().map(of_core).collect::<Vec<_>>().join("\n")
    }
}
