//! What is there for shells, for man and for scripts.
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::{Ran, command, contains, ran, warploom};

#[test]
fn completions_and_man_pages_know_every_command() {
    let help = warploom(&["--help"]).stdout;
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names: Vec<&str> = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty() && *name != "help").collect();
    assert!(names.contains(&"run") && names.contains(&"man"), "{names:?}");
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("pages");
    let Ran { status, stderr, .. } = warploom(&["man", "-o", pages.to_str().unwrap()]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    for name in &names {
        contains(&std::fs::read_to_string(pages.join(format!("warploom-{name}.1"))).unwrap(), &[".TH", ".SH SYNOPSIS"]);
    }
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), names.len() + 1);
    for shell in ["bash", "zsh", "fish"] {
        contains(&warploom(&["completions", shell]).stdout, &names);
    }
}

/// Both wait for somebody who reads what they write.
#[test]
fn ctrl_c_while_files_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path().to_str().unwrap();
    for (file, args) in [("warploom.1", ["man", "-o", here].as_slice()), ("fifo.v", &["export", "fifo", "-o", here])] {
        assert!(Command::new("mkfifo").arg(directory.path().join(file)).status().unwrap().success());
        let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{args:?}");
        // SAFETY: sends a signal to a process that we have started and not yet waited for.
        assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
        let Ran { status, stdout, stderr } = ran(child.wait_with_output().unwrap());
        assert_eq!((status, stdout.as_str()), (130, ""), "{args:?}");
        assert_eq!(stderr, "interrupted before there was a result\n", "{args:?}");
    }
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 2, "nothing is left over");
}

/// A tool that is asked for its version when Ctrl-C comes is not missing; one that a signal ends has not answered.
#[test]
fn ctrl_c_while_the_doctor_asks() {
    let directory = tempfile::tempdir().unwrap();
    let script = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    };
    let doctor = |rustc: &Path| {
        let mut command = command(&["doctor"]);
        command.env("RUSTC", rustc).env("PATH", format!("{}:/usr/bin:/bin", directory.path().display()));
        ran(command.output().unwrap())
    };
    let good = script("good", "echo rustc 1.2.3");
    script("verilator", "kill -KILL $$");
    script("yosys", "echo Yosys 0.9");
    let Ran { stdout, .. } = doctor(&good);
    let target = format!("vectors      {:<10} the best", warploom_sim::emit::Target::native().name());
    contains(&stdout, &["rustc        1.2.3 ", &target, "verilator    missing ", "yosys        0.9 "]);
    let interrupted = |rustc: &Path| {
        let Ran { status, stdout, stderr } = doctor(rustc);
        assert_eq!((status, stderr.as_str()), (130, "interrupted before there was a result\n"), "{stdout}");
        assert!(!stdout.contains("missing") && !stdout.contains("yosys"), "{stdout}");
    };
    interrupted(&script("slow", "kill -INT $PPID; exec sleep 20"));
    script("verilator", "kill -INT $PPID; kill -INT $$");
    interrupted(&good);
}

#[test]
fn the_schema_has_the_version_of_the_report_and_all_its_fields() {
    let schema: Value = serde_json::from_str(&warploom(&["schema", "run"]).stdout).unwrap();
    let report = warploom(&["run", "gcd", "--preset", "tiny", "--size", "smoke", "--json"]).stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    let id = schema["$id"].as_str().unwrap();
    assert!(id.ends_with(&format!("run.json?version={}", report["schema_version"])), "{id}");
    let report = report.as_object().unwrap();
    for field in report.keys() {
        assert!(schema["properties"].get(field).is_some(), "{field}");
    }
    for field in schema["required"].as_array().unwrap() {
        assert!(report.contains_key(field.as_str().unwrap()), "{field}");
    }
}

#[test]
fn verdicts_are_coloured_where_that_is_wanted() {
    let first = |variable: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
        command.args(["run", "gcd", "--preset", "tiny", "--size", "smoke"]).args(more);
        let output = command.env_remove("NO_COLOR").env(variable, "1").output().unwrap();
        String::from_utf8(output.stdout).unwrap().lines().next().unwrap().to_string()
    };
    assert!(first("CLICOLOR_FORCE", &[]).starts_with("\u{1b}[1m\u{1b}[32mPASS\u{1b}[0m  gcd"));
    assert!(first("NO_COLOR", &[]).starts_with("PASS  gcd"));
    assert_eq!(first("CLICOLOR_FORCE", &["--json"]), "{");
}
