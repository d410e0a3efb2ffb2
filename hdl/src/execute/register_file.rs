//! The registers of all threads: one bank per lane, one row per register of each warp.
//!
//! ```text
//!                            +--------------+
//!   read_warp, rs1, rs2 ---->| bank 0 .. L-1|---> rs1_data[L]
//!                            | {warp, reg}  |---> rs2_data[L]
//!   write_warp, rd, mask --->|              |
//!   write_data[L] ---------->|              |
//!                            +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_enable` | 1 | read both rows at the edge, else hold the last data |
//! | `read_warp`, `rs1`, `rs2` | w, 5, 5 | OPERAND: the rows |
//! | `rs1_data[L]`, `rs2_data[L]` | 32 | EXECUTE: their contents, by lane |
//! | `write_enable`, `write_warp`, `rd` | 1, w, 5 | WRITEBACK: the row to write at the edge |
//! | `write_mask` | L | lanes that write |
//! | `write_data[L]` | 32 | values by lane |
//!
//! Latency: read 1, write 1; a read that meets a write sees the old contents, which the scoreboard
//! never lets happen. State: L memories of 32 W rows. Nobody writes x0 (the decoder sees to that),
//! so its rows stay 0. One row address per lane: Fung & Aamodt 2011, section 4.3.
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct RegisterFile {
    pub clock: Signal<In, Clock>,
    pub read_enable: Signal<In, Bit>,
    pub read_warp: Net<In>,
    pub rs1: Net<In>,
    pub rs2: Net<In>,
    pub rs1_data: Vec<Net<Out>>,
    pub rs2_data: Vec<Net<Out>>,
    pub write_enable: Signal<In, Bit>,
    pub write_warp: Net<In>,
    pub rd: Net<In>,
    pub write_mask: Net<In>,
    pub write_data: Vec<Net<In>>,

    rs1_row: Net<Local>,
    rs2_row: Net<Local>,
    rd_row: Net<Local>,
    banks: Vec<Memory>,
    _row: usize,
}

impl RegisterFile {
    /// The registers of `warps` warps of `lanes` threads.
    pub fn new(warps: usize, lanes: usize) -> Self {
        let (rows, warp) = (32 * warps, index_width(warps));
        Self {
            clock: Default::default(),
            read_enable: Default::default(),
            read_warp: Net::new(warp),
            rs1: Net::new(5),
            rs2: Net::new(5),
            rs1_data: Net::vec(lanes, 32),
            rs2_data: Net::vec(lanes, 32),
            write_enable: Default::default(),
            write_warp: Net::new(warp),
            rd: Net::new(5),
            write_mask: Net::new(lanes),
            write_data: Net::vec(lanes, 32),
            rs1_row: Net::new(index_width(rows)),
            rs2_row: Net::new(index_width(rows)),
            rd_row: Net::new(index_width(rows)),
            banks: (0..lanes).map(|_| Memory::new(32, rows, 2, 1, ReadKind::Synchronous)).collect(),
            _row: index_width(rows),
        }
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RegisterFile");
        self.rs1_row.next =
            (bit_cast_to(self.read_warp.val(), self._row) << 5) | bit_cast_to(self.rs1.val(), self._row);
        self.rs2_row.next =
            (bit_cast_to(self.read_warp.val(), self._row) << 5) | bit_cast_to(self.rs2.val(), self._row);
        self.rd_row.next = (bit_cast_to(self.write_warp.val(), self._row) << 5) | bit_cast_to(self.rd.val(), self._row);
        for lane in 0..self.banks.len() {
            self.banks[lane].clock.next = self.clock.val();
            self.banks[lane].read_enable[0].next = self.read_enable.val();
            self.banks[lane].read_enable[1].next = self.read_enable.val();
            self.banks[lane].read_address[0].next = self.rs1_row.val();
            self.banks[lane].read_address[1].next = self.rs2_row.val();
            self.rs1_data[lane].next = self.banks[lane].read_data[0].val();
            self.rs2_data[lane].next = self.banks[lane].read_data[1].val();
            self.banks[lane].write_enable[0].next = self.write_enable.val() & self.write_mask.val().get_bit(lane);
            self.banks[lane].write_address[0].next = self.rd_row.val();
            self.banks[lane].write_data[0].next = self.write_data[lane].val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_masked_lanes_of_one_warp() {
        let mut file = RegisterFile::new(4, 4);
        file.connect_all();
        simulate(&mut file, 1000);
        // write: warp rd mask value | read: warp rs1 rs2 -> lanes of rs1, lanes of rs2 in the next cycle
        for (write, read, rs1, rs2) in [
            ((1, 5, 0b1111, 0x10), (1, 5, 0), [0, 0, 0, 0], [0; 4]), // the old contents
            ((1, 6, 0b0101, 0x20), (1, 5, 6), [0x10, 0x11, 0x12, 0x13], [0; 4]),
            ((3, 31, 0b1000, 0x30), (1, 6, 5), [0x20, 0, 0x22, 0], [0x10, 0x11, 0x12, 0x13]),
            ((0, 1, 0b0000, 0x40), (3, 31, 5), [0, 0, 0, 0x33], [0; 4]),
            ((0, 1, 0b0000, 0x40), (0, 1, 5), [0; 4], [0; 4]), // other warps and lanes: untouched
        ] {
            file.write_enable.next = true;
            file.write_warp.next = write.0.into();
            file.rd.next = write.1.into();
            file.write_mask.next = write.2.into();
            for lane in 0..4 {
                file.write_data[lane].next = (write.3 + lane).into();
            }
            file.read_enable.next = true;
            file.read_warp.next = read.0.into();
            file.rs1.next = read.1.into();
            file.rs2.next = read.2.into();
            tick!(file);
            for lane in 0..4 {
                assert_eq!(file.rs1_data[lane].val(), rs1[lane], "lane {lane} of {read:?}");
                assert_eq!(file.rs2_data[lane].val(), rs2[lane], "lane {lane} of {read:?}");
            }
        }
        file.read_enable.next = false;
        file.read_warp.next = 1.into();
        file.rs1.next = 5.into();
        tick!(file);
        assert_eq!(file.rs1_data[0].val(), 0, "holds without read_enable");
    }
}
