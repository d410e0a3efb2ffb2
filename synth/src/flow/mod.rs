//! From a netlist to mapped gates: export, yosys with abc, and the cells of every module counted.
//!
//! ```text
//!  Netlist --verilog::export--> design.v --yosys, abc--> mapped.v, counts --> Mapped
//!                                             ^
//!                            corrected cells.lib, constraints, recipes
//! ```
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use warploom_sim::cache::{CacheError, Work};
use warploom_sim::netlist::{Module, Netlist};
use warploom_sim::tool::Interrupted;

use crate::cells::{CellKind, Cells};
use crate::clock_gates::{CLOCK_GATE, FROM_BITS, gate_clocks};
use crate::memories::{self, Extracted, Large, MemoryMacro};
use crate::tools;
use crate::verilog;

mod estimate;
mod gated;
pub(crate) mod process;
mod recipes;
mod yosys;

use recipes::{AS_DRAWN, Candidate, RECIPES, Recipe};
use yosys::Design;

pub use gated::GatedClocks;
pub(crate) use yosys::{CELLS, DESIGN, LOAD, MAPPED, MAPPED_JSON, SCRIPT, counts};

/// How to map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowOptions {
    /// Clock period that the logic is to fit into, in ns.
    pub clock_ns: f64,
    /// Levels of submodules that stay modules when the area is told apart; what is below is flattened into them. 0: it
    /// is not told apart.
    pub depth: usize,
    /// Whether the whole is flattened, so that logic is shared, and drivers are sized, across all boundaries. Without,
    /// the total is that of the parts, and paths through several modules are slower than they need be; that is quicker
    /// where a module occurs often, which is mapped once.
    pub flatten: bool,
    /// Gates, by a rough count, from which a design is never flattened: mapping it as one would take hours.
    pub flatten_up_to: usize,
    /// Memories that are black boxes; the others are made of flip-flops.
    pub large: Large,
    /// Whether clocks of registers that hold are gated.
    pub gate_clocks: bool,
}

impl Default for FlowOptions {
    /// 10 ns, flattened unless it is large, told apart by the children of the top; memories from 4096 bits are black
    /// boxes.
    fn default() -> Self {
        let large = Large::from(4096);
        Self { clock_ns: 10.0, depth: 1, flatten: true, flatten_up_to: 100_000, large, gate_clocks: false }
    }
}

/// Why there are no gates.
#[derive(Debug, thiserror::Error)]
pub enum FlowError {
    /// A tool could not be run.
    #[error("cannot run `{tool}` ({reason}): {}", tools::tool(.tool).map_or("", |tool| tool.install))]
    NoTool {
        /// What was tried.
        tool: &'static str,
        /// Why it did not work.
        reason: String,
    },
    /// Ctrl-C.
    #[error("interrupted while a tool was at work")]
    Interrupted(#[from] Interrupted),
    /// A tool ran and failed.
    #[error("{tool} failed in {}:\n{messages}", .directory.display())]
    Failed {
        /// Which one.
        tool: &'static str,
        /// Where its files are.
        directory: PathBuf,
        /// What it said.
        messages: String,
    },
    /// There is no directory that tools could work in.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The library cannot gate a clock.
    #[error(
        "{library} has nothing to gate a clock with, no cell for it, nor an inverter, a latch and a two-input AND: map without gated clocks, or to another library"
    )]
    NoClockGate {
        /// Its name.
        library: String,
    },
    /// A file could not be written or read.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// What came out is not made of the library's cells.
    #[error("{module} has {count} x {cell}, which is no cell of the library")]
    Unmapped {
        /// Where.
        module: String,
        /// What.
        cell: String,
        /// How often.
        count: usize,
    },
}

impl FlowError {
    pub(crate) fn io(path: &Path, error: &std::io::Error) -> Self {
        Self::Io { path: path.to_path_buf(), reason: error.to_string() }
    }
}

/// Cells of a module, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// In um2.
    pub area: f64,
    /// Flip-flops and latches, one bit each.
    pub flip_flops: usize,
    /// Cells of all kinds.
    pub cells: usize,
    /// Leakage power in uW; 0 where the library says nothing.
    pub leakage: f64,
}

