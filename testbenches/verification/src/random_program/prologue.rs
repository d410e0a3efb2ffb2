//! What a program sets up: of its registers those that it uses.
use super::registers::*;
use super::{Generator, REGION};

impl Generator<'_> {
    fn needs(&self, registers: &[u32]) -> bool {
        registers.iter().any(|register| self.needed.read >> register & 1 == 1)
    }

    pub fn prologue(&mut self) {
        let data: Vec<(u32, u32, u32)> = DATA.map(|_| (self.below(8), self.below(1 << 20), self.below(64))).into();
        let floats: Vec<(u32, u32)> =
            if self.shape.floats { FLOATS.map(|_| (self.below(8), self.below(1 << 20))).into() } else { vec![] };
        let initialised = |(register, (kind, ..)): (&u32, &(u32, u32, u32))| *kind > 1 && self.needs(&[*register]);
        let by_thread = DATA.iter().zip(&data).any(initialised);
        let by_thread = by_thread || (self.shape.floats && self.needs(&FLOATS));
        if by_thread || self.needs(&[THREAD, NEIGHBOUR, OWN_SHARED, REGION_BASE]) {
            self.number_in_cta();
        }
        if self.needs(&[OWN_SHARED]) {
            self.shift_left(OWN_SHARED, THREAD, 2);
            self.upper(0x37, TEMPORARY, 0x20000);
            self.add(OWN_SHARED, OWN_SHARED, TEMPORARY);
        }
        if self.needs(&[NEIGHBOUR]) {
            self.add_immediate(NEIGHBOUR, THREAD, 1);
            self.add_immediate(LOOP, 0, self.shape.threads());
            self.r_type(0x33, 7, 1, NEIGHBOUR, NEIGHBOUR, LOOP);
            self.shift_left(NEIGHBOUR, NEIGHBOUR, 2);
            self.upper(0x37, TEMPORARY, 0x20000);
            self.add(NEIGHBOUR, NEIGHBOUR, TEMPORARY);
        }
        if (by_thread || self.needs(&[THREAD, REGION_BASE])) && self.shape.ctas() > 1 {
            self.number_in_grid();
        }
        if self.needs(&[OWN_SHARED]) {
            self.store(2, THREAD, OWN_SHARED, 0);
        }
        if self.needs(&[ARGUMENTS, REGION_BASE, COUNTER_BASE, TABLE_BASE, STACK]) {
            self.csr(ARGUMENTS, 0xccf);
        }
        for (offset, register) in [(0, REGION_BASE), (4, COUNTER_BASE), (8, TABLE_BASE), (32, STACK)] {
            if self.needs(&[register]) {
                self.load(2, register, ARGUMENTS, offset);
            }
        }
        if self.needs(&[REGION_BASE]) {
            self.shift_left(TEMPORARY, THREAD, REGION.ilog2());
            self.add(REGION_BASE, REGION_BASE, TEMPORARY);
        }
        if self.needed.shared_sum {
            self.clear_shared_sum();
        }
        for (register, (kind, upper, small)) in DATA.into_iter().zip(data) {
            if self.needs(&[register]) {
                self.initialise(register, kind, upper, small);
            }
        }
        for (register, (kind, upper)) in FLOATS.into_iter().zip(floats) {
            if self.needs(&[register]) {
                self.initialise_float(register, kind, upper);
            }
        }
    }

    /// A value that depends on the thread, but for the simplest.
    fn initialise(&mut self, register: u32, kind: u32, upper: u32, small: u32) {
        if kind > 2 {
            self.upper(0x37, register, upper);
        }
        match kind {
            0 => self.add_immediate(register, 0, small),
            1 => self.csr(register, 0xcc0),
            2 => self.add_immediate(register, THREAD, small),
            3 | 4 => self.multiply(0, register, register, THREAD),
            5 => self.add(register, register, THREAD),
            _ => self.r_type(0x33, 4, 0, register, register, THREAD),
        }
    }

    /// THREAD = x + ntid.x (y + ntid.y z); the shape says which of them can be other than 0.
    fn number_in_cta(&mut self) {
        self.linear(THREAD, 0xcc0, 0xcc6, self.shape.block);
    }

    /// THREAD += the threads of the CTAs before this one.
    fn number_in_grid(&mut self) {
        self.linear(TEMPORARY, 0xcc3, 0xcc9, self.shape.grid);
        self.add_immediate(LOOP, 0, self.shape.threads());
        self.r_type(0x33, 0, 1, TEMPORARY, TEMPORARY, LOOP);
        self.add(THREAD, THREAD, TEMPORARY);
    }

    /// `rd` from three CSRs from `number` on, and the sizes in x and y in those from `size` on.
    fn linear(&mut self, rd: u32, number: u32, size: u32, extent: [u32; 3]) {
        self.csr(rd, number);
        for axis in (1..3).filter(|&axis| extent[axis] > 1) {
            self.csr(LOOP, number + axis as u32);
            for smaller in 0..axis as u32 {
                self.csr(LOOP + 1, size + smaller);
                self.r_type(0x33, 0, 1, LOOP, LOOP, LOOP + 1);
            }
            self.add(rd, rd, LOOP);
        }
    }
}
