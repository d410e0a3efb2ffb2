//! A saved state continues in any simulator of the same design.
use std::path::PathBuf;

use warploom_sim::netlist::{NetKind, Netlist};
use warploom_sim::{BuildOptions, Passes, Port, Simulator, emit::Target};

mod support;

use support::random::{Random, netlist};
use support::{Builder, segment};

fn build(design: &Netlist, observe: &str, passes: Passes, target: Option<Target>) -> Simulator {
    let cache = Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warploom-cache"));
    let options = BuildOptions { observe: vec![observe.into()], passes, target, cache, ..Default::default() };
    Simulator::build(design, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Names of the top's ports of a kind, with their widths.
fn ports(design: &Netlist, kind: NetKind) -> Vec<(String, usize)> {
    let nets = design.top().ports.iter().map(|&port| design.top().net(port));
    nets.filter(|net| net.kind == kind).map(|net| (net.name.to_string(), net.width)).collect()
}

fn port(simulator: &Simulator, name: &str) -> Port {
    simulator.port(name).expect("a port")
}

/// Drives new random inputs now and then, so that what stays on the inputs counts too; returns all outputs.
fn cycle(simulator: &mut Simulator, design: &Netlist, number: u64) -> Vec<u64> {
    let mut random = Random::new(number);
    if number.is_multiple_of(3) {
        for (name, width) in ports(design, NetKind::Input) {
            simulator.set(port(simulator, &name), random.value(width));
        }
    }
    simulator.step();
    outputs(simulator, design)
}

fn outputs(simulator: &Simulator, design: &Netlist) -> Vec<u64> {
    ports(design, NetKind::Output).iter().map(|(name, _)| simulator.get(port(simulator, name))).collect()
}

#[test]
fn a_state_continues_in_every_simulator_of_its_design() {
    for (seed, lanes) in [(0, 12), (1, 32)] {
        let design = netlist(seed, lanes);
        let mut original = build(&design, "", Passes::default(), None);
        let mut others = vec![
            ("scalar code", build(&design, "", Passes::NONE, None)),
            ("observed", build(&design, "*", Passes::default(), None)),
        ];
        let targets = Target::ALL.into_iter().filter(|target| target.is_here() && *target != Target::native());
        others.extend(targets.map(|target| (target.name(), build(&design, "", Passes::default(), Some(target)))));
        let mut number = 0;
        // An odd and an even number of cycles: either bank of registers.
        for cycles in [1, 50, 33] {
            for _ in 0..cycles {
                number += 1;
                cycle(&mut original, &design, number);
            }
            let state = original.save();
            let mut twin = build(&design, "", Passes::default(), None);
            twin.restore(&state).unwrap();
            for (_, other) in &mut others {
                other.restore(&state).unwrap();
                assert_eq!(other.save(), state, "seed {seed}");
                assert_eq!(outputs(other, &design), outputs(&twin, &design), "seed {seed}");
            }
            for later in 1..=40 {
                let expected = cycle(&mut twin, &design, number + later);
                for (what, other) in &mut others {
                    let found = cycle(other, &design, number + later);
                    assert_eq!(found, expected, "seed {seed}, {what}, {later} cycles after {number}");
                }
            }
            for (what, other) in &others {
                assert_eq!(other.save(), twin.save(), "seed {seed}, {what}");
            }
        }
    }
}

#[test]
fn the_twin_of_a_run_is_the_run() {
    let design = netlist(2, 12);
    let (mut original, mut twin) =
        (build(&design, "", Passes::default(), None), build(&design, "", Passes::default(), None));
    (1..=20).for_each(|number| drop(cycle(&mut original, &design, number)));
    // What the twin did before does not matter.
    (1..=9).for_each(|number| drop(cycle(&mut twin, &design, 7 * number)));
    twin.restore(&original.save()).unwrap();
    for number in 21..80 {
        assert_eq!(cycle(&mut twin, &design, number), cycle(&mut original, &design, number), "cycle {number}");
    }
}

/// Eight registers `r`, a memory, and what the top has of them in `depth` and `width`.
fn design(width: usize, depth: usize, name: &str) -> Netlist {
    let mut top = Builder::new("Top");
    let x = top.input("x", &[], width);
    for l in 0..8 {
        let (r, q) = top.register(name, &[l], width, l as u64);
        top.module.registers[r].d = top.expr(width, warploom_sim::netlist::Op::Add(q, x));
        top.output("out", &[l], q);
    }
    let memory = top.memory("rows", &[], 8, depth);
    let address = top.constant(3, 0);
    let data = top.read(memory, address, None);
    top.output("row", &[], data);
    Netlist { modules: vec![top.module], top: warploom_sim::netlist::ModuleId(0) }
}

#[test]
fn names_are_those_of_the_lanes() {
    let mut simulator = build(&design(8, 4, "r"), "", Passes::default(), None);
    assert!(simulator.report().work.vector_ops > 0);
    simulator.set(port(&simulator, "x"), 10);
    simulator.step();
    let state = simulator.save();
    let registers: Vec<(String, u64)> = state.registers.iter().map(|(name, word)| (name.clone(), word.value)).collect();
    assert_eq!(registers, (0..8).map(|l| (segment("r", &[l]).to_string(), 10 + l as u64)).collect::<Vec<_>>());
    assert_eq!((state.memories["rows"].width, state.memories["rows"].rows.len()), (8, 4));
    assert_eq!((state.ports["x"].value, state.ports["out[3]"].value), (10, 3), "of the cycle before its edge");
}

#[test]
fn the_state_of_another_design_is_refused_and_changes_nothing() {
    let state = build(&design(8, 4, "r"), "", Passes::default(), None).save();
    for (other, parts) in [
        (design(9, 4, "r"), ["register r[0] has 8 bits in it, 9 bits in the design", "and 13 more"]),
        (design(8, 5, "r"), ["memory rows has 4 x 8 bits in it", "5 x 8 bits in the design"]),
        (design(8, 4, "s"), ["it has no register s[0]", "and 12 more"]),
    ] {
        let mut simulator = build(&other, "", Passes::default(), None);
        let before = simulator.save();
        let message = simulator.restore(&state).expect_err("another design").to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
        assert_eq!(simulator.save(), before);
    }
    let mut wide = state.clone();
    wide.registers.get_mut("r[5]").unwrap().value = 256;
    let mut simulator = build(&design(8, 4, "r"), "", Passes::default(), None);
    let message = simulator.restore(&wide).expect_err("a value that does not fit").to_string();
    assert!(message.contains("register r[5] has 9 bits in it"), "{message}");
}

#[test]
fn the_same_hardware_has_the_same_fingerprint() {
    let fingerprint = |design: &Netlist, observe: &str, passes| build(design, observe, passes, None).fingerprint();
    let one = fingerprint(&design(8, 4, "r"), "", Passes::default());
    assert_eq!(one, fingerprint(&design(8, 4, "r"), "*", Passes::NONE));
    assert_ne!(one, fingerprint(&design(8, 5, "r"), "", Passes::default()));
}
