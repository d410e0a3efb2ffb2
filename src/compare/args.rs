//! `warploom compare`, as clap sees it.
use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args, ValueEnum};

use super::Part;
use crate::cli::{CoreArgs, LaunchArgs, SystemArgs, check_swept};
use crate::energy::EnergyArgs;
use crate::machine::MemoryArgs;

/// `warploom compare`.
#[derive(Args)]
#[command(mut_arg("mechanism", |argument| argument
    .long("mechanisms")
    .value_name("NAME,..")
    .help("How diverging threads are handled: any of `warploom mechanisms`, with commas in between; the first is what \
        the others are compared with [default: spe,tbc,tbc-plus,capri,capri+slp,dpe]")),
    group = ArgGroup::new("in_parts").args(["shard", "emit"]),
    // A group, as clap does not miss an option beside one that excludes it.
    group = ArgGroup::new("scripts").arg("emit"))]
pub struct CompareArgs {
    /// Kernels from `warploom kernels`, or paths of sources (.cl, .c, .s, .S) or ELF files of your own [default: all that come with
    /// warploom]
    #[arg(conflicts_with_all = ["plan", "merge"])]
    pub kernels: Vec<String>,
    #[command(flatten)]
    pub core: CoreArgs,
    #[command(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    pub system: SystemArgs,
    /// Every mechanism with each of several values of an option of the core or of the memory, or of --selectivity, as in mshrs=8,16 (repeatable: all combinations;
    /// capt-entries and history are for those with capri, spin and quantum for those with turns, stack-depth for those with a stack)
    #[arg(long, value_name = "OPTION=V,V,..")]
    pub sweep: Vec<String>,
    #[command(flatten)]
    pub launch: LaunchArgs,
    /// What the figures of docs/results.md need: all kernels, the papers' mechanisms, permutations, predictor sizes; or what those of one machine need
    #[arg(long, value_name = "MACHINE", num_args = 0..=1, require_equals = true, default_missing_value = ALL_MACHINES,
        value_parser = [ALL_MACHINES, "capri", "fung", "dpe", "large-warp", "replay"], conflicts_with_all = ["mechanism", "sweep", "plan", "merge"])]
    pub papers: Option<String>,
    /// Also measure what each run takes from the supply, with gated clocks, in these cells (a Liberty file, or the name of one, as of
    /// `synth`): the gates of the core go through every cycle of the run, and the memories apart from them are a model. Mapping the core
    /// of a paper takes ten minutes, a run many times as long as without
    #[arg(long, value_name = "CELLS", num_args = 0..=1, require_equals = true, default_missing_value = EnergyArgs::DEFAULT, conflicts_with_all = ["plan", "merge"])]
    pub energy: Option<EnergyArgs>,
    /// Runs at the same time [default: as many as there are processors]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Where results are kept, by what they depend on [default: results, beside the compiled simulators]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Run again what has been run before
    #[arg(long)]
    pub fresh: bool,
    /// Print one JSON list of what `run --json` prints
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// Also write every number of every run, a line each
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,
    /// Also draw the papers' figures, as far as there are runs for them
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub svg: Option<PathBuf>,
    /// Also write figures and tables as one page that needs no other file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub html: Option<PathBuf>,
    /// Also write figures and tables as Markdown; the figures stay where --svg has them
    #[arg(long, value_name = "FILE", requires = "svg", help_heading = "Output")]
    pub markdown: Option<PathBuf>,
    /// Run only a part of the comparison, such as 2/8, and write its results to --into
    #[arg(long, value_name = "I/N", conflicts_with_all = ["merge", "emit", "json", "csv", "svg", "html", "markdown"], help_heading = "Past one machine")]
    pub shard: Option<Part>,
    /// Report on the shards in a directory, as if they had been run here
    #[arg(long, value_name = "DIR", conflicts_with_all = ["CoreArgs", "MemoryArgs", "SystemArgs", "sweep", "LaunchArgs", "SourceArgs", "fresh", "jobs", "cache", "emit", "plan"], help_heading = "Past one machine")]
    pub merge: Option<PathBuf>,
    /// Write scripts that run the comparison elsewhere, to --into
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["json", "plan", "fresh", "jobs", "cache"], help_heading = "Past one machine")]
    pub emit: Option<Scripts>,
    /// Shards that --emit divides the comparison into
    #[arg(long, value_name = "N", default_value_t = 8, requires = "scripts", value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "Past one machine")]
    pub shards: u16,
    /// Where --shard and --emit write
    #[arg(
        long,
        value_name = "DIR",
        default_value = "compare.shards",
        requires = "in_parts",
        help_heading = "Past one machine"
    )]
    pub into: PathBuf,
    /// What to compare, from the plan.json that --shard and --emit write, in place of kernels and mechanisms
    #[arg(long, value_name = "FILE", conflicts_with_all = ["CoreArgs", "MemoryArgs", "SystemArgs", "sweep", "LaunchArgs", "SourceArgs"], help_heading = "Past one machine")]
    pub plan: Option<PathBuf>,
}

/// Of `--papers`: the figures of every machine.
const ALL_MACHINES: &str = "all";

impl CompareArgs {
    /// Whether the figures of docs/results.md want this machine.
    pub fn wants(&self, machine: &str) -> bool {
        self.papers.as_ref().is_some_and(|wanted| [ALL_MACHINES, machine].contains(&wanted.as_str()))
    }

    /// Sees that no option of the command line is swept as well; what a file of `--config` says may be.
    ///
    /// # Errors
    /// If one is.
    pub fn check_sweeps(&self) -> Result<()> {
        let mut given = self.core.given();
        given.extend(self.memory.parameters());
        given.extend(self.system.parameters());
        given.extend(self.launch.parameters());
        // Its option has another name here, and whoever sweeps it is told so.
        given.remove("mechanism");
        let name = |sweep: &String| sweep.split('=').next().unwrap_or_default().to_string();
        self.sweep.iter().try_for_each(|sweep| check_swept(sweep, &name(sweep), &given))
    }
}

/// What `--emit` can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scripts {
    /// A Slurm job array, and a job that merges at its end
    Slurm,
}
