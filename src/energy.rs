//! What a run takes from the supply: the gates of the core go through what the core goes through, its memories are a model.
//!
//! ```text
//!  core --flow--> gates --+
//!                         +--> kernel::run --> power x time, accesses x energy --> Energy
//!  memories apart --------+
//! ```
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_sim::flatten::top_scope;
use warploom_synth::cells::Cells;
use warploom_synth::flow::{self, FlowOptions};
use warploom_synth::gates::Gates;
use warploom_synth::memories::Large;
use warploom_synth::tools;

use crate::activity::gates::GatesAtWork;
use crate::activity::kernel;
use crate::activity::memories::MemoriesAtWork;
use crate::activity::observable::observable;
use crate::activity::pins::Pins;
use crate::activity::recorder::Recorder;
use crate::cells;
use crate::elaborate::elaborate_core;
use crate::simulation::Simulation;

/// Memories of at least so many bits, those of the same rows together, are a model.
const LARGE: Large = Large { bits: 1024, joined: true };

/// `--energy`: in which cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnergyArgs {
    /// A Liberty file; OSU018 without one.
    pub liberty: Option<PathBuf>,
}

impl EnergyArgs {
    /// The cells that a run without a Liberty file has.
    pub const DEFAULT: &'static str = "osu018";

    /// Sees that there are cells and a tool that maps to them, before anything is run.
    ///
    /// # Errors
    /// If there are not.
    pub fn check(&self) -> Result<()> {
        Cells::load(self.liberty.as_deref()).context("--energy")?;
        let yosys = tools::tool("yosys").context("yosys is a tool that is known")?;
        ensure!(
            yosys.is_here(),
            "--energy: the core is mapped to gates by yosys, which is not here ({})",
            yosys.install
        );
        Ok(())
    }
}

impl FromStr for EnergyArgs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let liberty = (text != Self::DEFAULT).then(|| cells::file(text)).transpose()?;
        Ok(Self { liberty })
    }
}

/// What a run took, from its first launch to its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Energy {
    /// The library of the cells.
    pub cells: String,
    /// Of the clock that leakage is of, in ns.
    pub clock_ns: f64,
    /// In cells and in nets between them, their clock pins included, in uJ.
    pub logic_uj: f64,
    /// What they leak in that time, in uJ.
    pub leakage_uj: f64,
    /// Accesses of memories, by a model, in uJ.
    pub memories_uj: f64,
    /// All of it, in uJ.
    pub total_uj: f64,
}

/// The gates of a core, for all that is to run on it.
pub struct Meter {
    gates: Gates,
    cells: String,
    clock_ns: f64,
}

impl Meter {
    /// Maps the core: minutes for one of a paper.
    ///
    /// # Errors
    /// If a tool is missing or fails, or the cells cannot be read.
    pub fn new(config: &CoreConfig, args: &EnergyArgs) -> Result<Self> {
        let core = elaborate_core(config)?;
        let cells = Cells::load(args.liberty.as_deref())?;
        let options = FlowOptions { large: LARGE, gate_clocks: true, depth: 0, ..FlowOptions::default() };
        let mapped = flow::map(&core, &cells, &options).context("--energy: cannot map the core")?;
        let gates = Gates::load(mapped.directory(), &cells)?;
        Ok(Self { gates, cells: cells.library.name.clone(), clock_ns: options.clock_ns })
    }

    /// Runs it once more, beside its gates.
    ///
    /// # Errors
    /// If they are not what the core is in some cycle.
    pub fn measure(&self, simulation: &Simulation) -> Result<Energy> {
        // Not kept from run to run: netlists are not shared by threads.
        let core = observable(elaborate_core(&simulation.config)?);
        let pins = Pins::new(&core, &top_scope(&core), LARGE);
        let mut gates = GatesAtWork::new(&self.gates);
        let mut memories = MemoriesAtWork::new(&pins);
        let mut recorder = Recorder::default();
        recorder.follow("the core", &pins.signals, &mut gates)?;
        recorder.follow("the memories", &pins.signals, &mut memories)?;
        let Simulation { config, timing, workload, .. } = simulation;
        kernel::run(&core, config, timing, workload, &mut recorder)?;
        let cycles = recorder.cycles() as f64;
        drop(recorder);
        let power = gates.power(self.clock_ns);
        // A pJ is a millionth of a uJ, a uW in a ns a thousandth of a pJ.
        let logic_uj = power.cycle_pj * cycles / 1e6;
        let leakage_uj = power.total.leakage_uw * self.clock_ns * cycles / 1e9;
        let memories_uj = memories.energy_pj() / 1e6;
        Ok(Energy {
            cells: self.cells.clone(),
            clock_ns: self.clock_ns,
            logic_uj,
            leakage_uj,
            memories_uj,
            total_uj: logic_uj + leakage_uj + memories_uj,
        })
    }
}
