//! The script for yosys, and what it says.
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tempfile::TempDir;

use super::{Counts, FlowError, FlowOptions, process};
use crate::cells::Cells;

pub(crate) const MAPPED: &str = "mapped.v";
/// The same gates for programs.
pub(crate) const MAPPED_JSON: &str = "mapped.json";
pub(crate) const CELLS: &str = "cells.lib";
/// Capacitance that every output drives, in the unit of the library.
pub(crate) const LOAD: f64 = 0.05;
pub(crate) const DESIGN: &str = "design.v";
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
}

/// The commands. Without constraints abc sizes and buffers nothing.
fn script(top: &str, kept: &BTreeSet<String>, boxes: &[&str], options: &FlowOptions) -> String {
    let picoseconds = (1000.0 * options.clock_ns).round();
    let keep: String = kept.iter().map(|module| format!(" {module}")).collect();
    let keep = if kept.is_empty() { String::new() } else { format!("setattr -mod -set keep_hierarchy 1{keep}\n") };
    let boxes: String = boxes.iter().map(|module| format!("blackbox {module}\n")).collect();
    format!(
        "read_verilog {DESIGN}\nhierarchy -check -top {top}\n{boxes}{keep}\
         synth -flatten -top {top}\ndfflibmap -liberty {CELLS}\n\
         abc -liberty {CELLS} -constr {CONSTRAINTS} -D {picoseconds}\n\
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

/// Runs it in a directory, which stays for the user to look at if it fails.
pub(super) fn run(
    design: &Design,
    kept: &BTreeSet<String>,
    boxes: &[&str],
    cells: &Cells,
    options: &FlowOptions,
) -> Result<(TempDir, Counts), FlowError> {
    let directory = process::directory(&[
        (DESIGN, &design.verilog),
        (CELLS, &cells.liberty),
        (CONSTRAINTS, &constraints(cells)),
        (SCRIPT, &script(&design.top, kept, boxes, options)),
    ])?;
    let (directory, _) = process::run("yosys", &["-q", "-s", SCRIPT], directory)?;
    let text = process::written(&directory, COUNTS)?;
    let path = directory.path().join(COUNTS);
    let counts = counts(&text).map_err(|reason| FlowError::Io { path, reason })?;
    Ok((directory, counts))
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
    fn the_script() {
        let kept = ["Row", "Column"].map(str::to_string).into();
        insta::assert_snapshot!(script(
            "Table",
            &kept,
            &["Memory_64x32"],
            &FlowOptions { clock_ns: 2.5, ..Default::default() }
        ));
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
