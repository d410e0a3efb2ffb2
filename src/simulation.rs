//! A workload on a core: what every command that simulates one shares.
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::low_level;
use warploom_hdl::config::{CoreConfig, Permutation};
use warploom_hdl::memory_system::SystemConfig;
use warploom_runtime::host::{
    DEFAULT_GLOBAL_BYTES, DeviceError, GpuCounts, GpuDevice, GpuEngines, Hardware, LaunchStats, Limits, MemoryTiming,
    RtlDevice,
};
use warploom_runtime::isa;
use warploom_runtime::loader::Capacity;
use warploom_sim::tool;
use warploom_verification::compactability::Counter;
use warploom_verification::reference::{Observed, ReferenceDevice};

use crate::cli::{CoreArgs, SetupArgs};
use crate::hardware::{Netlists, Simulators};
use crate::report::{Ending, RunReport, SimFigures, SystemReport};
use crate::status::{INTERRUPTED, Status};
use crate::user_kernel::Compiled;
use crate::workload::{Finish, Workload};
use crate::{mechanism, presets};

/// What a setup asks for, checked: the core and what runs on it.
pub struct Simulation {
    /// As on the command line.
    pub setup: SetupArgs,
    /// The core.
    pub config: CoreConfig,
    /// The memory beyond its L1, of a core alone.
    pub timing: MemoryTiming,
    /// What it shares with others, if it is one of a GPU.
    pub system: Option<SystemConfig>,
    /// What it runs.
    pub workload: Workload,
}

/// Gives a core the instructions that a program needs, unless `--isa` says which it has: then one that it lacks is an error.
pub fn give_needed(config: &mut CoreConfig, core: &CoreArgs, workload: &Workload) -> Result<()> {
    let program = workload.program();
    let (float, warp_instruction) = (program.first_float, program.first_warp_instruction);
    if core.isa.is_none() {
        config.floats |= float.is_some();
        config.warp_instructions |= warp_instruction.is_some();
    }
    for (first, has, what) in
        [(float, config.floats, "floats"), (warp_instruction, config.warp_instructions, "warp instructions")]
    {
        let Some(pc) = first.filter(|_| !has) else { continue };
        let mnemonic = isa::decode(program.word(pc).unwrap_or_default()).mnemonic();
        let (isa, name, place) = (config.isa(), workload.name(), program.place(pc));
        bail!("--isa {isa}: {name} has {what}: {mnemonic} at {place}");
    }
    if float.is_some() {
        presets::check(config, core)?;
    }
    Ok(())
}

impl Simulation {
    /// Checks all of `setup`, before anything is built.
    pub fn new(setup: SetupArgs) -> Result<Self> {
        Self::sharing(setup, &mut Compiled::default())
    }

    /// The same, of one of several that run what was compiled for the others.
    pub fn sharing(setup: SetupArgs, compiled: &mut Compiled) -> Result<Self> {
        let mut config = presets::configure(&setup.core)?;
        let name = mechanism::name(&config);
        ensure!(config.may_leave_warps() || !setup.no_compaction, "--no-compaction: {name} does not compact");
        ensure!(config.permutes() || !setup.no_permutation, "--no-permutation: {name} does not permute lanes");
        let timing = setup.timing(&config)?;
        let system = setup.system(&mut config)?;
        let measurable = setup.energy.is_none() || system.is_none();
        ensure!(measurable, "--energy: it is measured in a core alone, without --cores and --memory rtl");
        let workload = Workload::new(&setup, &config, compiled)?;
        give_needed(&mut config, &setup.core, &workload)?;
        workload.program().check_fits(&Capacity::of(&config, DEFAULT_GLOBAL_BYTES))?;
        Ok(Self { setup, config, timing, system, workload })
    }

    /// Whether it runs on the same hardware, measured in the same way.
    pub fn is_alike(&self, other: &Self) -> bool {
        self.config == other.config && self.system == other.system && self.setup.energy == other.setup.energy
    }

    /// What there is to elaborate.
    pub fn netlists(&self) -> Result<Netlists> {
        Netlists::new(&self.config, self.system.as_ref())
    }

    /// The hardware in simulators of it, with its memory and as the setup wants it. Of a GPU a core is watched, and its parts are simulated on so many threads.
    pub fn hardware<'a>(&self, simulators: Simulators, limits: Limits, watched: usize, threads: usize) -> Hardware<'a> {
        let (compact, permute) = (!self.setup.no_compaction, !self.setup.no_permutation);
        let (Some(system), Some([interconnect, partition])) = (&self.system, simulators.shared) else {
            let mut device = RtlDevice::new(simulators.core, self.config.clone(), self.timing.clone());
            device.set_limits(limits);
            device.set_compaction(compact);
            device.set_permutation(permute);
            return Hardware::Core(Box::new(device));
        };
        let engines = [simulators.core, interconnect, partition];
        let Ok(engines) = GpuEngines::of(engines, system, |engine| Ok::<_, Infallible>(engine.another()));
        let mut device = GpuDevice::new(engines, self.config.clone(), system.clone());
        device.set_limits(limits);
        device.set_compaction(compact);
        device.set_permutation(permute);
        device.set_threads(threads);
        Hardware::Gpu(Box::new(device), watched)
    }

