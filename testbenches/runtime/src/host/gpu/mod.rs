//! [`GpuDevice`]: several cores and what they share, each in an engine of its own, in step with each other.
//!
//! Between a core and the rest lie links of registers only. The host keeps what is in these registers, so that what is on either side of them is simulated on its own, and the result is,
//! bit for bit, that of the whole: cores are instances of one compiled design, each part is evaluated in the cycles of its own clock only, and parts may be on threads of their own.
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Simulator};

use super::{Device, DeviceError, GlobalMemory, Launch, LaunchStats, Limits, Observer, Traffic, inputs};
use crate::loader::{Capacity, Program};

mod counts;
mod host_port;
mod link;
mod memory;
mod parts;
mod ports;
mod shared;
mod tile;

pub use counts::{ChannelCounts, GpuCounts};
pub use memory::GpuMemory;
use parts::{Command, Parts};
use shared::Shared;
use tile::Tile;

/// Cycles that the memory has for all that is in L2, or for all that the host can write, many times over.
const MOST_BETWEEN_LAUNCHES: u64 = 1 << 28;

/// Cycles from a launch until a core says that it is busy, at most.
const UNTIL_BUSY: u64 = 4;

/// The cores, and what they share.
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
}

impl<'a, E: Engine + Send> GpuDevice<'a, E> {
    /// A GPU that has just been reset. `tiles` simulate [`CoreTile`](warploom_hdl::gpu::CoreTile)s of the core `config`, `uncore` the
    /// [`Uncore`](warploom_hdl::gpu::Uncore) of `system`.
    ///
    /// # Panics
    /// If there are not as many of them as `system` says, or they are of another design.
    pub fn new(tiles: Vec<E>, uncore: E, config: CoreConfig, system: SystemConfig) -> Self {
        assert_eq!(tiles.len(), system.cores, "as many cores");
        let round = system.link_cycles;
        let shared = Shared::new(uncore, &config, &system);
        let tiles = tiles.into_iter().enumerate().map(|(number, engine)| Tile::new(engine, &config, number, round));
        let mut device = Self {
            parts: Parts::new(shared, tiles.collect(), round),
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
        self.parts.tiles().for_each(|tile| tile.core.permute = on);
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
    pub fn engine(&mut self, core: usize) -> &E {
        &self.parts.tiles().nth(core).unwrap_or_else(|| panic!("there is no core {core}")).core.engine
    }

    /// The engines of the cores, and that of what they share.
    pub fn engines(&mut self) -> Vec<&mut E> {
        let Parts { shared, tiles, .. } = &mut self.parts;
        let tiles = tiles.iter_mut().map(|tile| &mut tile.get_mut().expect("no part panics").core.engine);
        tiles.chain([&mut shared.get_mut().expect("no part panics").engine]).collect()
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
        self.parts.shared().clear(&self.system);
        self.parts.tiles().for_each(Tile::clear);
        self.round(Command::Reset);
        self.fresh = true;
    }

    /// What the counters of the hardware say since the last reset.
    fn counters(&mut self) -> GpuCounts {
        let cores = self.parts.each(|tile| tile.core.totals());
        let channels = self.parts.shared().counters(&self.system);
        GpuCounts { cores, channels, cycles: 0 }
    }

    /// Runs a launch that is configured until no core is busy; the cycle in which the last one was.
    fn run(&mut self) -> Result<u64, DeviceError> {
        let start = self.cycle;
        self.parts.tiles().for_each(|tile| tile.forget(start));
        self.round(Command::Launch);
        let mut ended = self.parts.check(start, self.cycle, &self.limits);
        if !self.observers.is_empty() || self.parts.threads == 1 {
            while ended.is_continue() {
                self.round(Command::Run);
                ended = self.parts.check(start, self.cycle, &self.limits);
            }
        } else if ended.is_continue() {
            let (mut cycle, limits) = (self.cycle, &self.limits);
            self.parts.together(cycle, |parts, now| {
                cycle = now;
                ended = parts.check(start, now, limits);
                if ended.is_continue() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            self.cycle = cycle;
        }
        let ControlFlow::Break(result) = ended else { unreachable!("it has ended") };
        result
    }

    /// Writes what is in L2 only to DRAM, where the host reads it.
    fn flush(&mut self) -> Result<(), DeviceError> {
        self.parts.shared().set_flush(true);
        self.round(Command::Run);
        self.wait_for("L2 has lines that are to be written to DRAM", Shared::is_flushed)?;
        self.parts.shared().set_flush(false);
        self.round(Command::Run);
        Ok(())
    }

    /// Rounds between launches until something has happened.
    fn wait_for(&mut self, what: &str, has_happened: impl Fn(&Shared<E>) -> bool) -> Result<(), DeviceError> {
        let start = self.cycle;
        while !has_happened(self.parts.shared()) {
            self.round(Command::Run);
            if let Some(violation) = self.parts.take_violation() {
                return Err(violation.into());
            }
            let cycles = self.cycle - start;
            if self.limits.interrupt.load(Ordering::Relaxed) {
                return Err(DeviceError::Interrupted { cycles });
            }
            if cycles >= MOST_BETWEEN_LAUNCHES {
                return Err(DeviceError::Deadlock { cycles, waiting: format!("  no core is busy; {what}") });
            }
        }
        Ok(())
    }
}

impl<E: Engine + Send> Parts<E> {
    /// Between two rounds of a launch: whether it goes on; if not, the cycle in which a core was busy last.
    fn check(&self, start: u64, now: u64, limits: &Limits) -> ControlFlow<Result<u64, DeviceError>> {
        if let Some(violation) = self.take_violation() {
            return ControlFlow::Break(Err(violation.into()));
        }
        let seen = self.each(|tile| (tile.last_busy, tile.last_issue, tile.trapped));
        let trapped = seen.iter().enumerate().filter_map(|(core, (_, _, trapped))| Some((trapped.as_ref()?, core)));
        if let Some((_, core)) = trapped.min() {
            return ControlFlow::Break(Err(self.trap(core)));
        }
        let last = |of: fn(&(u64, u64, Option<u64>)) -> u64| seen.iter().map(of).max().unwrap_or(start);
        let busy = last(|(busy, ..)| *busy);
        if busy < now && now - start > UNTIL_BUSY {
            return ControlFlow::Break(Ok(busy));
        }
        let (cycles, silent) = (now - start, now - last(|(_, issue, _)| *issue));
        if cycles >= limits.cycles {
            let (limit, running) = (limits.cycles, self.waiting(false));
            return ControlFlow::Break(Err(DeviceError::Limit { limit, unit: "cycles", running }));
        }
        if silent >= limits.silence {
            return ControlFlow::Break(Err(DeviceError::Deadlock { cycles: silent, waiting: self.waiting(true) }));
        }
        if limits.interrupt.load(Ordering::Relaxed) {
            return ControlFlow::Break(Err(DeviceError::Interrupted { cycles }));
        }
        ControlFlow::Continue(())
    }

    /// Why a core has stopped.
    fn trap(&self, core: usize) -> DeviceError {
        match self.each(|tile| tile.core.trap(&self.program)).swap_remove(core) {
            DeviceError::Trap(mut trap) => {
                trap.core = Some(core);
                DeviceError::Trap(trap)
            }
            error => error,
        }
    }

    /// Where the warps of each core are.
    fn waiting(&self, silent: bool) -> String {
        let warps = self.each(|tile| tile.core.waiting(&self.program, silent));
        let of_core = |(number, warps): (usize, &String)| format!("  core {number}\n{warps}");
        warps.iter().enumerate().map(of_core).collect::<Vec<_>>().join("\n")
    }
}

impl<E: Engine + Send> Device for GpuDevice<'_, E> {
    fn config(&self) -> &CoreConfig {
        &self.config
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        &mut self.parts.shared().memory.global
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        let fresh = self.fresh;
        let Shared { memory, host, .. } = self.parts.shared();
        memory.global.write_words(address, words);
        if !fresh {
            host.write(address, words, memory);
        }
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.memory().words(address, count)
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        let size = self.memory().size();
        program.check_fits(&Capacity::of(&self.config, size))?;
        self.parts.program = program.clone();
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
        self.fresh = false;
        self.wait_for("L2 has not acknowledged what the host has written", |shared| shared.host.is_idle())?;
        let (before, start) = (self.counters(), self.cycle);
        self.launches += 1;
        let switches = inputs::Switches { compact: self.compact, permute: self.permute };
        let global = self.memory().size();
        let values = inputs::launch(launch, &self.parts.program, &self.config, global, switches);
        self.parts.shared().configure(launch.grid);
        self.parts.tiles().for_each(|tile| tile.core.configure(values));
        let ended = self.run();
        // The counters see an event two cycles later.
        self.round(Command::Run);
        let cycles = ended.as_ref().map_or(self.cycle, |last| last + 1) - start;
        let counted = GpuCounts { cycles, ..self.counters() }.since(&before);
        self.counts.add(&counted);
        if let Err(error) = ended.and_then(|_| self.flush()) {
            self.reset();
            return Err(error);
        }
        Ok(counted.total())
    }
}
