//! The registers of all threads: one bank per lane, in it 32 registers for each home warp of threads.
//!
//! ```text
//!                                 +-------------------+
//!   read_home_warps[R], rs1, rs2 >| bank 0 .. L-1     |---> rs1_data[L]
//!                    read_enable >| {home warp, reg}  |---> rs2_data[L]
//!                                 +-------------------+
//!                            rs3 >| float bank        |---> float_rs1[L]
//!              float_read_enable >| 0 .. L-1          |---> float_rs2[L]
//!                                 | (with floats)     |---> float_rs3[L]
//!                                 +---------^---------+
//!   write_home_warps[R], rd, mask, data[L] -+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `read_enable` | 1 | read both registers at the edge, else hold the last data |
//! | `read_home_warps[R]`, `rs1`, `rs2` | w, 5, 5 | OPERAND: the home warp of the thread in each lane (one for all lanes without compaction), its registers |
//! | `rs1_data[L]`, `rs2_data[L]` | 32 | EXECUTE: their contents, by lane |
//! | `write_valid`, `write_home_warps[R]`, `write_rd` | 1, w, 5 | WRITEBACK: what to write at the edge |
//! | `write_mask` | L | lanes that write |
//! | `float_read_enable` | 1 | with floats: read all three, else hold the last data |
//! | `rs3` | a | with floats: the third operand, as long as an address |
//! | `float_rs1[L]`, `float_rs2[L]`, `float_rs3[L]` | 32 | with floats: those of these numbers |
//! | `write_data[L]` | 32 | values by lane |
//!
//! Latency: read 1, write 1; a read that meets a write sees the old contents, which the scoreboard
//! never lets happen. State: L memories of 32 W words; with floats as many more, in a file beside. Nobody writes x0 (the decoder sees to that),
//! so its words stay 0. One address per lane: Fung & Aamodt 2011, section 4.3.
use crate::interface::LaneResult;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct RegisterFile: clock {
        pub read_enable: Signal<In, Bit>,
        pub read_home_warps: Vec<Net<In>> = Net::vec(ports, home_warp),
        pub rs1: Net<In> = 5,
        pub rs2: Net<In> = 5,
        pub rs1_data: Vec<Net<Out>> = Net::vec(lanes, 32),
        pub rs2_data: Vec<Net<Out>> = Net::vec(lanes, 32),
        pub write: LaneResult<In> = LaneResult::new(config),
        // With floats: the third operand, and the floats that the three numbers name; by lane.
        pub rs3: Vec<Net<In>> = Net::vec(config.of_floats(), address),
        pub float_read_enable: Vec<Signal<In, Bit>> = bit_vec(config.of_floats()),
        pub float_rs1: Vec<Net<Out>> = Net::vec(floats, 32),
        pub float_rs2: Vec<Net<Out>> = Net::vec(floats, 32),
        pub float_rs3: Vec<Net<Out>> = Net::vec(floats, 32),

        home_warp: Net<Local> = home_warp,
        rs1_address: Vec<Net<Local>> = Net::vec(ports, address),
        rs2_address: Vec<Net<Local>> = Net::vec(ports, address),
        rd_address: Vec<Net<Local>> = Net::vec(ports, address),
        rs3_address: Vec<Net<Local>> = Net::vec(ports * config.of_floats(), address),
        /// It is an integer that is written.
        writes_integer: Signal<Local, Bit>,
        float_banks: Vec<Memory> = (0..floats).map(|_| Memory::new(32, words, 3, 1, ReadKind::Synchronous)).collect() => |lane| {
            read_enable[0]: float_read_enable[0], read_enable[1]: float_read_enable[0], read_enable[2]: float_read_enable[0],
            read_data[0]: float_rs1[lane], read_data[1]: float_rs2[lane], read_data[2]: float_rs3[lane],
            write_data[0]: write.data[lane],
        },
        banks: Vec<Memory> = (0..lanes).map(|_| Memory::new(32, words, 2, 1, ReadKind::Synchronous)).collect() => |lane| {
            read_enable[0]: read_enable, read_enable[1]: read_enable, read_data[0]: rs1_data[lane],
            read_data[1]: rs2_data[lane], write_data[0]: write.data[lane],
        },
    }
    sizes { _address = address }
    /// The registers of the threads of a core.
    pub fn new(config: &CoreConfig) {
        let (words, home_warp, ports, lanes) = (32 * config.warps, config.warp_width(), config.home_warps(), config.lanes);
        let address = index_width(words);
        let floats = lanes * config.of_floats();
    }
}

