//! A full disk: a file system of 64 KB where one may mount one, else a limit on the size of files.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use warploom_requirements::skip;

use crate::support::{Ran, fails, files, limited, run, warploom};

/// A directory that has room for little.
struct SmallDisk {
    directory: tempfile::TempDir,
    mounted: bool,
    /// Where it is not mounted: the largest file, in blocks of 512 bytes.
    blocks: usize,
}

impl SmallDisk {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs"])
            .arg(directory.path())
            .stderr(Stdio::null())
            .status();
        let mounted = mount.is_ok_and(|status| status.success());
        if !mounted {
            println!("no file system can be mounted here: a limit on the size of files instead");
        }
        Self { directory, mounted, blocks: 64 }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A command that writes there; FILE is `name` in it.
    fn command(&self, arguments: &str, name: &str) -> Command {
        let arguments = arguments.replace("FILE", &self.path(name).display().to_string());
        if self.mounted {
            warploom(&arguments)
        } else {
            limited(&format!("trap '' XFSZ; ulimit -f {}", self.blocks), &arguments)
        }
    }

    /// Leaves this much room for what is written next.
    fn fill(&self) {
        if self.mounted {
            let mut filler = fs::File::create(self.path("filler")).unwrap();
            while std::io::Write::write_all(&mut filler, &[0; 4096]).is_ok() {}
        }
    }

    /// What the operating system says.
    fn reason(&self) -> &'static str {
        if self.mounted { "No space left on device" } else { "File too large" }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if self.mounted {
            let _ = Command::new("umount").arg(self.directory.path()).status();
        }
    }
}

const RUN: &str = "run bfs --preset tiny --size smoke";

/// The counters are printed all the same, and then what is missing.
#[test]
fn a_disk_that_fills_up_under_a_waveform_or_a_trace() {
    for (option, name) in [("--vcd", "a.vcd"), ("--fst", "a.fst"), ("--perfetto", "a.json")] {
        let disk = SmallDisk::new();
        // Of FST, which is small, all signals; it has all of it in memory until the end.
        let signals = if option == "--vcd" { "--signals core.divergence.*" } else { "" };
        let command = disk.command(&format!("{RUN} {option} FILE {signals}"), name);
        let Ran { status, stdout, stderr } = run(command);
        assert_eq!(status, Some(2), "{option}: {stderr}");
        assert!(stdout.starts_with("PASS"), "{option}: {stdout}");
        for part in ["error: ", "/a.", disk.reason()] {
            assert!(stderr.contains(part), "{option}: no {part:?} in: {stderr}");
        }
    }
}

/// Not even the header has room, nor the save file; what goes elsewhere is written.
#[test]
fn a_disk_that_is_full_when_a_waveform_begins() {
    const SIGNALS: &str = "--signals core.divergence.*";
    let loses_the_waveform = |command: Command| {
        let Ran { status, stdout, stderr } = run(command);
        assert_eq!(status, Some(2), "{stderr}");
        assert!(stdout.starts_with("PASS"), "{stdout}");
        assert!(stderr.starts_with("error: the waveform ") && stderr.contains("No space left"), "{stderr}");
    };
    let other = tempfile::tempdir().unwrap();
    let trace = other.path().join("a.json");
    loses_the_waveform(warploom(&format!("{RUN} {SIGNALS} --vcd /dev/full --perfetto {}", trace.display())));
    assert!(fs::read_to_string(trace).unwrap().ends_with("]}\n"));

    let disk = SmallDisk::new();
    if !disk.mounted {
        return skip("a file system that can be mounted");
    }
    fs::write(disk.path("a.vcd"), "").unwrap();
    fs::write(disk.path("a.gtkw"), "before").unwrap();
    disk.fill();
    loses_the_waveform(disk.command(&format!("{RUN} {SIGNALS} --vcd FILE"), "a.vcd"));
    assert_eq!(fs::read_to_string(disk.path("a.gtkw")).unwrap(), "before");
}

