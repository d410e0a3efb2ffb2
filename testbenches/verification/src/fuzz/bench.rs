//! A core, or several, and the reference model beside it.
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::TrapCause;
use warploom_runtime::host::{
    Device, DeviceError, GlobalMemory, GpuDevice, Hardware, Launch, LaunchStats, Limits, MemoryTiming, Retired,
    Retirement, RtlDevice, Signature, Trap,
};
use warploom_runtime::isa::{Instruction, decode};
use warploom_runtime::loader::Program;
use warploom_sim::{Simulator, State};

use super::case::{Buffers, Case};
use super::core::DEEP;
use super::{Failure, Machine, SharedParts, atomics};
use crate::random_program::registers::{ATTEMPT, THREAD, TICKET};
use crate::random_program::{COUNTERS, REGION, TABLE, TICKETS};
use crate::reference::ReferenceDevice;

/// Global memory of the reference model: more than any case needs.
const MEMORY: usize = 4 << 20;

/// How a case went that shows no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Of the core.
    pub cycles: u64,
    /// It was stopped by a stack that is not deep enough for every program, as it should be.
    pub overflow: bool,
}

/// What a core holds behind a load, from what it held before, and what it holds now.
type Change = Box<dyn FnMut(&State, State) -> State>;

/// See the [module documentation](super).
pub struct Bench {
    machine: Machine,
    hardware: Hardware<'static>,
    /// Of every core.
    retirements: Vec<Rc<RefCell<Retirement>>>,
    reference: ReferenceDevice,
    change: Option<Change>,
    stop: Arc<AtomicBool>,
}

impl Bench {
    /// `simulator` is that of the core `config`.
    pub fn new(simulator: Simulator, config: &CoreConfig) -> Self {
        Self::watched(simulator, config, |_| ())
    }

    /// The same; `watch` sees every cycle.
    pub fn watched(simulator: Simulator, config: &CoreConfig, mut watch: impl FnMut(&Simulator) + 'static) -> Self {
        let retirement = retirement(&simulator, config);
        let mut rtl = RtlDevice::new(simulator, config.clone(), Default::default());
        let seen = retirement.clone();
        rtl.observe(Box::new(move |simulator, _| {
            seen.borrow_mut().push(simulator);
            watch(simulator);
        }));
        Self::of(Hardware::Core(Box::new(rtl)), Machine { config: config.clone(), shared: None }, vec![retirement])
    }

    /// Several cores, in place of one, which share this.
    pub fn gpu(mut gpu: GpuDevice<'static>, shared: &SharedParts) -> Self {
        let config = gpu.config().clone();
        let retirements: Vec<_> = (0..gpu.cores()).map(|core| retirement(gpu.engine(core), &config)).collect();
        for (core, retirement) in retirements.iter().enumerate() {
            let seen = retirement.clone();
            gpu.observe(core, Box::new(move |simulator, _| seen.borrow_mut().push(simulator)));
        }
        let machine = Machine { config, shared: Some(shared.clone()) };
        Self::of(Hardware::Gpu(Box::new(gpu), 0), machine, retirements)
    }

    fn of(hardware: Hardware<'static>, machine: Machine, retirements: Vec<Rc<RefCell<Retirement>>>) -> Self {
        let mut reference = ReferenceDevice::with_memory(machine.config.clone(), MEMORY);
        reference.record();
        reference.ignore(&[ATTEMPT as u8]);
        Self { machine, hardware, retirements, reference, change: None, stop: Arc::default() }
    }

