//! The command line, as clap sees it.
// Comments here are help texts: what they have in brackets are no links.
#![allow(rustdoc::broken_intra_doc_links)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::{Arg, ArgGroup, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::{ADDITIONS, Choice, Entry, MECHANISMS};
use warploom_hdl::memory_system::SystemConfig;
use warploom_runtime::host::MemoryTiming;
use warploom_runtime::machines;

use crate::argument;
use crate::compare::CompareArgs;
use crate::energy::EnergyArgs;
use crate::machine::MemoryArgs;
use crate::presets;
use crate::suggest::nearest;
use crate::trace::Watch;

mod app;
mod fuzz;
mod launch;
mod source;
mod synth;
mod system;

pub use app::AppArgs;
pub use fuzz::FuzzArgs;
pub use launch::LaunchArgs;
pub use source::SourceArgs;
pub use synth::SynthArgs;
pub use system::SystemArgs;

/// An open RTL laboratory for irregular GPU control flow.
///
/// A RISC-V SIMT core and its divergence mechanisms, written as synthesizable hardware, run real kernels
/// in a simulator generated from the very netlist that is exported as Verilog.
#[derive(Parser)]
#[command(name = "warploom", version, arg_required_else_help = true, max_term_width = 110)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand)]
pub enum Command {
    /// Run a kernel on the core and check its result: PASS or FAIL, and where the cycles went
    Run(Box<RunArgs>),
    /// Run kernels under several mechanisms beside each other: tables, and the papers' figures
    Compare(Box<CompareArgs>),
    /// Run an OpenCL application of your own on the core, once under each mechanism, and compare its kernels
    App(Box<AppArgs>),
    /// Draw who runs in each lane, cycle by cycle, under several mechanisms
    Picture(Box<PictureArgs>),
    /// Write the Verilog of the core or of one module
    Export(ExportArgs),
    /// Map the core or one module to standard cells: area, flip-flops, longest path; with a kernel, power
    Synth(Box<SynthArgs>),
    /// Compile a kernel of your own (.cl, .c, .s or .S) to an ELF the core runs
    Build(BuildArgs),
    /// List the instructions of a kernel, and what the hardware is told about its branches
    Disasm(DisasmArgs),
    /// Run random programs on random cores, and compare them with the reference model
    Fuzz(FuzzArgs),
    /// List the kernels that come with warploom
    Kernels(KernelsArgs),
    /// List the divergence mechanisms
    Mechanisms(MechanismsArgs),
    /// List the presets: the papers' machines, with their sizes and what differs from the paper
    Presets(PresetsArgs),
    /// List the hardware modules that `export` knows, or count the bits of state in them
    Modules(ModulesArgs),
    /// Say where compiled simulators and results are kept, and how much there is of them; empty it
    Cache(CacheArgs),
    /// Say which external tools are here and what each unlocks
    Doctor,
    /// Print the JSON Schema of what --json prints
    Schema {
        /// Of `run` (and each element of the list of `compare`) or of `synth`
        of: Schema,
    },
    /// Print what makes a shell complete warploom's commands and options
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Write man pages, one for each command
    Man {
        /// Directory for warploom.1, warploom-run.1, ...
        #[arg(long, short, default_value = "man", value_name = "DIR")]
        output: PathBuf,
    },
}

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Schema {
    /// `run --json`
    Run,
    /// `synth --json`
    Synth,
}