impl Size {
    fn add(&mut self, other: Self, times: usize) {
        self.area += other.area * times as f64;
        self.flip_flops += other.flip_flops * times;
        self.cells += other.cells * times;
        self.leakage += other.leakage * times as f64;
    }
}

/// A kind of submodule of the top.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its type; `None` is the logic of the top itself.
    pub module: Option<String>,
    /// Fields of the top that are instances of it.
    pub fields: Vec<String>,
    /// How many there are.
    pub count: usize,
    /// Of all of them together.
    pub size: Size,
    /// What they consist of, as deep as was asked for.
    pub parts: Vec<Part>,
}

/// A design made of cells.
#[derive(Debug)]
pub struct Mapped {
    /// Everything.
    pub total: Size,
    /// What the top consists of, the largest first. Where the whole is flattened, their sum is not the total.
    pub parts: Vec<Part>,
    /// Whether the total is that of the flattened whole.
    pub flattened: bool,
    /// How it was mapped.
    pub recipe: &'static str,
    /// Memories that are in none of these sizes.
    pub memories: Vec<MemoryMacro>,
    /// Names of the modules that these are.
    pub(crate) boxes: Vec<String>,
    /// Gates of clocks, where they were asked for.
    pub clock_gates: Option<GatedClocks>,
    /// Where clocks are gated: the Verilog without the gates, with which they are compared.
    pub(crate) ungated: Option<String>,
    /// Holds the files of the total.
    directory: Work,
    /// Holds the files of the second run, if there were two.
    apart: Option<Work>,
}

impl Mapped {
    /// Where the gates of the total are: mapped.v, mapped.json and cells.lib.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Where the gates told apart are, the same files with the submodules as modules; `None` where the top has none.
    pub fn directory_apart(&self) -> Option<&Path> {
        let apart = self.apart.as_ref().unwrap_or(&self.directory);
        (!self.parts.is_empty()).then(|| apart.path())
    }
}

/// Maps a design to cells.
pub fn map(netlist: &Netlist, cells: &Cells, options: &FlowOptions) -> Result<Mapped, FlowError> {
    let Extracted { netlist: ungated, boxes: box_names, macros } = &memories::extract(netlist, options.large);
    let gated = options.gate_clocks.then(|| gate_clocks(ungated, FROM_BITS)).filter(|(_, gates)| *gates > 0);
    let netlist = gated.as_ref().map_or(ungated, |(netlist, _)| netlist);
    let is_gated = gated.is_some();
    // A netlist stays in its thread; its text need not.
    let gate = gated.as_ref().map(|_| {
        let gate = cells.library.clock_gate.as_ref();
        gate.ok_or_else(|| FlowError::NoClockGate { library: cells.library.name.clone() })
    });
    let design = Design::new(netlist, gate.transpose()?);
    let boxes: Vec<&str> = box_names.iter().map(String::as_str).collect();
    let cell_size = |name: &str| match boxes.contains(&name) {
        true => Some(Size::default()),
        false => cell_size(name, cells),
    };
    let clock_ps = (1000.0 * options.clock_ns).round();
    let generic = |kept: &BTreeSet<String>| {
        let kept = kept.iter().map(String::as_str).chain(is_gated.then_some(CLOCK_GATE));
        yosys::generic(&design, &kept.collect(), &boxes, cells)
    };
    let map = |generic: &str, recipe: Recipe| {
        let (directory, counts, delay_ps) = yosys::map(generic, &design, cells, recipe, clock_ps)?;
        let sizes = sizes(&counts, &cell_size)?;
        let size = sizes.get(&design.top).copied().unwrap_or_default();
        Ok::<_, FlowError>(Candidate { recipe, size, delay_ps, result: (directory, counts, sizes) })
    };
    let gates = estimate::gates(netlist, &boxes);
    let flatten = options.flatten && estimate::total(netlist, &gates) <= options.flatten_up_to as f64;
    let mut kept = kept(netlist, options.depth);
    if !flatten {
        kept.extend(worthwhile(netlist, &gates));
    }
    kept.retain(|module| !boxes.contains(&module.as_str()) && module != CLOCK_GATE);
    let flattened = flatten || kept.is_empty();
    let all_ways = || {
        let generic = generic(&BTreeSet::new())?;
        let candidates = RECIPES.into_iter().map(|recipe| map(&generic, recipe)).collect::<Result<_, FlowError>>()?;
        Ok::<_, FlowError>(recipes::best(candidates, clock_ps).expect("some recipe"))
    };
    // A second run costs nothing where there is a second processor.
    let (whole, apart) = std::thread::scope(|scope| {
        let whole = flattened.then(|| scope.spawn(all_ways));
        let apart = (!kept.is_empty()).then(|| generic(&kept)).transpose();
        let whole = whole.map(|thread| thread.join().expect("no panic")).transpose();
        (whole, apart)
    });
    let (whole, apart): (Option<Candidate<_>>, _) = (whole?, apart?);
    let recipe = whole.as_ref().map_or(AS_DRAWN, |whole| whole.recipe);
    let apart = apart.map(|generic| map(&generic, recipe)).transpose()?;
    let parts = apart.as_ref().map_or(vec![], |Candidate { result: (_, counts, sizes), .. }| {
        let apart = Apart { netlist, counts, sizes, cell_size: &cell_size };
        apart.parts(netlist.top(), 1, options.depth)
    });
    let (total, apart) = match (whole, apart) {
        (Some(whole), apart) => (whole, apart.map(|apart| apart.result.0)),
        (None, apart) => (apart.expect("one of them has run"), None),
    };
    let Candidate { size: total, result: (directory, ..), .. } = total;
    let ungated = is_gated.then(|| verilog::export(ungated));
    let clock_gates = options.gate_clocks.then(|| GatedClocks::count(directory.path())).transpose()?;
    let (recipe, memories, boxes) = (recipe.name, macros.clone(), box_names.clone());
    Ok(Mapped { total, parts, flattened, recipe, memories, boxes, clock_gates, ungated, directory, apart })
}

