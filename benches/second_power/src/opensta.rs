//! Leakage and clock pins by OpenSTA.
//!
//! Debian's version (2.0.17) is told no more: it reads no waveform; the activity of single pins (`set_power_activity -pins`) ends in an
//! error, and what is under it changes nothing; and a clock behind a gate changes in every cycle. So all but the clock stands
//! still here, and where clocks are gated there is only leakage to compare. It adds the energies of a rise and a fall for every change, so
//! its internal power is halved.
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::design::{self, Design};

/// A row of the table.
pub fn row(design: &Design, directory: &Path) -> Result<String> {
    let write = |file: &str, text: String| {
        fs::write(directory.join(file), text).with_context(|| format!("{file} cannot be written"))
    };
    write("opensta.lib", library(directory)?)?;
    write("opensta.tcl", script(design))?;
    let output =
        Command::new("sta").args(["-no_splash", "-no_init", "-exit", "opensta.tcl"]).current_dir(directory).output();
    let output = output.context("sta does not run (Debian's package opensta has it)")?;
    let said = String::from_utf8_lossy(&output.stdout);
    let total = said.lines().find(|line| line.starts_with("Total")).unwrap_or_default();
    let watts: Vec<f64> = total.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [internal, _, leakage, ..] = watts[..] else {
        bail!("OpenSTA gives no total:\n{said}{}", String::from_utf8_lossy(&output.stderr));
    };
    let clock = if design.has_gated_clocks() { String::new() } else { format!("{:.3}", internal * 1e6 / 2.0) };
    Ok(format!("| | OpenSTA | | {:.3} | {clock} | | | |", leakage * 1e6))
}

/// The library, with the name of its operating conditions after them: this version finds no voltage otherwise.
fn library(directory: &Path) -> Result<String> {
    let text = design::text(directory, "cells.lib")?;
    let is_default = |line: &&str| line.trim_start().starts_with("default_operating_conditions");
    let (names, others): (Vec<&str>, Vec<&str>) = text.lines().partition(is_default);
    let others = others.join("\n");
    let (library, _) = others.rsplit_once('}').context("cells.lib has no end")?;
    Ok(format!("{library}{}\n}}\n", names.join("\n")))
}

fn script(design: &Design) -> String {
    format!(
        "read_liberty opensta.lib\nread_verilog mapped.v\nlink_design {}\n\
         create_clock -name clock -period {} [get_ports {}]\n\
         set_power_activity -global -activity 0 -duty 0\nreport_power -digits 6\n",
        design.netlist.top, design.clock_ns, design.clock
    )
}
