//! Memories that are apart, by a model: what their accesses take.
//!
//! A read counts where its address is another than in the cycle before; with an enable, in every cycle in which it is set. A
//! write takes what a read takes, in each of the copies that further read ports are.
use std::collections::BTreeMap;

use warploom_sim::netlist::{ModuleId, Netlist};
use warploom_synth::memories::{self, Large, MemoryMacro};
use warploom_synth::verilog;

use super::pins::Signal;
use super::recorder::Twin;

/// The ports of all memories of a block that are apart.
pub struct MemoriesAtWork {
    pins: Vec<(String, usize)>,
    ports: Vec<Port>,
    energy_pj: f64,
}

/// A port, and its pins by number.
struct Port {
    access_pj: f64,
    enable: Option<usize>,
    /// Of a read without an enable.
    address: Option<usize>,
    last: u64,
}

impl MemoriesAtWork {
    /// Those of `block`, whose pins are among these signals.
    pub fn new(block: &Netlist, large: Large, signals: &BTreeMap<String, Signal>) -> Self {
        let mut found = vec![];
        apart(block, &memories::extract(block, large).netlist, block.top, "", &mut found);
        let mut at_work = Self { pins: vec![], ports: vec![], energy_pj: 0.0 };
        for (name, memory) in found {
            let access_pj = memory.read_energy_pj();
            for read in 0..memory.reads {
                // What has no net of its own never changes.
                let mut pin = |field: &str| at_work.pin(format!("{name}.{field}_{read}"), signals);
                let enable = pin("read_enable");
                let address = if enable.is_none() { pin("read_address") } else { None };
                at_work.ports.push(Port { access_pj, enable, address, last: 0 });
            }
            for write in 0..memory.writes {
                let enable = at_work.pin(format!("{name}.write_enable_{write}"), signals);
                let access_pj = access_pj * memory.reads.max(1) as f64;
                at_work.ports.push(Port { access_pj, enable, address: None, last: 0 });
            }
        }
        at_work
    }

    fn pin(&mut self, name: String, signals: &BTreeMap<String, Signal>) -> Option<usize> {
        let width = signals.get(&name)?.width;
        self.pins.push((name, width));
        Some(self.pins.len() - 1)
    }

    /// Of all accesses that count, in pJ.
    pub fn energy_pj(&self) -> f64 {
        self.energy_pj
    }
}

impl Twin for MemoriesAtWork {
    fn inputs(&self) -> Vec<(String, usize)> {
        self.pins.clone()
    }

    fn outputs(&self) -> Vec<String> {
        vec![]
    }

    fn cycle(&mut self, inputs: &[u64]) {
        for port in &mut self.ports {
            let is_access = match (port.enable, port.address) {
                (Some(enable), _) => inputs[enable] != 0,
                (None, Some(address)) => std::mem::replace(&mut port.last, inputs[address]) != inputs[address],
                (None, None) => false,
            };
            if is_access {
                self.energy_pj += port.access_pj;
            }
        }
    }

    fn output(&mut self, _: usize) -> u64 {
        unreachable!("a model of memories is asked for nothing")
    }

    fn forget(&mut self) {
        self.energy_pj = 0.0;
    }
}

/// Adds the memories apart of a module and of all below it, by the names of their instances. `without` is the block without them.
fn apart(block: &Netlist, without: &Netlist, id: ModuleId, prefix: &str, found: &mut Vec<(String, MemoryMacro)>) {
    let module = block.module(id);
    let shift = without.modules.len() - block.modules.len();
    let rest = without.module(ModuleId(id.0 + shift as u32));
    let names = verilog::instance_names(rest);
    let (children, boxes) = names.split_at(module.instances.len());
    for (name, instance) in boxes.iter().zip(&rest.instances[module.instances.len()..]) {
        let memory = &without.module(instance.module).memories[0];
        let (reads, writes) = (memory.reads.len(), memory.writes.len());
        let memory = MemoryMacro { depth: memory.depth, width: memory.width, reads, writes, count: 1 };
        found.push((format!("{prefix}{name}"), memory));
    }
    for (name, instance) in children.iter().zip(&module.instances) {
        apart(block, without, instance.module, &format!("{prefix}{name}."), found);
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::config::CoreConfig;

    use super::*;
    use crate::activity::pins;
    use crate::elaborate::{elaborate, module};

    /// The memories of a module of the tiny core, whatever their size.
    fn of(name: &str) -> MemoriesAtWork {
        let block = elaborate(name, (module(name).unwrap().build)(&CoreConfig::tiny())).unwrap();
        let large = Large::from(1);
        MemoriesAtWork::new(&block, large, &pins::signals(&block, name, large))
    }

    #[test]
    fn a_read_is_another_address_and_a_write_reaches_every_copy() {
        let mut column = of("thread_column");
        let pins: Vec<String> = column.inputs().into_iter().map(|(pin, _)| pin).collect();
        assert_eq!(pins, ["masks.read_address_0", "masks.read_address_1", "masks.write_enable_0"]);
        // Four bits of a macro's 64.
        let access = 39.0 * 4.0 / 64.0;
        for (inputs, accesses) in
            [([0, 0, 0], 0.0), ([1, 0, 0], 1.0), ([1, 0, 0], 0.0), ([2, 1, 0], 2.0), ([2, 1, 1], 2.0)]
        {
            column.forget();
            column.cycle(&inputs);
            assert_eq!(column.energy_pj(), accesses * access, "{inputs:?}");
        }
    }
}
