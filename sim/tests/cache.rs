//! The cache of compiled simulators, and what goes wrong without a compiler.
use std::path::Path;

use warploom_sim::netlist::*;
use warploom_sim::{BuildOptions, Simulator};

mod support;

use support::Builder;

fn doubler() -> Netlist {
    let mut top = Builder::new("Doubler");
    let x = top.input("x", &[], 8);
    let twice = top.expr(8, Op::Add(x, x));
    top.output("twice", &[], twice);
    Netlist { modules: vec![top.module], top: ModuleId(0) }
}

fn options(cache: &Path) -> BuildOptions {
    BuildOptions { cache: Some(cache.into()), ..Default::default() }
}

#[test]
fn the_second_build_finds_the_first() {
    let cache = tempfile::tempdir().unwrap();
    let cached = || Simulator::build(&doubler(), &options(cache.path())).unwrap().report().cached;
    assert_eq!([cached(), cached()], [false, true]);
}

#[test]
fn concurrent_builds_do_not_disturb_each_other() {
    let cache = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for value in 0..4 {
            let options = options(cache.path());
            scope.spawn(move || {
                let mut simulator = Simulator::build(&doubler(), &options).unwrap();
                let (x, twice) = (simulator.port("x").unwrap(), simulator.port("twice").unwrap());
                simulator.set(x, 100 + value);
                simulator.evaluate();
                assert_eq!(simulator.get(twice), (200 + 2 * value) & 0xff);
            });
        }
    });
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 1, "one library and nothing left over");
}

#[test]
fn a_missing_compiler_is_named() {
    let cache = tempfile::tempdir().unwrap();
    let options = BuildOptions { rustc: Some("no-such-rustc".into()), ..options(cache.path()) };
    let error = Simulator::build(&doubler(), &options).unwrap_err().to_string();
    assert!(error.contains("no-such-rustc") && error.contains("$RUSTC"), "{error}");
}
