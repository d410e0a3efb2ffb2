//! [`GpuDevice`]: several cores, the interconnect and the memory partitions, each in an engine of its own, in step with each other.
//!
//! Between a core or a partition and the interconnect lie links of registers only. The host keeps what is in these registers, so that what is on either side of them is simulated on its own, and the result is,
//! bit for bit, that of the whole: cores are instances of one compiled design, as are partitions, each part is evaluated in the cycles of its own clock only, and parts may be on threads of their own.
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Simulator};

use super::checkpoint_times::Checkpoints;
use super::history::{History, Repeated};
use super::{DEFAULT_GLOBAL_BYTES, Device, DeviceError, GlobalMemory, Launch, LaunchStats, Limits, Observer, Traffic};
use crate::loader::{Capacity, Program};

mod checkpoints;
mod counts;
mod crew;
mod host_port;
mod interconnect;
mod launch;
mod link;
mod mail;
mod memory;
mod partition;
mod parts;
mod ports;
mod tile;

pub(super) use checkpoints::GpuContents;
pub use counts::{ChannelCounts, GpuCounts};
use interconnect::Interconnect;
use launch::Running;
pub use memory::GpuMemory;
use partition::Partition;
use parts::{Command, Parts};
use tile::Tile;

/// Engines of the parts, which are instances of a few designs.
#[derive(Clone, Debug)]
pub struct GpuEngines<E> {
    /// [`CoreTile`](warploom_hdl::gpu::CoreTile)s.
    pub tiles: Vec<E>,
    /// The [`Interconnect`](warploom_hdl::gpu::Interconnect).
    pub interconnect: E,
    /// [`MemoryPartition`](warploom_hdl::gpu::MemoryPartition)s.
    pub partitions: Vec<E>,
}

impl<E> GpuEngines<E> {
    /// As many as `system` has, of one of each.
    ///
    /// # Errors
    /// If there cannot be another one.
    pub fn of<Error>(
        [tile, interconnect, partition]: [E; 3],
        system: &SystemConfig,
        another: impl Fn(&E) -> Result<E, Error>,
    ) -> Result<Self, Error> {
        let others = |one: E, count: usize| -> Result<Vec<E>, Error> {
            let others = (1..count).map(|_| another(&one)).collect::<Result<Vec<_>, _>>()?;
            Ok([one].into_iter().chain(others).collect())
        };
        let (tiles, partitions) = (others(tile, system.cores)?, others(partition, system.channels)?);
        Ok(Self { tiles, interconnect, partitions })
    }
}

/// Cores, the interconnect, and memory partitions.
pub struct GpuDevice<'a, E = Simulator> {
    parts: Parts<E>,
    config: CoreConfig,
    system: SystemConfig,
    limits: Limits,
    compact: bool,
    permute: bool,
    /// With the core that each sees.
    observers: Vec<(usize, Observer<'a, E>)>,
    /// Cycles of the cores.
    cycle: u64,
    launches: u64,
    /// What the launches so far have counted, core by core; a stopped one included.
    counts: GpuCounts,
    /// Nothing has run since the program was loaded: no line is in L2.
    fresh: bool,
    history: History,
    /// Between two rounds of a launch: for a checkpoint, or from one.
    running: Option<Running>,
    checkpoints: Checkpoints<'a, Self>,
}

impl<'a, E: Engine + Send> GpuDevice<'a, E> {
    /// A GPU that has just been reset: cores `config` and a memory system `system`, simulated by these engines.
    ///
    /// # Panics
    /// If there are not as many of them as `system` says, or they are of another design.
    pub fn new(engines: GpuEngines<E>, config: CoreConfig, system: SystemConfig) -> Self {
        let interconnect = Interconnect::new(engines.interconnect, &system);
        let tiles = engines.tiles.into_iter().enumerate();
        let tiles = tiles.map(|(number, engine)| Tile::new(engine, &config, number, system.link_cycles)).collect();
        let partitions = engines.partitions.into_iter().enumerate();
        let partitions = partitions.map(|(channel, engine)| Partition::new(engine, &system, channel)).collect();
        let memory = GpuMemory::new(DEFAULT_GLOBAL_BYTES, &config, &system);
        let mut device = Self {
            parts: Parts::new(interconnect, tiles, partitions, memory, &system),
            counts: GpuCounts::default(),
            config,
            system,
            limits: Limits::default(),
            compact: true,
            permute: true,
            observers: vec![],
            cycle: 0,
            launches: 0,
            fresh: true,
            history: History::default(),
            running: None,
            checkpoints: Checkpoints::none(),
        };
        device.reset();
        device
    }

