//! One program to run, with everything but the core.
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{Buffer, Device, DeviceError, Jitter, MemoryTiming, Session};
use warploom_runtime::kernels::Random;
use warploom_runtime::loader::{LoadError, Program};

use crate::random_program::{COUNTERS, Choices, REGION, Shape, TABLE, generate};

/// See the [module documentation](super).
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The program; what its arguments are: [`generate`].
    pub program: Program,
    /// What it is launched with.
    pub shape: Shape,
    /// The memory behind the core.
    pub timing: MemoryTiming,
    /// Seed of the contents of the buffers; 0: zeros.
    pub data: u32,
}

/// What lies in global memory: before a run where, after it what.
pub struct Buffers {
    /// Words that each thread owns.
    pub regions: Buffer,
    /// Shared counters.
    pub counters: Buffer,
    /// What nobody writes, and behind it bytes of every thread.
    pub table: Buffer,
    /// The contents of all three, in this order.
    pub words: Vec<u32>,
    /// What the counters were at first.
    pub counters_before: Vec<u32>,
    /// Instructions of all threads.
    pub thread_instructions: u64,
}

impl Case {
    /// A case for a core of these sizes.
    ///
    /// # Errors
    /// If the generator is wrong: its programs can always be loaded.
    pub fn draw(choices: &mut Choices, config: &CoreConfig) -> Result<Self, LoadError> {
        let shape = Shape::draw(choices, config);
        let timing = timing(choices);
        let data = choices.below(u32::MAX);
        Ok(Self { program: generate(choices, &shape)?, shape, timing, data })
    }

    /// Runs it.
    ///
    /// # Errors
    /// Those of the device.
    pub fn run(&self, device: &mut dyn Device) -> Result<Buffers, DeviceError> {
        let mut random = Random::new(self.data.into());
        let mut contents = |words: usize| if self.data == 0 { vec![0; words] } else { random.words(words) };
        let mut session = Session::new(device, &self.program)?;
        let regions = session.buffer(&contents((self.shape.all_threads() * REGION / 4) as usize))?;
        let counters_before = contents(COUNTERS);
        let counters = session.buffer(&counters_before)?;
        let table = session.buffer(&contents(TABLE + (self.shape.all_threads() as usize).div_ceil(2)))?;
        let Shape { grid, block, .. } = self.shape;
        session.launch(grid, block, self.shape.shared_words(), &[regions.address, counters.address, table.address])?;
        let words = [regions, counters, table].map(|buffer| session.read(buffer)).concat();
        let thread_instructions = session.totals().0.thread_instructions;
        Ok(Buffers { regions, counters, table, words, counters_before, thread_instructions })
    }
}

/// Quick, slow, narrow or unruly memory.
fn timing(choices: &mut Choices) -> MemoryTiming {
    let quick = MemoryTiming { l2_latency: 4, dram_latency: 30, ..MemoryTiming::default() };
    let seed = |choices: &mut Choices| u64::from(choices.below(1 << 16));
    match choices.below(8) {
        0 | 1 => quick,
        2 => MemoryTiming { l2_latency: 1, dram_latency: 1, dram_bandwidth: 64.0, ..quick },
        3 => MemoryTiming::default(),
        4 => {
            let dram_latency = 100 + u64::from(choices.below(901));
            let queue = 1 + choices.below(8) as usize;
            MemoryTiming { l2_bytes: 0, dram_latency, queue, ..quick }
        }
        5 => MemoryTiming { l2_bytes: 2048, l2_ways: 2, queue: 2, dram_bandwidth: 8.0, ..quick },
        _ => {
            let (delay, refuse) = (u64::from(1 + choices.below(120)), choices.below(200) as u8);
            MemoryTiming { jitter: Some(Jitter { seed: seed(choices), delay, refuse }), ..quick }
        }
    }
}
