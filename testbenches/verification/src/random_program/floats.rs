//! Statements of floats, for cores that have them.
use super::registers::*;
use super::{Generator, REGION, TABLE};
use crate::words;

/// Upper twenty bits of a float that is one of a kind: one, powers, the largest, the smallest, infinity, NaNs, zero and what is next to it.
const KINDS: [u32; 16] = [
    0x3f800, 0x40000, 0xbf800, 0x4b000, 0xcb7ff, 0x7f7ff, 0x00800, 0x007ff, 0x00000, 0x80000, 0x7f800, 0xff800,
    0x7fc00, 0x7fa00, 0x1f000, 0x5f000,
];
/// Multiplications, additions, and both.
const FUSED: [u32; 4] = [0x43, 0x47, 0x4b, 0x4f];
/// The CSRs.
const FLAGS: u32 = 1;
const MODE: u32 = 2;
const BOTH: u32 = 3;
/// The mode that the thread's `frm` says.
const DYNAMIC: u32 = 7;

impl Generator<'_> {
    fn float(&mut self) -> u32 {
        self.choices.of(&FLOATS)
    }

    /// A rounding mode of an instruction.
    fn rounding(&mut self) -> u32 {
        self.choices.of(&[DYNAMIC, 0, 1, 2, 3, 4, DYNAMIC])
    }

    /// `registers` in the order rd, rs1, rs2; those of floats are 32 and up.
    fn float_type(&mut self, funct3: u32, funct7: u32, [rd, rs1, rs2]: [u32; 3]) {
        self.reads(&[rs1, rs2]);
        self.emit(words::r_type(0x53, funct3, funct7, rd & 31, rs1 & 31, rs2 & 31));
    }

    pub fn float_statement(&mut self) {
        match self.below(10) {
            0..=2 => self.sum_or_product(),
            3 => self.quotient_or_root(),
            4 => self.comparison(),
            5 => self.conversion(),
            6 | 7 => self.float_access(),
            8 => self.status(),
            _ => self.late_flags(),
        }
    }

    fn sum_or_product(&mut self) {
        let (rd, a, b, c) = (self.float(), self.float(), self.float(), self.float());
        let rounding = self.rounding();
        match self.below(6) {
            0 => self.float_type(rounding, 0x00, [rd, a, b]),
            1 => self.float_type(rounding, 0x04, [rd, a, b]),
            2 => self.float_type(rounding, 0x08, [rd, a, b]),
            _ => {
                let opcode = self.choices.of(&FUSED);
                self.reads(&[a, b, c]);
                self.emit(words::r_type(opcode, rounding, (c & 31) << 2, rd & 31, a & 31, b & 31));
            }
        }
    }

    fn quotient_or_root(&mut self) {
        let (rd, a, b, rounding) = (self.float(), self.float(), self.float(), self.rounding());
        if self.below(2) == 0 {
            self.float_type(rounding, 0x0c, [rd, a, b]);
        } else {
            self.reads(&[a]);
            self.emit(words::r_type(0x53, rounding, 0x2c, rd & 31, a & 31, 0));
        }
    }

    /// Comparisons, minimum and maximum, signs, classes.
    fn comparison(&mut self) {
        let (rd, a, b, integer) = (self.float(), self.float(), self.float(), self.register());
        match self.below(9) {
            funct3 @ 0..3 => self.float_type(funct3, 0x50, [integer, a, b]),
            which @ 3..5 => self.float_type(which - 3, 0x14, [rd, a, b]),
            which @ 5..8 => self.float_type(which - 5, 0x10, [rd, a, b]),
            _ => {
                self.reads(&[a]);
                self.emit(words::r_type(0x53, 1, 0x70, integer, a & 31, 0));
            }
        }
    }

    /// From and to integers; bits that go from one register file to the other.
    fn conversion(&mut self) {
        let (float, integer, rounding, unsigned) = (self.float(), self.register(), self.rounding(), self.below(2));
        let (funct3, funct7, rs2, to_integer) = match self.below(4) {
            0 => (rounding, 0x60, unsigned, true),
            1 => (rounding, 0x68, unsigned, false),
            2 => (0, 0x70, 0, true),
            _ => (0, 0x78, 0, false),
        };
        let (rd, rs1) = if to_integer { (integer, float) } else { (float, integer) };
        self.reads(&[rs1]);
        self.emit(words::r_type(0x53, funct3, funct7, rd & 31, rs1 & 31, rs2));
    }

    /// Loads and stores in the thread's own region, its word of shared memory, and its private memory; loads from the table.
    fn float_access(&mut self) {
        let float = self.float();
        let (base, offset) = match self.below(5) {
            0 | 1 => (REGION_BASE, 4 * self.below(REGION / 4)),
            2 => (OWN_SHARED, 0),
            3 => (STACK, (4 * (1 + self.below(8))).wrapping_neg()),
            _ => {
                self.address(TABLE_BASE, TABLE as u32);
                return self.float_load(float, TEMPORARY, 0);
            }
        };
        if base == STACK || self.below(2) == 0 {
            self.float_store(float, base, offset);
        }
        if base == STACK || self.below(2) == 1 {
            let float = self.float();
            self.float_load(float, base, offset);
        }
    }

    fn float_load(&mut self, rd: u32, base: u32, offset: u32) {
        self.reads(&[base]);
        self.emit(words::i_type(0x07, 2, rd & 31, base, offset));
    }

    pub fn float_store(&mut self, source: u32, base: u32, offset: u32) {
        self.reads(&[base, source]);
        self.emit(words::store(2, source & 31, base, offset) & !0x7f | 0x27);
    }

    /// Reads and writes of flags and rounding mode. A mode that is none is for [traps](super::traps).
    fn status(&mut self) {
        let (rd, source) = (self.register(), self.register());
        let rd = self.choices.of(&[rd, rd, 0]);
        let update = self.choices.of(&[1, 2, 3]);
        match self.below(6) {
            0 => {
                let csr = self.choices.of(&[BOTH, FLAGS, MODE]);
                self.i_type(0x73, 2, rd, 0, csr);
            }
            1 => {
                let mode = self.below(5);
                self.emit(words::i_type(0x73, 5, rd, mode, MODE));
            }
            2 => {
                let immediate = self.below(32);
                self.emit(words::i_type(0x73, 4 + update, rd, immediate, FLAGS));
            }
            3 => self.i_type(0x73, update, rd, source, FLAGS),
            4 => {
                let immediate = self.below(32);
                self.emit(words::i_type(0x73, 4 + update, rd, immediate, BOTH));
            }
            _ => {
                // Modes 0 and 4, or 0 to 3.
                let mask = self.choices.of(&[0x9f, 0x7f]);
                self.and_immediate(TEMPORARY, source, mask);
                self.i_type(0x73, 1, rd, TEMPORARY, BOTH);
            }
        }
    }

    /// What leaves nothing but flags, and is asked for them at once.
    fn late_flags(&mut self) {
        let (a, b, rd) = (self.float(), self.float(), self.register());
        match self.below(3) {
            0 => self.float_type(1, 0x50, [0, a, b]),
            1 => {
                self.reads(&[a]);
                self.emit(words::r_type(0x53, 1, 0x60, 0, a & 31, 0));
            }
            _ => {
                let float = self.float();
                self.float_type(DYNAMIC, 0x0c, [float, a, b]);
            }
        }
        self.i_type(0x73, 2, rd, 0, BOTH);
    }

    /// A mode that is none, for an instruction that asks for it.
    pub fn round_in_no_mode(&mut self) {
        let (rd, a, b, mode) = (self.float(), self.float(), self.float(), 5 + self.below(3));
        self.emit(words::i_type(0x73, 5, 0, mode, MODE));
        self.float_type(DYNAMIC, 0x00, [rd, a, b]);
    }

    /// A value that depends on the thread, but for the simplest.
    pub fn initialise_float(&mut self, register: u32, kind: u32, upper: u32) {
        match kind {
            0 => self.emit(words::r_type(0x53, 0, 0x68, register & 31, THREAD, 0)),
            _ => {
                let upper = if kind == 1 { upper } else { KINDS[upper as usize % KINDS.len()] };
                self.upper(0x37, TEMPORARY, upper);
                if kind < 6 {
                    self.add(TEMPORARY, TEMPORARY, THREAD);
                }
                self.emit(words::r_type(0x53, 0, 0x78, register & 31, TEMPORARY, 0));
            }
        }
    }

    /// Stores what floats and flags have become behind the words of the integers.
    pub fn show_floats(&mut self) {
        for register in FLOATS {
            self.float_store(register, REGION_BASE, 4 * (16 + register % 16));
        }
        self.i_type(0x73, 2, TEMPORARY, 0, BOTH);
        self.store(2, TEMPORARY, REGION_BASE, 0);
    }
}
