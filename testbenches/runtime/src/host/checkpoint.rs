//! A run in the middle, in a file: [`RtlDevice::checkpoint`](super::RtlDevice::checkpoint) takes it,
//! [`RtlDevice::restore`](super::RtlDevice::restore) goes on from it; those of [`GpuDevice`](super::GpuDevice) have the same names.
//!
//! ```text
//! "WARPLOOM" | format, u32 | bytes that follow, u64 | their XXH64, u64 | LZ4 of postcard of Origin and contents
//! ```
//! The format tells what the contents are: those of a core, or of a GPU. Numbers are little-endian. The file is written beside its place and renamed into it, so that whatever happens while it is
//! written, the one before stays.
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_sim::{RestoreError, files};

use super::gpu::GpuContents;
use super::history::fingerprint;
use super::rtl::CoreContents;
use crate::loader::Program;

const MAGIC: &[u8; 8] = b"WARPLOOM";

/// Of the file; it becomes one that was never used whenever [`Origin`] or [`CoreContents`] change, or what they are made of.
const FORMAT: u32 = 2;

/// The same of [`GpuContents`].
const GPU_FORMAT: u32 = 4;

/// Magic, format, length, hash.
const HEADER: usize = 8 + 4 + 8 + 8;

/// What a checkpoint of another kind is of.
pub(super) const CORE: &str = "a core alone, this is a GPU";
pub(super) const GPU: &str = "a GPU, this is a core alone";

/// A run in the middle.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// What it is a run of.
    pub origin: Origin,
    pub(super) contents: Contents,
}

/// What a checkpoint is of: nothing else can go on from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Origin {
    /// What the caller needs to run the same again, in the caller's own words.
    pub setup: String,
    /// The version of warploom that took it.
    pub warploom: String,
    /// Names and values.
    sizes: Vec<(String, String)>,
    hardware: u64,
    program: u64,
}

/// What the run has come to.
#[derive(Clone, Debug)]
pub(super) enum Contents {
    Core(Box<CoreContents>),
    Gpu(Box<GpuContents>),
}

impl Origin {
    /// A run of this program by this version of warploom.
    pub(super) fn new(setup: &str, sizes: Vec<(String, String)>, hardware: u64, program: &Program) -> Self {
        let warploom = env!("CARGO_PKG_VERSION").into();
        Self { setup: setup.into(), warploom, sizes, hardware, program: program.fingerprint() }
    }
}

/// Why a run cannot go on from a checkpoint, or why it cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum CheckpointError {
    #[error("{}: {reason}", .path.display())]
    Io { path: PathBuf, reason: String },
    #[error("{}: not a checkpoint of warploom", .path.display())]
    NotACheckpoint { path: PathBuf },
    #[error("{}: a checkpoint of format {found}; this warploom ({}) reads format {FORMAT}, and {GPU_FORMAT} of a GPU", .path.display(), env!("CARGO_PKG_VERSION"))]
    OtherFormat { path: PathBuf, found: u32 },
    #[error("{}: the checkpoint is damaged: {reason}", .path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("the checkpoint is of {0}")]
    OtherKind(&'static str),
    #[error("the checkpoint is of another {what}: {}", .differences.join("; "))]
    OtherSizes { what: &'static str, differences: Vec<String> },
    #[error(
        "the hardware has changed since the checkpoint (netlist {here:016x}, in the checkpoint {there:016x}, of warploom {warploom})"
    )]
    OtherHardware { here: u64, there: u64, warploom: String },
    #[error("the program {name} has changed since the checkpoint (now {here:016x}, in the checkpoint {there:016x})")]
    OtherProgram { name: String, here: u64, there: u64 },
    #[error("the checkpoint does not fit the core: {0}")]
    State(#[from] RestoreError),
    #[error("the checkpoint does not fit the GPU: its parts or its links are of other sizes")]
    Parts,
}

impl Checkpoint {
    /// Cycles simulated so far, loading included.
    pub fn cycle(&self) -> u64 {
        match &self.contents {
            Contents::Core(contents) => contents.cycle,
            Contents::Gpu(contents) => contents.cycle,
        }
    }

    /// Whether it is of a core alone, of these sizes.
    pub fn check_core(&self, config: &CoreConfig) -> Result<(), CheckpointError> {
        match &self.contents {
            Contents::Core(_) => self.check_sizes("core", describe(config)),
            Contents::Gpu(_) => Err(CheckpointError::OtherKind(GPU)),
        }
    }

    /// Whether it is of a GPU of these sizes.
    pub fn check_gpu(&self, config: &CoreConfig, system: &SystemConfig) -> Result<(), CheckpointError> {
        match &self.contents {
            Contents::Gpu(_) => self.check_sizes("GPU", [describe(config), describe(system)].concat()),
            Contents::Core(_) => Err(CheckpointError::OtherKind(CORE)),
        }
    }

    fn check_sizes(&self, what: &'static str, here: Vec<(String, String)>) -> Result<(), CheckpointError> {
        let sizes = &self.origin.sizes;
        let of = |fields: &[(String, String)], name: &str| {
            let found = fields.iter().find(|(other, _)| other == name);
            found.map_or("nothing".to_string(), |(_, value)| value.clone())
        };
        let mut names: Vec<&String> = here.iter().chain(sizes).map(|(name, _)| name).collect();
        names.sort();
        names.dedup();
        let differences = names.into_iter().filter_map(|name| {
            let (here, there) = (of(&here, name), of(sizes, name));
            (here != there).then(|| format!("{name} is {there} in the checkpoint, {here} here"))
        });
        let differences: Vec<String> = differences.collect();
        if differences.is_empty() { Ok(()) } else { Err(CheckpointError::OtherSizes { what, differences }) }
    }

    /// Whether this program was running.
    pub fn check_program(&self, program: &Program) -> Result<(), CheckpointError> {
        let (here, there) = (program.fingerprint(), self.origin.program);
        if here == there {
            return Ok(());
        }
        Err(CheckpointError::OtherProgram { name: program.name.clone(), here, there })
    }

    /// Whether it is of this very hardware.
    pub(super) fn check_hardware(&self, here: u64) -> Result<(), CheckpointError> {
        let Origin { hardware: there, warploom, .. } = &self.origin;
        if here == *there {
            return Ok(());
        }
        Err(CheckpointError::OtherHardware { here, there: *there, warploom: warploom.clone() })
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
        let (format, plain) = match &self.contents {
            Contents::Core(contents) => (FORMAT, postcard::to_stdvec(&(&self.origin, contents))),
            Contents::Gpu(contents) => (GPU_FORMAT, postcard::to_stdvec(&(&self.origin, contents))),
        };
        let plain = plain.expect("nothing in it has no representation");
        let packed = lz4_flex::block::compress_prepend_size(&plain);
        let length = (packed.len() as u64).to_le_bytes();
        [&MAGIC[..], &format.to_le_bytes(), &length, &hash(&packed).to_le_bytes(), &packed].concat()
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
        if ![FORMAT, GPU_FORMAT].contains(&found) {
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
        let read = if found == FORMAT {
            postcard::from_bytes(&plain).map(|(origin, contents)| (origin, Contents::Core(contents)))
        } else {
            postcard::from_bytes(&plain).map(|(origin, contents)| (origin, Contents::Gpu(contents)))
        };
        let (origin, contents) = read.map_err(|error| damaged(error.to_string()))?;
        Ok(Self { origin, contents })
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

/// Every size of a core, or of a memory system, with its value, by name.
pub(super) fn describe(config: &impl Serialize) -> Vec<(String, String)> {
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
