//! The real test binaries, with one mutant active.
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use warploom_verification::mutation::{LIST, NUMBER};

use crate::blocks::BLOCKS;

/// The binaries that are needed: those of all blocks, and those that every block is run in.
fn needed() -> BTreeSet<&'static str> {
    let benches = BLOCKS.iter().flat_map(|block| block.benches);
    let benches = benches.map(|bench| bench.split_once(':').map_or(*bench, |(binary, _)| binary));
    ["unit_tests", "reset", "random_programs"].into_iter().chain(benches).collect()
}

/// Some tests of one binary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tests {
    /// The binary.
    pub binary: &'static str,
    /// Parts of the tests' names, all if empty; or `--exact` and a name.
    pub filters: Vec<String>,
    /// Variables of the environment that say what they run on.
    pub environment: Vec<(&'static str, &'static str)>,
}

/// What they said.
pub struct Outcome {
    /// Names of tests that passed.
    pub passed: BTreeSet<String>,
    /// And that did not.
    pub failed: BTreeSet<String>,
    /// They did not come to an end, or crashed.
    pub stuck: bool,
    /// How long they took.
    pub time: Duration,
}

/// Built test binaries, and a list of mutants that they build into their simulators.
pub struct Binaries {
    paths: HashMap<String, PathBuf>,
    folder: PathBuf,
    list: PathBuf,
}

impl Binaries {
    /// Builds them.
    ///
    /// # Panics
    /// If cargo fails.
    pub fn new(mutants: impl Iterator<Item = impl AsRef<str>>) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
        fs::create_dir_all(&folder).expect("a folder that can be written");
        let names: String = mutants.map(|name| format!("{}\n", name.as_ref())).collect();
        let list = folder.join(format!("{}.txt", std::process::id()));
        fs::write(&list, names).expect("a file that can be written");

        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["test", "--package", "warploom-verification", "--no-run", "--message-format=json", "--quiet"]);
        cargo.args(needed().into_iter().flat_map(|name| ["--test", name]));
        let output = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
        assert!(output.status.success(), "the tests cannot be built");
        let messages = String::from_utf8(output.stdout).expect("JSON");
        let built = messages.lines().filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            Some((message["target"]["name"].as_str()?.to_string(), message["executable"].as_str()?.into()))
        });
        Self { paths: built.collect(), folder, list }
    }

    /// Whether there are such tests.
    pub fn have(&self, tests: &Tests) -> bool {
        let mut command = Command::new(&self.paths[tests.binary]);
        let output = command.args(["--list", "--include-ignored"]).args(&tests.filters).output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).lines().any(|line| line.ends_with(": test"))
    }

    /// Runs tests with a mutant active, by its place in the list from 1 on; 0: none.
    pub fn run(&self, tests: &Tests, mutant: usize, limit: Duration) -> Outcome {
        let start = Instant::now();
        let said = tempfile::NamedTempFile::new_in(&self.folder).expect("a file that can be written");
        let mut command = Command::new(&self.paths[tests.binary]);
        command.arg("--include-ignored").args(&tests.filters).env(LIST, &self.list).env(NUMBER, mutant.to_string());
        command.env("WARPLOOM_CACHE", self.folder.join("cache"));
        command.envs(tests.environment.iter().copied());
        let out = said.reopen().expect("a file that can be written");
        let mut child = command
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(File::create("/dev/null").expect("a sink"))
            .spawn()
            .expect("it runs");
        let status = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break Some(status),
                None if start.elapsed() > limit => {
                    child.kill().expect("a child");
                    child.wait().expect("a child");
                    break None;
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let said = fs::read_to_string(said.path()).unwrap_or_default();
        let of = |result: &str| {
            let lines = said.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(result));
            lines.map(|name| name.trim_end_matches(" ... ").to_string()).collect::<BTreeSet<_>>()
        };
        let (passed, failed) = (of("ok"), of("FAILED"));
        let stuck = status.is_none_or(|status| !status.success() && failed.is_empty());
        Outcome { passed, failed, stuck, time: start.elapsed() }
    }
}

impl Drop for Binaries {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.list));
    }
}
