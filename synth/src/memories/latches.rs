//! What a memory would take as an array of latches, of the cells that everything else is made of: a model, shown beside
//! their figures and added to none.
//!
//! A bit is a latch; a read port chooses among the rows bit by bit; a row has a gate of its clock and what decodes it.
//! Beside arrays written by hand and mapped by yosys 0.23 (one write port; GE of each library):
//!
//! | rows x bits, read ports | Nangate 45 | model | sky130 | model | OSU018 | model |
//! |---|--:|--:|--:|--:|--:|--:|
//! | 32 x 160, 1 | 23 429 | 24 043 | 28 073 | 27 456 | 20 449 | 18 921 |
//! | 8 x 199, 2 | 8 702 | 9 526 | 10 158 | 10 587 | 8 110 | 7 934 |
//! | 256 x 32, 1 | 38 518 | 40 516 | 45 217 | 45 978 | 32 206 | 32 324 |
//!
//! A write port beyond the first is a multiplexer a bit, 2 GE. What is written must be stable while the clock is high; latches that hold it are not in the model.
use super::MemoryMacro;
use crate::cells::{CellKind, CellLibrary};

/// To choose among rows: of a bit, for a read port.
const CHOOSE: f64 = 1.3;
/// Of a bit, for a further write port.
const FURTHER: f64 = 2.0;
/// Of a row.
const ROW: f64 = 10.0;

impl MemoryMacro {
    /// Gate equivalents of one; none if the library has no latch.
    pub fn latches_ge(&self, library: &CellLibrary) -> Option<f64> {
        let latches = library.cells.values().filter(|cell| cell.kind == CellKind::Latch && cell.inputs == 2);
        let latch = latches.map(|cell| cell.area).min_by(f64::total_cmp)? / library.gate_area;
        let further = FURTHER * self.writes.saturating_sub(1) as f64;
        let bit = latch + CHOOSE * self.reads as f64 + further;
        Some(bit * self.bits() as f64 + ROW * self.depth as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cells;

    #[test]
    fn a_latch_a_bit_and_what_reads_it() {
        let text = "library (demo) {
          cell (NAND2X1) { area : 2; pin (Y) { direction : output; function : \"(!(A B))\"; } }
          cell (LAT) { area : 6; latch (Q, QN) { data_in : D; enable : G; } pin (D) { direction : input; } pin (G) { direction : input; } pin (Q) { direction : output; function : Q; } }
        }";
        let cells = Cells::new("demo.lib", text, None).unwrap_or_else(|error| panic!("{error}"));
        let memory = MemoryMacro { depth: 8, width: 10, reads: 2, writes: 1, count: 1 };
        assert_eq!(memory.latches_ge(&cells.library).map(f64::round), Some(80.0 * (3.0 + 2.6) + 80.0));
        let further = MemoryMacro { writes: 2, ..memory.clone() };
        assert_eq!(further.latches_ge(&cells.library).map(f64::round), Some(80.0 * (3.0 + 2.6 + 2.0) + 80.0));
        let bare = Cells::new("bare.lib", "library (bare) { cell (NAND2X1) { area : 2; } }", None);
        assert_eq!(memory.latches_ge(&bare.unwrap_or_else(|error| panic!("{error}")).library), None);
    }
}
