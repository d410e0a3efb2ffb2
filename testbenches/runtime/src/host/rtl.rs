//! [`RtlDevice`]: the core itself, run cycle by cycle in an [`Engine`], by default the generated simulator.
use std::mem::take;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use warploom_hdl::config::{CoreConfig, Permutation};
use warploom_hdl::interface::{MemoryOp, RequestKind, TrapCause};
use warploom_hdl::performance_counters::PerformanceCounts;
use warploom_sim::{Engine, Port, Simulator};

use super::history::{History, Repeated};
use super::memory_model::{AtomicAccess, MemoryModel, MemoryTiming, Request};
use super::ports::Ports;
use super::run_state::{Running, Transfers, WarpTrace};
use super::trace::logical_lane;
use super::{DEFAULT_GLOBAL_BYTES, Device, DeviceError, GlobalMemory, Launch, LaunchStats, Trap, inputs};
use crate::loader::{Capacity, Program};

mod checkpoints;
mod watchdog;

pub use checkpoints::CheckpointTime;
use checkpoints::Checkpoints;

/// What a run is held to.
#[derive(Clone, Debug)]
pub struct Limits {
    /// A launch that runs longer is stopped.
    pub cycles: u64,
    /// A launch that issues nothing for so many cycles is stopped.
    pub silence: u64,
    /// Set from outside (Ctrl-C) to stop.
    pub interrupt: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { cycles: 200_000_000, silence: 100_000, interrupt: Arc::default() }
    }
}

/// Called after every cycle, with the engine and the number of cycles so far: waveforms, progress, checks.
pub type Observer<'a, E = Simulator> = Box<dyn FnMut(&E, u64) + 'a>;

/// The core in an engine, with memory behind it.
pub struct RtlDevice<'a, E = Simulator> {
    engine: E,
    ports: Ports,
    config: CoreConfig,
    memory: GlobalMemory,
    model: MemoryModel,
    limits: Limits,
    compact: bool,
    permute: bool,
    program: Program,
    cycle: u64,
    launches: u64,
    /// What the last launch has counted.
    last: LaunchStats,
    /// The last launch was stopped, and nothing has happened since.
    stopped: bool,
    observer: Option<Observer<'a, E>>,
    warps: Vec<WarpTrace>,
    transfers: Transfers,
    history: History,
    /// Between two cycles of a launch: for a checkpoint, or from one.
    running: Option<Running>,
    checkpoints: Checkpoints<'a, E>,
}

impl<'a, E: Engine> RtlDevice<'a, E> {
    /// A core that has just been reset. `engine` simulates the core that `config` describes.
    pub fn new(engine: E, config: CoreConfig, timing: MemoryTiming) -> Self {
        let ports = Ports::new(&engine, &config);
        let mut device = Self {
            ports,
            memory: GlobalMemory::new(DEFAULT_GLOBAL_BYTES),
            model: MemoryModel::new(&config, timing),
            limits: Limits::default(),
            compact: true,
            permute: true,
            program: Program::empty(),
            cycle: 0,
            launches: 0,
            last: LaunchStats::default(),
            stopped: false,
            observer: None,
            warps: vec![WarpTrace::of(&config); config.warps],
            transfers: Transfers::default(),
            history: History::default(),
            running: None,
            checkpoints: Checkpoints::none(),
            engine,
            config,
        };
        device.reset();
        device
    }

    /// Ends whatever runs. Counters start again at zero, memory keeps its contents.
    fn reset(&mut self) {
        self.engine.set(self.ports.reset, 1);
        self.step();
        self.engine.set(self.ports.reset, 0);
        self.model.forget();
    }

    /// Whether launches from now on form warps from threads of several rows, if the core can; a program that relies on
    /// static warps cannot have that.
    pub fn set_compaction(&mut self, compact: bool) {
        self.compact = compact;
    }

    /// Whether the next launches permute lanes, where the core can. At first they do.
    pub fn set_permutation(&mut self, on: bool) {
        self.permute = on;
    }

    /// Replaces the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Another memory beyond the L1 for the next program: as new, and it keeps the order of atomics.
    pub fn renew_memory(&mut self, timing: MemoryTiming) {
        self.model = MemoryModel::new(&self.config, timing);
        self.model.log_atomics();
    }

