//! The check itself: mutants do what their names say, and nothing does without them.
use std::collections::BTreeSet;

use warploom_hdl::parts::RoundRobinArbiter;
use warploom_hdl::prelude::Block;
use warploom_requirements::met;
use warploom_runtime::kernels::Random;
use warploom_sim::netlist::{NetKind, Netlist};
use warploom_sim::{Interpreter, elaborate};
use warploom_synth::tools::{Tool, tool};
use warploom_verification::mutation::{PORT, Selection, mutants, numbered, weave};

use crate::blocks::BLOCKS;
use crate::proof::is_equivalent;

fn arbiter(requesters: usize) -> Netlist {
    let mut module = RoundRobinArbiter::new(requesters);
    module.connect_all();
    elaborate(&module).unwrap()
}

/// All outputs in some cycles of random inputs.
fn outputs(netlist: &Netlist, mutant: Option<u64>) -> Vec<u64> {
    let (mut interpreter, mut random) = (Interpreter::new(netlist), Random::new(1));
    if let Some(mutant) = mutant {
        interpreter.set(PORT, mutant);
    }
    let ports = netlist.top().ports.iter().map(|port| netlist.top().net(*port));
    let ports: Vec<_> = ports.map(|net| (net.name.to_string(), net.width, net.kind)).collect();
    let mut seen = vec![];
    for _ in 0..200 {
        for (name, width, _) in ports.iter().filter(|(name, _, kind)| *kind == NetKind::Input && name != PORT) {
            interpreter.set(name, u64::from(random.word()) & ((1 << width) - 1));
        }
        seen.extend(ports.iter().filter(|port| port.2 == NetKind::Output).map(|(name, ..)| interpreter.get(name)));
        interpreter.step();
    }
    seen
}

#[test]
fn one_netlist_is_all_mutants_and_the_design_itself() {
    let design = arbiter(4);
    let names: Vec<String> = design.modules.iter().flat_map(mutants).map(|mutant| mutant.name).collect();
    assert!(names.len() > 10, "{names:?}");
    let numbers = numbered(names.iter().map(String::as_str));
    let all = weave(&design, &numbers, Selection::Port);
    let expected = outputs(&design, None);
    assert_eq!(outputs(&all, Some(0)), expected, "without a mutant it is the design");
    let mut same = vec![];
    for (name, &number) in &numbers {
        let found = outputs(&all, Some(number));
        assert_eq!(outputs(&weave(&design, &numbers, Selection::Fixed(number)), None), found, "{name}");
        if found == expected {
            same.push(name);
        }
    }
    assert!(same.len() * 4 < names.len(), "{} of {} show nowhere: {same:#?}", same.len(), names.len());
}

#[test]
fn mutants_have_names_of_their_own_which_other_sizes_share() {
    for block in BLOCKS {
        let netlist = block.netlist();
        let found = mutants(netlist.top());
        let names: BTreeSet<&str> = found.iter().map(|mutant| mutant.name.as_str()).collect();
        assert_eq!(names.len(), found.len(), "{}", block.name);
        assert!(!names.is_empty(), "{}", block.name);
    }
    let [small, large] = [4, 8].map(|size| {
        let netlist = arbiter(size);
        mutants(netlist.top()).into_iter().map(|mutant| mutant.name).collect::<BTreeSet<_>>()
    });
    assert!(small.intersection(&large).count() * 2 > small.len(), "{small:#?} {large:#?}");
}

/// Wherever yosys is; without it nothing is proven equivalent, which is said so.
#[test]
fn proofs_tell_what_is_equivalent() {
    if !met(&[("yosys", tool("yosys").is_some_and(Tool::is_here))]) {
        return;
    }
    let block = |name: &str| BLOCKS.iter().find(|block| block.name == name).expect("a block").netlist();
    for (name, mutant, equivalent) in [
        // Four bits: what is shifted by more is gone in any case.
        ("prefix_or", "PrefixOr.by_16: (by_8 << 8) becomes 9 for 8", true),
        ("prefix_or", "PrefixOr.by_4: (by_2 << 2) becomes 3 for 2", false),
        ("round_robin_arbiter", "RoundRobinArbiter.any: any(request) becomes all", false),
        ("round_robin_arbiter", "RoundRobinArbiter.not_above_last: value after reset becomes 1", false),
        // With the mutant, the output is the register.
        ("dram_queue", "DramQueue.hits: !any(has_opened[6].q) becomes its operand", false),
    ] {
        let block = block(name);
        let known = mutants(block.top()).iter().any(|known| known.name == mutant);
        assert!(
            known,
            "no mutant {mutant} among {:#?}",
            mutants(block.top()).iter().map(|m| &m.name).collect::<Vec<_>>()
        );
        assert_eq!(is_equivalent(&block, mutant), equivalent, "{mutant}");
    }
}
