//! A launch, phase by phase, so that it can go on from within each of them.
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};
use warploom_sim::Engine;

use super::parts::{Command, Parts, Progress};
use super::tile::{Seen, Tile};
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
        self.parts.interconnect.configure(launch.grid);
        self.parts.tiles.iter_mut().for_each(|tile| {
            tile.core.configure(values);
            tile.forget(running.start);
        });
        self.round(Command::Launch);
        running
    }

    /// Goes on until no core is busy; the cycle in which the last one was.
    fn run(&mut self, running: &Running) -> Result<u64, DeviceError> {
        let (start, limits) = (running.start, self.limits.clone());
        let stop = self.until_stop(running, |progress| progress.stop(start, &limits));
        self.parts.ended(stop, &limits)
    }

    /// Goes on in a phase in which no core runs, until something has happened.
    fn wait_for(
        &mut self,
        running: &Running,
        what: &str,
        happens: impl Fn(&Progress<E>) -> bool + Sync,
    ) -> Result<(), DeviceError> {
        let (start, limits) = (running.start, self.limits.clone());
        let stop = self.until_stop(running, |progress| progress.wait(start, &limits, &happens));
        match stop {
            Stop::Ended(_) => Ok(()),
            Stop::Silence(cycles) => {
                Err(DeviceError::Deadlock { cycles, waiting: format!("  no core is busy; {what}") })
            }
            stop => self.parts.ended(stop, &limits).map(|_| ()),
        }
    }

    /// Rounds until `stops` says so, with the checkpoints that are due meanwhile, and one that a launch can go on from later.
    fn until_stop(&mut self, running: &Running, stops: impl Fn(&mut Progress<E>) -> Option<Stop> + Sync) -> Stop {
        let stop = loop {
            match self.rounds(running.phase, &stops) {
                None => self.take_checkpoint(running),
                Some(stop) => break stop,
            }
        };
        if let Stop::Limit | Stop::Interrupt(_) = stop {
            self.take_last_checkpoint(running);
        }
        stop
    }

    /// Rounds until there is a reason to stop or a checkpoint is due. One more follows, so that parts on several threads need not wait for each other to see it; not where the host writes, which takes a
    /// few rounds on one thread.
    fn rounds(&mut self, phase: Phase, stops: &(impl Fn(&mut Progress<E>) -> Option<Stop> + Sync)) -> Option<Stop> {
        let due = self.checkpoints.due();
        if self.observers.is_empty() && self.parts.threads > 1 && phase != Phase::Writing {
            let found = OnceLock::new();
            self.cycle = self.parts.together(self.cycle, |progress| match stops(progress) {
                None if progress.now < due => ControlFlow::Continue(()),
                stop => {
                    found.get_or_init(|| stop);
                    ControlFlow::Break(())
                }
            });
            return found.into_inner().flatten();
        }
        loop {
            let stop = stops(&mut self.parts.progress(self.cycle));
            let is_over = stop.is_some() || self.cycle >= due;
            if phase != Phase::Writing || !is_over {
                self.round(Command::Run);
            }
            if is_over {
                return stop;
            }
        }
    }

    /// The cores have ended, or were stopped. Behind that, L2 writes what is in it only to DRAM.
    fn end(&mut self, running: &Running, ended: Result<u64, DeviceError>) -> Result<Running, DeviceError> {
        // The counters see an event two cycles later: there was a round since.
        let cycles = ended.as_ref().map_or(self.cycle, |last| last + 1) - running.start;
        let counts = GpuCounts { cycles, ..self.counters() }.since(&running.counts);
        self.counts.add(&counts);
        ended?;
        self.set_flush(true);
        self.round(Command::Run);
        Ok(Running { phase: Phase::Flushing, start: self.cycle, counts })
    }

    fn set_flush(&mut self, on: bool) {
        self.parts.partitions.iter_mut().for_each(|partition| partition.set_flush(on));
    }

    /// From where a launch is to its end.
    pub(super) fn go_on(&mut self, launch: &Launch, mut running: Running) -> Result<LaunchStats, DeviceError> {
        if running.phase == Phase::Writing {
            let what = "L2 has not acknowledged what the host has written";
            self.wait_for(&running, what, |progress| progress.interconnect.host.is_idle())?;
            running = self.start(launch);
        }
        if running.phase == Phase::Running {
            let ended = self.run(&running);
            running = self.end(&running, ended)?;
        }
        let what = "L2 has lines that are to be written to DRAM";
        self.wait_for(&running, what, |progress| progress.conditions.iter().all(|partition| partition.flushed))?;
        self.set_flush(false);
        Ok(running.counts.total())
    }
}

