//! Both calculations of power on gates at work, and what is said where a directory is not as it should be.
//!
//! The tables of [cost](../../../docs/cost.md) are from kernels; here inputs are random, so that there is more at work than clocks.
use std::fs;
use std::path::Path;
use std::process::Command;

use warploom_hdl::divergence::CompactionLane;
use warploom_hdl::parts::{Fifo, RoundRobinArbiter};
use warploom_hdl::prelude::Block;
use warploom_requirements::met;
use warploom_sim::elaborate;
use warploom_synth::cells::{Cells, OSU018};
use warploom_synth::flow::{FlowOptions, map};
use warploom_synth::gates::Gates;
use warploom_synth::handed::Handed;
use warploom_synth::power::{Replay, by_kind};
use warploom_synth::tools::tool;

/// Maps a block, has its gates at work with random inputs, and hands them over.
fn hand_over(mut block: impl Block, gate_clocks: bool, cells: &Cells, directory: &Path) {
    block.connect_all();
    let netlist = elaborate(&block).unwrap_or_else(|error| panic!("{error}"));
    let options = FlowOptions { gate_clocks, ..FlowOptions::default() };
    let mapped = map(&netlist, cells, &options).unwrap_or_else(|error| panic!("{error}"));
    assert!(!gate_clocks || mapped.clock_gates.is_some_and(|clocks| clocks.gates > 0));
    let gates = Gates::load(mapped.directory(), cells).unwrap_or_else(|error| panic!("{error}"));
    let mut replay = Replay::new(&gates);
    let mut handed =
        Handed::begin(directory, &netlist, &mapped, &gates, cells, options.clock_ns).expect("a writable directory");
    let mut random = 1u64;
    for cycle in 0..400 {
        if cycle == 100 {
            replay.forget();
            handed.forget();
        }
        let inputs = gates.inputs().iter().map(|port| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let value = random >> 11 & (u64::MAX >> (64 - port.width));
            if port.name == "reset" { u64::from(cycle < 2) } else { value }
        });
        let inputs: Vec<u64> = inputs.collect();
        replay.cycle(&inputs);
        handed.cycle(&inputs);
    }
    handed.end(&by_kind(&gates, &replay.activity(), options.clock_ns)).expect("a writable directory");
}

