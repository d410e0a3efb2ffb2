//! Memories that are apart, by a model: what their accesses take.
//!
//! A read counts where its address is another than in the cycle before; with an enable, in every cycle in which it is set. A
//! write takes what a read takes, in each of the copies that further read ports are.
use std::collections::BTreeMap;

use super::pins::{Pins, Signal};
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
    /// Those of a block with these pins.
    pub fn new(Pins { signals, memories }: &Pins) -> Self {
        let mut at_work = Self { pins: vec![], ports: vec![], energy_pj: 0.0 };
        for (name, memory) in memories {
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

#[cfg(test)]
mod tests {
    use warploom_hdl::config::CoreConfig;
    use warploom_synth::memories::Large;

    use super::*;
    use crate::elaborate::{elaborate, module};

    /// The memories of a module of the tiny core, whatever their size.
    fn of(name: &str) -> MemoriesAtWork {
        let block = elaborate(name, (module(name).unwrap().build)(&CoreConfig::tiny())).unwrap();
        MemoriesAtWork::new(&Pins::new(&block, name, Large::from(1)))
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
