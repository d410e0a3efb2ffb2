//! What the cores of a GPU share: networks, slices of L2, channels of DRAM, and who distributes the CTAs.
//!
//! ```text
//!              +-----------------------------------------------------------------------------------+
//!  link[N+1] ->|--> LinkReceiver ------> Crossbar --> L2Port x C --> MemoryChannel x C ------------|---> bus[C]
//!  credit <----|<--        |             Crossbar <--            <--                               |<--- read_data
//!  reply_link <|<-- LinkSender <------------+                                                      |
//!  cta_request |--> CtaDistributor --> cta_grant                           Tick x 4                |---> core_tick, dram_tick
//!              +-----------------------------------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `core_tick` | 1 | a clock of the cores passes, and of the links |
//! | `link[N + 1]`, `credit` | , N + 1 | from the cores and, the last, from the host: requests; and that a flit has left the link for good |
//! | `reply_link[N + 1]`, `reply_credit` | , N + 1 | to them, likewise |
//! | `launch_start`, `grid_x`, `grid_y`, `grid_z` | 1, 32 | a launch, see [`CtaDistributor`] |
//! | `cta_request`, `cta_grant[N]` | N, | |
//! | `bus[C]`, `read_data[C x w]`, `dram_tick` | , 32, 1 | the pins of the channels, and that a clock of theirs passes |
//! | `flush`, `flushed` | 1 | while it is set, and cores have nothing under way, dirty lines are written; DRAM has all of them |
//! | `idle` | 1 | slices and channels have nothing to do |
//! | `l2_counter[C x n]`, `dram_counter[C x n]` | 64 | of each slice, and of each channel |
//!
//! The host writes between launches, as the copy engine of a GPU does, so that what it writes is where the cores look for it. The clock is that of the fastest part. Latency and state: those of the blocks.
use super::CtaDistributor;
use crate::interface::CtaGrant;
use crate::memory_system::dram::{CHANNEL_COUNTERS, DramBus};
use crate::memory_system::l2::L2_COUNTERS;
use crate::memory_system::network::{ArrivedFlit, Crossbar, Flit, LinkReceiver, LinkSender, NetworkConfig};
use crate::memory_system::{L2Port, MemoryChannel, SystemConfig, Tick};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Uncore: clock, reset {
        pub core_tick: Signal<Out, Bit>,
        pub link: Vec<Flit<In>> = (0..ports).map(|_| Flit::new(&requests)).collect(),
        pub credit: Net<Out> = ports,
        pub reply_link: Vec<Flit<Out>> = (0..ports).map(|_| Flit::new(&link)).collect(),
        pub reply_credit: Net<In> = ports,
        pub launch_start: Signal<In, Bit>,
        pub grid_x: Net<In> = 32,
        pub grid_y: Net<In> = 32,
        pub grid_z: Net<In> = 32,
        pub cta_request: Net<In> = cores,
        pub cta_grant: Vec<CtaGrant<Out>> = (0..cores).map(|_| CtaGrant::new()).collect(),
        pub dram_tick: Signal<Out, Bit>,
        pub bus: Vec<DramBus<Out>> = (0..channels).map(|_| DramBus::new(&config.dram)).collect(),
        pub read_data: Vec<Net<In>> = Net::vec(channels * config.dram.beat_words(), 32),
        pub flush: Signal<In, Bit>,
        pub flushed: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub l2_counter: Vec<Net<Out>> = Net::vec(channels * L2_COUNTERS.len(), 64),
        pub dram_counter: Vec<Net<Out>> = Net::vec(channels * CHANNEL_COUNTERS.len(), 64),

        core_clock: Tick = Tick::new(config.clocks.core, config.clocks.fastest()) => { tick: core_tick },
        network_clock: Tick = Tick::new(config.clocks.network, config.clocks.fastest()) => { tick: network_tick },
        l2_clock: Tick = Tick::new(config.clocks.l2, config.clocks.fastest()) => { tick: l2_tick },
        dram_clock: Tick = Tick::new(config.clocks.dram, config.clocks.fastest()) => { tick: dram_tick },
        network_tick: Signal<Local, Bit>,
        l2_tick: Signal<Local, Bit>,

        distributor: CtaDistributor = CtaDistributor::new(cores) => {
            tick: core_tick, launch_start, grid_x, grid_y, grid_z, request: cta_request, grant: cta_grant,
        },
        from_links: Vec<LinkReceiver> = (0..ports).map(|_| LinkReceiver::new(&requests, config.link_room)).collect() => |i| {
            link_tick: core_tick, link: link[i], tick: network_tick, flit: entering[i],
        },
        requests: Crossbar = Crossbar::new(&requests) => { tick: network_tick, inputs: entering, outputs: asking },
        l2_ports: Vec<L2Port> = (0..channels).map(|_| L2Port::new(config)).collect() => |c| {
            network_tick, l2_tick, core_tick, flit: asking[c], reply_flit: answering[c], request_ready: memories[c].request_ready,
            reply_valid: memories[c].reply_valid, reply: memories[c].reply,
        },
        memories: Vec<MemoryChannel> = (0..channels).map(|_| MemoryChannel::new(&config.l2, &config.dram, &config.bits)).collect() => |c| {
            l2_tick, dram_tick, bus: bus[c], flush, request_valid: l2_ports[c].request_valid, request: l2_ports[c].request,
            reply_ready: l2_ports[c].reply_ready,
        },
        replies: Crossbar = Crossbar::new(&replies) => { tick: network_tick, inputs: answering, outputs: leaving },
        to_links: Vec<LinkSender> = (0..ports).map(|_| LinkSender::new(&link, config.link_room)).collect() => |i| {
            tick: network_tick, link_tick: core_tick, link: reply_link[i],
        },
        /// What leaves the networks can be taken.
        requests_taken: Net<Local> = channels,
        replies_taken: Net<Local> = ports,
        entering: Vec<Flit<Local>> = (0..ports).map(|_| Flit::new(&requests)).collect(),
        asking: Vec<ArrivedFlit<Local>> = (0..channels).map(|_| ArrivedFlit::new(&requests)).collect(),
        answering: Vec<Flit<Local>> = (0..channels).map(|_| Flit::new(&replies)).collect(),
        leaving: Vec<ArrivedFlit<Local>> = (0..ports).map(|_| ArrivedFlit::new(&replies)).collect(),
    }
    sizes {
        _flit_words = requests.flit_words(), _beat = config.dram.beat_words(), _beat_end = config.dram.beat_words() + 1,
        _l2_counters = L2_COUNTERS.len(), _l2_counters_end = L2_COUNTERS.len() + 1, _dram_counters = CHANNEL_COUNTERS.len(),
        _dram_counters_end = CHANNEL_COUNTERS.len() + 1, _delayed = usize::from(config.dram.read_delay > 0),
    }
    /// Of this memory system.
    pub fn new(config: &SystemConfig) {
        let (cores, ports, channels) = (config.cores, config.ports(), config.channels);
        let (requests, replies, link) = (config.request_network(), config.reply_network(), NetworkConfig::new(1, 1));
    }
}