    /// Atomics performed since then, in their order.
    pub fn atomics(&self) -> &[AtomicAccess] {
        self.model.atomics()
    }

    /// Watches every cycle from now on.
    pub fn observe(&mut self, observer: Observer<'a, E>) {
        self.observer = Some(observer);
    }

    /// The engine.
    pub fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine, to change what does not change its state.
    pub fn engine_mut(&mut self) -> &mut E {
        &mut self.engine
    }

    /// Cycles simulated so far, loading included.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Launches so far, a stopped one included.
    pub fn launches(&self) -> u64 {
        self.launches
    }

    fn get(&self, port: Port) -> u64 {
        self.engine.get(port)
    }

    /// One clock cycle, memory included.
    fn step(&mut self) {
        let accepting = self.model.ready(self.cycle);
        if accepting != self.transfers.accepting {
            self.engine.set(self.ports.request_ready, u64::from(accepting));
            self.transfers.accepting = accepting;
        }
        let answer = self.model.answer(self.cycle);
        let answering = answer.is_some();
        if let Some(answer) = answer {
            self.engine.set(self.ports.response_id, answer.id);
            for (port, word) in self.ports.response_data.iter().zip(&answer.data) {
                self.engine.set(*port, u64::from(*word));
            }
        }
        if answering != self.transfers.answering {
            self.engine.set(self.ports.response_valid, u64::from(answering));
            self.transfers.answering = answering;
        }
        self.engine.step();
        if answering && self.get(self.ports.response_ready) == 1 {
            self.model.take();
        }
        if accepting && self.get(self.ports.request_valid) == 1 {
            let request = self.request();
            self.model.accept(&request, &mut self.memory, self.cycle);
        }
        self.cycle += 1;
        if let Some(observer) = &mut self.observer {
            observer(&self.engine, self.cycle);
        }
    }

    fn request(&self) -> Request {
        Request {
            kind: RequestKind::VARIANTS[self.get(self.ports.request_kind) as usize],
            line: self.get(self.ports.request_line) as u32,
            id: self.get(self.ports.request_id),
            data: self.ports.request_data.iter().map(|port| self.get(*port) as u32).collect(),
            mask: self.ports.request_mask.iter().rev().fold(0, |mask, port| mask << 4 | u128::from(self.get(*port))),
            atomic: MemoryOp::VARIANTS[self.get(self.ports.request_atomic) as usize],
        }
    }

    /// Number in its warp of the thread that runs in a physical lane of a row.
    fn logical_lane(&self, row: usize, physical: usize) -> usize {
        let kind = if self.permute { self.config.permutation } else { Permutation::None };
        let warp = row % self.get(self.ports.kernel_warps_per_cta) as usize;
        logical_lane(kind, warp, physical, self.config.lanes)
    }

    fn trap(&self) -> DeviceError {
        let pc = self.get(self.ports.trap_pc) as u32;
        let row = self.get(self.ports.trap_home_warp) as usize;
        DeviceError::Trap(Box::new(Trap {
            cause: TrapCause::VARIANTS[self.get(self.ports.trap_cause) as usize],
            warp: row,
            lane: self.logical_lane(row, self.get(self.ports.trap_lane) as usize),
            pc,
            place: self.program.source_place(pc),
            value: self.get(self.ports.trap_value) as u32,
            called: self.program.calls.get(&pc).copied(),
        }))
    }

    /// What the counters say about all launches so far, a stopped one included.
    pub fn totals(&self) -> LaunchStats {
        let read = |ports: &[Port]| ports.iter().map(|port| self.get(*port)).collect::<Vec<u64>>();
        let Ports {
            counter,
            counter_issued,
            compaction_counter,
            path_counter,
            turn_counter,
            formation_counter,
            sub_warp_counter,
            ..
        } = &self.ports;
        LaunchStats {
            counts: PerformanceCounts::of(read(counter)),
            issued: read(counter_issued),
            compaction_counts: read(compaction_counter),
            path_counts: read(path_counter),
            turn_counts: read(turn_counter),
            formation_counts: read(formation_counter),
            sub_warp_counts: read(sub_warp_counter),
            traffic: self.model.traffic(),
        }
    }

    /// What the last launch has counted, one that was stopped up to there; nothing if it was refused.
    pub fn last(&self) -> &LaunchStats {
        &self.last
    }

