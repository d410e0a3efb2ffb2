//! The script for yosys, and what it says.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};

use serde::Deserialize;
use tempfile::TempDir;

use super::{Counts, FlowError, FlowOptions};
use crate::cells::Cells;

pub(crate) const MAPPED: &str = "mapped.v";
/// The same gates for programs.
pub(crate) const MAPPED_JSON: &str = "mapped.json";
pub(crate) const CELLS: &str = "cells.lib";
/// Capacitance that every output drives, in the unit of the library.
pub(crate) const LOAD: f64 = 0.05;
const DESIGN: &str = "design.v";
const CONSTRAINTS: &str = "constraints";
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

/// What `stat -json` prints.
#[derive(Deserialize)]
struct Stat {
    modules: BTreeMap<String, StatModule>,
}

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
    let directory = tempfile::tempdir().map_err(|error| FlowError::io("a temporary directory".as_ref(), &error))?;
    let files = [
        (DESIGN, design.verilog.clone()),
        (CELLS, cells.liberty.clone()),
        (CONSTRAINTS, constraints(cells)),
        ("script.ys", script(&design.top, kept, boxes, options)),
    ];
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::write(&path, text).map_err(|error| FlowError::io(&path, &error))?;
    }
    let mut yosys = Command::new("yosys");
    yosys.args(["-q", "-s", "script.ys"]).current_dir(directory.path()).stdin(Stdio::null());
    let output = yosys.output().map_err(|error| FlowError::NoTool { tool: "yosys", reason: error.to_string() })?;
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_string();
        return Err(FlowError::Failed { tool: "yosys", directory: directory.keep(), messages });
    }
    let path = directory.path().join(COUNTS);
    let text = fs::read_to_string(&path).map_err(|error| FlowError::io(&path, &error))?;
    let counts = counts(&text).map_err(|reason| FlowError::Io { path, reason })?;
    Ok((directory, counts))
}

fn counts(text: &str) -> Result<Counts, String> {
    let stat: Stat = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let modules = stat.modules.into_iter();
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
                        "design": { "num_cells": 5 } }"#;
        let counts = counts(text).unwrap();
        assert_eq!(counts["Top"], [("INVX1".to_string(), 1), ("Row".to_string(), 2)].into());
    }
}
