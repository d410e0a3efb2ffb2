//! The elements of a design hold what the design holds.
use warploom_hdl::catalog::CATALOG;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::divergence::SpeStack;
use warploom_hdl::issue::Scoreboard;
use warploom_hdl::prelude::Block;
use warploom_sim::elaborate;
use warploom_sim::netlist::Netlist;
use warploom_sim::storage::{Bits, Element, elements};

fn netlist(mut module: impl Block) -> Netlist {
    module.connect_all();
    elaborate(&module).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn elements_add_up() {
    for entry in CATALOG {
        let mut module = (entry.build)(&CoreConfig::small());
        module.connect_all();
        let netlist = elaborate(module.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let (memories, registers): (Vec<_>, Vec<_>) = elements(&netlist).into_iter().partition(|e| e.depth.is_some());
        let sum = |elements: &[Element]| elements.iter().map(Element::bits).sum();
        let found = Bits { registers: sum(&registers), memories: sum(&memories) };
        assert_eq!(found, Bits::total(&netlist), "{}", entry.name);
    }
}

#[test]
fn what_a_stack_entry_takes() {
    // Rhu 2014, 3.3.3.5: PC, mask and reconvergence PC, 96 bits with 32 lanes.
    let stack = elements(&netlist(SpeStack::new(32, 48, 16, true, false, None)));
    let entry = stack.iter().filter(|element| element.depth == Some(48 * 16));
    assert_eq!(entry.map(|element| element.width).sum::<usize>(), 96, "{stack:?}");
}

#[test]
fn modules_of_a_row_are_one_element() {
    let pending = Element { name: "rows.pending".into(), width: 32, depth: None, count: 48 };
    let scoreboard = elements(&netlist(Scoreboard::new(&CoreConfig::fermi())));
    assert!(scoreboard.contains(&pending), "{scoreboard:?}");
}
