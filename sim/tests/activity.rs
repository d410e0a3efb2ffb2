//! The activity classes that the core states are of parts that it has.
use warploom_hdl::activity::OF_CORE;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::mechanism::MECHANISMS;
use warploom_hdl::prelude::Block;
use warploom_sim::ir::path_name;
use warploom_sim::{elaborate, flatten::flatten, glob::Globs, netlist::Netlist};

/// Paths of all that holds state.
fn state(netlist: &Netlist) -> Vec<String> {
    let design = flatten(netlist, &Globs::new::<&str>(&[])).unwrap();
    let registers = design.registers.iter().flat_map(|register| &register.paths);
    registers.chain(design.memories.iter().flat_map(|memory| &memory.paths)).map(|path| path_name(path)).collect()
}

/// A class that another hides, or whose part has been renamed, would be an estimate of nothing.
#[test]
fn every_class_is_that_of_some_state_of_the_paper_core_with_floats() {
    let mut missing: Vec<&str> = OF_CORE.classes.iter().map(|class| class.part).collect();
    for entry in MECHANISMS {
        let mut core = Core::new(&CoreConfig { mechanism: entry.default, floats: true, ..CoreConfig::paper() });
        core.connect_all();
        for class in state(&elaborate(&core).unwrap()).iter().filter_map(|path| OF_CORE.of(path)) {
            missing.retain(|part| *part != class.part);
        }
        if missing.is_empty() {
            return;
        }
    }
    panic!("no core has state in {missing:?}");
}

/// They are the same in a GPU, where the core lies one level deeper.
#[test]
fn the_core_of_a_gpu_has_the_classes_of_one_alone() {
    assert_eq!(OF_CORE.of("core.issue.scheduler.stalls[0].cycle"), OF_CORE.of("issue.scheduler.stalls[0].cycle"));
    assert_eq!(OF_CORE.of("issue.scheduler.stalls[0].cycle").unwrap().class, "counters");
    assert_eq!(OF_CORE.of("issue_queue.head"), None, "a name that only begins like one of a part");
}
