//! The cache of compiled simulators: whose it may be, `warploom cache`, and what happens to builds that are stopped.
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Ran, command, contains, ran};

const RUN: &[&str] = &["run", "rhu_4_1", "--preset", "tiny"];

/// A command with its cache there.
fn with_cache(args: &[&str], cache: &Path) -> Command {
    let mut command = command(args);
    command.env("WARPLOOM_CACHE", cache);
    command
}

/// Names in a directory, but for the mark of a cache.
fn entries(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.filter(|name| name != "CACHEDIR.TAG").collect();
    names.sort();
    names
}

#[test]
fn there_is_no_cache_that_users_share() {
    let temporary = tempfile::tempdir().unwrap();
    for args in [RUN, &["compare", "gcd", "--preset", "tiny", "-m", "spe"], &["cache"]] {
        let mut command = command(args);
        command.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("WARPLOOM_CACHE");
        let Ran { status, stdout, stderr } = ran(command.env("TMPDIR", temporary.path()).output().unwrap());
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        contains(&stderr, &["no place for compiled simulators", "set WARPLOOM_CACHE to a directory of your own"]);
        assert_eq!(entries(temporary.path()), [""; 0]);
    }
}

#[test]
fn a_cache_that_others_may_write_is_not_used() {
    let cache = tempfile::tempdir().unwrap();
    for mode in [0o777, 0o775, 0o1777] {
        fs::set_permissions(cache.path(), Permissions::from_mode(mode)).unwrap();
        let Ran { status, stderr, .. } = ran(with_cache(RUN, cache.path()).output().unwrap());
        assert_eq!(status, 2);
        contains(&stderr, &["may be written by others", &format!("mode {mode:o}"), "chmod go-w"]);
    }
    assert_eq!(entries(cache.path()), [""; 0]);
}

#[test]
fn a_profile_is_kept_and_used() {
    let cache = tempfile::tempdir().unwrap();
    let run = |options: &[&str]| ran(with_cache(&[RUN, options].concat(), cache.path()).output().unwrap());
    let kinds = || {
        let Ran { stdout, .. } = ran(with_cache(&["cache", "--json"], cache.path()).output().unwrap());
        let contents: Value = serde_json::from_str(&stdout).unwrap();
        ["simulator", "profile"].map(|kind| contents["kinds"][kind]["entries"].as_u64().unwrap())
    };
    let cycles = |stderr: &str| -> u64 {
        let (_, line) = stderr.split_once("profile: ").unwrap_or_else(|| panic!("{stderr}"));
        contains(line, &[" cycles in ", ".profile; the next build uses it"]);
        line.split(' ').next().unwrap().parse().unwrap()
    };
    let first = run(&["--profile"]);
    assert_eq!((first.status, kinds()), (0, [1, 1]), "{}", first.stderr);
    let usual = run(&[]);
    assert_eq!((usual.status, usual.stderr.contains("profile"), kinds()), (0, false, [2, 1]), "{}", usual.stderr);
    assert_eq!(cycles(&run(&["--profile"]).stderr), 2 * cycles(&first.stderr), "they add up");
    assert_eq!(kinds(), [2, 1]);
    let gpu = run(&["--profile", "--cores", "2"]);
    assert_eq!(gpu.stderr.matches("; the next build uses it").count(), 3, "a profile of each part: {}", gpu.stderr);
}

#[test]
fn what_is_not_compiled_beside_a_run_is_said_after_it() {
    let place = tempfile::tempdir().unwrap();
    let compiler = place.path().join("rustc");
    let text = "#!/bin/sh\ngrep -q 'fn warploom_straight' simulator.rs 2>/dev/null && { echo no room >&2; exit 1; }\nexec rustc \"$@\"\n";
    fs::write(&compiler, text).unwrap();
    fs::set_permissions(&compiler, Permissions::from_mode(0o700)).unwrap();
    let cache = place.path().join("cache");
    // Busy for long enough.
    let busy = ["run", "bitonic_shared", "--size", "large", "--preset", "tiny"];
    let run = |args: &[&str]| ran(with_cache(args, &cache).env("RUSTC", &compiler).output().unwrap());
    let Ran { status, stdout, stderr } = run(&busy);
    assert_eq!(status, 0, "{stderr}");
    contains(&stdout, &["PASS"]);
    contains(&stderr, &["warning: slower than it could be", "no room"]);
    assert_eq!(run(RUN).stderr, "", "too short to miss it");
}

