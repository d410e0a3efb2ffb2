//! [`GpuDevice`]: several cores and what they share, each in an engine of its own, in step with each other.
//!
//! Between a core and the rest lie links of registers only. The host shifts these registers, so that what is on either side of them is simulated on its own, and the result is,
//! bit for bit, that of the whole: cores are instances of one compiled design, and each part is evaluated in the cycles of its own clock only.
use std::sync::atomic::Ordering;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{Engine, Port, Simulator};

use super::driven_core::DrivenCore;
use super::{DEFAULT_GLOBAL_BYTES, Device, DeviceError, GlobalMemory, Launch, LaunchStats, Limits, inputs};
use crate::loader::{Capacity, Program};

mod host_port;
mod link;
mod memory;
mod uncore;

use host_port::HostPort;
use link::{Lane, Link};
use memory::GpuMemory;
use uncore::{DrivenUncore, FlitPorts, Grant, GrantPorts, port};

/// A core with its way to the network, in an engine.
struct Tile<E> {
    core: DrivenCore<E>,
    link: FlitPorts,
    reply_link: FlitPorts,
    credit: Port,
    reply_credit: Port,
    cta_request: Port,
    grant: GrantPorts,
}

impl<E: Engine> Tile<E> {
    fn new(mut engine: E, config: &CoreConfig, number: usize) -> Self {
        engine.set(port(&engine, "core_number"), number as u64);
        Self {
            link: FlitPorts::new(&engine, "link", ""),
            reply_link: FlitPorts::new(&engine, "reply_link", ""),
            credit: port(&engine, "credit"),
            reply_credit: port(&engine, "reply_credit"),
            cta_request: port(&engine, "cta_request[0]"),
            grant: GrantPorts::new(&engine, 0),
            core: DrivenCore::new(engine, config.clone()),
        }
    }

    /// A cycle of its clock: what comes out of its link, and what goes into the other.
    fn step(&mut self, came: &Lane<Grant>) -> Lane<bool> {
        let engine = &mut self.core.engine;
        self.reply_link.set(engine, &came.flit);
        engine.set(self.credit, came.credit.into());
        self.grant.set(engine, &came.cta);
        engine.step();
        Lane {
            flit: self.link.get(engine),
            credit: engine.get(self.reply_credit) == 1,
            cta: engine.get(self.cta_request) == 1,
        }
    }
}

/// The cores, and what they share.
pub struct GpuDevice<E = Simulator> {
    tiles: Vec<Tile<E>>,
    uncore: DrivenUncore<E>,
    /// From each core, and from the host.
    up: Vec<Link<Lane<bool>>>,
    /// To them.
    down: Vec<Link<Lane<Grant>>>,
    host: HostPort,
    memory: GpuMemory,
    config: CoreConfig,
    system: SystemConfig,
    limits: Limits,
    compact: bool,
    program: Program,
    /// Cycles of the cores.
    cycle: u64,
    /// Nothing has run since the program was loaded: no line is in L2.
    fresh: bool,
}

impl<E: Engine> GpuDevice<E> {
    /// A GPU that has just been reset. `tiles` simulate [`CoreTile`](warploom_hdl::gpu::CoreTile)s of the core `config`, `uncore` the
    /// [`Uncore`](warploom_hdl::gpu::Uncore) of `system`.
    ///
    /// # Panics
    /// If there are not as many of them as `system` says, or they are of another design.
    pub fn new(tiles: Vec<E>, uncore: E, config: CoreConfig, system: SystemConfig) -> Self {
        assert_eq!(tiles.len(), system.cores, "as many cores");
        let tiles = tiles.into_iter().enumerate().map(|(number, engine)| Tile::new(engine, &config, number));
        let mut device = Self {
            tiles: tiles.collect(),
            uncore: DrivenUncore::new(uncore, &system),
            up: vec![],
            down: vec![],
            host: HostPort::new(&system),
            memory: GpuMemory::new(DEFAULT_GLOBAL_BYTES, &config, &system),
            config,
            system,
            limits: Limits::default(),
            compact: true,
            program: Program::empty(),
            cycle: 0,
            fresh: true,
        };
        device.reset().expect("no command in the cycle of the reset");
        device
    }

    /// Replaces the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Cycles of the cores so far, loading included.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Counters of the slices of L2, and of the channels of DRAM.
    pub fn memory_counters(&self) -> [Vec<Vec<u64>>; 2] {
        self.uncore.counters()
    }

    /// What the counters of each core say about all launches so far.
    pub fn totals(&self) -> Vec<LaunchStats> {
        self.tiles.iter().map(|tile| tile.core.totals()).collect()
    }

    /// Ends whatever runs. Memory keeps its contents, but for what was in L2 only.
    fn reset(&mut self) -> Result<(), DeviceError> {
        let (system, ports) = (&self.system, self.system.ports());
        self.up = vec![Link::new(system.link_cycles); ports];
        self.down = vec![Link::new(system.link_cycles); ports];
        self.host = HostPort::new(system);
        self.uncore.reset_memory(system);
        self.drive_reset(1);
        self.step()?;
        self.drive_reset(0);
        Ok(())
    }

    fn drive_reset(&mut self, value: u64) {
        self.uncore.engine.set(self.uncore.reset, value);
        for tile in &mut self.tiles {
            tile.core.set(tile.core.ports.reset, value);
        }
    }