    /// What a launch drives the ports of [`LAUNCH_PORTS`](super::inputs::LAUNCH_PORTS) with.
    pub fn launch_inputs(&self, launch: &Launch) -> [u64; inputs::LAUNCH_PORTS.len()] {
        let switches = inputs::Switches { compact: self.compact, permute: self.permute };
        inputs::launch(launch, &self.program, &self.config, self.memory.size(), switches)
    }

    fn configure(&mut self, launch: &Launch) {
        for (port, value) in self.ports.launch.iter().zip(self.launch_inputs(launch)) {
            self.engine.set(*port, value);
        }
    }

    /// Brings a launch to where [`run`](Self::run) goes on.
    fn begin(&mut self, launch: &Launch) -> Running {
        // Until the next cycle, the counters show what they counted before they were reset, for who asks.
        if take(&mut self.stopped) {
            self.step();
        }
        let before = self.totals();
        self.launches += 1;
        self.warps.fill(WarpTrace::of(&self.config));
        self.configure(launch);
        self.engine.set(self.ports.launch_start, 1);
        self.step();
        self.engine.set(self.ports.launch_start, 0);
        self.step();
        Running { before, start: self.cycle, last_issue: self.cycle }
    }

    /// Runs until the core is done.
    fn run(&mut self, running: &mut Running) -> Result<(), DeviceError> {
        let start = running.start;
        while self.get(self.ports.busy) == 1 {
            if self.trace_issue() {
                running.last_issue = self.cycle;
            }
            if self.checkpoints.is_due(self.cycle) {
                self.take_checkpoint(running);
            }
            if self.get(self.ports.trap_valid) == 1 {
                return Err(self.trap());
            }
            let cycles = self.cycle - start;
            if cycles >= self.limits.cycles {
                self.take_last_checkpoint(running);
                let (limit, running) = (self.limits.cycles, self.waiting(false));
                return Err(DeviceError::Limit { limit, unit: "cycles", running });
            }
            let silent = self.cycle - running.last_issue;
            if silent >= self.limits.silence {
                return Err(DeviceError::Deadlock { cycles: silent, waiting: self.waiting(true) });
            }
            if cycles.is_multiple_of(1024) && self.limits.interrupt.load(Ordering::Relaxed) {
                self.take_last_checkpoint(running);
                return Err(DeviceError::Interrupted { cycles });
            }
            self.step();
        }
        Ok(())
    }
}

impl<E: Engine> Device for RtlDevice<'_, E> {
    fn config(&self) -> &CoreConfig {
        &self.config
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        &mut self.memory
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.history.read(address, count, || self.memory.words(address, count))
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        if !self.history.write(address, words) {
            self.memory.write_words(address, words);
        }
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        program.check_fits(&Capacity::of(&self.config, self.memory.size()))?;
        self.program = program.clone();
        if self.history.load(program.fingerprint())? {
            return Ok(());
        }
        self.reset();
        self.memory.initialise(program);
        self.engine.set(self.ports.load_enable, 1);
        for index in 0..program.words.len() {
            self.engine.set(self.ports.load_address, index as u64);
            for (port, value) in self.ports.instruction.iter().zip(inputs::instruction(program, &self.config, index)) {
                self.engine.set(*port, value);
            }
            self.step();
        }
        self.engine.set(self.ports.load_enable, 0);
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.last = LaunchStats::default();
        launch.check(&self.config, &self.program)?;
        let mut running = match (self.history.launch(launch)?, self.running.take()) {
            (Repeated::Ended(stats), running) => {
                self.running = running;
                self.last = *stats;
                return Ok(self.last.clone());
            }
            (Repeated::UnderWay, Some(running)) => running,
            (Repeated::UnderWay, None) | (Repeated::New, _) => self.begin(launch),
        };
        let ended = self.run(&mut running);
        if ended.is_ok() {
            // The counters see an event two cycles later.
            self.step();
            self.step();
        }
        self.last = self.totals().since(&running.before);
        let result = ended.map(|()| self.last.clone());
        if result.is_err() {
            // Threads of a launch that was stopped would run on in the next one.
            self.reset();
            self.stopped = true;
        }
        self.history.end(&result);
        result
    }
}