    /// From now on ends a run when `stop` is set from outside: [`DeviceError::Interrupted`].
    pub fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// What stops it.
    pub fn stop(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    /// Whether that has been set.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// From now on changes what the core holds when a program has been loaded, which resets it. `change` is given what it held before, and what it holds.
    pub fn change_after_load(&mut self, change: impl FnMut(&State, State) -> State + 'static) {
        self.change = Some(Box::new(change));
    }

    /// What it runs cases on.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Its core.
    pub fn config(&self) -> &CoreConfig {
        &self.machine.config
    }

    /// Runs a case on the core alone, whatever comes of it.
    pub fn leave(&mut self, case: &Case) {
        self.renew(case);
        // A trap, or a run without end, is as good as any other.
        let _ = self.run(case);
    }

    /// The memory of a case, and what its run is held to.
    fn renew(&mut self, case: &Case) {
        let limits = Limits { interrupt: self.stop.clone(), ..limits(self.config(), &case.timing) };
        match &mut self.hardware {
            Hardware::Core(device) => {
                device.renew_memory(case.timing.clone());
                device.set_limits(limits);
            }
            Hardware::Gpu(device, _) => device.set_limits(limits),
        }
    }

    fn run(&mut self, case: &Case) -> Result<Buffers, DeviceError> {
        match (&mut self.hardware, &mut self.change) {
            (Hardware::Core(rtl), Some(change)) => case.run(&mut Changed { rtl, change }),
            (hardware, _) => case.run(hardware.device()),
        }
    }

    /// Runs a case on both, and compares memory, and what every thread has written to its registers.
    ///
    /// # Errors
    /// The first difference; or that the run [was stopped](Self::stop_by).
    pub fn check(&mut self, case: &Case) -> Result<Passed, Failure> {
        self.retirements.iter().for_each(|retirement| retirement.borrow_mut().clear());
        self.renew(case);
        let before = self.hardware.cycle();
        let ran = self.run(case);
        let cycles = self.hardware.cycle() - before;
        let got = match ran {
            Ok(got) => got,
            Err(DeviceError::Trap(trap))
                if trap.cause == TrapCause::StackOverflow && self.machine.config.stack_depth < DEEP =>
            {
                return Ok(Passed { cycles, overflow: true });
            }
            Err(DeviceError::Trap(trap)) => {
                return self.compare_trap(case, trap).map(|()| Passed { cycles, overflow: false });
            }
            Err(error) => return Err(Failure::Core(error)),
        };
        let of_core = |core: &Rc<RefCell<Retirement>>| core.borrow().threads().cloned().collect::<Vec<Retired>>();
        let threads: Vec<Retired> = self.retirements.iter().flat_map(of_core).collect();
        let expected_threads = case.shape.all_threads() as usize;
        if threads.len() != expected_threads {
            return Err(Failure::Threads { threads: threads.len(), expected: expected_threads });
        }
        self.reference.replay(TICKET as u8, tickets(&threads));
        let mut expected = case.run(&mut self.reference).map_err(Failure::Reference)?;
        self.compare_registers(&threads)?;
        self.compare_atomics(&got, &mut expected)?;
        compare_memory(&got, &expected)?;
        let has = |kind: fn(Instruction) -> bool| case.program.words.iter().any(|&word| kind(decode(word)));
        let retries = has(|instruction| matches!(instruction, Instruction::LoadReserved { .. }));
        // Lanes that disagree with the first on the target of an indirect jump execute it again.
        let jumps_again = self.machine.config.jumps_diverge()
            && has(|instruction| matches!(instruction, Instruction::JumpAndLinkRegister { .. }));
        let (got, expected) = (got.thread_instructions, expected.thread_instructions);
        if !retries && got != expected && !(jumps_again && got > expected) {
            return Err(Failure::Instructions { got, expected });
        }
        Ok(Passed { cycles, overflow: false })
    }

    /// The reference model must trap in the same way.
    fn compare_trap(&mut self, case: &Case, got: Box<Trap>) -> Result<(), Failure> {
        self.reference.replay(TICKET as u8, vec![]);
        let Err(DeviceError::Trap(expected)) = case.run(&mut self.reference) else {
            return Err(Failure::Core(DeviceError::Trap(got)));
        };
        // Of which CTA the warp is, a trap does not say; of which core it is, the reference model does not know.
        let warps = case.shape.threads().div_ceil(self.machine.config.lanes as u32) as usize;
        let mut same = Trap { core: None, warp: got.warp % warps, ..(*got).clone() };
        if !same.is_of_a_thread() {
            (same.warp, same.lane) = (expected.warp, expected.lane);
        }
        if same == *expected { Ok(()) } else { Err(Failure::Trap { got, expected }) }
    }

    fn compare_registers(&self, threads: &[Retired]) -> Result<(), Failure> {
        let records = self.reference.records();
        let mut got: Vec<&Signature> = threads.iter().map(|thread| &thread.signature).collect();
        let mut expected: Vec<&Signature> = records.iter().map(|record| &record.signature).collect();
        got.sort();
        expected.sort();
        if got == expected {
            return Ok(());
        }
        // Who is who is known only of programs that compute the thread's number.
        let place = threads.iter().find_map(|thread| {
            let record = records.get(number(thread)?)?;
            let register = record.signature.first_difference(&thread.signature)?;
            Some(format!("x{register} of thread {} of CTA {:?}", record.thread, record.cta))
        });
        Err(Failure::Registers { place: place.unwrap_or_else(|| "registers of some thread".to_string()) })
    }

    /// Puts what the atomics with a result have made of their counters into `expected`.
    fn compare_atomics(&self, got: &Buffers, expected: &mut Buffers) -> Result<(), Failure> {
        let address = |counter: usize| got.counters.address + 4 * counter as u32;
        let first: BTreeMap<u32, u32> =
            TICKETS.map(|counter| (address(counter), got.counters_before[counter])).collect();
        let of_tickets = |access: &&warploom_runtime::host::AtomicAccess| first.contains_key(&access.address);
        let replayed = self.reference.replayed();
        let replayed = replayed.ok_or_else(|| Failure::Atomics("a thread has not as many as in the model".into()))?;
        let last = match &self.hardware {
            Hardware::Core(device) => {
                let performed: Vec<_> = device.atomics().iter().filter(of_tickets).copied().collect();
                atomics::check(&performed, replayed, &first)
            }
            Hardware::Gpu(..) => {
                let last = |counter: usize| (address(counter), got.words[got.regions.words + counter]);
                atomics::check_some_order(replayed, &first, &TICKETS.map(last).collect())
            }
        };
        let last = last.map_err(Failure::Atomics)?;
        for counter in TICKETS {
            expected.words[got.regions.words + counter] = last[&address(counter)];
        }
        Ok(())
    }
}

/// What the threads of a core write to their registers.
fn retirement(engine: &Simulator, config: &CoreConfig) -> Rc<RefCell<Retirement>> {
    let mut retirement = Retirement::new(engine, config, 0);
    retirement.watch(&[THREAD as u8, TICKET as u8]);
    retirement.ignore(&[ATTEMPT as u8]);
    Rc::new(RefCell::new(retirement))
}

/// The core, changed whenever a program has been loaded.
struct Changed<'a> {
    rtl: &'a mut RtlDevice<'static>,
    change: &'a mut Change,
}

