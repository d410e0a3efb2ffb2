//! Slews of every pin, and the power of a chain, against OpenSTA.
use std::fs;
use std::process::Command;

use serde_json::json;
use warploom_hdl::parts::RoundRobinArbiter;

use super::{cells, gates, map};
use crate::cells::OSU018;
use crate::flow;
use crate::gates::Gates;
use crate::gates::tests::module;
use crate::power::loads::Loads;
use crate::power::{Replay, estimate};

#[test]
fn slews_are_those_of_opensta() {
    let Some(cells) = cells(&["yosys", "sta"]) else { return };
    let (netlist, mapped) = map(RoundRobinArbiter::new(8), &cells);
    let gates = gates(mapped.directory(), &cells);
    let loads = Loads::new(&gates);
    let mut ours = vec![];
    for cell in &gates.cells {
        let kind = gates.kind(cell);
        for (pin, &net) in kind.inputs.iter().zip(&cell.inputs).chain(kind.outputs.iter().zip(&cell.outputs)) {
            let [fall, rise] = loads.slew[net as usize];
            ours.push((format!("{}/{}", kind.name, pin.name), rise, fall));
        }
    }
    let module = &netlist.top().name;
    let script = format!(
        "read_liberty cells.lib\nread_verilog mapped.v\nlink_design {module}\n\
         create_clock -name clock -period 1000 [get_ports clock]\n\
         foreach port [all_inputs] {{ if {{[get_full_name $port] != \"clock\"}} {{\n\
         set_input_delay 0 -clock clock $port; set_driving_cell -lib_cell BUFX2 $port }} }}\n\
         set_load {} [all_outputs]\nset_output_delay 0 -clock clock [all_outputs]\nset sta_report_default_digits 6\n\
         foreach cell [get_cells *] {{ foreach pin [get_pins [get_full_name $cell]/*] {{\n\
         puts -nonewline \"slew [get_property $cell ref_name]/\"; report_slews $pin }} }}\n",
        flow::LOAD
    );
    fs::write(mapped.directory().join("slews.tcl"), script).expect("a writable file");
    let mut sta = Command::new("sta");
    sta.args(["-no_splash", "-no_init", "-exit", "slews.tcl"]).current_dir(mapped.directory());
    let output = sta.output().expect("sta runs");
    let said = String::from_utf8_lossy(&output.stdout);
    // `slew NAND2X1/_12_/Y ^ 0.01:0.02 v 0.03:0.04`: of the rise and the fall, the least and the most.
    let mut theirs = vec![];
    for line in said.lines().filter_map(|line| line.strip_prefix("slew ")) {
        let [place, "^", rise, "v", fall] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{line}\n{said}")
        };
        let (kind, pin) = (place.split_once('/').expect("a kind").0, place.rsplit_once('/').expect("a pin").1);
        let most = |slews: &str| slews.split_once(':').expect("two").1.parse::<f64>().expect("a number");
        let name = format!("{kind}/{pin}");
        // OpenSTA lists the stored bits too.
        if ours.iter().any(|(known, ..)| *known == name) {
            theirs.push((name, most(rise), most(fall)));
        }
    }
    assert_eq!(ours.len(), theirs.len(), "{said}");
    let sort = |slews: &mut Vec<(String, f64, f64)>| {
        slews.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
    };
    sort(&mut ours);
    sort(&mut theirs);
    for (ours, theirs) in ours.iter().zip(&theirs) {
        let close = (ours.1 - theirs.1).abs() < 2e-6 && (ours.2 - theirs.2).abs() < 2e-6;
        assert!(ours.0 == theirs.0 && close, "{ours:?}, OpenSTA says {theirs:?}");
    }
    assert!(ours.iter().any(|(_, rise, _)| *rise > 0.05), "{ours:?}");
}

/// A chain of buffers whose input changes in every cycle, so that OpenSTA's guess of activity is what happens. Not of
/// inverters: for the rise of an output, this version looks up the slew of the rise of the input, whatever the function.
const CHAIN: &str = "module T(clock, a, y);
  input clock; input a; output y; wire clock; wire a; wire y; wire n; wire m;
  BUFX2 i(.A(a), .Y(n));
  BUFX4 j(.A(n), .Y(m));
  BUFX2 k(.A(m), .Y(y));
endmodule
";

#[test]
fn power_is_that_of_opensta_where_it_counts_once() {
    let Some(cells) = cells(&["sta"]) else { return };
    let chain = module(
        json!({ "a": ["input", [2]], "y": ["output", [5]] }),
        json!({
            "i": ["BUFX2", { "A": [2], "Y": [3] }],
            "j": ["BUFX4", { "A": [3], "Y": [4] }],
            "k": ["BUFX2", { "A": [4], "Y": [5] }],
        }),
    );
    let gates = Gates::read(&json!({ "modules": { "T": chain } }).to_string(), &cells);
    let gates = gates.unwrap_or_else(|error| panic!("{error}"));
    let mut replay = Replay::new(&gates);
    (0..100).for_each(|cycle| replay.cycle(&[(cycle + 1) % 2]));
    let ours = estimate(&gates, &replay.activity(), 10.0).total;

    let directory = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("a writable file");
    // Not the corrected text: attributes come first in it, and OpenSTA asks for operating conditions before they are
    // defined, goes on without a voltage, and finds no power.
    write("cells.lib", &fs::read_to_string(OSU018).expect("the cells"));
    write("chain.v", CHAIN);
    let load = flow::LOAD;
    let script = format!(
        "read_liberty cells.lib\nread_verilog chain.v\nlink_design T\n\
         create_clock -name clock -period 10 [get_ports clock]\nset_input_delay 0 -clock clock [get_ports a]\n\
         set_driving_cell -lib_cell BUFX2 [get_ports a]\nset_load {load} [all_outputs]\n\
         set_power_activity -input -activity 1.0 -duty 0.5\nreport_power -digits 6\n"
    );
    write("power.tcl", &script);
    let mut sta = Command::new("sta");
    sta.args(["-no_splash", "-no_init", "-exit", "power.tcl"]).current_dir(directory.path());
    let output = sta.output().expect("sta runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let total = said.lines().find(|line| line.starts_with("Total")).unwrap_or_else(|| panic!("no total in\n{said}"));
    let theirs: Vec<f64> =
        total.split_whitespace().filter_map(|watts| Some(watts.parse::<f64>().ok()? * 1e6)).collect();
    let close = |ours: f64, theirs: f64, within: f64| {
        assert!((ours / theirs - 1.0).abs() < within, "{ours} and {theirs}\n{said}");
    };
    close(ours.leakage_uw, theirs[2], 1e-5);
    // It takes the larger of the capacitances of a pin that rises and falls, not the mean.
    close(ours.switching_uw, theirs[1], 0.01);
    // It adds the energies of a rise and a fall for every change.
    close(2.0 * ours.internal_uw, theirs[0], 0.002);
}
