//! `--kernel` and `--activity`: the gates of a block of the core go through what the block goes through.
use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::MemoryTiming;
use warploom_sim::netlist::Netlist;
use warploom_synth::flow::Mapped;
use warploom_synth::gates::Gates;
use warploom_synth::handed::Handed;
use warploom_synth::power::{Power, by_kind};
use warploom_synth::report::{Report, Work};
use warploom_synth::timing::CriticalPath;

use super::Flow;
use crate::activity::gates::{GatesAtWork, inputs};
use crate::activity::instance::{Instance, find};
use crate::activity::kernel;
use crate::activity::pins::{Pins, Signal};
use crate::activity::recorder::{Recorder, Twin};
use crate::activity::waveform::Recorded;
use crate::cli::{CoreArgs, LaunchArgs, SetupArgs, SynthArgs};
use crate::elaborate::elaborate_core;
use crate::progress::Progress;
use crate::simulation::give_needed;
use crate::user_kernel::Compiled;
use crate::workload::Workload;

/// A core, the instances in it that are asked for, and what they do.
pub struct Plan<'a> {
    args: &'a SynthArgs,
    config: CoreConfig,
    core: Netlist,
    found: Vec<Found>,
    workloads: Vec<Workload>,
    recorded: Option<Recorded>,
}

/// A block of the core.
struct Found {
    name: String,
    instance: Instance,
    /// How many of the same type the core has.
    count: usize,
    netlist: Netlist,
    signals: BTreeMap<String, Signal>,
}

impl<'a> Plan<'a> {
    /// Everything that can be wrong with the arguments, before anything takes long.
    pub fn new(args: &'a SynthArgs, core: &CoreArgs, config: &CoreConfig) -> Result<Self> {
        ensure!(
            args.gates.is_none() || args.modules.len() + args.kernels.len() <= 2,
            "--gates is for one module and one kernel"
        );
        let setup = |kernel: &String| SetupArgs {
            kernel: Some(kernel.clone()),
            core: core.clone(),
            launch: LaunchArgs { size: args.size.clone(), ..LaunchArgs::default() },
            ..SetupArgs::default()
        };
        let mut compiled = Compiled::default();
        let workloads = args.kernels.iter().map(|kernel| Workload::new(&setup(kernel), config, &mut compiled));
        let workloads: Vec<_> = workloads.collect::<Result<_>>()?;
        let mut config = config.clone();
        workloads.iter().try_for_each(|workload| give_needed(&mut config, core, workload))?;
        let core = elaborate_core(&config)?;
        let find = |name: &String| {
            let (instance, count) = find(&core, name, args.instance.as_deref(), &config)?;
            let netlist = core.design_of(instance.module);
            let Pins { signals, .. } = Pins::new(&netlist, &instance.path, args.large());
            Ok(Found { name: name.clone(), instance, count, netlist, signals })
        };
        let found = args.modules.iter().map(find).collect::<Result<Vec<_>>>()?;
        let recorded = args.activity.as_deref().map(Recorded::open).transpose()?;
        if let Some(recorded) = &recorded {
            recorded
                .check(found.iter().map(|found| (found.instance.path.as_str(), found.signals.values().collect())))?;
        }
        Ok(Self { args, config, core, found, workloads, recorded })
    }

    /// A report per kernel, or of the waveform, and module.
    pub fn reports(
        self,
        parameters: &BTreeMap<String, String>,
        flow: &Flow,
        print: &mut dyn FnMut(Report) -> Result<()>,
    ) -> Result<()> {
        let Self { args, config, core, found, workloads, recorded } = self;
        let progress = Progress::start();
        let blocks = found.into_iter().map(|found| {
            progress.say(format!("mapping {}", found.name));
            Block::new(found, flow)
        });
        let at_work =
            AtWork { blocks: blocks.collect::<Result<_>>()?, parameters, flow, handed: args.gates.as_deref() };
        let mut print = |report| progress.suspend(|| print(report));
        for workload in &workloads {
            progress.say(format!("running {}", workload.name()));
            let (size, unit) = workload.size();
            let (kernel, size) = (Some(workload.name().to_string()), Some(format!("{size} {unit}")));
            let work = Work { kernel, size, ..Work::default() };
            let run =
                |recorder: &mut Recorder<'_>| kernel::run(&core, &config, &MemoryTiming::default(), workload, recorder);
            at_work.reports(work, run)?.into_iter().try_for_each(&mut print)?;
        }
        if let Some(mut recorded) = recorded {
            progress.say("replaying the waveform");
            let waveform = args.activity.as_ref().map(|path| path.display().to_string());
            let work = Work { waveform, ..Work::default() };
            let run = |recorder: &mut Recorder<'_>| recorded.replay(recorder);
            at_work.reports(work, run)?.into_iter().try_for_each(&mut print)?;
        }
        Ok(())
    }
}

/// Blocks of one core, and how they are reported.
struct AtWork<'a> {
    blocks: Vec<Block>,
    parameters: &'a BTreeMap<String, String>,
    flow: &'a Flow,
    /// Where gates go for other tools.
    handed: Option<&'a Path>,
}

