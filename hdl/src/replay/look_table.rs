//! Loads that were looked at several times: when the last of their data is written.
//!
//! ```text
//!                              +-----------+
//!  check_valid, _warp, _rd --->|           |
//!  check_first, _took, _done ->| LookTable |---> releases
//!  back_valid, _warp, _rd ---->|           |
//!                              +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `check_valid`, `check_warp`, `check_rd` | 1, w, r | the memory stage has looked at the load of this warp to this register |
//! | `check_first`, `check_took`, `check_done` | 1, 1, 1 | for the first time; some of its threads get data for that; none are left |
//! | `back_valid`, `back_warp`, `back_rd` | 1, w, r | the data of one such look is written |
//! | `releases` | 1 | and that was the last: the register is no longer pending |
//!
//! Latency 0. State: for each register of each warp, how many looks are not back, and whether there will be more.
//!
//! There is one load for a register at a time, as the scoreboard sees to; the slot of the warp buffer may have another by then. Register 0 nobody waits for, and what is said of it means nothing.
//! A look is checked no later than its data is back.
use super::WarpRow;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LookTable: clock {
        pub check_valid: Signal<In, Bit>,
        pub check_warp: Net<In> = warp,
        pub check_rd: Net<In> = rd,
        pub check_first: Signal<In, Bit>,
        pub check_took: Signal<In, Bit>,
        pub check_done: Signal<In, Bit>,
        pub back_valid: Signal<In, Bit>,
        pub back_warp: Net<In> = warp,
        pub back_rd: Net<In> = rd,
        pub releases: Signal<Out, Bit>,

        /// Row 0 of the reads is that of the check.
        out: Memory = Memory::new(count, warps * registers, 2, 2, ReadKind::Asynchronous) => {
            read_address[0]: check_row.row, read_address[1]: back_row.row, write_enable[0]: checks, write_address[0]: check_row.row,
            write_data[0]: after_check, write_enable[1]: back_valid, write_address[1]: back_row.row, write_data[1]: after_back,
        },
        done: Memory = Memory::new(1, warps * registers, 1, 2, ReadKind::Asynchronous) => {
            read_address[0]: back_row.row, write_enable[0]: checks, write_address[0]: check_row.row, write_enable[1]: back_valid, write_address[1]: back_row.row,
        },
        check_row: WarpRow = WarpRow::new(warps, registers) => { warp: check_warp, index: check_rd },
        back_row: WarpRow = WarpRow::new(warps, registers) => { warp: back_warp, index: back_rd },
        checks: Signal<Local, Bit>,
        /// Both are of the same load.
        same: Signal<Local, Bit>,
        is_last: Signal<Local, Bit>,
        after_check: Net<Local> = count,
        after_back: Net<Local> = count,
    }
    sizes { _count = count }
    /// Of so many `warps` with so many `registers` each, a power of two, and as many looks at a load as there are `lanes` at most.
    pub fn new(warps: usize, registers: usize, lanes: usize) {
        let (warp, rd, count) = (index_width(warps), index_width(registers), index_width(lanes + 1));
    }
}

impl Logic for LookTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LookTable");
        self.same.next =
            self.check_valid.val() & self.back_valid.val() & (self.check_row.row.val() == self.back_row.row.val());
        self.checks.next = self.check_valid.val() & !self.same.val();
        self.after_check.next = self.out.read_data[0].val() + bit_cast_to(self.check_took.val(), self._count);
        if self.check_first.val() {
            // Whatever an earlier kernel left, if a trap ended it.
            self.after_check.next = bit_cast_to(self.check_took.val(), self._count);
        }
        self.after_back.next = self.out.read_data[1].val() - 1;
        self.is_last.next = self.done.read_data[0].val().any();
        if self.same.val() {
            self.after_back.next = self.after_check.val() - 1;
            self.is_last.next = self.check_done.val();
        }
        self.releases.next = self.back_valid.val() & self.is_last.val() & !self.after_back.val().any();
        self.done.write_data[0].next = bit_cast_to(self.check_done.val(), 1);
        self.done.write_data[1].next = bit_cast_to(self.is_last.val() & !self.releases.val(), 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cycle a line, of registers 2 of warp 0 and 1 of warp 1 (5): `check back | releases`, where `2f` is a first look, `2t` took, `2-`
    /// failed, `2!` took and is done.
    const LOOKS: &str = "
        2ft - | .
        2-  - | .
        5f! - | .      another load, in one look
        2t  2 | .      its first is back as it is looked at again
        -   5 | r
        2!  - | .
        -   2 | .
        -   2 | r
        2f! - | .      the register's next load
        -   2 | r
        5ft - | .
        5!  5 | .
        -   5 | r
        2ft - | .      a trap, and another kernel
        2f! - | .
        -   2 | r";

    #[test]
    fn the_last_data_releases_the_register() {
        let mut unit = LookTable::new(2, 4, 4);
        unit.connect_all();
        for line in LOOKS.trim().lines() {
            let fields: Vec<&str> = line.split_whitespace().collect();
            unit.check_valid.next = fields[0] != "-";
            let check = fields[0][..1].parse::<usize>().unwrap_or(0);
            (unit.check_warp.next, unit.check_rd.next) = ((check >> 2).into(), (check & 3).into());
            unit.check_first.next = fields[0].contains('f');
            unit.check_took.next = fields[0].ends_with(['t', '!']);
            unit.check_done.next = fields[0].ends_with('!');
            unit.back_valid.next = fields[1] != "-";
            let back = fields[1].parse::<usize>().unwrap_or(0);
            (unit.back_warp.next, unit.back_rd.next) = ((back >> 2).into(), (back & 3).into());
            simulate(&mut unit, 100);
            assert_eq!(unit.releases.val(), fields[3] == "r", "{line}");
            tick!(unit);
        }
    }
}
