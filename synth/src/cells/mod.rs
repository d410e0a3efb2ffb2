//! Standard cells: what synthesis maps to, from a Liberty file.
//!
//! The cells used unless others are named are OSU018: open, 0.18 um, and a Debian package. The areas in its Liberty file
//! are not all those of its layout, which decides here (`corrected`).
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use liberty_parser::Value;
use liberty_parser::liberty::Liberty;
use warploom_sim::files;

pub use clock_gate::ClockGate;

pub(crate) mod clock_gate;
pub mod function;
mod lef;
pub(crate) mod liberty;
pub mod tables;

/// Where Debian's qflow-tech-osu018 puts its cells.
pub const OSU018: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// How to get them.
pub const OSU018_INSTALL: &str = "apt install qflow-tech-osu018";

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Combinational.
    Logic,
    /// Edge-triggered; one bit.
    FlipFlop,
    /// Level-sensitive; one bit.
    Latch,
}

/// A standard cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// In um2.
    pub area: f64,
    /// Leakage power in uW, if the library says.
    pub leakage: Option<f64>,
    /// What it is.
    pub kind: CellKind,
    /// Number of input pins.
    pub inputs: usize,
}

/// A library of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct CellLibrary {
    /// As the file calls it.
    pub name: String,
    /// Area of a gate equivalent, the smallest two-input NAND, in um2.
    pub gate_area: f64,
    /// By name.
    pub cells: BTreeMap<String, Cell>,
    /// What gates a clock, if it can be made of them.
    pub clock_gate: Option<ClockGate>,
}

impl CellLibrary {
    /// The smallest buffer, which stands for whatever drives an input.
    pub fn buffer(&self) -> Option<&Cell> {
        let name = |cell: &&Cell| {
            let name = cell.name.to_ascii_lowercase();
            let end = name.rsplit("__").next().unwrap_or(&name);
            end.starts_with("buf") || end.contains("_buf")
        };
        let buffers = self.cells.values().filter(|cell| cell.kind == CellKind::Logic && cell.inputs == 1);
        buffers.filter(name).min_by(|a, b| a.area.total_cmp(&b.area))
    }
}

/// Cells, and the file that the tools read.
#[derive(Clone, Debug)]
pub struct Cells {
    /// What is in it.
    pub library: CellLibrary,
    /// Text of the Liberty file, corrected.
    pub liberty: String,
    /// Names of the cells whose area was corrected from the layout.
    pub corrected: Vec<String>,
}

/// Why there are no cells.
#[derive(Debug, thiserror::Error)]
pub enum CellsError {
    /// The file cannot be read.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The default cells are not installed.
    #[error("the OSU018 cells are not here: {OSU018_INSTALL}, or name a Liberty file with --liberty")]
    Missing,
    /// The file is not what it should be.
    #[error("{name} is no Liberty file that can be read: {reason}")]
    Unreadable {
        /// File.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// No cell is a gate equivalent.
    #[error("{name} has no two-input NAND (a cell named like NAND2X1), which is the unit of area")]
    NoGate {
        /// File.
        name: String,
    },
}

impl Cells {
    /// Reads a Liberty file, or the OSU018 cells. Areas are those of a LEF file of the same name beside it, where there
    /// is one.
    pub fn load(path: Option<&Path>) -> Result<Self, CellsError> {
        let (path, default) = path.map_or((Path::new(OSU018), true), |path| (path, false));
        if default && !path.exists() {
            return Err(CellsError::Missing);
        }
        let text = files::read_text(path, files::MOST)
            .map_err(|error| CellsError::Io { path: path.to_path_buf(), reason: error.to_string() })?;
        let layout = std::fs::read_to_string(path.with_extension("lef")).ok();
        Self::new(&path.display().to_string(), &text, layout.as_deref())
    }

    /// The cells of a Liberty file's text, with the areas of a LEF file's text.
    pub fn new(name: &str, text: &str, layout: Option<&str>) -> Result<Self, CellsError> {
        let mut liberty = liberty::read(name, text)?;
        let corrected = layout.map_or(vec![], |layout| correct(&mut liberty, layout));
        let library = liberty::library(name, &liberty)?;
        // As it was, unless something had to change: a file that tools read today they read tomorrow.
        let liberty = if corrected.is_empty() { text.to_string() } else { liberty.to_string() };
        Ok(Self { library, liberty, corrected })
    }
}

/// Sets the areas of the layout; the cells whose area was another.
fn correct(liberty: &mut Liberty, layout: &str) -> Vec<String> {
    let areas = lef::areas(layout);
    let mut corrected = vec![];
    for cell in liberty.0[0].iter_cells_mut() {
        let Some(&area) = areas.get(&cell.name) else { continue };
        let name = cell.name.clone();
        for (_, value) in cell.iter_simple_attributes_mut().filter(|(attribute, _)| *attribute == "area") {
            if !matches!(value, Value::Float(was) if (*was - area).abs() < 1e-6) {
                *value = Value::Float(area);
                corrected.push(name.clone());
            }
        }
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;
    use warploom_requirements::met;

    const LIBERTY: &str = "library (demo) {
      cell (NAND2X1) { area : 24; pin (Y) { direction : output; function : \"(!(A B))\"; } }
      cell (NAND3X1) { area : 36; }
      cell (PAD) { area : 1; }
    }";

    #[test]
    fn areas_are_those_of_the_layout() {
        let layout = "MACRO NAND2X1\n SIZE 2.4 BY 10.0 ;\nMACRO NAND3X1\n SIZE 3.2 BY 10.0 ;\n";
        let cells = Cells::new("demo.lib", LIBERTY, Some(layout)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cells.corrected, ["NAND3X1"]);
        assert_eq!(cells.library.cells["NAND3X1"].area, 32.0);
        let again = Cells::new("again.lib", &cells.liberty, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.library, cells.library, "the file that the tools read has them too");
    }

    #[test]
    fn without_a_layout_the_file_stays_as_it_is() {
        let cells = Cells::new("demo.lib", LIBERTY, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((cells.corrected.len(), cells.liberty.as_str()), (0, LIBERTY));
    }

    #[test]
    fn osu018_is_corrected_where_its_liberty_errs() {
        if !met(&[("the OSU018 cells", Path::new(OSU018).exists())]) {
            return;
        }
        let cells = Cells::load(None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(cells.corrected, ["LATCH", "NAND3X1", "OAI21X1"]);
        assert_eq!((cells.library.gate_area, cells.library.cells["LATCH"].area), (24.0, 56.0));
    }
}