/// The core: a mechanism, a preset, and what differs from it.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CoreArgs {
    #[arg(long, short, value_name = "NAME", help_heading = "Divergence mechanism", help = mechanisms())]
    pub mechanism: Option<String>,
    /// Entries of capri's prediction table, 2 to 32, or 0 for the variant without one [default: 32]
    #[arg(long, value_name = "N", help_heading = "Divergence mechanism")]
    pub capt_entries: Option<usize>,
    /// What an entry of capri's table remembers: latest, sticky or 2bit [default: latest]
    #[arg(long, value_name = "NAME", help_heading = "Divergence mechanism")]
    pub history: Option<String>,
    /// Of a mechanism whose threads take turns: trips round a loop that may wait for other threads, before these get their turn, 1 to 15 [default: 8]
    #[arg(long, value_name = "TRIPS", help_heading = "Divergence mechanism")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<usize>,
    /// Of such a mechanism: instructions of a warp before threads that wait for the running ones get their turn [default: 16384]
    #[arg(long, value_name = "N", help_heading = "Divergence mechanism")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantum: Option<usize>,
    /// CTAs the scheduler prefers: none, age (the oldest), rrb (the next in every cycle) or srr (the same until it stalls)
    /// [default: none]
    #[arg(long, value_name = "NAME", help_heading = "Divergence mechanism")]
    pub cta_priority: Option<String>,
    /// Which pending registers an instruction waits for: own (those it reads or writes) or any (of its warp); lwm has the second by thread, always
    /// [default: own]
    #[arg(long, value_name = "RULE", help_heading = "Divergence mechanism")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hazards: Option<String>,
    /// Where loads wait for what they cannot have at once: decoupled (in a queue before the load/store unit), stalling (in the slots of an
    /// operand collector, `--memory-queue` of them; when all are taken, nothing issues) or replay (in the warp buffer, from which they are
    /// issued again; spe with a warp buffer of several) [default: decoupled]
    #[arg(long, value_name = "PATH", help_heading = "Divergence mechanism")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_path: Option<String>,
    /// Where loads are issued again: which wait for an MSHR before they issue: off, known (the last look at it found none; Turner's
    /// *false*), counters (or loads at its PC mostly miss), every (his *true*) [default: off]
    #[arg(long, value_name = "WHICH", help_heading = "Divergence mechanism")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hazard_prediction: Option<String>,
    /// There: how many MSHRs are taken to be free: credit (less those promised to loads under way) or naive [default: credit]
    #[arg(long, value_name = "HOW", help_heading = "Divergence mechanism")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mshr_tracker: Option<String>,
    /// A machine of the papers, or a small one: capri (or paper), fung, dpe (or fermi), tiny, small, and more: see `warploom presets`
    /// [default: capri]
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// A machine in a TOML file: options of core, memory and several cores by their names, as in `l1-sets = 64`; what the command line says goes before it
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
    /// Lanes of a warp (4, 8, 16 or 32)
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub lanes: Option<usize>,
    /// Hardware warps (4 to 64)
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub warps: Option<usize>,
    /// CTAs resident at once
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub cta_slots: Option<usize>,
    /// Entries of each reconvergence stack; its, dwf and dwf-wb have none
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub stack_depth: Option<usize>,
    /// Cycles of an issue slot: lanes of a warp over those of the SIMD units
    #[arg(long, value_name = "CYCLES", help_heading = "Sizes that differ from the preset")]
    pub issue_interval: Option<usize>,
    /// Issue slots from an instruction of a warp to its next
    #[arg(long, value_name = "SLOTS", help_heading = "Sizes that differ from the preset")]
    pub warp_interval: Option<usize>,
    /// Instructions of a warp that are fetched before they issue: 1, 2, 4 or 8; one but under spe
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub warp_buffer: Option<usize>,
    /// Words of instruction memory
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub instruction_words: Option<usize>,
    /// Bytes of shared memory
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub shared_bytes: Option<usize>,
    /// Bytes of private memory of a thread
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub private_bytes: Option<usize>,
    /// Bytes of a line of the L1 data cache
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub line_bytes: Option<usize>,
    /// Sets of the L1 data cache
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub l1_sets: Option<usize>,
    /// Ways of the L1 data cache
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub l1_ways: Option<usize>,
    /// Outstanding misses of the L1 data cache
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub mshrs: Option<usize>,
    /// Groups of threads that may wait for lines that have been asked for, for each of these: with 1 each takes one
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mshr_merges: Option<usize>,
    /// Lines of the L1 data cache that can be accessed at once (1 or 2)
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub l1_ports: Option<usize>,
    /// Cycles between two accesses of the L1 data cache, or of the shared memory
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub memory_interval: Option<usize>,
    /// Memory instructions queued before the load/store unit
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub memory_queue: Option<usize>,
    /// Cycles from EXECUTE until a product is written back
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub multiply_latency: Option<usize>,
    /// Cycles from EXECUTE until any other result of the lanes is written back, quotients aside
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub alu_latency: Option<usize>,
    /// Quotient bits that the dividers work out in a cycle
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    pub divide_bits: Option<usize>,
    /// Instruction set of the lanes: rv32ima, or rv32imaf, with floats; with warp instructions rv32ima_xwarp or
    /// rv32imaf_xwarp [default: what the program needs; else rv32ima]
    #[arg(long, value_name = "NAME", help_heading = "Sizes that differ from the preset")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isa: Option<String>,
    /// With floats: cycles from EXECUTE until a sum, product or conversion is written back
    #[arg(long, value_name = "N", help_heading = "Sizes that differ from the preset")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub float_latency: Option<usize>,
    /// Warp scheduler: lrr (loose round robin), gto (greedy, then oldest), oldest (the warp launched first) or
    /// 2lev[:GROUP[:TIMEOUT]] (two-level round robin: groups of so many warps, by default a quarter of all, or `cta`: the
    /// warps of each CTA; a group loses its place when all of it are stalled, or after so many instructions, by default
    /// never)
    #[arg(long, value_name = "POLICY", help_heading = "Sizes that differ from the preset")]
    pub scheduler: Option<String>,
}