/// Names of the module types within so many levels below the top.
fn kept(netlist: &Netlist, depth: usize) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    let mut level = vec![netlist.top];
    for _ in 0..depth {
        let below: BTreeSet<_> =
            level.iter().flat_map(|id| netlist.module(*id).instances.iter().map(|child| child.module)).collect();
        kept.extend(below.iter().map(|id| netlist.module(*id).name.clone()));
        level = below.into_iter().collect();
    }
    kept
}

/// Names of the module types that are mapped on their own where the whole is not flattened: those that are not small. A
/// small one gains more from being optimised with what surrounds it than it costs to map it again.
fn worthwhile<'a>(netlist: &'a Netlist, gates: &'a [f64]) -> impl Iterator<Item = String> + 'a {
    const SMALL: f64 = 500.0;
    let modules = netlist
        .modules
        .iter()
        .zip(gates)
        .filter(|(module, gates)| **gates >= SMALL && module.name != netlist.top().name);
    modules.map(|(module, _)| module.name.clone())
}

/// The size of a cell by name; `None`: there is no such cell.
type CellSizes<'a> = dyn Fn(&str) -> Option<Size> + 'a;

/// Cells and modules by type, in every module.
pub(crate) type Counts = BTreeMap<String, BTreeMap<String, usize>>;

/// Of every module, with everything in it.
fn sizes(counts: &Counts, cell_size: &CellSizes) -> Result<BTreeMap<String, Size>, FlowError> {
    let mut sizes = BTreeMap::new();
    counts.keys().try_for_each(|module| size(module, counts, cell_size, &mut sizes).map(|_| ()))?;
    Ok(sizes)
}

fn size(
    module: &str,
    counts: &Counts,
    cell_size: &CellSizes,
    known: &mut BTreeMap<String, Size>,
) -> Result<Size, FlowError> {
    if let Some(size) = known.get(module) {
        return Ok(*size);
    }
    let mut total = Size::default();
    for (cell, &count) in &counts[module] {
        let one = match cell_size(cell) {
            Some(size) => size,
            None if counts.contains_key(cell) => size(cell, counts, cell_size, known)?,
            None => return Err(FlowError::Unmapped { module: module.into(), cell: cell.clone(), count }),
        };
        total.add(one, count);
    }
    if module == CLOCK_GATE {
        // Its latch holds nothing of the design.
        total.flip_flops = 0;
    }
    known.insert(module.to_string(), total);
    Ok(total)
}

