//! Bits of state in a block, and what is inside it.
use std::collections::BTreeMap;

use warploom_sim::netlist::Netlist;
use warploom_sim::storage::Bits;

/// What a block holds.
pub struct Storage {
    /// Itself.
    pub own: Bits,
    /// And with everything inside it.
    pub total: Bits,
}

impl Storage {
    pub fn of_top(netlist: &Netlist) -> Self {
        Self { own: Bits::own(netlist, netlist.top), total: Bits::total(netlist) }
    }
}

/// How many modules of each type are directly inside, by the type's name.
pub fn instances_of_top(netlist: &Netlist) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for instance in &netlist.module(netlist.top).instances {
        *found.entry(netlist.module(instance.module).source.clone()).or_default() += 1;
    }
    found
}
