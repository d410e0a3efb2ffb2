//! Where a slice of L2 meets the networks.
//!
//! ```text
//!                   +-------------------------------------------------------------+
//!  request flits -->|--> DelayLine --> PacketReceiver --> requests that wait -----|---> request_*
//!  reply flits <----|<---------------- PacketSender <---- packet <----------------|<--- reply_*
//!                   +-------------------------------------------------------------+
//!        network_tick, core_tick                                          l2_tick
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `network_tick`, `l2_tick`, `core_tick` | 1 | clocks pass: of the networks, of the slice, of the cores, by which `l2_fixed` is counted |
//! | `flit`, `flit_ready` | , 1 | from the network of requests |
//! | `reply_flit`, `reply_flit_ready` | , 1 | to the network of replies |
//! | `request_*`, `reply_*` | | the slice, see [`L2Slice`](super::l2::L2Slice) |
//! | `idle` | 1 | no request waits |
//!
//! Latency: `l2_fixed` and 4 ticks of the network for a request, 0 for an answer. State: in the blocks, and requests that wait.
use super::l2::{L2Config, L2Reply, L2ReplyKind, L2Request, L2RequestKind};
use super::network::{ArrivedFlit, DelayLine, Flit, Packet, PacketKind, PacketReceiver, PacketSender};
use super::system_config::SystemConfig;
use crate::interface::MemoryOp;
use crate::memory::OperationDecoder;
use crate::parts::FifoControl;
use crate::prelude::*;

/// Words of a sector.
const WORDS: usize = 8;

records! {
    /// Requests that wait.
    pub struct L2QueueTable {
        /// One of them.
        QueuedL2Request(config: &L2Config) {
            kind: [3],
            core: [config.core_width()],
            id: [config.id_width],
            line: [config.line_width],
            sectors: [config.sectors()],
            atomic: [4],
            word: [index_width(config.words())],
            operand: [32],
            data: [32; config.words()],
            mask: [32; config.sectors()],
        }
    }
}

module! {
    /// See the [module documentation](self).
    pub struct L2Port: clock, reset {
        pub network_tick: Signal<In, Bit>,
        pub l2_tick: Signal<In, Bit>,
        pub core_tick: Signal<In, Bit>,
        pub flit: ArrivedFlit<In> = ArrivedFlit::new(&requests),
        pub flit_ready: Signal<Out, Bit>,
        pub reply_flit: Flit<Out> = Flit::new(&replies),
        pub reply_flit_ready: Signal<In, Bit>,
        pub request_valid: Signal<Out, Bit>,
        pub request: L2Request<Out> = L2Request::new(l2),
        pub request_ready: Signal<In, Bit>,
        pub reply_valid: Signal<In, Bit>,
        pub reply: L2Reply<In> = L2Reply::new(l2),
        pub reply_ready: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,

        delay: DelayLine = DelayLine::new(&requests, config.l2_fixed, config.delayed_flits()) => {
            tick: network_tick, flit, flit_ready, late_ready: receiver.flit_ready, time_tick: core_tick,
        },
        receiver: PacketReceiver = PacketReceiver::new(&requests, l2.line_bytes) => { tick: network_tick, flit: delay.late, packet_ready: fifo.push_ready },
        fifo: FifoControl = FifoControl::new(config.l2_queue) => { pop_valid: request_valid },
        waiting: L2QueueTable = L2QueueTable::new(config.l2_queue, 1, l2) => {
            write_enable: fifo.write_enable, write_row: fifo.write_row, write.operand: receiver.packet.operand, write.data: receiver.packet.data,
            write.mask: receiver.packet.mask, read_row[0]: fifo.read_row, read[0].core: request.core, read[0].id: request.id, read[0].line: request.line,
            read[0].sectors: request.sectors, read[0].word: request.word, read[0].mask: byte_mask,
        },
        decoder: OperationDecoder => { code: waiting.read[0].atomic, op: request.atomic },
        sender: PacketSender = PacketSender::new(&replies, l2.line_bytes) => {
            tick: network_tick, packet, destination: reply.core, flit: reply_flit, flit_ready: reply_flit_ready,
        },
        packet: Packet<Local> = Packet::new(l2.line_bytes),
        /// The word that an atomic has found.
        old: IndexedMux = IndexedMux::new(32, l2.words()) => { inputs: reply.data, index: reply.word },
        byte_mask: Vec<Net<Local>> = Net::vec(l2.sectors(), 32),
        bytes: Net<Local> = 32,
        sector: Net<Local> = l2.sectors(),
        base: Net<Local> = index_width(l2.words()),
        nibble: Vec<Constant> = (0..WORDS).map(|w| Constant::new(4 * w as u64, 6)).collect(),
        line_shift: Constant = Constant::new(l2.sectors().ilog2() as u64, 6),
    }
    sizes {
        _sectors = l2.sectors(), _words = WORDS, _word = index_width(l2.words()), _core = l2.core_width(), _id = l2.id_width, _line = l2.line_width,
    }
    /// Of a slice of this memory system.
    pub fn new(config: &SystemConfig) {
        let (requests, replies, l2) = (config.request_network(), config.reply_network(), &config.l2);
    }
}