impl Device for Changed<'_> {
    fn config(&self) -> &CoreConfig {
        self.rtl.config()
    }

    fn memory(&mut self) -> &mut GlobalMemory {
        self.rtl.memory()
    }

    fn read(&mut self, address: u32, count: usize) -> Vec<u32> {
        self.rtl.read(address, count)
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        self.rtl.write(address, words);
    }

    fn load(&mut self, program: &Program) -> Result<(), DeviceError> {
        let before = self.rtl.engine().save();
        self.rtl.load(program)?;
        let state = (self.change)(&before, self.rtl.engine().save());
        self.rtl.engine_mut().restore(&state).expect("the state of this core");
        Ok(())
    }

    fn launch(&mut self, launch: &Launch) -> Result<LaunchStats, DeviceError> {
        self.rtl.launch(launch)
    }
}

/// An atomic of a warp may go to memory lane by lane, and each of them wait for the one before; in nested loops that has taken 8 million cycles.
fn limits(config: &CoreConfig, timing: &MemoryTiming) -> Limits {
    let latency = timing.l2_latency.max(timing.dram_latency) + timing.jitter.map_or(0, |jitter| jitter.delay);
    Limits { cycles: 20_000_000, silence: 20_000 + 4 * config.lanes as u64 * latency, ..Limits::default() }
}

/// Number in the grid, if the thread has computed it.
fn number(thread: &Retired) -> Option<usize> {
    thread.watched[0].last().map(|&number| number as usize)
}

/// What the atomics of every thread have returned; none where threads do not know who they are, for then they have no tickets.
fn tickets(threads: &[Retired]) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]; threads.len()];
    for thread in threads {
        if let Some(tickets) = number(thread).and_then(|number| all.get_mut(number)) {
            tickets.clone_from(&thread.watched[1]);
        }
    }
    all
}

fn compare_memory(got: &Buffers, expected: &Buffers) -> Result<(), Failure> {
    let mut words = got.words.iter().zip(&expected.words).enumerate();
    let Some((index, (&got_word, &expected_word))) = words.find(|(_, (got, expected))| got != expected) else {
        return Ok(());
    };
    let (regions, region) = (got.regions.words, REGION as usize / 4);
    let place = match index {
        _ if index < regions => format!("word {} of thread {}", index % region, index / region),
        _ if index < regions + COUNTERS => format!("counter {}", index - regions),
        _ if index < regions + COUNTERS + TABLE => format!("word {} of the table", index - regions - COUNTERS),
        _ => format!("word {} of bytes of neighbours", index - regions - COUNTERS - TABLE),
    };
    Err(Failure::Memory { place, got: got_word, expected: expected_word })
}
