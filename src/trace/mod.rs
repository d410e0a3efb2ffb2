//! What `run` says of a run besides its counters: `--trace`, branch by branch, `--perfetto`, cycle by cycle, and `--watch`, write by write.
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use comfy_table::Table;
use warploom_hdl::config::CoreConfig;
use warploom_runtime::host::{ControlTrace, WriteTrace};
use warploom_runtime::trace::{Perfetto, PerfettoFile};
use warploom_sim::Simulator;

use crate::cli::RunArgs;
use crate::workload::Workload;

mod branches;
mod writes;

use branches::Branches;
pub use branches::{BranchReport, table};
use writes::Writes;
pub use writes::{Watch, WatchReport, table as writes_table};

fn cannot_write(path: &Path) -> String {
    format!("--perfetto: cannot write {}", path.display())
}

/// A table as lines of a report.
fn listing(mut table: Table) -> String {
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    table.lines().map(|line| format!("  {}", line.trim_end())).collect::<Vec<_>>().join("\n")
}

/// What is asked for.
pub struct Wanted<'a> {
    branches: bool,
    perfetto: Option<&'a Path>,
    watched: Vec<WatchReport>,
}

impl<'a> Wanted<'a> {
    /// By the arguments of a run.
    ///
    /// # Errors
    /// If a buffer that is to be watched is not there.
    pub fn new(args: &'a RunArgs, workload: &Workload, config: &CoreConfig) -> Result<Self> {
        let buffers = workload.buffers(config);
        let watched = args.watches.iter().map(|watch| watch.report(&buffers)).collect::<Result<_>>()?;
        Ok(Self { branches: args.trace, perfetto: args.perfetto.as_deref(), watched })
    }

    /// Nets that the simulator must show.
    pub fn observe(&self, config: &CoreConfig) -> Vec<String> {
        let mut nets = if self.branches || self.perfetto.is_some() { ControlTrace::nets(config) } else { Vec::new() };
        nets.extend(if self.watched.is_empty() { Vec::new() } else { WriteTrace::nets(config) });
        nets
    }

    /// Begins, and opens the files; nothing if nothing is asked for.
    pub fn begin(
        self,
        simulator: &Simulator,
        config: &CoreConfig,
        launches: u64,
        workload: &Workload,
    ) -> Result<Option<Traces>> {
        let Self { branches, perfetto, watched } = self;
        let file = perfetto.map(|path| PerfettoFile::create(path).with_context(|| cannot_write(path))).transpose()?;
        let writes = (!watched.is_empty()).then(|| Writes::new(watched, simulator, config, workload.program()));
        let is_any = branches || file.is_some() || writes.is_some();
        Ok(is_any.then(|| Traces {
            control: (branches || file.is_some()).then(|| ControlTrace::new(simulator, config)),
            branches: branches.then(|| Branches::new(workload.program(), config)),
            perfetto: perfetto
                .zip(file)
                .map(|(path, file)| (path, Perfetto::begin(file, simulator, config, launches, workload.program())))
                .map(|(path, perfetto)| (path.to_path_buf(), perfetto)),
            writes,
        }))
    }
}

/// What becomes part of the report, as far as it was asked for.
#[derive(Default)]
pub struct Traced {
    /// `--trace`.
    pub branches: Option<Vec<BranchReport>>,
    /// `--watch`.
    pub watched: Option<Vec<WatchReport>>,
}

/// Under way. [`push`](Self::push) after every cycle.
pub struct Traces {
    control: Option<ControlTrace>,
    branches: Option<Branches>,
    /// With its path.
    perfetto: Option<(PathBuf, Perfetto)>,
    writes: Option<Writes>,
}

impl Traces {
    /// Adds the cycle just simulated, the `cycle`th of all.
    pub fn push(&mut self, simulator: &Simulator, cycle: u64) {
        if let Some((branches, control)) = self.branches.as_mut().zip(self.control.as_ref()) {
            branches.push(control, simulator);
        }
        if let Some(((_, perfetto), control)) = self.perfetto.as_mut().zip(self.control.as_ref()) {
            perfetto.push(control, simulator, cycle);
        }
        if let Some(writes) = &mut self.writes {
            writes.push(simulator);
        }
    }

    /// Completes the files.
    pub fn finish(self) -> (Traced, Result<()>) {
        let written = self.perfetto.map_or(Ok(()), |(path, trace)| trace.finish().with_context(|| cannot_write(&path)));
        (Traced { branches: self.branches.map(Branches::finish), watched: self.writes.map(Writes::finish) }, written)
    }
}
