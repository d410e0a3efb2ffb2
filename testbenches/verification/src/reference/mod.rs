//! The functional reference model: every thread is a scalar RV32IMA machine, with floats RV32IMAF, and with warp instructions.
//!
//! CTAs run one after the other, the threads of a CTA one after the other, each until it waits at a barrier or a
//! ballot or a warp instruction, ends, or has run for [`QUANTUM`] instructions. The order is fixed, so a run is reproducible; programs
//! whose result depends on the schedule may give another legal result than the hardware.
//!
//! What the model leaves out: warps matter only for `ballot`, `cond_acc`, `tree_traverse` and the CSRs `lane` and `warp`. Such an instruction is answered when
//! every thread of the warp waits, and takes together the threads that wait at it. Warps of threads from several ones, in which the last two trap, there are none; lanes are not permuted.
use std::fmt::Write;

use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::TrapCause;
use warploom_runtime::host::{
    DEFAULT_GLOBAL_BYTES, Device, DeviceError, GlobalMemory, Launch, LaunchStats, Signature, Trap,
};
use warploom_runtime::isa::{Instruction, decode};
use warploom_runtime::loader::{Capacity, Program};

pub mod arithmetic;
pub mod float;
mod observed;
mod replay;
mod thread;
mod thread_float;
mod together;

pub use observed::{Observed, Observer};
pub use replay::Replayed;

use replay::Replay;

use thread::{Context, Memory, State, Thread};

/// Instructions a thread may run before the next has its turn: a thread may spin until another one acts.
pub const QUANTUM: u64 = 100_000;

/// What a thread did, when the model is asked to record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRecord {
    /// CTA in the grid, x, y, z.
    pub cta: [u32; 3],
    /// Thread in the CTA, x fastest.
    pub thread: usize,
    /// Every PC in order.
    pub pcs: Vec<u32>,
    /// Every register's values in order, hashed.
    pub signature: Signature,
}

/// A device that runs programs by the book.
pub struct ReferenceDevice {
    config: CoreConfig,
    memory: GlobalMemory,
    program: Program,
    code: Vec<Instruction>,
    limit: u64,
    record: bool,
    records: Vec<ThreadRecord>,
    ignored: u64,
    replay: Option<Replay>,
}

impl ReferenceDevice {
    /// A device of these sizes with the default global memory.
    pub fn new(config: CoreConfig) -> Self {
        Self::with_memory(config, DEFAULT_GLOBAL_BYTES)
    }

    /// A device with `global_bytes` of global memory.
    pub fn with_memory(config: CoreConfig, global_bytes: usize) -> Self {
        Self {
            config,
            memory: GlobalMemory::new(global_bytes),
            program: Program::empty(),
            code: Vec::new(),
            limit: 1_000_000_000,
            record: false,
            records: Vec::new(),
            ignored: 0,
            replay: None,
        }
    }

    /// Instructions that the threads of one CTA may run.
    pub fn set_limit(&mut self, instructions: u64) {
        self.limit = instructions;
    }

    /// Records PCs and register writes of every thread from now on.
    pub fn record(&mut self) {
        self.record = true;
    }

    /// From now on leaves these registers out of signatures.
    pub fn ignore(&mut self, registers: &[u8]) {
        self.ignored = registers.iter().fold(0, |all, register| all | 1 << register);
    }

    /// In the next launches, atomics whose result goes to `register` return what is given here, for every thread of the grid in
    /// order, and leave memory as it is: what they return depends on the schedule, and these are the values of another device.
    pub fn replay(&mut self, register: u8, returns: Vec<Vec<u32>>) {
        self.replay = Some(Replay::new(register, returns));
    }

    /// Such atomics so far; `None` if there were not as many as values were given.
    pub fn replayed(&self) -> Option<&[Replayed]> {
        self.replay.as_ref().and_then(Replay::done)
    }

    /// The records of the last launch, in the order of CTAs and threads.
    pub fn records(&self) -> &[ThreadRecord] {
        &self.records
    }

