//! What cores ask of L2, and what it answers.
use super::L2Config;
use crate::interface::MemoryOp;
use crate::prelude::*;

hardware_enum! {
    /// What is asked.
    pub enum L2RequestKind {
        /// Sectors of a line.
        Read,
        /// Bytes of a line are written.
        Write,
        /// Read-modify-write of a word.
        Atomic,
        /// A word, whose sector the core then has a reservation of.
        LoadReserved,
        /// A word is written if the core still has it.
        StoreConditional,
    }
}

hardware_enum! {
    /// What is answered.
    pub enum L2ReplyKind {
        /// The sectors.
        Data,
        /// The bytes are written.
        Ack,
        /// The line before the atomic; the line of a load-reserved.
        Old,
        /// Whether a store-conditional has written.
        Success,
    }
}

registers! {
    /// [`L2Request`], while it is compared.
    pub struct L2RequestRegister {
    /// A request.
    L2Request(config: &L2Config) {
        kind: L2RequestKind,
        /// Who asks, and how it calls the request.
        core: [config.core_width()],
        id: [config.id_width],
        /// The number of the line in the channel.
        line: [config.line_width],
        /// What is read; of anything else, where it is.
        sectors: [config.sectors()],
        /// Of an atomic.
        atomic: MemoryOp,
        /// Of what is one word: which.
        word: [index_width(config.words())],
        /// What is written, and the operand of an atomic.
        data: [32; config.words()],
        /// Bytes that are written.
        mask: [4; config.words()],
    }
    }
}

bundle! {
    /// A reply.
    pub struct L2Reply(config: &L2Config) {
        kind: L2ReplyKind,
        core: [config.core_width()],
        id: [config.id_width],
        sectors: [config.sectors()],
        success: Bit,
        /// Of what is one word: which.
        word: [index_width(config.words())],
        data: [32; config.words()],
    }
}
