//! Mapped gates, as they can be simulated: the netlist that yosys wrote, with its hierarchy dissolved.
use std::path::{Path, PathBuf};

use crate::cells::Cells;

/// A port of the gates, or a pin of a black box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// As in the Verilog text; of a pin of a black box, `instance.pin` with the instances joined by `.` from the top.
    pub name: String,
    /// In bits.
    pub width: usize,
}

impl Port {
    /// Words that hold its value.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64)
    }
}

/// A netlist of cells.
#[derive(Debug)]
pub struct Gates {
    inputs: Vec<Port>,
    outputs: Vec<Port>,
}

/// Why gates cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GatesError {
    /// The file cannot be read.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl Gates {
    /// The gates in a directory of [`Mapped`](crate::flow::Mapped).
    pub fn load(directory: &Path, cells: &Cells) -> Result<Self, GatesError> {
        let path = directory.join(crate::flow::MAPPED_JSON);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| GatesError::Io { path: path.clone(), reason: error.to_string() })?;
        Self::read(&text, cells)
    }

    /// The gates of a text that yosys' `write_json` wrote.
    pub fn read(_json: &str, _cells: &Cells) -> Result<Self, GatesError> {
        Ok(Self { inputs: vec![], outputs: vec![] })
    }

    /// Inputs of the top, but for its clocks, and the pins that black boxes drive.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// Outputs of the top, and the pins that black boxes read, but for their clocks.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }
}
