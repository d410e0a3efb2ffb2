//! Puts packets together again from their flits.
//!
//! ```text
//!                  +----------------+
//!  flit ---------->|                |---> packet
//!  flit_ready <----| PacketReceiver |<--- packet_ready
//!  tick ---------->|                |
//!                  +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `tick` | 1 | flits move at the next edge |
//! | `flit`, `flit_ready` | , 1 | a flit that has arrived; with a tick it is taken |
//! | `packet`, `packet_ready` | , 1 | a packet that is whole; with a tick it leaves. Data of sectors that did not travel are anything |
//!
//! Latency 1: a packet is whole in the tick after its tail was taken. State: a packet, and the sectors of it that are still to come.
//!
//! The head of the next packet may come in the tick in which the last one leaves, so that there is a flit in every tick; so `flit_ready` depends on `packet_ready`.
use super::{ArrivedFlit, NetworkConfig, Packet, PacketKind, SECTOR_BYTES};
use crate::memory::OperationDecoder;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct PacketReceiver: clock, reset {
        pub tick: Signal<In, Bit>,
        pub flit: ArrivedFlit<In> = ArrivedFlit::new(config),
        pub flit_ready: Signal<Out, Bit>,
        pub packet: Packet<Out> = Packet::new(line_bytes),
        pub packet_ready: Signal<In, Bit>,

        whole: StateRegister<Bit> => { q: packet.valid },
        /// Of a packet with data: sectors that are still to come.
        left: Register = Register::new(sectors),
        next_sector: PriorityEncoder = PriorityEncoder::new(sectors) => { request: left.q },
        header: Vec<Flop> = Flop::vec(2, 32),
        operand: Flop = Flop::new(32) => { q: packet.operand },
        mask: Vec<Flop> = Flop::vec(sectors, 32) => |s| { q: packet.mask[s] },
        data: Vec<Flop> = Flop::vec(line_bytes / 4, 32) => |w| { q: packet.data[w] },
        kind: Net<Local> = 4,
        decoder: OperationDecoder => { op: packet.operation },
        accepted: Signal<Local, Bit>,
    }
    sizes { _sectors = sectors, _words = SECTOR_BYTES / 4 }
    /// From this network, whose flits are as long as sectors, for lines of 1 to 4 of them.
    pub fn new(config: &NetworkConfig, line_bytes: usize) {
        assert_eq!(config.flit_bytes, SECTOR_BYTES, "a sector goes into a flit");
        let sectors = line_bytes / SECTOR_BYTES;
    }
}

impl Logic for PacketReceiver {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PacketReceiver");
        dff_setup!(self, clock, whole, left, operand);
        for i in 0..self.header.len() {
            self.header[i].d.next = self.header[i].q.val();
        }
        for s in 0..self.mask.len() {
            self.mask[s].d.next = self.mask[s].q.val();
        }
        for w in 0..self.data.len() {
            self.data[w].d.next = self.data[w].q.val();
        }

        self.flit_ready.next = !self.whole.q.val() | self.packet_ready.val();
        self.accepted.next = self.tick.val() & self.flit.valid.val() & self.flit_ready.val();
        if self.tick.val() & self.packet_ready.val() {
            self.whole.d.next = false;
        }
        if self.accepted.val() {
            self.whole.d.next = self.flit.tail.val();
            self.left.d.next = self.left.q.val() & !self.next_sector.one_hot.val();
            for s in 0..self._sectors {
                if self.next_sector.one_hot.val().get_bit(s) {
                    for w in 0..self._words {
                        self.data[s * 8 + w].d.next = self.flit.payload[w].val();
                    }
                }
            }
        }
        if self.accepted.val() & self.flit.head.val() {
            self.left.d.next = 0.into();
            if !self.flit.tail.val() {
                self.left.d.next = bit_cast_to(self.flit.payload[0].val() >> 27, self._sectors);
            }
            for i in 0..self.header.len() {
                self.header[i].d.next = self.flit.payload[i].val();
            }
            self.operand.d.next = self.flit.payload[2].val();
            for s in 0..self.mask.len() {
                self.mask[s].d.next = self.flit.payload[s + 3].val();
            }
        }

        self.packet.line.next = bit_cast_to(self.header[0].q.val(), 27);
        self.packet.sectors.next = bit_cast_to(self.header[0].q.val() >> 27, 4);
        self.packet.core.next = bit_cast_to(self.header[1].q.val() >> 4, 6);
        self.packet.id.next = bit_cast_to(self.header[1].q.val() >> 10, 7);
        self.decoder.code.next = bit_cast_to(self.header[1].q.val() >> 17, 4);
        self.packet.word.next = bit_cast_to(self.header[1].q.val() >> 21, 3);
        self.kind.next = bit_cast_to(self.header[1].q.val(), 4);
        match self.kind.val().index() {
            0 => self.packet.kind.next = PacketKind::Read,
            1 => self.packet.kind.next = PacketKind::Write,
            2 => self.packet.kind.next = PacketKind::Atomic,
            3 => self.packet.kind.next = PacketKind::LoadReserved,
            4 => self.packet.kind.next = PacketKind::StoreConditional,
            5 => self.packet.kind.next = PacketKind::Data,
            6 => self.packet.kind.next = PacketKind::Ack,
            7 => self.packet.kind.next = PacketKind::Old,
            _ => self.packet.kind.next = PacketKind::Success,
        }
    }
}

#[cfg(test)]
#[path = "tests/packets.rs"]
mod tests;
