//! The generated simulator: a netlist compiled to native code and loaded into this process.
//!
//! ```text
//! Netlist --flatten--> Design --passes--> Design --emit--> Rust --rustc--> library --load--> Simulator
//! ```
use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::Instant;

use warploom_hdl::activity::ActivityClasses;

use crate::cache::{Cache, CacheError};
use crate::emit::{self, Choices, Layout, Schedule, Source, Target, Work};
use crate::flatten::{CombinationalLoop, flatten};
use crate::gating::{self, Partitions};
use crate::glob::Globs;
use crate::heap;
use crate::ir::{Design, path_name};
use crate::netlist::Netlist;
use crate::passes::{self, Passes};
use crate::tool::Interrupted;

mod changes;
mod compile;
mod drive;
mod idle;
mod library;
mod profile;
mod state;
mod straight;

pub use crate::emit::Bits;
pub use changes::Snapshot;
use compile::Compilation;
pub use drive::Engine;
use library::{Instance, Library};
use profile::Recorder;
pub use profile::Recording;
use state::Names;
pub use state::{MemoryState, RestoreError, State, Word};
pub use straight::StraightLine;

/// What to build, besides the netlist itself.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Globs (`*`, `?`; `*` crosses dots) over hierarchical net names: which nets [`Simulator::observed`] lists.
    pub observe: Vec<String>,
    /// Passes to run.
    pub passes: Passes,
    /// Where compiled simulators are kept; by default `$WARPLOOM_CACHE`, else the user's cache directory.
    pub cache: Option<PathBuf>,
    /// The compiler; by default `$RUSTC`, else `rustc` on the PATH.
    pub rustc: Option<PathBuf>,
    /// What vectors are made of; by default the best this machine has.
    pub target: Option<Target>,
    /// What is known of when parts of the design are at work; by default of a core's.
    pub activity: ActivityClasses,
    /// To find out which parts are woken together, for [`Simulator::recording`] to keep. From then on, builds with the pass `profile` use it.
    pub record: bool,
    /// The first cycle as soon as possible: what only a busy design gains by is compiled beside the run, once it has been busy for long. When the last of its simulators
    /// is dropped, that is waited for.
    pub soon: bool,
}

impl BuildOptions {
    /// For runs of seconds: compiled in half the time, and slower only where most of a design rests, for that is not skipped.
    pub fn brief() -> Self {
        Self { passes: Passes { gating: false, ..Passes::default() }, ..Self::default() }
    }
}

/// Why no simulator could be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no order in which to evaluate the logic.
    #[error(transparent)]
    CombinationalLoop(#[from] CombinationalLoop),
    /// rustc could not be run.
    #[error(
        "cannot run `{rustc}` ({reason}): the simulator is compiled with rustc; put it on the PATH or name it in $RUSTC"
    )]
    NoRustc {
        /// What was tried.
        rustc: String,
        /// Why it did not work.
        reason: String,
    },
    /// rustc ran and failed.
    #[error("rustc failed on the generated simulator {}:\n{messages}", .generated.display())]
    Rustc {
        /// The generated source.
        generated: PathBuf,
        /// What rustc said.
        messages: String,
    },
    /// Ctrl-C.
    #[error("interrupted while a simulator was compiled")]
    Interrupted(#[from] Interrupted),
    /// There is no directory that what is compiled could be kept in.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file in the cache could not be used.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// Which file or directory.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
}

/// A top-level port of an [`Engine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    slot: u32,
    width: u8,
    input: bool,
}

impl Port {
    /// The port whose value is word `slot` of its engine.
    pub fn new(slot: usize, width: usize, input: bool) -> Self {
        Self { slot: slot as u32, width: width as u8, input }
    }

    /// Which word of its engine holds its value.
    pub fn slot(self) -> usize {
        self.slot as usize
    }

    /// Bits.
    pub fn width(self) -> usize {
        self.width as usize
    }

    /// Whether [`Engine::set`] may drive it.
    pub fn is_input(self) -> bool {
        self.input
    }

    /// Checks that the port may be driven with `value`.
    ///
    /// # Panics
    /// If the port is an output or the value does not fit.
    pub fn check(self, value: u64) {
        assert!(self.input, "an output port cannot be driven");
        assert!(value & !crate::ir::mask(self.width()) == 0, "{value:#x} does not fit {} bits", self.width);
    }
}

/// A net whose value can be read every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedNet {
    /// Hierarchical name, the top module's scope first: `core.issue.grant`.
    pub path: String,
    /// Bits.
    pub width: usize,
    /// Variant names by encoding, when it holds a hardware enumeration.
    pub variants: Option<Vec<String>>,
}

/// What building the simulator took and gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// What the generated code does in a cycle.
    pub work: Work,
    /// Seconds from the netlist to the Rust source.
    pub generate_seconds: f64,
    /// Seconds in rustc; 0 when cached.
    pub compile_seconds: f64,
    /// Whether the compiled simulator was found in the cache.
    pub cached: bool,
}

