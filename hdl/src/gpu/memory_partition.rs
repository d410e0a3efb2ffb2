//! A slice of L2 and its channel of DRAM, with their way to the networks.
//!
//! ```text
//!               +----------------------------------------------------+
//!  link ------->|--> LinkReceiver --> L2Port --> MemoryChannel ------|---> bus
//!  credit <-----|<--                                                 |<--- read_data[w]
//!  reply_link <-|<-- LinkSender <---- L2Port <--                     |---> flushed, idle
//!  reply_credit |-->                                       Tick x 4  |---> core_tick, network_tick, dram_tick
//!               +----------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `core_tick`, `network_tick` | 1 | a clock of the cores passes; one of the networks, and of the links to them |
//! | `link`, `credit` | , 1 | from the [`Interconnect`](super::Interconnect): requests; and that a flit has left the link for good |
//! | `reply_link`, `reply_credit` | , 1 | to it, likewise |
//! | `bus`, `read_data[w]`, `dram_tick` | , 32, 1 | the pins of the channel, and that a clock of theirs passes |
//! | `flush`, `flushed` | 1 | while it is set, and cores have nothing under way, dirty lines are written; DRAM has all of them |
//! | `idle` | 1 | slice and channel have nothing to do; a flit may be on its way to them |
//! | `l2_counter[n]`, `dram_counter[n]` | 64 | see [`MemoryChannel`] |
//!
//! The clock is that of the fastest part of the GPU. All parts make the same ticks from the same reset. Latency and state: those of the blocks.
use crate::memory_system::dram::{CHANNEL_COUNTERS, DramBus};
use crate::memory_system::l2::L2_COUNTERS;
use crate::memory_system::network::{ArrivedFlit, Flit, LinkReceiver, LinkSender, NetworkConfig};
use crate::memory_system::{L2Port, MemoryChannel, SystemConfig, Tick};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct MemoryPartition: clock, reset {
        pub core_tick: Signal<Out, Bit>,
        pub network_tick: Signal<Out, Bit>,
        pub link: Flit<In> = Flit::new(&arrived),
        pub credit: Signal<Out, Bit>,
        pub reply_link: Flit<Out> = Flit::new(&replies),
        pub reply_credit: Signal<In, Bit>,
        pub dram_tick: Signal<Out, Bit>,
        pub bus: DramBus<Out> = DramBus::new(&config.dram),
        pub read_data: Vec<Net<In>> = Net::vec(config.dram.beat_words(), 32),
        pub flush: Signal<In, Bit>,
        pub flushed: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub l2_counter: Vec<Net<Out>> = Net::vec(L2_COUNTERS.len(), 64),
        pub dram_counter: Vec<Net<Out>> = Net::vec(CHANNEL_COUNTERS.len(), 64),

        core_clock: Tick = Tick::new(config.clocks.core, config.clocks.fastest()) => { tick: core_tick },
        network_clock: Tick = Tick::new(config.clocks.network, config.clocks.fastest()) => { tick: network_tick },
        l2_clock: Tick = Tick::new(config.clocks.l2, config.clocks.fastest()) => { tick: l2_tick },
        dram_clock: Tick = Tick::new(config.clocks.dram, config.clocks.fastest()) => { tick: dram_tick },
        l2_tick: Signal<Local, Bit>,

        from_link: LinkReceiver = LinkReceiver::new(&arrived, config.slice_link_room()) => {
            link_tick: network_tick, link, credit, tick: network_tick, flit: entering, flit_ready: port.flit_ready,
        },
        port: L2Port = L2Port::new(config) => {
            network_tick, l2_tick, core_tick, flit: asking, reply_flit: answering, reply_flit_ready: to_link.flit_ready,
            request_ready: memory.request_ready, reply_valid: memory.reply_valid, reply: memory.reply,
        },
        memory: MemoryChannel = MemoryChannel::new(&config.l2, &config.dram, &config.bits) => {
            l2_tick, dram_tick, bus, read_data, flush, flushed, request_valid: port.request_valid, request: port.request,
            reply_ready: port.reply_ready, l2_counter, dram_counter,
        },
        to_link: LinkSender = LinkSender::new(&replies, config.slice_link_room()) => {
            tick: network_tick, flit: answering, link_tick: network_tick, link: reply_link, credit: reply_credit,
        },
        entering: Flit<Local> = Flit::new(&arrived),
        asking: ArrivedFlit<Local> = ArrivedFlit::new(&arrived),
        answering: Flit<Local> = Flit::new(&replies),
    }
    sizes { _flit_words = arrived.flit_words(), _delayed = usize::from(config.dram.read_delay > 0) }
    /// One of this memory system.
    pub fn new(config: &SystemConfig) {
        let (replies, arrived) = (config.reply_network(), NetworkConfig::new(1, 1));
    }
}

