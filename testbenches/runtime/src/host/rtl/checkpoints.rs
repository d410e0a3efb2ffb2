//! Checkpoints of a core: what is in them, and how it goes on from one.
use serde::{Deserialize, Serialize};
use warploom_sim::{Engine, State};

use super::{RtlDevice, Running, Transfers};
use crate::host::checkpoint::{Checkpoint, CheckpointError, Contents, GPU, Origin, describe};
use crate::host::checkpoint_times::{CheckpointTime, Checkpoints, Interruptible};
use crate::host::history::History;
use crate::host::memory_model::MemoryModel;
use crate::host::run_state::WarpTrace;
use crate::host::sparse::Sparse;
use crate::host::{DeviceError, GlobalMemory};

/// Of a core alone, between two cycles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::host) struct CoreContents {
    state: State,
    memory: Sparse,
    model: MemoryModel,
    compact: bool,
    permute: bool,
    pub cycle: u64,
    launches: u64,
    running: Option<Running>,
    warps: Vec<WarpTrace>,
    transfers: Transfers,
    history: History,
}

impl<'a, E: Engine> Interruptible<'a> for RtlDevice<'a, E> {
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

impl<'a, E: Engine> RtlDevice<'a, E> {
    /// Calls `take` when a checkpoint is due, from this cycle on. It can call [`checkpoint`](Self::checkpoint).
    pub fn set_checkpoints(&mut self, time: CheckpointTime, take: impl FnMut(&Self) + 'a) {
        self.checkpoints = Checkpoints::new(time, self.cycle, take);
    }

    /// After the host program: whether it came to where the device had been restored.
    pub fn check_past(&self) -> Result<(), DeviceError> {
        self.history.check_past()
    }
}

impl RtlDevice<'_> {
    /// All there is between two cycles, for [`set_checkpoints`](Self::set_checkpoints) or between two launches. `setup` is kept with it.
    ///
    /// `None` after a launch that was stopped, and until the host program has come to where a restored device is: it could not be
    /// repeated.
    pub fn checkpoint(&self, setup: &str) -> Option<Checkpoint> {
        self.history.is_repeatable().then(|| Checkpoint {
            origin: Origin::new(setup, describe(&self.core.config), self.core.engine.fingerprint(), &self.program),
            contents: Contents::Core(Box::new(CoreContents {
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
            })),
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
        let Contents::Core(contents) = checkpoint.contents else { return Err(CheckpointError::OtherKind(GPU)) };
        self.core.engine.restore(&contents.state)?;
        self.memory = GlobalMemory::from_sparse(&contents.memory);
        self.model = contents.model;
        self.compact = contents.compact;
        self.core.permute = contents.permute;
        self.cycle = contents.cycle;
        self.launches = contents.launches;
        self.running = contents.running;
        self.core.warps = contents.warps;
        self.transfers = contents.transfers;
        self.stopped = false;
        self.history = contents.history;
        self.history.repeat();
        Ok(())
    }
}
