//! Where a core meets the network: lines and acknowledgements on its side, flits on the other.
//!
//! ```text
//!               +------------------------------------------------------------------------+
//!  request_* -->|--> register --> AddressMap, packet --> PacketSender --> LinkSender ----|--> link
//!               |       |                                                                |<-- credit
//!               |       v                                                                |
//!  acknowledged |<-- writes under way <--- Ack --+                                       |
//!  response_* <-|<-- line, or word in every word +-- PacketReceiver <-- LinkReceiver <---|<-- reply_link
//!               |                                                                        |--> reply_credit
//!               +------------------------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `core_number` | 6 | which core it is; constant |
//! | `request_*`, `request_ready`, `response_*`, `response_ready` | | the core's memory port |
//! | `acknowledged` | 1 | every write that has been taken is done |
//! | `link`, `credit` | , 1 | requests, flit by flit, and that one has left the other end |
//! | `reply_link`, `reply_credit` | , 1 | replies, likewise |
//!
//! In the clock domain of the core, as are the links. Latency: a request enters the link 2 cycles after it was taken; a line is at `response_*` 2 cycles after its last flit has left the link.
//! State: a request, the blocks, and how many writes are under way: `write_credits` at most.
//!
//! All words of a line that has one answer, of an atomic or a store-conditional, are that word. A load-reserved whose thread does not get the reservation of its core is an
//! ordinary read of one sector, so that it does not take the one that L2 keeps for another thread of the core. Private memory of all cores has the same addresses
//! there; here each core has a part of them, of 64 MB.
use super::AddressMap;
use super::network::{Flit, LinkReceiver, LinkSender, NetworkConfig, Packet, PacketKind, PacketReceiver, PacketSender};
use super::system_config::SystemConfig;
use crate::interface::{LineRequest, LineRequestRegister, LineResponse, MemoryOp, RequestKind};
use crate::prelude::*;

/// Words of a sector.
const WORDS: usize = 8;
/// Bits of an address in the private memory of a core.
const PRIVATE_BITS: u64 = 26;

module! {
    /// See the [module documentation](self).
    pub struct CorePort: clock, reset {
        pub core_number: Net<In> = 6,
        pub request: LineRequest<In> = LineRequest::new(config),
        pub request_ready: Signal<Out, Bit>,
        pub response: LineResponse<Out> = LineResponse::new(config),
        pub response_ready: Signal<In, Bit>,
        pub acknowledged: Signal<Out, Bit>,
        pub link: Flit<Out> = Flit::new(&requests),
        pub credit: Signal<In, Bit>,
        pub reply_link: Flit<In> = Flit::new(&replies),
        pub reply_credit: Signal<Out, Bit>,

        held: LineRequestRegister = LineRequestRegister::new(config),
        map: AddressMap = AddressMap::new(system.channels) => { address },
        sender: PacketSender = PacketSender::new(&requests, config.line_bytes) => { packet, destination: map.channel, flit_ready: to_link.flit_ready },
        to_link: LinkSender = LinkSender::new(&requests, system.link_room) => { flit: sender.flit, link, credit },
        from_link: LinkReceiver = LinkReceiver::new(&replies, system.link_room) => { link: reply_link, credit: reply_credit, flit_ready: receiver.flit_ready },
        receiver: PacketReceiver = PacketReceiver::new(&replies, config.line_bytes),
        /// Writes that have been taken and not acknowledged.
        writes: Register = Register::new(writes),

        packet: Packet<Local> = Packet::new(config.line_bytes),
        address: Net<Local> = 32,
        /// It is about one word.
        of_word: Signal<Local, Bit>,
        byte_mask: Vec<Net<Local>> = Net::vec(sectors, 32),
        bytes: Net<Local> = 4,
        word: Net<Local> = 3,
        operand: Net<Local> = 32,
        taken: Signal<Local, Bit>,
        acknowledges: Signal<Local, Bit>,
        /// Where the bytes of the w-th word of a sector are in its mask.
        nibble: Vec<Constant> = (0..WORDS).map(|w| Constant::new(4 * w as u64, 6)).collect(),
        credits: Constant = Constant::new(system.write_credits as u64, writes),
        private_shift: Constant = Constant::new(PRIVATE_BITS, 6),
        sector_shift: Constant = Constant::new(5, 6),
        one: Constant = Constant::new(1, 1),
    }
    sizes { _sectors = sectors, _words = WORDS, _id = index_width(config.waiting_groups()) }
    /// Of a core of this GPU.
    ///
    /// # Panics
    /// If the lines of the core are not those of L2, or it is not one of a GPU.
    pub fn new(config: &CoreConfig, system: &SystemConfig) {
        assert_eq!(config.line_bytes, system.l2.line_bytes, "lines of the core and of L2");
        assert!(config.in_gpu, "a core of a GPU");
        let (requests, replies) = (system.request_network(), NetworkConfig::new(1, 1));
        let sectors = system.l2.sectors();
        let writes = index_width(system.write_credits + 1);
    }
}

