//! Instruction words, encoded: what [`decode`](warploom_runtime::isa::decode) takes apart. Immediates are cut to the bits that there are.

/// `barrier`
pub const BARRIER: u32 = 0x0000_000b;
/// `exit`
pub const EXIT: u32 = 0x0000_100b;
/// `ecall`
pub const ECALL: u32 = 0x0000_0073;
/// `fence`
pub const FENCE: u32 = 0x0000_000f;

/// Two source registers.
pub fn r_type(opcode: u32, funct3: u32, funct7: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// One, and an immediate.
pub fn i_type(opcode: u32, funct3: u32, rd: u32, rs1: u32, immediate: u32) -> u32 {
    (immediate & 0xfff) << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// The offset of a branch, to be added to one without.
pub fn branch_offset(bytes: u32) -> u32 {
    bits(bytes, 12, 1) << 31 | bits(bytes, 5, 6) << 25 | bits(bytes, 1, 4) << 8 | bits(bytes, 11, 1) << 7
}

/// The offset of a jump, to be added to one without.
pub fn jump_offset(bytes: u32) -> u32 {
    bits(bytes, 20, 1) << 31 | bits(bytes, 1, 10) << 21 | bits(bytes, 11, 1) << 20 | bits(bytes, 12, 8) << 12
}

fn bits(of: u32, from: u32, count: u32) -> u32 {
    of >> from & ((1 << count) - 1)
}

/// `csrr`
pub fn csr(rd: u32, number: u32) -> u32 {
    i_type(0x73, 2, rd, 0, number)
}

/// `size` as in the instruction: 0 to 2, and 4 more for loads without sign.
pub fn load(size: u32, rd: u32, base: u32, offset: u32) -> u32 {
    i_type(0x03, size, rd, base, offset)
}

/// `size` 0 to 2.
pub fn store(size: u32, source: u32, base: u32, offset: u32) -> u32 {
    r_type(0x23, size, bits(offset, 5, 7), bits(offset, 0, 5), base, source)
}

/// `operation` is funct5; the address is in `base`.
pub fn amo(operation: u32, rd: u32, base: u32, source: u32) -> u32 {
    r_type(0x2f, 2, operation << 2, rd, base, source)
}

/// `lr.w`
pub fn load_reserved(rd: u32, base: u32) -> u32 {
    amo(2, rd, base, 0)
}

/// `sc.w`
pub fn store_conditional(rd: u32, base: u32, source: u32) -> u32 {
    amo(3, rd, base, source)
}

/// `add`
pub fn add(rd: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x33, 0, 0, rd, rs1, rs2)
}

/// Multiplications and divisions, by `funct3`.
pub fn multiply(funct3: u32, rd: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x33, funct3, 1, rd, rs1, rs2)
}

/// `addi`
pub fn add_immediate(rd: u32, rs1: u32, immediate: u32) -> u32 {
    i_type(0x13, 0, rd, rs1, immediate)
}

/// `andi`
pub fn and_immediate(rd: u32, rs1: u32, immediate: u32) -> u32 {
    i_type(0x13, 7, rd, rs1, immediate)
}

/// `slli`
pub fn shift_left(rd: u32, rs1: u32, by: u32) -> u32 {
    i_type(0x13, 1, rd, rs1, by)
}

/// A branch, by `funct3`, whose offset is 0.
pub fn branch(condition: u32, rs1: u32, rs2: u32) -> u32 {
    r_type(0x63, condition, 0, 0, rs1, rs2)
}

/// `bnez`, over so many words.
pub fn branch_not_zero(rs1: u32, words: i32) -> u32 {
    branch(1, rs1, 0) | branch_offset((4 * words) as u32)
}
