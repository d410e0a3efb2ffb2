//! Checkpoints of a GPU: what is in them, and how it goes on from one. They are of what lies between two rounds.
use serde::{Deserialize, Serialize};
use warploom_sim::Engine;

use super::launch::Running;
use super::parts::PartsState;
use super::{GpuCounts, GpuDevice};
use crate::host::DeviceError;
use crate::host::checkpoint::{CORE, Checkpoint, CheckpointError, Contents, Origin, describe};
use crate::host::checkpoint_times::{CheckpointTime, Checkpoints, Interruptible};
use crate::host::history::History;

/// Of a GPU, between two rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::host) struct GpuContents {
    parts: PartsState,
    counts: GpuCounts,
    fresh: bool,
    compact: bool,
    permute: bool,
    pub cycle: u64,
    launches: u64,
    running: Option<Running>,
    history: History,
}

impl<'a, E: Engine + Send> Interruptible<'a> for GpuDevice<'a, E> {
    type Running = Running;

    fn checkpoints(&mut self) -> &mut Checkpoints<'a, Self> {
        &mut self.checkpoints
    }

    fn running(&mut self) -> &mut Option<Running> {
        &mut self.running
    }

    fn now(&self) -> u64 {
        self.cycle
    }
}

impl<'a, E: Engine + Send> GpuDevice<'a, E> {
    /// As [`RtlDevice::set_checkpoints`](crate::host::RtlDevice::set_checkpoints).
    pub fn set_checkpoints(&mut self, time: CheckpointTime, take: impl FnMut(&Self) + 'a) {
        self.checkpoints = Checkpoints::new(time, self.cycle, take);
    }

    /// As [`RtlDevice::check_past`](crate::host::RtlDevice::check_past).
    pub fn check_past(&self) -> Result<(), DeviceError> {
        self.history.check_past()
    }
}

impl GpuDevice<'_> {
    /// As [`RtlDevice::checkpoint`](crate::host::RtlDevice::checkpoint).
    pub fn checkpoint(&self, setup: &str) -> Option<Checkpoint> {
        let sizes = [describe(&self.config), describe(&self.system)].concat();
        self.history.is_repeatable().then(|| Checkpoint {
            origin: Origin::new(setup, sizes, self.parts.fingerprint(), &self.parts.program),
            contents: Contents::Gpu(Box::new(GpuContents {
                parts: self.parts.save(),
                counts: self.counts.clone(),
                fresh: self.fresh,
                compact: self.compact,
                permute: self.permute,
                cycle: self.cycle,
                launches: self.launches,
                running: self.running.clone(),
                history: self.history.clone(),
            })),
        })
    }

    /// As [`RtlDevice::restore`](crate::host::RtlDevice::restore).
    ///
    /// # Errors
    /// If it is of another GPU; nothing has changed then.
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), CheckpointError> {
        checkpoint.check_gpu(&self.config, &self.system)?;
        checkpoint.check_hardware(self.parts.fingerprint())?;
        let Contents::Gpu(contents) = checkpoint.contents else { return Err(CheckpointError::OtherKind(CORE)) };
        self.parts.restore(contents.parts, &self.system)?;
        self.counts = contents.counts;
        self.fresh = contents.fresh;
        self.compact = contents.compact;
        self.set_permutation(contents.permute);
        self.cycle = contents.cycle;
        self.launches = contents.launches;
        self.running = contents.running;
        self.history = contents.history;
        self.history.repeat();
        Ok(())
    }
}
