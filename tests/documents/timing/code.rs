//! A few instructions as words, and programs of them.
use warploom_runtime::loader::{Annotation, Program};
use warploom_verification::words::{self, i_type, r_type};

/// Registers of the programs here.
pub const ZERO: u32 = 0;
pub const A0: u32 = 10;
pub const A1: u32 = 11;
pub const A2: u32 = 12;
pub const A3: u32 = 13;

/// A program under construction.
#[derive(Default)]
pub struct Code {
    words: Vec<u32>,
    annotations: Vec<Annotation>,
}

impl Code {
    /// Where the next instruction goes.
    pub fn pc(&self) -> u32 {
        4 * self.words.len() as u32
    }

    /// Appends an instruction; its address.
    pub fn push(&mut self, word: u32) -> u32 {
        self.words.push(word);
        self.annotations.push(Annotation::default());
        self.pc() - 4
    }

    /// Appends a branch that meets again `distance` bytes behind it; its address.
    pub fn push_branch(&mut self, word: u32, distance: u32) -> u32 {
        let pc = self.push(word);
        self.annotations[pc as usize / 4].rpc = Some(pc + distance);
        pc
    }

    /// Appends instructions; the address of the first.
    pub fn extend(&mut self, words: &[u32]) -> u32 {
        let pc = self.pc();
        words.iter().for_each(|&word| {
            self.push(word);
        });
        pc
    }

    /// Appends `count` times the same instructions.
    pub fn repeat(&mut self, count: usize, words: &[u32]) {
        (0..count).for_each(|_| {
            self.extend(words);
        });
    }

    /// Loads a constant into a register (two instructions).
    pub fn constant(&mut self, rd: u32, value: u32) {
        let low = (value & 0xfff) as i32;
        let low = if low >= 0x800 { low - 0x1000 } else { low };
        self.push(lui(rd, value.wrapping_sub(low as u32) >> 12));
        self.push(addi(rd, rd, low));
    }

    /// The program, ended by `exit`.
    pub fn finish(mut self) -> Program {
        self.push(exit());
        Program { name: "timing".into(), words: self.words, annotations: self.annotations, ..Program::empty() }
    }
}

pub fn addi(rd: u32, rs1: u32, value: i32) -> u32 {
    words::add_immediate(rd, rs1, value as u32)
}

pub fn slli(rd: u32, rs1: u32, amount: i32) -> u32 {
    words::shift_left(rd, rs1, amount as u32)
}

pub fn andi(rd: u32, rs1: u32, value: i32) -> u32 {
    words::and_immediate(rd, rs1, value as u32)
}

pub fn add(rd: u32, rs1: u32, rs2: u32) -> u32 {
    words::add(rd, rs1, rs2)
}

pub fn mul(rd: u32, rs1: u32, rs2: u32) -> u32 {
    words::multiply(0, rd, rs1, rs2)
}

pub fn divu(rd: u32, rs1: u32, rs2: u32) -> u32 {
    words::multiply(5, rd, rs1, rs2)
}

pub fn lui(rd: u32, upper: u32) -> u32 {
    upper << 12 | rd << 7 | 0x37
}

pub fn lw(rd: u32, offset: i32, rs1: u32) -> u32 {
    words::load(2, rd, rs1, offset as u32)
}

pub fn sw(rs2: u32, offset: i32, rs1: u32) -> u32 {
    words::store(2, rs2, rs1, offset as u32)
}

pub fn amoadd(rd: u32, rs2: u32, rs1: u32) -> u32 {
    words::amo(0, rd, rs1, rs2)
}

pub fn fence() -> u32 {
    0x0ff0_000f
}

pub fn flw(rd: u32, offset: i32, rs1: u32) -> u32 {
    i_type(0x07, 2, rd, rs1, offset as u32)
}

/// As [`lw`] and [`sw`]: the opcodes differ in a bit.
pub fn fsw(rs2: u32, offset: i32, rs1: u32) -> u32 {
    sw(rs2, offset, rs1) | 0x04
}

/// A float instruction with the rounding mode of the thread.
fn float(funct7: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x53, 7, funct7, rd, rs1, rs2)
}

pub fn fadd(rd: u32, rs1: u32, rs2: u32) -> u32 {
    float(0x00, rd, rs1, rs2)
}

/// rs1 * rs2 + rs1.
pub fn fmadd(rd: u32, rs1: u32, rs2: u32) -> u32 {
    rs1 << 27 | rs2 << 20 | rs1 << 15 | 7 << 12 | rd << 7 | 0x43
}

pub fn fdiv(rd: u32, rs1: u32, rs2: u32) -> u32 {
    float(0x0c, rd, rs1, rs2)
}

pub fn fsqrt(rd: u32, rs1: u32) -> u32 {
    float(0x2c, rd, rs1, 0)
}

pub fn fmin(rd: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x53, 0, 0x14, rd, rs1, rs2)
}

/// Is rs1 less? To an integer register.
pub fn flt(rd: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x53, 1, 0x50, rd, rs1, rs2)
}

/// A float to an integer, and back.
pub fn fcvt_w_s(rd: u32, rs1: u32) -> u32 {
    float(0x60, rd, rs1, 0)
}

pub fn fcvt_s_w(rd: u32, rs1: u32) -> u32 {
    float(0x68, rd, rs1, 0)
}

/// The bits of an integer register.
pub fn fmv_w_x(rd: u32, rs1: u32) -> u32 {
    r_type(0x53, 0, 0x78, rd, rs1, 0)
}

/// The bits of a float register.
pub fn fmv_x_w(rd: u32, rs1: u32) -> u32 {
    r_type(0x53, 0, 0x70, rd, rs1, 0)
}

/// Reads the thread's flags.
pub fn frflags(rd: u32) -> u32 {
    words::csr(rd, 1)
}

/// Branches if the registers differ.
pub fn bne(rs1: u32, rs2: u32, offset: i32) -> u32 {
    words::branch(1, rs1, rs2) | words::branch_offset(offset as u32)
}

pub fn jal(rd: u32, offset: i32) -> u32 {
    words::jump_offset(offset as u32) | rd << 7 | 0x6f
}

pub fn jalr(rd: u32, offset: i32, rs1: u32) -> u32 {
    i_type(0x67, 0, rd, rs1, offset as u32)
}

/// Number of the lane.
pub fn lane(rd: u32) -> u32 {
    words::csr(rd, 0xccc)
}

/// Number of the thread in its CTA.
pub fn thread(rd: u32) -> u32 {
    words::csr(rd, 0xcc0)
}

pub fn barrier() -> u32 {
    words::BARRIER
}

pub fn exit() -> u32 {
    words::EXIT
}

pub fn ballot(rd: u32, rs1: u32) -> u32 {
    r_type(0x0b, 2, 0, rd, rs1, 0)
}
