//! What is in the cache, and how it is emptied.
use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Cache, tag, work};

/// What an entry of the cache is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A compiled simulator.
    Simulator,
    /// What was recorded of simulators.
    Profile,
    /// What Verilator and g++ have made of an exported design, and what all such need.
    Verilator,
    /// Results of comparisons.
    Results,
    /// What could not be compiled, for the user to look at.
    Failed,
    /// Being compiled.
    UnderWay,
    /// None of warploom's: it is left alone.
    Other,
}

/// How much there is of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Entries; of results, each one.
    pub entries: usize,
    /// Bytes.
    pub bytes: u64,
}

/// What is in the cache.
#[derive(Clone, Debug, Serialize)]
pub struct Contents {
    /// Where it is.
    pub directory: PathBuf,
    /// Every kind, also those of which there is nothing.
    pub kinds: BTreeMap<Kind, Share>,
}

const RESULTS: &str = "results";
/// How the names of profiles end.
pub const PROFILE: &str = ".profile";
const KINDS: [Kind; 7] =
    [Kind::Simulator, Kind::Profile, Kind::Verilator, Kind::Results, Kind::Failed, Kind::UnderWay, Kind::Other];

impl Kind {
    fn of(path: &Path, metadata: &Metadata) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_key = |text: &str| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_library = name.ends_with(std::env::consts::DLL_SUFFIX) && !metadata.is_dir();
        if work::is_work(path) {
            Self::UnderWay
        } else if name.starts_with(work::FAILED) && metadata.is_dir() {
            Self::Failed
        } else if name == RESULTS && metadata.is_dir() {
            Self::Results
        } else if name.starts_with("verilated-") && is_library || name.starts_with("verilator-") && metadata.is_dir() {
            Self::Verilator
        } else if is_library && name.split_once('-').is_some_and(|(key, _)| is_key(key)) {
            Self::Simulator
        } else if name.strip_suffix(PROFILE).is_some_and(is_key) && !metadata.is_dir() {
            Self::Profile
        } else {
            Self::Other
        }
    }
}

impl Contents {
    /// Of a cache that is yet to be made.
    pub fn none(directory: PathBuf) -> Self {
        Self { directory, kinds: BTreeMap::from(KINDS.map(|kind| (kind, Share::default()))) }
    }
}

impl Cache {
    /// How much there is of what.
    pub fn contents(&self) -> io::Result<Contents> {
        let Contents { directory, mut kinds } = Contents::none(self.directory.clone());
        for (path, kind) in self.entries()? {
            // The lock of a directory belongs to it.
            if kind == Kind::UnderWay && !path.is_dir() {
                continue;
            }
            let share = kinds.entry(kind).or_default();
            share.bytes += bytes(&path);
            share.entries += 1;
        }
        Ok(Contents { directory, kinds })
    }

    /// Removes all that warploom has put there and nobody is working in; returns how much that was.
    pub fn clean(&self) -> io::Result<Share> {
        let mut removed = Share::default();
        for (path, kind) in self.entries()? {
            if matches!(kind, Kind::UnderWay | Kind::Other) {
                continue;
            }
            removed.entries += 1;
            removed.bytes += bytes(&path);
            let is_directory = fs::symlink_metadata(&path)?.is_dir();
            if is_directory {
                fs::remove_dir_all(&path)?
            } else {
                fs::remove_file(&path)?
            };
        }
        // It stays if there is something else in it.
        let _ = fs::remove_dir(self.directory.join(RESULTS));
        Ok(removed)
    }

    /// What is there; in place of the directory of results, what is in it.
    fn entries(&self) -> io::Result<Vec<(PathBuf, Kind)>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            // Others may be removing it.
            let metadata = entry.metadata().ok().filter(|_| entry.file_name() != tag::NAME);
            match metadata.map(|metadata| Kind::of(&entry.path(), &metadata)) {
                Some(Kind::Results) => {
                    let inside = fs::read_dir(entry.path())?.flatten().map(|entry| entry.path());
                    entries.extend(
                        inside.map(|path| (path.clone(), if is_result(&path) { Kind::Results } else { Kind::Other })),
                    );
                }
                Some(kind) => entries.push((entry.path(), kind)),
                None => {}
            }
        }
        Ok(entries)
    }
}

/// Whether that is a result, by its name: a number, or what a comparison that was killed had begun to write.
fn is_result(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_number = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.strip_suffix(".json").is_some_and(is_number) || name.starts_with(".tmp")
}

/// Of a file, or of all that is in a directory. What goes away meanwhile has none.
fn bytes(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| bytes(&entry.path())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_what_is_worked_in_or_of_others_is_removed() {
        let place = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(place.path())).unwrap();
        let at = |name: &str| place.path().join(name);
        let key = "0123456789abcdef".repeat(2);
        let library = |name: String| name + std::env::consts::DLL_SUFFIX;
        fs::write(at(&library(format!("{key}-0123456789abcdef"))), "12345").unwrap();
        fs::write(at(&library(format!("verilated-{key}"))), "123").unwrap();
        fs::write(at(&format!("{key}.profile")), "1234").unwrap();
        fs::write(at("thesis.profile"), "1").unwrap();
        for directory in ["results", "failed-a", "verilator-0"] {
            fs::create_dir(at(directory)).unwrap();
            fs::write(at(directory).join("a"), "12").unwrap();
        }
        let result = |digit: &str| at("results").join(digit.repeat(16) + ".json");
        fs::write(result("0"), "12").unwrap();
        fs::write(result("f"), "1").unwrap();
        fs::write(at("thesis.tex"), "1234567").unwrap();
        let _work = cache.work().unwrap();
        let shares = || cache.contents().unwrap().kinds.into_values().map(|share| (share.entries, share.bytes));
        assert_eq!(shares().collect::<Vec<_>>(), [(1, 5), (1, 4), (2, 5), (2, 3), (1, 2), (1, 0), (3, 10)]);
        assert_eq!(cache.clean().unwrap(), Share { entries: 7, bytes: 19 });
        assert_eq!(shares().collect::<Vec<_>>(), [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (3, 10)]);
        assert!(at("results/a").exists(), "a file of the user's");
        fs::remove_file(at("results/a")).unwrap();
        cache.clean().unwrap();
        assert!(!at("results").exists());
    }
}
