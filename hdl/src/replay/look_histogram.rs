//! How often loads are looked at until they are done.
//!
//! ```text
//!                       +---------------+
//!  check_valid, _warp ->|               |
//!  check_slot, _first ->| LookHistogram |---> ended
//!  check_done --------->|               |
//!                       +---------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `check_valid`, `check_warp`, `check_slot` | 1, w, s | the memory stage has looked at this load |
//! | `check_first`, `check_done` | 1 | for the first time; none of its threads are left |
//! | `ended` | 5 | the load is done, after one look, two, three or four, five to eight, or more: one-hot |
//!
//! Latency 0. State: for each slot of each warp, how many looks there have been at its load; nine stand for more, too.
use super::WarpRow;
use crate::prelude::*;

/// Groups of numbers of looks.
pub const LOOK_GROUPS: usize = 5;
const WIDTH: usize = 4;

module! {
    /// See the [module documentation](self).
    pub struct LookHistogram: clock {
        pub check_valid: Signal<In, Bit>,
        pub check_warp: Net<In> = index_width(warps),
        pub check_slot: Net<In> = index_width(slots),
        pub check_first: Signal<In, Bit>,
        pub check_done: Signal<In, Bit>,
        pub ended: Net<Out> = LOOK_GROUPS,

        memory: Memory = Memory::new(WIDTH, warps * slots, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: row.row, write_enable[0]: check_valid, write_address[0]: row.row, write_data[0]: looks,
        },
        row: WarpRow = WarpRow::new(warps, slots) => { warp: check_warp, index: check_slot },
        /// With this one.
        looks: Net<Local> = WIDTH,
    }
    /// Of so many `warps` with so many `slots` each, a power of two.
    pub fn new(warps: usize, slots: usize) {}
}

impl Logic for LookHistogram {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LookHistogram");
        self.looks.next = self.memory.read_data[0].val();
        if self.looks.val() < 9 {
            self.looks.next = self.memory.read_data[0].val() + 1;
        }
        if self.check_first.val() {
            self.looks.next = 1.into();
        }
        self.ended.next = 0.into();
        if self.check_valid.val() & self.check_done.val() {
            if self.looks.val() == 1 {
                self.ended.next = 1.into();
            } else if self.looks.val() == 2 {
                self.ended.next = 2.into();
            } else if self.looks.val() <= 4 {
                self.ended.next = 4.into();
            } else if self.looks.val() <= 8 {
                self.ended.next = 8.into();
            } else {
                self.ended.next = 16.into();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(unit: &mut LookHistogram, (warp, slot): (usize, usize), first: bool, done: bool) -> u64 {
        unit.check_valid.next = true;
        (unit.check_warp.next, unit.check_slot.next) = (warp.into(), slot.into());
        (unit.check_first.next, unit.check_done.next) = (first, done);
        simulate(unit, 100);
        let ended = unit.ended.val().value();
        tick!(*unit);
        ended
    }

    #[test]
    fn a_load_is_in_the_group_of_its_last_look() {
        let mut unit = LookHistogram::new(4, 2);
        unit.connect_all();
        simulate(&mut unit, 100);
        for (looks, group) in [(1, 1), (2, 2), (3, 4), (4, 4), (5, 8), (8, 8), (9, 16), (10, 16), (40, 16), (1, 1)] {
            for number in 1..=looks {
                let expected = if number == looks { group } else { 0 };
                assert_eq!(look(&mut unit, (3, 1), number == 1, number == looks), expected, "{number} of {looks}");
            }
        }
    }

    #[test]
    fn each_slot_of_each_warp_has_a_number_of_its_own() {
        let mut unit = LookHistogram::new(4, 2);
        unit.connect_all();
        simulate(&mut unit, 100);
        let all: Vec<(usize, usize)> = (0..4).flat_map(|warp| (0..2).map(move |slot| (warp, slot))).collect();
        // The k-th load is looked at k times before its last.
        for number in 0..all.len() {
            for load in &all[number..] {
                assert_eq!(look(&mut unit, *load, number == 0, false), 0);
            }
            // No look, whatever the ports say.
            unit.check_valid.next = false;
            simulate(&mut unit, 100);
            assert_eq!(unit.ended.val().value(), 0);
            tick!(unit);
        }
        let groups: Vec<u64> = all.iter().map(|load| look(&mut unit, *load, false, true)).collect();
        assert_eq!(groups, [2, 4, 4, 8, 8, 8, 8, 16]);
    }
}
