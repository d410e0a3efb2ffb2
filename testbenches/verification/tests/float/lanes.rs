//! Many lanes of a unit in one generated simulator, each with operands of its own.
use std::collections::VecDeque;

use warploom_hdl::execute::float::operation::*;
use warploom_hdl::execute::float::{FloatCompare, FloatDivide, FloatFormat, FloatMultiplyAdd};
use warploom_hdl::prelude::*;
use warploom_sim::{BuildOptions, Port, Simulator, elaborate};
use warploom_verification::mutation;
use warploom_verification::reference::float::Outcome;

use crate::operation::Operation;

/// How many.
pub const LANES: usize = 32;

module! {
    /// Pipelines that do the same.
    pub struct MultiplyAddLanes: clock {
        pub operation: Signal<In, FloatOperation>,
        pub rounding: Signal<In, FloatRounding>,
        pub a: Vec<Net<In>> = Net::vec(LANES, format.width()),
        pub b: Vec<Net<In>> = Net::vec(LANES, format.width()),
        pub c: Vec<Net<In>> = Net::vec(LANES, format.width()),
        pub result: Vec<Net<Out>> = Net::vec(LANES, format.width()),
        pub flags: Vec<Net<Out>> = Net::vec(LANES, FLAGS),
        lanes: Vec<FloatMultiplyAdd> = (0..LANES).map(|_| FloatMultiplyAdd::new(format)).collect() => |i| {
            operation, rounding, a: a[i], b: b[i], c: c[i], result: result[i], flags: flags[i],
        },
    }
    /// For this format.
    pub fn new(format: FloatFormat) {}
}

impl Logic for MultiplyAddLanes {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MultiplyAddLanes");
    }
}

module! {
    /// Dividers in step.
    pub struct DivideLanes: clock {
        pub drive: FloatDivideStep<In> = FloatDivideStep::new(format),
        pub rounding: Net<In> = 3,
        pub a: Vec<Net<In>> = Net::vec(LANES, format.width()),
        pub b: Vec<Net<In>> = Net::vec(LANES, format.width()),
        pub result: Vec<Net<Out>> = Net::vec(LANES, format.width()),
        pub flags: Vec<Net<Out>> = Net::vec(LANES, FLAGS),
        lanes: Vec<FloatDivide> = (0..LANES).map(|_| FloatDivide::new(format, bits)).collect() => |i| {
            drive, rounding, a: a[i], b: b[i], result: result[i], flags: flags[i],
        },
    }
    /// For this format, with so many bits a step.
    pub fn new(format: FloatFormat, bits: usize) {}
}

impl Logic for DivideLanes {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DivideLanes");
    }
}

module! {
    /// Comparisons.
    pub struct CompareLanes {
        pub operation: Signal<In, FloatComparison>,
        pub a: Vec<Net<In>> = Net::vec(LANES, 32),
        pub b: Vec<Net<In>> = Net::vec(LANES, 32),
        pub result: Vec<Net<Out>> = Net::vec(LANES, 32),
        pub flags: Vec<Net<Out>> = Net::vec(LANES, FLAGS),
        lanes: Vec<FloatCompare> = (0..LANES).map(|_| FloatCompare::default()).collect() => |i| {
            operation, a: a[i], b: b[i], result: result[i], flags: flags[i],
        },
    }
}

impl Logic for CompareLanes {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CompareLanes");
    }
}

/// A lane's operands, all lanes with the same operation.
#[derive(Clone)]
pub struct Group {
    /// What is computed.
    pub operation: Operation,
    /// How it is rounded.
    pub rounding: FloatRounding,
    /// Of each lane.
    pub operands: [[u64; 3]; LANES],
}

/// What came out.
pub type Outcomes = [Outcome; LANES];

/// Simulators of all units.
pub struct Units {
    pipeline: Unit,
    divider: Unit,
    comparison: Unit,
    under_way: VecDeque<Group>,
    /// Places of a root or quotient, and how many are found in a step.
    places: usize,
    bits: usize,
}