impl CoreArgs {
    /// As given or by default.
    pub fn mechanism(&self) -> &str {
        self.mechanism.as_deref().unwrap_or("spe")
    }

    /// As given or by default; a machine with several names by its first.
    pub fn preset(&self) -> &str {
        let name = self.preset.as_deref().unwrap_or("capri");
        machines::find(name).map_or(name, |machine| machine.name)
    }

    /// The numbers among the options, by the names of the core's [parameters](warploom_hdl::limits::parameters).
    pub fn sizes(&mut self) -> [(&'static str, &mut Option<usize>); 24] {
        macro_rules! named {
            ($($field:ident),*) => { [$((stringify!($field), &mut self.$field)),*] };
        }
        named!(
            lanes,
            warps,
            cta_slots,
            stack_depth,
            issue_interval,
            warp_interval,
            warp_buffer,
            instruction_words,
            shared_bytes,
            private_bytes,
            line_bytes,
            l1_sets,
            l1_ways,
            mshrs,
            mshr_merges,
            l1_ports,
            memory_interval,
            memory_queue,
            multiply_latency,
            alu_latency,
            divide_bits,
            float_latency,
            spin,
            quantum
        )
    }

    /// The names among the options.
    fn names(&mut self) -> [(&'static str, &mut Option<String>); 10] {
        [
            ("mechanism", &mut self.mechanism),
            ("history", &mut self.history),
            ("cta-priority", &mut self.cta_priority),
            ("hazards", &mut self.hazards),
            ("memory-path", &mut self.memory_path),
            ("hazard-prediction", &mut self.hazard_prediction),
            ("mshr-tracker", &mut self.mshr_tracker),
            ("preset", &mut self.preset),
            ("scheduler", &mut self.scheduler),
            ("isa", &mut self.isa),
        ]
    }

    /// The options that [`set`](Self::set) takes.
    pub fn options() -> Vec<String> {
        let mut any = Self::default();
        let sizes = any.sizes().map(|(name, _)| name.replace('_', "-"));
        let names = any.names().map(|(name, _)| name.to_string());
        sizes.into_iter().chain(names).chain(["capt-entries".to_string()]).collect()
    }

    /// Sets an option by its name.
    ///
    /// # Errors
    /// If it takes a number, and the value is none, or if there is no such option.
    pub fn set(&mut self, option: &str, value: &str) -> Result<()> {
        let number = || argument::whole(value);
        if option == "capt-entries" {
            self.capt_entries = Some(number()?);
        } else if let Some((_, name)) = self.names().into_iter().find(|(name, _)| *name == option) {
            *name = Some(value.to_string());
        } else if let Some((_, size)) = self.sizes().into_iter().find(|(name, _)| name.replace('_', "-") == option) {
            *size = Some(number()?);
        } else {
            bail!("there is no option --{option} of the core");
        }
        Ok(())
    }

    /// What is given, by the names of the options.
    pub fn given(&self) -> BTreeMap<String, String> {
        let mut core = self.clone();
        let sizes = core.sizes().map(|(name, size)| (name.replace('_', "-"), size.map(|size| size.to_string())));
        let names = core.names().map(|(name, value)| (name.to_string(), value.clone()));
        let entries = ("capt-entries".to_string(), self.capt_entries.map(|entries| entries.to_string()));
        sizes.into_iter().chain(names).chain([entries]).filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// What differs from the preset, by the names of the options.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        let mut given = self.given();
        given.retain(|name, _| !["mechanism", "preset"].contains(&name.as_str()));
        given
    }
}

/// Sees that what is swept is not given, too.
///
/// # Errors
/// If it is.
pub fn check_swept(sweep: &str, name: &str, given: &BTreeMap<String, String>) -> Result<()> {
    ensure!(!given.contains_key(name), "--sweep {sweep}: --{name} is given, too; leave it out");
    Ok(())
}

/// All there are.
fn mechanisms() -> String {
    let variant = |choice: &Choice| match choice {
        Choice::Number { .. } => "[:N]".to_string(),
        Choice::Name { names, .. } => format!("[:{}]", names[1..].join("|")),
    };
    let name = |entry: &Entry| entry.name().to_string() + &entry.spelled().iter().map(variant).collect::<String>();
    let names: Vec<String> = MECHANISMS.into_iter().map(name).collect();
    let added: Vec<String> = ADDITIONS.iter().map(|addition| format!("+{}", addition.name)).collect();
    format!(
        "How diverging threads are handled: {}; with {} or +slp=NAME, more: see `warploom mechanisms` [default: spe]",
        names.join(", "),
        added.join(", ")
    )
}

const OWN: &str = "A kernel of your own";

/// What is simulated: workload, core, memory. All of it is part of a checkpoint.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SetupArgs {
    /// A kernel from `warploom kernels`, or the path of a source (.cl, .c, .s, .S) or ELF file of your own (one launch, no
    /// reference to check)
    #[serde(rename = "program")]
    pub kernel: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    pub core: CoreArgs,
    /// Keep the warps as launched, for programs that rely on them; the hardware stays as it is
    #[arg(long, help_heading = "Divergence mechanism")]
    pub no_compaction: bool,
    /// Run every thread in its own lane, though the core could permute them
    #[arg(long, help_heading = "Divergence mechanism")]
    pub no_permutation: bool,
    /// Also count what compaction could do at best, from the paths of the threads by the book; with --json as the field
    /// `compactability`
    #[arg(long, help_heading = "Divergence mechanism")]
    #[serde(default)]
    pub compactability: bool,
    /// Also count into how many warps the threads at a block are split, by tenth of the run: what falls behind makes ever more
    /// of them; with --json as the field `eddy`
    #[arg(long, help_heading = "Divergence mechanism")]
    #[serde(default)]
    pub eddy: bool,
    /// Only `compare` measures it.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy: Option<EnergyArgs>,
    #[command(flatten)]
    #[serde(flatten)]
    pub launch: LaunchArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub memory: MemoryArgs,
    #[command(flatten)]
    #[serde(flatten)]
    pub system: SystemArgs,
}

impl SetupArgs {
    /// The memory beyond the L1 of this core.
    ///
    /// # Errors
    /// If there is no such preset, or no such memory.
    pub fn timing(&self, config: &CoreConfig) -> Result<MemoryTiming> {
        self.memory.timing(config, (presets::machine(&self.core)?.memory)())
    }

