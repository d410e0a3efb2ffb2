//! Where in a channel of DRAM a line is: which of its address's bits are bank, row and column.
//!
//! ```text
//!           +---------+
//!  line --->| DramMap |---> bank, row, column
//!           +---------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `line` | l | number of the line in the channel |
//! | `bank`, `row`, `column` | b, r, c | where its first burst is |
//!
//! Latency 0, no state, no gates.
use serde::{Deserialize, Serialize};

use super::ChannelConfig;
use crate::prelude::*;

/// Bits of an address in the channel, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressBits {
    /// That number the burst in its row.
    pub column: Vec<usize>,
    /// The bank.
    pub bank: Vec<usize>,
    /// The row.
    pub row: Vec<usize>,
}

impl AddressBits {
    /// GDDR3 with bursts of 32 B: GPGPU-Sim's map for the Quadro FX 5800, as Fung & Aamodt 2011 and Rhu 2014 have it.
    pub fn gddr3() -> Self {
        Self { column: (5..11).collect(), bank: (11..14).collect(), row: (14..28).collect() }
    }

    /// GDDR5 with bursts of 64 B: GPGPU-Sim's map for the GTX 480, from October 2012 on. The lowest bit of the bank is above two bursts.
    pub fn gddr5() -> Self {
        let column = [6, 7].into_iter().chain(9..13).collect();
        Self { column, bank: [8].into_iter().chain(13..16).collect(), row: (16..28).collect() }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct DramMap {
        pub line: Net<In> = line,
        pub bank: Net<Out> = bits.bank.len(),
        pub row: Net<Out> = bits.row.len(),
        pub column: Net<Out> = bits.column.len(),

        banks: Vec<Constant> = bits.bank.iter().map(shift).collect(),
        rows: Vec<Constant> = bits.row.iter().map(shift).collect(),
        columns: Vec<Constant> = bits.column.iter().map(shift).collect(),
    }
    /// Of lines numbered with `line` bits.
    ///
    /// # Panics
    /// If the bursts of a line are not in columns that follow each other.
    pub fn new(bits: &AddressBits, config: &ChannelConfig, line: usize) {
        let line_bits = (4 * config.line_words()).ilog2() as usize;
        let burst_bits = config.bursts.ilog2() as usize;
        let in_line = |bit: &&usize| **bit < line_bits;
        assert_eq!(bits.column.iter().take_while(in_line).count(), burst_bits, "bursts of a line are not in order");
        assert!(bits.bank.iter().chain(&bits.row).all(|bit| *bit >= line_bits), "a line is in several rows");
        // What numbers the burst in its line is no bit of the line's number: nothing is left of it.
        let shift = |bit: &usize| Constant::new(bit.checked_sub(line_bits).unwrap_or(63) as u64, 6);
    }
}

impl Logic for DramMap {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DramMap");
        self.bank.next = 0.into();
        self.row.next = 0.into();
        self.column.next = 0.into();
        for i in 0..self.banks.len() {
            self.bank.next = self.bank.val().replace_bit(i, (self.line.val() >> self.banks[i].val()).get_bit(0));
        }
        for i in 0..self.rows.len() {
            self.row.next = self.row.val().replace_bit(i, (self.line.val() >> self.rows[i].val()).get_bit(0));
        }
        for i in 0..self.columns.len() {
            self.column.next = self.column.val().replace_bit(i, (self.line.val() >> self.columns[i].val()).get_bit(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::{GDDR3, GDDR5};

    /// Bank, row and column of an address in the channel; lines of one burst.
    fn place(bits: &AddressBits, config: &ChannelConfig, address: usize) -> [usize; 3] {
        let line_bytes = 4 * config.line_words();
        let mut map = DramMap::new(bits, config, 28 - line_bytes.ilog2() as usize);
        map.connect_all();
        map.line.next = (address / line_bytes).into();
        simulate(&mut map, 100);
        [map.bank.val().index(), map.row.val().index(), map.column.val().index()]
    }

    /// Golden vectors of the specification.
    #[test]
    fn places_of_the_papers_machines() {
        let (bits, config) = (AddressBits::gddr3(), ChannelConfig::new(&GDDR3, 32, 4));
        let local = |address: usize| address / 256 / 8 * 256 + address % 256;
        assert_eq!(place(&bits, &config, local(0x120)), [0, 0, 1]);
        assert_eq!(place(&bits, &config, local(0x800)), [0, 0, 8]);
        assert_eq!(place(&bits, &config, local(0x4000)), [1, 0, 0]);
        assert_eq!(place(&bits, &config, local(0x1234_5678)), [1, 2330, 19]);
        let (bits, config) = (AddressBits::gddr5(), ChannelConfig::new(&GDDR5, 64, 4));
        let local = |address: usize| address / 256 / 6 * 256 + address % 256;
        assert_eq!(place(&bits, &config, local(0x140)), [0, 0, 1]);
        assert_eq!(place(&bits, &config, local(0x600)), [1, 0, 0]);
        assert_eq!(place(&bits, &config, local(0xc00)), [0, 0, 4]);
        assert_eq!(place(&bits, &config, local(0x1234_5678)), [11, 776, 49]);
    }

    /// The first burst of a line: whatever numbers bursts in it is 0.
    #[test]
    fn a_line_begins_with_its_first_burst() {
        let (bits, config) = (AddressBits::gddr3(), ChannelConfig::new(&GDDR3, 128, 4));
        assert_eq!(place(&bits, &config, 0x1234_5678 / 2048 * 256 + 0x78), [1, 2330, 16]);
    }
}
