//! What the threads of a CTA do together: barriers, and exchange through shared memory between them.
use super::Generator;
use super::registers::*;

/// Add and exclusive or, as funct5.
const COMMUTE: [u32; 2] = [0x00, 0x04];

impl Generator<'_> {
    /// Every thread reads what the next one of its CTA has written.
    pub fn exchange(&mut self) {
        let (source, rd) = (self.register(), self.register());
        self.store(2, source, OWN_SHARED, 0);
        self.barrier();
        self.load(2, rd, NEIGHBOUR, 0);
        self.barrier();
    }

    /// Every thread updates what the next one of its CTA has written, or all of them the first one's word.
    pub fn atomic_exchange(&mut self) {
        let (source, operand, rd) = (self.register(), self.register(), self.register());
        let operation = self.choices.of(&COMMUTE);
        self.store(2, source, OWN_SHARED, 0);
        self.barrier();
        if self.below(2) == 0 {
            let old = self.register();
            self.amo(operation, old, NEIGHBOUR, operand);
            self.barrier();
            self.load(2, rd, OWN_SHARED, 0);
        } else {
            self.upper(0x37, TEMPORARY, 0x20000);
            self.amo(operation, 0, TEMPORARY, operand);
            self.barrier();
            self.load(2, rd, TEMPORARY, 0);
            // The first thread may write its word soon.
            self.barrier();
        }
    }

    /// Every thread writes a byte or a halfword beside the next one's, then all read what has become of their words.
    pub fn shared_neighbours(&mut self) {
        let (source, rd, size) = (self.register(), self.register(), self.below(2));
        // The thread's number in the CTA, times the bytes.
        self.shift_left(SCRATCH, OWN_SHARED, 4);
        self.i_type(0x13, 5, SCRATCH, SCRATCH, 6 - size);
        self.upper(0x37, TEMPORARY, 0x20000);
        self.add(TEMPORARY, TEMPORARY, SCRATCH);
        self.store(2, source, OWN_SHARED, 0);
        self.barrier();
        self.store(size, source, TEMPORARY, 0);
        self.barrier();
        self.load(2, rd, OWN_SHARED, 0);
        self.barrier();
    }

    /// TEMPORARY = the address of the sum: behind the words of the threads, if there is room.
    fn shared_sum(&mut self) {
        self.usage.shared_sum = true;
        self.constant(TEMPORARY, 0x2000_0000 + 4 * self.shape.threads());
    }

    /// Before any thread adds to it.
    pub fn clear_shared_sum(&mut self) {
        if self.shape.spare_words > 0 {
            self.shared_sum();
            self.store(2, 0, TEMPORARY, 0);
            self.barrier();
        }
    }

    /// Adds to it, whoever comes by.
    pub fn add_to_shared_sum(&mut self) {
        let source = self.register();
        if self.shape.spare_words == 0 {
            return self.arithmetic();
        }
        self.shared_sum();
        self.amo(0, 0, TEMPORARY, source);
    }

    /// What all threads have added so far.
    pub fn read_shared_sum(&mut self) {
        let rd = self.register();
        if self.shape.spare_words == 0 {
            return self.arithmetic();
        }
        self.barrier();
        self.shared_sum();
        self.load(2, rd, TEMPORARY, 0);
        self.barrier();
    }

    /// Both sides of a branch reach a barrier.
    pub fn divergent_barrier(&mut self) {
        let branch = self.branch();
        self.around_barrier();
        let over = self.jump();
        self.aim_here(branch);
        self.around_barrier();
        self.aim_here(over);
    }

    fn around_barrier(&mut self) {
        match self.below(3) {
            0 => {}
            1 => self.arithmetic(),
            _ => self.body(1, None),
        }
        self.barrier();
        if self.below(2) == 1 {
            self.body(1, None);
        }
    }
}