    /// What the cores of a GPU share, if it is one; the core is made one of it.
    ///
    /// # Errors
    /// If there is no such GPU, or what is said of the memory is of the host's model.
    pub fn system(&self, config: &mut CoreConfig) -> Result<Option<SystemConfig>> {
        let system = self.system.system(&self.core, config)?;
        if let (Some(_), Some(option)) = (&system, self.memory.parameters().into_keys().next()) {
            bail!(
                "--{option} is of the host's model of one core's memory: a GPU has networks, L2 and DRAM as its preset has them"
            );
        }
        Ok(system)
    }

    /// What differs from the preset, from the default memory and from the kernel's usual work, by the names of the options.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        let mut parameters = self.core.parameters();
        parameters.extend(self.memory.parameters());
        parameters.extend(self.system.parameters());
        parameters.extend(self.launch.parameters());
        parameters
    }

    /// Sets an option of the core, of the memory or of the kernel's work by its name; the mechanism is none of them.
    ///
    /// # Errors
    /// If there is no such option, or it does not take this value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<()> {
        if LaunchArgs::has(name) {
            return self.launch.set(value);
        }
        let core: Vec<String> = CoreArgs::options().into_iter().filter(|option| option != "mechanism").collect();
        if core.iter().any(|option| option == name) {
            return self.core.set(name, value);
        }
        if MemoryArgs::options().any(|option| option == name) {
            return self.memory.set(name, value);
        }
        if SystemArgs::OPTIONS.contains(&name) {
            return self.system.set(name, value);
        }
        let others = MemoryArgs::options().chain(SystemArgs::OPTIONS).map(|name| -> &str { name });
        let names = core.iter().map(String::as_str).chain(others);
        bail!("there is no option `{name}` to sweep{}", nearest(name, names))
    }
}