/// Why a launch stops.
#[derive(Clone, Copy, Debug)]
enum Stop {
    /// DRAM was given a command that it did not allow.
    Violation,
    /// A core trapped.
    Trap(usize),
    /// No core is busy; the cycle in which one was last.
    Ended(u64),
    /// No more cycles are allowed.
    Limit,
    /// No core has issued an instruction in so many cycles.
    Silence(u64),
    /// From outside, after so many cycles.
    Interrupt(u64),
}

impl<E: Engine> Progress<'_, E> {
    fn has_violated(&self) -> bool {
        self.conditions.iter().any(|partition| partition.violated)
    }

    /// Whether a launch is to stop while the cores run, and why.
    fn stop(&self, start: u64, limits: &Limits) -> Option<Stop> {
        let trapped = self.seen.iter().enumerate().filter_map(|(core, seen)| Some((seen.trapped?, core)));
        let last = |of: fn(&Seen) -> u64| self.seen.iter().map(of).max().unwrap_or(start);
        let (busy, issue) = (last(|seen| seen.busy), last(|seen| seen.issue));
        let (cycles, silent) = (self.now - start, self.now - issue);
        if self.has_violated() {
            Some(Stop::Violation)
        } else if let Some((_, core)) = trapped.min() {
            Some(Stop::Trap(core))
        } else if busy < self.now && cycles > UNTIL_BUSY {
            Some(Stop::Ended(busy))
        } else if cycles >= limits.cycles {
            Some(Stop::Limit)
        } else if silent >= limits.silence {
            Some(Stop::Silence(silent))
        } else {
            interrupt(limits, cycles)
        }
    }

    /// The same while none runs.
    fn wait(&self, start: u64, limits: &Limits, happens: impl Fn(&Self) -> bool) -> Option<Stop> {
        let cycles = self.now - start;
        if self.has_violated() {
            Some(Stop::Violation)
        } else if happens(self) {
            Some(Stop::Ended(self.now))
        } else if cycles >= MOST_BETWEEN_LAUNCHES {
            Some(Stop::Silence(cycles))
        } else {
            interrupt(limits, cycles)
        }
    }
}

fn interrupt(limits: &Limits, cycles: u64) -> Option<Stop> {
    limits.interrupt.load(Ordering::Relaxed).then_some(Stop::Interrupt(cycles))
}

impl<E: Engine + Send> Parts<E> {
    /// How a launch has ended that stopped for this reason.
    fn ended(&mut self, stop: Stop, limits: &Limits) -> Result<u64, DeviceError> {
        Err(match stop {
            Stop::Ended(busy) => return Ok(busy),
            Stop::Violation => {
                let violation = self.partitions.iter_mut().find_map(|partition| partition.violation.take());
                violation.expect("there was one").into()
            }
            Stop::Trap(core) => self.trap(core),
            Stop::Limit => DeviceError::Limit { limit: limits.cycles, unit: "cycles", running: self.waiting(false) },
            Stop::Silence(cycles) => DeviceError::Deadlock { cycles, waiting: self.waiting(true) },
            Stop::Interrupt(cycles) => DeviceError::Interrupted { cycles },
        })
    }

    /// Why a core has stopped.
    fn trap(&self, core: usize) -> DeviceError {
        match self.tiles[core].core.trap(&self.program) {
            DeviceError::Trap(mut trap) => {
                trap.core = Some(core);
                DeviceError::Trap(trap)
            }
            error => error,
        }
    }

    /// Where the warps of each core are.
    fn waiting(&self, silent: bool) -> String {
        let of_core = |(number, tile): (usize, &Tile<E>)| {
            format!("  core {number}\n{}", tile.core.waiting(&self.program, silent))
        };
        self.tiles.iter().enumerate().map(of_core).collect::<Vec<_>>().join("\n")
    }
}
