//! Chooses the lanes of a memory instruction that go together.
//!
//! ```text
//!  remaining ---->+-----------+---> leader, leader_lane, leader_address
//!  head_shared -->|           |
//!  head_single -->| Coalescer |---> shared_candidates     to the shared memory
//!  head_address ->|           |---> lines[B]              to the banks of the L1
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
//! | `lines_address[B]`, `lines_lanes[B]` | 32, L | by bank: the lanes of a line, and the address of the lowest; 0 lanes if the leader is in the shared window |
//!
//! Latency 0, no state. Each cycle the lowest remaining lane leads; all others of the same line join
//! (accesses to one line are one L1 transaction; the same grouping as Fermi's). With two banks, which hold the lines of even and of odd
//! number, the lowest remaining lane of the other bank leads a second group.
use super::{ChosenLine, Head, LineChooser};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Coalescer {
        pub remaining: Net<In> = lanes,
        pub head: Head<In> = Head::new(config),
        pub leader_lane: Net<Out> = index_width(lanes),
        pub leader_address: Net<Out> = 32,
        pub shared_candidates: Net<Out> = lanes,
        pub lines: Vec<ChosenLine<Out>> = (0..config.l1_ports).map(|_| ChosenLine::new(config)).collect(),

        leader: LineChooser = LineChooser::new(config) => {
            request: remaining, address: head.address, lane: leader_lane, chosen_address: leader_address,
        },
        candidates: Net<Local> = lanes,
        line_group: Net<Local> = lanes,
        /// For the bank that is not the leader's. One less than banks.
        second: Vec<LineChooser> = (1..config.l1_ports).map(|_| LineChooser::new(config)).collect() => |k| {
            address: head.address,
        },
        /// Line number of the lane in turn.
        line: Net<Local> = 32,
        /// The leader is in the second bank.
        leader_odd: Signal<Local, Bit>,
        /// Lanes that are not in the leader's bank; those of them that may go.
        elsewhere: Net<Local> = lanes,
        others: Net<Local> = lanes,
        other_group: Net<Local> = lanes,
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
            self.candidates.next = self.leader.one_hot.val();
        }
        self.shared_candidates.next = 0.into();
        self.line_group.next = 0.into();
        if (self.leader.one_hot.val() & self.head.shared.val()).any() {
            self.shared_candidates.next = self.candidates.val() & self.head.shared.val();
        } else {
            self.line_group.next = self.candidates.val() & !self.head.shared.val() & self.leader.same_line.val();
        }
        self.lines[0].address.next = self.leader.chosen_address.val();
        self.lines[0].lanes.next = self.line_group.val();
        self.line.next = self.leader.chosen_address.val() >> self.offset.val();
        self.leader_odd.next = self.line.val().get_bit(0);
        self.elsewhere.next = 0.into();
        self.others.next = 0.into();
        self.other_group.next = 0.into();
        for k in 0..self.second.len() {
            for i in 0..self.head.address.len() {
                self.line.next = self.head.address[i].val() >> self.offset.val();
                self.elsewhere.next =
                    self.elsewhere.val().replace_bit(i, self.line.val().get_bit(0) != self.leader_odd.val());
            }
            if self.line_group.val().any() {
                self.others.next = self.candidates.val() & !self.head.shared.val() & self.elsewhere.val();
            }
            self.second[k].request.next = self.others.val();
            self.other_group.next = self.others.val() & self.second[k].same_line.val();
            self.lines[1].address.next = self.second[k].chosen_address.val();
            self.lines[1].lanes.next = self.other_group.val();
            if self.leader_odd.val() {
                self.lines[0].address.next = self.second[k].chosen_address.val();
                self.lines[0].lanes.next = self.other_group.val();
                self.lines[1].address.next = self.leader.chosen_address.val();
                self.lines[1].lanes.next = self.line_group.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `remaining shared single | leader shared_candidates lines`; addresses 0x104 0x108 0x204 0x10c.
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
        check(1, [0x104, 0x108, 0x204, 0x10c], GROUPS);
    }

    /// The same with the lines of both banks, even and odd; addresses 0x114 0x108 0x234 0x11c: lines 11, 10, 23, 11.
    const TWO_BANKS: &str = "
        1111 0000 0 | 0 0000 0010 1001
        0110 0000 0 | 1 0000 0010 0100
        1101 0000 0 | 0 0000 0000 1001   both are odd: one waits
        0100 0000 0 | 2 0000 0000 0100
        1111 0000 1 | 0 0000 0000 0001   one lane at a time
        1110 0000 1 | 1 0000 0010 0000
        1111 0001 0 | 0 0001 0000 0000   the shared memory's turn
        1111 0010 0 | 0 0000 0000 1001
        0000 0000 0 | 0 0000 0000 0000";

    #[test]
    fn a_line_of_each_bank() {
        check(2, [0x114, 0x108, 0x234, 0x11c], TWO_BANKS);
    }

    fn check(l1_ports: usize, addresses: [usize; 4], script: &str) {
        let mut coalescer = Coalescer::new(&CoreConfig { l1_ports, ..CoreConfig::tiny() });
        coalescer.connect_all();
        for (i, address) in addresses.into_iter().enumerate() {
            coalescer.head.address[i].next = address.into();
        }
        for line in script.trim().lines() {
            let fields: Vec<_> = line.split_whitespace().collect();
            let mask = |text| Word::from(usize::from_str_radix(text, 2).unwrap());
            coalescer.remaining.next = mask(fields[0]);
            coalescer.head.shared.next = mask(fields[1]);
            coalescer.head.single.next = fields[2] == "1";
            simulate(&mut coalescer, 1000);
            let mut found = vec![
                coalescer.leader_lane.val().value().to_string(),
                format!("{:04b}", coalescer.shared_candidates.val().value()),
            ];
            for chosen in &coalescer.lines {
                found.push(format!("{:04b}", chosen.lanes.val().value()));
                let lane = chosen.lanes.val().value().trailing_zeros() as usize;
                assert!(lane >= 4 || chosen.address.val() == addresses[lane], "{line}");
            }
            assert_eq!(found.join(" "), fields[4..4 + found.len()].join(" "), "{line}");
        }
    }
}
