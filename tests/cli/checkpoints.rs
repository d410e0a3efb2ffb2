//! Checkpoints: runs that are stopped and go on.
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::waveforms::read_waveform;
use crate::{Ran, command, contains, elf, ran, refused, warploom};

/// What a run reports, without the figures of this machine.
#[track_caller]
fn outcome(expected_status: i32, args: &[&str]) -> Value {
    let Ran { status, stdout, stderr } = warploom(&[args, &["--json"]].concat());
    assert_eq!(status, expected_status, "{stdout}{stderr}");
    let mut report: Value = serde_json::from_str(&stdout).expect("one JSON object");
    report.as_object_mut().expect("an object").remove("sim");
    report
}

#[test]
fn a_run_goes_on_from_a_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (checkpoint, vcd) = (path("bfs.checkpoint"), path("bfs.vcd"));
    let bfs = ["run", "bfs", "--preset", "tiny", "--size", "smoke", "--seed", "7"];
    let whole = outcome(0, &bfs);
    // One launch of several ends early; the limit is not part of the checkpoint.
    let Ran { status, stderr, .. } =
        warploom(&[&bfs[..], &["--max-cycles", "300", "--checkpoint", &checkpoint]].concat());
    assert_eq!(status, 3, "{stderr}");
    contains(&stderr, &["is in", "bfs.checkpoint; `warploom run --restore"]);
    assert_eq!(outcome(0, &["run", "--restore", &checkpoint]), whole);
    // At a chosen cycle; what the run is may be said again.
    let at = ["--checkpoint", &checkpoint, "--checkpoint-at", "5000"];
    assert_eq!(outcome(0, &[&bfs[..], &at].concat()), whole);
    let Ran { stderr, .. } =
        warploom(&[&bfs[..], &["--checkpoint", &path("late"), "--checkpoint-at", "900000"]].concat());
    contains(&stderr, &["late: the run has ended before cycle 900000"]);
    // In other words, and by default.
    let said = ["--mechanism", "spe", "--lanes", "4", "--isa", "rv32ima", "--dram-latency", "400"];
    assert_eq!(outcome(0, &[&["run", "--restore", &checkpoint], &said[..]].concat()), whole);
    let waves = ["--restore", &checkpoint, "--vcd", &vcd, "--signals", "core.divergence.*"];
    assert_eq!(outcome(0, &[&bfs[..], &waves].concat()), whole);
    let (signals, times) = read_waveform(Path::new(&vcd));
    assert!(signals.contains("core.divergence.fetch_mask") && times > 1000, "{times} {signals:?}");

    for (args, part) in [
        (["--preset", "small"], "--preset small: "),
        (["--seed", "8"], "is a run with --seed 7"),
        (["--lanes", "8"], "is a run without it"),
        (["--mechanism", "dws"], "is a run without it"),
        (["--isa", "rv32imaf"], "is a run without it"),
        (["--dram-latency", "399"], "is a run without it"),
    ] {
        refused(&[&["run", "--restore", &checkpoint][..], &args].concat(), &[part, "bfs.checkpoint is a run with"]);
    }
    refused(&["run", "bitonic", "--restore", &checkpoint], &["bitonic: ", "is a run with bfs"]);
    let good = std::fs::read(&checkpoint).unwrap();
    for (bytes, part) in
        [(&good[..good.len() / 2], "bytes behind its header"), (b"\x7fELF".as_slice(), "not a checkpoint")]
    {
        let damaged = path("damaged");
        std::fs::write(&damaged, bytes).unwrap();
        refused(&["run", "--restore", &damaged], &["damaged", part]);
    }
    refused(&["run", "--restore", &path("none")], &["none: cannot be read", "No such file"]);
    refused(&["run", "bfs", "--checkpoint", "/nowhere/a"], &["--checkpoint: cannot write /nowhere/a"]);
    refused(&["run", "bfs", "--checkpoint-every", "5"], &["--checkpoint <FILE>"]);
    refused(&["run"], &["<KERNEL>"]);
}

#[test]
fn sigterm_leaves_a_checkpoint() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (program, moved, checkpoint) = (path("spin.elf"), path("moved.elf"), path("spin.checkpoint"));
    std::fs::copy(elf("spin_lock"), &program).unwrap();
    let run = ["run", &program, "--preset", "tiny", "--arg", "zeros:1", "--arg", "zeros:1"];
    let args = [&run[..], &["--checkpoint", &checkpoint, "--checkpoint-every", "10000"]].concat();
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while !Path::new(&checkpoint).exists() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended by itself");
        assert!(start.elapsed() < Duration::from_secs(120), "nothing has been written");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill").success());
    let Ran { status, stdout, stderr } = ran(child.wait_with_output().unwrap());
    assert_eq!(status, 130, "{stdout}{stderr}");
    contains(&stdout, &["STOPPED", "interrupted after"]);
    let cycle: u64 = stderr.split(' ').nth(1).and_then(|cycle| cycle.parse().ok()).expect("the cycle");
    let limit = (cycle + 5000).to_string();
    let whole = outcome(3, &[&run[..], &["--max-cycles", &limit]].concat());
    assert_eq!(outcome(3, &["run", "--restore", &checkpoint, "--max-cycles", &limit]), whole);
    // Only the first iteration had all threads; the watchdog still knows.
    contains(whole["reason"].as_str().expect("a reason"), &["runs 3 thread(s), for which 1 other"]);
    // Elsewhere, and no longer what it was.
    std::fs::rename(&program, &moved).unwrap();
    refused(&["run", "--restore", &checkpoint], &["spin.elf"]);
    let again = outcome(3, &["run", &moved, "--restore", &checkpoint, "--max-cycles", &limit]);
    assert_eq!(again["cycles"], whole["cycles"]);
    std::fs::copy(elf("illegal"), &program).unwrap();
    refused(&["run", "--restore", &checkpoint], &["the program", "spin.elf has changed since the checkpoint"]);
}