/// How the second calculation ends, and what it says.
fn second(arguments: &[&str], directory: &Path) -> (Option<i32>, String, String) {
    let command =
        Command::new(env!("CARGO_BIN_EXE_warploom-second-power")).args(arguments).current_dir(directory).output();
    let output = command.expect("it runs");
    let [said, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    (output.status.code(), said, errors)
}

#[test]
fn power_is_that_of_a_second_calculation() {
    let needs = ["yosys", "iverilog"].map(|name| (name, tool(name).expect("a known tool").is_here()));
    let cells = ("the OSU018 cells", Path::new(OSU018).exists());
    if !met(&[needs.as_slice(), &[cells]].concat()) {
        return;
    }
    let cells = Cells::load(None).unwrap_or_else(|error| panic!("{error}"));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    hand_over(Fifo::new(4, 9), false, &cells, &at("fifo"));
    hand_over(RoundRobinArbiter::new(8), false, &cells, &at("arbiter"));
    hand_over(CompactionLane::new(8), true, &cells, &at("compaction_lane"));
    let (status, said, errors) = second(&["fifo", "arbiter", "compaction_lane"], directory.path());
    assert_eq!(status, Some(0), "{said}\n{errors}");
    // The same gates and the same activity, so every change is the same.
    let differences = said.lines().filter(|line| line.contains("| difference |"));
    assert_eq!(differences.clone().count(), 3, "{said}");
    assert!(differences.clone().all(|line| line.ends_with("| +0.00 % |")), "{said}");
    println!("{said}");
}

/// An inverter and a flip-flop, and the waveform of a cycle.
fn small(directory: &Path) {
    let library =
        "library (l) { time_unit : \"1ns\"; voltage_unit : \"1V\"; leakage_power_unit : \"1nW\"; nom_voltage : 1;
        capacitive_load_unit (1, pf);
        lu_table_template (t) { variable_1 : total_output_net_capacitance; index_1 (\"0, 1\"); }
        cell (INV) { cell_leakage_power : 1; pin (A) { direction : input; capacitance : 0.1; }
          pin (Y) { direction : output; function : \"!A\"; timing () { related_pin : \"A\"; }
            internal_power () { related_pin : \"A\"; power (t) { values (\"0, 1\"); } } } }
        cell (DFF) { cell_leakage_power : 2; ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }
          pin (CK) { direction : input; } pin (D) { direction : input; }
          pin (Q) { direction : output; function : \"IQ\"; } } }";
    let netlist = "module m (c, y); input c; output y; wire d;
        INV i (.A(y), .Y(d)); DFF f (.CK(c), .D(d), .Q(y)); endmodule";
    let waveform = "$timescale 1ns $end\n$scope module bench $end\n$scope module dut $end\n$var wire 1 ! c $end\n\
        $scope module i $end\n$var wire 1 \" A $end\n$var wire 1 # Y $end\n$upscope $end\n\
        $scope module f $end\n$var wire 1 ! CK $end\n$var wire 1 # D $end\n$var wire 1 \" Q $end\n\
        $var wire 1 \" IQ $end\n$var wire 1 $ IQN $end\n$upscope $end\n\
        $enddefinitions $end\n#0\n0!\n0\"\n1#\n1$\n#1\n1!\n1\"\n0#\n0$\n#6\n0!\n#11\n";
    // By hand: in 10 ns the inverter falls with no load, and the flip-flop rises with 0.1 pF.
    let ours = "cell\tnumber\tchanges\tleakage_uw\tinternal_uw\tclock_uw\tswitching_uw\n\
        INV\t1\t1\t0.001\t0\t0\t0\nDFF\t1\t1\t0.002\t0\t0\t5\n";
    let constraints = "create_clock -name clock -period 10 [get_ports c]\n";
    let files = [("cells.lib", library), ("mapped.v", netlist), ("bench.vcd", waveform), ("power.tsv", ours)];
    for (file, text) in files.into_iter().chain([("gates.sdc", constraints)]) {
        fs::write(directory.join(file), text).expect("a writable directory");
    }
}

#[test]
fn as_by_hand_and_what_is_wrong_with_a_file() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = directory.path();
    let again = || second(&["--reuse", "--by-kind", "."], at);
    small(at);
    let (status, said, errors) = again();
    assert_eq!((status, errors.as_str()), (Some(0), ""), "{said}");
    assert!(said.contains("| | second | 5.003 | 0.003 | 0.000 | 0.000 | 5.000 | 2 |"), "{said}");
    let refused = |file: &str, old: &str, new: &str, expected: &str| {
        small(at);
        let text = fs::read_to_string(at.join(file)).expect("a file");
        assert!(text.contains(old), "{file}: {old}");
        fs::write(at.join(file), text.replace(old, new)).expect("a writable directory");
        let (status, _, errors) = again();
        assert_eq!((status, errors.trim_end()), (Some(2), format!("error: .: {expected}").as_str()), "{file}: {new}");
    };
    refused("cells.lib", "cell (DFF)", "cell (FF)", "cells.lib: no cell DFF");
    refused("cells.lib", "\"!A\"", "\"!A &\"", "cells.lib: cell INV: `!A &` is no function");
    refused("cells.lib", "\"!A\"", "\"!B\"", "cells.lib: cell INV: `B` in the function `!B` is no pin");
    refused("cells.lib", "\"IQ\"; } } }", "\"IQ\"; } }", "cells.lib: it ends inside of library (l)");
    refused("cells.lib", "\"0, 1\"); } } }", "\"0\"); } } }", "cells.lib: cell INV: 1 values in place of 2 in t");
    refused("cells.lib", "\"1ns\"", "\"1ps\"", "cells.lib: its unit of time is not 1 ns");
    refused("mapped.v", ".A(y)", ".A(z)", "mapped.v: no net z");
    refused("mapped.v", "endmodule", "", "mapped.v: module m does not end");
    refused("mapped.v", "wire d", "wire [3 d", "mapped.v: `wire [ 3 d` is not understood");
    refused("mapped.v", "INV i (.A(y), .Y(d)); DFF", "m i (.y(y)); DFF", "mapped.v: no module is the outermost");
    refused("mapped.v", ".A(y)", ".A(d)", "mapped.v: the gates have a loop");
    refused("gates.sdc", "-period 10", "", "gates.sdc: the clock has no period");
    refused("gates.sdc", "create_clock", "", "gates.sdc: no clock");
    refused("bench.vcd", "0\"", "x\"", "bench.vcd: A of i is neither 0 nor 1 at 0");
    refused("bench.vcd", "# Y", "# Z", "bench.vcd: bench.dut.i.Y is not in it");
    refused("bench.vcd", "#6", "#six", "bench.vcd: `#six` is no time: invalid digit found in string");
    refused("bench.vcd", "#6", "#0", "bench.vcd: time goes back from 1 to 0");
    refused("bench.vcd", "#11", "#21", "bench.vcd: 1 cycles last 2.0 periods of the clock");
    let row = "INV\t1\t1\t0.001\t0\t0\t0";
    let expected = "power.tsv, line 2: a kind of cell and six numbers were expected, not `INV\t1\t1\tnothing`";
    refused("power.tsv", row, "INV\t1\t1\tnothing", expected);
    for file in ["cells.lib", "mapped.v", "gates.sdc", "power.tsv"] {
        small(at);
        fs::remove_file(at.join(file)).expect("a file");
        assert_eq!(again().2, format!("error: .: {file}: No such file or directory (os error 2)\n"));
    }
    small(at);
    let (status, _, errors) = second(&["nowhere"], at);
    let expected =
        "error: nowhere: no such directory; `warploom synth MODULE --kernel NAME --gates DIRECTORY` writes one\n";
    assert_eq!((status, errors.as_str()), (Some(2), expected));
}

#[test]
fn a_difference_is_the_status() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    small(directory.path());
    let file = directory.path().join("power.tsv");
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, text.replace("\t5\n", "\t6\n")).expect("a writable directory");
    let (status, said, _) = second(&["--reuse", "."], directory.path());
    assert_eq!(status, Some(1));
    assert!(said.ends_with("The largest difference of a total: 19.99 %.\n"), "{said}");
}
