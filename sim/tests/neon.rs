//! What is generated for aarch64 gives the same words under an emulator as what is generated for this machine here.
#![cfg(not(target_arch = "aarch64"))] // where it is the native target, of which engine.rs sees to it
use std::path::Path;
use std::process::{Command, Output};

use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::*;
use warploom_sim::emit::{Source, Target, Work};
use warploom_sim::engine::{Generated, generate};
use warploom_sim::netlist::Netlist;
use warploom_sim::{BuildOptions, Simulator, elaborate, tool};

mod support;

use support::compare::cache;
use support::designs::{crossbars, operators, table};
use support::random::{Random, netlist};

const MACHINE: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";
/// Where the C library of that machine is.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// What makes a program of the generated code.
const MAIN: &str = include_str!("support/standalone.rs");

/// Gives it the straight-line code, which is a crate beside it.
const LINKED: &str = "extern crate straight as _;
unsafe extern \"C\" { fn warploom_straight(); }
fn link() { warploom_link(warploom_straight as *mut ()); }";

/// Whether all is here that compiles for that machine and runs what comes of it. Rust's library for it comes from where toolchains do, which not every mirror has.
fn tools_are_here() -> bool {
    let says = |command: &mut Command| tool::output(command).ok().filter(|output| output.status.success());
    let library = says(Command::new(tool::rustc()).args(["--print=target-libdir", "--target", MACHINE]));
    let library = library.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    if !library.is_some_and(|library| Path::new(&library).exists()) {
        warploom_requirements::skip("`rustup target add aarch64-unknown-linux-gnu`");
        return false;
    }
    warploom_requirements::met(&[
        (EMULATOR, says(Command::new(EMULATOR).arg("--version")).is_some()),
        (LINKER, says(Command::new(LINKER).arg("--version")).is_some()),
        ("libc6-dev-arm64-cross", Path::new(LIBRARIES).join("lib/crt1.o").exists()),
    ])
}

/// Runs a tool that must not fail.
fn run(command: &mut Command) -> Output {
    let output = tool::output(command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The words that `generated`, compiled for aarch64, shows for these inputs.
fn emulated(generated: &Generated, inputs: &[u64]) -> Vec<u64> {
    let directory = tempfile::tempdir().unwrap();
    let [program, given] = ["design", "inputs"].map(|name| directory.path().join(name));
    let Source { main, straight } = &generated.source;
    std::fs::write(&given, inputs.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    let compile = |name: &str, text: &str, kind: &str| {
        std::fs::write(directory.path().join(name), text).unwrap();
        let mut compiler = Command::new(tool::rustc());
        compiler.args([
            "--edition=2021",
            "-Copt-level=3",
            "-Cpanic=abort",
            "-Coverflow-checks=off",
            "--target",
            MACHINE,
        ]);
        run(compiler.current_dir(&directory).args(["-L.", kind, name]).arg(format!("-Clinker={LINKER}")));
    };
    straight.iter().for_each(|text| compile("straight.rs", text, "--crate-type=rlib"));
    let link = if straight.is_some() { LINKED } else { "fn link() {}" };
    compile("design.rs", &format!("{main}{MAIN}{link}"), "--crate-type=bin");
    let mut emulator = Command::new(EMULATOR);
    emulator.args(["-L", LIBRARIES]).args([&program, &given]).arg(generated.schedule.words.to_string());
    run(&mut emulator).stdout.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect()
}

/// Both run on the same random inputs; every word must agree in every cycle. What the design does in one.
fn agrees(netlist: &Netlist, observe: &str, cycles: usize, what: &str) -> Work {
    let options = BuildOptions { observe: vec![observe.into()], cache: cache(), ..Default::default() };
    let neon = BuildOptions { target: Some(Target::Neon), ..options.clone() };
    let generated = generate(netlist, &neon).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut simulator = Simulator::build(netlist, &options).unwrap_or_else(|error| panic!("{what}: {error}"));
    let ports: Vec<_> =
        generated.design.inputs.iter().map(|(name, _)| simulator.port(name).expect("an input")).collect();
    let mut random = Random::new(31);
    let (mut inputs, mut expected) = (vec![], vec![]);
    for cycle in 0..cycles {
        for ((_, width), &port) in generated.design.inputs.iter().zip(&ports) {
            // Now and then nothing is driven, so that what is known to rest is left out.
            let value = if cycle % 8 < 5 { random.value(*width) } else { inputs[inputs.len() - ports.len()] };
            simulator.set(port, value);
            inputs.push(value);
        }
        simulator.step();
        expected.extend_from_slice(simulator.observed_words());
    }
    let found = emulated(&generated, &inputs);
    assert_eq!(found.len(), expected.len(), "{what}");
    let words = generated.schedule.words;
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let (cycle, word) = (i / words, i % words);
        assert_eq!(found, expected, "{what}: word {word} in cycle {cycle}: {found:#x} instead of {expected:#x}");
    }
    simulator.report().work
}

#[test]
fn every_operator() {
    if tools_are_here() {
        let work = agrees(&operators(&[(16, 32), (33, 21), (64, 32), (12, 64), (40, 48)]), "*", 600, "operators");
        assert!(work.scalar_ops < work.vector_ops, "no test of vectors: {work:?}");
    }
}

#[test]
fn transposes_and_fields_of_tables() {
    if tools_are_here() {
        agrees(&crossbars(&[(8, 8), (16, 64), (32, 32), (40, 12), (64, 33), (64, 64)]), "", 300, "crossbars");
        agrees(&table(64, &[7, 7, 1, 4, 2, 9]), "", 300, "a table");
    }
}

#[test]
fn a_random_netlist() {
    if tools_are_here() {
        agrees(&netlist(0, 20), "", 700, "seed 0");
    }
}

#[test]
#[ignore = "long: compiles five netlists; runs in .ci/run"]
fn more_random_netlists() {
    if !tools_are_here() {
        return;
    }
    for (seed, lanes) in [(1, 4), (2, 12), (3, 32), (4, 36), (5, 64)] {
        agrees(
            &netlist(seed, lanes),
            if seed % 2 == 0 { "*" } else { "" },
            700,
            &format!("seed {seed}, {lanes} lanes"),
        );
    }
}

#[test]
#[ignore = "long: compiles a core; runs in .ci/run"]
fn the_tiny_core() {
    if tools_are_here() {
        let mut core = Core::new(&CoreConfig::tiny());
        core.connect_all();
        agrees(&elaborate(&core).unwrap(), "", 600, "tiny core");
    }
}