impl AtWork<'_> {
    /// Has the gates of all blocks go through what `run` says; a report for each.
    fn reports(&self, work: Work, run: impl FnOnce(&mut Recorder<'_>) -> Result<()>) -> Result<Vec<Report>> {
        let mut twins: Vec<_> = self.blocks.iter().map(Twins::new).collect();
        let mut recorder = Recorder::default();
        for (block, twins) in self.blocks.iter().zip(&mut twins) {
            twins.handed = self.handed.map(|directory| block.hand_over(directory, self.flow)).transpose()?;
            let Found { name, signals, .. } = &block.found;
            twins.each().try_for_each(|twin| recorder.follow(name, signals, twin))?;
        }
        run(&mut recorder)?;
        let cycles = recorder.cycles();
        drop(recorder);
        for (block, twins) in self.blocks.iter().zip(&mut twins) {
            let Some(HandedOver { handed, .. }) = twins.handed.take() else { continue };
            let power = by_kind(&block.gates, &twins.whole.activity(), self.flow.options.clock_ns);
            handed.end(&power).with_context(|| format!("the gates of {} cannot be written", block.found.name))?;
        }
        let report = |(block, twins): (&Block, Twins<'_>)| {
            let (instance, instances) = (block.found.instance.path.clone(), block.found.count);
            let work = Work { instance, instances, cycles, ..work.clone() };
            let (whole, apart) = twins.power(self.flow);
            block.report(self.parameters, self.flow).with_power(work, &whole, &apart)
        };
        Ok(self.blocks.iter().zip(twins).map(report).collect())
    }
}

/// A block of the core, mapped.
struct Block {
    found: Found,
    mapped: Mapped,
    path: Option<CriticalPath>,
    gates: Gates,
    /// With its submodules as modules, where that is another netlist.
    apart: Option<Gates>,
}

impl Block {
    fn new(found: Found, flow: &Flow) -> Result<Self> {
        let (mapped, path) = flow.map(&found.netlist).with_context(|| format!("cannot map {}", found.name))?;
        let load = |directory: &Path| Gates::load(directory, &flow.cells);
        let gates = load(mapped.directory())?;
        let apart = mapped.directory_apart().filter(|directory| *directory != mapped.directory());
        let apart = apart.map(load).transpose()?;
        Ok(Self { found, mapped, path, gates, apart })
    }

    fn hand_over(&self, directory: &Path, flow: &Flow) -> Result<HandedOver<'_>> {
        let Found { name, netlist, .. } = &self.found;
        ensure!(
            self.mapped.memories.is_empty(),
            "--gates: {name} has memories that are no gates: make flip-flops of them with a larger --memory-bits"
        );
        let handed = Handed::begin(directory, netlist, &self.mapped, &self.gates, &flow.cells, flow.options.clock_ns);
        let handed =
            handed.with_context(|| format!("the gates of {name} cannot be written to {}", directory.display()))?;
        Ok(HandedOver { gates: &self.gates, handed })
    }

    fn report(&self, parameters: &BTreeMap<String, String>, flow: &Flow) -> Report {
        let Found { name, netlist, .. } = &self.found;
        let (mapped, path) = (&self.mapped, self.path.clone());
        Report::new(name, parameters.clone(), netlist, &flow.cells, &flow.options, mapped, path)
    }
}

/// The gates of a block at work.
struct Twins<'g> {
    whole: GatesAtWork<'g>,
    apart: Option<GatesAtWork<'g>>,
    handed: Option<HandedOver<'g>>,
}

impl<'g> Twins<'g> {
    fn new(block: &'g Block) -> Self {
        let apart = block.apart.as_ref().map(GatesAtWork::new);
        Self { whole: GatesAtWork::new(&block.gates), apart, handed: None }
    }

    fn each<'t>(&'t mut self) -> impl Iterator<Item = &'t mut dyn Twin> + use<'t, 'g> {
        let apart = self.apart.as_mut().map(|twin| twin as &mut dyn Twin);
        let handed = self.handed.as_mut().map(|twin| twin as &mut dyn Twin);
        std::iter::once(&mut self.whole as &mut dyn Twin).chain(apart).chain(handed)
    }

    /// Of all, and of that which is told apart by submodules.
    fn power(&self, flow: &Flow) -> (Power, Power) {
        let of = |twin: &GatesAtWork<'_>| twin.power(flow.options.clock_ns);
        let whole = of(&self.whole);
        let apart = self.apart.as_ref().map_or_else(|| whole.clone(), of);
        (whole, apart)
    }
}

/// Gates that are handed to other tools, with what they are given.
struct HandedOver<'g> {
    gates: &'g Gates,
    handed: Handed,
}

impl Twin for HandedOver<'_> {
    fn inputs(&self) -> Vec<(String, usize)> {
        inputs(self.gates)
    }

    fn outputs(&self) -> Vec<String> {
        vec![]
    }

    fn cycle(&mut self, inputs: &[u64]) {
        self.handed.cycle(inputs);
    }

    fn output(&mut self, _: usize) -> u64 {
        unreachable!("what is handed over is asked for nothing")
    }

    fn forget(&mut self) {
        self.handed.forget();
    }
}
