//! Toggles of every cell, against Icarus running the same gates.
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use warploom_hdl::parts::Fifo;

use super::{Random, cells, gates, map, map_gated, text};
use crate::cells::Cells;
use crate::flow::Mapped;
use crate::gates::Gates;
use crate::power::Replay;

/// Changes of every output of every cell, in order: the names of cells are not those of the Verilog text.
type Toggles = Vec<(String, String, u64)>;

#[test]
fn nets_change_as_often_as_in_icarus() {
    let Some(cells) = cells(&["yosys", "iverilog"]) else { return };
    for (netlist, mapped) in [map(Fifo::new(4, 9), &cells), map_gated(&cells)] {
        agree(&netlist.top().name, &mapped, &cells);
    }
}

fn agree(module: &str, mapped: &Mapped, cells: &Cells) {
    const CYCLES: usize = 300;
    let gates = gates(mapped.directory(), cells);
    let (mut replay, mut random) = (Replay::new(&gates), Random(3));
    let inputs: Vec<Vec<u64>> = (0..CYCLES).map(|cycle| random.inputs(&gates, cycle)).collect();
    inputs.iter().for_each(|inputs| replay.cycle(inputs));
    let activity = replay.activity();
    let mut ours = Toggles::new();
    for cell in &gates.cells {
        let kind = gates.kind(cell);
        for (pin, &net) in kind.outputs.iter().zip(&cell.outputs) {
            ours.push((kind.name.clone(), pin.name.clone(), activity.toggles[net as usize]));
        }
    }
    ours.sort();
    let mut theirs = icarus(&gates, &inputs, module, mapped);
    // Of a gate's inverter, which sees the clock, the first change is before the first cycle there.
    for toggles in [&mut ours, &mut theirs] {
        toggles.retain(|(.., toggles)| *toggles < 2 * CYCLES as u64 - 2);
    }
    assert_eq!(ours, theirs);
    assert!(ours.iter().any(|(.., toggles)| *toggles > 50), "{ours:?}");
}

/// What Icarus counts.
fn icarus(gates: &Gates, inputs: &[Vec<u64>], module: &str, mapped: &Mapped) -> Toggles {
    let directory = mapped.directory();
    let text = text(mapped);
    let (mut declarations, mut pins, mut assignments) = (String::new(), String::new(), String::new());
    for (i, port) in gates.inputs().iter().enumerate() {
        let name = &port.name;
        declarations += &format!("reg [{}:0] {name} = 0;\n", port.width - 1);
        pins += &format!(", .{name}({name})");
        let values = inputs.iter().map(|values| format!("{:x}\n", values[i])).collect::<String>();
        fs::write(directory.join(format!("{name}.hex")), values).expect("a writable file");
        declarations += &format!("reg [{0}:0] {name}_values [0:{1}];\n", port.width - 1, inputs.len() - 1);
        declarations += &format!("initial $readmemh(\"{name}.hex\", {name}_values);\n");
        assignments += &format!("{name} <= {name}_values[cycle]; ");
    }
    let bench = format!(
        "`timescale 1ns/1ns\nmodule bench;\nreg clock = 0;\ninteger cycle;\n{declarations}\
         {module} dut(.clock(clock){pins});\n\
         initial begin\n$dumpfile(\"bench.vcd\"); $dumpvars(0, dut); #1;\n\
         for (cycle = 0; cycle < {0}; cycle = cycle + 1) begin {assignments} #5 clock = 0; #5 clock = cycle < {0} - 1; end\n\
         $finish; end\nendmodule\n",
        inputs.len()
    );
    fs::write(directory.join("bench.v"), bench).expect("a writable file");
    let run = |command: &str, arguments: &[&str]| {
        let output = Command::new(command).args(arguments).current_dir(directory).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run("yosys", &["-q", "-p", "read_liberty -ignore_miss_func cells.lib; write_verilog -noattr cells.v"]);
    let models = fs::read_to_string(directory.join("cells.v")).expect("models of the cells");
    let started =
        models.lines().map(|line| if line.starts_with("  reg ") { line.replace(';', " = 0;") } else { line.into() });
    fs::write(directory.join("cells.v"), started.collect::<Vec<_>>().join("\n")).expect("a writable file");
    run("iverilog", &["-g2012", "-o", "bench", "bench.v", "mapped.v", "cells.v"]);
    run("vvp", &["bench"]);
    let waves = fs::File::open(directory.join("bench.vcd")).expect("waves");
    toggles(gates, &text, vcd::Parser::new(std::io::BufReader::new(waves)))
}

fn toggles(gates: &Gates, text: &str, mut waves: vcd::Parser<impl std::io::BufRead>) -> Toggles {
    // `NAND2X1 _12_ (` in the text, and a scope `_12_` with a variable `Y` in the waves.
    let is_kind = |name: &str| gates.kinds.iter().any(|kind| kind.name == name);
    let words = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let kinds: BTreeMap<&str, &str> =
        words.filter(|words| words.len() == 3 && is_kind(words[0])).map(|words| (words[1], words[0])).collect();
    let header = waves.parse_header().expect("a header");
    let design = header.find_scope(&["bench", "dut"]).expect("the design");
    let mut counts: BTreeMap<vcd::IdCode, Vec<(String, String)>> = BTreeMap::new();
    let mut items: Vec<&vcd::ScopeItem> = design.items.iter().collect();
    while let Some(item) = items.pop() {
        let vcd::ScopeItem::Scope(scope) = item else { continue };
        let Some(kind) = kinds.get(scope.identifier.as_str()) else {
            // A gate of a clock, which consists of cells.
            items.extend(&scope.items);
            continue;
        };
        let outputs = &gates.kinds.iter().find(|known| known.name == *kind).expect("a kind").outputs;
        for output in outputs {
            let variable = scope.find_var(&output.name).expect("a pin");
            counts.entry(variable.code).or_default().push((kind.to_string(), output.name.clone()));
        }
    }
    let mut seen: BTreeMap<vcd::IdCode, (Option<vcd::Value>, u64)> = BTreeMap::new();
    let mut now = 0;
    for command in waves {
        match command.expect("waves") {
            vcd::Command::Timestamp(time) => now = time,
            vcd::Command::ChangeScalar(code, value) => {
                let (last, toggles) = seen.entry(code).or_default();
                *toggles += u64::from(now > 0 && last.is_some_and(|last| last != value));
                *last = Some(value);
            }
            _ => {}
        }
    }
    let pins = counts.into_iter().flat_map(|(code, pins)| pins.into_iter().map(move |pin| (code, pin)));
    let mut all: Toggles = pins.map(|(code, (kind, pin))| (kind, pin, seen[&code].1)).collect();
    all.sort();
    all
}
