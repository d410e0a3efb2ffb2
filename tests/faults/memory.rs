//! No memory left.
use std::fs;

use crate::support::{Ran, files, limited, run, warploom};

fn megabytes(limit: usize) -> String {
    format!("ulimit -v {}", 1024 * limit)
}

/// What it takes to be loaded at all, which grows with the hardware in it, and a stack.
fn least() -> usize {
    4 + (16..).step_by(4).find(|limit| run(limited(&megabytes(*limit), "--version")).status == Some(0)).unwrap()
}

/// From hardly enough to start to what is enough: out of memory, or PASS; never a panic or an abort, and the file that was there stays
/// until there is another.
#[test]
fn too_little_memory_is_an_error_with_a_sentence() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("core.v");
    let export = format!("export core --preset fermi -m capri+lcp --force -o {}", directory.path().display());
    let (least, mut said, mut written) = (least(), 0, 0);
    for limit in [least, least + 12, least + 24, 1024] {
        fs::write(&path, "good").unwrap();
        let Ran { status, stdout, stderr } = run(limited(&megabytes(limit), &export));
        match status {
            Some(0) => written += 1,
            Some(2) => {
                assert!(
                    stderr.starts_with("error: out of memory: ") && stderr.contains("more bytes were needed"),
                    "{stderr}"
                );
                assert_eq!(fs::read_to_string(&path).unwrap(), "good", "{limit} MB");
                said += 1;
            }
            other => panic!("{limit} MB: {other:?} {stdout}{stderr}"),
        }
    }
    assert!(said > 0 && written > 0, "{said} out of memory, {written} written");
    assert_eq!(files(directory.path()), ["core.v"]);
}

/// A comparison with threads, a compiler and a simulator, each of which may be what has too little.
#[test]
fn a_comparison_with_too_little_memory_says_what_failed() {
    let directory = tempfile::tempdir().unwrap();
    let csv = directory.path().join("good.csv");
    let (file, here) = (csv.display(), directory.path().display());
    let compare =
        format!("compare vecadd -m spe --preset tiny --size smoke --jobs 1 --csv {file} --cache {here}/results");
    assert_eq!(run(warploom(&compare)).status, Some(0));
    let good = fs::read(&csv).unwrap();
    for limit in [least() + 16, 128, 384] {
        let Ran { status, stderr, .. } = run(limited(&megabytes(limit), &format!("{compare} --fresh")));
        if status != Some(0) {
            assert_eq!(status, Some(2), "{limit} MB: {stderr}");
            assert!(stderr.contains("error: "), "{limit} MB: {stderr}");
            assert_eq!(fs::read(&csv).unwrap(), good, "{limit} MB");
        }
    }
    assert_eq!(files(directory.path()), ["good.csv", "results"]);
}

/// A problem that no machine has the memory for is refused before it is tried.
#[test]
fn a_problem_larger_than_the_memory_of_the_core() {
    let Ran { status, stderr, .. } = run(warploom("run vecadd --preset tiny --size 4000000000"));
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.contains("--size 4000000000"), "{stderr}");
}
