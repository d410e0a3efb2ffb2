//! The same design in an FPGA: look-up tables, flip-flops, carry cells, block RAM and multipliers, as yosys counts them.
//!
//! Memories are real ones here. Where a memory goes is read off the names of the cells it became.
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use warploom_sim::netlist::Netlist;

use crate::flow::process::{directory, run, written};
use crate::flow::{DESIGN, FlowError, SCRIPT, counts};
use crate::verilog;

mod memories;
mod target;

pub use memories::{MemoryPlace, Place};
pub use target::{Resource, TARGETS, Target};

const COUNTS: &str = "counts.json";
/// What became of memories. The first list that has a cell decides: that of Xilinx' LUT RAM has all that starts with RAM.
const PLACES: [(Place, Resource, &str); 2] =
    [(Place::BlockRam, Resource::BlockRam, "block_ram.txt"), (Place::LutRam, Resource::LutRam, "lut_ram.txt")];

/// What a design takes of an FPGA.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FpgaReport {
    /// Name of the module as the user knows it.
    pub module: String,
    /// The sizes it was built with.
    pub parameters: BTreeMap<String, String>,
    /// The FPGA's family.
    pub target: Target,
    /// Look-up tables, of whatever size the family has.
    pub lut: usize,
    /// Flip-flops.
    pub ff: usize,
    /// Carry cells; the family decides how many bits one has.
    pub carry: usize,
    /// Block RAMs.
    pub bram: usize,
    /// Cells of memory made of look-up tables.
    pub lut_ram: usize,
    /// Multipliers.
    pub dsp: usize,
    /// Multiplexers between look-up tables.
    pub mux: usize,
    /// All other cells by type.
    pub other: BTreeMap<String, usize>,
    /// Where the memories are.
    pub memories: Vec<MemoryPlace>,
}

/// Maps a design to an FPGA.
pub fn map(
    module: &str,
    parameters: BTreeMap<String, String>,
    netlist: &Netlist,
    target: Target,
) -> Result<FpgaReport, FlowError> {
    let script = script(&netlist.top().name, target);
    let directory = directory(&[(DESIGN, &verilog::export(netlist)), (SCRIPT, &script)])?;
    let (directory, _) = run("yosys", &["-q", "-s", SCRIPT], directory)?;
    let path = directory.path().join(COUNTS);
    let counts = counts(&written(&directory, COUNTS)?).map_err(|reason| FlowError::Io { path, reason })?;
    let lists = PLACES.map(|(place, _, file)| written(&directory, file).map(|cells| (place, cells)));
    let lists: Vec<(Place, String)> = lists.into_iter().collect::<Result<_, _>>()?;
    let memories = memories::places(netlist, &lists);
    Ok(FpgaReport::new(module, parameters, target, counts.get(&netlist.top().name), memories))
}

/// Flat, so that memories keep their names from the top on.
fn script(top: &str, target: Target) -> String {
    let list = |(_, resource, file): (Place, Resource, &str)| {
        let types: String = target.patterns(resource).map(|pattern| format!(" t:{pattern}")).collect();
        // Of nothing, all would be listed.
        if types.is_empty() {
            format!("tee -q -o {file} log\n")
        } else {
            format!("tee -q -o {file} select -list{types}\n")
        }
    };
    let lists = PLACES.map(list).concat();
    let command = target.command();
    format!(
        "read_verilog {DESIGN}\nhierarchy -check -top {top}\n{command} -top {top}\ntee -q -o {COUNTS} stat -json\n{lists}"
    )
}

impl FpgaReport {
    /// Counts `cells`, numbers by type.
    fn new(
        module: &str,
        parameters: BTreeMap<String, String>,
        target: Target,
        cells: Option<&BTreeMap<String, usize>>,
        memories: Vec<MemoryPlace>,
    ) -> Self {
        let mut report = Self {
            module: module.to_string(),
            parameters,
            target,
            lut: 0,
            ff: 0,
            carry: 0,
            bram: 0,
            lut_ram: 0,
            dsp: 0,
            mux: 0,
            other: BTreeMap::new(),
            memories,
        };
        report.count(cells);
        report
    }

    fn count(&mut self, cells: Option<&BTreeMap<String, usize>>) {
        for (cell, &count) in cells.into_iter().flatten() {
            let counted = match self.target.resource(cell) {
                Some(Resource::Lut) => &mut self.lut,
                Some(Resource::FlipFlop) => &mut self.ff,
                Some(Resource::Carry) => &mut self.carry,
                Some(Resource::BlockRam) => &mut self.bram,
                Some(Resource::LutRam) => &mut self.lut_ram,
                Some(Resource::Dsp) => &mut self.dsp,
                Some(Resource::Mux) => &mut self.mux,
                None => self.other.entry(cell.clone()).or_default(),
            };
            *counted += count;
        }
    }
}

impl fmt::Display for FpgaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        writeln!(f, "{} ({}) for {}", self.module, parameters.join(" "), self.target)?;
        let [lut, carry, bram, lut_ram, dsp] = self.target.units();
        let rows = [
            ("LUT", self.lut, lut),
            ("flip-flops", self.ff, ""),
            ("carry", self.carry, carry),
            ("block RAM", self.bram, bram),
            ("LUT RAM", self.lut_ram, lut_ram),
            ("DSP", self.dsp, dsp),
            ("wide multiplexers", self.mux, ""),
        ];
        for (name, count, unit) in rows {
            let line = format!("  {name:<20} {count:>10}  {unit}");
            writeln!(f, "{}", line.trim_end())?;
        }
        for (cell, count) in &self.other {
            writeln!(f, "  {cell:<20} {count:>10}")?;
        }
        self.memories.iter().try_for_each(|memory| writeln!(f, "    {memory}"))?;
        write!(f, "  by yosys; not placed, not routed: how fast it is, and whether it fits, is not known")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts() {
        let scripts: Vec<String> = TARGETS.iter().map(|target| script("Fifo", *target)).collect();
        insta::assert_snapshot!(scripts.join("\n"));
    }

    #[test]
    fn for_people() {
        let memory = MemoryPlace {
            name: "instructions".into(),
            count: 1,
            rows: 4096,
            width: 32,
            reads: 1,
            writes: 1,
            asynchronous: false,
            place: Place::BlockRam,
        };
        let cells = [("LUT4", 120), ("TRELLIS_FF", 46), ("CCU2C", 7), ("DP16KD", 8), ("PFUMX", 3), ("GSR", 1)];
        let cells = cells.map(|(cell, count)| (cell.to_string(), count)).into();
        let parameters = [("preset".to_string(), "tiny".to_string())].into();
        let report = FpgaReport::new("fetch", parameters, Target::Ecp5, Some(&cells), vec![memory]);
        insta::assert_snapshot!(report);
        let json = serde_json::to_value(&report).expect("a report");
        assert_eq!(
            (json["target"].as_str(), json["lut"].as_u64(), json["bram"].as_u64()),
            (Some("ecp5"), Some(120), Some(8))
        );
        assert_eq!(json["memories"][0]["place"], "block_ram");
    }
}
