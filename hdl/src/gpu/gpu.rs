//! A GPU as a whole: its cores, the links between, and the memory partitions.
//!
//! ```text
//!               +-------------------------------------------------------------------------------------+
//!  load_*       | CoreTile --> LinkPipeline --> +--------------+ --> LinkPipeline --> MemoryPartition |
//!  launch_* --->|          <-- LinkPipeline <-- |              | <-- LinkPipeline <--     ... x C     |---> bus[C], dram_tick
//!  kernel_*     |          <-> CtaPipeline <->  | Interconnect |                                      |<--- read_data
//!               |   ... x N                     |              |                                      |---> flushed, idle
//!               |        host_link_* ---------->+--------------+                                      |---> busy, trap[N]
//!               +-------------------------------------------------------------------------------------+
//! ```
//!
//! | ports | partner |
//! |---|---|
//! | `load_*`, `launch_start`, `kernel_*` | host, of all cores, see [`Core`](crate::core::Core) |
//! | `busy` | host: some core has something to do |
//! | `trap[N]` | host: why and where a core stopped |
//! | `host_link`, `host_credit`, `host_reply_link`, `host_reply_credit` | host, between launches, see [`Interconnect`] |
//! | `bus[C]`, `read_data`, `dram_tick` | the DRAM |
//! | `flush`, `flushed`, `idle` | host: of all partitions, see [`MemoryPartition`] |
//! | `l2_counter[C x n]`, `dram_counter[C x n]` | host: those of the partitions in turn |
//! | `counter[N x n]` | host: those of the cores in turn, in the order of [`PERFORMANCE_COUNTERS`] |
//!
//! One clock, which is that of the cores: none of the parts may be faster. Latency and state: those of the blocks.
use super::{CoreTile, CtaPipeline, Interconnect, MemoryPartition};
use crate::interface::{InstructionLoad, KernelConfiguration, Trap};
use crate::memory_system::SystemConfig;
use crate::memory_system::dram::{CHANNEL_COUNTERS, DramBus};
use crate::memory_system::l2::L2_COUNTERS;
use crate::memory_system::network::{Flit, LinkPipeline, NetworkConfig};
use crate::performance_counters::PERFORMANCE_COUNTERS;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct Gpu: clock, reset {
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub busy: Signal<Out, Bit>,
        pub trap: Vec<Trap<Out>> = (0..cores).map(|_| Trap::new(config)).collect(),
        pub counter: Vec<Net<Out>> = Net::vec(cores * PERFORMANCE_COUNTERS.len(), 64),
        pub host_link: Flit<In> = Flit::new(&requests),
        pub host_credit: Signal<Out, Bit>,
        pub host_reply_link: Flit<Out> = Flit::new(&arrived),
        pub host_reply_credit: Signal<In, Bit>,
        pub dram_tick: Signal<Out, Bit>,
        pub bus: Vec<DramBus<Out>> = (0..system.channels).map(|_| DramBus::new(&system.dram)).collect(),
        pub read_data: Vec<Net<In>> = Net::vec(system.channels * system.dram.beat_words(), 32),
        pub flush: Signal<In, Bit>,
        pub flushed: Signal<Out, Bit>,
        pub idle: Signal<Out, Bit>,
        pub l2_counter: Vec<Net<Out>> = Net::vec(system.channels * L2_COUNTERS.len(), 64),
        pub dram_counter: Vec<Net<Out>> = Net::vec(system.channels * CHANNEL_COUNTERS.len(), 64),

        tiles: Vec<CoreTile> = (0..cores).map(|_| CoreTile::new(config, system)).collect() => |i| {
            load, launch_start, kernel, trap: trap[i], credit: links[i].credit_leaves, reply_link: reply_links[i].leaves,
        },
        links: Vec<LinkPipeline> = (0..cores).map(|_| LinkPipeline::new(&requests, length)).collect() => |i| {
            tick: networks.core_tick, enters: tiles[i].link,
        },
        reply_links: Vec<LinkPipeline> = (0..cores).map(|_| LinkPipeline::new(&arrived, length)).collect() => |i| {
            tick: networks.core_tick, credit_enters: tiles[i].reply_credit,
        },
        ctas: Vec<CtaPipeline> = (0..cores).map(|_| CtaPipeline::new(length)).collect(),
        networks: Interconnect = Interconnect::new(system) => {
            launch_start, grid_x: kernel.grid_x, grid_y: kernel.grid_y, grid_z: kernel.grid_z,
        },
        slice_links: Vec<LinkPipeline> = (0..channels).map(|_| LinkPipeline::new(&arrived, slice_length)).collect() => |c| {
            tick: networks.network_tick, enters: networks.slice_link[c], credit_enters: partitions[c].credit,
        },
        slice_reply_links: Vec<LinkPipeline> = (0..channels).map(|_| LinkPipeline::new(&replies, slice_length)).collect() => |c| {
            tick: networks.network_tick, enters: partitions[c].reply_link,
        },
        partitions: Vec<MemoryPartition> = (0..channels).map(|_| MemoryPartition::new(system)).collect() => |c| {
            bus: bus[c], flush, link: slice_links[c].leaves, reply_credit: slice_reply_links[c].credit_leaves,
        },
        credits: Net<Local> = cores + 1,
        slice_credits: Net<Local> = channels,
        asking: Net<Local> = cores,
    }
    sizes {
        _cores = cores, _ports = cores + 1, _counters = PERFORMANCE_COUNTERS.len(), _counters_end = PERFORMANCE_COUNTERS.len() + 1,
        _beat = system.dram.beat_words(), _beat_end = system.dram.beat_words() + 1, _l2_counters = L2_COUNTERS.len(),
        _l2_counters_end = L2_COUNTERS.len() + 1, _dram_counters = CHANNEL_COUNTERS.len(), _dram_counters_end = CHANNEL_COUNTERS.len() + 1,
    }
    /// So many of this core as there are in the memory system.
    ///
    /// # Panics
    /// If something is faster than the cores.
    pub fn new(config: &CoreConfig, system: &SystemConfig) {
        assert_eq!(system.clocks.core, system.clocks.fastest(), "the clock is that of the cores");
        let (cores, channels) = (system.cores, system.channels);
        let (length, slice_length) = (system.link_cycles, system.slice_link_ticks());
        let (requests, replies, arrived) = (system.request_network(), system.reply_network(), NetworkConfig::new(1, 1));
    }
}

