//! Bits of state in a netlist.
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use warploom_sim::netlist::{ModuleId, Netlist};

/// Bits of flip-flops and of memories.
#[derive(Clone, Copy, Default)]
pub struct Bits {
    pub registers: usize,
    pub memories: usize,
}

/// What a block holds.
pub struct Storage {
    /// Itself.
    pub own: Bits,
    /// And with everything inside it.
    pub total: Bits,
}

impl Storage {
    pub fn of_top(netlist: &Netlist) -> Self {
        Self { own: own(netlist, netlist.top), total: total(netlist, netlist.top, &mut HashMap::new()) }
    }
}

fn own(netlist: &Netlist, id: ModuleId) -> Bits {
    let module = netlist.module(id);
    Bits {
        registers: module.registers.iter().map(|register| register.width).sum(),
        memories: module.memories.iter().map(|memory| memory.width * memory.depth).sum(),
    }
}

/// `known` because a type of module stands in many places.
fn total(netlist: &Netlist, id: ModuleId, known: &mut HashMap<ModuleId, Bits>) -> Bits {
    if let Some(bits) = known.get(&id) {
        return *bits;
    }
    let bits = netlist.module(id).instances.iter().fold(own(netlist, id), |sum, instance| {
        let inner = total(netlist, instance.module, known);
        Bits { registers: sum.registers + inner.registers, memories: sum.memories + inner.memories }
    });
    known.insert(id, bits);
    bits
}

/// How many modules of each type are directly inside, by the type's name.
pub fn instances_of_top(netlist: &Netlist) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for instance in &netlist.module(netlist.top).instances {
        *found.entry(netlist.module(instance.module).source.clone()).or_default() += 1;
    }
    found
}

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.registers, self.memories) {
            (0, 0) => write!(f, "-"),
            (registers, 0) => write!(f, "{registers}"),
            (registers, memories) => write!(f, "{registers} + {memories}"),
        }
    }
}