    /// What the parts of a GPU did.
    fn system_report(&self, counts: Option<&GpuCounts>) -> Option<SystemReport> {
        let machine = presets::machine(&self.setup.core).ok()?;
        Some(SystemReport::new(counts?, self.system.as_ref()?, (machine.shared_memory)().part()))
    }

    /// Why it may come to no end, or to a wrong one, if that is known from the start.
    pub fn doubt(&self) -> Option<String> {
        let mut config = self.config.clone();
        if self.setup.no_permutation {
            config.permutation = Permutation::None;
        }
        let needs = self.workload.lacks(&config)?;
        Some(format!("{} needs {needs}, which {} does not give", self.workload.name(), mechanism::name(&config)))
    }

    /// What there is to say of a run that has ended.
    ///
    /// # Errors
    /// If the input was at fault.
    pub fn report(&self, ended: Result<Finish, DeviceError>, ran: Ran) -> Result<(Status, RunReport)> {
        let mut notes = self.workload.program().notes;
        notes.extend(self.doubt());
        let mut left = BTreeMap::new();
        let (status, result, reason) = match ended {
            Ok(Finish::Right) => (Status::Pass, Ending::Pass, None),
            Ok(Finish::Unchecked(outputs)) => {
                left = outputs.fingerprints();
                notes.extend(outputs.notes);
                match outputs.overrun.or(outputs.failed) {
                    None => (Status::Pass, Ending::Pass, None),
                    reason => (Status::Fail, Ending::Fail, reason),
                }
            }
            Ok(Finish::Wrong(mismatch)) => (Status::Fail, Ending::Fail, Some(mismatch.to_string())),
            Err(error) => (stopped(&error)?, Ending::Error, Some(error.to_string())),
        };
        let compactability = if self.setup.compactability && result == Ending::Pass {
            let by_the_book = ReferenceDevice::new(self.config.clone());
            let mut by_the_book = Observed::new(by_the_book, Counter::new(self.config.lanes));
            self.workload.run(&mut by_the_book)?;
            Some(by_the_book.observer.counts())
        } else {
            None
        };
        let (size, unit) = self.workload.size();
        let system = self.system_report(ran.counts.as_ref());
        let mut measured = RunReport::of(&ran.stats, &self.config);
        let without_cta = system.as_ref().map_or(0, |system| system.cycles_without_cta(ran.stats.cycles));
        measured.issue_slots.no_cta = without_cta / self.config.issue_interval as u64;
        measured.idle_slots = measured.issue_slots.idle();
        let own = matches!(self.workload, Workload::Own(_));
        let report = RunReport {
            kernel: self.workload.name().to_string(),
            mechanism: mechanism::name(&self.config),
            preset: self.setup.core.preset().to_string(),
            parameters: self.setup.parameters(),
            result,
            checked: !own,
            program: own.then(|| format!("{:016x}", self.workload.fingerprint())),
            outputs: left,
            reason,
            notes,
            size,
            unit: unit.to_string(),
            launches: ran.launches,
            system,
            sim: ran.figures,
            compactability,
            ..measured
        };
        Ok((status, report))
    }
}

/// What a run took.
pub struct Ran {
    /// Core by core and channel by channel, of a GPU.
    pub counts: Option<GpuCounts>,
    /// Counted by the hardware.
    pub stats: LaunchStats,
    /// Kernel launches.
    pub launches: u64,
    /// The simulation itself.
    pub figures: SimFigures,
}

/// Signals within so many milliseconds are one: `timeout` sends two.
const ONE_SIGNAL: u64 = 300;

/// Has Ctrl-C and SIGTERM set the flag of [`tool::interrupt`], which is returned; the second time they do not wait for anything.
pub fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    static LISTENS: AtomicBool = AtomicBool::new(false);
    let flag = tool::interrupt().clone();
    if LISTENS.swap(true, Ordering::Relaxed) {
        return Ok(flag);
    }
    let (start, first) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    for signal in [SIGINT, SIGTERM] {
        let (first, flag) = (first.clone(), flag.clone());
        let seen = move || {
            let now = start.elapsed().as_millis() as u64 + 1;
            match first.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => flag.store(true, Ordering::Relaxed),
                Err(first) if now < first + ONE_SIGNAL => {}
                Err(_) => low_level::exit(INTERRUPTED.into()),
            }
        };
        // SAFETY: it reads the clock, which signal handlers may, and atomic numbers.
        unsafe { low_level::register(signal, seen) }.context("cannot listen for Ctrl-C")?;
    }
    Ok(flag)
}

/// The status of a run that the hardware, the watchdog or the user stopped; any other error is one of input.
pub fn stopped(error: &DeviceError) -> Result<Status> {
    match error {
        DeviceError::Trap(_) | DeviceError::Deadlock { .. } | DeviceError::Limit { .. } | DeviceError::Dram(_) => {
            Ok(Status::Stopped)
        }
        DeviceError::Interrupted { .. } => Ok(Status::Interrupted),
        DeviceError::Load(_)
        | DeviceError::BadLaunch { .. }
        | DeviceError::OutOfMemory { .. }
        | DeviceError::OtherRun(_) => Err(error.clone().into()),
    }
}