/// A design, compiled, with its state.
pub struct Simulator {
    instance: Instance,
    ports: HashMap<String, Port>,
    observed: Vec<ObservedNet>,
    /// Where the observed nets' values are.
    bits: Vec<Bits>,
    /// Where the words that can be observed start (outputs can), and where they end.
    first_observed: usize,
    words: usize,
    names: Names,
    fingerprint: u64,
    report: BuildReport,
    recorder: Option<Recorder>,
}

impl std::fmt::Debug for Simulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulator").field("report", &self.report).finish_non_exhaustive()
    }
}

/// A simulator before it is compiled.
pub struct Generated {
    /// What it simulates.
    pub design: Design,
    /// What it does when.
    pub schedule: Schedule,
    /// What its vectors are made of.
    pub target: Target,
    /// Its Rust source.
    pub source: Source,
    /// That of the netlist.
    fingerprint: u64,
    /// What is recorded, if something is.
    recording: Option<Recording>,
}

/// The source of the simulator of `netlist`, which a machine other than this one may run. A netlist that is given away is not kept while the passes run.
pub fn generate(netlist: impl Borrow<Netlist>, options: &BuildOptions) -> Result<Generated, BuildError> {
    let mut design = flatten(netlist.borrow(), &Globs::new(&options.observe))?;
    let fingerprint = netlist.borrow().fingerprint();
    drop(netlist);
    passes::run(&mut design, &options.passes);
    let target = options.target.unwrap_or_else(Target::native);
    let (partitions, recording) = partitions(fingerprint, &design, options)?;
    let schedule = emit::schedule(&design, &partitions);
    let Passes { branches, idle, .. } = options.passes;
    let choices = Choices { branches, idle, straight: recording.is_none() };
    let source = emit::emit(&design, &schedule, choices, target);
    Ok(Generated { design, schedule, target, source, fingerprint, recording })
}

/// How the design is cut, and what is recorded of that.
fn partitions(
    fingerprint: u64,
    design: &Design,
    options: &BuildOptions,
) -> Result<(Partitions, Option<Recording>), BuildError> {
    let Passes { gating, profile, .. } = options.passes;
    if !gating {
        return Ok((Partitions::single(design), None));
    }
    let pieces = gating::cut(design, options.activity);
    if !profile {
        return Ok((pieces.merged(None), None));
    }
    let cache = Cache::open(options.cache.as_deref())?;
    let apart = pieces.apart();
    let name = profile::name(&apart, fingerprint);
    if options.record {
        return Ok((apart, Some(Recording::new(cache, &name))));
    }
    Ok((pieces.merged(profile::find(&cache, &name)), None))
}

/// The code, of which at most the straight-line code is yet to be compiled.
fn library(
    source: Source,
    target: Target,
    places: usize,
    options: &BuildOptions,
    report: &mut BuildReport,
) -> Result<Library, BuildError> {
    let main = Compilation::new(source.main, target, options)?;
    let found = main.find();
    report.cached = found.is_some();
    let mut library = Library::load(&found.map_or_else(|| main.run(), Ok)?, places)?;
    let Some(straight) = source.straight else { return Ok(library) };
    let straight = Compilation::new(straight, target, options)?;
    let found = straight.find();
    let compiled = match found {
        None if options.soon => Err(straight),
        None => {
            report.cached = false;
            Ok(straight.run()?)
        }
        Some(path) => Ok(path),
    };
    library.link(compiled)?;
    Ok(library)
}

impl Simulator {
    /// Generates, compiles (or finds in the cache) and loads the simulator of `netlist`. Memory is less if it is given away.
    pub fn build(netlist: impl Borrow<Netlist>, options: &BuildOptions) -> Result<Self, BuildError> {
        heap::give_back();
        let start = Instant::now();
        let Generated { design, schedule, target, source, fingerprint, recording } = generate(netlist, options)?;
        let work = emit::count(&design, &schedule);
        let mut report = BuildReport { work, generate_seconds: start.elapsed().as_secs_f64(), ..Default::default() };
        heap::give_back();
        let start = Instant::now();
        let names = Names::new(&design);
        let library = library(source, target, names.places(), options, &mut report)?;
        if !report.cached {
            report.compile_seconds = start.elapsed().as_secs_f64();
        }
        let instance = Instance::new(library);
        let layout = emit::layout(schedule);
        let bits = design.observed.iter().map(|net| layout.bits(&design, net)).collect();
        let (ports, observed) = (ports(&design, &layout), observed(&design));
        let first_observed = design.inputs.len();
        let words = first_observed + layout.words;
        drop(design);
        heap::give_back();
        let recorder = recording.as_ref().map(Recording::recorder);
        Ok(Self { instance, ports, observed, bits, first_observed, words, names, fingerprint, report, recorder })
    }

