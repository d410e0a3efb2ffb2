//! Skips as `cargo test` shows them: this executable runs two of its tests, which are nothing otherwise, as a suite of their own.
use std::process::{Command, Output};

use warploom_requirements::met;

/// Set for that suite, since whoever runs all ignored tests runs these as well, and requires tools.
const SUITE: &str = "WARPLOOM_SKIPPING_SUITE";

fn is_suite() -> bool {
    std::env::var_os(SUITE).is_some()
}

#[test]
#[ignore = "skips itself: run by skips_are_seen_and_counted"]
fn without_a_tool() {
    assert!(!is_suite() || !met(&[("rust", true), ("a tool", false), ("another", false)]));
}

#[test]
#[ignore = "skips itself: run by skips_are_seen_and_counted"]
fn without_another() {
    assert!(met(&[("rust", true)]));
    assert!(!is_suite() || !met(&[("another", false)]));
}

fn suite(required: Option<&str>) -> Output {
    let mut command = Command::new(std::env::current_exe().expect("this executable"));
    command.args(["--ignored", "--test-threads=2"]).env(SUITE, "").env_remove("WARPLOOM_REQUIRE_TOOLS");
    command.envs(required.map(|value| ("WARPLOOM_REQUIRE_TOOLS", value)));
    command.output().expect("it runs again")
}

#[test]
fn skips_are_seen_and_counted() {
    let output = suite(None);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let mut lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.pop(), Some("skips: 2 tests were skipped"), "{said}");
    lines.sort_unstable();
    let skipped = [
        "skipped: skips: without_a_tool needs a tool and another: not here (`warploom doctor`)",
        "skipped: skips: without_another needs another: not here (`warploom doctor`)",
    ];
    assert_eq!(lines, skipped);
}

#[test]
fn what_is_required_fails() {
    let output = suite(Some("1"));
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("a tool and another: not here, and WARPLOOM_REQUIRE_TOOLS=1 asks for it"), "{said}");
}
