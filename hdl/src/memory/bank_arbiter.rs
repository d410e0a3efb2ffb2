//! The row that one bank of the shared memory serves next: that of the lowest lane which addresses the bank.
//!
//! ```text
//!              +-------------+
//!  bank ------>|             |
//!  candidates >| BankArbiter |---> row
//!  lane_bank ->|             |
//!  lane_row -->|             |
//!              +-------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `bank` | b | number of this bank |
//! | `candidates` | L | lanes that want access |
//! | `lane_bank[L]`, `lane_row[L]` | b, r | where |
//! | `row` | r | row of the lowest candidate of this bank; that of lane 0 if there is none |
//!
//! Latency 0, no state. All lanes that want this row can be served together: a read is broadcast, a write merges.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct BankArbiter {
        pub bank: Net<In> = index_width(lanes),
        pub candidates: Net<In> = lanes,
        pub lane_bank: Vec<Net<In>> = Net::vec(lanes, index_width(lanes)),
        pub lane_row: Vec<Net<In>> = Net::vec(lanes, index_width(rows)),
        pub row: Net<Out> = index_width(rows),

        matching: Net<Local> = lanes,
        encoder: PriorityEncoder = PriorityEncoder::new(lanes),
        mux: IndexedMux = IndexedMux::new(index_width(rows), lanes) => {
            inputs: lane_row, index: encoder.index, selected: row,
        },
    }
    /// A bank of `rows` rows among as many banks as there are `lanes`.
    pub fn new(lanes: usize, rows: usize) {}
}

impl Logic for BankArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module BankArbiter");
        self.matching.next = 0.into();
        for i in 0..self.lane_bank.len() {
            self.matching.next = self.matching.val().replace_bit(i, self.lane_bank[i].val() == self.bank.val());
        }
        self.encoder.request.next = self.matching.val() & self.candidates.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn serves_the_lowest_lane_of_the_bank() {
        let mut arbiter = BankArbiter::new(4, 16);
        arbiter.connect_all();
        for (lane, (bank, row)) in [(1, 7), (2, 8), (1, 9), (2, 10)].into_iter().enumerate() {
            arbiter.lane_bank[lane].next = bank.into();
            arbiter.lane_row[lane].next = row.into();
        }
        for (bank, candidates, row) in [(1, 0b1111, 7), (2, 0b1111, 8), (1, 0b1110, 9), (2, 0b1100, 10), (3, 0b1111, 7)]
        {
            arbiter.bank.next = bank.into();
            arbiter.candidates.next = candidates.into();
            simulate(&mut arbiter, 1000);
            assert_eq!(arbiter.row.val(), row, "bank {bank} of {candidates:04b}");
        }
    }
}
