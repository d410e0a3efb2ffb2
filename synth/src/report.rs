//! What a design costs, as a report for people and for programs.
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use warploom_sim::netlist::Netlist;
use warploom_sim::storage::Bits;

use crate::cells::Cells;
use crate::flow::{FlowOptions, Mapped, Size};
use crate::memories::MemoryMacro;
use crate::timing::CriticalPath;

/// The report of one design.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Name of the module as the user knows it.
    pub module: String,
    /// The sizes it was built with.
    pub parameters: BTreeMap<String, String>,
    /// The cells: name in the Liberty file.
    pub liberty: String,
    /// Whether the whole was flattened.
    pub flattened: bool,
    /// Clock period that was aimed for, in ns.
    pub clock_ns: f64,
    /// Area in gate equivalents.
    pub ge: f64,
    /// Area of the cells.
    pub area_um2: f64,
    /// Flip-flops after mapping, one bit each.
    pub flip_flops: usize,
    /// Bits of registers and of memories in the design.
    pub storage_bits: usize,
    /// Cells.
    pub cells: usize,
    /// The longest path; none where it was not looked for, or where there is none.
    pub critical_path_ns: Option<f64>,
    /// The same.
    pub critical_path: Option<Path>,
    /// Power of cells at rest; none where the library does not say.
    pub leakage_uw: Option<f64>,
    /// Power of switching; none: no activity was given.
    pub dynamic_uw: Option<f64>,
    /// The same by kind of submodule.
    pub parts: Vec<PartReport>,
    /// Large memories, which are in none of the figures above but the bits of storage.
    pub memories: Vec<MemoryReport>,
}

/// A kind of memory that is a black box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemoryReport {
    /// How many.
    pub count: usize,
    /// Rows of one.
    pub rows: usize,
    /// Bits of a row.
    pub width: usize,
    /// Read ports.
    pub reads: usize,
    /// Write ports.
    pub writes: usize,
    /// What all of them might take as SRAM in another process: see [`crate::memories`].
    pub modelled_area_um2: f64,
}

/// Where the longest path goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Path {
    /// Input, or register.
    pub start: String,
    /// Output, or register.
    pub end: String,
    /// Cells on the way.
    pub cells: usize,
}

/// Submodules of one type.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PartReport {
    /// What it is.
    pub name: String,
    /// Type; none is the logic of the module itself, or what flattening saves.
    pub module: Option<String>,
    /// How many.
    pub count: usize,
    /// All of them together.
    pub ge: f64,
    /// All of them together.
    pub area_um2: f64,
    /// All of them together.
    pub flip_flops: i64,
}

/// What is left out everywhere.
pub const NOT_INCLUDED: &str =
    "not included: wires, clock tree, layout; the area is that of the cells, the clock is ideal";

impl Report {
    /// Puts it together.
    pub fn new(
        module: &str,
        parameters: BTreeMap<String, String>,
        netlist: &Netlist,
        cells: &Cells,
        options: &FlowOptions,
        mapped: &Mapped,
        path: Option<CriticalPath>,
    ) -> Self {
        let gate = cells.library.gate_area;
        let Size { area, flip_flops, cells: number, leakage } = mapped.total;
        let Bits { registers, memories } = Bits::total(netlist);
        Self {
            module: module.to_string(),
            parameters,
            liberty: cells.library.name.clone(),
            flattened: options.flatten,
            clock_ns: options.clock_ns,
            ge: area / gate,
            area_um2: area,
            flip_flops,
            storage_bits: registers + memories,
            cells: number,
            critical_path_ns: path.as_ref().map(|path| path.delay_ns),
            critical_path: path.map(|path| Path { start: path.start, end: path.end, cells: path.cells }),
            leakage_uw: (leakage > 0.0).then_some(leakage),
            dynamic_uw: None,
            parts: parts(mapped, gate),
            memories: mapped.memories.iter().map(memory).collect(),
        }
    }
}

fn memory(memory: &MemoryMacro) -> MemoryReport {
    let MemoryMacro { depth, width, reads, writes, count, .. } = *memory;
    let modelled_area_um2 = count as f64 * memory.area_um2();
    MemoryReport { count, rows: depth, width, reads, writes, modelled_area_um2 }
}