/// The command line. A number below zero is the value of the option before it, for whose range it is then refused.
///
/// # Errors
/// If it is no command line of ours.
pub fn parse() -> Result<Cli, clap::Error> {
    let takes_numbers = |arg: Arg| {
        let takes = arg.get_long().is_some() && arg.get_action().takes_values();
        if takes { arg.allow_negative_numbers(true) } else { arg }
    };
    let names: Vec<String> = Cli::command().get_subcommands().map(|command| command.get_name().to_string()).collect();
    let command = names.iter().fold(Cli::command(), |command, name| {
        command.mut_subcommand(name, |subcommand| subcommand.mut_args(takes_numbers))
    });
    Cli::from_arg_matches(&command.try_get_matches()?)
}

/// `warploom run`.
#[derive(Args)]
#[command(mut_arg("kernel", |kernel| kernel.required_unless_present("restore")))]
pub struct RunArgs {
    #[command(flatten)]
    pub setup: SetupArgs,
    /// Write a buffer to a file when the run has ended (repeatable): as it lies in memory, little-endian. NAME may be a variable
    /// of the program, too, or what lies between two of its symbols: FIRST..END
    #[arg(long = "dump", value_name = "NAME=FILE", value_parser = dump, help_heading = OWN)]
    pub dumps: Vec<(String, PathBuf)>,
    #[command(flatten)]
    pub checkpoints: CheckpointArgs,
    #[command(flatten)]
    pub wave: WaveArgs,
    /// Print one JSON object instead of the report
    #[arg(long)]
    pub json: bool,
    /// Say of every branch where its lanes went, and what compaction did there; with --json as the field `branches`
    #[arg(long)]
    pub trace: bool,
    /// Say who writes there (repeatable): BUFFER, BUFFER[ELEMENT], an address as in 0x80001000, or ADDRESS..ADDRESS, before the second;
    /// with --json as the field `watched`
    #[arg(long = "watch", value_name = "PLACE", conflicts_with = "restore")]
    pub watches: Vec<Watch>,
    /// Write what every warp does as a trace for ui.perfetto.dev: a microsecond there is a cycle, of all cycles of the run
    #[arg(long, value_name = "FILE")]
    pub perfetto: Option<PathBuf>,
    /// Write what the core is given (program, launches, memory before and after each) as files for $readmemh, for a testbench of
    /// your own around the exported core
    #[arg(long, value_name = "DIR", conflicts_with = "restore")]
    pub image: Option<PathBuf>,
    /// Simulate the parts of a GPU on so many threads; the result is the same [default: as many as there are processors, but no more
    /// than cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), help_heading = "Several cores")]
    pub threads: Option<u32>,
    /// The core of a GPU that waveforms, traces and --eddy are of [default: 0]
    #[arg(long, value_name = "N", help_heading = "Several cores")]
    pub watch_core: Option<usize>,
    /// Record which parts of the hardware work in the same cycles, and keep that beside the compiled simulators: the next run builds a
    /// faster one by it. What several runs have recorded is added up
    #[arg(long)]
    pub profile: bool,
    /// Stop a launch that takes longer than this
    #[arg(long, default_value_t = 200_000_000, value_name = "CYCLES", value_parser = cycles(1))]
    pub max_cycles: u64,
    /// Call it a deadlock when no instruction issues for this many cycles
    #[arg(long, default_value_t = 100_000, value_name = "CYCLES", value_parser = cycles(1))]
    pub watchdog: u64,
}

