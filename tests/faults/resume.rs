//! A comparison that is killed and started again.
use std::path::Path;
use std::process::Command;

use crate::support::{files, run, until, warploom};

const COMPARE: &str = "compare bfs gcd bitonic transpose scan reduction haar lud -m spe,tbc --preset tiny --size smoke --jobs 1 \
    --cache results --csv a.csv --svg figures --markdown a.md";

/// Kernels under two mechanisms each.
const RUNS: usize = 16;

fn comparison(directory: &Path) -> Command {
    let mut command = warploom(COMPARE);
    command.current_dir(directory);
    command
}

/// All that it writes, but for what a run took on this machine.
fn written(directory: &Path) -> Vec<(String, String)> {
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let figures = directory.join("figures");
    let mut all: Vec<_> = files(&figures).iter().map(|name| (name.clone(), read(&figures.join(name)))).collect();
    assert!(!all.is_empty());
    all.push(("a.md".to_string(), read(&directory.join("a.md"))));
    let mut table = csv::Reader::from_path(directory.join("a.csv")).unwrap();
    let kept: Vec<usize> =
        (0..table.headers().unwrap().len()).filter(|i| !table.headers().unwrap()[*i].starts_with("sim.")).collect();
    let rows = table
        .records()
        .map(|row| kept.iter().map(|i| row.as_ref().unwrap()[*i].to_string()).collect::<Vec<_>>().join(","));
    all.push(("a.csv".to_string(), rows.collect::<Vec<_>>().join("\n")));
    all
}

#[test]
fn a_killed_comparison_goes_on_and_says_the_same() {
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let expected = run(comparison(whole.path()));
    assert_eq!((expected.status, expected.stderr.as_str()), (Some(0), ""));
    // As often as there is something new, up to three times.
    let results = killed.path().join("results");
    let done = || files(&results).iter().filter(|name| name.ends_with(".json")).count();
    let mut kills = 0;
    while kills < 3 && done() < RUNS {
        let before = done();
        let mut child = comparison(killed.path()).spawn().unwrap();
        until(&mut child, || done() > before);
        child.kill().unwrap();
        // One that has ended meanwhile, on a very busy machine, does not count.
        kills += usize::from(child.wait().unwrap().code().is_none());
    }
    let kept = done();
    assert!(kills > 0 && kept > 0, "{kills} killed, {kept} results kept");
    let resumed = run(comparison(killed.path()));
    assert_eq!(
        resumed.stderr,
        format!("{kept} of {RUNS} results were there from earlier runs (--fresh runs them again)\n")
    );
    assert_eq!((resumed.status, resumed.stdout), (Some(0), expected.stdout));
    assert_eq!(written(killed.path()), written(whole.path()));
}