#[test]
fn a_new_cache_is_the_users_own() {
    let place = tempfile::tempdir().unwrap();
    let cache = place.path().join("deep/er");
    for looks in [&["cache"][..], &["cache", "--json"], &["cache", "--clean"], &["doctor"]] {
        let Ran { status, stdout, stderr } = ran(with_cache(looks, &cache).output().unwrap());
        assert_eq!(status, 0, "{stdout}{stderr}");
        assert!(!place.path().join("deep").exists(), "{looks:?} only looks");
    }
    // There is no compiler: nothing comes of it but the directory.
    assert_eq!(ran(with_cache(RUN, &cache).env("RUSTC", "/nowhere/rustc").output().unwrap()).status, 2);
    assert_eq!(fs::metadata(&cache).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn what_is_kept_is_listed_and_removed() {
    let cache = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| ran(with_cache(args, cache.path()).output().unwrap());
    assert_eq!(run(&["cache"]).status, 0, "and from now on it is one");
    let library = format!("{}-0123456789abcdef{}", "0123456789abcdef".repeat(2), std::env::consts::DLL_SUFFIX);
    fs::write(cache.path().join(library), [0; 2_000_000]).unwrap();
    fs::create_dir(cache.path().join("results")).unwrap();
    fs::write(cache.path().join("results/0123456789abcdef.json"), [0; 500_000]).unwrap();
    fs::write(cache.path().join("notes.txt"), "mine").unwrap();
    // Its builder is gone.
    fs::create_dir(cache.path().join("work-abcdef")).unwrap();
    let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    fs::write(cache.path().join("work-abcdef.lock"), machine).unwrap();
    // Not of one.
    fs::create_dir(cache.path().join("work-thesis")).unwrap();
    let listed = run(&["cache"]).stdout;
    contains(&listed, &["compiled simulators", "1  2.0 MB", "results of comparisons", "1  0.5 MB", "2.5 MB"]);
    let json: Value = serde_json::from_str(&run(&["cache", "--json"]).stdout).unwrap();
    assert_eq!(json["kinds"]["simulator"], serde_json::json!({"entries": 1, "bytes": 2_000_000}));
    assert_eq!(json["kinds"]["under_way"]["entries"], 0);
    contains(&run(&["cache", "--clean"]).stdout, &["removed 2.5 MB"]);
    assert_eq!(entries(cache.path()), ["notes.txt", "work-thesis"]);
}

/// A compiler that answers questions, and takes a minute to compile, in which it has another program do something.
fn slow_compiler(directory: &Path) -> PathBuf {
    let path = directory.join("slow-rustc");
    let text = format!(
        "#!/bin/sh\ncase \"$1\" in -vV|--print=cfg) exec rustc \"$@\";; --version) exit;; esac\necho $$ > {0}/new\nmv {0}/new {0}/pid\nsleep 60\n",
        directory.display()
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o700)).unwrap();
    path
}

/// Starts a command; returns when it compiles a simulator.
fn compiling(args: &[&str], cache: &Path, compiler: &Path) -> (Child, i32) {
    at_work(with_cache(args, cache).env("RUSTC", compiler), compiler)
}

/// Starts a command; returns when its tool is at work, with the tool's process.
fn at_work(command: &mut Command, tool: &Path) -> (Child, i32) {
    let pid = tool.with_file_name("pid");
    let _ = fs::remove_file(&pid);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until(|| pid.exists() || child.try_wait().unwrap().is_some());
    let pid = fs::read_to_string(pid).expect("it compiles").trim().parse().unwrap();
    (child, pid)
}

fn until(condition: impl FnMut() -> bool) {
    let (start, mut condition) = (Instant::now(), condition);
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(120), "it never comes");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn lives(pid: i32) -> bool {
    // What has ended and is not waited for by whoever inherits it does nothing any more.
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn ctrl_c_while_a_simulator_is_compiled() {
    let place = tempfile::tempdir().unwrap();
    let (cache, outputs) = (place.path().join("cache"), place.path().join("outputs"));
    fs::create_dir(&outputs).unwrap();
    let compiler = slow_compiler(place.path());
    let path = |name: &str| outputs.join(name).to_str().unwrap().to_string();
    let (vcd, perfetto, csv, svg) = (path("a.vcd"), path("a.json"), path("a.csv"), path("a.svg"));
    let run = [RUN, &["--vcd", &vcd, "--perfetto", &perfetto]].concat();
    let compare = ["compare", "gcd", "--preset", "tiny", "--mechanisms", "spe,tbc", "--csv", &csv, "-j", "1"];
    let picture = ["picture", "rhu_4_1", "--preset", "tiny", "-o", &svg];
    for (args, said) in [
        (&run[..], "interrupted before there was a result\n"),
        (&compare, "stopped: 0 of 2 runs are done, and kept; the same command goes on from there\n"),
        (&picture, "interrupted before there was a result\n"),
    ] {
        for signal in [libc::SIGINT, libc::SIGTERM] {
            let (child, pid) = compiling(args, &cache, &compiler);
            // SAFETY: sends a signal to a process that we have started and not yet waited for.
            assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
            let Ran { status, stdout, stderr } = ran(child.wait_with_output().unwrap());
            assert_eq!((status, stdout.as_str(), stderr.as_str()), (130, "", said), "{args:?}");
            assert!(!lives(pid), "{args:?}: the compiler goes on");
            assert!(entries(&cache).iter().all(|name| name == "results"), "{args:?}: {:?}", entries(&cache));
            assert_eq!(entries(&outputs), [""; 0], "{args:?}");
        }
    }
}

#[test]
fn ctrl_c_while_a_module_is_mapped() {
    let place = tempfile::tempdir().unwrap();
    let yosys = place.path().join("yosys");
    fs::rename(slow_compiler(place.path()), &yosys).unwrap();
    let cells = concat!(env!("CARGO_MANIFEST_DIR"), "/synth/src/gates/tests.lib");
    let svg = place.path().join("a.svg");
    let args = ["synth", "fifo", "--preset", "tiny", "--liberty", cells, "--svg", svg.to_str().unwrap()];
    let mut command = with_cache(&args, &place.path().join("cache"));
    let path = format!("{}:{}", place.path().display(), std::env::var("PATH").unwrap());
    let (child, pid) = at_work(command.env("PATH", path), &yosys);
    // SAFETY: sends a signal to a process that we have started and not yet waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let Ran { status, stdout, stderr } = ran(child.wait_with_output().unwrap());
    assert_eq!((status, stdout.as_str()), (130, ""));
    assert!(stderr.ends_with("interrupted before there was a result\n"), "{stderr}");
    assert!(!lives(pid) && !svg.exists());
}

#[test]
fn a_killed_build_leaves_no_compiler_and_no_directory_behind() {
    let place = tempfile::tempdir().unwrap();
    let (cache, compiler) = (place.path().join("cache"), slow_compiler(place.path()));
    let (mut alive, _) = compiling(RUN, &cache, &compiler);
    let (mut killed, pid) = compiling(RUN, &cache, &compiler);
    assert_eq!(entries(&cache).len(), 4, "a directory and a lock each: {:?}", entries(&cache));
    killed.kill().unwrap();
    killed.wait().unwrap();
    if cfg!(target_os = "linux") {
        until(|| !lives(pid));
    }
    let listed = ran(with_cache(&["cache", "--json"], &cache).output().unwrap()).stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["kinds"]["under_way"]["entries"], 1);
    assert_eq!(entries(&cache).len(), 2, "that of the other is there: {:?}", entries(&cache));
    alive.kill().unwrap();
    alive.wait().unwrap();
}

/// Tools that compile a kernel, or check exported Verilog.
#[test]
fn ctrl_c_while_another_tool_is_at_work() {
    let place = tempfile::tempdir().unwrap();
    let temporary = place.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let source = place.path().join("k.s");
    fs::write(&source, "    .globl _start\n_start:\n").unwrap();
    let (source, build) = (source.to_str().unwrap(), place.path().join("build"));
    for (tool, args) in [
        ("clang", vec!["build", source]),
        ("clang", vec!["run", source, "--preset", "tiny"]),
        ("clang", vec!["disasm", source]),
        ("verilator", vec!["export", "fifo", "--preset", "tiny", "--check", "--force", "-o", build.to_str().unwrap()]),
    ] {
        let path = place.path().join(tool);
        fs::rename(slow_compiler(place.path()), &path).unwrap();
        let mut command = with_cache(&args, &place.path().join("cache"));
        let search = format!("{}:{}", place.path().display(), std::env::var("PATH").unwrap());
        let (child, pid) = at_work(command.env("PATH", search).env("TMPDIR", &temporary), &path);
        // SAFETY: sends a signal to a process that we have started and not yet waited for.
        assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGTERM) }, 0);
        let Ran { status, stderr, .. } = ran(child.wait_with_output().unwrap());
        assert_eq!((status, stderr.as_str()), (130, "interrupted before there was a result\n"), "{args:?}");
        assert!(!lives(pid), "{args:?}: {tool} goes on");
        assert_eq!(entries(&temporary), [""; 0], "{args:?}");
    }
}

