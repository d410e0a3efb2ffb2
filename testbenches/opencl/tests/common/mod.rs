//! Hosts in C and C++, compiled and run through the system's ICD loader.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use warploom_requirements::met;
use warploom_runtime::toolchain;

/// What a host is linked with.
const LIBRARIES: &[&str] = &["-lOpenCL", "-lm"];

/// Seconds after which a host is stopped, which fails its test: one that waits for ever would hold up all that come after it.
const LONGEST: &str = "1200";

/// Whether all is here that a host needs.
pub fn can_run() -> bool {
    met(&[("clang and ld.lld", toolchain::available()), ("cc and the OpenCL ICD loader with its headers", links())])
}

fn links() -> bool {
    let made = tempfile::tempdir().unwrap();
    let source = made.path().join("host.c");
    let text =
        "#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/opencl.h>\nint main(void) { return clFlush(0) == 0; }\n";
    std::fs::write(&source, text).unwrap();
    let output = Command::new("cc").arg(&source).arg("-o").arg(made.path().join("host")).args(LIBRARIES).output();
    output.is_ok_and(|output| output.status.success())
}

/// The library under test, which cargo puts beside the tests.
pub fn library() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let library = here.with_file_name("libwarploom_opencl.so");
    assert!(library.is_file(), "{}", library.display());
    library
}

/// A host, compiled: its path in a directory that is there as long as this is.
pub struct Host {
    /// Where its files are.
    directory: PathBuf,
    executable: PathBuf,
    _made: TempDir,
}

impl Host {
    /// From a file of this crate's `tests`.
    pub fn new(file: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
        let made = tempfile::tempdir().unwrap();
        let executable = made.path().join("host");
        let compiler = if file.ends_with(".cpp") { "c++" } else { "cc" };
        let mut command = Command::new(compiler);
        command.args(["-O1", "-Wall", "-Wno-unused-function"]).arg(&source).arg("-o").arg(&executable).args(LIBRARIES);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self { directory: source.parent().unwrap().to_path_buf(), executable, _made: made }
    }

    /// Runs it where its source is, on such a device.
    pub fn run(&self, variables: &[(&str, &str)]) -> Output {
        self.run_with(&[], variables)
    }

    /// The same, with these arguments.
    pub fn run_with(&self, arguments: &[String], variables: &[(&str, &str)]) -> Output {
        self.run_in(&self.directory, arguments, variables)
    }

    /// The same, in this directory of this crate's `tests`.
    pub fn run_in(&self, directory: &Path, arguments: &[String], variables: &[(&str, &str)]) -> Output {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
        let mut command = Command::new("timeout");
        command.arg(LONGEST).arg(&self.executable);
        for name in
            ["WARPLOOM_PRESET", "WARPLOOM_MECHANISM", "WARPLOOM_SETTING", "WARPLOOM_LAUNCHES", "WARPLOOM_MEMORY"]
        {
            command.env_remove(name);
        }
        command
            .args(arguments)
            .current_dir(directory)
            .env("OCL_ICD_VENDORS", library())
            .envs(variables.iter().copied());
        command.output().unwrap()
    }
}

/// What a run printed; it ended well.
pub fn passed(output: &Output) -> String {
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}: {printed}{said}", output.status);
    printed.into_owned()
}
