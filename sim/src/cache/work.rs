//! Where something is being compiled.
//!
//! ```text
//! work-XXXXXX.lock    made first, and locked as long as the builder lives, however it ends
//! work-XXXXXX/        made then, removed first
//! ```
//! So a directory whose lock can be had is nobody's any more, and one without a lock is none of these; a lock alone is of who was ended in
//! between. In it is the name of the builder's machine: some file systems
//! that machines share keep locks to the machine, so that of another one has to be old as well.
use std::fs::{self, DirBuilder, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::Cache;

const PREFIX: &str = "work-";
const LOCK: &str = ".lock";
/// Nothing takes so long to compile.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);
/// Of directories that are kept for the user to look at.
pub(super) const FAILED: &str = "failed-";

/// A directory of one builder's own, removed when dropped.
#[derive(Debug)]
pub struct Work {
    directory: PathBuf,
    cache: PathBuf,
    _lock: NamedTempFile,
}

impl Cache {
    /// A new directory to work in. What is finished there is renamed to where it belongs.
    pub fn work(&self) -> io::Result<Work> {
        let lock = tempfile::Builder::new().prefix(PREFIX).suffix(LOCK).tempfile_in(&self.directory)?;
        // Where files cannot be locked, nobody else gets the lock either, and nothing is taken for dead.
        let _ = lock.as_file().lock();
        // Not before: until its name is there, the lock is not taken for one of a builder of here that is no more.
        lock.as_file().write_all(machine().as_bytes())?;
        let directory = lock.path().with_extension("");
        DirBuilder::new().mode(0o700).create(&directory)?;
        Ok(Work { directory, cache: self.directory.clone(), _lock: lock })
    }

    /// Removes the directories of builders that are no more.
    pub(super) fn remove_dead(&self) {
        for lock in locks(&self.directory) {
            // As long as it is held, nobody else does the same, and who begins now has a lock of another name.
            let Some(_held) = dead(&lock) else { continue };
            let _ = fs::remove_dir_all(lock.with_extension(""));
            let _ = fs::remove_file(&lock);
        }
    }
}

/// Of all directories that are worked in, or were.
fn locks(cache: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(cache).into_iter().flatten().flatten();
    let is_lock = |path: &PathBuf| is_work(path) && path.to_string_lossy().ends_with(LOCK) && path.is_file();
    entries.map(|entry| entry.path()).filter(is_lock)
}

/// Whether it is a directory to work in, or the lock of one.
pub(super) fn is_work(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(name) = name.strip_prefix(PREFIX) else { return false };
    let (is_lock, letters) = name.strip_suffix(LOCK).map_or((false, name), |letters| (true, letters));
    let is_drawn = letters.len() == 6 && letters.bytes().all(|letter| letter.is_ascii_alphanumeric());
    is_drawn && (is_lock || lock_of(path).is_file())
}

fn lock_of(directory: &Path) -> PathBuf {
    directory.with_extension(&LOCK[1..])
}

/// The lock of a builder that is no more, held.
fn dead(lock: &Path) -> Option<File> {
    let mut lock = File::open(lock).ok()?;
    let mut of = String::new();
    let is_of_here = lock.read_to_string(&mut of).is_ok() && of == machine();
    let is_old =
        || lock.metadata().and_then(|lock| lock.modified()).is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD));
    ((is_of_here || is_old()) && lock.try_lock().is_ok()).then_some(lock)
}

/// The name of this machine, where it has one.
fn machine() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default()
}

impl Work {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// Puts a finished library to its place in the cache, as one that only the user may write: the others are not run.
    pub fn publish(&self, built: &Path, name: &str) -> io::Result<PathBuf> {
        let library = self.cache.join(name);
        fs::set_permissions(built, Permissions::from_mode(0o700))?;
        fs::rename(built, &library)?;
        Ok(library)
    }

    /// Keeps what did not work, in the place of what was kept of the same `name`; returns where.
    pub fn keep(self, name: &str) -> PathBuf {
        let kept = self.cache.join(format!("{FAILED}{name}"));
        let _ = fs::remove_dir_all(&kept);
        match fs::rename(&self.directory, &kept) {
            Ok(()) => kept,
            Err(_) => self.directory.clone(),
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // If it stays, the next start removes it.
        let _ = fs::remove_dir_all(&self.directory);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CacheError, tag};
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_nobody_works_in_is_removed_at_the_next_start() {
        let place = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(place.path())).unwrap();
        let alive = cache.work().unwrap();
        fs::write(alive.path().join("simulator.rs"), "text").unwrap();
        for name in ["work-dead01", "work-thesis"] {
            fs::create_dir(place.path().join(name)).unwrap();
            fs::write(place.path().join(name).join("simulator.rs"), "text").unwrap();
        }
        fs::write(place.path().join("work-dead01.lock"), machine()).unwrap();
        fs::write(place.path().join("work-dead02.lock"), machine()).unwrap();
        // Perhaps alive, on another machine.
        fs::create_dir(place.path().join("work-other1")).unwrap();
        fs::write(place.path().join("work-other1.lock"), "another").unwrap();
        fs::create_dir(place.path().join("mine")).unwrap();
        Cache::open(Some(place.path())).unwrap();
        let name = alive.path().file_name().unwrap().to_str().unwrap().to_string();
        let mut expected =
            [tag::NAME, "mine", &name, &format!("{name}.lock"), "work-other1", "work-other1.lock", "work-thesis"];
        expected.sort();
        assert_eq!(names(place.path()), expected);
        drop(alive);
        assert_eq!(names(place.path()), [tag::NAME, "mine", "work-other1", "work-other1.lock", "work-thesis"]);
    }

    #[test]
    fn what_has_failed_is_kept_once() {
        let place = tempfile::tempdir().unwrap();
        let cache = Cache::open(Some(place.path())).unwrap();
        for text in ["first", "second"] {
            let work = cache.work().unwrap();
            fs::write(work.path().join("simulator.rs"), text).unwrap();
            let kept = work.keep("a");
            assert_eq!(fs::read_to_string(kept.join("simulator.rs")).unwrap(), text);
        }
        assert_eq!(names(place.path()), [tag::NAME, "failed-a"]);
    }

    #[test]
    fn a_directory_with_other_things_in_it_is_no_cache() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("results")).unwrap();
        let error = Cache::open(Some(place.path())).unwrap_err();
        assert_eq!(error, CacheError::NotOurs(place.path().to_path_buf()));
        assert_eq!(names(place.path()), ["results"]);
    }
}