/// What a compiler of kernels or a synthesis had made when warploom was killed is gone after the next start.
#[test]
fn a_killed_tool_leaves_no_directory_behind() {
    let place = tempfile::tempdir().unwrap();
    let (cache, source) = (place.path().join("cache"), place.path().join("k.s"));
    fs::write(&source, "    .globl _start\n_start:\n").unwrap();
    let cells = concat!(env!("CARGO_MANIFEST_DIR"), "/synth/src/gates/tests.lib");
    for (tool, args) in [
        ("clang", vec!["disasm", source.to_str().unwrap()]),
        ("yosys", vec!["synth", "fifo", "--preset", "tiny", "--liberty", cells]),
    ] {
        let path = place.path().join(tool);
        fs::rename(slow_compiler(place.path()), &path).unwrap();
        let search = format!("{}:{}", place.path().display(), std::env::var("PATH").unwrap());
        let mut command = with_cache(&args, &cache);
        let (mut killed, pid) = at_work(command.env("PATH", search).env("TMPDIR", place.path().join("none")), &path);
        assert!(entries(&cache).len() >= 2, "{tool}: a directory and its lock at least: {:?}", entries(&cache));
        killed.kill().unwrap();
        killed.wait().unwrap();
        if cfg!(target_os = "linux") {
            until(|| !lives(pid));
        }
        ran(with_cache(&["cache"], &cache).output().unwrap());
        assert_eq!(entries(&cache), [""; 0], "{tool}");
    }
}
