//! The reference model with someone who looks at what threads have done.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Device, DeviceError, GlobalMemory, Launch, LaunchStats};
use warploom_runtime::loader::Program;

use super::{ReferenceDevice, ThreadRecord};

/// Who is told.
pub trait Observer {
    /// The threads of a CTA, in order, have run the program to their ends.
    fn cta(&mut self, program: &Program, threads: &[ThreadRecord]);
}

/// A reference device, and its observer.
pub struct Observed<O> {
    device: ReferenceDevice,
    program: Program,
    /// Is told of every CTA of every launch that comes to its end.
    pub observer: O,
}

impl<O> Observed<O> {
    /// Records what threads do on this device.
    pub fn new(mut device: ReferenceDevice, observer: O) -> Self {
        device.record();
        Self { device, program: Program::empty(), observer }
    }
}

impl<O: Observer> Device for Observed<O> {
    fn config(&self) -> &CoreConfig {
        self.device.config()
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        self.device.memory()
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.device.read(address, count)
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.device.write(address, words);
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        self.program = program.clone();
        self.device.load(program)
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        let stats = self.device.launch(launch)?;
        for threads in self.device.records().chunks(launch.threads()) {
            self.observer.cta(&self.program, threads);
        }
        Ok(stats)
    }
}
