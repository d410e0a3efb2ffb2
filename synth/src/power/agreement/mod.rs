//! What is calculated, against other tools: the replay against the design's own simulator and against Icarus, slews against
//! OpenSTA.
use std::collections::BTreeMap;
use std::path::Path;

use warploom_hdl::divergence::CompactionLane;
use warploom_hdl::parts::{Fifo, OldestFirstArbiter, RoundRobinArbiter};
use warploom_hdl::prelude::{Block, PriorityEncoder};
use warploom_requirements::met;
use warploom_sim::netlist::{NetKind, Netlist};
use warploom_sim::{Interpreter, elaborate};

use super::Replay;
use crate::cells::{Cells, OSU018};
use crate::flow::{self, FlowOptions, Mapped};
use crate::gates::Gates;
use crate::tools::tool;
use crate::verilog;

mod icarus;
mod opensta;

/// The cells, if they and the tools are here.
fn cells(tools: &[&str]) -> Option<Cells> {
    let tools = tools.iter().map(|name| (*name, tool(name).expect("a known tool").is_here()));
    let needs: Vec<_> = tools.chain([("the OSU018 cells", Path::new(OSU018).exists())]).collect();
    if !met(&needs) {
        return None;
    }
    Some(Cells::load(None).unwrap_or_else(|error| panic!("{error}")))
}

fn map(block: impl Block, cells: &Cells) -> (Netlist, Mapped) {
    map_with(block, cells, &FlowOptions::default())
}

fn map_with(mut block: impl Block, cells: &Cells, options: &FlowOptions) -> (Netlist, Mapped) {
    block.connect_all();
    let netlist = elaborate(&block).unwrap_or_else(|error| panic!("{error}"));
    let mapped = flow::map(&netlist, cells, options).unwrap_or_else(|error| panic!("{error}"));
    (netlist, mapped)
}

/// A block with gates of its clock.
fn map_gated(cells: &Cells) -> (Netlist, Mapped) {
    let options = FlowOptions { gate_clocks: true, ..FlowOptions::default() };
    let (netlist, mapped) = map_with(CompactionLane::new(8), cells, &options);
    assert!(mapped.clock_gates.is_some_and(|clocks| clocks.gates > 0), "{:?}", mapped.clock_gates);
    (netlist, mapped)
}

fn gates(directory: &Path, cells: &Cells) -> Gates {
    Gates::load(directory, cells).unwrap_or_else(|error| panic!("{error}"))
}

/// Random numbers, of which the lower bits are good enough.
struct Random(u64);

impl Random {
    fn next(&mut self, width: usize) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 ^ self.0 >> 33) & (u64::MAX >> (64 - width))
    }

    /// Values of all inputs: a reset first, and then and when.
    fn inputs(&mut self, gates: &Gates, cycle: usize) -> Vec<u64> {
        let ports = gates.inputs().iter();
        ports
            .map(|port| if port.name == "reset" { u64::from(cycle.is_multiple_of(100)) } else { self.next(port.width) })
            .collect()
    }
}

/// All outputs in every cycle, with random inputs.
fn replay_agrees(netlist: &Netlist, gates: &Gates) {
    let top = netlist.top();
    let by_port: BTreeMap<String, String> =
        verilog::port_names(top).into_iter().zip(top.ports.iter().map(|net| top.net(*net).name.to_string())).collect();
    let outputs = top.ports.iter().filter(|port| top.net(**port).kind == NetKind::Output).count();
    assert_eq!(gates.outputs().len(), outputs);
    let (mut interpreter, mut replay, mut random) = (Interpreter::new(netlist), Replay::new(gates), Random(7));
    let mut changes = 0;
    for cycle in 0..500 {
        let inputs = random.inputs(gates, cycle);
        for (port, value) in gates.inputs().iter().zip(&inputs) {
            interpreter.set(&by_port[&port.name], *value);
        }
        replay.cycle(&inputs);
        for (i, port) in gates.outputs().iter().enumerate() {
            let value = interpreter.get(&by_port[&port.name]);
            assert_eq!(replay.output(i), [value], "{} of {} in cycle {cycle}", port.name, top.name);
            changes += value;
        }
        interpreter.step();
    }
    assert!(changes > 0, "{} does something", top.name);
}

#[test]
fn gates_do_what_the_design_does() {
    let Some(cells) = cells(&["yosys"]) else { return };
    for (netlist, mapped) in [
        map(PriorityEncoder::new(16), &cells),
        map(RoundRobinArbiter::new(8), &cells),
        map(OldestFirstArbiter::new(8), &cells),
        map(Fifo::new(4, 9), &cells),
        map_gated(&cells),
    ] {
        replay_agrees(&netlist, &gates(mapped.directory(), &cells));
        if let Some(apart) = mapped.directory_apart() {
            replay_agrees(&netlist, &gates(apart, &cells));
        }
    }
}

/// The text of mapped gates.
fn text(mapped: &Mapped) -> String {
    std::fs::read_to_string(mapped.directory().join(flow::MAPPED)).expect("the gates")
}
