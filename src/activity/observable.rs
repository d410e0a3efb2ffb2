//! A block whose memories can be watched.
//!
//! Only nets are observed, and a memory is addressed and enabled by expressions, which may have no net of their own: banks of
//! a register file are written where `valid & selects[bank]`.
use warploom_sim::netlist::{Driver, ExprId, Memory, Module, Net, NetKind, NetName, Netlist, Op, Segment};

/// The same block with a net for each address and enable that has to be known of to count reads and writes. Constants need
/// none.
pub fn observable(mut block: Netlist) -> Netlist {
    block.modules.iter_mut().for_each(name_accesses);
    block
}

fn name_accesses(module: &mut Module) {
    let accesses: Vec<_> = module.memories.iter().flat_map(accesses).collect();
    for (name, value) in accesses {
        if !is_known(module, value) {
            let (width, driver) = (module.expr(value).width, Driver::Expr(value));
            module.nets.push(Net { name, width, kind: NetKind::Local, driver, variants: None });
        }
    }
}

/// What reads and writes of a memory depend on, by the names of its pins.
fn accesses(memory: &Memory) -> Vec<(NetName, ExprId)> {
    let name = |field: &str, port| {
        let pin = Segment { field: field.to_string(), index: vec![port] };
        NetName(memory.name.0.iter().cloned().chain([pin]).collect())
    };
    let reads = memory.reads.iter().enumerate().flat_map(|(port, read)| {
        let enable = read.enable.map(|enable| (name("read_enable", port), enable));
        [(name("read_address", port), read.address)].into_iter().chain(enable)
    });
    let writes = memory.writes.iter().enumerate().map(|(port, write)| (name("write_enable", port), write.enable));
    reads.chain(writes).collect()
}

/// Whether it is a constant, or a net has it already.
fn is_known(module: &Module, value: ExprId) -> bool {
    let is_its = |net: &Net| net.driver == Driver::Expr(value);
    matches!(module.expr(value).op, Op::Net(_) | Op::Const(_)) || module.nets.iter().any(is_its)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use warploom_hdl::config::CoreConfig;
    use warploom_hdl::mechanism::Composition;
    use warploom_sim::Simulator;
    use warploom_sim::flatten::top_scope;
    use warploom_sim::glob::Globs;
    use warploom_synth::memories::{Large, MemoryMacro};

    use super::*;
    use crate::activity::pins::Pins;
    use crate::elaborate::elaborate_core;

    /// Pins without which accesses of a memory cannot be counted.
    fn needed(name: &str, memory: &MemoryMacro) -> Vec<String> {
        let reads = (0..memory.reads).map(|port| format!("{name}.read_address_{port}"));
        reads.chain((0..memory.writes).map(|port| format!("{name}.write_enable_{port}"))).collect()
    }

    /// Those of them that are neither observed nor constant.
    fn unseen(core: &Netlist) -> Vec<String> {
        let observed = Simulator::nets(core, &Globs::new(&["*"])).unwrap();
        let observed: HashSet<&str> = observed.iter().map(|net| net.path.as_str()).collect();
        let pins = Pins::new(core, &top_scope(core), Large::from(1));
        let is_seen = |pin: &String| match pins.signals.get(pin) {
            Some(signal) => observed.contains(&signal.path[..]),
            None => pins.constants.contains_key(pin),
        };
        let needed = pins.memories.iter().flat_map(|(name, memory)| needed(name, memory));
        needed.filter(|pin| !is_seen(pin)).collect()
    }

    #[test]
    fn every_access_of_every_memory_can_be_observed() {
        for mechanism in ["spe", "its:8", "capri+lcp+slp"] {
            let config = CoreConfig::tiny().with(mechanism.parse::<Composition>().unwrap());
            let core = elaborate_core(&config).unwrap();
            let bank = |pin: &String| pin.contains(".banks_0.write_enable_");
            assert!(unseen(&core).iter().any(bank), "{mechanism}");
            assert_eq!(unseen(&observable(core)), Vec::<String>::new(), "{mechanism}");
        }
    }
}
