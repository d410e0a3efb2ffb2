//! What a design costs, as a report for people and for programs.
use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use warploom_sim::netlist::Netlist;
use warploom_sim::storage::Bits;

use crate::cells::{CellLibrary, Cells};
use crate::flow::{FlowOptions, GatedClocks, Mapped, Size};
use crate::memories::MemoryMacro;
use crate::power::{self, Power};
use crate::prove::Verdict;
use crate::timing::CriticalPath;
use crate::units::{area, micro};

/// The version of [`Report`] as JSON.
const SCHEMA_VERSION: u32 = 1;

/// The report of one design.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// Of what is here: grows when a field goes or means something else, not when there is one more.
    pub schema_version: u32,
    /// Name of the module as the user knows it.
    pub module: String,
    /// The sizes it was built with.
    pub parameters: BTreeMap<String, String>,
    /// The cells: name in the Liberty file.
    pub liberty: String,
    /// Whether the whole was flattened.
    pub flattened: bool,
    /// How abc mapped it: the one of several ways that gave the smallest design for the clock.
    pub mapping: String,
    /// Clock period that it was to fit into, in ns.
    pub clock_ns: f64,
    /// Area in gate equivalents.
    pub ge: f64,
    /// Area of the cells.
    pub area_um2: f64,
    /// Flip-flops after mapping, one bit each.
    pub flip_flops: usize,
    /// Gates of their clocks; none where they were not asked for.
    pub clock_gates: Option<GatedClocks>,
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
    /// Power of what toggles, internal and switching, at the clock period; this and what follows: none without activity.
    pub dynamic_uw: Option<f64>,
    /// Its part inside of cells, clock pins of flip-flops included.
    pub internal_uw: Option<f64>,
    /// Its part that loads and unloads nets.
    pub switching_uw: Option<f64>,
    /// Leakage and dynamic power over all the cycles.
    pub energy_nj: Option<f64>,
    /// What it was doing.
    pub work: Option<Work>,
    /// The same by kind of submodule.
    pub parts: Vec<PartReport>,
    /// Large memories, which are in none of the figures above but the bits of storage.
    pub memories: Vec<MemoryReport>,
    /// Whether the cells compute what the Verilog says; none where it was not asked.
    pub proof: Option<Verdict>,
}

/// What a block of the core was doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Work {
    /// The kernel that ran.
    pub kernel: Option<String>,
    /// Its problem size, with what that counts.
    pub size: Option<String>,
    /// The waveform that was replayed.
    pub waveform: Option<String>,
    /// Where the block is in the core.
    pub instance: String,
    /// How many of the same type the core has.
    pub instances: usize,
    /// Clock cycles from the first launch to the end, in which every output was compared with the core's.
    pub cycles: u64,
}

/// A kind of memory that is a black box.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// Of one read of one of them, by the same model.
    pub modelled_read_pj: f64,
    /// From the clock edge to the data, by the same model.
    pub modelled_access_ns: f64,
    /// What all of them might take as latches of the library, by a model too; none where it has no latch.
    pub latches_ge: Option<f64>,
}

/// Where the longest path goes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
    /// All of them together; none without activity.
    pub dynamic_uw: Option<f64>,
    /// All of them together, at rest; none without activity.
    pub leakage_uw: Option<f64>,
}

/// What is left out everywhere.
pub const NOT_INCLUDED: &str =
    "not included: wires, clock tree, layout; the area is that of the cells, the clock is ideal";

/// What the figures of memories are.
const MODEL: &str = "as SRAM of IHP sg13g2 (0.13 um), a model";

/// Why parts do not add up.
const OF_PARTS: &str = "parts: submodules are mapped one by one, the whole is flattened; what that saves is negative, and a part can be more than 100 %";

