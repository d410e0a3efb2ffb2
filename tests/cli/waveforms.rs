//! Waveforms: whole ones, windows of them, and what is left when the run is interrupted.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::{Ran, command, contains, elf, ran, refused, warploom};

#[test]
fn a_waveform_that_cannot_be_written() {
    refused(&["run", "bitonic", "--vcd", "/nowhere/a.vcd"], &["cannot write /nowhere/a.vcd", "No such file"]);
    refused(&["run", "bitonic", "--vcd", "a.gtkw"], &["--vcd and the save file beside --vcd", "a.gtkw is one file"]);
    refused(&["run", "bitonic", "--signals", "*"], &["--vcd"]);
}

#[test]
fn a_waveform_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let vcd = directory.path().join("a.vcd");
    let args = ["run", "bfs", "--preset", "tiny", "--size", "9", "--vcd", vcd.to_str().unwrap()];
    let Ran { status, stderr, .. } = warploom(&[&args[..], &["--signals", "core.divergence.*"]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    let (signals, times) = read_waveform(&vcd);
    assert!(signals.contains("core.divergence.fetch_mask") && times > 1000, "{times} {signals:?}");
    assert!(signals.iter().all(|name| name == "core.clock" || name.starts_with("core.divergence.")), "{signals:?}");
    let save_file = std::fs::read_to_string(vcd.with_extension("gtkw")).unwrap();
    contains(&save_file, &["a.vcd", "core.divergence.fetch_mask[3:0]"]);
    // It opens where lanes of a warp go both ways for the first time, with an open group of what shows that.
    contains(&save_file, &["@800200\n-the first divergent branch\n@28\ncore.divergence.resolve_valid\n"]);
    assert!(!save_file.contains("[timestart] 0\n"), "{save_file}");
    let marked = save_file.lines().find_map(|line| line.strip_prefix("*-7.0 ")).expect("a marker");
    let marked: u64 = marked.split(' ').next().unwrap().parse().unwrap();
    let at = [
        "--signals",
        "core.divergence.resolve_*",
        "--from",
        &(marked / 10).to_string(),
        "--to",
        &(marked / 10).to_string(),
    ];
    assert_eq!(warploom(&[&args[..], &at].concat()).status, 0);
    let bits = |name: &str| {
        let text = std::fs::read_to_string(&vcd).unwrap();
        let line = text.lines().find(|line| line.contains(&format!(" {name} "))).unwrap();
        let id = line.split_whitespace().nth(3).unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix('b')?.strip_suffix(&format!(" {id}")));
        u8::from_str_radix(value.unwrap(), 2).unwrap()
    };
    let (mask, taken) = (bits("resolve_mask"), bits("resolve_taken"));
    assert!(taken != 0 && mask & !taken != 0, "mask {mask:b}, taken {taken:b}");
    let Ran { status, stderr, .. } = warploom(&[&args[..], &["--signals", "core.nothing"]].concat());
    assert_eq!(status, 2);
    contains(&stderr, &["--signals 'core.nothing'", "no signal has such a name"]);
}

