//! [`WholeGpu`]: cores and what they share as one netlist with one clock, to compare the parts that are simulated apart with.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu::Gpu;
use warploom_hdl::memory_system::SystemConfig;
use warploom_hdl::performance_counters::{PERFORMANCE_COUNTERS, PerformanceCounts};
use warploom_runtime::host::dram::DramArray;
use warploom_runtime::host::inputs::{self, INSTRUCTION_PORTS, LAUNCH_PORTS, Switches};
use warploom_runtime::host::{DEFAULT_GLOBAL_BYTES, Device, DeviceError, GlobalMemory, GpuMemory, Launch, LaunchStats};
use warploom_runtime::loader::Program;

use crate::dram_model::pins;
use crate::module_simulator::ModuleSimulator;

/// A GPU for one program, whose host writes before the first launch only: it has no link to L2.
pub struct WholeGpu {
    module: ModuleSimulator,
    memory: GpuMemory,
    arrays: Vec<DramArray>,
    config: CoreConfig,
    system: SystemConfig,
    program: Program,
    launched: bool,
    /// Cycles since the reset, with it.
    passed: usize,
}

impl WholeGpu {
    /// After a reset.
    ///
    /// # Panics
    /// If it cannot be built.
    pub fn new(config: CoreConfig, system: SystemConfig) -> Self {
        Self {
            module: ModuleSimulator::new(Gpu::new(&config, &system), &[]),
            memory: GpuMemory::new(DEFAULT_GLOBAL_BYTES, &config, &system),
            arrays: (0..system.channels).map(|_| DramArray::new(&system.dram)).collect(),
            config,
            system,
            program: Program::empty(),
            launched: false,
            passed: 0,
        }
    }

    /// A cycle; whether a core was busy.
    fn cycle(&mut self) -> Result<bool, DeviceError> {
        let (module, beat) = (&mut self.module, self.system.dram.beat_words());
        for (channel, array) in self.arrays.iter().enumerate() {
            for (word, data) in array.drives().into_iter().flatten().enumerate() {
                module.set(&format!("read_data[{}]", channel * beat + word), *data);
            }
        }
        module.evaluate();
        for (channel, array) in self.arrays.iter_mut().enumerate() {
            let pins = pins(module, beat, &format!("[{channel}]"));
            array.clock(&pins, &mut self.memory.of_channel(channel))?;
        }
        let busy = module.get("busy") == 1;
        module.step();
        self.passed += 1;
        Ok(busy)
    }

    /// What each core has counted.
    pub fn counts(&mut self) -> Vec<PerformanceCounts> {
        let count = PERFORMANCE_COUNTERS.len();
        let mut of_core = |core: usize| {
            let values =
                (0..count).map(|number| self.module.get(&format!("counter[{}]", core * count + number)) as u64);
            PerformanceCounts::of(values.collect::<Vec<_>>())
        };
        (0..self.system.cores).map(&mut of_core).collect()
    }
}

impl Device for WholeGpu {
    fn config(&self) -> &CoreConfig {
        &self.config
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        &mut self.memory.global
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        assert!(!self.launched, "L2 may have what was there");
        self.memory.global.write_words(address, words);
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.memory().words(address, count)
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        self.program = program.clone();
        self.module.reset();
        self.passed = 1;
        self.memory.global.initialise(program);
        self.module.set("load_enable", 1u64);
        for index in 0..program.words.len() {
            self.module.set("load_address", index as u64);
            for (port, value) in INSTRUCTION_PORTS.iter().zip(inputs::instruction(program, &self.config, index)) {
                self.module.set(port, value);
            }
            self.cycle()?;
        }
        self.module.set("load_enable", 0u64);
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.launched = true;
        launch.check(&self.config, &self.program)?;
        // Launches of parts begin with a round: at another phase of slower clocks it would be another launch.
        while !self.passed.is_multiple_of(self.system.link_cycles) {
            self.cycle()?;
        }
        let switches = Switches { compact: true, permute: true };
        let size = self.memory.global.size();
        for (port, value) in
            LAUNCH_PORTS.iter().zip(inputs::launch(launch, &self.program, &self.config, size, switches))
        {
            self.module.set(port, value);
        }
        self.module.set("launch_start", 1u64);
        self.cycle()?;
        self.module.set("launch_start", 0u64);
        // The launch, the cycle behind it, and the one in which no core is busy.
        let mut cycles = 3;
        self.cycle()?;
        while self.cycle()? {
            cycles += 1;
            assert!(cycles < 10_000_000, "it has no end");
        }
        // The counters see an event two cycles later.
        for _ in 0..3 {
            self.cycle()?;
        }
        let mut stats = LaunchStats::default();
        stats.counts.cycles = cycles;
        self.module.set("flush", 1u64);
        self.cycle()?;
        while self.module.get("flushed") == 0 {
            self.cycle()?;
        }
        self.module.set("flush", 0u64);
        self.cycle()?;
        Ok(stats)
    }
}
