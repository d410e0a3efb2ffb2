//! The private active masks: which threads of an instruction are not done, by warp and slot of the warp buffer (Turner 2012, section 5.2.4, Figure 5.3).
//!
//! ```text
//!                          +--------------+
//!  write_enable, _row ---->|              |
//!  write_mask ------------>|              |
//!                          | PrivateMasks |
//!  read_row -------------->|              |---> mask
//!                          |              |
//!  check_valid, _warp ---->|              |
//!  check_slot ------------>|              |
//!  check_mask, _done ----->|              |---> is_done
//!                          +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `write_enable`, `write_row`, `write_mask` | 1, r, L | an instruction enters this slot of this warp, for these threads |
//! | `read_row`, `mask` | r, L | for which threads it is issued, the first time or again |
//! | `check_valid`, `check_warp`, `check_slot` | 1, w, s | the memory stage has looked at this one |
//! | `check_mask`, `check_done` | L | for which threads it was issued, and which of them are done |
//! | `is_done` | 1 | there are no others |
//!
//! Latency: none from a row to its mask, nor from a check to `is_done`; 1 from either write to the mask. State: a memory of warps x slots masks.
//!
//! The mask of an instruction is that of its fetch, for a control instruction before it has been resolved by then; the branches behind it have nothing to do with it. A check needs no read before it, since the mask goes with the instruction.
use super::WarpRow;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PrivateMasks: clock {
        pub write_enable: Signal<In, Bit>,
        pub write_row: Net<In> = row,
        pub write_mask: Net<In> = lanes,
        pub read_row: Net<In> = row,
        pub mask: Net<Out> = lanes,
        pub check_valid: Signal<In, Bit>,
        pub check_warp: Net<In> = index_width(warps),
        pub check_slot: Net<In> = index_width(slots),
        pub check_mask: Net<In> = lanes,
        pub check_done: Net<In> = lanes,
        pub is_done: Signal<Out, Bit>,

        masks: Memory = Memory::new(lanes, warps * slots, 1, 2, ReadKind::Asynchronous) => {
            read_address[0]: read_row, read_data[0]: mask, write_enable[0]: write_enable, write_address[0]: write_row,
            write_data[0]: write_mask, write_enable[1]: check_valid, write_address[1]: check_row.row, write_data[1]: left,
        },
        check_row: WarpRow = WarpRow::new(warps, slots) => { warp: check_warp, index: check_slot },
        left: Net<Local> = lanes,
    }
    /// Of `warps` of `lanes` threads, with `slots` each.
    pub fn new(lanes: usize, warps: usize, slots: usize) {
        let row = index_width(warps) + index_width(slots);
    }
}

impl Logic for PrivateMasks {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PrivateMasks");
        self.left.next = self.check_mask.val() & !self.check_done.val();
        self.is_done.next = !self.left.val().any();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_left_is_issued_again() {
        let mut unit = PrivateMasks::new(4, 4, 4);
        unit.connect_all();
        for (row, mask) in [(5, 0b1111), (6, 0b0011)] {
            unit.write_enable.next = true;
            (unit.write_row.next, unit.write_mask.next) = (usize::into(row), usize::into(mask));
            tick!(unit);
        }
        unit.write_enable.next = false;
        // Row, for which threads it is issued, which are done | which are left.
        for (row, mask, done, left) in [
            (5, 0b1111, 0b0011, 0b1100),
            (6, 0b0011, 0b0000, 0b0011),
            (5, 0b1100, 0b1100, 0),
            (6, 0b0011, 0b1010, 0b0001),
        ] {
            unit.read_row.next = usize::into(row);
            unit.check_valid.next = true;
            (unit.check_warp.next, unit.check_slot.next) = ((row >> 2).into(), (row & 3).into());
            (unit.check_mask.next, unit.check_done.next) = (usize::into(mask), usize::into(done));
            simulate(&mut unit, 100);
            assert_eq!((unit.mask.val().index(), unit.is_done.val()), (mask, left == 0), "row {row}");
            tick!(unit);
            unit.check_valid.next = false;
            simulate(&mut unit, 100);
            assert_eq!(unit.mask.val().index(), left, "row {row}");
        }
    }
}