    fn run_cta(&mut self, launch: &Launch, cta: [u32; 3]) -> Result<u64, DeviceError> {
        let mut threads = self.start(launch, cta);
        let mut shared = vec![0; launch.shared_bytes as usize];
        let mut reservation = None;
        let mut executed = 0;
        while threads.iter().any(|thread| thread.state != State::Exited) {
            for (number, thread) in threads.iter_mut().enumerate() {
                let mut memory = Memory {
                    global: &mut self.memory,
                    shared: &mut shared,
                    reservation: &mut reservation,
                    replay: self.replay.as_mut(),
                };
                let before = thread.executed;
                let outcome = thread.run(&self.code, &mut memory, QUANTUM);
                executed += thread.executed - before;
                outcome.map_err(|(cause, value)| self.trap(number, thread.pc, cause, value))?;
            }
            if executed > self.limit {
                return Err(self.too_long(cta, &threads));
            }
            if threads.iter().all(|thread| thread.state != State::Running) {
                let mut acted = false;
                for warp in 0..threads.len().div_ceil(self.config.lanes) {
                    let first = warp * self.config.lanes;
                    let end = threads.len().min(first + self.config.lanes);
                    let mut memory = Memory {
                        global: &mut self.memory,
                        shared: &mut shared,
                        reservation: &mut reservation,
                        replay: self.replay.as_mut(),
                    };
                    let Some(outcome) = together::act(&mut threads[first..end], &mut memory) else { continue };
                    outcome.map_err(|(lane, (cause, value))| {
                        self.trap(first + lane, threads[first + lane].pc, cause, value)
                    })?;
                    acted = true;
                }
                if !acted {
                    release(&mut threads);
                }
            }
        }
        if self.record {
            self.records.extend(threads.into_iter().enumerate().map(|(thread, state)| ThreadRecord {
                cta,
                thread,
                pcs: state.pcs.unwrap_or_default(),
                signature: state.signature,
            }));
        }
        Ok(executed)
    }

    fn start(&self, launch: &Launch, cta: [u32; 3]) -> Vec<Thread> {
        let ([x, y, _], [across, down, _]) = (launch.block, launch.grid);
        let before = (cta[0] + across * (cta[1] + down * cta[2])) as usize * launch.threads();
        let thread = |number: usize| {
            let n = number as u32;
            Thread::new(
                self.program.entry,
                self.config.private_bytes,
                self.record,
                self.ignored,
                Context {
                    number: before + number,
                    tid: [n % x, n / x % y, n / x / y],
                    ctaid: cta,
                    ntid: launch.block,
                    nctaid: launch.grid,
                    lane: n % self.config.lanes as u32,
                    warp: n / self.config.lanes as u32,
                    arguments: launch.arguments,
                },
            )
        };
        (0..launch.threads()).map(thread).collect()
    }

    fn trap(&self, thread: usize, pc: u32, cause: TrapCause, value: u32) -> DeviceError {
        let (warp, lane) = (thread / self.config.lanes, thread % self.config.lanes);
        let place = self.program.source_place(pc);
        let word = self.program.word(pc).unwrap_or(0);
        let value = if cause == TrapCause::IllegalInstruction { word } else { value };
        DeviceError::Trap(Box::new(Trap {
            cause,
            core: None,
            warp,
            lane,
            pc,
            place,
            value,
            called: self.program.calls.get(&pc).copied(),
        }))
    }

    fn too_long(&self, cta: [u32; 3], threads: &[Thread]) -> DeviceError {
        let mut running = String::new();
        let live = threads.iter().enumerate().filter(|(_, thread)| thread.state != State::Exited);
        for (number, thread) in live.take(8) {
            let place = self.program.source_place(thread.pc);
            let state = if thread.state == State::Running { "runs" } else { "waits" };
            let _ = writeln!(running, "  CTA {cta:?}, thread {number} {state} at {place}");
        }
        DeviceError::Limit { limit: self.limit, unit: "instructions of a CTA", running: running.trim_end().into() }
    }
}

/// Every live thread waits at a barrier: all go on.
fn release(threads: &mut [Thread]) {
    for thread in threads.iter_mut().filter(|thread| thread.state == State::Waiting) {
        thread.state = State::Running;
    }
}

impl Device for ReferenceDevice {
    fn config(&self) -> &CoreConfig {
        &self.config
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        &mut self.memory
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.memory().words(address, count)
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.memory().write_words(address, words);
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        program.check_fits(&Capacity::of(&self.config, self.memory.size()))?;
        self.memory.initialise(program);
        self.program = program.clone();
        let (floats, warp) = (self.config.floats, self.config.warp_instructions);
        let known = |instruction: &Instruction| {
            (floats || !instruction.needs_floats()) && (warp || !instruction.needs_warp_instructions())
        };
        let decoded = program.words.iter().map(|&word| Some(decode(word)).filter(known));
        self.code = decoded.map(|instruction| instruction.unwrap_or(Instruction::Illegal)).collect();
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        launch.check(&self.config, &self.program)?;
        self.records.clear();
        let mut stats = LaunchStats::default();
        let [x, y, z] = launch.grid;
        for cta in (0..z).flat_map(|z| (0..y).flat_map(move |y| (0..x).map(move |x| [x, y, z]))) {
            stats.counts.thread_instructions += self.run_cta(launch, cta)?;
        }
        Ok(stats)
    }
}

#[cfg(test)]
mod tests;