/// What is left out of the power besides.
pub const NOT_IN_POWER: &str = "power: of the cells alone, without glitches (a net changes at most once in a cycle), wires, clock tree and memories apart";

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
            schema_version: SCHEMA_VERSION,
            module: module.to_string(),
            parameters,
            liberty: cells.library.name.clone(),
            flattened: mapped.flattened,
            mapping: mapped.recipe.to_string(),
            clock_ns: options.clock_ns,
            ge: area / gate,
            area_um2: area,
            flip_flops,
            clock_gates: mapped.clock_gates,
            storage_bits: registers + memories,
            cells: number,
            critical_path_ns: path.as_ref().map(|path| path.delay_ns),
            critical_path: path.map(|path| Path { start: path.start, end: path.end, cells: path.cells }),
            leakage_uw: (leakage > 0.0).then_some(leakage),
            dynamic_uw: None,
            internal_uw: None,
            switching_uw: None,
            energy_nj: None,
            work: None,
            parts: parts(mapped, gate),
            memories: mapped.memories.iter().map(|of| memory(of, &cells.library)).collect(),
            proof: None,
        }
    }

    /// Adds the power of all, and of the gates that are told apart by submodule.
    pub fn with_power(mut self, work: Work, whole: &Power, apart: &Power) -> Self {
        let power::Part { leakage_uw, internal_uw, switching_uw } = whole.total;
        let dynamic_uw = internal_uw + switching_uw;
        self.leakage_uw = Some(leakage_uw);
        (self.internal_uw, self.switching_uw) = (Some(internal_uw), Some(switching_uw));
        self.dynamic_uw = Some(dynamic_uw);
        // A uW for a ns is a fJ.
        self.energy_nj = Some((leakage_uw + dynamic_uw) * self.clock_ns * work.cycles as f64 * 1e-6);
        self.work = Some(work);
        let mut rest = (leakage_uw, dynamic_uw);
        for part in &mut self.parts {
            let (leakage, dynamic) = if part.name == ACROSS { rest } else { of_part(apart, &part.module) };
            rest = (rest.0 - leakage, rest.1 - dynamic);
            (part.leakage_uw, part.dynamic_uw) = (Some(leakage), Some(dynamic));
        }
        self
    }
}

/// What flattening saves or costs; the last of the parts.
const ACROSS: &str = "(across boundaries)";

/// Leakage and dynamic power of the submodules of a type.
fn of_part(power: &Power, module: &Option<String>) -> (f64, f64) {
    let part = power.parts.iter().find(|(other, _)| other == module).map(|(_, part)| *part).unwrap_or_default();
    (part.leakage_uw, part.internal_uw + part.switching_uw)
}

fn memory(memory: &MemoryMacro, library: &CellLibrary) -> MemoryReport {
    let MemoryMacro { depth, width, reads, writes, count, .. } = *memory;
    let modelled_area_um2 = count as f64 * memory.area_um2();
    let (modelled_read_pj, modelled_access_ns) = (memory.read_energy_pj(), memory.access_ns());
    MemoryReport {
        count,
        rows: depth,
        width,
        reads,
        writes,
        modelled_area_um2,
        modelled_read_pj,
        modelled_access_ns,
        latches_ge: memory.latches_ge(library).map(|one| count as f64 * one),
    }
}