impl Logic for Gpu {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Gpu");
        self.busy.next = false;
        self.credits.next = 0.into();
        self.asking.next = 0.into();
        for i in 0..self.tiles.len() {
            self.tiles[i].core_number.next = i.into();
            if self.tiles[i].busy.val() {
                self.busy.next = true;
            }
            // A loop of one trip gives a size a value.
            for count in self._counters..self._counters_end {
                for n in 0..self._counters {
                    self.counter[i * count + n].next = self.tiles[i].counter[n].val();
                }
            }

            // Requests go up, credits for them down.
            wire::join(&mut self.links[i].leaves, &mut self.networks.link[i]);
            self.links[i].credit_enters.next = self.networks.credit.val().get_bit(i);
            // And replies the other way.
            wire::join(&mut self.networks.reply_link[i], &mut self.reply_links[i].enters);
            self.credits.next = self.credits.val().replace_bit(i, self.reply_links[i].credit_leaves.val());

            self.ctas[i].request.next = self.tiles[i].cta_request[0].val();
            self.asking.next = self.asking.val().replace_bit(i, self.ctas[i].late_request.val());
            wire::join(&mut self.networks.cta_grant[i], &mut self.ctas[i].grant);
            wire::join(&mut self.ctas[i].late_grant, &mut self.tiles[i].cta_grant[0]);
        }
        for host in self._cores..self._ports {
            wire::join(&mut self.host_link, &mut self.networks.link[host]);
            wire::join(&mut self.host_reply_link, &mut self.networks.reply_link[host]);
            self.host_credit.next = self.networks.credit.val().get_bit(host);
            self.credits.next = self.credits.val().replace_bit(host, self.host_reply_credit.val());
        }
        self.slice_credits.next = 0.into();
        self.dram_tick.next = false;
        self.flushed.next = true;
        self.idle.next = true;
        for c in 0..self.partitions.len() {
            self.slice_credits.next = self.slice_credits.val().replace_bit(c, self.slice_links[c].credit_leaves.val());
            wire::join(&mut self.slice_reply_links[c].leaves, &mut self.networks.slice_reply_link[c]);
            self.slice_reply_links[c].credit_enters.next = self.networks.slice_reply_credit.val().get_bit(c);
            self.dram_tick.next = self.partitions[c].dram_tick.val();
            if !self.partitions[c].flushed.val() {
                self.flushed.next = false;
            }
            if !self.partitions[c].idle.val() {
                self.idle.next = false;
            }
            for words in self._beat..self._beat_end {
                for w in 0..self._beat {
                    self.partitions[c].read_data[w].next = self.read_data[c * words + w].val();
                }
            }
            for count in self._l2_counters..self._l2_counters_end {
                for n in 0..self._l2_counters {
                    self.l2_counter[c * count + n].next = self.partitions[c].l2_counter[n].val();
                }
            }
            for count in self._dram_counters..self._dram_counters_end {
                for n in 0..self._dram_counters {
                    self.dram_counter[c * count + n].next = self.partitions[c].dram_counter[n].val();
                }
            }
        }
        self.networks.slice_credit.next = self.slice_credits.val();
        self.networks.reply_credit.next = self.credits.val();
        self.networks.cta_request.next = self.asking.val();
    }
}
