//! The row of one of a warp's things in a memory that has so many rows for each warp: a slot of its buffer, a register.
//!
//! ```text
//!          +---------+
//! warp --->| WarpRow |---> row
//! index -->|         |
//!          +---------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp`, `index` | w, i | |
//! | `row` | w + i | `warp` x 2^i + `index` |
//!
//! Latency 0. No state.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpRow {
        pub warp: Net<In> = index_width(warps),
        pub index: Net<In> = index_width(each),
        pub row: Net<Out> = row,

        index_bits: Constant = Constant::new(index_width(each) as u64, index_width(row)),
    }
    sizes { _row = row }
    /// Of so many `warps`, with so many rows `each`, a power of two.
    pub fn new(warps: usize, each: usize) {
        assert!(each.is_power_of_two() && each > 1, "{each} rows for a warp");
        let row = index_width(warps) + index_width(each);
    }
}

impl Logic for WarpRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpRow");
        self.row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.index.val(), self._row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warp_then_index() {
        let mut unit = WarpRow::new(8, 4);
        unit.connect_all();
        simulate(&mut unit, 100);
        for (warp, index, row) in [(0, 3, 3), (1, 0, 4), (5, 2, 22), (7, 3, 31)] {
            (unit.warp.next, unit.index.next) = (usize::into(warp), usize::into(index));
            simulate(&mut unit, 100);
            assert_eq!(unit.row.val().index(), row, "{warp} {index}");
        }
    }
}
