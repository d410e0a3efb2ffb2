//! What `run` says of a run besides its counters: `--trace`, branch by branch, and `--perfetto`, cycle by cycle.
use std::path::Path;

use anyhow::Result;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{ControlTrace, Device, RtlDevice};
use warploom_sim::Simulator;

use crate::cli::RunArgs;
use crate::workload::Workload;

mod branches;
mod perfetto;
mod slices;

use branches::Branches;
pub use branches::{BranchReport, table};
use perfetto::Perfetto;
pub use perfetto::PerfettoFile;

/// What is asked for.
pub struct Wanted<'a> {
    branches: bool,
    perfetto: Option<&'a Path>,
}

impl<'a> Wanted<'a> {
    /// By the arguments of a run.
    pub fn new(args: &'a RunArgs) -> Self {
        Self { branches: args.trace, perfetto: args.perfetto.as_deref() }
    }

    /// Nets that the simulator must show.
    pub fn observe(&self, config: &CoreConfig) -> Vec<String> {
        if self.branches || self.perfetto.is_some() { ControlTrace::nets(config) } else { vec![] }
    }

    /// Begins, and opens the files; nothing if nothing is asked for.
    pub fn begin(self, device: &RtlDevice<'_>, workload: &Workload) -> Result<Option<Traces>> {
        let Self { branches, perfetto } = self;
        let (simulator, config) = (device.engine(), device.config());
        let perfetto = perfetto.map(PerfettoFile::create).transpose()?;
        Ok((branches || perfetto.is_some()).then(|| Traces {
            control: ControlTrace::new(simulator, config),
            branches: branches.then(|| Branches::new(workload.program(), config)),
            perfetto: perfetto.map(|file| Perfetto::begin(file, device, workload)),
        }))
    }
}

/// Under way. [`push`](Self::push) after every cycle.
pub struct Traces {
    control: ControlTrace,
    branches: Option<Branches>,
    perfetto: Option<Perfetto>,
}

impl Traces {
    /// Adds the cycle just simulated, the `cycle`th of all.
    pub fn push(&mut self, simulator: &Simulator, cycle: u64) {
        if let Some(branches) = &mut self.branches {
            branches.push(&self.control, simulator);
        }
        if let Some(perfetto) = &mut self.perfetto {
            perfetto.push(&self.control, simulator, cycle);
        }
    }

    /// The branches, if they were asked for; completes the files.
    pub fn finish(self) -> (Option<Vec<BranchReport>>, Result<()>) {
        let written = self.perfetto.map_or(Ok(()), Perfetto::finish);
        (self.branches.map(Branches::finish), written)
    }
}
