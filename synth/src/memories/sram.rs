//! What a memory might take as SRAM: a model, shown beside the figures of the cells and added to none.
//!
//! It rests on the single-port macros 64 bits wide that IHP's open PDK of its 0.13 um process (sg13g2) has. Their figures:
//!
//! | words | read, pJ | access, ns |
//! |--:|--:|--:|
//! | 64 | 39 | 3.07 |
//! | 256 | 50 | 3.07 |
//! | 512 | 69 | 3.83 |
//! | 1024 | 92 | 4.34 |
//! | 2048 | 122 | 5.39 |
//!
//! Area: a line through theirs, 36 300 um2 and 3.474 um2 per bit. Energy and access time: interpolated between them.
//!
//! - A macro has 64 to 2048 words of up to 64 bits. What is larger is made of several, whose decoders and multiplexers are
//!   left out; what is shorter costs what 64 words do.
//! - Energy is taken to be proportional to the width. Only 64 bits were measured.
//! - A port that reads beyond the first is a copy of the whole memory, which every write has to reach. That one copy reads
//!   and writes in the same cycle, which a single port cannot, is not in the model.
use super::MemoryMacro;

/// Of every macro.
const FIXED_UM2: f64 = 36_300.0;
const BIT_UM2: f64 = 3.474;
/// Width of a macro.
const WIDTH: usize = 64;
/// Words, energy of a read in pJ, access time in ns.
const MACROS: [(f64, f64, f64); 5] =
    [(64.0, 39.0, 3.07), (256.0, 50.0, 3.07), (512.0, 69.0, 3.83), (1024.0, 92.0, 4.34), (2048.0, 122.0, 5.39)];

impl MemoryMacro {
    /// Words of the macros it is made of.
    fn words(&self) -> f64 {
        let [(least, ..), .., (most, ..)] = MACROS;
        (self.depth as f64).clamp(least, most)
    }

    /// Of one, with the copies for its read ports.
    pub fn area_um2(&self) -> f64 {
        let macros = (self.depth as f64 / self.words()).ceil() * self.width.div_ceil(WIDTH) as f64;
        self.reads.max(1) as f64 * (macros * FIXED_UM2 + BIT_UM2 * self.bits() as f64)
    }

    /// Of one read through one port.
    pub fn read_energy_pj(&self) -> f64 {
        interpolated(self.words(), |(words, energy, _)| (words, energy)) * self.width as f64 / WIDTH as f64
    }

    /// From the clock edge to the data.
    pub fn access_ns(&self) -> f64 {
        interpolated(self.words(), |(words, _, access)| (words, access))
    }
}

/// Between the two macros that have fewer and more words.
fn interpolated(words: f64, figure: impl Fn((f64, f64, f64)) -> (f64, f64)) -> f64 {
    let above = MACROS.iter().position(|(least, ..)| words <= *least).unwrap_or(MACROS.len() - 1).max(1);
    let ((x0, y0), (x1, y1)) = (figure(MACROS[above - 1]), figure(MACROS[above]));
    y0 + (y1 - y0) * (words - x0) / (x1 - x0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(depth: usize, width: usize, reads: usize) -> MemoryMacro {
        MemoryMacro { depth, width, reads, writes: 1, count: 1 }
    }

    #[test]
    fn a_copy_for_every_read_port() {
        assert_eq!(memory(1024, 64, 1).area_um2().round(), 263_972.0);
        assert_eq!(memory(1024, 64, 2).area_um2().round(), 527_944.0);
    }

    #[test]
    fn what_is_larger_than_a_macro_is_made_of_several() {
        let difference = memory(4096, 128, 1).area_um2() - 4.0 * memory(2048, 64, 1).area_um2();
        assert!(difference.abs() < 1e-6, "{difference}");
        assert_eq!(memory(4096, 32, 1).access_ns(), 5.39);
    }

    #[test]
    fn energy_and_access_are_those_of_the_macros_and_between_them() {
        for (words, energy, access) in MACROS {
            let memory = memory(words as usize, 64, 1);
            assert_eq!((memory.read_energy_pj(), memory.access_ns()), (energy, access));
        }
        assert_eq!(memory(768, 64, 1).read_energy_pj(), 80.5);
        assert_eq!(memory(768, 32, 1).read_energy_pj(), 40.25);
        assert_eq!(memory(16, 64, 1).read_energy_pj(), 39.0);
    }
}