    /// Replaces the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// As [`RtlDevice::set_compaction`](super::RtlDevice::set_compaction).
    pub fn set_compaction(&mut self, compact: bool) {
        self.compact = compact;
    }

    /// As [`RtlDevice::set_permutation`](super::RtlDevice::set_permutation).
    pub fn set_permutation(&mut self, on: bool) {
        self.permute = on;
        self.parts.tiles.iter_mut().for_each(|tile| tile.core.permute = on);
    }

    /// On how many threads the parts are simulated while a kernel runs, 1 at first. What comes out is the same.
    pub fn set_threads(&mut self, threads: usize) {
        self.parts.threads = threads.max(1);
    }

    /// Watches every cycle of a core from now on, which takes one thread.
    ///
    /// # Panics
    /// If there is no such core.
    pub fn observe(&mut self, core: usize, observer: Observer<'a, E>) {
        assert!(core < self.system.cores, "core {core} of {}", self.system.cores);
        self.observers.push((core, observer));
    }

    /// How many cores there are.
    pub fn cores(&self) -> usize {
        self.system.cores
    }

    /// The engine of a core.
    ///
    /// # Panics
    /// If there is no such core.
    pub fn engine(&self, core: usize) -> &E {
        &self.parts.tiles[core].core.engine
    }

    /// The engines of the cores, and behind them those of the interconnect and of the partitions.
    pub fn engines(&mut self) -> Vec<&mut E> {
        let Parts { interconnect, tiles, partitions, .. } = &mut self.parts;
        let tiles = tiles.iter_mut().map(|tile| &mut tile.core.engine);
        tiles.chain([&mut interconnect.engine]).chain(partitions.iter_mut().map(|part| &mut part.engine)).collect()
    }

    /// Cycles of the cores so far, loading included.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Launches so far, a stopped one included.
    pub fn launches(&self) -> u64 {
        self.launches
    }

    /// What the counters say about all launches so far, a stopped one included.
    pub fn counts(&self) -> &GpuCounts {
        &self.counts
    }

    /// A round, with what the cores are told in it.
    fn round(&mut self, command: Command) {
        let Self { parts, cycle, observers, .. } = self;
        parts.alone(command, *cycle, &mut |seen, engine, cycle| {
            let own = observers.iter_mut().filter(|(core, _)| *core == seen);
            own.for_each(|(_, observe)| observe(engine, cycle));
        });
        self.cycle += self.system.link_cycles as u64;
    }

    /// Ends whatever runs. Memory keeps its contents, but for what was in L2 only.
    fn reset(&mut self) {
        self.parts.interconnect.clear(&self.system);
        self.parts.tiles.iter_mut().for_each(Tile::clear);
        self.parts.partitions.iter_mut().for_each(Partition::clear);
        self.round(Command::Reset);
        self.fresh = true;
    }

    /// What the counters of the hardware say since the last reset.
    fn counters(&mut self) -> GpuCounts {
        let cores = self.parts.tiles.iter_mut().map(|tile| tile.core.totals()).collect();
        let channels = self.parts.partitions.iter().map(|partition| partition.counters(&self.system)).collect();
        GpuCounts { cores, channels, cycles: 0 }
    }
}

impl<E: Engine + Send> Device for GpuDevice<'_, E> {
    fn config(&self) -> &CoreConfig {
        &self.config
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        &mut self.parts.memory().global
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        let global = &self.parts.memory().global;
        self.history.read(address, count, || global.words(address, count))
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        if self.history.write(address, words) {
            return;
        }
        self.memory().write_words(address, words);
        if !self.fresh {
            let Parts { interconnect, memory, .. } = &mut self.parts;
            interconnect.host.write(address, words, memory.get_mut().expect("no part panics"));
        }
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        let size = self.memory().size();
        program.check_fits(&Capacity::of(&self.config, size))?;
        self.parts.program = program.clone();
        if self.history.load(program.fingerprint())? {
            return Ok(());
        }
        self.reset();
        self.memory().initialise(program);
        // One more than there are: loading ends.
        for first in (0..=program.words.len()).step_by(self.system.link_cycles) {
            self.round(Command::Load(first));
        }
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        launch.check(&self.config, &self.parts.program)?;
        let running = match (self.history.launch(launch)?, self.running.take()) {
            (Repeated::Ended(stats), running) => {
                self.running = running;
                return Ok(*stats);
            }
            (Repeated::UnderWay, Some(running)) => running,
            (Repeated::UnderWay, None) | (Repeated::New, _) => {
                self.fresh = false;
                self.launches += 1;
                Running::new(self.cycle)
            }
        };
        let result = self.go_on(launch, running);
        if result.is_err() {
            self.reset();
        }
        self.history.end(&result);
        result
    }
}
