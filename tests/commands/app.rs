//! `warploom app`.
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use warploom_requirements::met;

/// Runs `warploom app` with this library.
fn app(library: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.arg("app").args(arguments).env("WARPLOOM_OPENCL", library).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The library, where cargo puts it when it builds the tests of its package.
fn library() -> Option<PathBuf> {
    let directory = PathBuf::from(env!("CARGO_BIN_EXE_warploom")).parent()?.to_path_buf();
    let file = "libwarploom_opencl.so";
    [directory.join("deps").join(file), directory.join(file)].into_iter().find(|path| path.is_file())
}

#[test]
fn what_is_wrong_is_said_before_anything_runs() {
    let output = app("/nowhere/library.so", &["--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).starts_with("error: WARPLOOM_OPENCL=/nowhere/library.so: No such file"), "{}", said(&output));
    let output = app("/dev/null", &["--mechanisms", "spe,capry", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("there is no mechanism `capry`\n  did you mean capri?"), "{}", said(&output));
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.args(["app", "--mechanisms", "spe,tbc", "--", "true"]).env("WARPLOOM_WAVE", "wave.fst");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("WARPLOOM_WAVE names one file, and the program runs under several"),
        "{}",
        said(&output)
    );
    for (variable, option) in [("WARPLOOM_MECHANISM", "--mechanisms"), ("WARPLOOM_LAUNCHES", "--json")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
        let output = command.args(["app", "--", "true"]).env(variable, "tbc").output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let expected = format!(
            "error: {variable} is set, which is for programs that run without `warploom app`: here it is {option}\n"
        );
        assert_eq!(said(&output), expected);
    }
    let output = app("/dev/null", &["--global-bytes", "1048577", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(said(&output), "error: --global-bytes 1048577: it is a multiple of 4096\n");
    let output = app("/dev/null", &["--", "/nowhere/program"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(said(&output), "error: cannot run /nowhere/program: No such file or directory (os error 2)\n");
}

#[test]
fn a_program_that_launches_nothing_fails() {
    let output = app("/dev/null", &["--preset", "tiny", "--", "true"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output), "under spe, the program has launched no kernel\n");
}

#[test]
fn a_program_that_prints_for_ever_is_ended() {
    for stream in ["1", "2"] {
        let output = app("/dev/null", &["--preset", "tiny", "--", "sh", "-c", &format!("cat /dev/zero >&{stream}")]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(said(&output), "error: cannot run sh: it printed more than 256 MB\n");
    }
}

#[test]
fn kernels_beside_each_other() {
    let made = tempfile::tempdir().unwrap();
    let (root, host) = (env!("CARGO_MANIFEST_DIR"), made.path().join("host"));
    let source = format!("{root}/testbenches/opencl/tests/applications/gaussian.c");
    let compiled = Command::new("cc").args([&source, "-O1", "-o"]).arg(&host).args(["-lOpenCL", "-lm"]).output();
    let compiled = compiled.is_ok_and(|output| output.status.success());
    let library = library();
    let needs = [
        ("clang and ld.lld", warploom_runtime::toolchain::available()),
        ("cc and the OpenCL ICD loader with its headers", compiled),
        ("libwarploom_opencl.so", library.is_some()),
    ];
    if !met(&needs) {
        return;
    }
    let command = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
        command.args(["app", "--preset", "small", "--mechanisms", "spe,tbc"]).args(more).arg("--").arg(&host);
        command.env("WARPLOOM_OPENCL", library.as_ref().unwrap());
        command.current_dir(format!("{root}/testbenches/opencl/tests/applications"));
        command
    };
    let run = |more: &[&str]| command(more).output().unwrap();
    stopped_leaves_nothing(|| command(&[]));
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout));
    let output = run(&["--json"]);
    let reports: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(reports[1]["mechanism"], "tbc");
    assert_eq!(reports[1]["same_output"], true);
    assert_eq!(reports[0]["kernels"][1]["launches"], 19);
    let output = run(&["--max-cycles", "100"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(said(&output).contains("kernel `factors`: no end after 100 cycles"), "{}", said(&output));
}

/// What was stopped while its program compiled or ran has left nothing among the temporary files. A second signal at once is the first.
fn stopped_leaves_nothing(command: impl Fn() -> Command) {
    for wait in [100, 200, 300, 500] {
        let temporary = tempfile::tempdir().unwrap();
        let mut command = command();
        command.env("TMPDIR", temporary.path()).stdout(Stdio::null()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        for _ in 0..2 {
            // SAFETY: sends a signal to a process that we have started and not yet waited for.
            assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGTERM) }, 0);
            std::thread::sleep(Duration::from_millis(5));
        }
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", said(&output));
        let left: Vec<_> = std::fs::read_dir(temporary.path()).unwrap().flatten().collect();
        assert!(left.is_empty(), "after {wait} ms: {left:?}");
    }
}