fn cell_size(name: &str, cells: &Cells) -> Option<Size> {
    let cell = cells.library.cells.get(name)?;
    let flip_flops = usize::from(cell.kind != CellKind::Logic);
    Some(Size { area: cell.area, flip_flops, cells: 1, leakage: cell.leakage.unwrap_or(0.0) })
}

/// What modules are made of.
struct Apart<'a> {
    netlist: &'a Netlist,
    counts: &'a Counts,
    sizes: &'a BTreeMap<String, Size>,
    cell_size: &'a CellSizes<'a>,
}

impl Apart<'_> {
    /// So many instances of a module, taken apart to a depth.
    fn parts(&self, module: &Module, times: usize, depth: usize) -> Vec<Part> {
        let part = |module: Option<String>, fields, count| Part {
            module,
            fields,
            count,
            size: Size::default(),
            parts: vec![],
        };
        let mut own = part(None, vec![], times);
        let mut parts = vec![];
        for (cell, &count) in self.counts.get(&module.name).into_iter().flatten() {
            let count = count * times;
            if let Some(size) = (self.cell_size)(cell) {
                own.size.add(size, count);
                continue;
            }
            let instances = module.instances.iter().filter(|child| self.netlist.module(child.module).name == *cell);
            let mut fields: Vec<String> = instances.clone().map(|child| child.name.field.clone()).collect();
            fields.dedup();
            let mut part = part(Some(cell.clone()), fields, count);
            part.size.add(self.sizes[cell], count);
            if let Some(child) = instances.clone().next().filter(|_| depth > 1) {
                part.parts = self.parts(self.netlist.module(child.module), count, depth - 1);
            }
            parts.push(part);
        }
        parts.push(own);
        parts.sort_by(|a, b| b.size.area.total_cmp(&a.size.area));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBERTY: &str = "library (demo) {
      cell (NAND2X1) { area : 4; pin (A) { direction : input; } pin (B) { direction : input; } }
      cell (DFF) { area : 20; cell_leakage_power : 1; ff (Q, QN) { next_state : D; } }
      cell (LATCH) { area : 10; latch (Q, QN) { data_in : D; enable : G; } }
      leakage_power_unit : \"1uW\";
    }";

    fn counts(modules: &[(&str, &[(&str, usize)])]) -> Counts {
        let cells = |cells: &[(&str, usize)]| cells.iter().map(|(name, count)| (name.to_string(), *count)).collect();
        modules.iter().map(|(name, inside)| (name.to_string(), cells(inside))).collect()
    }

    #[test]
    fn modules_count_with_everything_in_them() {
        let cells = Cells::new("demo", LIBERTY, None).unwrap_or_else(|error| panic!("{error}"));
        let counts = counts(&[
            ("Top", &[("Row", 3), ("NAND2X1", 5)]),
            ("Row", &[("Bit", 2), ("NAND2X1", 1)]),
            ("Bit", &[("DFF", 4), (CLOCK_GATE, 1)]),
            (CLOCK_GATE, &[("LATCH", 1)]),
        ]);
        let sizes = sizes(&counts, &|name| cell_size(name, &cells)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(sizes["Row"], Size { area: 184.0, flip_flops: 8, cells: 11, leakage: 8.0 });
        assert_eq!(sizes["Top"], Size { area: 572.0, flip_flops: 24, cells: 38, leakage: 24.0 });
    }

    #[test]
    fn what_is_no_cell_is_an_error() {
        let cells = Cells::new("demo", LIBERTY, None).unwrap_or_else(|error| panic!("{error}"));
        let error = sizes(&counts(&[("Top", &[("$_DLATCH_P_", 2)])]), &|name| cell_size(name, &cells)).unwrap_err();
        assert_eq!(error.to_string(), "Top has 2 x $_DLATCH_P_, which is no cell of the library");
    }
}
