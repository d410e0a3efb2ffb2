//! The formats.
use std::fs::File;
use std::io;

use super::encoder::Encoder;
use super::selection::Selection;
use super::{fst, vcd};

/// A format of waveforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value change dump: text that every viewer reads. Valid up to what has been written, wherever the run ends.
    Vcd,
    /// Fast signal trace of GTKWave: compressed, ten to a hundred times smaller. Readable once it is finished.
    Fst,
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
