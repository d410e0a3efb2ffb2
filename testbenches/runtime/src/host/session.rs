//! A program on a device: buffers, arguments, launches.
use warploom_hdl::config::CoreConfig;

use super::{Device, DeviceError, GlobalMemory, Launch, LaunchStats, stack_top};
use crate::loader::{GLOBAL_BASE, Program, REGISTER_ARGUMENTS, place_of_argument};

/// Buffers start at multiples of this, and of a cache line: no two share one, and no row of threads lies in one more than it must.
const ALIGNMENT: u32 = 64;

/// A piece of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// First address.
    pub address: u32,
    /// Words.
    pub words: usize,
}

/// Where the buffers of a program lie: one behind the other, behind its data and the arguments.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    arguments: Buffer,
    free: u32,
    alignment: u32,
}

impl Layout {
    /// No buffers yet.
    pub fn new(program: &Program, config: &CoreConfig) -> Self {
        let alignment = ALIGNMENT.max(config.line_bytes as u32);
        let arguments = Buffer { address: GLOBAL_BASE, words: 0 };
        let mut layout = Self { arguments, free: program.data_end().next_multiple_of(alignment), alignment };
        layout.arguments = layout.place(program.argument_block_words());
        layout
    }

    /// The next buffer, of so many words.
    pub fn place(&mut self, words: usize) -> Buffer {
        let buffer = Buffer { address: self.free, words };
        self.free = self.free.saturating_add(self.bytes(words) as u32);
        buffer
    }

    /// The argument block.
    pub fn arguments(&self) -> Buffer {
        self.arguments
    }

    /// First address behind what has been placed.
    pub fn end(&self) -> u32 {
        self.free
    }

    /// What the argument block holds for a launch with these arguments.
    pub fn argument_block(&self, config: &CoreConfig, arguments: &[u32]) -> Vec<u32> {
        let mut block = vec![0; self.arguments.words];
        for (word, &argument) in arguments.iter().enumerate() {
            block[place_of_argument(word)] = argument;
        }
        block[REGISTER_ARGUMENTS] = stack_top(config);
        block
    }

    /// What so many words take up.
    fn bytes(&self, words: usize) -> usize {
        (4 * words).next_multiple_of(self.alignment as usize)
    }
}

/// A loaded program with its buffers; counts what its launches cost.
pub struct Session<'a> {
    device: &'a mut dyn Device,
    shared_bytes: u32,
    layout: Layout,
    stats: LaunchStats,
    launches: u64,
}

impl<'a> Session<'a> {
    /// Loads the program.
    pub fn new(device: &'a mut dyn Device, program: &Program) -> Result<Self, DeviceError> {
        device.load(program)?;
        let layout = Layout::new(program, device.config());
        let shared_bytes = program.shared_bytes.next_multiple_of(4);
        let (size, used) = (device.memory().size(), (layout.free - GLOBAL_BASE) as usize);
        if used > size {
            return Err(DeviceError::OutOfMemory { bytes: 4 * program.argument_block_words(), free: 0, size });
        }
        Ok(Self { device, shared_bytes, layout, stats: LaunchStats::default(), launches: 0 })
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
        let used = (self.layout.free - GLOBAL_BASE) as usize;
        let bytes = self.layout.bytes(words);
        if bytes > size.saturating_sub(used) {
            return Err(DeviceError::OutOfMemory { bytes, free: size.saturating_sub(used), size });
        }
        let buffer = self.layout.place(words);
        self.device.write(buffer.address, &vec![0; words]);
        Ok(buffer)
    }

    /// Global memory, past what a checkpoint remembers.
    pub fn memory(&mut self) -> &mut GlobalMemory {
        self.device.memory()
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
        let block_of_arguments = self.layout.argument_block(self.device.config(), arguments);
        self.write(self.layout.arguments, &block_of_arguments);
        let shared_bytes = self.shared_bytes + 4 * shared_words as u32;
        let launch = Launch { grid, block, shared_bytes, arguments: self.layout.arguments.address };
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
