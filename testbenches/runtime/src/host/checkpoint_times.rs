//! When checkpoints of a device are taken, and who takes them.

/// When checkpoints are taken. Cycles are those of the device, loading included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckpointTime {
    /// When a launch is interrupted, or reaches the limit of its cycles.
    Stop,
    /// Then, and whenever so many cycles have passed (0 counts as 1).
    Every(u64),
    /// Once: as soon as a launch can be kept from this cycle on, or when one is stopped before.
    At(u64),
}

/// Called with the device in the middle of a launch.
type TakeCheckpoint<'a, D> = Box<dyn FnMut(&D) + 'a>;

/// Who takes checkpoints of a device.
pub(super) struct Checkpoints<'a, D> {
    time: CheckpointTime,
    /// The next one.
    due: u64,
    take: Option<TakeCheckpoint<'a, D>>,
}

impl<'a, D> Checkpoints<'a, D> {
    /// Nobody does.
    pub fn none() -> Self {
        Self { time: CheckpointTime::Stop, due: u64::MAX, take: None }
    }

    /// From this cycle on.
    pub fn new(time: CheckpointTime, cycle: u64, take: impl FnMut(&D) + 'a) -> Self {
        let mut checkpoints = Self { time, due: u64::MAX, take: Some(Box::new(take)) };
        match time {
            CheckpointTime::At(cycle) => checkpoints.due = cycle,
            CheckpointTime::Stop | CheckpointTime::Every(_) => checkpoints.schedule(cycle),
        }
        checkpoints
    }

    /// The cycle from which on one is to be taken.
    pub fn due(&self) -> u64 {
        self.due
    }

    /// After one in this cycle.
    fn schedule(&mut self, cycle: u64) {
        self.due = match self.time {
            CheckpointTime::Every(cycles) => (cycle / cycles.max(1) + 1).saturating_mul(cycles.max(1)),
            CheckpointTime::Stop | CheckpointTime::At(_) => u64::MAX,
        };
    }

    /// The only one has been taken.
    fn are_done(&self) -> bool {
        matches!(self.time, CheckpointTime::At(_)) && self.due == u64::MAX
    }
}

/// A device whose launches can be kept while they are under way.
pub(super) trait Interruptible<'a>: Sized {
    /// A launch under way.
    type Running: Clone;

    fn checkpoints(&mut self) -> &mut Checkpoints<'a, Self>;

    /// Where a checkpoint finds the launch.
    fn running(&mut self) -> &mut Option<Self::Running>;

    /// Cycles so far.
    fn now(&self) -> u64;

    /// The launch can be kept as it is now.
    fn take_checkpoint(&mut self, running: &Self::Running) {
        let now = self.now();
        self.checkpoints().schedule(now);
        let Some(mut take) = self.checkpoints().take.take() else { return };
        *self.running() = Some(running.clone());
        take(self);
        *self.running() = None;
        self.checkpoints().take = Some(take);
    }

    /// The launch is about to be stopped, and could go on otherwise.
    fn take_last_checkpoint(&mut self, running: &Self::Running) {
        if !self.checkpoints().are_done() {
            self.take_checkpoint(running);
        }
    }
}
