//! Instruction words.

pub const EXIT: u32 = 0x0000_100b;
pub const BARRIER: u32 = 0x0000_000b;
pub const ECALL: u32 = 0x0000_0073;

pub fn csr(rd: u32, number: u32) -> u32 {
    number << 20 | 2 << 12 | rd << 7 | 0x73
}

pub fn load(rd: u32, base: u32, offset: u32) -> u32 {
    offset << 20 | base << 15 | 2 << 12 | rd << 7 | 0x03
}

pub fn store(source: u32, base: u32) -> u32 {
    source << 20 | base << 15 | 2 << 12 | 0x23
}

pub fn add(rd: u32, rs1: u32, rs2: u32) -> u32 {
    rs2 << 20 | rs1 << 15 | rd << 7 | 0x33
}

pub fn multiply(rd: u32, rs1: u32, rs2: u32) -> u32 {
    1 << 25 | add(rd, rs1, rs2)
}

pub fn divide(rd: u32, rs1: u32, rs2: u32) -> u32 {
    4 << 12 | multiply(rd, rs1, rs2)
}

pub fn add_immediate(rd: u32, rs1: u32, value: u32) -> u32 {
    value << 20 | rs1 << 15 | rd << 7 | 0x13
}

pub fn and_immediate(rd: u32, rs1: u32, value: u32) -> u32 {
    7 << 12 | add_immediate(rd, rs1, value)
}

pub fn shift_left(rd: u32, rs1: u32, by: u32) -> u32 {
    1 << 12 | add_immediate(rd, rs1, by)
}

pub fn branch_not_zero(rs1: u32, words: i32) -> u32 {
    let offset = (4 * words) as u32;
    let bits = |from: u32, count: u32| offset >> from & ((1 << count) - 1);
    bits(12, 1) << 31 | bits(5, 6) << 25 | rs1 << 15 | 1 << 12 | bits(1, 4) << 8 | bits(11, 1) << 7 | 0x63
}

pub fn load_reserved(rd: u32, address: u32) -> u32 {
    2 << 27 | address << 15 | 2 << 12 | rd << 7 | 0x2f
}

pub fn store_conditional(rd: u32, address: u32, source: u32) -> u32 {
    3 << 27 | source << 20 | address << 15 | 2 << 12 | rd << 7 | 0x2f
}