impl Logic for MemoryPartition {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module MemoryPartition");
        self.asking.valid.next = self.entering.valid.val();
        self.asking.head.next = self.entering.head.val();
        self.asking.tail.next = self.entering.tail.val();
        for w in 0..self._flit_words {
            self.asking.payload[w].next = self.entering.payload[w].val();
        }
        for d in 0..self._delayed {
            self.memory.core_tick[d].next = self.core_tick.val();
        }
        self.idle.next = self.memory.idle.val() & self.port.idle.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::GDDR3;
    use crate::memory_system::network::PacketKind;

    /// `#`: something is under way in the slice or its channel; a request of this kind comes in cycle 3.
    fn of_a_request(kind: PacketKind) -> String {
        let mut partition = MemoryPartition::new(&SystemConfig::new(1, 2, 64, (2, 2), &GDDR3));
        partition.connect_all();
        let mut cycle = |cycle: usize| {
            let flit = &mut partition.link;
            (flit.valid.next, flit.head.next, flit.tail.next) = (cycle == 3, true, true);
            flit.payload[0].next = (1usize << 27).into();
            flit.payload[1].next = (kind as usize).into();
            tick!(partition);
            if partition.idle.val() { '.' } else { '#' }
        };
        (0..100).map(&mut cycle).collect()
    }

    #[test]
    fn it_is_idle_until_a_read_comes_and_after_its_answer() {
        let seen = of_a_request(PacketKind::Read);
        let under_way = seen.trim_matches('.');
        assert!(seen.starts_with("......") && seen.ends_with(".."), "{seen}");
        // DRAM opens a row and reads two bursts.
        assert!(under_way.len() > 26 && under_way.chars().all(|sign| sign == '#'), "{seen}");
    }

    /// Each request gets its answer, in order, however long the link does not take one; and each flit its credit.
    #[test]
    fn answers_wait_until_the_link_has_room() {
        let config = SystemConfig::new(1, 2, 64, (2, 2), &GDDR3);
        let mut partition = MemoryPartition::new(&config);
        partition.connect_all();
        let (room, requests) = (config.slice_link_room(), 30);
        let (mut asked, mut owed, mut come, mut taken) = (0, 0, vec![], 0);
        for cycle in 0..600 {
            let asks = asked < requests && owed < room;
            let flit = &mut partition.link;
            (flit.valid.next, flit.head.next, flit.tail.next) = (asks, true, true);
            flit.payload[0].next = (1usize << 27).into();
            // The number of the request stands above its kind and its core.
            flit.payload[1].next = (PacketKind::Read as usize | asked << 10).into();
            let takes = cycle >= 300 && taken < come.len();
            partition.reply_credit.next = takes;
            simulate(&mut partition, 1000);
            asked += usize::from(asks);
            owed = owed + usize::from(asks) - usize::from(partition.credit.val());
            let reply = &partition.reply_link;
            if reply.valid.val() {
                come.push((reply.head.val(), reply.payload[1].val().value() as usize >> 10 & 0x7f));
            }
            taken += usize::from(takes);
            tick!(partition);
            assert!(come.len() <= taken + room, "the link has no room");
        }
        // A head and a sector for each.
        let heads: Vec<_> = come.iter().filter(|(head, _)| *head).map(|(_, number)| *number).collect();
        assert_eq!((come.len(), heads), (2 * requests, (0..requests).collect()));
    }
}
