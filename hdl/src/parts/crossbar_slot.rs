//! One output of a [`LaneCrossbar`](super::LaneCrossbar): a 32-bit word, each byte of which comes from the highest lane that writes it.
//!
//! ```text
//!                      +---------------------------------------------+
//!  slot -------------->| per byte k:                                 |
//!  lane_slot[L] ------>|  lanes of this slot & byte_lanes[k]         |---> data
//!  byte_lanes[4] ----->|   -> PriorityEncoder -> IndexedMux of bytes |---> mask
//!  lane_data[L] ------>|                                             |
//!                      +---------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `slot` | s | number of this slot |
//! | `lane_slot[L]` | s | slot that each lane addresses |
//! | `byte_lanes[4]` | L | byte *k*: the lanes that write it (in whatever slot), the highest lane in bit 0 |
//! | `lane_data[L]` | 32 | the lanes' words, bytes in place |
//! | `data` | 32 | merged word; 0 in bytes that nobody writes |
//! | `mask` | 4 | bytes that somebody writes |
//!
//! Latency 0, no state. L is a power of two, so that lane `L - 1 - i` is the complement of `i`.
//!
//! The encoder finds the lowest set bit, so the lanes enter it in reverse: the highest lane wins, as
//! if the lanes had written one after another. Of each multiplexer's output one byte is used; synthesis removes the rest.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CrossbarSlot {
        pub slot: Net<In> = index_width(slots),
        pub lane_slot: Vec<Net<In>> = Net::vec(lanes, index_width(slots)),
        pub byte_lanes: Vec<Net<In>> = Net::vec(4, lanes),
        pub lane_data: Vec<Net<In>> = Net::vec(lanes, 32),
        pub data: Net<Out> = 32,
        pub mask: Net<Out> = 4,

        /// The lanes of this slot, highest lane in bit 0.
        matching: Net<Local> = lanes,
        encoder: Vec<PriorityEncoder> = (0..4).map(|_| PriorityEncoder::new(lanes)).collect(),
        mux: Vec<IndexedMux> = (0..4).map(|_| IndexedMux::new(32, lanes)).collect(),
    }
    sizes { _top_lane = lanes - 1, _lanes = lanes }
    /// A slot among `slots`, for `lanes` lanes.
    pub fn new(lanes: usize, slots: usize) {}
}

impl Logic for CrossbarSlot {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CrossbarSlot");
        self.matching.next = 0.into();
        for last in self._top_lane..self._lanes {
            for i in 0..self.lane_slot.len() {
                self.matching.next =
                    self.matching.val().replace_bit(last - i, self.lane_slot[i].val() == self.slot.val());
            }
        }
        self.mask.next = 0.into();
        for k in 0..4 {
            self.encoder[k].request.next = self.matching.val() & self.byte_lanes[k].val();
            self.mask.next = self.mask.val().replace_bit(k, self.encoder[k].any.val());
            self.mux[k].index.next = !self.encoder[k].index.val();
            wire::join(&mut self.lane_data, &mut self.mux[k].inputs);
        }
        self.data.next = 0.into();
        if self.encoder[0].any.val() {
            self.data.next = self.mux[0].selected.val() & 0xff;
        }
        if self.encoder[1].any.val() {
            self.data.next = self.data.val() | (self.mux[1].selected.val() & 0xff00);
        }
        if self.encoder[2].any.val() {
            self.data.next = self.data.val() | (self.mux[2].selected.val() & 0xff_0000);
        }
        if self.encoder[3].any.val() {
            self.data.next = self.data.val() | ((self.mux[3].selected.val() >> 24) << 24);
        }
    }
}
