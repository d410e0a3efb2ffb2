//! Where the generated code keeps registers and memories: what saving and restoring a state by names rests upon.
//!
//! The library exports the byte offsets of all [`places`], and `warploom_restored`, which is called after the registers and
//! memories have been written from outside. Whoever lets the code keep more than these from cycle to cycle
//! (values of earlier cycles, marks of what has changed) forgets it there.
use std::fmt::Write as _;

use super::{Class, class, padded, row_type, word_type};
use crate::ir::{Design, Type};

/// Offsets before those of the registers: the number of the current bank, the first bank, and the size of a bank.
pub const BANKS: usize = 3;

/// How many offsets the library exports: [`BANKS`], of every register in its bank, of every memory.
pub fn places(design: &Design) -> usize {
    BANKS + design.registers.len() + design.memories.len()
}

/// How the words of one register, or the rows of one memory, follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Each in so many bytes; of a memory with lanes, `stride` words make a row of all lanes.
    Bytes {
        /// 1, 2, 4 or 8.
        size: usize,
        /// Words from row to row.
        stride: usize,
    },
    /// One bit each, in the bits of one 64-bit word.
    Bits,
}

/// Of a register.
pub fn register_cells(ty: Type) -> Cells {
    let size = match class(ty) {
        Class::Word => size_of_type(word_type(ty.width())),
        Class::Mask => return Cells::Bits,
        Class::V(_) => 4,
        Class::W(_) => 8,
    };
    Cells::Bytes { size, stride: padded(ty).max(1) }
}

/// Of a memory.
pub fn memory_cells(ty: Type) -> Cells {
    Cells::Bytes { size: size_of_type(row_type(ty)), stride: padded(ty).max(1) }
}

fn size_of_type(name: &str) -> usize {
    match name {
        "u8" => 1,
        "u16" => 2,
        "u32" => 4,
        _ => 8,
    }
}

/// Writes the exported functions.
pub(super) fn emit(design: &Design, out: &mut String) {
    writeln!(out, "static PLACES: [usize; {}] = [", places(design)).unwrap();
    out.push_str("    std::mem::offset_of!(State, bank), std::mem::offset_of!(State, registers), std::mem::size_of::<Registers>(),\n");
    for i in 0..design.registers.len() {
        writeln!(out, "    std::mem::offset_of!(Registers, r{i}),").unwrap();
    }
    for i in 0..design.memories.len() {
        writeln!(out, "    std::mem::offset_of!(State, rest.memories.m{i}),").unwrap();
    }
    out.push_str("];\n#[no_mangle]\npub unsafe extern \"C\" fn warploom_places(places: *mut usize) {\n");
    out.push_str("    std::ptr::copy_nonoverlapping(PLACES.as_ptr(), places, PLACES.len());\n}\n");
    out.push_str("#[no_mangle]\npub unsafe extern \"C\" fn warploom_restored(s: *mut State) { (*s).rest.later = !0; (*s).driven = 1; (*s).known = 0; }\n");
}
