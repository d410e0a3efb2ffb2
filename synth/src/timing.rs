//! The longest path, by OpenSTA: between flip-flops, inputs and outputs, without wires and with an ideal clock.
//!
//! A path to a gate of a clock has all of the cycle, as it has in silicon, through the latch that opens in the middle of it: for
//! OpenSTA the clock falls as soon as it has risen, so that the latch is open. What it says of the latch itself, which lends the
//! path its time, is no path.
use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};

use warploom_sim::netlist::{NetKind, Netlist};

use crate::cells::{CellKind, CellLibrary, Cells};
use crate::flow::{self, FlowError, Mapped};
use crate::verilog;

/// A path.
#[derive(Clone, Debug, PartialEq)]
pub struct CriticalPath {
    /// From the clock edge or the input to the output, or to the flip-flop with its setup, in ns.
    pub delay_ns: f64,
    /// Input port, or net of the flip-flop it starts from.
    pub start: String,
    /// Output port, or net of the flip-flop it ends at.
    pub end: String,
    /// Cells on the way.
    pub cells: usize,
}

/// A period that every path fits into: the tool reports slack, not delay.
const PERIOD_NS: f64 = 1000.0;

/// The longest path of mapped gates; `None` where there is none.
pub fn critical_path(netlist: &Netlist, mapped: &Mapped, cells: &Cells) -> Result<Option<CriticalPath>, FlowError> {
    let path = mapped.directory().join("timing.tcl");
    fs::write(&path, script(netlist, cells, mapped.ungated.is_some())).map_err(|error| FlowError::io(&path, &error))?;
    let mut command = Command::new("sta");
    command
        .args(["-no_splash", "-no_init", "-exit", "timing.tcl"])
        .current_dir(mapped.directory())
        .stdin(Stdio::null());
    let output = command.output().map_err(|error| FlowError::NoTool { tool: "sta", reason: error.to_string() })?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    // Errors leave its exit status at 0.
    let all = format!("{said}{}", String::from_utf8_lossy(&output.stderr));
    if !output.status.success() || all.lines().any(|line| line.starts_with("Error")) {
        return Err(FlowError::Failed {
            tool: "sta",
            directory: mapped.directory().into(),
            messages: all.trim().into(),
        });
    }
    let path = mapped.directory().join(flow::MAPPED);
    let gates = fs::read_to_string(&path).map_err(|error| FlowError::io(&path, &error))?;
    Ok(longest(&said, &flip_flops(&gates), &cells.library))
}

fn script(netlist: &Netlist, cells: &Cells, gated: bool) -> String {
    let top = netlist.top();
    let clock = top.ports.iter().position(|&port| top.net(port).kind == NetKind::Clock);
    let clock = clock.map(|position| verilog::port_names(top).swap_remove(position));
    let port = clock.as_ref().map_or(String::new(), |name| format!(" [get_ports {name}]"));
    let driver = cells.library.buffer();
    let driver = driver.map_or(String::new(), |cell| format!("set_driving_cell -lib_cell {} $inputs\n", cell.name));
    let (library, gates, load, name) = (flow::CELLS, flow::MAPPED, flow::LOAD, &top.name);
    let clock = clock.unwrap_or_default();
    let waveform = if gated { " -waveform {0 0.001}" } else { "" };
    // One of each kind is reported, of those that end at registers one at a latch.
    let others = "report_checks -path_delay max -digits 4 -to [concat [all_outputs] [all_registers -data_pins -edge_triggered]]\n";
    let others = if gated { others } else { "" };
    format!(
        "read_liberty {library}\nread_verilog {gates}\nlink_design {name}\n\
         create_clock -name clock -period {PERIOD_NS}{waveform}{port}\n\
         set inputs {{}}\n\
         foreach port [all_inputs] {{ if {{[get_full_name $port] != \"{clock}\"}} {{ lappend inputs $port }} }}\n\
         if {{$inputs != {{}}}} {{\n\
         set_input_delay 0 -clock clock $inputs\n{driver}}}\n\
         set_output_delay 0 -clock clock [all_outputs]\nset_load {load} [all_outputs]\n\
         report_checks -path_delay max -digits 4\n{others}"
    )
}

/// Nets of flip-flops by the names of their cells.
fn flip_flops(gates: &str) -> HashMap<&str, &str> {
    let mut nets = HashMap::new();
    let mut instance = None;
    for line in gates.lines().map(str::trim) {
        if let Some(head) = line.strip_suffix(" (") {
            instance = head.split_whitespace().nth(1);
        } else if let (Some(net), Some(instance)) = (line.strip_prefix(".Q("), instance) {
            nets.insert(instance, net.trim_end_matches(',').trim_end_matches(')').trim().trim_start_matches('\\'));
        }
    }
    nets
}