/// A checkpoint that cannot be written is no reason to end a run, and the one before stays.
#[test]
fn a_disk_that_is_full_when_a_checkpoint_is_due() {
    let mut disk = SmallDisk::new();
    disk.blocks = 4;
    let checkpoint = disk.path("run");
    fs::write(&checkpoint, "the one before").unwrap();
    disk.fill();
    let command = disk.command(&format!("{RUN} --checkpoint FILE --checkpoint-at 3000"), "run");
    let Ran { status, stdout, stderr } = run(command);
    if status == Some(2) {
        // Noticed before anything ran.
        assert!(stderr.contains("cannot write "), "{stderr}");
    } else {
        assert!(stdout.starts_with("PASS") && stderr.contains("warning: "), "{stdout}{stderr}");
    }
    assert_eq!(fs::read_to_string(&checkpoint).unwrap(), "the one before");
    assert!(files(disk.directory.path()).iter().all(|name| !name.ends_with(".partial")));
}

/// Commands whose output is one file: the file that was there stays as it was, and nothing is left beside it.
#[test]
fn a_full_disk_does_not_cost_the_file_that_was_there() {
    let results = tempfile::tempdir().unwrap();
    let compare = format!("compare gcd bfs -m spe --preset tiny --size smoke --cache {}", results.path().display());
    for (arguments, name) in [
        (format!("{compare} --csv FILE"), "a.csv"),
        (format!("{compare} --html FILE"), "a.html"),
        ("picture bfs --preset tiny --size smoke -o FILE".to_string(), "a.svg"),
        ("export core --preset small --force -o FILE".to_string(), ""),
    ] {
        let disk = SmallDisk::new();
        let good = disk.path(if name.is_empty() { "core.v" } else { name });
        fs::write(&good, "good").unwrap();
        disk.fill();
        let before = files(disk.directory.path());
        let command = disk.command(&arguments, name);
        if name == "a.csv" && !disk.mounted {
            continue; // Too short for a limit on the size of files.
        }
        fails(command, &["cannot write", disk.reason()]);
        assert_eq!(fs::read_to_string(&good).unwrap(), "good", "{arguments}");
        assert_eq!(files(disk.directory.path()), before, "{arguments}");
    }
}

/// Standard output that is full.
#[test]
fn standard_output_on_a_full_disk() {
    for arguments in [
        &format!("{RUN} --json"),
        "kernels",
        "--help",
        "run --help",
        "--version",
        "modules --json",
        "picture bfs --preset tiny --size smoke -o -",
    ] {
        let mut command = warploom(arguments);
        command.stdout(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        fails(command, &["cannot write to standard output: No space left on device"]);
    }
}

/// Caches that cannot take anything: the simulator that is there is used, and what cannot be built or kept is said.
#[test]
fn a_cache_on_a_full_disk() {
    let disk = SmallDisk::new();
    if !disk.mounted {
        // A limit on the size of files would stop the compiler as well.
        return skip("a file system that can be mounted");
    }
    let cache = |arguments: &str| {
        let mut command = warploom(arguments);
        command.env("WARPLOOM_CACHE", disk.directory.path());
        command
    };
    assert_eq!(run(cache("cache")).status, Some(0), "and from now on it is one");
    disk.fill();
    let here = disk.directory.path().display().to_string();
    fails(cache(RUN), &["cannot build the simulator", &here, disk.reason()]);
    let compare = format!("compare vecadd -m spe --preset tiny --size smoke --cache {here}");
    fails(warploom(&compare), &["cannot keep a result in", &here, disk.reason()]);
    assert_eq!(files(disk.directory.path()), ["CACHEDIR.TAG", "filler"]);
    assert!(Path::new(&here).is_dir());
}

/// Standard error that is full, or whose reader has gone: what is said there is lost, and nothing else.
#[test]
fn standard_error_on_a_full_disk() {
    let results = tempfile::tempdir().unwrap();
    let compare = format!("compare gcd -m spe --preset tiny --size smoke --cache {}", results.path().display());
    // The second one says that there were results from the first.
    for (arguments, status) in [("run nothing", 2), (&compare[..], 0), (&compare[..], 0)] {
        let mut command = warploom(arguments);
        command.stderr(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        let ran = run(command);
        assert_eq!(ran.status, Some(status), "{arguments}");
        assert_eq!(ran.stdout.contains("gcd"), status == 0, "{arguments}: {}", ran.stdout);
    }
}

/// A limit on the size of files sends a signal that ends a process, unless it is ignored.
#[test]
fn a_limit_on_the_size_of_files() {
    let directory = tempfile::tempdir().unwrap();
    let export = format!("export core --preset tiny -o {}", directory.path().display());
    fails(limited("ulimit -f 20", &export), &["cannot write ", "File too large"]);
    assert_eq!(files(directory.path()), [""; 0]);
}
