//! Chooses the lanes of a memory instruction that go together.
//!
//! ```text
//!  remaining ---->+-----------+---> leader, leader_lane, leader_address
//!  head_shared -->|           |
//!  head_single -->| Coalescer |---> shared_candidates   to the shared memory
//!  head_address ->|           |---> line_group          to the L1
//!                 +-----------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `remaining` | L | lanes still to be served |
//! | `head_shared` | L | lanes in the shared window |
//! | `head_single` | 1 | atomics and LR/SC: one lane at a time |
//! | `head_address[L]` | 32 | physical addresses |
//! | `leader_lane`, `leader_address` | l, 32 | the lowest remaining lane |
//! | `shared_candidates` | L | lanes for the shared memory, which picks those without bank conflict; 0 unless the leader is one |
//! | `line_group` | L | lanes in the leader's cache line; 0 if the leader is in the shared window |
//!
//! Latency 0, no state. Each cycle the lowest remaining lane leads; all others of the same line join
//! (accesses to one line are one L1 transaction; the same grouping as Fermi's).
use super::Head;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Coalescer {
        pub remaining: Net<In> = lanes,
        pub head: Head<In> = Head::new(config),
        pub leader_lane: Net<Out> = index_width(lanes),
        pub leader_address: Net<Out> = 32,
        pub shared_candidates: Net<Out> = lanes,
        pub line_group: Net<Out> = lanes,

        encoder: PriorityEncoder = PriorityEncoder::new(lanes) => { request: remaining, index: leader_lane },
        leader_mux: IndexedMux = IndexedMux::new(32, lanes) => {
            index: encoder.index, selected: leader_address, inputs: head.address,
        },
        candidates: Net<Local> = lanes,
        same_line: Net<Local> = lanes,
        leader_line: Net<Local> = 32,
        offset: Constant = Constant::new(index_width(config.line_bytes) as u64, 6),
    }
    /// The coalescer of the core `config`.
    pub fn new(config: &CoreConfig) {
        let lanes = config.lanes;
    }
}

impl Logic for Coalescer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Coalescer");

        self.candidates.next = self.remaining.val();
        if self.head.single.val() {
            self.candidates.next = self.encoder.one_hot.val();
        }
        self.leader_line.next = self.leader_mux.selected.val() >> self.offset.val();
        self.same_line.next = 0.into();
        for i in 0..self.head.address.len() {
            self.same_line.next = self
                .same_line
                .val()
                .replace_bit(i, (self.head.address[i].val() >> self.offset.val()) == self.leader_line.val());
        }
        self.shared_candidates.next = 0.into();
        self.line_group.next = 0.into();
        if (self.encoder.one_hot.val() & self.head.shared.val()).any() {
            self.shared_candidates.next = self.candidates.val() & self.head.shared.val();
        } else {
            self.line_group.next = self.candidates.val() & !self.head.shared.val() & self.same_line.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `remaining shared single | leader shared_candidates line_group`; addresses 0x104 0x108 0x204 0x10c.
    const GROUPS: &str = "
        1111 0000 0 | 0 0000 1011
        0100 0000 0 | 2 0000 0100
        1110 0000 1 | 1 0000 0010
        1111 0001 0 | 0 0001 0000
        1111 1010 0 | 0 0000 0001
        1110 1010 0 | 1 1010 0000
        1110 1010 1 | 1 0010 0000
        0000 0000 0 | 0 0000 0000";

    #[test]
    fn groups() {
        let mut coalescer = Coalescer::new(&CoreConfig::tiny());
        coalescer.connect_all();
        for (i, address) in [0x104, 0x108, 0x204, 0x10c].into_iter().enumerate() {
            coalescer.head.address[i].next = address.into();
        }
        for line in GROUPS.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            let mask = |text| Word::from(usize::from_str_radix(text, 2).unwrap());
            coalescer.remaining.next = mask(fields[0]);
            coalescer.head.shared.next = mask(fields[1]);
            coalescer.head.single.next = fields[2] == "1";
            simulate(&mut coalescer, 1000);
            assert_eq!(
                format!(
                    "{} {:04b} {:04b}",
                    coalescer.leader_lane.val().value(),
                    coalescer.shared_candidates.val().value(),
                    coalescer.line_group.val().value()
                ),
                fields[4..7].join(" "),
                "{line}"
            );
        }
    }
}