/// The worst of what `report_checks` says.
fn longest(report: &str, flip_flops: &HashMap<&str, &str>, cells: &CellLibrary) -> Option<CriticalPath> {
    let starts = report.match_indices("Startpoint:").map(|(at, _)| at);
    let ends = starts.clone().skip(1).chain([report.len()]);
    let paths = starts.zip(ends).map(|(start, end)| &report[start..end]);
    let paths = paths.filter_map(|path| self::path(path, flip_flops, cells));
    paths.max_by(|a, b| a.delay_ns.total_cmp(&b.delay_ns))
}

/// One of them, unless it ends at a latch.
fn path(report: &str, flip_flops: &HashMap<&str, &str>, cells: &CellLibrary) -> Option<CriticalPath> {
    let place = |what: &str| {
        let place = report.lines().find_map(|line| line.trim().strip_prefix(what))?.split_whitespace().next()?;
        Some(flip_flops.get(place).copied().unwrap_or(place).to_string())
    };
    let end = report.split_once("Endpoint:")?.1.split("Path Group:").next()?;
    let slack = report.lines().find(|line| line.contains(" slack (") && !end.contains("level-sensitive latch"))?;
    let slack: f64 = slack.split_whitespace().next()?.parse().ok()?;
    // The line of a cell ends in its type.
    let kind = |line: &str| Some(cells.cells.get(line.trim_end().strip_suffix(')')?.rsplit_once('(')?.1)?.kind);
    let path = report.lines().take_while(|line| !line.contains("data arrival time"));
    Some(CriticalPath {
        delay_ns: PERIOD_NS - slack,
        start: place("Startpoint:")?,
        end: place("Endpoint:")?,
        cells: path.filter(|line| kind(line) == Some(CellKind::Logic)).count(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBERTY: &str = "library (demo) {
      cell (NAND2X1) { area : 4; }
      cell (DFF) { area : 20; ff (Q, QN) { next_state : D; } }
    }";
    const GATES: &str = "module Top(clock, a);
  DFF _1_ (
    .CLK(clock),
    .D(_00_),
    .Q(\\rows[3].valid )
  );
  NAND2X1 _2_ (
    .A(a),
    .Y(_00_)
  );
";
    const REPORT: &str = "Startpoint: a (input port clocked by clock)
Endpoint: _1_ (rising edge-triggered flip-flop clocked by clock)
   0.0079    0.0079 ^ a (in)
   0.2662    0.2741 ^ _2_/Y (NAND2X1)
   0.1000    0.3741 v _3_/Y (NAND2X1)
   0.0000    0.3741 v _1_/D (DFF)
             0.3741   data arrival time
1000.0000 1000.0000   clock clock (rise edge)
         1000.0000 ^ _1_/CLK (DFF)
  -0.2259  999.7741   library setup time
---------------------
           999.4000   slack (MET)
";

    #[test]
    fn the_path_has_the_names_of_the_source() {
        let cells = Cells::new("demo", LIBERTY, None).unwrap_or_else(|error| panic!("{error}"));
        let path = longest(REPORT, &flip_flops(GATES), &cells.library).expect("a path");
        assert!((path.delay_ns - 0.6).abs() < 1e-9, "{path:?}");
        assert_eq!((path.start.as_str(), path.end.as_str(), path.cells), ("a", "rows[3].valid", 2));
    }

    /// Of a design with gated clocks: the latch of a gate, and what goes through it.
    const GATED: &str = "Startpoint: _9_
            (positive level-sensitive latch clocked by clock')
Endpoint: _8_
          (rising clock gating-check end-point clocked by clock)
Path Group: **clock_gating_default**
           999.0000   slack (MET)

Startpoint: a (input port clocked by clock)
Endpoint: _9_
          (positive level-sensitive latch clocked by clock')
Path Group: clock
             0.0000   slack (MET)

";

    #[test]
    fn the_longest_of_several_that_does_not_end_at_a_latch() {
        let cells = Cells::new("demo", LIBERTY, None).unwrap_or_else(|error| panic!("{error}"));
        let end = |report: &str| {
            longest(report, &flip_flops(GATES), &cells.library).map(|path| (path.end, path.delay_ns.round()))
        };
        assert_eq!(end(&format!("{REPORT}\n{GATED}")), Some(("_8_".to_string(), 1.0)));
        assert_eq!(
            end(&GATED.replace("999.0000", "999.9000").replacen("_8_", "_7_", 1)),
            Some(("_7_".to_string(), 0.0))
        );
    }

    #[test]
    fn no_path() {
        let cells = Cells::new("demo", LIBERTY, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(longest("No paths found.\n", &HashMap::new(), &cells.library), None);
    }
}
