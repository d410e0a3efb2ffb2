//! `warploom synth`: what a module costs in standard cells, and what it takes from the supply while a kernel runs.
use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::netlist::Netlist;
use warploom_synth::cells::Cells;
use warploom_synth::flow::{self, FlowOptions, Mapped};
use warploom_synth::picture::icicle;
use warploom_synth::prove::{Verdict, prove};
use warploom_synth::report::Report;
use warploom_synth::timing::{self, CriticalPath};
use warploom_synth::tools;

use crate::cli::SynthArgs;
use crate::elaborate::elaborate;
use crate::progress::Progress;
use crate::status::Status;
use crate::{gpu_module, mechanism, output, presets};

mod fpga;
mod growth;
mod picture;
mod power;
mod sweep;

use growth::Growth;
use picture::Picture;
use power::Plan;
use sweep::Variant;

/// Maps the modules at every size asked for, runs the kernels, and reports.
pub fn synth(args: &SynthArgs) -> Result<Status> {
    let prepared = sweep::variants(args)?.into_iter().map(|variant| Prepared::new(args, variant));
    let prepared = prepared.collect::<Result<Vec<_>>>()?;
    if let Some(target) = args.target {
        return fpga::synth(args, target, &prepared);
    }
    let flow = Flow::new(args)?;
    let mut reports = vec![];
    for mut prepared in prepared {
        let mut print = |report: Report| {
            if !args.json {
                output::print(&report)?;
            }
            reports.push(report);
            Ok(())
        };
        match prepared.plan.take() {
            Some(plan) => plan.reports(&prepared.parameters, &flow, &mut print)?,
            None => {
                let progress = Progress::start();
                for name in &args.modules {
                    let report = flow.alone(name, &prepared, &progress)?;
                    progress.suspend(|| print(report))?;
                }
            }
        }
    }
    if let Some((size, _)) = args.sweep.as_ref().and_then(|sweep| sweep.split_once('=')) {
        for module in args.modules.iter().filter(|_| !args.is_at_work()) {
            let growth = Growth::new(module, size, &reports);
            if !args.json {
                output::print(growth.table())?;
            }
            flow.picture.iter().try_for_each(|picture| picture.write(&growth.picture()?))?;
        }
    }
    print_json(args, &reports)?;
    let refuted = |report: &Report| matches!(report.proof, Some(Verdict::Refuted { .. }));
    Ok(if reports.iter().any(refuted) { Status::Fail } else { Status::Pass })
}

/// With `--json`: one object, or a list of them for what may give several.
fn print_json(args: &SynthArgs, reports: &[impl Serialize]) -> Result<()> {
    if !args.json {
        return Ok(());
    }
    let list = args.sweep.is_some() || args.modules.len() > 1 || args.kernels.len() > 1;
    let json = if list { serde_json::to_string_pretty(reports) } else { serde_json::to_string_pretty(&reports[0]) };
    output::print(json?)
}

/// What modules are built for, and what reports say of it.
struct Prepared<'a> {
    config: CoreConfig,
    /// Of a GPU.
    system: Option<SystemConfig>,
    parameters: BTreeMap<String, String>,
    plan: Option<Plan<'a>>,
}

impl<'a> Prepared<'a> {
    /// Everything that can be wrong with the arguments, before anything takes long.
    fn new(args: &'a SynthArgs, Variant { core, system: of_gpu, swept }: Variant) -> Result<Self> {
        let configured = presets::configure(&core).and_then(|mut config| {
            let system = of_gpu.system(&core, &mut config)?;
            args.modules.iter().try_for_each(|name| gpu_module::check(name, system.as_ref()))?;
            Ok((config, system))
        });
        let (config, system) = match &args.sweep {
            Some(sweep) => configured.with_context(|| format!("--sweep {sweep}"))?,
            None => configured?,
        };
        ensure!(
            system.is_none() || !args.is_at_work(),
            "--kernel, --activity: power is measured in a core alone, without --cores and --memory"
        );
        let mut parameters = BTreeMap::from(
            [("preset", core.preset().to_string()), ("mechanism", mechanism::name(&config))]
                .map(|(name, value)| (name.to_string(), value)),
        );
        let sizes = [("lanes", config.lanes), ("warps", config.warps)];
        let shared = system.iter().flat_map(|system| [("cores", system.cores), ("channels", system.channels)]);
        parameters.extend(sizes.into_iter().chain(shared).map(|(name, value)| (name.to_string(), value.to_string())));
        parameters.extend(swept);
        let plan = args.is_at_work().then(|| Plan::new(args, &core, &config)).transpose()?;
        Ok(Self { config, system, parameters, plan })
    }

    /// A module of it.
    fn netlist(&self, name: &str) -> Result<Netlist> {
        elaborate(name, gpu_module::build(name, &self.config, self.system.as_ref())?)
    }
}

/// What is the same for all modules.
struct Flow {
    cells: Cells,
    options: FlowOptions,
    has_timing: bool,
    /// How long a proof may take; none is wanted without.
    proof: Option<Duration>,
    picture: Option<Picture>,
    /// Whether that is of a module's area, not of a sweep.
    draws_area: bool,
}

impl Flow {
    fn new(args: &SynthArgs) -> Result<Self> {
        let picture = Picture::new(args)?;
        let cells = Cells::load(args.liberty.as_deref())?;
        let options = FlowOptions {
            clock_ns: args.clock,
            depth: args.depth,
            flatten: !args.no_flatten,
            flatten_up_to: args.flatten_up_to,
            large: args.large(),
            gate_clocks: args.gate_clocks,
        };
        // Without the tool there is no path; the rest is worth having.
        let has_timing = tools::tool("sta").is_some_and(|tool| tool.is_here());
        if !has_timing {
            let install = tools::tool("sta").map_or("", |tool| tool.install);
            output::say!("note: the longest path is not looked for: OpenSTA is not here ({install})");
        }
        let proof = args.prove.then(|| Duration::from_secs(args.prove_within));
        Ok(Self { cells, options, has_timing, proof, picture, draws_area: args.sweep.is_none() })
    }

    /// Gates and their longest path.
    fn map(&self, netlist: &Netlist) -> Result<(Mapped, Option<CriticalPath>)> {
        let mapped = flow::map(netlist, &self.cells, &self.options)?;
        let path = if self.has_timing { timing::critical_path(netlist, &mapped, &self.cells)? } else { None };
        Ok((mapped, path))
    }

    /// A module as it is on its own.
    fn alone(&self, name: &str, prepared: &Prepared, progress: &Progress) -> Result<Report> {
        progress.say(format!("elaborating {name}"));
        let netlist = prepared.netlist(name)?;
        progress.say(format!("mapping {name} with yosys and abc: seconds for a block, minutes for a whole core"));
        let (mapped, path) = self.map(&netlist)?;
        let report =
            Report::new(name, prepared.parameters.clone(), &netlist, &self.cells, &self.options, &mapped, path);
        progress.say(format!("proving {name}"));
        let proof = self.proof.map(|limit| prove(&netlist, &mapped, limit)).transpose()?;
        for picture in self.picture.iter().filter(|_| self.draws_area) {
            picture.write(&icicle(name, &mapped, self.cells.library.gate_area))?;
        }
        Ok(Report { proof, ..report })
    }
}