fn parts(mapped: &Mapped, gate: f64) -> Vec<PartReport> {
    let report = |name: String, module, count, area: f64, flip_flops| PartReport {
        name,
        module,
        count,
        ge: area / gate,
        area_um2: area,
        flip_flops,
        dynamic_uw: None,
        leakage_uw: None,
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
        parts.push(report(ACROSS.to_string(), None, 1, area, flip_flops));
    }
    parts
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        writeln!(f, "{} ({}) in {}", self.module, parameters.join(" "), self.liberty)?;
        writeln!(f, "  {:<20} {:>12.1} GE = {}, {} cells", "area", self.ge, area(self.area_um2), self.cells)?;
        writeln!(f, "  {:<20} {:>12}", "flip-flops", self.flip_flops)?;
        if let Some(GatedClocks { gates, flip_flops }) = self.clock_gates {
            writeln!(f, "  {:<20} {gates:>12} before {flip_flops} of the flip-flops", "clock gates")?;
        }
        writeln!(f, "  {:<20} {:>12} bits", "storage", self.storage_bits)?;
        if let (Some(delay), Some(path)) = (self.critical_path_ns, &self.critical_path) {
            writeln!(f, "  {:<20} {delay:>12.2} ns = {:.0} MHz, {} cells", "longest path", 1000.0 / delay, path.cells)?;
            writeln!(f, "  {:<20} {:>8} {} -> {}", "", "from", path.start, path.end)?;
        }
        if let Some(leakage) = self.leakage_uw {
            writeln!(f, "  {:<20} {:>15}", "leakage", micro(leakage, "W"))?;
        }
        if let Some(work) = &self.work {
            self.power(f, work)?;
        }
        for part in &self.parts {
            let times = if part.count > 1 { format!(" x {}", part.count) } else { String::new() };
            let module = match &part.module {
                Some(module) => format!("{module}{times}"),
                None if part.name == ACROSS && part.ge < 0.0 => "what flattening saves".to_string(),
                None if part.name == ACROSS => "what flattening adds".to_string(),
                None => String::new(),
            };
            let share = 100.0 * part.ge / self.ge;
            let (ge, flops) = (part.ge, part.flip_flops);
            let power = part.dynamic_uw.map_or(String::new(), |power| format!(" {:>10} dynamic", micro(power, "W")));
            let name = &part.name;
            let line = format!("    {name:<24} {ge:>10.1} GE {share:>6.1} % {flops:>8} flip-flops{power}  {module}");
            writeln!(f, "{}", line.trim_end())?;
        }
        for memory in &self.memories {
            let MemoryReport { count, rows, width, reads, writes, modelled_area_um2, .. } = memory;
            let (energy, access) = (memory.modelled_read_pj, memory.modelled_access_ns);
            let (shape, bits) = (format!("{count} x {rows} x {width}"), count * rows * width);
            writeln!(f, "    {:<24} {bits:>10} bits, {reads} read, {writes} write: {shape}", "(memory apart)")?;
            writeln!(
                f,
                "    {:<24} {:>14}, {energy:.0} pJ a read, {access:.2} ns: {MODEL}",
                "",
                area(*modelled_area_um2)
            )?;
            if let Some(latches) = memory.latches_ge {
                writeln!(f, "    {:<24} {latches:>10.1} GE as latches of these cells, a model", "")?;
            }
        }
        if let Some(proof) = &self.proof {
            writeln!(f, "  {:<20} {proof}", "gates")?;
        }
        let whole = if self.flattened { "flattened" } else { "not flattened: submodules are mapped one by one" };
        writeln!(f, "  {whole}; mapped {}, for {} ns", self.mapping, self.clock_ns)?;
        if self.parts.iter().any(|part| part.name == ACROSS) {
            writeln!(f, "  {OF_PARTS}")?;
        }
        write!(f, "  {NOT_INCLUDED}")?;
        if self.work.is_some() { write!(f, "\n  {NOT_IN_POWER}") } else { Ok(()) }
    }
}

