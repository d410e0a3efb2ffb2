//! Which nets of the running core stand for the pins of a block's gates.
//!
//! ```text
//!  port of the block          fetch_warp              core.divergence.fetch_warp
//!  pin of a memory set apart  per_warp_0.pcs.read_data_0   core.divergence.per_warp[0].pcs.read_data[0]
//! ```
//! The first name is that of the exported Verilog, the second that of a waveform.
use std::collections::BTreeMap;
use std::rc::Rc;

use warploom_sim::flatten::shown_name;
use warploom_sim::ir::path_name;
use warploom_sim::netlist::{Driver, EnumType, Memory, Module, ModuleId, NetId, NetKind, Netlist, Op};
use warploom_synth::memories::{self, Large, MemoryMacro};
use warploom_synth::verilog;

/// A net of the running core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Its name in a waveform.
    pub path: String,
    /// Bits.
    pub width: usize,
    /// Names by encoding, where a waveform has names for numbers.
    pub variants: Option<Rc<EnumType>>,
}

/// The pins of a block: its ports, and those of its memories that are apart, which its gates do not have.
pub struct Pins {
    /// By the names of pins.
    pub signals: BTreeMap<String, Signal>,
    /// Those that a memory is given always the same at, and that have no net for it.
    pub constants: BTreeMap<String, u64>,
    /// The memories that are apart, one by one, by the names of their instances.
    pub memories: Vec<(String, MemoryMacro)>,
}

impl Pins {
    /// Those of `block`; `scope` is where it is.
    pub fn new(block: &Netlist, scope: &str, large: Large) -> Self {
        let apart = memories::extract(block, large).netlist;
        let found = Self { signals: BTreeMap::new(), constants: BTreeMap::new(), memories: vec![] };
        let mut walk = Walk { block, apart: &apart, found };
        walk.ports(scope);
        walk.memories(block.top, "", scope);
        walk.found
    }
}

struct Walk<'a> {
    block: &'a Netlist,
    /// The block without its large memories.
    apart: &'a Netlist,
    found: Pins,
}

impl Walk<'_> {
    fn add(&mut self, pin: String, module: &Module, scope: &str, net: NetId) {
        let (path, net) = match module.net(net).kind {
            // Only the child's own net is observed.
            NetKind::ChildInput(i) | NetKind::ChildOutput(i) => {
                let instance = &module.instances[i];
                let child = self.block.module(instance.module);
                let port = instance.ports.iter().position(|&other| other == net).expect("it is one of its ports");
                (format!("{scope}.{}", instance.name), child.net(child.ports[port]))
            }
            _ => (scope.to_string(), module.net(net)),
        };
        let path = format!("{path}.{}", path_name(shown_name(net)));
        self.found.signals.insert(pin, Signal { path, width: net.width, variants: net.variants.clone() });
    }

    /// Adds the ports of the block.
    fn ports(&mut self, scope: &str) {
        let top = self.block.top();
        let names = verilog::port_names(top).into_iter();
        for (name, &port) in names.zip(&top.ports).filter(|(_, port)| top.net(**port).kind != NetKind::Clock) {
            self.add(name, top, scope, port);
        }
    }

    /// Adds the memories in a module and in all below it, and their pins.
    fn memories(&mut self, id: ModuleId, prefix: &str, scope: &str) {
        let module = self.block.module(id);
        let shift = self.apart.modules.len() - self.block.modules.len();
        let without = self.apart.module(ModuleId(id.0 + shift as u32));
        let names = verilog::instance_names(without);
        let (children, boxes) = names.split_at(module.instances.len());
        for (name, instance) in boxes.iter().zip(&without.instances[module.instances.len()..]) {
            let (name, memory) = (format!("{prefix}{name}"), self.apart.module(instance.module));
            for (pin, &net) in verilog::port_names(memory).into_iter().zip(&instance.ports) {
                let pin = format!("{name}.{pin}");
                if let Some(net) = same_net(module, without, net) {
                    self.add(pin, module, scope, net);
                } else if let Some(value) = constant(without, net) {
                    self.found.constants.insert(pin, value);
                }
            }
            self.found.memories.push((name, alone(&memory.memories[0])));
        }
        for (name, instance) in children.iter().zip(&module.instances) {
            let (prefix, scope) = (format!("{prefix}{name}."), format!("{scope}.{}", instance.name));
            self.memories(instance.module, &prefix, &scope);
        }
    }
}

/// A memory by itself.
fn alone(memory: &Memory) -> MemoryMacro {
    let (reads, writes) = (memory.reads.len(), memory.writes.len());
    MemoryMacro { depth: memory.depth, width: memory.width, reads, writes, count: 1 }
}

/// The net of a module for one of the same module without its large memories; there may be none for an input of a memory.
fn same_net(module: &Module, without: &Module, net: NetId) -> Option<NetId> {
    let pin = without.net(net);
    match (pin.kind, pin.driver) {
        (NetKind::Clock, _) => None,
        (NetKind::ChildInput(_), Driver::Expr(value)) => match module.expr(value).op {
            Op::Net(net) => Some(net),
            _ => {
                let same = module.nets.iter().position(|net| net.driver == Driver::Expr(value));
                same.map(|position| NetId(position as u32))
            }
        },
        _ => Some(net),
    }
}

/// What a net always is, if that is said where it is driven.
fn constant(module: &Module, net: NetId) -> Option<u64> {
    match module.net(net).driver {
        Driver::Expr(value) => match module.expr(value).op {
            Op::Const(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::config::CoreConfig;
    use warploom_sim::Simulator;
    use warploom_sim::glob::Globs;

    use super::*;
    use crate::activity::instance::find;
    use crate::elaborate::elaborate_core;

    #[test]
    fn every_pin_has_a_net_that_can_be_observed() {
        let config = CoreConfig::tiny();
        let core = elaborate_core(&config).unwrap();
        let observed = Simulator::nets(&core, &Globs::new(&["*"])).unwrap();
        for name in ["reconvergence_unit", "register_file", "load_store_unit"] {
            let (instance, _) = find(&core, name, None, &config).unwrap();
            let block = core.design_of(instance.module);
            let Pins { signals, .. } = Pins::new(&block, &instance.path, Large::from(1));
            for signal in signals.values() {
                let net = observed.iter().find(|net| net.path == signal.path);
                assert_eq!(net.map(|net| net.width), Some(signal.width), "{signal:?}");
            }
            // What a memory reads, gates are given; what it is given, they can mostly be compared with.
            let memories = memories::extract(&block, Large::from(1)).macros;
            let count = |field: &str| signals.keys().filter(|pin| pin.contains(&format!(".{field}_"))).count();
            let reads: usize = memories.iter().map(|memory| memory.count * memory.reads).sum();
            let writes: usize = memories.iter().map(|memory| memory.count * memory.writes).sum();
            assert!(reads > 0 && writes > 0, "{name}");
            assert_eq!((count("read_data"), count("read_address")), (reads, reads), "{name}");
            assert!(count("write_address") > writes / 2, "{name}: {} of {writes}", count("write_address"));
        }
    }
}
