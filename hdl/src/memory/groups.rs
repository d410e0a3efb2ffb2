//! The groups of lanes that a memory instruction is split into, and what comes back for them.
//!
//! ```text
//!                +--------> Coalescer, Reservation
//!                |
//!  LoadStoreUnit +--Head, SharedGroup--> SharedMemory --+
//!                |                                      +--LaneWords--> LoadStoreUnit, LoadTable
//!                +--LineGroup----------> L1DataCache ---+
//! ```
use crate::interface::{MISS_ENTRY, MemoryOp};
use crate::prelude::*;

registers! {
    /// The head of the queue, once its addresses are checked.
    pub struct HeadRegister {
        /// A memory instruction that is split into groups.
        Head(config: &CoreConfig) {
            valid: Bit,
            op: MemoryOp,
            /// One lane at a time: atomics and LR/SC.
            single: Bit,
            warp: [config.path_width()],
            home_warps: [config.warp_width(); config.home_warps()],
            /// Where loads are issued again: its place in the warp buffer.
            buffer_slot: [config.buffer_slot_width(); config.of_replay()],
            again: [1; config.of_replay()],
            credit: [1; config.of_prediction()],
            entry: [MISS_ENTRY; config.of_miss_counters()],
            rd: [config.register_width(); config.of_replay()],
            /// Of its CTA.
            slot: [config.slot_width()],
            /// Where its threads are of several CTAs, instead: the CTA slots of these, by lane.
            slots: [config.slot_width(); config.where_mixed(config.lanes)],
            /// Nobody of its CTA comes before it. In its first cycle as the head only.
            first_of_cta: Bit,
            /// Where its threads are of several CTAs, instead (one, else none): the CTA slots of which that is true.
            first_of_ctas: [config.cta_slots; config.where_mixed(1)],
            /// Threads have ended between it and the one before it. In its first cycle as the head only.
            after_end: Bit,
            /// In a GPU: bit 0, it waits for all before it; bit 1, all behind it wait for it.
            orders: [2; config.of_gpu()],
            /// Lanes that access shared memory.
            shared: [config.lanes],
            /// Physical addresses.
            address: [32; config.lanes],
            /// Store data and bytes, in place in their word.
            data: [32; config.lanes],
            mask: [4; config.lanes],
        }
    }
}

registers! {
    /// The group in a stage of the L1.
    pub struct LineGroupRegister {
        /// Lanes that access one line.
        LineGroup(config: &CoreConfig, entry: usize) {
            valid: Bit,
            op: MemoryOp,
            /// Of a store-conditional: it stores. In a GPU, of a load-reserved: it gets the reservation of the core.
            succeeds: Bit,
            /// Physical address of the lowest lane.
            address: [32],
            lanes: [config.lanes],
            /// Load-table entry that the results belong to.
            entry: [entry],
            /// Byte offsets in the line.
            offset: [index_width(config.line_bytes); config.lanes],
            /// Store data and bytes, in place in their word.
            data: [32; config.lanes],
            mask: [4; config.lanes],
        }
    }
}

bundle! {
    /// Lanes of the head that access one line.
    pub struct ChosenLine(config: &CoreConfig) {
        /// Physical address of the lowest.
        address: [32],
        lanes: [config.lanes],
    }
}

bundle! {
    /// Lanes of the head that access shared memory; some may be left over by bank conflicts.
    pub struct SharedGroup(config: &CoreConfig, entry: usize) {
        /// Of a store-conditional: it stores.
        succeeds: Bit,
        /// The lane of an atomic.
        leader: [config.lane_width()],
        lanes: [config.lanes],
        /// Load-table entry that the results belong to.
        entry: [entry],
    }
}

bundle! {
    /// Lanes that have their words.
    pub struct LaneWords(config: &CoreConfig, entry: usize) {
        valid: Bit,
        entry: [entry],
        lanes: [config.lanes],
        /// The word each lane addressed, and the byte in it.
        word: [32; config.lanes],
        offset: [2; config.lanes],
    }
}
