//! Gathers the lanes' store data into words: per slot (a word of a cache line, a memory bank) and byte, the highest lane that writes it.
//!
//! ```text
//!                      +---------------------+
//!  selected ---------->|                     |
//!  lane_slot[L] ------>|  CrossbarSlot x S   |---> slot_data[S]
//!  lane_mask[L] ------>|                     |---> slot_mask[S]
//!  lane_data[L] ------>|                     |
//!                      +---------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `selected` | L | lanes that take part |
//! | `lane_slot[L]` | s | slot that each lane addresses |
//! | `lane_mask[L]` | 4 | bytes of the word that each lane writes |
//! | `lane_data[L]` | 32 | its word, bytes in place |
//! | `slot_data[S]` | 32 | merged words; 0 in bytes that nobody writes |
//! | `slot_mask[S]` | 4 | bytes written |
//!
//! Latency 0, no state. Resolving bytes rather than words lets stores of every size leave in one group
//! per line: the alternative, one lane per word and cycle, saves three encoders of four per slot and
//! makes coalesced byte stores four times slower.
use super::CrossbarSlot;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LaneCrossbar {
        pub selected: Net<In> = lanes,
        pub lane_slot: Vec<Net<In>> = Net::vec(lanes, index_width(slots)),
        pub lane_mask: Vec<Net<In>> = Net::vec(lanes, 4),
        pub lane_data: Vec<Net<In>> = Net::vec(lanes, 32),
        pub slot_data: Vec<Net<Out>> = Net::vec(slots, 32),
        pub slot_mask: Vec<Net<Out>> = Net::vec(slots, 4),

        /// `lane_mask` of the selected lanes, transposed: per byte its lanes, the highest in bit 0.
        byte_lanes: Vec<Net<Local>> = Net::vec(4, lanes),
        slots: Vec<CrossbarSlot> = (0..slots).map(|_| CrossbarSlot::new(lanes, slots)).collect() => |s| {
            lane_slot, lane_data, data: slot_data[s], mask: slot_mask[s],
        },
    }
    sizes { _top_lane = lanes - 1, _lanes = lanes }
    /// A crossbar from `lanes` lanes (a power of two) to `slots` words.
    pub fn new(lanes: usize, slots: usize) {}
}

impl Logic for LaneCrossbar {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LaneCrossbar");
        for k in 0..4 {
            self.byte_lanes[k].next = 0.into();
            for last in self._top_lane..self._lanes {
                for i in 0..self.lane_mask.len() {
                    self.byte_lanes[k].next = self.byte_lanes[k]
                        .val()
                        .replace_bit(last - i, self.selected.val().get_bit(i) & self.lane_mask[i].val().get_bit(k));
                }
            }
        }
        for s in 0..self.slots.len() {
            self.slots[s].slot.next = s.into();
            for k in 0..4 {
                self.slots[s].byte_lanes[k].next = self.byte_lanes[k].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `lane_slot lane_mask lane_data` of lanes 0..4, then `slot_data/slot_mask` of slots 0 and 1.
    fn route(selected: usize, lanes: [(usize, usize, usize); 4]) -> [(u64, u64); 2] {
        let mut crossbar = LaneCrossbar::new(4, 2);
        crossbar.connect_all();
        crossbar.selected.next = selected.into();
        for (i, (slot, mask, data)) in lanes.into_iter().enumerate() {
            crossbar.lane_slot[i].next = slot.into();
            crossbar.lane_mask[i].next = mask.into();
            crossbar.lane_data[i].next = data.into();
        }
        simulate(&mut crossbar, 1000);
        [0, 1].map(|s| (crossbar.slot_data[s].val().value(), crossbar.slot_mask[s].val().value()))
    }

    #[test]
    fn the_highest_lane_wins_each_byte() {
        let lanes = [(0, 0xf, 0x1111_1111), (0, 0xf, 0x2222_2222), (1, 0b0010, 0x3300), (1, 0b0110, 0x44_4400)];
        assert_eq!(route(0b1111, lanes), [(0x2222_2222, 0xf), (0x44_4400, 0b0110)]);
        assert_eq!(route(0b0101, lanes), [(0x1111_1111, 0xf), (0x3300, 0b0010)], "others do not take part");
        assert_eq!(route(0b0000, lanes), [(0, 0), (0, 0)]);
    }

    #[test]
    fn bytes_of_several_lanes_merge() {
        let lanes = [(0, 1, 0xaa), (0, 2, 0xbb00), (0, 4, 0xcc_0000), (0, 9, 0xdd00_00ee)];
        assert_eq!(route(0b1111, lanes), [(0xddcc_bbee, 0xf), (0, 0)]);
    }

    /// Four lanes and four slots: any lane reaches any slot with all its bytes.
    #[test]
    fn every_lane_reaches_every_slot() {
        let mut crossbar = LaneCrossbar::new(4, 4);
        crossbar.connect_all();
        crossbar.selected.next = 0b1111.into();
        for turn in 0..4 {
            for lane in 0..4 {
                crossbar.lane_slot[lane].next = ((lane + turn) % 4).into();
                crossbar.lane_mask[lane].next = (15 - lane).into();
                crossbar.lane_data[lane].next = (0x1111_1111 * (lane + 1)).into();
            }
            simulate(&mut crossbar, 1000);
            for lane in 0..4 {
                let (slot, mask) = ((lane + turn) % 4, 15 - lane);
                let bytes: u64 = (0..4).filter(|byte| mask >> byte & 1 == 1).map(|byte| 0xff << (8 * byte)).sum();
                assert_eq!(crossbar.slot_mask[slot].val(), mask, "lane {lane}, slot {slot}");
                assert_eq!(crossbar.slot_data[slot].val().value(), 0x1111_1111 * (lane as u64 + 1) & bytes);
            }
        }
    }
}
