//! Statements without control flow.
use super::control::Escapes;
use super::registers::*;
use super::{DEEPEST, Generator, NEIGHBOURS, REGION, SUMS, TABLE, TICKETS};

/// funct5 of the atomics; the first eight commute.
const OPERATIONS: [u32; 9] = [0x00, 0x04, 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c, 0x01];

impl Generator<'_> {
    pub fn register(&mut self) -> u32 {
        self.choices.of(&DATA)
    }

    pub fn statement(&mut self, depth: u32, escapes: Escapes) {
        let kinds = if self.shape.floats { 60 } else { 45 };
        let more = if self.shape.warp_instructions { 8 } else { 0 };
        match (self.below(kinds + more), escapes) {
            (kind, _) if kind >= kinds => self.warp_statement(),
            (0..=5, _) => self.arithmetic(),
            (6 | 7, _) => self.own_access(),
            (8, _) => self.table_load(),
            (9, _) => self.atomic(),
            (10..=13, escapes) if depth < DEEPEST => self.if_else(depth, escapes),
            (14 | 15, escapes) if depth < DEEPEST => self.repeat(depth, escapes),
            (16 | 20..=23, Some(escapes)) => self.escape(escapes),
            (17, _) if self.below(3) == 0 => self.leave(),
            (18, _) if depth == 0 => self.exchange(),
            (19 | 20 | 33, _) if depth == 0 && self.parted_barriers => self.divergent_barrier(),
            (21 | 22, _) if depth == 0 && self.parted_barriers => self.barrier_out_of_loop(),
            (23, _) if depth == 0 => self.ways_out(),
            (24, _) => {
                let levels = 1 + self.below(3);
                self.budget = self.budget.saturating_sub(1 << levels);
                self.spread(levels);
            }
            (19 | 29, _) => self.call(depth),
            (25, _) => self.ticket(),
            (26, _) => self.any_csr(),
            (27, _) => self.spill(),
            (28, _) if depth == 0 => self.attempt(),
            (30, _) if depth == 0 => self.atomic_exchange(),
            (31, _) => self.fence(),
            (32, _) => self.own_shared(),
            (34 | 35, _) => self.ballot(),
            (36, _) => self.without_reservation(),
            (39, _) => self.trap(),
            (40, _) => self.neighbours(),
            (42 | 43, _) => self.add_to_shared_sum(),
            (44, _) if depth == 0 => self.read_shared_sum(),
            (41, _) if depth == 0 => self.shared_neighbours(),
            (37 | 38, _) if depth < DEEPEST => self.goto_into_loop(depth),
            (45.., _) => self.float_statement(),
            _ => self.arithmetic(),
        }
    }

    pub fn arithmetic(&mut self) {
        let kind = self.below(5);
        let (rd, rs1, rs2) = (self.register(), self.register(), self.register());
        self.late_before(rd, &[rs1, rs2]);
        let funct3 = self.below(8);
        match kind {
            0 => {
                let immediate = self.below(4096);
                let shift = [0, 0x400][self.below(2) as usize] | (immediate & 31);
                let immediate = match funct3 {
                    1 => immediate & 31,
                    5 => shift,
                    _ => immediate,
                };
                self.i_type(0x13, funct3, rd, rs1, immediate);
            }
            1 => self.multiply(funct3, rd, rs1, rs2),
            2 if self.below(2) == 0 => self.shared_value(rd),
            2 => {
                let immediate = self.below(1 << 20);
                self.upper(if funct3 < 4 { 0x37 } else { 0x17 }, rd, immediate);
            }
            _ => {
                let alternative = if matches!(funct3, 0 | 5) { 0x20 * self.below(2) } else { 0 };
                self.r_type(0x33, funct3, alternative, rd, rs1, rs2);
            }
        }
    }

    /// Sometimes a result that comes late, for a register that the next instruction writes and reads not: that instruction has to wait for it.
    pub fn late_before(&mut self, rd: u32, read: &[u32]) {
        if self.below(16) != 15 || read.contains(&rd) {
            return;
        }
        let (rs1, rs2, kind) = (self.register(), self.register(), self.below(10));
        match kind {
            0..8 => self.multiply(kind, rd, rs1, rs2),
            _ => self.load(2, rd, REGION_BASE, 0),
        }
    }

    /// What all threads of a CTA agree on.
    fn shared_value(&mut self, rd: u32) {
        match self.below(5) {
            0 => {
                let value = self.below(4);
                self.add_immediate(rd, 0, value);
            }
            1 => self.csr(rd, 0xcc6),
            2 => self.csr(rd, 0xcc9),
            3 => self.load(2, rd, ARGUMENTS, 4),
            _ => self.csr(rd, 0xcc3),
        }
    }

    /// Where the thread is: all but the address of the arguments.
    fn any_csr(&mut self) {
        let (rd, number) = (self.register(), self.below(15));
        self.late_before(rd, &[]);
        self.csr(rd, 0xcc0 + number);
    }

    /// A load or store of any size in the thread's own region.
    fn own_access(&mut self) {
        let size = 2 - self.below(3);
        let offset = self.below(REGION >> size) << size;
        let register = self.register();
        if self.below(2) == 0 {
            self.store(size, register, REGION_BASE, offset);
        } else {
            let unsigned = if size < 2 { 4 * self.below(2) } else { 0 };
            self.late_before(register, &[]);
            self.load(size | unsigned, register, REGION_BASE, offset);
        }
    }

    /// A load or store of any size in the thread's word of shared memory.
    fn own_shared(&mut self) {
        let size = 2 - self.below(3);
        let offset = self.below(4 >> size) << size;
        let register = self.register();
        if self.below(2) == 0 {
            self.store(size, register, OWN_SHARED, offset);
        } else {
            self.late_before(register, &[]);
            self.load(size, register, OWN_SHARED, offset);
        }
    }

    /// A load or store of bytes or a halfword between those of other threads, which may be in another warp, or CTA.
    fn neighbours(&mut self) {
        let (size, register) = (self.below(2), self.register());
        let offset = NEIGHBOURS + if size == 0 { self.below(2) } else { 0 };
        self.shift_left(TEMPORARY, THREAD, 1);
        self.add(TEMPORARY, TEMPORARY, TABLE_BASE);
        if self.below(3) != 0 {
            self.store(size, register, TEMPORARY, offset);
        } else {
            self.load(size, register, TEMPORARY, offset);
        }
    }

    /// To the thread's private memory and back.
    fn spill(&mut self) {
        let (source, rd, slot) = (self.register(), self.register(), 1 + self.below(8));
        let offset = (4 * slot).wrapping_neg();
        self.store(2, source, STACK, offset);
        if self.below(2) == 1 {
            self.arithmetic();
        }
        self.load(2, rd, STACK, offset);
    }

    fn table_load(&mut self) {
        self.address(TABLE_BASE, TABLE as u32);
        let (rd, size) = (self.register(), self.choices.of(&[2, 2, 0, 1, 4, 5]));
        self.late_before(rd, &[]);
        self.load(size, rd, TEMPORARY, 0);
    }

    fn counter(&mut self, number: u32) {
        self.add_immediate(TEMPORARY, COUNTER_BASE, 4 * number);
    }

    fn atomic(&mut self) {
        let source = self.register();
        if self.below(2) == 0 {
            // On a counter: its own commutative operation.
            let counter = self.below(8);
            self.counter(counter);
            self.amo(OPERATIONS[counter as usize], 0, TEMPORARY, source);
        } else {
            self.address(REGION_BASE, REGION / 4);
            let (rd, operation) = (self.register(), self.choices.of(&OPERATIONS));
            self.late_before(rd, &[source]);
            self.amo(operation, rd, TEMPORARY, source);
        }
    }

    /// Any operation on a counter; what it returns is used.
    fn ticket(&mut self) {
        // Of a launch that is stopped nobody knows what they are.
        if self.may_trap {
            return self.arithmetic();
        }
        // THREAD says whose ticket it is.
        self.reads(&[THREAD]);
        let (source, rd, operation) = (self.register(), self.register(), self.choices.of(&OPERATIONS));
        let counter = self.below(TICKETS.len() as u32);
        self.counter(TICKETS.start as u32 + counter);
        self.amo(operation, TICKET, TEMPORARY, source);
        self.add(rd, TICKET, 0);
    }

    /// Adds to a sum with LR/SC, until it succeeds: one thread a trip. With many threads, or a slow memory, that takes long.
    fn attempt(&mut self) {
        if self.shape.all_threads() > 64 {
            return self.arithmetic();
        }
        let (source, sum) = (self.register(), self.below(SUMS.len() as u32));
        self.counter(SUMS.start as u32 + sum);
        let top = self.here();
        self.late_before(ATTEMPT, &[]);
        self.amo(2, ATTEMPT, TEMPORARY, 0);
        self.add(ATTEMPT, ATTEMPT, source);
        self.amo(3, ATTEMPT, TEMPORARY, ATTEMPT);
        let again = self.branch_on(1, ATTEMPT, 0);
        self.aim(again, top);
    }

    /// Who takes part depends on the schedule, but nobody without a vote has a bit, and of those with one everybody his own.
    fn ballot(&mut self) {
        let (vote, rd) = (self.register(), self.register());
        self.late_before(ATTEMPT, &[vote]);
        self.emit_ballot(ATTEMPT, vote);
        if self.shape.permuted {
            // Some bit, if it votes itself: (mask != 0) & (vote != 0).
            self.r_type(0x33, 3, 0, ATTEMPT, 0, ATTEMPT);
            self.r_type(0x33, 3, 0, TEMPORARY, 0, vote);
            self.r_type(0x33, 7, 0, rd, ATTEMPT, TEMPORARY);
        } else {
            self.csr(TEMPORARY, 0xccc);
            self.r_type(0x33, 5, 0, ATTEMPT, ATTEMPT, TEMPORARY);
            self.and_immediate(rd, ATTEMPT, 1);
        }
    }

    /// A store-conditional of a thread that has no reservation. It fails, whatever others have left behind.
    fn without_reservation(&mut self) {
        let (source, rd, sum) = (self.register(), self.register(), self.below(SUMS.len() as u32));
        self.counter(SUMS.start as u32 + sum);
        self.late_before(rd, &[source]);
        self.amo(3, rd, TEMPORARY, source);
    }

    /// A reservation for a thread that is about to end.
    pub fn abandon_reservation(&mut self) {
        if self.below(4) == 3 {
            let sum = self.below(SUMS.len() as u32);
            self.counter(SUMS.start as u32 + sum);
            // What it writes is not looked at, so nobody has to wait for it.
            self.r_type(0x2f, 2, 2 << 2, ATTEMPT, TEMPORARY, 0);
        }
    }

    /// Some threads end.
    fn leave(&mut self) {
        let stay = self.branch();
        self.settle(&[]);
        self.abandon_reservation();
        self.exit();
        self.aim_here(stay);
    }
}
