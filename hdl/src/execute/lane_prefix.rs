//! How many bits are set, and how many below each one: the places that lanes get when they line up.
//!
//! ```text
//!              +------------+
//!   value ---->| LanePrefix |---> below[L]
//!              |            |---> total
//!              +------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `value` | L | a bit a lane, L up to 32 |
//! | `below[L]` | index of L | set bits below this lane's |
//! | `total` | index of L + 1 | all set bits |
//!
//! Latency 0. A tree of depth log2 L: on each level a lane adds the sum of the one 1, 2, 4... below it; 31, 30, 28, 24 and 16 adders of 32 lanes, which need a bit more on each level. The sums
//! count the lane itself, so `below` is the next lower lane's. Narasiman 2014, 7.1.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LanePrefix {
        pub value: Net<In> = lanes,
        pub below: Vec<Net<Out>> = Net::vec(lanes, index_width(lanes)),
        pub total: Net<Out> = total,

        ones: Vec<Net<Local>> = Net::vec(lanes, total),
        by_2: Vec<Net<Local>> = Net::vec(lanes, total),
        by_4: Vec<Net<Local>> = Net::vec(lanes, total),
        by_8: Vec<Net<Local>> = Net::vec(lanes, total),
        by_16: Vec<Net<Local>> = Net::vec(lanes, total),
        by_32: Vec<Net<Local>> = Net::vec(lanes, total),
        /// Of the next lower lane.
        sum: Net<Local> = total,
    }
    sizes { _place = index_width(lanes) }
    /// For so many lanes.
    pub fn new(lanes: usize) {
        let total = index_width(lanes + 1);
    }
}

impl Logic for LanePrefix {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LanePrefix");
        for lane in 0..self.below.len() {
            self.ones[lane].next = 0.into();
            if self.value.val().get_bit(lane) {
                self.ones[lane].next = 1.into();
            }
        }
        for lane in 0..self.below.len() {
            self.by_2[lane].next = self.ones[lane].val();
        }
        for lane in 1..self.below.len() {
            self.by_2[lane].next = self.ones[lane].val() + self.ones[lane - 1].val();
        }
        for lane in 0..self.below.len() {
            self.by_4[lane].next = self.by_2[lane].val();
        }
        for lane in 2..self.below.len() {
            self.by_4[lane].next = self.by_2[lane].val() + self.by_2[lane - 2].val();
        }
        for lane in 0..self.below.len() {
            self.by_8[lane].next = self.by_4[lane].val();
        }
        for lane in 4..self.below.len() {
            self.by_8[lane].next = self.by_4[lane].val() + self.by_4[lane - 4].val();
        }
        for lane in 0..self.below.len() {
            self.by_16[lane].next = self.by_8[lane].val();
        }
        for lane in 8..self.below.len() {
            self.by_16[lane].next = self.by_8[lane].val() + self.by_8[lane - 8].val();
        }
        for lane in 0..self.below.len() {
            self.by_32[lane].next = self.by_16[lane].val();
        }
        for lane in 16..self.below.len() {
            self.by_32[lane].next = self.by_16[lane].val() + self.by_16[lane - 16].val();
        }

        self.sum.next = 0.into();
        for lane in 0..self.below.len() {
            self.below[lane].next = bit_cast_to(self.sum.val(), self._place);
            self.sum.next = self.by_32[lane].val();
        }
        self.total.next = self.sum.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(unit: &mut LanePrefix, value: u64) {
        let lanes = unit.below.len();
        unit.value.next = Word::new(value, lanes);
        simulate(unit, 100);
        let below = |lane: usize| (value & ((1 << lane) - 1)).count_ones() as usize;
        for lane in 0..lanes {
            assert_eq!(unit.below[lane].val().index(), below(lane), "{value:x} of {lanes} lanes, lane {lane}");
        }
        assert_eq!(unit.total.val().index(), below(lanes), "{value:x} of {lanes} lanes");
    }

    #[test]
    fn counts_all_values_of_few_lanes() {
        for lanes in [4, 8] {
            let mut unit = LanePrefix::new(lanes);
            unit.connect_all();
            (0..1 << lanes).for_each(|value| check(&mut unit, value));
        }
    }

    #[test]
    fn counts_up_to_every_lane() {
        for lanes in [16, 32] {
            let mut unit = LanePrefix::new(lanes);
            unit.connect_all();
            let values = (0..lanes).map(|lane| mask(lanes) >> lane).chain((0..lanes).map(|lane| 1 << lane));
            values.chain([0, 0xa5a5_5a5a & mask(lanes)]).for_each(|value| check(&mut unit, value));
        }
    }
}
