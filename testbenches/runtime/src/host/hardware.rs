//! [`Hardware`]: what a kernel runs on, a core alone or a GPU, for who takes either.
use std::ops::Range;

use warploom_sim::Simulator;

use super::{
    Checkpoint, CheckpointError, CheckpointTime, Device, DeviceError, GpuCounts, GpuDevice, LaunchStats, Observer,
    RtlDevice,
};

/// A core, or a GPU of which one core is watched.
pub enum Hardware<'a> {
    /// Before the host's model of its memory.
    Core(Box<RtlDevice<'a>>),
    /// With the core that is watched.
    Gpu(Box<GpuDevice<'a>>, usize),
}

impl<'a> Hardware<'a> {
    /// The simulator of the core, the one that is watched.
    pub fn engine(&mut self) -> &Simulator {
        match self {
            Self::Core(device) => device.engine(),
            Self::Gpu(device, core) => device.engine(*core),
        }
    }

    /// Watches every cycle of it from now on.
    pub fn observe(&mut self, observer: Observer<'a>) {
        self.observe_within(0..u64::MAX, observer);
    }

    /// Watches every one of these cycles of it, as [`RtlDevice::observe_within`]. Of a GPU all are seen.
    pub fn observe_within(&mut self, cycles: Range<u64>, observer: Observer<'a>) {
        match self {
            Self::Core(device) => device.observe_within(cycles, observer),
            Self::Gpu(device, core) => device.observe(*core, observer),
        }
    }

    /// Hands checkpoints to `keep` from now on, as [`RtlDevice::set_checkpoints`] and [`RtlDevice::checkpoint`] have them.
    pub fn set_checkpoints(&mut self, time: CheckpointTime, setup: String, mut keep: impl FnMut(Checkpoint) + 'a) {
        match self {
            Self::Core(device) => {
                device.set_checkpoints(time, move |device| device.checkpoint(&setup).map_or((), &mut keep))
            }
            Self::Gpu(device, _) => {
                device.set_checkpoints(time, move |device| device.checkpoint(&setup).map_or((), &mut keep))
            }
        }
    }

    /// As [`RtlDevice::restore`].
    ///
    /// # Errors
    /// If it is of other hardware.
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), CheckpointError> {
        match self {
            Self::Core(device) => device.restore(checkpoint),
            Self::Gpu(device, _) => device.restore(checkpoint),
        }
    }

    /// As [`RtlDevice::check_past`].
    ///
    /// # Errors
    /// If it did not.
    pub fn check_past(&self) -> Result<(), DeviceError> {
        match self {
            Self::Core(device) => device.check_past(),
            Self::Gpu(device, _) => device.check_past(),
        }
    }

    /// As what runs kernels.
    pub fn device(&mut self) -> &mut dyn Device {
        match self {
            Self::Core(device) => device.as_mut(),
            Self::Gpu(device, _) => device.as_mut(),
        }
    }

    /// The core, if it is one alone.
    pub fn core(&mut self) -> Option<&mut RtlDevice<'a>> {
        match self {
            Self::Core(device) => Some(device),
            Self::Gpu(..) => None,
        }
    }

    /// Cycles of a core so far, loading included.
    pub fn cycle(&self) -> u64 {
        match self {
            Self::Core(device) => device.cycle(),
            Self::Gpu(device, _) => device.cycle(),
        }
    }

    /// Launches so far, a stopped one included.
    pub fn launches(&self) -> u64 {
        match self {
            Self::Core(device) => device.launches(),
            Self::Gpu(device, _) => device.launches(),
        }
    }

    /// What the counters say about all of them; of a GPU, of all cores.
    pub fn totals(&self) -> LaunchStats {
        match self {
            Self::Core(device) => device.totals(),
            Self::Gpu(device, _) => device.counts().total(),
        }
    }

    /// The counters of a GPU, core by core and channel by channel.
    pub fn counts(&self) -> Option<GpuCounts> {
        match self {
            Self::Core(_) => None,
            Self::Gpu(device, _) => Some(device.counts().clone()),
        }
    }
}
