//! Which parts of a design were woken in which cycles: recorded, kept in the cache, and found there when the design is built.
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use twox_hash::XxHash64;

use super::BuildError;
use crate::cache::{Cache, PROFILE};
use crate::gating::Partitions;
use crate::gating::profile::Profile;

/// What is recorded of the simulators of a design; see [`BuildOptions::record`](super::BuildOptions::record).
#[derive(Clone, Debug)]
pub struct Recording {
    cache: Cache,
    file: PathBuf,
    seen: Arc<Mutex<Profile>>,
}

/// Of one simulator, added to what is recorded when it is dropped.
pub struct Recorder {
    to: Recording,
    seen: Profile,
}

/// Names these pieces of the design of this fingerprint: what is recorded of them tells of no others.
pub fn name(pieces: &Partitions, fingerprint: u64) -> String {
    let half = |salt: u64| {
        let mut hasher = XxHash64::with_seed(salt);
        (&pieces.nodes, &pieces.registers, fingerprint).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}{PROFILE}", half(1), half(2))
}

/// What the cache has of this name. What cannot be read tells nothing: it is recorded anew.
pub fn find(cache: &Cache, name: &str) -> Option<Profile> {
    let text = cache.has_own(name).then(|| fs::read(cache.path().join(name)).ok())??;
    serde_json::from_slice(&text).ok()
}

impl Recording {
    /// Into the cache, under this name.
    pub fn new(cache: Cache, name: &str) -> Self {
        let file = cache.path().join(name);
        Self { cache, file, seen: Arc::default() }
    }

    /// For one more simulator.
    pub fn recorder(&self) -> Recorder {
        Recorder { to: self.clone(), seen: Profile::default() }
    }

    /// Adds what was seen by the simulators that have been dropped to what the cache has; returns how many cycles these are now.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self) -> Result<u64, BuildError> {
        let failed = |error: std::io::Error| BuildError::Io { path: self.file.clone(), reason: error.to_string() };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        // Another run may be at its end as well.
        let _held = self.cache.hold().map_err(failed)?;
        let mut all = find(&self.cache, &name).unwrap_or_default();
        all.add(&seen);
        let work = self.cache.work().map_err(failed)?;
        let written = work.path().join("profile");
        fs::write(&written, serde_json::to_vec(&all).expect("numbers")).map_err(failed)?;
        work.publish(&written, &name).map_err(failed)?;
        *seen = Profile::default();
        Ok(all.cycles())
    }

    /// Where it is kept.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl Recorder {
    /// A cycle has woken these pieces.
    pub fn note(&mut self, woken: u64) {
        self.seen.note(woken);
    }

    /// What it adds to.
    pub fn recording(&self) -> Recording {
        self.to.clone()
    }

    /// For another simulator of the same.
    pub fn another(&self) -> Self {
        self.to.recorder()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.to.seen.lock().unwrap_or_else(PoisonError::into_inner).add(&self.seen);
    }
}