impl Logic for Uncore {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Uncore");
        self.credit.next = 0.into();
        self.replies_taken.next = 0.into();
        for i in 0..self.from_links.len() {
            self.credit.next = self.credit.val().replace_bit(i, self.from_links[i].credit.val());
            self.from_links[i].flit_ready.next = self.requests.inputs_ready.val().get_bit(i);
            self.to_links[i].credit.next = self.reply_credit.val().get_bit(i);
            self.to_links[i].flit.valid.next = self.leaving[i].valid.val();
            self.to_links[i].flit.head.next = self.leaving[i].head.val();
            self.to_links[i].flit.tail.next = self.leaving[i].tail.val();
            self.to_links[i].flit.destination.next = 0.into();
            for w in 0..self._flit_words {
                self.to_links[i].flit.payload[w].next = self.leaving[i].payload[w].val();
            }
            self.replies_taken.next = self.replies_taken.val().replace_bit(i, self.to_links[i].flit_ready.val());
        }
        self.requests_taken.next = 0.into();
        self.idle.next = true;
        self.flushed.next = true;
        for c in 0..self.memories.len() {
            self.requests_taken.next = self.requests_taken.val().replace_bit(c, self.l2_ports[c].flit_ready.val());
            self.l2_ports[c].reply_flit_ready.next = self.replies.inputs_ready.val().get_bit(c);
            if !self.memories[c].idle.val() | !self.l2_ports[c].idle.val() {
                self.idle.next = false;
            }
            if !self.memories[c].flushed.val() {
                self.flushed.next = false;
            }
            for d in 0..self._delayed {
                self.memories[c].core_tick[d].next = self.core_clock.tick.val();
            }
            // A loop of one trip gives a size a value.
            for words in self._beat..self._beat_end {
                for w in 0..self._beat {
                    self.memories[c].read_data[w].next = self.read_data[c * words + w].val();
                }
            }
            for count in self._l2_counters..self._l2_counters_end {
                for n in 0..self._l2_counters {
                    self.l2_counter[c * count + n].next = self.memories[c].l2_counter[n].val();
                }
            }
            for count in self._dram_counters..self._dram_counters_end {
                for n in 0..self._dram_counters {
                    self.dram_counter[c * count + n].next = self.memories[c].dram_counter[n].val();
                }
            }
        }
        self.requests.outputs_ready.next = self.requests_taken.val();
        self.replies.outputs_ready.next = self.replies_taken.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_system::dram::GDDR3;

    /// `#`: something is under way in a slice or its channel, from a read of core 0 on.
    fn of_a_read(channel: usize) -> String {
        let mut uncore = Uncore::new(&SystemConfig::new(1, 2, 64, (2, 2), &GDDR3));
        uncore.connect_all();
        let mut cycle = |cycle: usize| {
            let flit = &mut uncore.link[0];
            (flit.valid.next, flit.head.next, flit.tail.next) = (cycle == 3, true, true);
            flit.destination.next = channel.into();
            flit.payload[0].next = (1usize << 27).into();
            tick!(uncore);
            if uncore.idle.val() { '.' } else { '#' }
        };
        (0..100).map(&mut cycle).collect()
    }

    #[test]
    fn it_is_idle_when_every_channel_is() {
        let [first, second] = [0, 1].map(of_a_read);
        assert_eq!(first, second);
        let under_way = first.trim_matches('.');
        assert!(first.starts_with("...") && first.ends_with("..."), "{first}");
        // DRAM opens a row and reads two bursts.
        assert!(under_way.len() > 26 && under_way.chars().all(|sign| sign == '#'), "{first}");
    }
}
