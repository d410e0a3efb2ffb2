//! A program on a device: buffers, arguments, launches.
use warploom_hdl::config::CoreConfig;

use super::{Device, DeviceError, Launch, LaunchStats, stack_top};
use crate::loader::{GLOBAL_BASE, Program, REGISTER_ARGUMENTS, place_of_argument};

/// Buffers start at multiples of this, and of a cache line: no two share one, and no row of threads lies in one more than it must.
const ALIGNMENT: u32 = 64;

fn alignment(device: &dyn Device) -> u32 {
    ALIGNMENT.max(device.config().line_bytes as u32)
}

/// A piece of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// First address.
    pub address: u32,
    /// Words.
    pub words: usize,
}

/// A loaded program with its buffers; counts what its launches cost.
pub struct Session<'a> {
    device: &'a mut dyn Device,
    shared_bytes: u32,
    arguments: Buffer,
    free: u32,
    stats: LaunchStats,
    launches: u64,
}

impl<'a> Session<'a> {
    /// Loads the program.
    pub fn new(device: &'a mut dyn Device, program: &Program) -> Result<Self, DeviceError> {
        device.load(program)?;
        let free = program.data_end().next_multiple_of(alignment(device));
        let shared_bytes = program.shared_bytes.next_multiple_of(4);
        let arguments = Buffer { address: GLOBAL_BASE, words: 0 };
        let stats = LaunchStats::default();
        let mut session = Self { device, shared_bytes, arguments, free, stats, launches: 0 };
        session.arguments = session.zeros(program.argument_block_words())?;
        Ok(session)
    }

    /// Sizes of the device's core.
    pub fn config(&self) -> &CoreConfig {
        self.device.config()
    }

    /// A new buffer with these contents.
    pub fn buffer(&mut self, words: &[u32]) -> Result<Buffer, DeviceError> {
        let buffer = self.zeros(words.len())?;
        self.write(buffer, words);
        Ok(buffer)
    }

    /// A new buffer of zeros.
    pub fn zeros(&mut self, words: usize) -> Result<Buffer, DeviceError> {
        let size = self.device.memory().size();
        let used = (self.free - GLOBAL_BASE) as usize;
        let bytes = (4 * words).next_multiple_of(alignment(self.device) as usize);
        if bytes > size.saturating_sub(used) {
            return Err(DeviceError::OutOfMemory { bytes, free: size.saturating_sub(used), size });
        }
        let buffer = Buffer { address: self.free, words };
        self.free += bytes as u32;
        self.device.write(buffer.address, &vec![0; words]);
        Ok(buffer)
    }

    /// Reads a buffer.
    pub fn read(&mut self, buffer: Buffer) -> Vec<u32> {
        self.device.read(buffer.address, buffer.words)
    }

    /// Overwrites the start of a buffer.
    pub fn write(&mut self, buffer: Buffer, words: &[u32]) {
        assert!(words.len() <= buffer.words, "{} words for a buffer of {}", words.len(), buffer.words);
        self.device.write(buffer.address, words);
    }

    /// Runs a grid with no more arguments than the program takes; `shared_words` of shared memory per CTA besides what the program places.
    pub fn launch(
        &mut self,
        grid: [u32; 3],
        block: [u32; 3],
        shared_words: usize,
        arguments: &[u32],
    ) -> Result<(), DeviceError> {
        let mut block_of_arguments = vec![0; self.arguments.words];
        for (word, &argument) in arguments.iter().enumerate() {
            block_of_arguments[place_of_argument(word)] = argument;
        }
        block_of_arguments[REGISTER_ARGUMENTS] = stack_top(self.device.config());
        self.write(self.arguments, &block_of_arguments);
        let shared_bytes = self.shared_bytes + 4 * shared_words as u32;
        let launch = Launch { grid, block, shared_bytes, arguments: self.arguments.address };
        let stats = self.device.launch(&launch)?;
        self.stats.add(&stats);
        self.launches += 1;
        Ok(())
    }

    /// Sums over the launches so far, and their number.
    pub fn totals(&self) -> (&LaunchStats, u64) {
        (&self.stats, self.launches)
    }
}
