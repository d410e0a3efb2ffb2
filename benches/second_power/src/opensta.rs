//! Leakage and clock pins by OpenSTA.
//!
//! Debian's version (2.0.17) is told no more: it reads no waveform; the activity of single pins (`set_power_activity -pins`) ends in an
//! error, and what is under it changes nothing; and a clock behind a gate changes in every cycle. So all but the clock stands
//! still here, and only gates without gated clocks compare. It adds the energies of a rise and a fall for every change, so
//! its internal power is halved.
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::design::Design;

/// A row of the table.
pub fn row(design: &Design, directory: &Path) -> String {
    let write = |file: &str, text: String| fs::write(directory.join(file), text).expect("a writable directory");
    write("opensta.lib", library(directory));
    write("opensta.tcl", script(design));
    let output =
        Command::new("sta").args(["-no_splash", "-no_init", "-exit", "opensta.tcl"]).current_dir(directory).output();
    let output = output.unwrap_or_else(|error| panic!("sta does not run: {error}"));
    let said = String::from_utf8_lossy(&output.stdout);
    let total = said.lines().find(|line| line.starts_with("Total"));
    let total = total.unwrap_or_else(|| panic!("OpenSTA gives no total in {}:\n{said}", directory.display()));
    let watts: Vec<f64> = total.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    format!("| | OpenSTA | | {:.3} | {:.3} | | | |", watts[2] * 1e6, watts[0] * 1e6 / 2.0)
}

/// The library, with the name of its operating conditions after them: this version finds no voltage otherwise.
fn library(directory: &Path) -> String {
    let text = fs::read_to_string(directory.join("cells.lib")).expect("the library");
    let is_default = |line: &&str| line.trim_start().starts_with("default_operating_conditions");
    let (names, others): (Vec<&str>, Vec<&str>) = text.lines().partition(is_default);
    let others = others.join("\n");
    let end = others.rfind('}').expect("the end of the library");
    format!("{}{}\n}}\n", &others[..end], names.join("\n"))
}

fn script(design: &Design) -> String {
    format!(
        "read_liberty opensta.lib\nread_verilog mapped.v\nlink_design {}\n\
         create_clock -name clock -period {} [get_ports {}]\n\
         set_power_activity -global -activity 0 -duty 0\nreport_power -digits 6\n",
        design.netlist.top, design.clock_ns, design.clock
    )
}