impl Logic for CorePort {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CorePort");
        dff_setup!(self, clock, writes);
        self.sender.tick.next = self.one.val().any();
        self.to_link.tick.next = self.one.val().any();
        self.to_link.link_tick.next = self.one.val().any();
        self.from_link.tick.next = self.one.val().any();
        self.from_link.link_tick.next = self.one.val().any();
        self.receiver.tick.next = self.one.val().any();

        // A request stays until its last flit is in the link.
        self.request_ready.next =
            (!self.held.q.valid.val() | self.sender.packet_ready.val()) & (self.writes.q.val() != self.credits.val());
        self.taken.next = self.request.valid.val() & self.request_ready.val();
        wire::join(&mut self.held.q, &mut self.held.d);
        if self.sender.packet_ready.val() {
            self.held.d.valid.next = false;
        }
        if self.taken.val() {
            wire::join(&mut self.request, &mut self.held.d);
        }

        // As a packet.
        self.address.next = self.held.q.line.val();
        if !self.held.q.line.val().get_bit(31) {
            self.address.next =
                self.held.q.line.val() | (bit_cast_to(self.core_number.val(), 32) << self.private_shift.val());
        }
        self.of_word.next = self.held.q.kind.val() == RequestKind::Atomic;
        self.word.next = 0.into();
        self.operand.next = 0.into();
        self.packet.sectors.next = 0.into();
        for s in 0..self._sectors {
            self.byte_mask[s].next = 0.into();
            for w in 0..self._words {
                self.bytes.next = self.held.q.mask[s * 8 + w].val();
                self.byte_mask[s].next =
                    self.byte_mask[s].val() | (bit_cast_to(self.bytes.val(), 32) << self.nibble[w].val());
                if self.of_word.val() & self.held.q.mask[s * 8 + w].val().any() {
                    self.word.next = w.into();
                    self.operand.next = self.held.q.data[s * 8 + w].val();
                }
            }
            self.packet.mask[s].next = self.byte_mask[s].val();
            self.packet.sectors.next = self
                .packet
                .sectors
                .val()
                .replace_bit(s, self.byte_mask[s].val().any() | (self.held.q.kind.val() == RequestKind::Read));
        }
        self.packet.valid.next = self.held.q.valid.val();
        self.packet.core.next = self.core_number.val();
        self.packet.id.next = bit_cast_to(self.held.q.id.val(), 7);
        self.packet.line.next = bit_cast_to(self.map.in_channel.val() >> self.sector_shift.val(), 27);
        self.packet.operation.next = self.held.q.atomic.val();
        self.packet.word.next = self.word.val();
        self.packet.operand.next = self.operand.val();
        for w in 0..self.packet.data.len() {
            self.packet.data[w].next = self.held.q.data[w].val();
        }
        self.packet.kind.next = PacketKind::Read;
        if self.held.q.kind.val() == RequestKind::Write {
            self.packet.kind.next = PacketKind::Write;
        }
        if self.of_word.val() {
            self.packet.kind.next = PacketKind::Atomic;
            if self.held.q.atomic.val() == MemoryOp::StoreConditional {
                self.packet.kind.next = PacketKind::StoreConditional;
            }
            if self.held.q.atomic.val() == MemoryOp::LoadReserved {
                self.packet.kind.next = PacketKind::Read;
                for g in 0..self.held.q.reserves.len() {
                    if self.held.q.reserves[g].val().any() {
                        self.packet.kind.next = PacketKind::LoadReserved;
                    }
                }
            }
        }

        // And back: a line, a word, or that a write is done.
        for w in 0..self.receiver.flit.payload.len() {
            self.receiver.flit.payload[w].next = self.from_link.flit.payload[w].val();
        }
        self.receiver.flit.valid.next = self.from_link.flit.valid.val();
        self.receiver.flit.head.next = self.from_link.flit.head.val();
        self.receiver.flit.tail.next = self.from_link.flit.tail.val();
        self.acknowledges.next =
            self.receiver.packet.valid.val() & (self.receiver.packet.kind.val() == PacketKind::Ack);
        self.receiver.packet_ready.next = self.response_ready.val() | self.acknowledges.val();
        self.response.valid.next = self.receiver.packet.valid.val() & !self.acknowledges.val();
        self.response.id.next = bit_cast_to(self.receiver.packet.id.val(), self._id);
        for w in 0..self.response.data.len() {
            self.response.data[w].next = self.receiver.packet.operand.val();
            if self.receiver.packet.kind.val() == PacketKind::Data {
                self.response.data[w].next = self.receiver.packet.data[w].val();
            }
        }

        if self.taken.val() & (self.request.kind.val() == RequestKind::Write) & !self.acknowledges.val() {
            self.writes.d.next = self.writes.q.val() + 1;
        }
        if self.acknowledges.val() & !(self.taken.val() & (self.request.kind.val() == RequestKind::Write)) {
            self.writes.d.next = self.writes.q.val() - 1;
        }
        self.acknowledged.next = !self.writes.q.val().any();
    }
}

#[cfg(test)]
#[path = "tests/core_port.rs"]
mod tests;