struct Unit {
    simulator: Simulator,
    operands: [Vec<Port>; 3],
    result: Vec<Port>,
    flags: Vec<Port>,
}

impl Unit {
    fn new(mut module: impl Block) -> Self {
        module.connect_all();
        let netlist = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        let simulator = mutation::build(&netlist, &BuildOptions::default()).unwrap_or_else(|error| panic!("{error}"));
        let ports = |name: &str| (0..LANES).filter_map(|lane| simulator.port(&format!("{name}[{lane}]"))).collect();
        let operands = ["a", "b", "c"].map(ports);
        let (result, flags) = (ports("result"), ports("flags"));
        Self { simulator, operands, result, flags }
    }

    fn set(&mut self, name: &str, value: u64) {
        let port = self.simulator.port(name).unwrap_or_else(|| panic!("no port {name}"));
        self.simulator.set(port, value);
    }

    fn take(&mut self, operands: &[[u64; 3]; LANES]) {
        for (number, ports) in self.operands.iter().enumerate() {
            for (port, operands) in ports.iter().zip(operands) {
                self.simulator.set(*port, operands[number]);
            }
        }
    }

    fn outcomes(&mut self) -> Outcomes {
        self.simulator.evaluate();
        std::array::from_fn(|lane| Outcome {
            result: self.simulator.get(self.result[lane]),
            flags: self.simulator.get(self.flags[lane]) as u8,
        })
    }
}

/// Cycles from the operands of the pipeline to its result.
const LATENCY: usize = 5;

impl Units {
    /// Of this format, dividing by so many bits a step.
    pub fn new(format: FloatFormat, bits: usize) -> Self {
        Self {
            pipeline: Unit::new(MultiplyAddLanes::new(format)),
            divider: Unit::new(DivideLanes::new(format, bits)),
            comparison: Unit::new(CompareLanes::default()),
            under_way: VecDeque::new(),
            places: format.fraction + 3,
            bits,
        }
    }

    /// Runs a group; `done` sees it, or one that was started before.
    pub fn run(&mut self, group: Group, mut done: impl FnMut(&Group, &Outcomes)) {
        match group.operation {
            Operation::Pipelined(operation) => {
                self.pipeline.set("operation", operation as u64);
                self.pipeline.set("rounding", group.rounding as u64);
                self.pipeline.take(&group.operands);
                self.under_way.push_back(group);
                self.step(&mut done);
            }
            Operation::Compared(operation) => {
                self.comparison.set("operation", operation as u64);
                self.comparison.take(&group.operands);
                done(&group, &self.comparison.outcomes());
            }
            Operation::Quotient | Operation::Root => {
                self.divider.take(&group.operands);
                self.divider.set("drive_root", u64::from(group.operation == Operation::Root));
                self.divider.set("rounding", group.rounding as u64);
                for phase in ["drive_load", "drive_adjust"] {
                    self.divider.set(phase, 1);
                    self.divider.simulator.step();
                    self.divider.set(phase, 0);
                    // The operands are gone then.
                    self.divider.take(&[[0; 3]; LANES]);
                }
                self.divider.set("drive_step", 1);
                for place in (0..self.places).rev().step_by(self.bits) {
                    self.divider.set("drive_place", 1 << place);
                    self.divider.simulator.step();
                }
                self.divider.set("drive_step", 0);
                done(&group, &self.divider.outcomes());
            }
        }
    }

    fn step(&mut self, done: &mut impl FnMut(&Group, &Outcomes)) {
        self.pipeline.simulator.step();
        if self.under_way.len() == LATENCY {
            let group = self.under_way.pop_front().expect("it is the oldest");
            done(&group, &self.pipeline.outcomes());
        }
    }

    /// What is still in the pipeline.
    pub fn drain(&mut self, mut done: impl FnMut(&Group, &Outcomes)) {
        for count in (1..LATENCY).rev() {
            self.pipeline.simulator.step();
            if self.under_way.len() == count {
                let group = self.under_way.pop_front().expect("it is the oldest");
                done(&group, &self.pipeline.outcomes());
            }
        }
    }
}
