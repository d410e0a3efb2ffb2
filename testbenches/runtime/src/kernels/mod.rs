//! The kernels that come with warploom: source, prebuilt ELF, inputs by size and seed, launches, and a reference.
//!
//! A [`Kernel`] runs on any [`Device`]; its block size comes from the caller or from what the device holds. It is called as its
//! module and its source, `kernels/NAME.c`; the module says what it is ([`About`]) and how it runs.
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;

use serde::Serialize;
use warploom_hdl::config::CoreConfig;

use crate::host::{Device, DeviceError, LaunchStats, Session};
use crate::loader::Program;

mod aes;
mod backprop;
mod bfs;
mod bfs_frontier;
mod binomial;
mod bitonic;
mod bitonic_shared;
mod blackjack;
mod blackscholes;
mod bounded_queue;
mod bucketsort;
mod cfd;
mod convolution;
mod decrypt;
mod dxt;
mod eigenvalues;
mod elementary;
mod fdtd3d;
mod gcd;
mod graph;
mod haar;
mod histogram;
mod hotspot;
mod index_tree;
mod index_tree_traverse;
mod kmeans;
mod leukocyte;
mod lock_list;
mod lock_ranges;
mod lock_simt;
mod lock_spin;
mod lock_ticket;
mod lps;
mod lud;
mod manager;
mod mandelbrot;
mod matmul;
mod merge_sort;
pub mod micro;
mod mum;
mod nbody;
mod nearest_neighbour;
mod nqueens;
mod nw;
mod output;
mod pathfinder;
mod producer_consumer;
mod qsort;
mod quasirandom;
mod random;
mod ray;
mod reduction;
mod reduction_modulo;
mod rijndael;
mod scan;
mod select;
mod select_accumulate;
mod sgemm;
mod sobel;
mod sortnw;
mod spmv;
mod srad;
mod stencil;
mod streamcluster;
mod suffix_tree;
mod transpose;
mod vecadd;
mod viterbi;

pub use output::{Mismatch, Output};
pub use random::Random;

/// A source file and what it compiles to.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    /// Path of the source under `testbenches/runtime/kernels`.
    pub source: &'static str,
    /// The prebuilt ELF file.
    pub elf: &'static [u8],
}

impl Binary {
    /// The program; shipped files load. Each is analysed once: a comparison asks for it thousands of times.
    pub fn program(&self) -> Program {
        static ANALYSED: Mutex<BTreeMap<&str, Program>> = Mutex::new(BTreeMap::new());
        let known = || ANALYSED.lock().expect("no thread panics with it");
        let there = known().get(self.source).cloned();
        there.unwrap_or_else(|| {
            let program = Program::from_elf(self.source, self.elf).expect("a shipped kernel loads");
            known().insert(self.source, program.clone());
            program
        })
    }

    /// Path of the source in this checkout.
    pub fn path(&self) -> PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "kernels", self.source].iter().collect()
    }
}

/// The shipped binary beside a source: `binary!("vecadd.c", "vecadd.elf")`.
macro_rules! binary {
    ($source:expr, $elf:expr) => {
        $crate::kernels::Binary { source: $source, elf: include_bytes!(concat!("../../kernels/", $elf)) }
    };
}
pub(crate) use binary;

/// Problem sizes with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// For tests: little more than a CTA.
    pub smoke: usize,
    /// For a first look.
    pub default: usize,
    /// For measurements.
    pub large: usize,
}

impl Sizes {
    /// More than this is no use in a simulation, and might not fit in memory.
    pub fn most(&self) -> usize {
        16 * self.large
    }

    /// `smoke`, `default`, `large`, or a number from 1 to [`Self::most`].
    pub fn parse(&self, text: &str) -> Option<usize> {
        match text {
            "smoke" => Some(self.smoke),
            "default" => Some(self.default),
            "large" => Some(self.large),
            number => number.parse().ok().filter(|n| (1..=self.most()).contains(n)),
        }
    }
}

/// What to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Size, at least 1; what it counts is the kernel's choice.
    pub size: usize,
    /// Seed of the inputs.
    pub seed: u64,
    /// Threads of a CTA; by default what suits the device.
    pub block: Option<usize>,
    /// One item in so many is selected, of a kernel that [selects](Kernel::selectivity).
    pub selectivity: Option<u32>,
}

impl Problem {
    /// Of this size, with seed 1, the device's block and the kernel's selectivity.
    pub fn new(size: usize) -> Self {
        Self { size, seed: 1, block: None, selectivity: None }
    }

    /// Threads of a CTA: as asked, else a quarter of what the core holds, so that several CTAs are resident, at
    /// least a warp and at most 256.
    pub fn threads(&self, config: &CoreConfig) -> usize {
        self.block.unwrap_or((config.lanes * config.warps / 4).clamp(config.lanes, 256))
    }