    /// A cycle of the cores, and as many of the rest as pass with it.
    fn step(&mut self) -> Result<(), DeviceError> {
        let (mut credits, mut requests) = (0, 0);
        for (number, link) in self.up.iter().enumerate() {
            let Lane { flit, credit, cta } = link.end();
            self.uncore.links[number].set(&mut self.uncore.engine, &flit);
            credits |= u64::from(credit) << number;
            requests |= u64::from(cta) << number;
        }
        self.uncore.engine.set(self.uncore.reply_credit, credits);
        self.uncore.engine.set(self.uncore.cta_request, requests);
        while !self.uncore.step(&mut self.memory)? {}

        let credits = self.uncore.engine.get(self.uncore.credit);
        for (number, (up, down)) in self.up.iter_mut().zip(&mut self.down).enumerate() {
            let came = down.end();
            let engine = &self.uncore.engine;
            let flit = self.uncore.reply_links[number].get(engine);
            let cta = self.uncore.grants.get(number).and_then(|grant| grant.get(engine));
            down.shift(Lane { flit, credit: credits >> number & 1 == 1, cta });
            up.shift(match self.tiles.get_mut(number) {
                Some(tile) => tile.step(&came),
                None => self.host.cycle(&came.flit, came.credit),
            });
        }
        self.cycle += 1;
        Ok(())
    }

    /// Brings a launch to where the cores are busy.
    fn begin(&mut self, launch: &Launch) -> Result<(), DeviceError> {
        let switches = inputs::Switches { compact: self.compact, permute: true };
        let values = inputs::launch(launch, &self.program, &self.config, self.memory.global.size(), switches);
        for (port, value) in self.uncore.grid.into_iter().zip(launch.grid) {
            self.uncore.engine.set(port, value.into());
        }
        for tile in &mut self.tiles {
            tile.core.configure(values);
            tile.core.set(tile.core.ports.launch_start, 1);
        }
        self.uncore.engine.set(self.uncore.launch_start, 1);
        self.step()?;
        for tile in &mut self.tiles {
            tile.core.set(tile.core.ports.launch_start, 0);
        }
        self.uncore.engine.set(self.uncore.launch_start, 0);
        self.step()
    }

    fn is_busy(&self) -> bool {
        self.tiles.iter().any(|tile| tile.core.get(tile.core.ports.busy) == 1)
    }

    /// Runs until no core is busy.
    fn run(&mut self) -> Result<(), DeviceError> {
        let start = self.cycle;
        let mut last_issue = start;
        while self.is_busy() {
            for tile in &mut self.tiles {
                if tile.core.trace_issue() {
                    last_issue = self.cycle;
                }
                if tile.core.get(tile.core.ports.trap_valid) == 1 {
                    return Err(tile.core.trap(&self.program));
                }
            }
            let (cycles, silent) = (self.cycle - start, self.cycle - last_issue);
            if cycles >= self.limits.cycles {
                let limit = self.limits.cycles;
                return Err(DeviceError::Limit { limit, unit: "cycles", running: self.waiting(false) });
            }
            if silent >= self.limits.silence {
                return Err(DeviceError::Deadlock { cycles: silent, waiting: self.waiting(true) });
            }
            if cycles.is_multiple_of(1024) && self.limits.interrupt.load(Ordering::Relaxed) {
                return Err(DeviceError::Interrupted { cycles });
            }
            self.step()?;
        }
        Ok(())
    }

    /// Where the warps of each core are.
    fn waiting(&self, silent: bool) -> String {
        let of_core = |(number, tile): (usize, &Tile<E>)| {
            format!("  core {number}\n{}", tile.core.waiting(&self.program, silent))
        };
        self.tiles.iter().enumerate().map(of_core).collect::<Vec<_>>().join("\n")
    }

    /// Writes what is in L2 only to DRAM, where the host reads it.
    fn flush(&mut self) -> Result<(), DeviceError> {
        self.uncore.engine.set(self.uncore.flush, 1);
        self.step()?;
        while self.uncore.engine.get(self.uncore.flushed) == 0 {
            self.step()?;
        }
        self.uncore.engine.set(self.uncore.flush, 0);
        self.step()
    }
}

impl<E: Engine> Device for GpuDevice<E> {
    fn config(&self) -> &CoreConfig {
        &self.config
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        &mut self.memory.global
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.memory.global.write_words(address, words);
        if !self.fresh {
            self.host.write(address, words, &self.memory);
        }
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        program.check_fits(&Capacity::of(&self.config, self.memory.global.size()))?;
        self.program = program.clone();
        self.reset()?;
        self.fresh = true;
        self.memory.global.initialise(program);
        for index in 0..program.words.len() {
            self.tiles.iter_mut().for_each(|tile| tile.core.load(program, index));
            self.step()?;
        }
        for tile in &mut self.tiles {
            tile.core.set(tile.core.ports.load_enable, 0);
        }
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        launch.check(&self.config, &self.program)?;
        self.fresh = false;
        while !self.host.is_idle() {
            self.step()?;
        }
        let (before, start) = (self.totals(), self.cycle);
        let ended = self.begin(launch).and_then(|()| self.run());
        let cycles = self.cycle - start;
        if let Err(error) = ended {
            self.reset()?;
            self.fresh = true;
            return Err(error);
        }
        // The counters see an event two cycles later.
        self.step()?;
        self.step()?;
        let mut stats = LaunchStats::default();
        for (now, before) in self.totals().into_iter().zip(&before) {
            stats.add(&now.since(before));
        }
        stats.counts.cycles = cycles;
        self.flush()?;
        Ok(stats)
    }
}
