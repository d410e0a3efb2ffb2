//! Power against a second calculation, of a waveform by Icarus: benches/second_power, which shares nothing with this crate.
//!
//! The tables of [cost](../../docs/cost.md) are from kernels; here inputs are random, so that there is more at work than clocks.
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

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../benches/second_power/src/main.rs");

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

#[test]
fn power_is_that_of_a_second_calculation() {
    let needs = ["yosys", "iverilog"].map(|name| (name, tool(name).expect("a known tool").is_here()));
    let own = [("the OSU018 cells", Path::new(OSU018).exists()), ("benches/second_power", Path::new(SOURCE).exists())];
    if !met(&[needs, own].concat()) {
        return;
    }
    let cells = Cells::load(None).unwrap_or_else(|error| panic!("{error}"));
    let directory = tempfile::tempdir().expect("a temporary directory");
    let at = |name: &str| directory.path().join(name);
    hand_over(Fifo::new(4, 9), false, &cells, &at("fifo"));
    hand_over(RoundRobinArbiter::new(8), false, &cells, &at("arbiter"));
    hand_over(CompactionLane::new(8), true, &cells, &at("compaction_lane"));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let built = Command::new(rustc).args(["--edition", "2024", "-O", "-o"]).arg(at("second")).arg(SOURCE).status();
    assert!(built.expect("rustc runs").success());
    let output =
        Command::new(at("second")).args(["fifo", "arbiter", "compaction_lane"]).current_dir(&directory).output();
    let output = output.expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    // The same gates and the same activity, so every change is the same.
    let differences = said.lines().filter(|line| line.contains("| difference |"));
    assert_eq!(differences.clone().count(), 3, "{said}");
    assert!(differences.clone().all(|line| line.ends_with("| +0.00 % |")), "{said}");
    println!("{said}");
}