    /// Threads of a CTA and CTAs such that all warps are whole, and all run at once: what [`Self::threads`] says, rounded up, and no more CTAs than the
    /// core holds.
    fn whole_warps(&self, config: &CoreConfig) -> (usize, usize) {
        let threads = self.threads(config).next_multiple_of(config.lanes);
        (threads, (config.lanes * config.warps / threads).max(1))
    }

    /// Side of a square CTA of at most [`Self::threads`] threads.
    fn tile(&self, config: &CoreConfig) -> usize {
        self.threads(config).isqrt().max(1)
    }
}

/// What a kernel computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Integers, as the original does.
    Integer,
    /// Fixed point where the original has floats.
    FixedPoint {
        /// Bits behind the point.
        fraction: u32,
    },
    /// Floats, as the original does: a core with floats is needed.
    Float,
}

impl Arithmetic {
    /// `integer`, `fixed point` or `float`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::FixedPoint { .. } => "fixed point",
            Self::Float => "float",
        }
    }
}

/// As in a list of kernels.
impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer | Self::Float => f.write_str(self.name()),
            Self::FixedPoint { fraction } => write!(f, "{}, {fraction} fraction bits", self.name()),
        }
    }
}

/// What is known of a kernel before it runs.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// What it computes, in one line.
    pub summary: &'static str,
    /// Which paper uses it, under which name; where none does, which suite it is from.
    pub papers: &'static str,
    /// What it computes with.
    pub arithmetic: Arithmetic,
    /// What a size counts.
    pub unit: &'static str,
    /// Named sizes.
    pub sizes: Sizes,
}

/// What a kernel takes for granted of the mechanism of divergence, besides that every thread comes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: it is right under every mechanism.
    Nothing,
    /// Threads wait for others of their warp: these must go on meanwhile. Where they do not, it never ends.
    Progress,
    /// Threads that are launched as a warp rely on meeting behind every branch. Where they do not, it is wrong.
    StaticWarps,
    /// The same, and that each runs in the lane of its number: it tells by the bits of a ballot which threads there are.
    StaticLanes,
}

impl Needs {
    /// Whether this core has it.
    pub fn met_by(self, config: &CoreConfig) -> bool {
        match self {
            Self::Nothing => true,
            Self::Progress => config.progresses(),
            Self::StaticWarps => !config.subdivides() && (!config.regroups() || config.has_warp_barriers()),
            Self::StaticLanes => Self::StaticWarps.met_by(config) && !config.permutes(),
        }
    }

    /// As in a list of kernels; nothing of nothing.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Nothing => None,
            Self::Progress => Some("forward progress"),
            Self::StaticWarps => Some("static warps"),
            Self::StaticLanes => Some("static warps and lanes"),
        }
    }
}

/// Generates the inputs, launches, and returns the outputs with what they should be.
pub type Run = fn(&mut Session, &Problem) -> Result<Vec<Output>, DeviceError>;

/// A kernel with everything needed to run and check it.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    name: &'static str,
    about: About,
    binary: Binary,
    run: Run,
    needs: Needs,
    selectivity: Option<u32>,
}

impl Kernel {
    /// A kernel of this name, which is right under every mechanism.
    pub const fn new(name: &'static str, about: About, binary: Binary, run: Run) -> Self {
        Self { name, about, binary, run, needs: Needs::Nothing, selectivity: None }
    }

    /// The same, but for what it needs of a mechanism.
    pub const fn needing(self, needs: Needs) -> Self {
        Self { needs, ..self }
    }

    /// The same, but that it selects, one item in so many if nothing else is said.
    pub const fn selecting(self, selectivity: u32) -> Self {
        Self { selectivity: Some(selectivity), ..self }
    }

    /// As given to `warploom run`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What is known of it.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What it takes for granted of the mechanism.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// If it selects: one item in so many, if nothing else is said.
    pub fn selectivity(&self) -> Option<u32> {
        self.selectivity
    }

    /// Named sizes.
    pub fn sizes(&self) -> Sizes {
        self.about.sizes
    }

    /// Source and ELF file.
    pub fn binary(&self) -> Binary {
        self.binary
    }

    /// Whether only a core with warp instructions runs it.
    pub fn has_warp_instructions(&self) -> bool {
        self.binary.program().first_warp_instruction.is_some()
    }

    /// Whether this core has the instructions that it takes.
    pub fn runs_on(&self, config: &CoreConfig) -> bool {
        (config.floats || self.binary.program().first_float.is_none())
            && (config.warp_instructions || !self.has_warp_instructions())
    }
}

