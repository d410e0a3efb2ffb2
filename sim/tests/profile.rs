//! Designs cut by what was seen to work together: recorded, kept, used, and of the same meaning.
use std::fs;
use std::path::{Path, PathBuf};

use warploom_hdl::config::CoreConfig;
use warploom_hdl::core::Core;
use warploom_hdl::prelude::Block;
use warploom_sim::engine::generate;
use warploom_sim::netlist::*;
use warploom_sim::{BuildOptions, Passes, Simulator, elaborate};

mod support;

use support::compare::compare;
use support::designs::pair;
use support::random::{Random, netlist};

fn options(cache: &Path) -> BuildOptions {
    BuildOptions { cache: Some(cache.into()), ..Default::default() }
}

/// Records so many cycles, in which inputs are what `value` says of their name, width and the cycle.
fn record(
    design: &Netlist,
    cache: &Path,
    cycles: u64,
    mut value: impl FnMut(&str, usize, u64) -> u64,
) -> Result<u64, warploom_sim::BuildError> {
    let mut simulator = Simulator::build(design, &BuildOptions { record: true, ..options(cache) })?;
    let recording = simulator.recording().expect("it has partitions");
    let top = design.top();
    let inputs = top.ports.iter().map(|&port| top.net(port)).filter(|net| net.kind == NetKind::Input);
    let inputs: Vec<_> = inputs.map(|net| (net.name.to_string(), net.width)).collect();
    for cycle in 0..cycles {
        for (name, width) in &inputs {
            simulator.set(simulator.port(name).unwrap(), value(name, *width, cycle));
        }
        simulator.step();
    }
    drop(simulator);
    recording.keep()
}

fn profile(cache: &Path) -> PathBuf {
    let files = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    let profiles: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "profile")).collect();
    assert_eq!(profiles.len(), 1);
    profiles[0].clone()
}

#[test]
fn what_works_in_turn_is_apart_and_what_works_together_is_one() {
    let (design, mut counts) = (pair(), vec![]);
    for in_turn in [false, true] {
        let cache = tempfile::tempdir().unwrap();
        // For long: who has worked runs once more.
        let side = |name: &str, cycle: u64| in_turn && name.starts_with("right") != (cycle / 50).is_multiple_of(2);
        let value = |name: &str, width, cycle| match width {
            _ if side(name, cycle) => 0,
            1 => 1,
            _ => 2 * (cycle / 50) + 1,
        };
        assert_eq!(record(&design, cache.path(), 1000, value).unwrap(), 1000);
        let generated = generate(&design, &options(cache.path())).unwrap();
        counts.push(generated.schedule.partitions);
        let without = BuildOptions { passes: Passes::default().without("profile").unwrap(), ..options(cache.path()) };
        let estimated = generate(&design, &without).unwrap();
        assert_eq!(
            generated.source == estimated.source,
            generated.schedule.partitions == estimated.schedule.partitions
        );
        compare(&design, &options(cache.path()), 200, "a pair of sides");
    }
    assert!(counts[0] < counts[1], "{counts:?} partitions");
}

#[test]
fn random_netlists_and_a_core_mean_the_same() {
    let mut core = Core::new(&CoreConfig::tiny());
    core.connect_all();
    let designs = [(0, 4), (3, 36)].map(|(seed, lanes)| (format!("seed {seed}"), netlist(seed, lanes)));
    for (what, design) in designs.into_iter().chain([("tiny core".into(), elaborate(&core).unwrap())]) {
        let cache = tempfile::tempdir().unwrap();
        let mut random = Random::new(9);
        // Inputs that mostly stay as they are, each for other cycles than the others.
        let value = |name: &str, width, cycle: u64| {
            let changes = random.chance(1 + name.len());
            if cycle == 0 || changes { random.value(width) } else { 0 }
        };
        let recording = BuildOptions { record: true, ..options(cache.path()) };
        compare(&design, &recording, 60, &format!("{what}, recorded"));
        record(&design, cache.path(), 300, value).unwrap();
        compare(&design, &options(cache.path()), 100, &what);
    }
}

#[test]
fn runs_and_simulators_add_up() {
    let (design, cache) = (pair(), tempfile::tempdir().unwrap());
    let at_work = |_: &str, width, cycle| if width == 1 { 1 } else { cycle };
    assert_eq!(record(&design, cache.path(), 100, at_work).unwrap(), 100);
    let mut first = Simulator::build(&design, &BuildOptions { record: true, ..options(cache.path()) }).unwrap();
    let (recording, mut second) = (first.recording().unwrap(), first.another());
    (0..7).for_each(|_| first.step());
    (0..5).for_each(|_| second.step());
    drop((first, second));
    assert_eq!(recording.keep().unwrap(), 112);
    assert_eq!(recording.keep().unwrap(), 112, "nothing is added twice");
    assert_eq!(recording.file(), profile(cache.path()));
}

#[test]
fn runs_that_end_at_once_are_all_counted() {
    let (design, cache) = (pair(), tempfile::tempdir().unwrap());
    // Each a process of its own, as far as the cache knows.
    let runs: Vec<_> = (0..8)
        .map(|_| {
            let options = BuildOptions { record: true, ..options(cache.path()) };
            let mut simulator = Simulator::build(&design, &options).unwrap();
            (0..10).for_each(|_| simulator.step());
            simulator.recording().unwrap()
        })
        .collect();
    std::thread::scope(|scope| runs.iter().for_each(|run| drop(scope.spawn(|| run.keep().unwrap()))));
    assert_eq!(runs[0].keep().unwrap(), 80);
}

#[test]
fn one_that_cannot_be_read_tells_nothing() {
    let (design, cache) = (pair(), tempfile::tempdir().unwrap());
    let source = || generate(&design, &options(cache.path())).unwrap().source;
    let before = source();
    let at_work = |_: &str, width, cycle| if width == 1 { 1 } else { cycle };
    record(&design, cache.path(), 100, at_work).unwrap();
    fs::write(profile(cache.path()), "{\"woken\": {\"1\"").unwrap();
    assert!(source() == before);
    assert_eq!(record(&design, cache.path(), 40, at_work).unwrap(), 40, "it is made anew");
}

#[test]
fn nothing_is_recorded_where_nothing_is_skipped() {
    let cache = tempfile::tempdir().unwrap();
    let options = BuildOptions { record: true, cache: Some(cache.path().into()), ..BuildOptions::brief() };
    assert!(Simulator::build(pair(), &options).unwrap().recording().is_none());
}