/// `warploom picture`.
#[derive(Args)]
#[command(mut_arg("kernel", |kernel| kernel.required(true)), mut_arg("mechanism", |mechanism| mechanism.hide(true)),
    mut_arg("compactability", |counted| counted.hide(true)), mut_arg("eddy", |counted| counted.hide(true)))]
pub struct PictureArgs {
    #[command(flatten)]
    pub setup: SetupArgs,
    /// A panel for each of these [default: spe]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', conflicts_with = "mechanism")]
    pub mechanisms: Vec<String>,
    /// First cycle, of the cycles of all launches, as the report of `run` counts them [default: shortly before a lane idles for
    /// the first time while others run, under the first mechanism]
    #[arg(long, value_name = "CYCLE", value_parser = cycles(0))]
    pub from: Option<u64>,
    /// Last cycle; the picture ends before if the run does [default: a window of 280 cycles]
    #[arg(long, value_name = "CYCLE", value_parser = cycles(0))]
    pub to: Option<u64>,
    /// The SVG file to write, or - for standard output [default: the kernel's name with .svg]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl PictureArgs {
    /// Where the picture goes, as given or by default.
    pub fn path(&self) -> PathBuf {
        let kernel = Path::new(self.setup.kernel.as_deref().unwrap_or_default());
        let named_after = || PathBuf::from(kernel.file_name().unwrap_or_default()).with_extension("svg");
        self.output.clone().unwrap_or_else(named_after)
    }
}

/// A run in a file.
#[derive(Args)]
pub struct CheckpointArgs {
    /// Write a checkpoint there when the run is stopped by Ctrl-C, SIGTERM or --max-cycles; --restore goes on from it
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub checkpoint: Option<PathBuf>,
    /// Write it again whenever so many cycles have been simulated, loading included
    #[arg(long, value_name = "CYCLES", value_parser = cycles(1), requires = "checkpoint", help_heading = "Checkpoints")]
    pub checkpoint_every: Option<u64>,
    /// Write it once, in this cycle
    #[arg(long, value_name = "CYCLE", value_parser = cycles(0), requires = "checkpoint", conflicts_with = "checkpoint_every",
        help_heading = "Checkpoints")]
    pub checkpoint_at: Option<u64>,
    /// Go on from a checkpoint; kernel, core and memory are those of the file
    #[arg(long, value_name = "FILE", help_heading = "Checkpoints")]
    pub restore: Option<PathBuf>,
}

/// A waveform: where to, and which part of the run.
#[derive(Args, Clone, Debug)]
#[command(group = ArgGroup::new("wave").multiple(true).args(["vcd", "fst"]))]
pub struct WaveArgs {
    /// Write a waveform as text, which every viewer reads, and a save file for GTKWave beside it (FILE with .gtkw in place of its extension)
    #[arg(long, value_name = "FILE", help_heading = "Waveform")]
    pub vcd: Option<PathBuf>,
    /// The same, much smaller, in the format of GTKWave; readable when the run has ended
    #[arg(long, value_name = "FILE", help_heading = "Waveform")]
    pub fst: Option<PathBuf>,
    /// Signals in the waveform, as globs over hierarchical names (repeatable) [default: all]
    #[arg(long, value_name = "GLOB", requires = "wave", help_heading = "Waveform")]
    pub signals: Vec<String>,
    /// First cycle in the waveform, of all cycles of the run; the program's loading counts too [default: 0]
    #[arg(long, value_name = "CYCLE", requires = "wave", value_parser = cycles(0), help_heading = "Waveform")]
    pub from: Option<u64>,
    /// Last cycle in the waveform [default: the run's last]
    #[arg(long, value_name = "CYCLE", requires = "wave", value_parser = cycles(0), help_heading = "Waveform")]
    pub to: Option<u64>,
    /// Start at the first cycle, not before --from, in which a signal has this value: a number (decimal, 0x... or 0b...)
    /// or the name of an enumeration's variant
    #[arg(long, value_name = "SIGNAL=VALUE", requires = "wave", help_heading = "Waveform")]
    pub trigger: Option<String>,
}

fn dump(text: &str) -> Result<(String, PathBuf), String> {
    let parts = text.split_once('=').filter(|(name, path)| !name.is_empty() && !path.is_empty());
    parts.map(|(name, path)| (name.to_string(), path.into())).ok_or_else(|| "it is NAME=FILE".to_string())
}

