//! CACHEDIR.TAG: whose cache a directory is. What has none may be a directory of the user's own, and is not tidied.
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::{Cache, CacheError};

/// The name that [backup programs know](https://bford.info/cachedir/).
pub(super) const NAME: &str = "CACHEDIR.TAG";

const TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55
# What warploom has compiled, and results: `warploom cache --clean` empties it.
";

/// Marks a directory as warploom's: a new one, or one that `is_ours` by its name.
pub(super) fn mark(directory: &Path, is_ours: bool) -> Result<(), CacheError> {
    let io = |error: io::Error| CacheError::Io { directory: directory.to_path_buf(), reason: error.to_string() };
    let path = directory.join(NAME);
    let is_marked = || match fs::read_to_string(&path) {
        // Another process is about to write it.
        Ok(text) => text.is_empty() || text.contains("warploom"),
        Err(_) => false,
    };
    if is_marked() {
        return Ok(());
    }
    if !is_ours {
        let is_empty = fs::read_dir(directory).map_err(io)?.next().is_none();
        // Another process may have marked it in between.
        if !is_empty && !is_marked() {
            return Err(CacheError::NotOurs(directory.to_path_buf()));
        }
    }
    match OpenOptions::new().write(true).create_new(true).open(&path).and_then(|mut tag| tag.write_all(TEXT.as_bytes()))
    {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // What is in it can be used.
        Err(error) if is_ours && error.kind() == io::ErrorKind::ReadOnlyFilesystem => Ok(()),
        done => done.map_err(io),
    }
}

impl Cache {
    /// Whoever else wants to hold it waits until this is dropped. Where files cannot be locked, nobody does.
    pub fn hold(&self) -> io::Result<File> {
        let tag = File::open(self.path().join(NAME))?;
        let _ = tag.lock();
        Ok(tag)
    }
}
