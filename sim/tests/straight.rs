//! Straight-line code that is compiled beside the run: when it is, that it is used then, and what happens if it cannot be.
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use warploom_sim::{BuildOptions, Simulator};

mod support;

use support::compiler;
use support::designs::pair;

/// More cycles than a busy simulator goes on without.
const LONG: u64 = 300_000;

fn options(cache: &Path) -> BuildOptions {
    BuildOptions { cache: Some(cache.into()), soon: true, ..Default::default() }
}

/// What has been compiled.
fn libraries(cache: &Path) -> usize {
    let names = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(std::env::consts::DLL_SUFFIX)).count()
}

/// One simulator that may be compiled beside its run, and one that was before.
struct Two {
    soon: Simulator,
    ready: Simulator,
    cache: TempDir,
}

impl Two {
    /// By this rustc the one, where that is given.
    fn new(rustc: Option<PathBuf>) -> Self {
        let [cache, elsewhere] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let soon = Simulator::build(pair(), &BuildOptions { rustc, ..options(cache.path()) }).unwrap();
        let ready = BuildOptions { soon: false, ..options(elsewhere.path()) };
        let ready = Simulator::build(pair(), &ready).unwrap();
        assert_eq!([libraries(cache.path()), libraries(elsewhere.path())], [1, 2]);
        Self { soon, ready, cache }
    }

    /// Whether both do the same in the next cycles, in which both sides work or rest.
    fn agree(&mut self, cycles: u64, work: bool) -> bool {
        (0..cycles).all(|cycle| {
            let outputs = [&mut self.soon, &mut self.ready].map(|simulator| {
                for side in ["left", "right"] {
                    simulator.set(simulator.port(&format!("{side}_start")).unwrap(), work.into());
                    simulator.set(simulator.port(&format!("{side}_data")).unwrap(), if work { cycle + 1 } else { 0 });
                }
                simulator.step();
                ["left_q", "right_q"].map(|port| simulator.get(simulator.port(port).unwrap()))
            });
            outputs[0] == outputs[1]
        })
    }
}

#[test]
fn a_simulator_that_is_busy_for_long_has_it_compiled() {
    let mut two = Two::new(None);
    assert!(two.agree(LONG, true));
    two.soon.straight_line().unwrap().finish().unwrap();
    assert_eq!(libraries(two.cache.path()), 2);
    assert!(two.agree(1000, true));
    assert!(
        Simulator::build(pair(), &BuildOptions { soon: false, ..options(two.cache.path()) }).unwrap().report().cached
    );
}

#[test]
fn what_has_begun_ends_with_the_last_simulator() {
    let Two { mut soon, cache, .. } = Two::new(None);
    let others = [soon.another(), soon.another()];
    soon.set(soon.port("left_start").unwrap(), 1);
    soon.set(soon.port("right_start").unwrap(), 1);
    (0..LONG).for_each(|_| soon.step());
    drop(soon);
    drop(others);
    assert_eq!(libraries(cache.path()), 2);
}

#[test]
fn one_that_rests_or_is_soon_over_does_without() {
    let mut two = Two::new(None);
    assert!(two.agree(1000, true) && two.agree(LONG, false));
    two.soon.straight_line().unwrap().finish().unwrap();
    assert_eq!(libraries(two.cache.path()), 1);
}

#[test]
fn it_is_used_as_soon_as_it_is_there() {
    let directory = tempfile::tempdir().unwrap();
    // The factor of one side's products.
    let mut two = Two::new(Some(compiler(directory.path(), "sed -i 's/69069/69071/' simulator.rs")));
    assert!(two.agree(1000, true));
    two.soon.straight_line().unwrap().complete().unwrap();
    assert!(!two.agree(1000, true), "it means something else, and nobody noticed");
}

/// A library that is loaded twice in a process is there once.
#[test]
fn it_stays_for_others_that_were_built_alike() {
    let mut two = Two::new(None);
    let first = Simulator::build(pair(), &options(two.cache.path())).unwrap();
    first.straight_line().unwrap().complete().unwrap();
    drop(first);
    assert!(two.agree(1000, true));
}

#[test]
fn without_it_the_run_goes_on_and_it_is_said_why() {
    let directory = tempfile::tempdir().unwrap();
    let mut two = Two::new(Some(compiler(directory.path(), "echo 'no room' >&2; exit 1")));
    for _ in 0..2 {
        let error = two.soon.straight_line().unwrap().complete().unwrap_err().to_string();
        assert!(error.contains("no room"), "{error}");
        assert!(two.agree(LONG, true));
    }
    assert_eq!(libraries(two.cache.path()), 1);
}
