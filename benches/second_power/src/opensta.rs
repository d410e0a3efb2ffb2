//! Power by OpenSTA, which is told what every net did.
//!
//! Debian's version (2.0.17) reads no waveform, but takes the activity of single pins. It adds the energies of a rise and a fall for every
//! change, so its internal power is halved here. It knows of each net how often it changes and how long it is 1, and
//! nothing of two nets at once: conditions and causes are by probability.
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::design::Design;
use crate::power::Activity;

/// A row of the table: total, leakage, and the rest, of which it does not tell the clock pins apart.
pub fn row(design: &Design, activity: &[Activity], directory: &Path) -> String {
    fs::write(directory.join("opensta.lib"), library(directory)).expect("a writable directory");
    fs::write(directory.join("opensta.tcl"), script(design, activity, &directory.join("gates.sdc")))
        .expect("a writable directory");
    let output =
        Command::new("sta").args(["-no_splash", "-no_init", "-exit", "opensta.tcl"]).current_dir(directory).output();
    let output = output.unwrap_or_else(|error| panic!("sta does not run: {error}"));
    let said = String::from_utf8_lossy(&output.stdout);
    let total = said.lines().find(|line| line.starts_with("Total"));
    let total = total.unwrap_or_else(|| panic!("OpenSTA gives no total in {}:\n{said}", directory.display()));
    let watts: Vec<f64> = total.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let (internal, switching, leakage) = (watts[0] * 1e6 / 2.0, watts[1] * 1e6, watts[2] * 1e6);
    format!(
        "| | OpenSTA | {:.3} | {leakage:.3} | all internal: | {internal:.3} | {switching:.3} | |",
        internal + switching + leakage
    )
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

fn script(design: &Design, activity: &[Activity], constraints: &Path) -> String {
    let constraints = fs::read_to_string(constraints).expect("gates.sdc");
    let mut text = String::from(
        "read_liberty opensta.lib\nread_verilog mapped.v\nlink_design [lindex [split [exec grep -m1 dut bench.v] { }] 2]\n",
    );
    // This version does not know `-no_clocks`.
    text += &format!(
        "set inputs {{}}\nforeach port [all_inputs] {{ if {{[get_full_name $port] != \"{}\"}} {{ lappend inputs $port }} }}\n",
        design.clock
    );
    text += &constraints.replace("[all_inputs -no_clocks]", "$inputs");
    text += "set_input_delay 0 -clock clock $inputs\n";
    let of = |net: usize| format!("-activity {} -duty {}", activity[net].changes, activity[net].high);
    for (name, nets) in design.netlist.inputs.iter().filter(|(name, _)| *name != design.clock) {
        for (bit, &net) in nets.iter().enumerate() {
            let port = if nets.len() == 1 { name.clone() } else { format!("{name}[{bit}]") };
            text += &format!("set_power_activity -input_ports [get_ports {{{port}}}] {}\n", of(net));
        }
    }
    for cell in &design.cells {
        for (pin, net) in design.kinds[cell.kind].pins.iter().zip(&cell.nets).filter(|(pin, _)| !pin.is_input) {
            let Some(net) = *net else { continue };
            text += &format!(
                "set_power_activity -pins [get_pins {{{}/{}}}] {}\n",
                cell.scope.replace('.', "/"),
                pin.name,
                of(net)
            );
        }
    }
    text + "report_power -digits 6\n"
}