fn parts(mapped: &Mapped, gate: f64) -> Vec<PartReport> {
    let report = |name: String, module, count, area: f64, flip_flops| PartReport {
        name,
        module,
        count,
        ge: area / gate,
        area_um2: area,
        flip_flops,
    };
    let mut parts: Vec<PartReport> = mapped
        .parts
        .iter()
        .map(|part| {
            let name = if part.module.is_some() { part.fields.join(", ") } else { "(its own logic)".to_string() };
            report(name, part.module.clone(), part.count, part.size.area, part.size.flip_flops as i64)
        })
        .collect();
    let (area, flip_flops) =
        parts.iter().fold((0.0, 0), |(area, flops), part| (area + part.area_um2, flops + part.flip_flops));
    let (area, flip_flops) = (mapped.total.area - area, mapped.total.flip_flops as i64 - flip_flops);
    if !parts.is_empty() && (area.abs() > 1e-6 || flip_flops != 0) {
        parts.push(report("(across boundaries)".to_string(), None, 1, area, flip_flops));
    }
    parts
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        writeln!(f, "{} ({}) in {}", self.module, parameters.join(" "), self.liberty)?;
        writeln!(f, "  {:<20} {:>12.1} GE = {:.0} um2, {} cells", "area", self.ge, self.area_um2, self.cells)?;
        writeln!(f, "  {:<20} {:>12}", "flip-flops", self.flip_flops)?;
        writeln!(f, "  {:<20} {:>12} bits", "storage", self.storage_bits)?;
        if let (Some(delay), Some(path)) = (self.critical_path_ns, &self.critical_path) {
            writeln!(f, "  {:<20} {delay:>12.2} ns = {:.0} MHz, {} cells", "longest path", 1000.0 / delay, path.cells)?;
            writeln!(f, "  {:<20} {:>8} {} -> {}", "", "from", path.start, path.end)?;
        }
        if let Some(leakage) = self.leakage_uw {
            writeln!(f, "  {:<20} {leakage:>12.3} uW", "leakage")?;
        }
        for part in &self.parts {
            let times = if part.count > 1 { format!(" x {}", part.count) } else { String::new() };
            let module = part.module.as_ref().map_or(String::new(), |module| format!("{module}{times}"));
            let share = 100.0 * part.ge / self.ge;
            let (ge, flops) = (part.ge, part.flip_flops);
            let line = format!("    {:<24} {ge:>10.1} GE {share:>6.1} % {flops:>8} flip-flops  {module}", part.name);
            writeln!(f, "{}", line.trim_end())?;
        }
        for MemoryReport { count, rows, width, reads, writes, modelled_area_um2 } in &self.memories {
            let (shape, bits) = (format!("{count} x {rows} x {width}"), count * rows * width);
            writeln!(f, "    {:<24} {bits:>10} bits, {reads} read, {writes} write: {shape}", "(memory apart)")?;
            writeln!(f, "    {:<24} {modelled_area_um2:>10.0} um2 as SRAM of IHP sg13g2 (0.13 um), a model", "")?;
        }
        let whole = if self.flattened { "flattened" } else { "not flattened: submodules are mapped one by one" };
        write!(f, "  {whole}; {NOT_INCLUDED}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let part = |name: &str, module: Option<&str>, count, ge: f64, flip_flops| PartReport {
            name: name.into(),
            module: module.map(str::to_string),
            count,
            ge,
            area_um2: 24.0 * ge,
            flip_flops,
        };
        Report {
            module: "capt".into(),
            parameters: [("entries", "8"), ("preset", "paper")].map(|(a, b)| (a.to_string(), b.to_string())).into(),
            liberty: "osu018_stdcells".into(),
            flattened: true,
            clock_ns: 10.0,
            ge: 2000.5,
            area_um2: 48012.0,
            flip_flops: 312,
            storage_bits: 312,
            cells: 1700,
            critical_path_ns: Some(4.5),
            critical_path: Some(Path { start: "lookup_pc[19]".into(), end: "entries_7.valid".into(), cells: 17 }),
            leakage_uw: Some(0.125),
            dynamic_uw: None,
            parts: vec![
                part("entries", Some("CaptEntry"), 8, 1800.0, 312),
                part("(its own logic)", None, 1, 250.0, 0),
                part("(across boundaries)", None, 1, -49.5, 0),
            ],
            memories: vec![MemoryReport {
                count: 2,
                rows: 1024,
                width: 32,
                reads: 2,
                writes: 1,
                modelled_area_um2: 600_552.9,
            }],
        }
    }

    #[test]
    fn for_people() {
        insta::assert_snapshot!(report());
    }

    #[test]
    fn for_programs() {
        let json = serde_json::to_value(report()).expect("a report");
        for (key, value) in [("ge", "2000.5"), ("area_um2", "48012.0"), ("flip_flops", "312"), ("storage_bits", "312")]
        {
            assert_eq!(json[key].to_string(), value, "{key}");
        }
        assert_eq!(json["critical_path_ns"].to_string(), "4.5");
        assert!(json["dynamic_uw"].is_null() && json["parameters"]["entries"] == "8" && json["cells"] == 1700);
    }
}
