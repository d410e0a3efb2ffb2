//! Running the binary.
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What a command printed and how it ended; no status: by a signal.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// `warploom` with these arguments, separated by blanks.
pub fn warploom(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warploom"));
    command.args(arguments.split_whitespace());
    quiet(&mut command);
    command
}

/// The same from a shell that has said something before: a limit.
pub fn limited(limit: &str, arguments: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}; exec {} {arguments}", env!("CARGO_BIN_EXE_warploom"))]);
    quiet(&mut command);
    command
}

fn quiet(command: &mut Command) {
    command.env_remove("COLUMNS").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
}

/// Runs it to its end. It must not panic.
#[track_caller]
pub fn run(mut command: Command) -> Ran {
    ran(command.output().expect("it starts"))
}

/// See [`run`].
#[track_caller]
pub fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    for panic in ["panicked", "RUST_BACKTRACE", "a bug in warploom", "stack overflow", "memory allocation of"] {
        assert!(!stdout.contains(panic) && !stderr.contains(panic), "{stdout}{stderr}");
    }
    Ran { status: output.status.code(), stdout, stderr }
}

/// Refused or given up: status 2, an error on stderr with all of `parts`.
#[track_caller]
pub fn fails(command: Command, parts: &[&str]) {
    let Ran { status, stdout, stderr } = run(command);
    assert_eq!(status, Some(2), "{stdout}{stderr}");
    assert!(stderr.contains("error: "), "{stderr}");
    for part in parts {
        assert!(stderr.contains(part), "no {part:?} in:\n{stderr}");
    }
}

/// Waits until something is so, which `child` has to bring about.
#[track_caller]
pub fn until(child: &mut Child, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended by itself");
        assert!(start.elapsed() < Duration::from_secs(300), "it never came to be");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Files of a directory, hidden ones and those of directories in it too.
pub fn files(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return vec![] };
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Path of a micro-kernel.
pub fn elf(micro: &str) -> String {
    format!("{}/testbenches/runtime/kernels/micro/{micro}.elf", env!("CARGO_MANIFEST_DIR"))
}
