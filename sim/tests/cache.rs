//! The cache of compiled simulators, and what goes wrong without a compiler.
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use warploom_sim::netlist::*;
use warploom_sim::{BuildOptions, Simulator};

mod support;

use support::Builder;

fn doubler() -> Netlist {
    of_two(Op::Add)
}

/// `x` and itself.
fn of_two(op: fn(ExprId, ExprId) -> Op) -> Netlist {
    let mut top = Builder::new("Doubler");
    let x = top.input("x", &[], 8);
    let twice = top.expr(8, op(x, x));
    top.output("twice", &[], twice);
    Netlist { modules: vec![top.module], top: ModuleId(0) }
}

fn options(cache: &Path) -> BuildOptions {
    BuildOptions { cache: Some(cache.into()), ..Default::default() }
}

#[test]
fn the_second_build_finds_the_first() {
    let cache = tempfile::tempdir().unwrap();
    let cached = || Simulator::build(doubler(), &options(cache.path())).unwrap().report().cached;
    assert_eq!([cached(), cached()], [false, true]);
}

#[test]
fn concurrent_builds_do_not_disturb_each_other() {
    let cache = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for value in 0..4 {
            let options = options(cache.path());
            scope.spawn(move || {
                let mut simulator = Simulator::build(doubler(), &options).unwrap();
                let (x, twice) = (simulator.port("x").unwrap(), simulator.port("twice").unwrap());
                simulator.set(x, 100 + value);
                simulator.evaluate();
                assert_eq!(simulator.get(twice), (200 + 2 * value) & 0xff);
            });
        }
    });
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 2, "one library, whose it is, and nothing left over");
}

#[test]
fn a_missing_compiler_is_named() {
    let cache = tempfile::tempdir().unwrap();
    let options = BuildOptions { rustc: Some("no-such-rustc".into()), ..options(cache.path()) };
    let error = Simulator::build(doubler(), &options).unwrap_err().to_string();
    assert!(error.contains("no-such-rustc") && error.contains("$RUSTC"), "{error}");
}

/// Whether it was there already, having seen that it works.
fn works(cache: &Path) -> bool {
    let mut simulator = Simulator::build(doubler(), &options(cache)).unwrap();
    let (x, twice) = (simulator.port("x").unwrap(), simulator.port("twice").unwrap());
    simulator.set(x, 100);
    simulator.evaluate();
    assert_eq!(simulator.get(twice), 200);
    simulator.report().cached
}

#[test]
fn what_is_damaged_is_built_again() {
    let cache = tempfile::tempdir().unwrap();
    let only = |directory: &Path| {
        let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        let entries: Vec<_> = entries.filter(|path| !path.ends_with("CACHEDIR.TAG")).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries[0].clone()
    };
    let elsewhere = tempfile::tempdir().unwrap();
    Simulator::build(of_two(Op::Sub), &options(elsewhere.path())).unwrap();
    assert!(!works(cache.path()));
    let (library, other) = (only(cache.path()), only(elsewhere.path()));
    let good = fs::read(&library).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0x10;
    let damages: [(&str, &dyn Fn()); 7] = [
        ("open to others", &|| fs::set_permissions(&library, fs::Permissions::from_mode(0o777)).unwrap()),
        ("cut off", &|| fs::write(&library, &good[..good.len() / 2]).unwrap()),
        ("empty", &|| fs::write(&library, "").unwrap()),
        ("a bit", &|| fs::write(&library, &flipped).unwrap()),
        ("another's", &|| assert!(fs::copy(&other, &library).unwrap() > 0)),
        ("a directory", &|| {
            fs::remove_file(&library).unwrap();
            fs::create_dir_all(library.join("in it")).unwrap();
        }),
        ("a link to nowhere", &|| {
            fs::remove_file(&library).unwrap();
            std::os::unix::fs::symlink("nowhere", &library).unwrap();
        }),
    ];
    for (name, damage) in damages {
        damage();
        assert!(!works(cache.path()), "{name}");
        assert!(works(cache.path()), "{name}");
        assert_eq!(fs::read(only(cache.path())).unwrap(), good, "{name}: the same source gives the same bytes");
    }
    // Nobody but root can read it now; root can, and it is as it was.
    fs::set_permissions(&library, fs::Permissions::from_mode(0o000)).unwrap();
    works(cache.path());
    assert!(works(cache.path()));
}
