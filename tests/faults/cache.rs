//! The caches: several processes at once, and damaged entries.
use std::fs;
use std::path::Path;
use std::process::Child;

use crate::support::{Ran, files, ran, run, warploom};

const COMPARE: &str = "compare vecadd gcd -m spe --preset tiny --size smoke";

fn start(cache: &Path) -> Child {
    let mut command = warploom(COMPARE);
    command.env("WARPLOOM_CACHE", cache);
    command.spawn().unwrap()
}

/// All begin with nothing, and build the same simulator and the same results.
#[test]
fn several_processes_share_an_empty_cache() {
    let cache = tempfile::tempdir().unwrap();
    let children: Vec<Child> = (0..3).map(|_| start(cache.path())).collect();
    let all: Vec<Ran> = children.into_iter().map(|child| ran(child.wait_with_output().unwrap())).collect();
    for Ran { status, stdout, stderr } in &all {
        assert_eq!((*status, stdout), (Some(0), &all[0].stdout), "{stderr}");
    }
    let names = files(cache.path());
    assert_eq!(names.len(), 3, "a library, the results, and whose they are: {names:?}");
    assert_eq!(files(&cache.path().join("results")).len(), 2);

    // The simulator there is damaged under them: found out, and built again by whoever comes first.
    let library = names.iter().find(|name| name.ends_with(std::env::consts::DLL_SUFFIX)).unwrap();
    let library = cache.path().join(library);
    let size = fs::metadata(&library).unwrap().len();
    fs::OpenOptions::new().write(true).open(&library).unwrap().set_len(size / 2).unwrap();
    fs::remove_dir_all(cache.path().join("results")).unwrap();
    let again = ran(start(cache.path()).wait_with_output().unwrap());
    assert_eq!((again.status, &again.stdout), (Some(0), &all[0].stdout), "{}", again.stderr);
    assert_eq!(fs::metadata(&library).unwrap().len(), size);
}

/// Results, one after another in the same place.
#[test]
fn damaged_results_are_run_again() {
    let directory = tempfile::tempdir().unwrap();
    let compare = || {
        let mut command = warploom(&format!("{COMPARE} --cache results"));
        command.current_dir(directory.path());
        run(command)
    };
    let whole = compare();
    let results = directory.path().join("results");
    let [one, other] = [0, 1].map(|n| results.join(&files(&results)[n]));
    let good = fs::read(&one).unwrap();
    // Any digit of the report.
    let digit = good.windows(9).position(|text| text == b"\"cycles\":").unwrap() + 9;
    let flipped: Vec<u8> = good.iter().enumerate().map(|(i, byte)| if i == digit { byte ^ 1 } else { *byte }).collect();
    let damages: [(&str, &dyn Fn()); 6] = [
        ("cut off", &|| fs::write(&one, &good[..good.len() / 2]).unwrap()),
        ("empty", &|| fs::write(&one, "").unwrap()),
        ("a bit", &|| fs::write(&one, &flipped).unwrap()),
        ("the other", &|| assert!(fs::copy(&other, &one).unwrap() > 0)),
        ("no text", &|| fs::write(&one, [0xff; 3000]).unwrap()),
        ("a directory", &|| {
            fs::remove_file(&one).unwrap();
            fs::create_dir_all(one.join("in it")).unwrap();
        }),
    ];
    for (name, damage) in damages {
        damage();
        let again = compare();
        assert_eq!((again.status, &again.stdout), (Some(0), &whole.stdout), "{name}: {}", again.stderr);
        assert!(again.stderr.starts_with("1 of 2 results were there"), "{name}: {}", again.stderr);
        assert_eq!(files(&results).len(), 2, "{name}");
    }
    assert!(compare().stderr.starts_with("2 of 2 results were there"));
}
