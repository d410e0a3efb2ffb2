//! The generated simulator against the reference interpreter, on random netlists.
use std::collections::HashMap;
use std::ops::Range;

use warploom_hdl::catalog::CATALOG;
use warploom_hdl::config::CoreConfig;
use warploom_sim::netlist::{Module, NetKind, Netlist};
use warploom_sim::{BuildOptions, Interpreter, Passes, Simulator, elaborate, emit::Target};

mod support;

use support::compare::{cache, compare};
use support::random::{Random, netlist};

/// Lanes, passes and target that random netlists are compiled with.
fn settings() -> Vec<(usize, Passes, Option<Target>)> {
    let without = |name| (8, Passes::default().without(name).expect("a pass"), None);
    let scalar = [
        (4, Passes::NONE, None),
        (8, Passes { wiring: true, ..Passes::NONE }, None),
        (8, Passes { wiring: true, chains: true, ..Passes::NONE }, None),
    ];
    let vectors = [4, 8, 12, 32].map(|lanes| (lanes, Passes::default(), None));
    let others = Target::ALL.into_iter().filter(|target| target.is_here() && *target != Target::native());
    let targets = others.map(|target| (20, Passes::default(), Some(target)));
    scalar.into_iter().chain([without("gating"), without("branches")]).chain(vectors).chain(targets).collect()
}

/// Random netlists of these seeds under each of the settings.
fn random_netlists(seeds: Range<u64>, settings: &[(usize, Passes, Option<Target>)]) {
    for seed in seeds {
        for &(lanes, passes, target) in settings {
            let options = BuildOptions { passes, target, cache: cache(), ..Default::default() };
            compare(
                &netlist(seed, lanes),
                &options,
                700,
                &format!("seed {seed}, {lanes} lanes, {target:?}, {passes:?}"),
            );
        }
    }
}

#[test]
fn scalar_code_and_some_of_the_passes_keep_the_meaning() {
    random_netlists(0..1, &settings()[..5]);
}

#[test]
fn vectors_of_every_target_keep_the_meaning() {
    random_netlists(0..1, &settings()[5..]);
}

#[test]
fn a_target_of_another_machine_says_which() {
    assert!(Target::native().is_here());
    let machines = [("x86_64", "x86-64", Target::Sse2), ("aarch64", "aarch64", Target::Neon)];
    for (machine, name, target) in machines {
        let missing = if std::env::consts::ARCH == machine { vec![] } else { vec![name] };
        assert_eq!(target.missing(), missing, "{target:?}");
    }
}

/// `WARPLOOM_FUZZ=100` for so many of them.
#[test]
#[ignore = "long: compiles two dozen netlists; runs in .ci/run"]
fn more_random_netlists() {
    let seeds = std::env::var("WARPLOOM_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let partly =
        ["wide", "products", "shifts"].map(|kind| (12, Passes::default().without(kind).expect("a pass"), None));
    random_netlists(1..seeds, &[settings(), partly.to_vec()].concat());
}

/// Every net by the name under which it is observed, and by the names that lead to it.
fn nets(design: &Netlist, module: &Module, scope: &[String], found: &mut HashMap<String, Vec<String>>) {
    for net in &module.nets {
        let path = [scope, &[net.name.to_string()]].concat();
        let shown = path.join(".");
        let register = matches!(net.kind, NetKind::RegisterOutput(_)).then(|| shown.strip_suffix(".q")).flatten();
        found.insert(register.unwrap_or(&shown).to_string(), path);
    }
    for instance in &module.instances {
        nets(design, design.module(instance.module), &[scope, &[instance.name.to_string()]].concat(), found);
    }
}

#[test]
fn observed_nets_agree_with_the_interpreter() {
    for (seed, lanes) in [(0, 4), (1, 12), (2, 32)] {
        let design = netlist(seed, lanes);
        let options = BuildOptions { observe: vec!["*".into()], cache: cache(), ..Default::default() };
        let mut simulator = Simulator::build(&design, &options).unwrap();
        let mut reference = Interpreter::new(&design);
        let mut paths = HashMap::new();
        nets(&design, design.top(), &[], &mut paths);
        assert!(simulator.observed().len() > 10 * lanes);
        let mut random = Random::new(seed);
        for cycle in 0..20 {
            for net in design.top().ports.iter().map(|&port| design.top().net(port)) {
                if net.kind == NetKind::Input {
                    let (name, value) = (net.name.to_string(), random.value(net.width));
                    reference.set(&name, value);
                    simulator.set(simulator.port(&name).expect("an input"), value);
                }
            }
            simulator.step();
            for (i, net) in simulator.observed().iter().enumerate() {
                let path: Vec<&str> =
                    paths[net.path.strip_prefix("top.").expect("the top's scope")].iter().map(String::as_str).collect();
                let expected = reference.peek(&path).expect("a net");
                assert_eq!(simulator.observed_value(i), expected, "seed {seed}: {} in cycle {cycle}", net.path);
            }
            reference.step();
        }
    }
}

/// The modules of `hdl`, at sizes whose groups are of 8. At those of 4 they are compared with their `update()`: the matrix of equivalence.
#[test]
#[ignore = "long: compiles every module; runs in .ci/run"]
fn every_module_agrees_with_the_interpreter() {
    for entry in CATALOG {
        let mut module = (entry.build)(&CoreConfig::small());
        module.connect_all();
        let design = elaborate(module.as_ref()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        compare(&design, &BuildOptions { cache: cache(), ..Default::default() }, 300, entry.name);
    }
}

#[test]
fn another_simulator_starts_anew_and_goes_its_own_way() {
    let options = BuildOptions { observe: vec!["*".into()], cache: cache(), ..Default::default() };
    let mut first = Simulator::build(netlist(1, 4), &options).unwrap();
    let trace = |simulator: &mut Simulator| -> Vec<Vec<u64>> {
        let cycle = |_| {
            simulator.step();
            simulator.observed_words().to_vec()
        };
        (0..50).map(cycle).collect()
    };
    let expected = trace(&mut first);
    let mut second = first.another();
    assert_eq!(trace(&mut second), expected);
    assert_eq!(second.fingerprint(), first.fingerprint());
    assert_ne!(trace(&mut first)[0], expected[0], "the first has gone on");
}
