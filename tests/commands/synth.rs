//! `warploom synth` on a core at work, with the tools themselves.
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use warploom_requirements::met;
use warploom_synth::cells::OSU018;
use warploom_synth::tools::tool;

fn tools() -> bool {
    let yosys = tool("yosys").expect("a known tool").is_here();
    met(&[("yosys", yosys), ("the OSU018 cells", Path::new(OSU018).exists())])
}

/// Runs it on the tiny core; its status, and what it printed.
fn warploom(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    let output = command.args(args).args(["--preset", "tiny"]).stdin(Stdio::null()).output().expect("warploom starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The reports as JSON.
fn reports(args: &[&str]) -> Vec<Value> {
    let (status, stdout, stderr) = warploom(&[&["synth", "--json"], args].concat());
    assert_eq!(status, Some(0), "{stderr}");
    match serde_json::from_str(&stdout).expect("JSON") {
        Value::Array(reports) => reports,
        report => vec![report],
    }
}

fn number(report: &Value, key: &str) -> f64 {
    report[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {report:#}"))
}

/// What cores share is as large as their number says; power is that of a core alone.
#[test]
fn blocks_of_a_gpu_have_its_sizes() {
    let (status, _, error) = warploom(&["synth", "l2_port", "--cores", "2", "--kernel", "bfs"]);
    assert!(status == Some(2) && error.contains("power is measured in a core alone"), "{error}");
    let (status, _, error) = warploom(&["synth", "cta_distributor,alu", "--sweep", "cores=2,4"]);
    assert!(status == Some(2) && error.contains("blocks beyond a core, not alu"), "{error}");
    if !tools() {
        return;
    }
    let reports = reports(&["cta_distributor", "--sweep", "cores=2,4", "--channels", "2"]);
    let cores: Vec<_> = reports.iter().map(|report| &report["parameters"]["cores"]).collect();
    assert_eq!(cores, ["2", "4"]);
    assert_eq!(reports[0]["parameters"]["channels"], "2");
    assert!(number(&reports[0], "ge") < number(&reports[1], "ge"), "{reports:?}");
}

/// One mapping for all kernels; that every output of the gates is that of the core is checked on the way.
#[test]
#[ignore = "long: maps two blocks, and runs their gates in two kernels; runs in .ci/run"]
fn gates_do_what_the_core_does_and_take_power() {
    if !tools() {
        return;
    }
    let modules = "capt,warp_compaction_unit";
    let core = ["-m", "capri", "--capt-entries", "2"];
    let reports = reports(&[&[modules], &core[..], &["--kernel", "bfs,mandelbrot", "--size", "smoke"]].concat());
    let names: Vec<_> =
        reports.iter().map(|report| format!("{} {}", report["work"]["kernel"], report["module"])).collect();
    let expected = [r#""bfs" "capt""#, r#""bfs" "warp_compaction_unit""#, r#""mandelbrot" "capt""#];
    assert_eq!((names.len(), &names[..3]), (4, &expected.map(String::from)[..]));
    for report in &reports {
        let (leakage, dynamic) = (number(report, "leakage_uw"), number(report, "dynamic_uw"));
        assert!(leakage > 0.0 && dynamic > 0.0, "{report:#}");
        assert!((number(report, "internal_uw") + number(report, "switching_uw") - dynamic).abs() < 1e-6 * dynamic);
        let energy = (leakage + dynamic) * number(report, "clock_ns") * number(&report["work"], "cycles") * 1e-6;
        assert!((number(report, "energy_nj") - energy).abs() < 1e-6 * energy);
        let parts = report["parts"].as_array().expect("a list");
        let sum: f64 = parts.iter().map(|part| number(part, "dynamic_uw")).sum();
        assert!(parts.is_empty() || (sum - dynamic).abs() < 1e-6 * dynamic, "{report:#}");
    }
    let cycles = |report: &Value| report["work"]["cycles"].as_u64();
    assert!(cycles(&reports[0]) == cycles(&reports[1]) && cycles(&reports[1]) != cycles(&reports[2]));
}

/// As `run` gives them.
#[test]
fn a_core_has_the_floats_that_a_kernel_needs() {
    let block = ["synth", "float_compare", "--kernel", "sgemm", "--size", "smoke"];
    let (status, _, error) = warploom(&[&block[..], &["--isa", "rv32ima"]].concat());
    assert!(status == Some(2) && error.contains("sgemm has floats"), "{error}");
    if tools() {
        assert!(number(&reports(&block[1..])[0], "dynamic_uw") > 0.0);
    }
}

#[test]
fn memories_apart_are_given_what_they_read() {
    if !tools() {
        return;
    }
    // The banks of the register file, and the stack's entries, are black boxes; the core says what is read from them.
    let args = ["register_file,spe_stack", "--memory-bits", "64", "--kernel", "bfs", "--size", "smoke"];
    for report in reports(&args) {
        assert!(report["memories"].as_array().is_some_and(|memories| !memories.is_empty()), "{report:#}");
        assert!(number(&report, "dynamic_uw") > 0.0, "{report:#}");
    }
}

#[test]
#[ignore = "long: two more cores are watched; runs in .ci/run"]
fn a_waveform_gives_the_same_power_as_the_kernel() {
    if !tools() {
        return;
    }
    let directory = tempfile::tempdir().expect("a temporary directory");
    let vcd = directory.path().join("bfs.vcd");
    let vcd = vcd.to_str().expect("UTF-8");
    let signals = ["--signals", "core.issue.*", "--signals", "core.launch_start"];
    let (status, _, stderr) = warploom(&[&["run", "bfs", "--size", "smoke", "--vcd", vcd], &signals[..]].concat());
    assert_eq!(status, Some(0), "{stderr}");
    let block = ["scoreboard", "--depth", "0"];
    let [mut kernel, mut waveform] =
        [["--kernel", "bfs", "--size", "smoke"].as_slice(), &["--activity", vcd]].map(|args| {
            let reports = reports(&[&block[..], args].concat());
            assert_eq!(reports.len(), 1);
            reports.into_iter().next().expect("one")
        });
    assert_eq!((&kernel["work"]["kernel"], &waveform["work"]["waveform"]), (&"bfs".into(), &vcd.into()));
    for report in [&mut kernel, &mut waveform] {
        let work = report["work"].as_object_mut().expect("what it did");
        work.retain(|key, _| !["kernel", "size", "waveform"].contains(&key.as_str()));
    }
    assert_eq!(kernel, waveform);

    let (status, stdout, stderr) = warploom(&["synth", "reconvergence_unit", "--activity", vcd]);
    assert_eq!((status, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("--signals 'core.divergence.*'"), "{stderr}");
}