/// More cycles than anybody waits for.
pub const MOST_CYCLES: u64 = 1_000_000_000_000;

/// A number of cycles within reason.
pub fn cycles(least: u64) -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(least..=MOST_CYCLES)
}

/// Bytes per cycle within reason.
pub fn bandwidth(text: &str) -> Result<f64, String> {
    let bytes = text.parse().ok().filter(|bytes| (0.01..=1e6).contains(bytes));
    bytes.ok_or_else(|| "it is a number of bytes per cycle from 0.01 to 1000000".to_string())
}

/// `warploom export`.
#[derive(Args)]
pub struct ExportArgs {
    /// `core`, or a module from `warploom modules`
    pub module: String,
    #[command(flatten)]
    pub core: CoreArgs,
    #[command(flatten)]
    pub system: SystemArgs,
    /// Directory to write MODULE.v into
    #[arg(long, short, default_value = "build", value_name = "DIR")]
    pub output: PathBuf,
    /// Overwrite MODULE.v though it was made with other options
    #[arg(long)]
    pub force: bool,
    /// Also run Verilator's lint, yosys' checks and Icarus on the result
    #[arg(long)]
    pub check: bool,
    /// Also write what holds in each module, as SystemVerilog assertions for simulators and solvers that define FORMAL
    #[arg(long)]
    pub assertions: bool,
    /// Gate the clocks of registers that hold under a condition, by a module ClockGate that a cell can take the place of
    #[arg(long, conflicts_with = "assertions")]
    pub gate_clocks: bool,
}

impl ExportArgs {
    /// The file that the module goes to.
    pub fn path(&self) -> PathBuf {
        self.output.join(format!("{}.v", self.module))
    }
}

/// `warploom build`.
#[derive(Args)]
pub struct BuildArgs {
    /// An OpenCL C file with `__kernel` functions, a C file with `void kernel(...)`, or an assembler file with the label `_start`
    pub source: PathBuf,
    /// The ELF to write [default: the source's name with .elf]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub options: SourceArgs,
}

impl BuildArgs {
    /// Where the ELF goes, as given or by default.
    pub fn path(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| self.source.with_extension("elf"))
    }
}

/// `warploom disasm`.
#[derive(Args)]
pub struct DisasmArgs {
    /// A kernel from `warploom kernels`, or the path of a source (.cl, .c, .s, .S) or ELF file
    pub program: String,
    /// What holds when this kernel of an OpenCL file runs [default: what holds for all of them]
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Print JSON instead of a listing
    #[arg(long)]
    pub json: bool,
}

/// `warploom presets`.
#[derive(Args)]
pub struct PresetsArgs {
    /// Every value with its source, what deviates from the paper, and what the paper leaves open, as JSON
    #[arg(long)]
    pub json: bool,
}

/// `warploom mechanisms`.
#[derive(Args)]
pub struct MechanismsArgs {
    /// Print a JSON list: name, summary, source, blocks, and the cores that stand for it in tests
    #[arg(long, conflicts_with = "covering")]
    pub json: bool,
    /// Print the few that have between them all hardware that there is, one a line as --mechanism takes it: for scripts
    #[arg(long)]
    pub covering: bool,
}

/// `warploom kernels`.
#[derive(Args)]
pub struct KernelsArgs {
    /// Rebuild every shipped ELF from its source and compare byte for byte (needs clang and ld.lld)
    #[arg(long)]
    pub verify: bool,
    /// Print a JSON list: name, summary, papers, arithmetic (integer, fixed point or float), sizes, source
    #[arg(long, conflicts_with = "verify")]
    pub json: bool,
}

/// `warploom cache`.
#[derive(Args)]
pub struct CacheArgs {
    /// Remove all of it, but what is being compiled and what is not of warploom
    #[arg(long)]
    pub clean: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// `warploom modules`.
#[derive(Args)]
pub struct ModulesArgs {
    /// Only this module, or `core`
    pub module: Option<String>,
    #[command(flatten)]
    pub core: CoreArgs,
    /// Count the bits of flip-flops and memories in the netlist; of one module, by their names
    #[arg(long)]
    pub bits: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}
