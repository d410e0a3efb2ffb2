//! Families of FPGAs, and what their cells are.
use std::fmt;

use serde::Serialize;

/// A family that yosys maps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Lattice iCE40 (HX, LP).
    Ice40,
    /// Lattice ECP5.
    Ecp5,
    /// Xilinx 7 series.
    Xilinx,
}

/// All of them.
pub const TARGETS: [Target; 3] = [Target::Ice40, Target::Ecp5, Target::Xilinx];

/// What a cell is counted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// A look-up table.
    Lut,
    /// One bit.
    FlipFlop,
    /// A carry chain's cell.
    Carry,
    /// A block RAM.
    BlockRam,
    /// A memory made of look-up tables.
    LutRam,
    /// A multiplier.
    Dsp,
    /// A multiplexer between look-up tables.
    Mux,
}

use Resource::{BlockRam, Carry, Dsp, FlipFlop, Lut, LutRam, Mux};

/// Cells by the beginnings of their names. The first that fits decides.
const ICE40: &[(&str, Resource)] =
    &[("SB_LUT4", Lut), ("SB_DFF", FlipFlop), ("SB_CARRY", Carry), ("SB_RAM40", BlockRam), ("SB_MAC16", Dsp)];
const ECP5: &[(&str, Resource)] = &[
    ("LUT4", Lut),
    ("TRELLIS_FF", FlipFlop),
    ("CCU2C", Carry),
    ("DP16KD", BlockRam),
    ("TRELLIS_DPR16X4", LutRam),
    ("MULT18X18D", Dsp),
    ("PFUMX", Mux),
    ("L6MUX21", Mux),
];
const XILINX: &[(&str, Resource)] = &[
    ("LUT", Lut),
    ("INV", Lut),
    ("FD", FlipFlop),
    ("CARRY4", Carry),
    ("RAMB", BlockRam),
    ("RAM", LutRam),
    ("SRL", LutRam),
    ("DSP48", Dsp),
    ("MUXF", Mux),
];

impl Target {
    /// The one of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name() == name)
    }

    /// As the user calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ice40 => "ice40",
            Self::Ecp5 => "ecp5",
            Self::Xilinx => "xilinx",
        }
    }

    fn cells(self) -> &'static [(&'static str, Resource)] {
        match self {
            Self::Ice40 => ICE40,
            Self::Ecp5 => ECP5,
            Self::Xilinx => XILINX,
        }
    }

    /// What a cell is; none of those that are counted by name.
    pub fn resource(self, cell: &str) -> Option<Resource> {
        self.cells().iter().find(|(start, _)| cell.starts_with(start)).map(|(_, resource)| *resource)
    }

    /// The command of yosys, without the top. A module is not a chip: it has no pads.
    pub(super) fn command(self) -> &'static str {
        match self {
            Self::Ice40 => "synth_ice40",
            Self::Ecp5 => "synth_ecp5",
            Self::Xilinx => "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf",
        }
    }

    /// Patterns of the types that are counted so.
    pub(super) fn patterns(self, resource: Resource) -> impl Iterator<Item = String> {
        let of_kind = self.cells().iter().filter(move |(_, of)| *of == resource);
        of_kind.map(|(start, _)| format!("{start}*"))
    }

    /// What one LUT, carry cell, block RAM, LUT RAM and DSP is.
    pub(super) fn units(self) -> [&'static str; 5] {
        match self {
            Self::Ice40 => ["of 4 inputs", "of 1 bit", "of 4 Kibit", "none in this family", "none in HX and LP"],
            Self::Ecp5 => [
                "of 4 inputs; carry cells hold 2 more each",
                "of 2 bits",
                "of 18 Kibit",
                "of 16 x 4 bits",
                "of 18 x 18 bits",
            ],
            Self::Xilinx => ["of 1 to 6 inputs", "of 4 bits", "of 18 or 36 Kibit", "cells", "of 25 x 18 bits"],
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ice40 => "Lattice iCE40",
            Self::Ecp5 => "Lattice ECP5",
            Self::Xilinx => "Xilinx 7 series",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_told_apart() {
        for (target, cell, resource) in [
            (Target::Ice40, "SB_DFFESR", Some(FlipFlop)),
            (Target::Ice40, "SB_RAM40_4KNW", Some(BlockRam)),
            (Target::Xilinx, "RAMB36E1", Some(BlockRam)),
            (Target::Xilinx, "RAM32M", Some(LutRam)),
            (Target::Xilinx, "LUT6", Some(Lut)),
            (Target::Ecp5, "BB", None),
        ] {
            assert_eq!(target.resource(cell), resource, "{cell}");
        }
    }
}
