//! The directory with what has been compiled: whose it may be, who works in it, what is in it.
//!
//! What is in it is loaded and run. So it has to be the user's own, and nobody else may write there; and there is none that users share.
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

mod access;
mod contents;
mod tag;
mod work;

pub use contents::{Contents, Kind, PROFILE, Share};
pub use work::Work;

/// Why the cache cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    /// The environment does not say where it could be.
    #[error(
        "there is no place for compiled simulators: none of WARPLOOM_CACHE, XDG_CACHE_HOME and HOME is set; set WARPLOOM_CACHE to a directory of your own"
    )]
    NoPlace,
    /// Someone else may put there what would be run here.
    #[error("the cache {} {problem}, and what is in it is run: {remedy}", .directory.display())]
    Unsafe {
        /// Which directory.
        directory: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// It may be a directory of the user's own, with files that only have names like warploom's.
    #[error("the cache {} holds other files: name an empty directory, or one that is yet to be made", .0.display())]
    NotOurs(PathBuf),
    /// It cannot be made or read.
    #[error("the cache {} cannot be used: {reason}; WARPLOOM_CACHE names another directory", .directory.display())]
    Io {
        /// Which directory.
        directory: PathBuf,
        /// Why.
        reason: String,
    },
}

/// A directory that is the user's own.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
}

/// `$WARPLOOM_CACHE`, else `warploom` in the user's cache directory; and whether its name says that it is warploom's. There is no other place: a directory that all users may make is
/// nobody's, and one for this process alone would compile everything anew every time without a word.
fn default_place() -> Result<(PathBuf, bool), CacheError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let by_name = |cache: PathBuf| (cache.join("warploom"), true);
    variable("WARPLOOM_CACHE")
        .map(|cache| (cache, false))
        .or_else(|| variable("XDG_CACHE_HOME").map(by_name))
        .or_else(|| variable("HOME").map(|home| by_name(home.join(".cache"))))
        .ok_or(CacheError::NoPlace)
}

impl Cache {
    /// That in `directory`, or in the [default place](default_place). It is made if need be, and what killed builds have left is removed.
    ///
    /// # Errors
    /// If there is no place for it, or it is not the user's own, or others may write there, or it is there with other things in it.
    pub fn open(directory: Option<&Path>) -> Result<Self, CacheError> {
        let (directory, is_ours) =
            directory.map_or_else(default_place, |directory| Ok((directory.to_path_buf(), false)))?;
        let io = |error: io::Error| CacheError::Io { directory: directory.clone(), reason: error.to_string() };
        DirBuilder::new().recursive(true).mode(0o700).create(&directory).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => io(io::ErrorKind::NotADirectory.into()),
            _ => io(error),
        })?;
        access::check(&directory)?;
        tag::mark(&directory, is_ours)?;
        // From here on no link stands in between.
        let cache = Self { directory: directory.canonicalize().map_err(io)? };
        cache.remove_dead();
        Ok(cache)
    }

    /// The same to look at: what is not there yet is not made, and `None`.
    ///
    /// # Errors
    /// As those of [`open`](Self::open).
    pub fn look() -> Result<(PathBuf, Option<Self>), CacheError> {
        let (directory, _) = default_place()?;
        // A link that leads nowhere is there: what is wrong with it is said.
        if directory.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok((directory, None));
        }
        let cache = Self::open(None)?;
        Ok((cache.directory.clone(), Some(cache)))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.directory
    }

    /// A directory in it, made if need be.
    pub fn subdirectory(&self, name: &str) -> Result<PathBuf, CacheError> {
        let directory = self.directory.join(name);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&directory);
        made.map_err(|error| CacheError::Io { directory: directory.clone(), reason: error.to_string() })?;
        access::check(&directory)?;
        Ok(directory)
    }

    /// Whether there is a file of this name that nobody else can have written.
    pub fn has_own(&self, name: &str) -> bool {
        access::is_own_file(&self.directory.join(name))
    }
}
