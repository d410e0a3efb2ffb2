//! Results that are there already.
//!
//! A result depends on the netlist of the core, the kernel's program, what [`SetupArgs`] says of input and memory, the contents of the
//! files that buffers are filled with, and the host's part of the simulation, which is this program itself. All of it goes into the name of its file, so nothing is ever out of date.
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use twox_hash::XxHash64;

use crate::cli::SetupArgs;
use crate::report::RunReport;

/// Results on disk; several processes may use them at the same time.
pub struct Cache {
    directory: PathBuf,
    program: u64,
    fresh: bool,
}

/// What a result depends on, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Key(u64);

/// A file of the cache. It says what it is a result of, and has a checksum, so that a damaged one is not taken for another.
#[derive(Serialize, Deserialize)]
struct Entry {
    key: Key,
    setup: SetupArgs,
    report: RunReport,
    /// Of all that is before it.
    checksum: u64,
}

impl Entry {
    fn new(key: Key, setup: SetupArgs, report: RunReport) -> Self {
        let text = serde_json::to_string(&(key, &setup, &report)).expect("options and results are text and numbers");
        Self { key, setup, report, checksum: XxHash64::oneshot(0, text.as_bytes()) }
    }

    /// The entry in a file, if it is as it was written.
    fn read(text: &[u8]) -> Option<Self> {
        let Self { key, setup, report, checksum } = serde_json::from_slice(text).ok()?;
        Some(Self::new(key, setup, report)).filter(|entry| entry.checksum == checksum)
    }
}

impl Cache {
    /// In this directory, which is made if need be; `fresh`: nothing is read from it.
    pub fn open(directory: Option<&Path>, fresh: bool) -> Result<Self> {
        let directory = match directory {
            Some(directory) => {
                let cannot = || format!("cannot make the directory {} for results", directory.display());
                fs::create_dir_all(directory).with_context(cannot)?;
                directory.to_path_buf()
            }
            None => warploom_sim::cache::Cache::open(None)?.subdirectory("results")?,
        };
        Ok(Self { directory, program: program()?, fresh })
    }

    /// This program, as a number: two builds of different sources have different ones.
    pub fn program(&self) -> u64 {
        self.program
    }

    /// Of a run of the workload with this fingerprint on the core with this netlist.
    pub fn key(&self, setup: &SetupArgs, netlist: u64, workload: u64) -> Key {
        let mut hasher = XxHash64::default();
        let setup = serde_json::to_string(setup).expect("options are text and numbers");
        (self.program, netlist, workload, setup).hash(&mut hasher);
        Key(hasher.finish())
    }

    /// The result, if it is there. A file that cannot be read as one counts as none: the run will replace it.
    pub fn get(&self, key: Key) -> Option<RunReport> {
        let text = if self.fresh { None } else { fs::read(self.path(key)).ok() }?;
        let entry = Entry::read(&text)?;
        (entry.key == key).then_some(entry.report)
    }

    /// Keeps a result. Whoever reads it at the same time sees all of it or nothing.
    pub fn put(&self, key: Key, setup: &SetupArgs, report: &RunReport) -> Result<()> {
        let entry = Entry::new(key, setup.clone(), report.clone());
        let write = || -> Result<()> {
            let (mut file, path) = (NamedTempFile::new_in(&self.directory)?, self.path(key));
            file.write_all(&serde_json::to_vec(&entry)?)?;
            if path.is_dir() {
                fs::remove_dir_all(&path)?;
            }
            file.persist(path)?;
            Ok(())
        };
        write().with_context(|| format!("cannot keep a result in {}", self.directory.display()))
    }

    fn path(&self, key: Key) -> PathBuf {
        self.directory.join(format!("{:016x}.json", key.0))
    }
}

fn program() -> Result<u64> {
    let read = || fs::read(std::env::current_exe()?);
    let mut hasher = XxHash64::default();
    hasher.write(&read().context("cannot read the program itself")?);
    Ok(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(kernel: &str) -> SetupArgs {
        SetupArgs { kernel: Some(kernel.to_string()), ..SetupArgs::default() }
    }

    #[test]
    fn a_result_is_found_by_all_it_depends_on() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(directory.path()), false).unwrap();
        let key = cache.key(&setup("bfs"), 1, 3);
        assert!(cache.get(key).is_none());
        let report = RunReport { cycles: 42, ..RunReport::default() };
        cache.put(key, &setup("bfs"), &report).unwrap();
        assert_eq!(cache.get(key).map(|report| report.cycles), Some(42));
        for other in [cache.key(&setup("gcd"), 1, 3), cache.key(&setup("bfs"), 2, 3), cache.key(&setup("bfs"), 1, 4)] {
            assert!(cache.get(other).is_none());
        }
        assert!(Cache::open(Some(directory.path()), true).unwrap().get(key).is_none(), "fresh");
    }

    #[test]
    fn a_damaged_file_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(directory.path()), false).unwrap();
        let (key, other) = (cache.key(&setup("bfs"), 1, 4), cache.key(&setup("gcd"), 1, 4));
        cache.put(key, &setup("bfs"), &RunReport::default()).unwrap();
        let text = fs::read(cache.path(key)).unwrap();
        fs::write(cache.path(other), &text).unwrap();
        assert!(cache.get(other).is_none(), "of another run");
        let (size, report) = (text.len(), serde_json::to_string(&RunReport::default()).unwrap());
        for (byte, bit) in (0..size).step_by(7).map(|byte| (byte, byte % 8)) {
            let mut flipped = text.clone();
            flipped[byte] ^= 1 << bit;
            fs::write(cache.path(key), flipped).unwrap();
            // The name of a field that has no value may be another one: what is read is as it was.
            let found = cache.get(key).map(|report| serde_json::to_string(&report).unwrap());
            assert!(found.is_none_or(|found| found == report), "bit {bit} of byte {byte}");
        }
        for left in [size - 1, size / 2, 1, 0] {
            fs::write(cache.path(key), &text[..left]).unwrap();
            assert!(cache.get(key).is_none(), "cut off at {left}");
        }
        fs::remove_file(cache.path(key)).unwrap();
        fs::create_dir_all(cache.path(key).join("full")).unwrap();
        assert!(cache.get(key).is_none(), "a directory");
        cache.put(key, &setup("bfs"), &RunReport::default()).unwrap();
        assert!(cache.get(key).is_some(), "replaced");
    }
}
