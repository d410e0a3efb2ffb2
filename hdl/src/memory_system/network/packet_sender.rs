//! Takes packets apart: head, then the sectors that travel.
//!
//! ```text
//!                  +--------------+
//!  packet -------->|              |---> flit
//!  destination --->| PacketSender |<--- flit_ready
//!  packet_ready <--|              |
//!  tick ---------->|              |
//!                  +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | flits move at the next edge |
//! | `packet`, `destination` | , d | a packet, and the output that it is for; they stay until it is taken |
//! | `packet_ready` | 1 | with a tick it is taken |
//! | `flit`, `flit_ready` | , 1 | its next flit; with a tick it leaves |
//!
//! Latency 0: the head leaves in the tick in which the packet comes, then a flit in each. State: sectors that are still to leave, a bit each.
//!
//! What the head says, and where: see packet.rs.
use super::{Flit, NetworkConfig, Packet, PacketKind, SECTOR_BYTES};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PacketSender: clock, reset {
        pub tick: Signal<In, Bit>,
        pub packet: Packet<In> = Packet::new(line_bytes),
        pub destination: Net<In> = config.destination_width(),
        pub packet_ready: Signal<Out, Bit>,
        pub flit: Flit<Out> = Flit::new(config),
        pub flit_ready: Signal<In, Bit>,

        /// After the head: sectors that have not left.
        left: Register = Register::new(sectors),
        next_sector: PriorityEncoder = PriorityEncoder::new(sectors) => { request: left.q },
        words: Vec<IndexedMux> = (0..SECTOR_BYTES / 4).map(|_| IndexedMux::new(32, sectors)).collect() => |w| { index: next_sector.index },
        /// Behind this flit.
        then_left: Net<Local> = sectors,
    }
    sizes { _sectors = sectors }
    /// Into this network, whose flits are as long as sectors, for lines of 1 to 4 of them.
    pub fn new(config: &NetworkConfig, line_bytes: usize) {
        assert_eq!(config.flit_bytes, SECTOR_BYTES, "a sector goes into a flit");
        let sectors = line_bytes / SECTOR_BYTES;
    }
}

impl Logic for PacketSender {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PacketSender");
        dff_setup!(self, clock, left);
        self.flit.valid.next = self.packet.valid.val();
        self.flit.head.next = !self.left.q.val().any();
        self.flit.destination.next = self.destination.val();

        for w in 0..self.words.len() {
            self.flit.payload[w].next = self.words[w].selected.val();
            for s in 0..self._sectors {
                self.words[w].inputs[s].next = self.packet.data[s * 8 + w].val();
            }
        }
        self.then_left.next = self.left.q.val() & !self.next_sector.one_hot.val();
        if self.flit.head.val() {
            self.flit.payload[0].next =
                bit_cast_to(self.packet.line.val(), 32) | (bit_cast_to(self.packet.sectors.val(), 32) << 27);
            self.flit.payload[1].next = bit_cast_to(self.packet.kind.val(), 32)
                | (bit_cast_to(self.packet.core.val(), 32) << 4)
                | (bit_cast_to(self.packet.id.val(), 32) << 10)
                | (bit_cast_to(self.packet.operation.val(), 32) << 17)
                | (bit_cast_to(self.packet.word.val(), 32) << 21);
            self.flit.payload[2].next = self.packet.operand.val();
            for s in 0..self._sectors {
                self.flit.payload[s + 3].next = self.packet.mask[s].val();
            }
            self.then_left.next = 0.into();
            if (self.packet.kind.val() == PacketKind::Write) | (self.packet.kind.val() == PacketKind::Data) {
                self.then_left.next = bit_cast_to(self.packet.sectors.val(), self._sectors);
            }
        }
        self.flit.tail.next = !self.then_left.val().any();

        self.packet_ready.next = self.flit_ready.val() & self.flit.tail.val();
        if self.tick.val() & self.flit.valid.val() & self.flit_ready.val() {
            self.left.d.next = self.then_left.val();
        }
    }
}
