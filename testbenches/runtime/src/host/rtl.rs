//! [`RtlDevice`]: the core itself, run cycle by cycle in an [`Engine`], by default the generated simulator.
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::{MemoryOp, RequestKind};
use warploom_sim::{Engine, Port, Simulator};

use super::checkpoint_times::{Checkpoints, Interruptible};
use super::driven_core::DrivenCore;
use super::history::{History, Repeated};
use super::memory_model::{AtomicAccess, MemoryModel, MemoryTiming, Request};
use super::run_state::{Running, Transfers};
use super::{DEFAULT_GLOBAL_BYTES, Device, DeviceError, GlobalMemory, Launch, LaunchStats, inputs};
use crate::loader::{Capacity, Program};

mod checkpoints;
mod idle;

pub(super) use checkpoints::CoreContents;

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

/// Ctrl-C is looked for when so many cycles have passed.
const INTERRUPTIBLE: u64 = 1024;

/// Called after every cycle, with the engine and the number of cycles so far: waveforms, progress, checks.
pub type Observer<'a, E = Simulator> = Box<dyn FnMut(&E, u64) + 'a>;

/// The core in an engine, with memory behind it.
pub struct RtlDevice<'a, E = Simulator> {
    core: DrivenCore<E>,
    memory: GlobalMemory,
    model: MemoryModel,
    limits: Limits,
    compact: bool,
    program: Program,
    cycle: u64,
    launches: u64,
    /// What the last launch has counted.
    last: LaunchStats,
    /// The last launch was stopped, and nothing has happened since.
    stopped: bool,
    observer: Option<Observer<'a, E>>,
    /// The cycles that it has to see, all of them.
    observed: Range<u64>,
    skipped: u64,
    transfers: Transfers,
    history: History,
    /// Between two cycles of a launch: for a checkpoint, or from one.
    running: Option<Running>,
    checkpoints: Checkpoints<'a, Self>,
}

impl<'a, E: Engine> RtlDevice<'a, E> {
    /// A core that has just been reset. `engine` simulates the core that `config` describes.
    pub fn new(engine: E, config: CoreConfig, timing: MemoryTiming) -> Self {
        let mut device = Self {
            memory: GlobalMemory::new(DEFAULT_GLOBAL_BYTES),
            model: MemoryModel::new(&config, timing),
            limits: Limits::default(),
            compact: true,
            program: Program::empty(),
            cycle: 0,
            launches: 0,
            last: LaunchStats::default(),
            stopped: false,
            observer: None,
            observed: 0..0,
            skipped: 0,
            transfers: Transfers::default(),
            history: History::default(),
            running: None,
            checkpoints: Checkpoints::none(),
            core: DrivenCore::new(engine, config),
        };
        device.reset();
        device
    }

    /// Ends whatever runs. Counters start again at zero, memory keeps its contents.
    fn reset(&mut self) {
        self.core.engine.set(self.core.ports.reset, 1);
        self.step();
        self.core.engine.set(self.core.ports.reset, 0);
        self.model.forget();
    }

    /// Whether launches from now on form warps from threads of several rows, if the core can; a program that relies on
    /// static warps cannot have that.
    pub fn set_compaction(&mut self, compact: bool) {
        self.compact = compact;
    }

    /// Whether the next launches permute lanes, where the core can. At first they do.
    pub fn set_permutation(&mut self, on: bool) {
        self.core.permute = on;
    }

    /// Replaces the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Another memory beyond the L1 for the next program: as new, and it keeps the order of atomics.
    pub fn renew_memory(&mut self, timing: MemoryTiming) {
        self.model = MemoryModel::new(&self.core.config, timing);
        self.model.log_atomics();
    }

    /// Atomics performed since then, in their order.
    pub fn atomics(&self) -> &[AtomicAccess] {
        self.model.atomics()
    }

    /// Watches every cycle from now on.
    pub fn observe(&mut self, observer: Observer<'a, E>) {
        self.observe_within(0..u64::MAX, observer);
    }

    /// Watches every one of these cycles, counted as by [`cycle`](Self::cycle) before each; of the others those that are not [skipped](warploom_sim::Simulator::skip) because the core rests.
    pub fn observe_within(&mut self, cycles: Range<u64>, observer: Observer<'a, E>) {
        self.observer = Some(observer);
        self.observed = cycles;
    }

    /// The engine.
    pub fn engine(&self) -> &E {
        &self.core.engine
    }

    /// The engine, to change what does not change its state.
    pub fn engine_mut(&mut self) -> &mut E {
        &mut self.core.engine
    }

    /// Cycles simulated so far, loading included.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Of these, those that were not stepped, because the core rested and nobody looked.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Launches so far, a stopped one included.
    pub fn launches(&self) -> u64 {
        self.launches
    }

    fn get(&self, port: Port) -> u64 {
        self.core.engine.get(port)
    }