#[test]
fn a_window_of_a_waveform() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (vcd, fst) = (path("a.vcd"), path("b.fst"));
    let args = ["run", "bfs", "--preset", "tiny", "--size", "9", "--signals", "core.divergence.*"];
    let files = ["--vcd", &vcd, "--fst", &fst, "--from", "100", "--to", "299"];
    let Ran { status, stderr, .. } = warploom(&[&args[..], &files].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    // A rising and a falling edge in each cycle, and the end.
    assert_eq!(read_waveform(Path::new(&vcd)).1, 401);
    assert_eq!(read_waveform(Path::new(&vcd)).0, read_waveform(Path::new(&fst)).0);
    contains(&std::fs::read_to_string(path("b.gtkw")).unwrap(), &["b.fst", "core.divergence.fetch_mask[3:0]"]);

    // The trigger is none of the signals that are written.
    let files = ["--vcd", &vcd, "--trigger", "core.issue_valid=1"];
    let Ran { status, stderr, .. } = warploom(&[&args[..], &files].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    let (signals, times) = read_waveform(Path::new(&vcd));
    assert!(times > 1000 && !signals.contains("core.issue_valid"), "{times} {signals:?}");

    let files = ["--vcd", &vcd, "--from", "1000000000"];
    let Ran { status, stderr, .. } = warploom(&[&args[..], &files].concat());
    assert_eq!(status, 0);
    contains(&stderr, &["the waveform is empty"]);
}

#[test]
fn a_window_that_cannot_be() {
    let directory = tempfile::tempdir().unwrap();
    let vcd = directory.path().join("a.vcd");
    let wave = |args: &[&str], parts: &[&str]| {
        let run = ["run", "bitonic", "--preset", "tiny", "--vcd", vcd.to_str().unwrap()];
        refused(&[&run[..], args].concat(), parts);
    };
    wave(&["--from", "9", "--to", "8"], &["--to 8", "before --from 9"]);
    wave(&["--trigger", "core.issue_valid"], &["--trigger 'core.issue_valid'", "SIGNAL=VALUE"]);
    wave(
        &["--trigger", "core.isue_valid=1"],
        &["--trigger 'core.isue_valid=1'", "no signal `core.isue_valid`", "did you mean core.issue_valid"],
    );
    wave(&["--trigger", "core.issue_valid=2"], &["2 does not fit the 1 bit(s) of core.issue_valid"]);
    wave(&["--trigger", "core.issue_valid=on"], &["`on` is no number", "0x"]);
    wave(
        &["--trigger", "core.divergence.per_warp[0].engine.operation=Resolv"],
        &["no variant `Resolv`", "did you mean Resolve?"],
    );
    refused(&["run", "bitonic", "--trigger", "core.issue_valid=1"], &["--vcd", "--fst"]);
}

/// Runs a kernel that never ends, with a waveform in both formats, and sends it a signal when there is something in the
/// VCD.
fn signalled(signal: &str) -> (tempfile::TempDir, Output) {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let (elf, vcd, fst) = (elf("infinite_loop"), path("a.vcd"), path("a.fst"));
    let args = ["run", &elf, "--preset", "tiny", "--vcd", &vcd, "--fst", &fst, "--signals", "core.divergence.*"];
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while std::fs::metadata(&vcd).map_or(0, |data| data.len()) < 200_000 {
        assert!(child.try_wait().unwrap().is_none(), "it has ended by itself");
        assert!(start.elapsed() < Duration::from_secs(120), "nothing has been written");
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    (directory, child.wait_with_output().unwrap())
}

#[test]
fn an_interrupted_run_leaves_valid_waveforms() {
    for signal in ["-INT", "-TERM"] {
        let (directory, output) = signalled(signal);
        let Ran { status, stdout, stderr } = ran(output);
        assert_eq!((status, stderr.as_str()), (130, ""), "{stdout}");
        contains(&stdout, &["STOPPED", "interrupted after"]);
        let [vcd, fst] = ["a.vcd", "a.fst"].map(|name| read_waveform(&directory.path().join(name)));
        assert!(vcd.0.contains("core.divergence.fetch_mask") && vcd.1 > 1000, "{}", vcd.1);
        // In FST there is always a time 0.
        assert_eq!(fst, (vcd.0, vcd.1 + 1), "{signal}");
    }
}

#[test]
fn a_killed_run_leaves_a_valid_waveform() {
    let (directory, output) = signalled("-KILL");
    assert_eq!(output.status.code(), None);
    let (signals, times) = read_waveform(&directory.path().join("a.vcd"));
    assert!(signals.contains("core.divergence.fetch_mask") && times > 1000, "{times}");
}

/// Names of the signals, and how many points in time there are.
pub fn read_waveform(path: &Path) -> (BTreeSet<String>, usize) {
    let waveform = wellen::simple::read(PathBuf::from(path)).expect("a valid waveform");
    let hierarchy = waveform.hierarchy();
    let names = hierarchy.iter_vars().map(|variable| variable.full_name(hierarchy)).collect();
    (names, waveform.time_table().len())
}
