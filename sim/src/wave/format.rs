//! What the formats have in common.
use std::fs::File;
use std::io;

use super::selection::Selection;
use super::{fst, vcd};

/// Time units of a cycle: the clock rises at its start and falls in its middle.
pub const UNITS_PER_CYCLE: u64 = 10;

/// Of the time unit, in seconds: the exponent of ten.
pub const UNIT_EXPONENT: i8 = -9;

/// A format of waveforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value change dump: text that every viewer reads. Valid up to what has been written, wherever the run ends.
    Vcd,
    /// Fast signal trace of GTKWave: compressed, ten to a hundred times smaller. Readable once it is finished.
    Fst,
}

/// A signal that has a new value.
#[derive(Clone, Copy)]
pub struct Change {
    /// Its number in the [`Selection`].
    pub signal: u32,
    /// The value.
    pub value: u64,
}

/// A file in the making.
pub trait Encoder: Send {
    /// Adds a cycle with what changed in it; in the first, that is everything.
    fn cycle(&mut self, cycle: u64, changes: &[Change]) -> io::Result<()>;

    /// Hands to the operating system what makes sense to a reader.
    fn flush(&mut self) -> io::Result<()>;

    /// Ends the last cycle before cycle `end`, and writes everything out.
    fn finish(self: Box<Self>, end: u64) -> io::Result<()>;
}

impl Format {
    /// Writes the hierarchy to `file`.
    pub fn encoder(self, file: File, selection: &Selection) -> io::Result<Box<dyn Encoder>> {
        Ok(match self {
            Self::Vcd => Box::new(vcd::Vcd::new(file, selection)?),
            Self::Fst => Box::new(fst::Fst::new(file, selection)?),
        })
    }
}
