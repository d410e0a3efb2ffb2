//! `warploom synth`, as clap sees it.
use std::path::PathBuf;

use anyhow::Result;
use clap::{ArgGroup, Args};
use warploom_synth::fpga::{TARGETS, Target};
use warploom_synth::memories::Large;

use super::{CoreArgs, SystemArgs, check_swept};
use crate::cells;
use crate::suggest::nearest;

/// `warploom synth`.
#[derive(Args)]
#[command(group = ArgGroup::new("at_work").args(["kernels", "activity"]))]
pub struct SynthArgs {
    /// `core`, or modules from `warploom modules`
    #[arg(required = true, num_args = 1, value_name = "MODULE,..", value_delimiter = ',')]
    pub modules: Vec<String>,
    #[command(flatten)]
    pub core: CoreArgs,
    #[command(flatten)]
    pub system: SystemArgs,
    /// One report for each of several sizes: lanes, warps, stack-depth, mshrs, entries (of capri's table), preset,
    /// cores or channels
    #[arg(long, value_name = "NAME=V,V,...")]
    pub sweep: Option<String>,
    /// Cells to map to: a Liberty file, or the name of one in the directory $WARPLOOM_CELLS; areas are those of a LEF file
    /// of the same name beside it, if there is one [default: OSU018 from Debian's qflow-tech-osu018]
    #[arg(long, value_name = "FILE", value_parser = cells::file)]
    pub liberty: Option<PathBuf>,
    /// Clock period that mapping aims for
    #[arg(long, default_value_t = 10.0, value_name = "NS", value_parser = nanoseconds)]
    pub clock: f64,
    /// Levels of submodules that the area is split by
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub depth: usize,
    /// Map submodules one by one: quicker where one occurs often, but paths through several are slower than they need be
    #[arg(long)]
    pub no_flatten: bool,
    /// Gates, by a rough count, up to which the whole is flattened; what is larger is mapped as with --no-flatten
    #[arg(long, default_value_t = 100_000, value_name = "GATES", conflicts_with = "no_flatten")]
    pub flatten_up_to: usize,
    /// Memories of at least so many bits are shown apart, as black boxes; smaller ones are made of flip-flops
    #[arg(long, default_value_t = 4096, value_name = "BITS")]
    pub memory_bits: usize,
    /// Count memories of a module that are always read and written in the same rows as one, as the fields of a table of
    /// records are: as one, they may be large
    #[arg(long)]
    pub join_memories: bool,
    /// Gate the clocks of registers that hold under a condition, in place of a multiplexer for every bit
    #[arg(long, conflicts_with = "target")]
    pub gate_clocks: bool,
    /// Prove that the cells compute what the exported Verilog says, from every state and for every input
    #[arg(long, conflicts_with = "at_work")]
    pub prove: bool,
    /// Seconds until a proof is given up, once both sides are read
    #[arg(long, default_value_t = 600, value_name = "SECONDS", requires = "prove")]
    pub prove_within: u64,
    /// Count LUTs, flip-flops, carry cells, block RAM and DSPs of an FPGA instead: ice40, ecp5 or xilinx (7 series)
    #[arg(long, value_name = "FAMILY", value_parser = target, conflicts_with_all = ["liberty", "prove", "at_work", "clock", "depth", "no_flatten", "flatten_up_to", "memory_bits", "join_memories"])]
    pub target: Option<Target>,
    /// Draw where the area goes, down to --depth, or how it grows in a sweep, beside a paper's figures where there are some
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "at_work"])]
    pub svg: Option<PathBuf>,
    /// Run these kernels on the core, and report the power and the energy of the module as it is in there: its gates go
    /// through what the module goes through, and are compared with it in every cycle
    #[arg(long = "kernel", value_name = "NAME,..", value_delimiter = ',', help_heading = "Power")]
    pub kernels: Vec<String>,
    /// Problem size of the kernels: smoke, default, large, or a number [default: default]
    #[arg(long, value_name = "SIZE", requires = "kernels", help_heading = "Power")]
    pub size: Option<String>,
    /// The same from a waveform (VCD or FST) that `warploom run` has written of the same core
    #[arg(long, value_name = "FILE", help_heading = "Power")]
    pub activity: Option<PathBuf>,
    /// Which instance of the module in the core, as its scope in a waveform: core.execute.lanes[0] [default: the first]
    #[arg(long, value_name = "PATH", requires = "at_work", help_heading = "Power")]
    pub instance: Option<String>,
    /// Write the gates to a directory for other tools, with the cells, a test bench that gives them what they were given, and
    /// what was calculated: of one module, and one kernel or waveform
    #[arg(long, value_name = "DIR", requires = "at_work", conflicts_with = "sweep", help_heading = "Power")]
    pub gates: Option<PathBuf>,
    /// Print one JSON object, or a list of them for a sweep, several modules or several kernels
    #[arg(long)]
    pub json: bool,
}

impl SynthArgs {
    /// Whether there is something that the module does.
    pub fn is_at_work(&self) -> bool {
        !self.kernels.is_empty() || self.activity.is_some()
    }

    /// Which memories are large.
    pub fn large(&self) -> Large {
        Large { bits: self.memory_bits, joined: self.join_memories }
    }

    /// Sees that no option of the command line is swept as well; what a file of `--config` says may be.
    ///
    /// # Errors
    /// If one is.
    pub fn check_sweep(&self) -> Result<()> {
        let Some(sweep) = &self.sweep else { return Ok(()) };
        let name = match sweep.split('=').next().unwrap_or_default() {
            "entries" => "capt-entries",
            name => name,
        };
        let mut given = self.core.given();
        given.extend(self.system.parameters());
        check_swept(sweep, name, &given)
    }
}

fn target(name: &str) -> Result<Target, String> {
    let names = TARGETS.map(Target::name);
    let none = || format!("there is no family `{name}`; there are {}{}", names.join(", "), nearest(name, names));
    Target::by_name(name).ok_or_else(none)
}

fn nanoseconds(text: &str) -> Result<f64, String> {
    let period = text.parse().ok().filter(|period| (0.01..=1e6).contains(period));
    period.ok_or_else(|| "it is a number of nanoseconds from 0.01 to 1000000".to_string())
}
