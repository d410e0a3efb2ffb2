//! What stops the core, on one thread of the grid.
use super::Generator;
use super::registers::*;

/// Addresses, but for their lower twelve bits, that no access may have: the code, what no CTA has of shared memory and no thread of its own, what lies
/// between the regions, and what is behind global memory.
const UNMAPPED: [u32; 7] = [0, 0x0_1000, 0x1_0000, 0x2_8000, 0x3_8000, 0x7_ffff, 0xf_ffff];
/// Words that are no instruction, and one that writes a CSR.
const ILLEGAL: [u32; 4] = [0xffff_ffff, 0, 0xcc00_9073, 0x0000_700b];
const ECALL: u32 = 0x0000_0073;
const EBREAK: u32 = 0x0010_0073;

impl Generator<'_> {
    /// A trap of any cause that one thread alone can have: then it does not depend on the schedule which comes first.
    pub fn trap(&mut self) {
        if !std::mem::take(&mut self.trap_is_left) {
            return self.arithmetic();
        }
        let thread = self.below(self.shape.all_threads());
        self.constant(SCRATCH, thread);
        let over = self.branch_on(1, THREAD, SCRATCH);
        match self.below(if self.shape.floats { 9 } else { 7 }) {
            0 => self.emit(ECALL),
            1 => self.emit(EBREAK),
            2 => {
                let word = self.choices.of(&ILLEGAL);
                self.emit(word);
            }
            3 => {
                let offset = self.choices.of(&[1, 2, 3]);
                self.add_immediate(TEMPORARY, REGION_BASE, offset);
                self.access(offset);
            }
            4 => {
                let address = self.choices.of(&UNMAPPED);
                self.upper(0x37, TEMPORARY, address);
                self.access(0);
            }
            5 => {
                self.add_immediate(TEMPORARY, 0, 6);
                self.i_type(0x67, 0, LINKS[0], TEMPORARY, 0);
            }
            7 | 8 => self.round_in_no_mode(),
            _ => {
                self.upper(0x37, TEMPORARY, 0x1_0000);
                self.add(TEMPORARY, TEMPORARY, 0);
                self.i_type(0x67, 0, LINKS[0], TEMPORARY, 0);
            }
        }
        self.aim_here(over);
    }

    /// An access that is not aligned if its address is `offset` bytes behind a word.
    fn access(&mut self, offset: u32) {
        let register = self.register();
        let size = if offset % 2 == 1 { 1 + self.below(2) } else { 2 };
        match self.below(3) {
            0 => self.load(size, register, TEMPORARY, 0),
            1 => self.store(size, register, TEMPORARY, 0),
            _ => self.amo(0, register, TEMPORARY, register),
        }
    }
}
