//! Bits of state in a block, and what is inside it.
use std::collections::BTreeMap;

use warploom_hdl::catalog::CATALOG;
use warploom_sim::netlist::Netlist;
use warploom_sim::storage::Bits;

use super::type_name;

/// What a block holds.
pub struct Storage {
    /// Itself, with the tables and registers that it has for itself, which are no blocks.
    pub own: Bits,
    /// And with everything inside it.
    pub total: Bits,
}

impl Storage {
    pub fn of_top(netlist: &Netlist) -> Self {
        let mut own = Bits::default();
        let mut modules = vec![netlist.top];
        while let Some(module) = modules.pop() {
            own = own + Bits::own(netlist, module);
            let instances = netlist.module(module).instances.iter().map(|instance| instance.module);
            let is_block = |name: &str| CATALOG.iter().any(|entry| type_name(entry.name) == name);
            modules.extend(instances.filter(|instance| !is_block(&netlist.module(*instance).source)));
        }
        Self { own, total: Bits::total(netlist) }
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