    /// One clock cycle, memory included.
    fn step(&mut self) {
        let accepting = self.model.ready(self.cycle);
        if accepting != self.transfers.accepting {
            self.core.engine.set(self.core.ports.request_ready, u64::from(accepting));
            self.transfers.accepting = accepting;
        }
        let answer = self.model.answer(self.cycle);
        let answering = answer.is_some();
        if let Some(answer) = answer {
            self.core.engine.set(self.core.ports.response_id, answer.id);
            for (port, word) in self.core.ports.response_data.iter().zip(&answer.data) {
                self.core.engine.set(*port, u64::from(*word));
            }
        }
        if answering != self.transfers.answering {
            self.core.engine.set(self.core.ports.response_valid, u64::from(answering));
            self.transfers.answering = answering;
        }
        self.core.engine.step();
        if answering && self.get(self.core.ports.response_ready) == 1 {
            self.model.take();
            self.core.engine.disturb();
        }
        if accepting && self.get(self.core.ports.request_valid) == 1 {
            let request = self.request();
            self.model.accept(&request, &mut self.memory, self.cycle);
            self.core.engine.disturb();
        }
        self.cycle += 1;
        if let Some(observer) = &mut self.observer {
            observer(&self.core.engine, self.cycle);
        }
    }

    fn request(&self) -> Request {
        Request {
            kind: RequestKind::VARIANTS[self.get(self.core.ports.request_kind) as usize],
            line: self.get(self.core.ports.request_line) as u32,
            id: self.get(self.core.ports.request_id),
            data: self.core.ports.request_data.iter().map(|port| self.get(*port) as u32).collect(),
            mask: self
                .core
                .ports
                .request_mask
                .iter()
                .rev()
                .fold(0, |mask, port| mask << 4 | u128::from(self.get(*port))),
            atomic: MemoryOp::VARIANTS[self.get(self.core.ports.request_atomic) as usize],
        }
    }

    /// What the counters say about all launches so far, a stopped one included.
    pub fn totals(&self) -> LaunchStats {
        LaunchStats { traffic: self.model.traffic(), ..self.core.totals() }
    }

    /// What the last launch has counted, one that was stopped up to there; nothing if it was refused.
    pub fn last(&self) -> &LaunchStats {
        &self.last
    }

    /// What a launch drives the ports of [`LAUNCH_PORTS`](super::inputs::LAUNCH_PORTS) with.
    pub fn launch_inputs(&self, launch: &Launch) -> [u64; inputs::LAUNCH_PORTS.len()] {
        let switches = inputs::Switches { compact: self.compact, permute: self.core.permute };
        inputs::launch(launch, &self.program, &self.core.config, self.memory.size(), switches)
    }

    /// Brings a launch to where [`run`](Self::run) goes on.
    fn begin(&mut self, launch: &Launch) -> Running {
        // Until the next cycle, the counters show what they counted before they were reset, for who asks.
        if take(&mut self.stopped) {
            self.step();
        }
        let before = self.totals();
        self.launches += 1;
        let values = self.launch_inputs(launch);
        self.core.configure(values);
        self.core.engine.set(self.core.ports.launch_start, 1);
        self.step();
        self.core.engine.set(self.core.ports.launch_start, 0);
        self.step();
        Running { before, start: self.cycle, last_issue: self.cycle }
    }

    /// Runs until the core is done.
    fn run(&mut self, running: &mut Running) -> Result<(), DeviceError> {
        let start = running.start;
        while self.get(self.core.ports.busy) == 1 {
            if self.core.trace_issue() {
                running.last_issue = self.cycle;
                self.core.engine.disturb();
            }
            if self.cycle >= self.checkpoints.due() {
                self.take_checkpoint(running);
            }
            if self.get(self.core.ports.trap_valid) == 1 {
                return Err(self.core.trap(&self.program));
            }
            let cycles = self.cycle - start;
            if cycles >= self.limits.cycles {
                self.take_last_checkpoint(running);
                let (limit, running) = (self.limits.cycles, self.core.waiting(&self.program, false));
                return Err(DeviceError::Limit { limit, unit: "cycles", running });
            }
            let silent = self.cycle - running.last_issue;
            if silent >= self.limits.silence {
                return Err(DeviceError::Deadlock { cycles: silent, waiting: self.core.waiting(&self.program, true) });
            }
            if cycles.is_multiple_of(INTERRUPTIBLE) && self.limits.interrupt.load(Ordering::Relaxed) {
                self.take_last_checkpoint(running);
                return Err(DeviceError::Interrupted { cycles });
            }
            if self.core.engine.rests() {
                self.skip(running);
            }
            self.step();
        }
        Ok(())
    }
}

impl<E: Engine> Device for RtlDevice<'_, E> {
    fn config(&self) -> &CoreConfig {
        &self.core.config
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
        program.check_fits(&Capacity::of(&self.core.config, self.memory.size()))?;
        self.program = program.clone();
        if self.history.load(program.fingerprint())? {
            return Ok(());
        }
        self.reset();
        self.memory.initialise(program);
        for index in 0..program.words.len() {
            self.core.load(program, index);
            self.step();
        }
        self.core.engine.set(self.core.ports.load_enable, 0);
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.last = LaunchStats::default();
        launch.check(&self.core.config, &self.program)?;
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
