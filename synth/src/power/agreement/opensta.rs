//! Slews of every pin, against OpenSTA.
use std::fs;
use std::process::Command;

use warploom_hdl::parts::RoundRobinArbiter;

use super::{cells, gates, map, text};
use crate::flow;
use crate::power::loads::Loads;

#[test]
fn slews_are_those_of_opensta() {
    let Some(cells) = cells(&["yosys", "sta"]) else { return };
    let (_, mapped) = map(RoundRobinArbiter::new(8), &cells);
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
    let (_, module) = text(&mapped);
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
