//! Every pass keeps the meaning: designs without any pass, with each left out, and with some of them.
use warploom_hdl::catalog::CATALOG;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::*;
use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildOptions, Passes, elaborate, emit::Target, flatten, glob::Globs, ir::Design, passes};

mod support;

use support::compare::{cache, compare};
use support::design::Evaluator;
use support::designs::{crossbars, table};
use support::random::{Random, netlist};

fn flat(netlist: &Netlist, passes: &Passes, observe: &[String]) -> Design {
    let mut design = flatten::flatten(netlist, &Globs::new(observe)).unwrap();
    passes::run(&mut design, passes);
    design
}

/// All `settings` on the same random inputs as no pass at all.
fn agree(netlist: &Netlist, observe: &str, settings: &[(String, Passes)], cycles: usize, what: &str) {
    let observe = [observe.to_string()];
    let plain = flat(netlist, &Passes::NONE, &observe);
    let mut random = Random::new(5);
    let widths: Vec<usize> = plain.inputs.iter().map(|(_, width)| *width).collect();
    let inputs: Vec<Vec<u64>> =
        (0..cycles).map(|_| widths.iter().map(|&width| random.value(width)).collect()).collect();
    let run = |design: Design| {
        let mut evaluator = Evaluator::new(design);
        inputs.iter().map(|inputs| evaluator.step(inputs)).collect::<Vec<_>>()
    };
    let expected = run(plain);
    for (name, passes) in settings {
        let found = run(flat(netlist, passes, &observe));
        for (cycle, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{what}, {name}: cycle {cycle}");
        }
    }
}

/// Every pass left out, alone; and all of them.
fn one_at_a_time() -> Vec<(String, Passes)> {
    let without =
        Passes::NAMES.iter().map(|name| (format!("without {name}"), Passes::default().without(name).unwrap()));
    without.chain([("all".into(), Passes::default())]).collect()
}

/// Passes chosen at random.
fn some(random: &mut Random) -> (String, Passes) {
    let left_out: Vec<&str> = Passes::NAMES.into_iter().filter(|_| random.chance(40)).collect();
    let passes = left_out.iter().fold(Passes::default(), |passes, name| passes.without(name).unwrap());
    (format!("without {}", left_out.join(", ")), passes)
}

#[test]
fn random_netlists_mean_the_same_under_any_passes() {
    for seed in 0..12 {
        let mut settings = one_at_a_time();
        let mut random = Random::new(seed + 100);
        settings.extend((0..8).map(|_| some(&mut random)));
        let lanes = [4, 8, 12, 36][seed as usize % 4];
        let observe = if seed % 3 == 0 { "*" } else { "" };
        agree(&netlist(seed, lanes), observe, &settings, 40, &format!("seed {seed}, {lanes} lanes"));
    }
}

#[test]
fn modules_mean_the_same_without_each_pass() {
    for entry in CATALOG {
        let mut module = (entry.build)(&CoreConfig { lanes: 8, ..CoreConfig::tiny() });
        module.connect_all();
        let netlist = elaborate(module.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        agree(&netlist, "", &one_at_a_time(), 60, entry.name);
    }
}

#[test]
fn the_tiny_core_means_the_same_without_each_pass() {
    let mut core = Core::new(&CoreConfig::tiny());
    core.connect_all();
    agree(&elaborate(&core).unwrap(), "", &one_at_a_time(), 300, "tiny core");
}

#[test]
fn crossbars_are_transposed_on_every_target() {
    let sizes = [(8, 8), (16, 64), (32, 32), (40, 12), (64, 33), (64, 64)];
    let netlist = crossbars(&sizes);
    let design = flat(&netlist, &Passes::default(), &[]);
    let transposes = design.graph.nodes().iter().filter(|node| matches!(node.op, warploom_sim::ir::Op::Transpose(_)));
    assert_eq!(transposes.count(), sizes.len());
    agree(&netlist, "", &[("all".into(), Passes::default())], 50, "crossbars");
    for target in Target::ALL.into_iter().filter(|target| target.is_here()) {
        let options = BuildOptions { target: Some(target), cache: cache(), ..Default::default() };
        compare(&netlist, &options, 50, &format!("{target:?}"));
    }
}

#[test]
fn fields_of_a_table_are_asked_of_all_rows_at_once() {
    use warploom_sim::ir::{Binary, Op};
    for (rows, fields) in [(32, &[0, 3, 4, 5, 8][..]), (16, &[9, 0, 1, 2]), (64, &[7, 7, 1, 4, 2, 9])] {
        let netlist = table(rows, fields);
        let design = flat(&netlist, &Passes::default(), &[]);
        let picks = |op: &Op| matches!(op, Op::Transpose(_) | Op::Binary(Binary::BitSelect, ..));
        let left = design.graph.nodes().iter().filter(|node| picks(&node.op)).count();
        assert_eq!(left, 0, "{rows} rows, fields {fields:?}");
        agree(&netlist, "", &[("all".into(), Passes::default())], 50, &format!("{rows} rows"));
        for target in Target::ALL.into_iter().filter(|target| target.is_here()) {
            let options = BuildOptions { target: Some(target), cache: cache(), ..Default::default() };
            compare(&netlist, &options, 50, &format!("{target:?}"));
        }
    }
}