macro_rules! kernels {
    ($($name:ident $(needs $needs:ident)? $(selects $selectivity:literal)?),* $(,)?) => {
        &[$(Kernel::new(
            stringify!($name),
            $name::ABOUT,
            binary!(concat!(stringify!($name), ".c"), concat!(stringify!($name), ".elf")),
            $name::run,
        )$(.needing(Needs::$needs))?$(.selecting($selectivity))?),*]
    };
}

/// The kernels that are compared, by name: right under every mechanism.
pub const KERNELS: &[Kernel] = kernels![
    aes,
    backprop,
    bfs,
    bfs_frontier,
    binomial,
    bitonic,
    bitonic_shared,
    blackjack,
    blackscholes,
    bucketsort,
    cfd,
    convolution,
    decrypt,
    dxt,
    eigenvalues,
    fdtd3d,
    gcd,
    haar,
    histogram,
    hotspot,
    kmeans,
    leukocyte,
    lps,
    lud,
    mandelbrot,
    matmul,
    merge_sort,
    mum,
    nbody,
    nearest_neighbour,
    nqueens,
    nw,
    pathfinder,
    qsort,
    quasirandom,
    ray,
    reduction,
    reduction_modulo,
    scan,
    sgemm,
    sobel,
    sortnw,
    spmv,
    srad,
    stencil,
    streamcluster,
    transpose,
    vecadd,
    viterbi,
];

/// Kernels whose threads wait for one another without a barrier, or rely on not having to, by name. Whether they end, and are right, depends on the mechanism.
pub const SYNCHRONISING: &[Kernel] = kernels![
    bounded_queue needs Progress,
    lock_list needs Progress,
    lock_ranges needs Progress,
    lock_simt,
    lock_spin needs Progress,
    lock_ticket needs Progress,
    manager needs StaticWarps,
    producer_consumer needs Progress,
];

/// Kernels of a database, whose warps act together, by name: with warp instructions, and with what these replace.
pub const DATABASE: &[Kernel] = kernels![
    index_tree needs StaticWarps,
    index_tree_traverse needs StaticWarps,
    select needs StaticLanes selects 2,
    select_accumulate needs StaticWarps selects 2,
];

/// All that are shipped, those that are compared first.
pub fn all() -> impl Iterator<Item = &'static Kernel> {
    KERNELS.iter().chain(SYNCHRONISING).chain(DATABASE)
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Every output buffer.
    pub outputs: Vec<Output>,
    /// Sums over the launches.
    pub stats: LaunchStats,
    /// Launches.
    pub launches: u64,
}

impl Outcome {
    /// The first wrong word, if any.
    pub fn mismatch(&self) -> Option<Mismatch> {
        self.outputs.iter().find_map(Output::mismatch)
    }
}

/// Runs a kernel on a device. The size is at least 1.
pub fn run(kernel: &Kernel, device: &mut dyn Device, problem: &Problem) -> Result<Outcome, DeviceError> {
    let mut session = Session::new(device, &kernel.binary().program())?;
    let outputs = (kernel.run)(&mut session, problem)?;
    let (stats, launches) = session.totals();
    Ok(Outcome { outputs, stats: stats.clone(), launches })
}

/// The kernels that are compared and run on a core: all of them if it has floats.
pub fn on(config: &CoreConfig) -> impl Iterator<Item = &'static Kernel> {
    KERNELS.iter().filter(|kernel| kernel.runs_on(config))
}

/// The kernel of this name, or the nearest names.
pub fn find(name: &str) -> Result<&'static Kernel, Vec<&'static str>> {
    if let Some(kernel) = all().find(|kernel| kernel.name() == name) {
        return Ok(kernel);
    }
    let mut ranked: Vec<_> =
        all().map(|kernel| (strsim::damerau_levenshtein(name, kernel.name()), kernel.name())).collect();
    ranked.sort();
    let near = |(distance, candidate): &(usize, &str)| *distance <= 2.max(candidate.len() / 3);
    Err(ranked.into_iter().filter(near).take(3).map(|(_, candidate)| candidate).collect())
}

/// Every shipped binary: the kernels and the micro-kernels.
pub fn binaries() -> Vec<Binary> {
    all().map(Kernel::binary).chain(micro::MICRO.iter().map(|micro| micro.binary)).collect()
}

/// A one-dimensional grid that covers `n` threads.
fn grid(n: usize, threads: usize) -> [u32; 3] {
    [n.div_ceil(threads.max(1)).max(1) as u32, 1, 1]
}

/// Floats as a buffer holds them.
fn float_words(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// Signed numbers as a buffer holds them.
fn words(values: &[i32]) -> Vec<u32> {
    values.iter().map(|&value| value as u32).collect()
}

#[cfg(test)]
mod tests;
