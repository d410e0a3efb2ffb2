//! `--cores`, `--memory rtl` and what goes with them.
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn warploom(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.args(args).env_remove("COLUMNS").stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().expect("warploom starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("it ends"), text(stdout), text(stderr))
}

fn report(args: &[&str]) -> Value {
    let (_, report, errors) = warploom(&[&["run", "--json", "--preset", "tiny", "--size", "smoke"], args].concat());
    assert_eq!(errors, "");
    serde_json::from_str(&report).expect("JSON")
}

fn sum(list: &Value, field: &str) -> u64 {
    list.as_array().expect("a list").iter().map(|part| part[field].as_u64().expect("a number")).sum()
}

#[test]
fn the_parts_of_a_report_are_its_whole() {
    let report = report(&["sobel", "--cores", "3", "--channels", "2", "--threads", "2"]);
    assert_eq!(report["result"], "pass");
    let system = &report["system"];
    assert_eq!(system["cores"].as_array().map(Vec::len), Some(3));
    assert_eq!(system["channels"].as_array().map(Vec::len), Some(2));
    for field in ["warp_instructions", "thread_instructions", "memory_transactions"] {
        assert_eq!(sum(&system["cores"], field), report[field].as_u64().expect("a number"), "{field}");
    }
    let slots = report["issue_slots"].as_object().expect("slots");
    let of = |value: &Value| {
        value.as_u64().unwrap_or_else(|| value.as_object().expect("counts").values().filter_map(Value::as_u64).sum())
    };
    let cycles = report["cycles"].as_u64().expect("cycles");
    assert_eq!(slots.values().map(of).sum::<u64>(), 3 * cycles, "every cycle of every core is in one class");
    assert_eq!(report["parameters"]["cores"], "3");
}

#[test]
fn threads_and_the_core_that_is_watched_change_nothing() {
    let of = |options: &[&str]| {
        let mut report = report(&[&["bfs", "--cores", "2"], options].concat());
        let report = report.as_object_mut().expect("an object");
        report.retain(|name, _| name != "sim" && name != "branches");
        report.clone()
    };
    let one = of(&["--threads", "1"]);
    assert_eq!(one, of(&["--threads", "2"]));
    assert_eq!(one, of(&["--trace", "--watch-core", "1"]));
}

#[test]
fn threads_are_split_on_each_core() {
    let split = |core: &str| {
        let report = report(&["bfs", "--cores", "2", "-m", "dwf:oldest", "--eddy", "--watch-core", core]);
        let warps: u64 = report["eddy"]["warps"].as_array().expect("tenths").iter().filter_map(Value::as_u64).sum();
        warps
    };
    assert!(split("0") > 0 && split("1") > 0);
}

#[test]
fn a_run_goes_on_from_a_checkpoint() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_string();
    let (checkpoint, vcd) = (path("bfs.checkpoint"), path("bfs.vcd"));
    let outcome = |expected: i32, args: &[&str]| {
        let (status, stdout, stderr) = warploom(&[&["run", "--json"], args].concat());
        assert_eq!(status, expected, "{args:?}: {stdout}{stderr}");
        let mut report: Value = serde_json::from_str(&stdout).expect("JSON");
        report.as_object_mut().expect("an object").remove("sim");
        (report, stderr)
    };
    let bfs = ["bfs", "--preset", "tiny", "--size", "smoke", "--cores", "2"];
    let (whole, _) = outcome(0, &bfs);
    let limited = ["--max-cycles", "300", "--checkpoint", &checkpoint, "--threads", "1"];
    let (_, stderr) = outcome(3, &[&bfs[..], &limited].concat());
    assert!(stderr.contains("bfs.checkpoint; `warploom run --restore"), "{stderr}");
    assert_eq!(outcome(0, &["--restore", &checkpoint]).0, whole);
    assert_eq!(outcome(0, &["--restore", &checkpoint, "--threads", "3"]).0, whole);
    // Once in a cycle, then from there on: with waves of a core, and with all that is said again or by default.
    let at = ["--checkpoint", &checkpoint, "--checkpoint-at", "5000"];
    assert_eq!(outcome(0, &[&bfs[..], &at].concat()).0, whole);
    let waves = ["--vcd", &vcd, "--signals", "core_tile.core.divergence.*", "--watch-core", "1"];
    assert_eq!(outcome(0, &[&["--restore", &checkpoint][..], &waves].concat()).0, whole);
    let vcd = std::fs::read_to_string(&vcd).expect("a waveform");
    // Ten of its units of time are a cycle.
    let first = vcd.lines().find_map(|line| line.strip_prefix('#')?.parse::<u64>().ok());
    assert!(first.is_some_and(|first| first >= 50_000), "{first:?}");
    let said = ["--memory", "rtl", "--channels", "2", "--lanes", "4"];
    assert_eq!(outcome(0, &[&bfs[..], &["--restore", &checkpoint], &said].concat()).0, whole);
    for (option, value) in [("--cores", "3"), ("--channels", "1"), ("--memory", "model"), ("--l2-latency", "9")] {
        let (status, _, errors) = warploom(&["run", "--restore", &checkpoint, option, value]);
        let expected = [format!("{option} {value}: "), "bfs.checkpoint is a run with".to_string()];
        assert!(status == 2 && expected.iter().all(|part| errors.contains(part)), "{errors}");
    }
    // Of a core alone.
    let alone = ["bfs", "--preset", "tiny", "--size", "smoke", "--checkpoint", &checkpoint, "--max-cycles", "300"];
    outcome(3, &alone);
    let (status, _, errors) = warploom(&["run", "--restore", &checkpoint, "--cores", "2"]);
    assert!(status == 2 && errors.contains("bfs.checkpoint is a run without it"), "{errors}");
}

#[test]
fn a_trap_names_its_core() {
    let (status, report, _) = warploom(&["run", "illegal", "--preset", "tiny", "--cores", "2"]);
    assert_eq!(status, 3, "{report}");
    assert!(report.contains("illegal instruction") && report.contains(", core 0, warp 0"), "{report}");
}

#[test]
fn what_there_is_not_is_said() {
    for (options, expected) in [
        (&["--cores", "17"][..], "--cores 17: it is 1 to 16"),
        (&["--cores", "2", "--channels", "5"], "--channels 5: it is one of 1, 2, 3, 4, 6, 8, 12"),
        (&["--channels", "2"], "--channels: a core alone has the host's model"),
        (&["--cores", "2", "--memory", "model"], "--memory model: the host models what is beyond one core"),
        (&["--cores", "2", "--line-bytes", "16"], "--line-bytes 16: cores of a GPU have lines of 32 bytes"),
        (&["--cores", "2", "--l2-latency", "9"], "--l2-latency is of the host's model"),
        (&["--cores", "2", "--watch-core", "2"], "--watch-core 2: cores have the numbers 0 to 1"),
        (&["--cores", "2", "--image", "i"], "--image: it is for a core alone"),
        (&["--threads", "2"], "--threads: a core alone is simulated on one"),
    ] {
        let (status, _, errors) = warploom(&[&["run", "vecadd", "--preset", "tiny"], options].concat());
        assert_eq!(status, 2, "{options:?}: {errors}");
        assert!(errors.contains(expected), "{options:?}: {errors}");
    }
}

#[test]
fn blocks_that_have_no_cores_are_told() {
    let (status, _, errors) = warploom(&["export", "core", "--cores", "2", "-o", "unused"]);
    assert_eq!(
        (status, errors.contains("are for blocks beyond a core, not core; these are address_map, ")),
        (2, true),
        "{errors}"
    );
}
