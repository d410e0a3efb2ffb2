//! Packets: what cores and slices of the L2 ask and answer.
//!
//! Of the flits of a packet the first is its head, and each of the others a sector of data, the lowest first. So a sector travels only where it is touched, and a packet with
//! data has as many flits as it takes sectors, and one more. The head, in words of 32 bits:
//!
//! | word | bits | |
//! |---|---|---|
//! | 0 | 26..0 | `line` |
//! | | 30..27 | `sectors` |
//! | 1 | 3..0 | `kind` |
//! | | 9..4 | `core` |
//! | | 16..10 | `id` |
//! | | 20..17 | `operation` |
//! | | 23..21 | `word` |
//! | 2 | | `operand` |
//! | 3 and up | | `mask`, a word for each sector of a line |
//!
//! Words 0 and 1 are the header of 8 bytes. A mask has room beside it, so that it costs no flit, whether all bytes are written or not.
use crate::interface::MemoryOp;
use crate::prelude::*;

/// Bytes of a sector, which travels as a whole.
pub const SECTOR_BYTES: usize = 32;

hardware_enum! {
    /// What a packet is.
    pub enum PacketKind {
        /// Asks for sectors.
        Read,
        /// Writes bytes; with data.
        Write,
        /// Read-modify-write of a word.
        Atomic,
        /// Reads a word and reserves it.
        LoadReserved,
        /// Writes a word if it is reserved.
        StoreConditional,
        /// Answers with sectors.
        Data,
        /// A write has been done.
        Ack,
        /// The word before an atomic.
        Old,
        /// Whether a conditional store has been done.
        Success,
    }
}

bundle! {
    /// A packet as a whole.
    pub struct Packet(line_bytes: usize) {
        valid: Bit,
        kind: PacketKind,
        core: [6],
        id: [7],
        /// Address of the line, in sectors.
        line: [27],
        /// Sectors of it that are touched.
        sectors: [4],
        /// Of an atomic: what it does.
        operation: MemoryOp,
        /// What touches one word: which of its sector.
        word: [3],
        /// And that word.
        operand: [32],
        /// Words of the line; only those of touched sectors travel, with a write and with an answer to a read.
        data: [32; line_bytes / 4],
        /// Of each sector: the bytes written.
        mask: [32; line_bytes / SECTOR_BYTES],
    }
}
