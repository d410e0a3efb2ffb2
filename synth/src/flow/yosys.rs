//! The script for yosys, and what it says.
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use warploom_sim::cache::Work;
use warploom_sim::netlist::Netlist;

use super::recipes::Recipe;
use super::{Counts, FlowError, process};
use crate::cells::{Cells, ClockGate};
use crate::clock_gates::CLOCK_GATE;
use crate::verilog;

pub(crate) const MAPPED: &str = "mapped.v";
/// The same gates for programs.
pub(crate) const MAPPED_JSON: &str = "mapped.json";
pub(crate) const CELLS: &str = "cells.lib";
/// Capacitance that every output drives, in the unit of the library.
pub(crate) const LOAD: f64 = 0.05;
pub(crate) const DESIGN: &str = "design.v";
const GENERIC: &str = "generic.il";
const RECIPE: &str = "recipe.abc";
const LOG: &str = "abc.log";
const CONSTRAINTS: &str = "constraints";
/// What yosys is told to do.
pub(crate) const SCRIPT: &str = "script.ys";
const COUNTS: &str = "counts.json";

/// What is mapped.
pub(super) struct Design {
    /// Name of its outermost module.
    pub top: String,
    /// Its text.
    pub verilog: String,
    /// Cells that are in it already.
    cells: Vec<String>,
}

impl Design {
    /// Of a netlist, with this where clocks are gated.
    pub fn new(netlist: &Netlist, gate: Option<&ClockGate>) -> Self {
        let bodies = gate.map(|gate| (CLOCK_GATE.to_string(), gate.body.clone())).into_iter().collect();
        let (cells, declarations): (Vec<_>, Vec<_>) =
            gate.map_or(vec![], |gate| gate.cells.clone()).into_iter().unzip();
        let verilog = declarations.concat() + &verilog::export_with(netlist, &bodies);
        Self { top: netlist.top().name.clone(), verilog, cells }
    }
}

/// The commands up to gates of no library, and flip-flops of this one.
fn generic_script(top: &str, kept: &BTreeSet<&str>, boxes: &[&str], cells: &[String]) -> String {
    let keep: String = kept.iter().map(|module| format!(" {module}")).collect();
    let keep = if kept.is_empty() { String::new() } else { format!("setattr -mod -set keep_hierarchy 1{keep}\n") };
    let boxes: String = boxes.iter().map(|module| format!("blackbox {module}\n")).collect();
    // Known from here on by the library only, as those that are mapped to. Without the sign, a name means no black box.
    let forget: String = cells.iter().map(|cell| format!("delete ={cell}\n")).collect();
    format!(
        "read_verilog {DESIGN}\nhierarchy -check -top {top}\n{boxes}{keep}\
         synth -flatten -top {top}\n{forget}dfflibmap -liberty {CELLS}\nwrite_ilang {GENERIC}\n"
    )
}

/// The commands from there. Without constraints abc sizes and buffers nothing.
fn mapping_script() -> String {
    format!(
        "read_ilang {GENERIC}\n\
         tee -q -o {LOG} abc -liberty {CELLS} -constr {CONSTRAINTS} -script {RECIPE}\n\
         setundef -zero\nsplitnets\nopt_clean -purge\n\
         tee -q -o {COUNTS} stat -json\n\
         write_verilog -noattr -noexpr -simple-lhs {MAPPED}\nwrite_json {MAPPED_JSON}\n"
    )
}

/// What drives inputs and what outputs drive.
fn constraints(cells: &Cells) -> String {
    let driver = cells.library.buffer();
    let driver = driver.map_or(String::new(), |cell| format!("set_driving_cell {}\n", cell.name));
    format!("{driver}set_load {LOAD} [all_outputs]\n")
}

/// What `stat -json` prints of a module.
#[derive(Deserialize)]
struct StatModule {
    num_cells_by_type: BTreeMap<String, usize>,
}

/// Gates of no library, in yosys' own format. If a tool fails, its directory stays for the user to look at.
pub(super) fn generic(
    design: &Design,
    kept: &BTreeSet<&str>,
    boxes: &[&str],
    cells: &Cells,
) -> Result<String, FlowError> {
    let script = generic_script(&design.top, kept, boxes, &design.cells);
    let directory = process::directory(&[(DESIGN, &design.verilog), (CELLS, &cells.liberty), (SCRIPT, &script)])?;
    let (directory, _) = process::run("yosys", &["-q", "-s", SCRIPT], directory)?;
    process::written(&directory, GENERIC)
}

/// Maps them to cells. Returns the files, the cells, and abc's estimate of the longest path in ps.
pub(super) fn map(
    generic: &str,
    design: &Design,
    cells: &Cells,
    recipe: Recipe,
    clock_ps: f64,
) -> Result<(Work, Counts, f64), FlowError> {
    let directory = process::directory(&[
        (DESIGN, &design.verilog),
        (GENERIC, generic),
        (CELLS, &cells.liberty),
        (CONSTRAINTS, &constraints(cells)),
        (RECIPE, &recipe.script(clock_ps)),
        (SCRIPT, &mapping_script()),
    ])?;
    let (directory, _) = process::run("yosys", &["-q", "-s", SCRIPT], directory)?;
    let path = directory.path().join(COUNTS);
    let counts = counts(&process::written(&directory, COUNTS)?).map_err(|reason| FlowError::Io { path, reason })?;
    let delay = delay(&process::written(&directory, LOG)?);
    Ok((directory, counts, delay))
}

/// The longest of the paths that abc reports, one a module; 0 without logic.
fn delay(log: &str) -> f64 {
    let delays = log.lines().filter_map(|line| {
        let (_, rest) = line.split_once("Delay =")?;
        rest.split_whitespace().next()?.parse::<f64>().ok()
    });
    delays.fold(0.0, f64::max)
}

/// Only the modules are read: of a hierarchy of three levels and more, yosys draws a picture in the midst of its JSON.
pub(crate) fn counts(text: &str) -> Result<Counts, String> {
    const MODULES: &str = "\"modules\":";
    let start = text.find(MODULES).ok_or("it says nothing of modules")? + MODULES.len();
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter();
    let modules: BTreeMap<String, StatModule> = values.next().ok_or("it ends early")?.map_err(|e| e.to_string())?;
    let modules = modules.into_iter();
    Ok(modules.map(|(name, module)| (name.trim_start_matches('\\').to_string(), module.num_cells_by_type)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scripts() {
        let kept = ["Row", "Column"].into();
        let generic = generic_script("Table", &kept, &["Memory_64x32"], &["ICG".to_string()]);
        let mapping = mapping_script();
        insta::assert_snapshot!(format!("{generic}---\n{mapping}"));
    }

    #[test]
    fn the_longest_of_all_modules() {
        let log = "ABC: Current delay (99.0 ps) does not exceed\n\
                   ABC: WireLoad = \"none\"  Gates = 2  Area = 48.00 (100.0 %)   Delay =  120.48 ps  (  4.5 %)\n\
                   ABC: WireLoad = \"none\"  Gates = 9  Area = 99.00 (100.0 %)   Delay =    80.00 ps  (  4.5 %)\n";
        assert_eq!((delay(log), delay("")), (120.48, 0.0));
    }

    #[test]
    fn counts_by_module() {
        let text = r#"{ "modules": { "\\Top": { "num_cells": 3, "num_cells_by_type": { "INVX1": 1, "Row": 2 } } },
                        Top   1
                          Row   2
                     }"#;
        let counts = counts(text).unwrap();
        assert_eq!(counts["Top"], [("INVX1".to_string(), 1), ("Row".to_string(), 2)].into());
    }
}