impl Logic for RegisterFile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RegisterFile");
        for i in 0..self.read_home_warps.len() {
            self.home_warp.next = self.read_home_warps[i].val();
            self.rs1_address[i].next =
                (bit_cast_to(self.home_warp.val(), self._address) << 5) | bit_cast_to(self.rs1.val(), self._address);
            self.rs2_address[i].next =
                (bit_cast_to(self.home_warp.val(), self._address) << 5) | bit_cast_to(self.rs2.val(), self._address);
            self.home_warp.next = self.write.destination.home_warps[i].val();
            self.rd_address[i].next = (bit_cast_to(self.home_warp.val(), self._address) << 5)
                | bit_cast_to(bit_cast_to(self.write.destination.rd.val(), 5), self._address);
        }
        self.writes_integer.next = true;
        for p in 0..self.rs3.len() {
            self.writes_integer.next =
                (self.write.destination.rd.val() != 0) & !self.write.destination.rd.val().get_bit(5);
            for i in 0..self.read_home_warps.len() {
                self.home_warp.next = self.read_home_warps[i].val();
                self.rs3_address[i].next = (bit_cast_to(self.home_warp.val(), self._address) << 5) | self.rs3[p].val();
            }
        }
        for lane in 0..self.banks.len() {
            self.banks[lane].read_address[0].next = self.rs1_address[0].val();
            self.banks[lane].read_address[1].next = self.rs2_address[0].val();
            self.banks[lane].write_enable[0].next =
                self.write.valid.val() & self.writes_integer.val() & self.write.destination.mask.val().get_bit(lane);
            self.banks[lane].write_address[0].next = self.rd_address[0].val();
        }
        for i in 0..self.rd_address.len() {
            self.banks[i].read_address[0].next = self.rs1_address[i].val();
            self.banks[i].read_address[1].next = self.rs2_address[i].val();
            self.banks[i].write_address[0].next = self.rd_address[i].val();
        }
        for lane in 0..self.float_banks.len() {
            self.float_banks[lane].read_address[0].next = self.rs1_address[0].val();
            self.float_banks[lane].read_address[1].next = self.rs2_address[0].val();
            self.float_banks[lane].read_address[2].next = self.rs3_address[0].val();
            self.float_banks[lane].write_enable[0].next = self.write.valid.val()
                & self.write.destination.rd.val().get_bit(5)
                & self.write.destination.mask.val().get_bit(lane);
            self.float_banks[lane].write_address[0].next = self.rd_address[0].val();
        }
        for _p in 0..self.rs3.len() {
            for i in 0..self.rd_address.len() {
                self.float_banks[i].read_address[0].next = self.rs1_address[i].val();
                self.float_banks[i].read_address[1].next = self.rs2_address[i].val();
                self.float_banks[i].read_address[2].next = self.rs3_address[i].val();
                self.float_banks[i].write_address[0].next = self.rd_address[i].val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    #[test]
    fn writes_masked_lanes_of_one_warp() {
        let mut file = RegisterFile::new(&CoreConfig::tiny());
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
            file.write.valid.next = true;
            file.write.destination.home_warps[0].next = write.0.into();
            file.write.destination.rd.next = write.1.into();
            file.write.destination.mask.next = write.2.into();
            for lane in 0..4 {
                file.write.data[lane].next = (write.3 + lane).into();
            }
            file.read_enable.next = true;
            file.read_home_warps[0].next = read.0.into();
            file.rs1.next = read.1.into();
            file.rs2.next = read.2.into();
            tick!(file);
            for lane in 0..4 {
                assert_eq!(file.rs1_data[lane].val(), rs1[lane], "lane {lane} of {read:?}");
                assert_eq!(file.rs2_data[lane].val(), rs2[lane], "lane {lane} of {read:?}");
            }
        }
        file.read_enable.next = false;
        file.read_home_warps[0].next = 1.into();
        file.rs1.next = 5.into();
        tick!(file);
        assert_eq!(file.rs1_data[0].val(), 0, "holds without read_enable");
    }

    #[test]
    fn floats_are_read_where_floats_are_computed() {
        let mut file = RegisterFile::new(&CoreConfig { floats: true, ..CoreConfig::tiny() });
        file.connect_all();
        simulate(&mut file, 1000);
        (file.write.valid.next, file.write.destination.mask.next) = (true, 0b1111.into());
        // write: rd value | read and float_read enable: numbers | x and f of the first, f of the second and third, in lane 1
        for ((rd, value), enables, numbers, data) in [
            ((3, 0x10), (true, true), (3, 3, 3), (0, 0, 0, 0)),
            ((32 + 3, 0x20), (true, true), (3, 3, 3), (0x11, 0, 0, 0)),
            ((32 + 4, 0x30), (true, true), (3, 4, 3), (0x11, 0x21, 0, 0x21)),
            ((32, 0x40), (true, false), (4, 3, 4), (0, 0x21, 0, 0x21)), // float lanes keep what they had
            ((0, 0x50), (false, true), (0, 4, 4), (0, 0x41, 0x31, 0x31)), // x0 is never written, f0 is a register
            ((0, 0x50), (false, false), (3, 3, 3), (0, 0x41, 0x31, 0x31)),
        ] {
            file.write.destination.rd.next = rd.into();
            for lane in 0..4 {
                file.write.data[lane].next = (value + lane).into();
            }
            (file.read_enable.next, file.float_read_enable[0].next) = enables;
            (file.rs1.next, file.rs2.next, file.rs3[0].next) = (numbers.0.into(), numbers.1.into(), numbers.2.into());
            tick!(file);
            let read =
                [&file.rs1_data, &file.float_rs1, &file.float_rs2, &file.float_rs3].map(|data| data[1].val().index());
            assert_eq!(read, <[usize; 4]>::from(data), "{enables:?} {numbers:?}");
        }
    }

    #[test]
    fn every_lane_has_its_own_home_warp() {
        let mut file = RegisterFile::new(&CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() });
        file.connect_all();
        simulate(&mut file, 1000);
        file.read_enable.next = true;
        file.rs1.next = 7.into();
        file.write.destination.rd.next = 7.into();
        // The home warps, the mask and what is written | the home warps and what is read.
        for (write_home_warps, mask, value, read_home_warps, read) in [
            ([0, 1, 2, 3], 0b1111, 0x10, [0; 4], [0; 4]),
            ([1, 0, 2, 3], 0b0011, 0x20, [0, 1, 2, 3], [0x10, 0x11, 0x12, 0x13]),
            ([0; 4], 0, 0, [1, 0, 2, 3], [0x20, 0x21, 0x12, 0x13]),
            ([0; 4], 0, 0, [0, 1, 3, 2], [0x10, 0x11, 0, 0]),
        ] {
            file.write.valid.next = true;
            file.write.destination.mask.next = mask.into();
            for lane in 0..4 {
                file.write.destination.home_warps[lane].next = Word::from(write_home_warps[lane]);
                file.write.data[lane].next = (value + lane).into();
                file.read_home_warps[lane].next = Word::from(read_home_warps[lane]);
            }
            tick!(file);
            let seen: Vec<usize> = file.rs1_data.iter().map(|data| data.val().index()).collect();
            assert_eq!(seen, read, "{read_home_warps:?}");
        }
    }
}
