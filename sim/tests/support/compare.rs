//! The generated simulator against the reference interpreter.
use std::path::PathBuf;

use warploom_sim::netlist::{NetKind, Netlist};
use warploom_sim::{BuildOptions, Interpreter, Simulator};

use super::random::Random;

/// Where the tests keep compiled simulators.
pub fn cache() -> Option<PathBuf> {
    Some(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("warploom-cache"))
}

/// Both run on the same random inputs; every output must agree in every cycle.
pub fn compare(design: &Netlist, options: &BuildOptions, cycles: usize, what: &str) {
    let mut simulator = Simulator::build(design, options).unwrap_or_else(|error| panic!("{what}: {error}"));
    if std::env::var_os("WARPLOOM_REPORT").is_some() {
        println!("{what}: {:?}", simulator.report());
    }
    let mut reference = Interpreter::new(design);
    let top = design.top();
    let ports = |kind| top.ports.iter().map(|&port| top.net(port)).filter(move |net| net.kind == kind);
    let inputs: Vec<_> = ports(NetKind::Input).map(|net| (net.name.to_string(), net.width)).collect();
    let outputs: Vec<_> = ports(NetKind::Output).map(|net| net.name.to_string()).collect();
    let mut random = Random::new(77);
    for cycle in 0..cycles {
        for (name, width) in &inputs {
            let value = random.value(*width);
            reference.set(name, value);
            simulator.set(simulator.port(name).expect("an input"), value);
        }
        simulator.step();
        for name in &outputs {
            let value = simulator.get(simulator.port(name).expect("an output"));
            let expected = reference.get(name);
            assert_eq!(value, expected, "{what}: {name} in cycle {cycle}: {value:#x} instead of {expected:#x}");
        }
        reference.step();
    }
}