    /// Another simulator of the same design, in its first cycle; the two share the code.
    pub fn another(&self) -> Self {
        Self {
            instance: self.instance.another(),
            ports: self.ports.clone(),
            observed: self.observed.clone(),
            bits: self.bits.clone(),
            names: self.names.clone(),
            report: self.report.clone(),
            recorder: self.recorder.as_ref().map(Recorder::another),
            ..*self
        }
    }

    /// The nets of `netlist` that [`BuildOptions::observe`] selects with these globs.
    pub fn nets(netlist: &Netlist, globs: &Globs) -> Result<Vec<ObservedNet>, BuildError> {
        Ok(observed(&flatten(netlist, globs)?))
    }

    /// A top-level port by name: `memory_response_data[3]`. The clock is none.
    pub fn port(&self, name: &str) -> Option<Port> {
        self.ports.get(name).copied()
    }

    /// Drives an input port from the next [`step`](Self::step) on.
    ///
    /// # Panics
    /// If the port is an output or the value does not fit.
    pub fn set(&mut self, port: Port, value: u64) {
        port.check(value);
        self.instance.drive(port.slot as usize, value);
    }

    /// The value of a port in the cycle just stepped, before its clock edge.
    pub fn get(&self, port: Port) -> u64 {
        self.instance.words()[port.slot as usize]
    }

    /// One clock cycle: evaluates all logic with the inputs set and the current state, then commits the state.
    pub fn step(&mut self) {
        self.instance.step();
        if let Some(recorder) = &mut self.recorder {
            recorder.note(self.instance.woken());
        }
    }

    /// The same without the clock edge.
    pub fn evaluate(&mut self) {
        self.instance.evaluate();
    }

    /// The nets selected by [`BuildOptions::observe`].
    pub fn observed(&self) -> &[ObservedNet] {
        &self.observed
    }

    /// The value of `observed()[index]` in the cycle just stepped, before its clock edge.
    pub fn observed_value(&self, index: usize) -> u64 {
        self.bits[index].of(self.observed_words())
    }

    /// Where the value of `observed()[index]` is in [`observed_words`](Self::observed_words); nets with the same bits
    /// always have the same value.
    pub fn observed_bits(&self, index: usize) -> Bits {
        self.bits[index]
    }

    /// All observed values of the cycle just stepped.
    pub fn observed_words(&self) -> &[u64] {
        &self.instance.words()[self.first_observed..self.words]
    }

    /// The observed words and what comes after them.
    fn words_from_outputs(&self) -> &[u64] {
        &self.instance.words()[self.first_observed..]
    }

    /// Everything the design holds between two cycles, by names.
    pub fn save(&self) -> State {
        let registers = self.names.registers(&self.instance);
        State { registers, memories: self.names.memories(&self.instance), ports: self.port_words() }
    }

    /// Continues from `state`, which any simulator of the same design may have saved: with other passes, another target, other
    /// observed nets. Ports read as in the cycle last stepped before; observed nets do from the next step on.
    ///
    /// # Errors
    /// If the state is of another design; nothing has changed then.
    pub fn restore(&mut self, state: &State) -> Result<(), RestoreError> {
        self.names.check(state, &self.port_words())?;
        self.names.write(state, &mut self.instance);
        for (name, word) in &state.ports {
            self.instance.drive(self.ports[name].slot(), word.value);
        }
        self.instance.restored();
        Ok(())
    }

    fn port_words(&self) -> BTreeMap<String, Word> {
        let word = |port: &Port| Word { width: port.width, value: self.get(*port) };
        self.ports.iter().map(|(name, port)| (name.clone(), word(port))).collect()
    }

    /// A hash of the netlist: the same hardware has the same, whatever it is built into.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// What is recorded of this simulator and all others of the same build, if it was built to [`record`](BuildOptions::record) and has partitions.
    pub fn recording(&self) -> Option<Recording> {
        self.recorder.as_ref().map(Recorder::recording)
    }

    /// The straight-line code of this simulator and all others of the same build, if it has any.
    pub fn straight_line(&self) -> Option<StraightLine> {
        StraightLine::of(self.instance.library())
    }

    /// What the build took and gave.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }
}

fn ports(design: &Design, layout: &Layout) -> HashMap<String, Port> {
    let inputs = design.inputs.iter().enumerate();
    let inputs = inputs.map(|(slot, (name, width))| (name.clone(), Port::new(slot, *width, true)));
    let outputs = design.outputs.iter().enumerate().filter_map(|(i, output)| {
        let slot = design.inputs.len() + layout.slot(i);
        Some((output.port.clone()?, Port::new(slot, design.graph.width(output.value), false)))
    });
    inputs.chain(outputs).collect()
}

fn observed(design: &Design) -> Vec<ObservedNet> {
    let observed = design.observed.iter().map(|net| ObservedNet {
        path: path_name(&net.path),
        width: net.width,
        variants: net.variants.as_ref().map(|variants| variants.variants.clone()),
    });
    observed.collect()
}