impl Report {
    /// Power and energy, and of what.
    fn power(&self, f: &mut fmt::Formatter<'_>, work: &Work) -> fmt::Result {
        let of = |value: Option<f64>| value.unwrap_or_default();
        let (internal, switching, clock) = (of(self.internal_uw), of(self.switching_uw), self.clock_ns);
        let dynamic = of(self.dynamic_uw);
        let sum = format!("{} internal + {} switching", micro(internal, "W"), micro(switching, "W"));
        writeln!(f, "  {:<20} {:>15} = {sum}, at {clock} ns", "dynamic", micro(dynamic, "W"))?;
        if self.critical_path_ns.is_some_and(|path| path > clock) {
            writeln!(f, "  {:<20} {:>12} the longest path takes more than that: the clock must be slower", "", "")?;
        }
        let Work { kernel, size, waveform, instance, instances, cycles } = work;
        let what = match (kernel, size, waveform) {
            (Some(kernel), Some(size), _) => format!("{kernel} ({size})"),
            (Some(name), ..) | (_, _, Some(name)) => name.clone(),
            _ => String::new(),
        };
        let energy = micro(1e-3 * of(self.energy_nj), "J");
        writeln!(f, "  {:<20} {energy:>15} in {cycles} cycles of {what}", "energy")?;
        let one = if *instances > 1 { format!(", one of {instances}") } else { String::new() };
        writeln!(f, "  {:<20} {:>12} {instance}{one}; every output is that of the core in every cycle", "", "of")
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
            dynamic_uw: None,
            leakage_uw: None,
        };
        Report {
            schema_version: SCHEMA_VERSION,
            module: "capt".into(),
            parameters: [("entries", "8"), ("preset", "paper")].map(|(a, b)| (a.to_string(), b.to_string())).into(),
            liberty: "osu018_stdcells".into(),
            flattened: true,
            mapping: "as drawn, for area".into(),
            clock_ns: 10.0,
            ge: 2000.5,
            area_um2: 48012.0,
            flip_flops: 312,
            clock_gates: None,
            storage_bits: 312,
            cells: 1700,
            critical_path_ns: Some(4.5),
            critical_path: Some(Path { start: "lookup_pc[19]".into(), end: "entries_7.valid".into(), cells: 17 }),
            leakage_uw: Some(0.125),
            dynamic_uw: None,
            internal_uw: None,
            switching_uw: None,
            energy_nj: None,
            work: None,
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
                modelled_read_pj: 46.0,
                modelled_access_ns: 4.34,
                latches_ge: Some(23_788.8),
            }],
            proof: Some(Verdict::Proven { registers: 312, compared: 324 }),
        }
    }

    /// With `WARPLOOM_WRITE=1`, writes it.
    #[test]
    fn the_schema_is_that_of_the_report() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/schema/synth.json");
        let mut schema = schemars::schema_for!(Report);
        let id = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/reference/schema/synth.json");
        schema.insert("$id".into(), format!("{id}?version={SCHEMA_VERSION}").into());
        let text = serde_json::to_string_pretty(&schema).expect("JSON") + "\n";
        if std::env::var_os("WARPLOOM_WRITE").is_some() {
            std::fs::write(path, &text).expect("a directory");
        }
        let committed = std::fs::read_to_string(path).unwrap_or_default();
        assert!(text == committed, "{path} is stale: run this test with WARPLOOM_WRITE=1");
    }

    #[test]
    fn for_people() {
        insta::assert_snapshot!(report());
    }

    /// With a longest path that does not fit into the clock period.
    fn at_work() -> Report {
        let part = |leakage_uw, internal_uw, switching_uw| power::Part { leakage_uw, internal_uw, switching_uw };
        let entries = Some("CaptEntry".to_string());
        let parts = vec![(entries, part(0.1, 30.0, 8.0)), (None, part(0.05, 2.0, 3.0))];
        let apart = Power { total: part(0.15, 32.0, 11.0), parts, ..Power::default() };
        let whole = Power { total: part(0.125, 31.5, 10.0), ..Power::default() };
        let work = Work {
            kernel: Some("bfs".into()),
            size: Some("256 nodes".into()),
            waveform: None,
            instance: "core.divergence.capt[0]".into(),
            instances: 2,
            cycles: 20_000,
        };
        let clock_gates = Some(GatedClocks { gates: 8, flip_flops: 304 });
        Report { clock_ns: 4.0, clock_gates, ..report() }.with_power(work, &whole, &apart)
    }

    #[test]
    fn at_work_for_people() {
        insta::assert_snapshot!(at_work());
    }

    #[test]
    fn the_power_of_the_parts_is_that_of_all() {
        let report = at_work();
        let sum = |value: fn(&PartReport) -> Option<f64>| report.parts.iter().filter_map(value).sum::<f64>();
        assert!((sum(|part| part.dynamic_uw) - 41.5).abs() < 1e-9, "{:?}", report.parts);
        assert!((sum(|part| part.leakage_uw) - 0.125).abs() < 1e-9, "{:?}", report.parts);
        assert_eq!(report.parts[0].dynamic_uw, Some(38.0));
        let json = serde_json::to_value(&report).expect("a report");
        assert_eq!((&json["dynamic_uw"], &json["work"]["kernel"]), (&41.5.into(), &"bfs".into()));
        // 41.625 uW for 80 us.
        assert!((report.energy_nj.expect("an energy") - 3.33).abs() < 1e-9);
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
