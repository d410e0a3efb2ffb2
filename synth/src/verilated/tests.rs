//! Verilator against the generated simulator.
use warploom_hdl::core::Core;
use warploom_hdl::parts::{Fifo, RoundRobinArbiter};
use warploom_hdl::prelude::*;
use warploom_requirements::met;
use warploom_sim::netlist::Netlist;
use warploom_sim::{Engine, Simulator, elaborate};

use super::{Verilated, VerilatedError, VerilatedOptions, compile, wrapper};
use crate::tools::{self, Tool};

fn verilator() -> bool {
    met(&[("verilator", tools::tool("verilator").is_some_and(Tool::is_here))])
}

fn netlist(mut block: impl Block) -> Netlist {
    block.connect_all();
    elaborate(&block).unwrap_or_else(|error| panic!("{error}"))
}

/// Both engines with the same random inputs, every output in every cycle. Inputs in `rare` are seldom one.
fn agree(netlist: &Netlist, rare: &[&str], cycles: usize) {
    if !verilator() {
        return;
    }
    let mut simulator = Simulator::build(netlist, &Default::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut verilated = Verilated::build(netlist, &Default::default()).unwrap_or_else(|error| panic!("{error}"));
    let names = wrapper::ports(netlist.top()).into_iter().map(|(name, _)| name);
    let ports = names.map(|name| {
        let (one, other) = (simulator.port(&name).expect("a port"), verilated.port(&name).expect("a port"));
        assert_eq!((one.width(), one.is_input()), (other.width(), other.is_input()), "{name}");
        (name, one, other)
    });
    let (inputs, outputs): (Vec<_>, Vec<_>) = ports.collect::<Vec<_>>().into_iter().partition(|port| port.1.is_input());
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state ^ state >> 29).wrapping_mul(0xbf58476d1ce4e5b9) >> 3 ^ state << 40
    };
    for cycle in 0..cycles {
        for (name, one, other) in &inputs {
            let value = match name.as_str() {
                "reset" => u64::from(cycle < 2 || random() % 1024 == 0),
                name if rare.contains(&name) => u64::from(random() % 64 == 0),
                _ => random() & u64::MAX >> (64 - one.width()),
            };
            simulator.set(*one, value);
            verilated.set(*other, value);
        }
        simulator.step();
        verilated.step();
        for (name, one, other) in &outputs {
            let (one, other) = (simulator.get(*one), verilated.get(*other));
            assert_eq!(one, other, "{name} in cycle {cycle}");
        }
    }
}

#[test]
fn an_arbiter() {
    agree(&netlist(RoundRobinArbiter::new(11)), &[], 5000);
}

#[test]
fn a_fifo() {
    agree(&netlist(Fifo::new(8, 33)), &[], 5000);
}

#[test]
#[ignore = "long: a whole core in Verilator; runs in .ci/run"]
fn the_tiny_core() {
    agree(&netlist(Core::new(&CoreConfig::tiny())), &["launch_start"], 5000);
}

#[test]
fn traces_are_written_one_after_the_other() {
    if !verilator() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let paths = ["first", "second", "last"].map(|name| directory.path().join(name));
    let options = VerilatedOptions { trace: true, ..Default::default() };
    let netlist = netlist(RoundRobinArbiter::new(4));
    let mut verilated = Verilated::build(&netlist, &options).unwrap_or_else(|error| panic!("{error}"));
    verilated.trace(&paths[0]);
    verilated.step();
    verilated.trace(&paths[1]);
    verilated.step();
    verilated.end_trace();
    verilated.step();
    verilated.trace(&paths[2]);
    verilated.step();
    drop(verilated);
    let read = |path| std::fs::read_to_string(path).expect("a trace");
    for (path, time) in paths.iter().zip([0, 2, 6]) {
        let (header, changes) =
            read(path).split_once("$enddefinitions").map(|(a, b)| (a.len(), b.to_string())).expect("a header");
        assert!(header > 0 && changes.contains(&format!("#{time}\n")), "{}: {changes}", path.display());
        assert!(!changes.contains(&format!("#{}\n", time + 2)), "{}: {changes}", path.display());
    }
}

#[test]
fn a_failure_says_where_and_why() {
    if !verilator() {
        return;
    }
    let cache = tempfile::tempdir().expect("a directory");
    let options = VerilatedOptions { cache: Some(cache.path().into()), ..Default::default() };
    let text = || "nonsense".to_string();
    let sources = compile::Sources { design: text(), harness: text(), wrapper: text() };
    let Err(error) = compile::compile(&sources, &options) else { panic!("nonsense compiles") };
    let VerilatedError::Failed { tool, directory, messages } = error else { panic!("{error}") };
    assert_eq!(tool, "verilator");
    assert!(directory.join("design.v").exists() && messages.contains("nonsense"), "{messages}");
}
