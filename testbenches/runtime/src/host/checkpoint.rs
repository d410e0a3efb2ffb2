//! A run between two cycles, in a file: [`RtlDevice::checkpoint`](super::RtlDevice::checkpoint) takes it,
//! [`RtlDevice::restore`](super::RtlDevice::restore) goes on from it.
//!
//! ```text
//! "WARPLOOM" | format, u32 | bytes that follow, u64 | their XXH64, u64 | LZ4 of postcard of Checkpoint
//! ```
//! Numbers are little-endian. The file is written beside its place and renamed into it, so that whatever happens while it is
//! written, the one before stays.
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;
use warploom_hdl::config::CoreConfig;
use warploom_sim::{RestoreError, State, files};

use super::history::{History, fingerprint};
use super::memory_model::MemoryModel;
use super::run_state::{Running, Transfers, WarpTrace};
use super::sparse::Sparse;
use crate::loader::Program;

const MAGIC: &[u8; 8] = b"WARPLOOM";

/// Of the file; changes whenever [`Checkpoint`] or what it is made of does.
const FORMAT: u32 = 2;

/// Magic, format, length, hash.
const HEADER: usize = 8 + 4 + 8 + 8;

/// A run between two cycles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// What the caller needs to run the same again, in the caller's own words.
    pub setup: String,
    /// The version of warploom that took it.
    pub warploom: String,
    pub(super) core: Vec<(String, String)>,
    pub(super) hardware: u64,
    pub(super) program: u64,
    pub(super) state: State,
    pub(super) memory: Sparse,
    pub(super) model: MemoryModel,
    pub(super) compact: bool,
    pub(super) permute: bool,
    pub(super) cycle: u64,
    pub(super) launches: u64,
    pub(super) running: Option<Running>,
    pub(super) warps: Vec<WarpTrace>,
    pub(super) transfers: Transfers,
    pub(super) history: History,
}

/// Why a run cannot go on from a checkpoint, or why it cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum CheckpointError {
    #[error("{}: {reason}", .path.display())]
    Io { path: PathBuf, reason: String },
    #[error("{}: not a checkpoint of warploom", .path.display())]
    NotACheckpoint { path: PathBuf },
    #[error("{}: a checkpoint of format {found}; this warploom ({}) reads format {FORMAT}", .path.display(), env!("CARGO_PKG_VERSION"))]
    OtherFormat { path: PathBuf, found: u32 },
    #[error("{}: the checkpoint is damaged: {reason}", .path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("the checkpoint is of another core: {}", .differences.join("; "))]
    OtherCore { differences: Vec<String> },
    #[error(
        "the hardware has changed since the checkpoint (netlist {here:016x}, in the checkpoint {there:016x}, of warploom {warploom})"
    )]
    OtherHardware { here: u64, there: u64, warploom: String },
    #[error("the program {name} has changed since the checkpoint (now {here:016x}, in the checkpoint {there:016x})")]
    OtherProgram { name: String, here: u64, there: u64 },
    #[error("the checkpoint does not fit the core: {0}")]
    State(#[from] RestoreError),
}

impl Checkpoint {
    /// Cycles simulated so far, loading included.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Whether it is of a core of these sizes.
    pub fn check_core(&self, config: &CoreConfig) -> Result<(), CheckpointError> {
        let here = describe(config);
        let of = |fields: &[(String, String)], name: &str| {
            let found = fields.iter().find(|(other, _)| other == name);
            found.map_or("nothing".to_string(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = here.iter().chain(&self.core).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        let differences = names.into_iter().filter_map(|name| {
            let (here, there) = (of(&here, name), of(&self.core, name));
            (here != there).then(|| format!("{name} is {there} in the checkpoint, {here} here"))
        });
        let differences: Vec<String> = differences.collect();
        if differences.is_empty() { Ok(()) } else { Err(CheckpointError::OtherCore { differences }) }
    }

    /// Whether this program was running.
    pub fn check_program(&self, program: &Program) -> Result<(), CheckpointError> {
        let (here, there) = (program.fingerprint(), self.program);
        if here == there {
            return Ok(());
        }
        Err(CheckpointError::OtherProgram { name: program.name.clone(), here, there })
    }

    /// Whether it is of this very hardware.
    pub(super) fn check_hardware(&self, here: u64) -> Result<(), CheckpointError> {
        if here == self.hardware {
            return Ok(());
        }
        Err(CheckpointError::OtherHardware { here, there: self.hardware, warploom: self.warploom.clone() })
    }

    /// Writes the file in the place of what is there.
    pub fn write(&self, path: &Path) -> Result<(), CheckpointError> {
        files::replace(path, &self.to_bytes()).map_err(cannot_be("written", path))
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, CheckpointError> {
        let bytes = files::read(path, files::MOST).map_err(cannot_be("read", path))?;
        Self::from_bytes(&bytes, path)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let plain = postcard::to_stdvec(self).expect("nothing in it has no representation");
        let packed = lz4_flex::block::compress_prepend_size(&plain);
        let length = (packed.len() as u64).to_le_bytes();
        [&MAGIC[..], &FORMAT.to_le_bytes(), &length, &hash(&packed).to_le_bytes(), &packed].concat()
    }

    fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, CheckpointError> {
        let path = path.to_path_buf();
        if !bytes.starts_with(MAGIC) {
            return Err(CheckpointError::NotACheckpoint { path });
        }
        let damaged = |reason: String| CheckpointError::Damaged { path: path.clone(), reason };
        let Some((header, packed)) = bytes.split_at_checked(HEADER) else {
            return Err(damaged("it ends in its header".into()));
        };
        let found = u32::from_le_bytes(header[8..12].try_into().expect("four bytes"));
        if found != FORMAT {
            return Err(CheckpointError::OtherFormat { path, found });
        }
        let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
        let (length, expected) = (number(12), number(20));
        if packed.len() as u64 != length {
            return Err(damaged(format!("it has {} bytes behind its header instead of {length}", packed.len())));
        }
        if hash(packed) != expected {
            return Err(damaged("its contents are not those that were written".into()));
        }
        // LZ4 makes no more than 255 bytes of one, so that what claims more is not given memory for it.
        let claimed = packed.first_chunk().map_or(0, |size| u32::from_le_bytes(*size) as usize);
        if claimed > 255 * packed.len() {
            return Err(damaged(format!("{} bytes cannot have been {claimed}", packed.len())));
        }
        let plain = lz4_flex::block::decompress_size_prepended(packed).map_err(|error| damaged(error.to_string()))?;
        postcard::from_bytes(&plain).map_err(|error| damaged(error.to_string()))
    }
}

fn cannot_be(what: &str, path: &Path) -> impl Fn(io::Error) -> CheckpointError {
    move |error| CheckpointError::Io { path: path.into(), reason: format!("cannot be {what}: {error}") }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = XxHash64::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Every size of a core with its value, by name.
pub(super) fn describe(config: &CoreConfig) -> Vec<(String, String)> {
    match serde_json::to_value(config) {
        Ok(serde_json::Value::Object(fields)) => {
            fields.into_iter().map(|(name, value)| (name, value.to_string())).collect()
        }
        _ => unreachable!("a structure of numbers and names"),
    }
}

impl Program {
    /// A hash of all that the hardware is told; names are not part of it.
    pub fn fingerprint(&self) -> u64 {
        fingerprint(&(&self.words, &self.annotations, self.entry, &self.data, self.shared_bytes))
    }
}
