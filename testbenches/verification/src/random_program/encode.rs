//! Instructions at the end of a program, and what it is known for then: registers that it reads, results that come late.
use super::Generator;
use super::registers::*;
use crate::words::{self, BARRIER, EXIT, FENCE};

impl Generator<'_> {
    pub fn emit(&mut self, word: u32) {
        self.words.push(word);
    }

    /// The program reads these registers, so that they must be set up.
    pub fn reads(&mut self, registers: &[u32]) {
        registers.iter().for_each(|register| self.usage.read |= 1u64 << register);
    }

    /// The address of what comes next, in words.
    pub fn here(&self) -> usize {
        self.words.len()
    }

    pub fn r_type(&mut self, opcode: u32, funct3: u32, funct7: u32, rd: u32, rs1: u32, rs2: u32) {
        self.reads(&[rs1, rs2]);
        self.emit(words::r_type(opcode, funct3, funct7, rd, rs1, rs2));
    }

    pub fn i_type(&mut self, opcode: u32, funct3: u32, rd: u32, rs1: u32, immediate: u32) {
        self.reads(&[rs1]);
        self.emit(words::i_type(opcode, funct3, rd, rs1, immediate));
    }

    /// `lui`, or with `opcode` 0x17 `auipc`.
    pub fn upper(&mut self, opcode: u32, rd: u32, immediate: u32) {
        self.emit(immediate << 12 | rd << 7 | opcode);
    }

    pub fn add_immediate(&mut self, rd: u32, rs1: u32, immediate: u32) {
        self.reads(&[rs1]);
        self.emit(words::add_immediate(rd, rs1, immediate));
    }

    pub fn and_immediate(&mut self, rd: u32, rs1: u32, immediate: u32) {
        self.reads(&[rs1]);
        self.emit(words::and_immediate(rd, rs1, immediate));
    }

    pub fn shift_left(&mut self, rd: u32, rs1: u32, by: u32) {
        self.reads(&[rs1]);
        self.emit(words::shift_left(rd, rs1, by));
    }

    pub fn add(&mut self, rd: u32, rs1: u32, rs2: u32) {
        self.reads(&[rs1, rs2]);
        self.emit(words::add(rd, rs1, rs2));
    }

    pub fn csr(&mut self, rd: u32, number: u32) {
        self.reads(&[0]);
        self.emit(words::csr(rd, number));
    }

    /// Up to 2^31.
    pub fn constant(&mut self, rd: u32, value: u32) {
        if value < 0x800 {
            return self.add_immediate(rd, 0, value);
        }
        self.upper(0x37, rd, (value + 0x800) >> 12);
        self.add_immediate(rd, rd, value);
    }

    /// Multiplications and divisions take long.
    pub fn multiply(&mut self, funct3: u32, rd: u32, rs1: u32, rs2: u32) {
        self.usage.late |= 1 << rd;
        self.reads(&[rs1, rs2]);
        self.emit(words::multiply(funct3, rd, rs1, rs2));
    }

    /// `size` as in the instruction: 0 to 2, and 4 more for loads without sign.
    pub fn load(&mut self, size: u32, rd: u32, base: u32, offset: u32) {
        self.usage.late |= 1 << rd;
        self.reads(&[base]);
        self.emit(words::load(size, rd, base, offset));
    }

    pub fn store(&mut self, size: u32, source: u32, base: u32, offset: u32) {
        self.reads(&[base, source]);
        self.emit(words::store(size, source, base, offset));
    }

    /// `operation` is funct5; the address is in `base`.
    pub fn amo(&mut self, operation: u32, rd: u32, base: u32, source: u32) {
        self.usage.late |= 1 << rd;
        self.reads(&[base, source]);
        self.emit(words::amo(operation, rd, base, source));
    }

    pub fn emit_ballot(&mut self, rd: u32, rs1: u32) {
        self.i_type(0x0b, 2, rd, rs1, 0);
    }

    pub fn fence(&mut self) {
        self.emit(FENCE);
    }

    /// A conditional branch whose target is still open; [`aim`](Self::aim) closes it.
    pub fn branch(&mut self) -> usize {
        let condition = self.choices.of(&[0, 1, 4, 5, 6, 7]);
        let rs1 = self.register();
        let rs2 = if self.below(3) == 0 { 0 } else { self.register() };
        self.branch_on(condition, rs1, rs2)
    }

    pub fn branch_on(&mut self, condition: u32, rs1: u32, rs2: u32) -> usize {
        self.reads(&[rs1, rs2]);
        self.emit(words::branch(condition, rs1, rs2));
        self.words.len() - 1
    }

    /// A jump whose target is still open.
    pub fn jump(&mut self) -> usize {
        self.call_with(0)
    }

    /// A call whose target is still open.
    pub fn call_with(&mut self, link: u32) -> usize {
        self.emit(0x6f | link << 7);
        self.words.len() - 1
    }

    /// Points the branch or jump at `position` to word `target`.
    pub fn aim(&mut self, position: usize, target: usize) {
        let offset = (4 * (target as i32 - position as i32)) as u32;
        let is_jump = self.words[position] & 0x7f == 0x6f;
        self.words[position] |= if is_jump { words::jump_offset(offset) } else { words::branch_offset(offset) };
    }

    /// The same, to what comes next.
    pub fn aim_here(&mut self, position: usize) {
        self.aim(position, self.here());
    }

    /// Waits for results that are on their way: one that arrives after its thread has ended would count as the next thread's.
    /// `read` are registers that have been read since.
    pub fn settle(&mut self, read: &[u32]) {
        let late = self.needed.late | self.prologue_late;
        for register in (1..32).filter(|register| late >> register & 1 == 1 && !read.contains(register)) {
            self.emit(register << 15 | 0x33);
        }
    }

    pub fn exit(&mut self) {
        self.emit(EXIT);
    }

    pub fn barrier(&mut self) {
        self.emit(BARRIER);
    }

    /// TEMPORARY = base + 4 x (register mod `words`).
    pub fn address(&mut self, base: u32, words: u32) {
        let register = self.register();
        self.and_immediate(TEMPORARY, register, words - 1);
        self.shift_left(TEMPORARY, TEMPORARY, 2);
        self.add(TEMPORARY, TEMPORARY, base);
    }
}