impl Logic for L2Port {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module L2Port");
        // In: what is asked, as the slice has it.
        self.fifo.push_valid.next = self.network_tick.val() & self.receiver.packet.valid.val();
        self.fifo.pop_ready.next = self.l2_tick.val() & self.request_ready.val();
        self.waiting.write.kind.next = bit_cast_to(self.receiver.packet.kind.val(), 3);
        self.waiting.write.core.next = bit_cast_to(self.receiver.packet.core.val(), self._core);
        self.waiting.write.id.next = bit_cast_to(self.receiver.packet.id.val(), self._id);
        self.waiting.write.line.next =
            bit_cast_to(self.receiver.packet.line.val() >> self.line_shift.val(), self._line);
        self.waiting.write.sectors.next = bit_cast_to(self.receiver.packet.sectors.val(), self._sectors);
        self.waiting.write.atomic.next = bit_cast_to(self.receiver.packet.operation.val(), 4);
        self.sector.next = bit_cast_to(self.receiver.packet.sectors.val(), self._sectors);
        self.base.next = 0.into();
        for s in 0..self._sectors {
            if self.sector.val().get_bit(s) {
                self.base.next = s.into();
            }
        }
        self.waiting.write.word.next =
            (self.base.val() << 3) | bit_cast_to(self.receiver.packet.word.val(), self._word);
        match self.waiting.read[0].kind.val().index() {
            0 => self.request.kind.next = L2RequestKind::Read,
            1 => self.request.kind.next = L2RequestKind::Write,
            2 => self.request.kind.next = L2RequestKind::Atomic,
            3 => self.request.kind.next = L2RequestKind::LoadReserved,
            _ => self.request.kind.next = L2RequestKind::StoreConditional,
        }
        for s in 0..self._sectors {
            for w in 0..self._words {
                self.bytes.next = self.byte_mask[s].val() >> self.nibble[w].val();
                self.request.mask[s * 8 + w].next = bit_cast_to(self.bytes.val(), 4);
                self.request.data[s * 8 + w].next = self.waiting.read[0].data[s * 8 + w].val();
                if self.request.kind.val() != L2RequestKind::Write {
                    self.request.data[s * 8 + w].next = self.waiting.read[0].operand.val();
                }
            }
        }

        // Out: what is answered, as a packet.
        self.packet.valid.next = self.reply_valid.val();
        self.packet.core.next = bit_cast_to(self.reply.core.val(), 6);
        self.packet.id.next = bit_cast_to(self.reply.id.val(), 7);
        self.packet.line.next = 0.into();
        self.packet.sectors.next = bit_cast_to(self.reply.sectors.val(), 4);
        self.packet.word.next = 0.into();
        self.packet.operation.next = MemoryOp::Load;
        for w in 0..self.packet.data.len() {
            self.packet.data[w].next = self.reply.data[w].val();
        }
        for s in 0..self._sectors {
            self.packet.mask[s].next = 0.into();
        }
        self.packet.operand.next = self.old.selected.val();
        match self.reply.kind.val() {
            L2ReplyKind::Data => self.packet.kind.next = PacketKind::Data,
            L2ReplyKind::Ack => self.packet.kind.next = PacketKind::Ack,
            L2ReplyKind::Old => self.packet.kind.next = PacketKind::Old,
            _ => {
                self.packet.kind.next = PacketKind::Success;
                // As a store-conditional has it: 0 if it has stored.
                self.packet.operand.next = bit_cast_to(!self.reply.success.val(), 32);
            }
        }
        self.reply_ready.next = self.network_tick.val() & self.sender.packet_ready.val();
        self.idle.next = !self.request_valid.val() & !self.receiver.packet.valid.val();
    }
}

#[cfg(test)]
#[path = "tests/l2_port.rs"]
mod tests;
