//! When a device's checkpoints are taken, what is in them, and how it goes on from one.
use warploom_sim::Engine;

use super::{RtlDevice, Running};
use crate::host::checkpoint::{Checkpoint, CheckpointError, describe};
use crate::host::{DeviceError, GlobalMemory};

/// When checkpoints are taken. Cycles are those of [`RtlDevice::cycle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointTime {
    /// When a launch is interrupted, or reaches the limit of its cycles.
    Stop,
    /// Then, and whenever so many cycles have passed (0 counts as 1).
    Every(u64),
    /// Once: in the first cycle of a launch from this one on, or when a launch is stopped before.
    At(u64),
}

/// Called with the device between two cycles of a launch.
type TakeCheckpoint<'a, E> = Box<dyn FnMut(&RtlDevice<'a, E>) + 'a>;

/// Who takes checkpoints.
pub(super) struct Checkpoints<'a, E> {
    time: CheckpointTime,
    /// The next one.
    due: u64,
    take: Option<TakeCheckpoint<'a, E>>,
}

impl<E> Checkpoints<'_, E> {
    pub(super) fn none() -> Self {
        Self { time: CheckpointTime::Stop, due: u64::MAX, take: None }
    }

    /// Whether one is to be taken in this cycle.
    pub(super) fn is_due(&self, cycle: u64) -> bool {
        cycle >= self.due
    }

    /// After one in this cycle.
    fn schedule(&mut self, cycle: u64) {
        self.due = match self.time {
            CheckpointTime::Every(cycles) => (cycle / cycles.max(1) + 1).saturating_mul(cycles.max(1)),
            CheckpointTime::Stop | CheckpointTime::At(_) => u64::MAX,
        };
    }
}

impl<'a, E: Engine> RtlDevice<'a, E> {
    /// Calls `take` when a checkpoint is due, from this cycle on. It can call [`checkpoint`](Self::checkpoint).
    pub fn set_checkpoints(&mut self, time: CheckpointTime, take: impl FnMut(&Self) + 'a) {
        self.checkpoints = Checkpoints { time, due: u64::MAX, take: Some(Box::new(take)) };
        match time {
            CheckpointTime::At(cycle) => self.checkpoints.due = cycle,
            CheckpointTime::Stop | CheckpointTime::Every(_) => self.checkpoints.schedule(self.cycle),
        }
    }

    /// After the host program: whether it came to where the device had been restored.
    pub fn check_past(&self) -> Result<(), DeviceError> {
        self.history.check_past()
    }

    pub(super) fn take_checkpoint(&mut self, running: &Running) {
        self.checkpoints.schedule(self.cycle);
        let Some(mut take) = self.checkpoints.take.take() else { return };
        self.running = Some(running.clone());
        take(self);
        self.running = None;
        self.checkpoints.take = Some(take);
    }

    /// The launch is about to be stopped, and could go on otherwise.
    pub(super) fn take_last_checkpoint(&mut self, running: &Running) {
        let done = matches!(self.checkpoints.time, CheckpointTime::At(_)) && self.checkpoints.due == u64::MAX;
        if !done {
            self.take_checkpoint(running);
        }
    }
}

impl RtlDevice<'_> {
    /// All there is between two cycles, for [`set_checkpoints`](Self::set_checkpoints) or between two launches. `setup` is kept with it.
    ///
    /// `None` after a launch that was stopped, and until the host program has come to where a restored device is: it could not be
    /// repeated.
    pub fn checkpoint(&self, setup: &str) -> Option<Checkpoint> {
        self.history.is_repeatable().then(|| Checkpoint {
            setup: setup.into(),
            warploom: env!("CARGO_PKG_VERSION").into(),
            core: describe(&self.core.config),
            hardware: self.core.engine.fingerprint(),
            program: self.program.fingerprint(),
            state: self.core.engine.save(),
            memory: self.memory.sparse(),
            model: self.model.clone(),
            compact: self.compact,
            permute: self.core.permute,
            cycle: self.cycle,
            launches: self.launches,
            running: self.running.clone(),
            warps: self.core.warps.clone(),
            transfers: self.transfers.clone(),
            history: self.history.clone(),
        })
    }

    /// Puts the device where the checkpoint was taken, its memory model and its timing included. Then the same host program has to
    /// be run from where it loads its program: what is in the past is answered from the checkpoint.
    ///
    /// # Errors
    /// If it is of another core; nothing has changed then.
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), CheckpointError> {
        checkpoint.check_core(&self.core.config)?;
        checkpoint.check_hardware(self.core.engine.fingerprint())?;
        self.core.engine.restore(&checkpoint.state)?;
        self.memory = GlobalMemory::from_sparse(&checkpoint.memory);
        self.model = checkpoint.model;
        self.compact = checkpoint.compact;
        self.core.permute = checkpoint.permute;
        self.cycle = checkpoint.cycle;
        self.launches = checkpoint.launches;
        self.running = checkpoint.running;
        self.core.warps = checkpoint.warps;
        self.transfers = checkpoint.transfers;
        self.stopped = false;
        self.history = checkpoint.history;
        self.history.repeat();
        Ok(())
    }
}
