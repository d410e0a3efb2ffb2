//! Statements of warp instructions, for cores that have them.
use super::registers::*;
use super::{Generator, REGION};

/// Greatest shift that leaves a bit of the number of 32 lanes.
const SHIFTS: u32 = 27;

impl Generator<'_> {
    pub fn warp_statement(&mut self) {
        match self.below(if self.shape.acts_together { 4 } else { 1 }) {
            0 => self.population(),
            1 => self.traverse(),
            _ => self.accumulate(),
        }
    }

    fn population(&mut self) {
        let (rd, rs1) = (self.register(), self.register());
        self.late_before(rd, &[rs1]);
        self.i_type(0x13, 1, rd, rs1, 0x602);
    }

    /// Who takes part depends on the schedule, but who votes is always one of them.
    fn traverse(&mut self) {
        let (vote, rd, shift) = (self.register(), self.register(), self.below(SHIFTS));
        self.late_before(ATTEMPT, &[vote]);
        self.r_type(0x2b, 4, shift, ATTEMPT, 0, vote);
        self.r_type(0x33, 3, 0, ATTEMPT, 0, ATTEMPT);
        self.r_type(0x33, 3, 0, TEMPORARY, 0, vote);
        self.r_type(0x33, 7, 0, rd, ATTEMPT, TEMPORARY);
    }

    /// One lane of each warp stores, if it takes part: then it has the first place. The total is 1 for whoever stores; for the others, it depends on the schedule.
    fn accumulate(&mut self) {
        let (source, rd) = (self.register(), self.register());
        let (words, lane) = (self.below(2), self.below(8));
        let offset = self.below(REGION >> (1 + words)) << (1 + words);
        self.csr(TEMPORARY, 0xccc);
        self.i_type(0x13, 4, TEMPORARY, TEMPORARY, lane);
        self.i_type(0x13, 3, TEMPORARY, TEMPORARY, 1);
        self.add_immediate(SCRATCH, REGION_BASE, offset);
        self.r_type(0x33, 6, 0, SCRATCH, SCRATCH, TEMPORARY);
        self.late_before(ATTEMPT, &[source]);
        self.r_type(0x2b, 1 + words, 0, ATTEMPT, SCRATCH, source);
        self.r_type(0x33, 7, 0, rd, ATTEMPT, TEMPORARY);
    }
}
