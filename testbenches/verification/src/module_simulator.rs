//! A module on its own as a generated simulator, with its ports and some of its nets by name.
use std::collections::HashMap;
use std::fmt::Debug;

use warploom_hdl::prelude::Block;
use warploom_runtime::kernels::Random;
use warploom_sim::engine::Port;
use warploom_sim::netlist::NetKind;
use warploom_sim::{BuildOptions, Simulator, elaborate};

use crate::divergence_model::{Program, Terminator};
use crate::mutation;

/// The compiled module.
pub struct ModuleSimulator {
    simulator: Simulator,
    nets: HashMap<String, usize>,
    inputs: Vec<(String, usize)>,
    garbage: Random,
}

impl ModuleSimulator {
    /// Builds it; `observe` are patterns of the nets to look at, see [`BuildOptions`].
    ///
    /// # Panics
    /// If that fails, with its message.
    pub fn new(mut module: impl Block, observe: &[&str]) -> Self {
        module.connect_all();
        let netlist = elaborate(&module).unwrap_or_else(|e| panic!("{e}"));
        let observe = observe.iter().map(|&pattern| pattern.into()).collect();
        let simulator = mutation::build(&netlist, &BuildOptions { observe, ..Default::default() });
        let simulator = simulator.unwrap_or_else(|e| panic!("{e}"));
        let inside = |path: &str| path.split_once('.').unwrap().1.to_string();
        let nets = simulator.observed().iter().enumerate().map(|(i, net)| (inside(&net.path), i)).collect();
        let ports = netlist.top().ports.iter().map(|port| netlist.top().net(*port));
        let inputs = ports.filter(|net| net.kind == NetKind::Input).map(|net| (net.name.to_string(), net.width));
        Self { simulator, nets, inputs: inputs.collect(), garbage: Random::new(1) }
    }

    /// A port, for [`drive`](Self::drive) and [`value`](Self::value): where many cycles count.
    ///
    /// # Panics
    /// If there is none of this name.
    pub fn port(&self, name: &str) -> Port {
        self.simulator.port(name).unwrap_or_else(|| panic!("no port {name}"))
    }

    /// Drives an input port.
    pub fn drive(&mut self, port: Port, value: u64) {
        self.simulator.set(port, value);
    }

    /// The value of a port.
    pub fn value(&self, port: Port) -> u64 {
        self.simulator.get(port)
    }

    /// Drives an input port.
    pub fn set(&mut self, name: &str, value: impl TryInto<u64, Error: Debug>) {
        self.drive(self.port(name), value.try_into().unwrap());
    }

    /// The value of a port.
    pub fn get(&self, name: &str) -> usize {
        self.value(self.port(name)) as usize
    }

    /// The value of a port that not every module has.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.simulator.port(name).map(|port| self.simulator.get(port) as usize)
    }

    /// The value of an observed net, by its path inside the module.
    pub fn net(&self, name: &str) -> usize {
        let index = self.nets.get(name).unwrap_or_else(|| panic!("no net {name} among {:?}", self.nets.keys()));
        self.simulator.observed_value(*index) as usize
    }

    /// The ports and nets follow the inputs.
    pub fn evaluate(&mut self) {
        self.simulator.evaluate();
    }

    /// A clock cycle; ports and nets have the values in front of its edge.
    pub fn step(&mut self) {
        self.simulator.step();
    }

    /// Nothing comes over an interface in this cycle: `resolve_valid` is 0, and the other inputs `resolve_*` are anything.
    pub fn idle(&mut self, interface: &str) {
        for (name, width) in &self.inputs {
            let Some(signal) = name.strip_prefix(interface).and_then(|rest| rest.strip_prefix('_')) else { continue };
            let any = u64::from(self.garbage.word()) & ((1 << width) - 1);
            let port = self.simulator.port(name).expect("it is an input");
            self.simulator.set(port, if signal == "valid" { 0 } else { any });
        }
    }

    /// Drives `resolve_*` of a reconvergence unit: these lanes of a warp or path are at the control instruction of a block, and of them these take it.
    ///
    /// # Panics
    /// If the block has no such instruction.
    pub fn resolve(&mut self, program: &Program, path: usize, block: usize, [lanes, taken]: [usize; 2]) {
        let (at, addresses) = (&program.blocks[block], program.addresses());
        let kind = match at.terminator {
            Terminator::Branch => 0u64,
            Terminator::Jump => 1,
            Terminator::Exit => 2,
            Terminator::Barrier => 3,
            Terminator::Fall => unreachable!("it has no instruction"),
        };
        let rpc = program.rpc[block].filter(|_| at.terminator == Terminator::Branch);
        self.set("resolve_valid", 1u64);
        self.set("resolve_warp", path);
        self.set("resolve_kind", kind);
        self.set("resolve_mask", lanes);
        self.set("resolve_taken", taken);
        self.set("resolve_target", at.successors.first().map_or(0, |&block| addresses[block]));
        self.set("resolve_next_pc", addresses[block] + 4 * at.length);
        self.set("resolve_rpc_valid", rpc.is_some() as u64);
        self.set("resolve_rpc", rpc.map_or(0, |block| addresses[block]));
    }

    /// A cycle of reset.
    pub fn reset(&mut self) {
        self.set("reset", 1u64);
        self.step();
        self.set("reset", 0u64);
    }
}
