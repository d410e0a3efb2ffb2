//! Modules of a GPU by name, as large as that GPU has them: the catalog knows only a core, and takes something small for what cores share.
use anyhow::{Result, bail};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::gpu::{CoreTile, CtaDistributor, CtaPipeline, Gpu, Interconnect, MemoryPartition};
use warploom_hdl::memory_system::dram::{
    ChannelCounters, CommandChoice, DramBank, DramChannel, DramController, DramMap, DramQueue, DramScheduler,
    ReadReturn, WriteBuffer,
};
use warploom_hdl::memory_system::l2::{EvictionBuffer, L2MshrEntry, L2MshrTable, L2Reservations, L2Slice, SectorTags};
use warploom_hdl::memory_system::network::{
    Crossbar, CrossbarOutput, DelayLine, FlitBuffer, HopPipeline, LinkPipeline, LinkReceiver, LinkSender,
    PacketReceiver, PacketSender,
};
use warploom_hdl::memory_system::{AddressMap, Clocks, CorePort, L2Port, MemoryChannel, ReadDelay, SystemConfig, Tick};
use warploom_hdl::prelude::Block;

use crate::elaborate::module;

/// Constructs one; `connect_all` is left to the caller.
type Build = fn(&CoreConfig, &SystemConfig) -> Box<dyn Block>;

/// One by name; of a GPU, if there is more than a core alone.
///
/// # Errors
/// If there is no such module, or a GPU has it in its cores only.
pub fn build(name: &str, config: &CoreConfig, system: Option<&SystemConfig>) -> Result<Box<dyn Block>> {
    Ok(match system {
        None => (module(name)?.build)(config),
        Some(system) => of_gpu(name)?(config, system),
    })
}

/// Whether [`build`] knows it.
///
/// # Errors
/// Those of [`build`].
pub fn check(name: &str, system: Option<&SystemConfig>) -> Result<()> {
    match system {
        None => module(name).map(drop),
        Some(_) => of_gpu(name).map(drop),
    }
}

fn of_gpu(name: &str) -> Result<Build> {
    let name = module(name)?.name;
    let Some((_, build)) = MODULES.iter().find(|(known, _)| *known == name) else {
        let names = MODULES.map(|(name, _)| name).join(", ");
        bail!("--cores, --memory and --channels are for blocks beyond a core, not {name}; these are {names}");
    };
    Ok(*build)
}

macro_rules! modules {
    ($(|$config:pat_param, $system:pat_param| $module:ident: $new:expr;)*) => {
        [$((stringify!($module), |$config, $system| Box::new($new))),*]
    };
}

/// Those whose sizes are the GPU's. Of the two networks it is that of requests; `interconnect` has both.
const MODULES: [(&str, Build); 38] = modules! {
    |_, s| address_map: AddressMap::new(s.channels);
    |_, s| tick: Tick::new(s.clocks.core, s.clocks.fastest());
    |_, s| flit_buffer: FlitBuffer::new(&s.request_network(), s.buffer);
    |_, s| hop_pipeline: HopPipeline::new(&s.request_network());
    |_, s| crossbar_output: CrossbarOutput::new(&s.request_network());
    |_, s| crossbar: Crossbar::new(&s.request_network());
    |_, s| packet_sender: PacketSender::new(&s.request_network(), s.l2.line_bytes);
    |_, s| packet_receiver: PacketReceiver::new(&s.request_network(), s.l2.line_bytes);
    |_, s| delay_line: DelayLine::new(&s.request_network(), s.l2_fixed, s.delayed_flits());
    |_, s| link_sender: LinkSender::new(&s.request_network(), s.link_room);
    |_, s| link_receiver: LinkReceiver::new(&s.request_network(), s.link_room);
    |_, s| link_pipeline: LinkPipeline::new(&s.request_network(), s.link_cycles);
    |_, s| cta_pipeline: CtaPipeline::new(s.link_cycles);
    |c, s| core_port: CorePort::new(c, s);
    |_, s| l2_port: L2Port::new(s);
    |_, s| sector_tags: SectorTags::new(&s.l2);
    |_, s| l2_mshr_entry: L2MshrEntry::new(&s.l2);
    |_, s| l2_mshr_table: L2MshrTable::new(&s.l2);
    |_, s| eviction_buffer: EvictionBuffer::new(&s.l2);
    |_, s| l2_reservations: L2Reservations::new(&s.l2);
    |_, s| l2_slice: L2Slice::new(&s.l2);
    |_, s| read_delay: ReadDelay::new(&s.l2, s.dram.read_delay);
    |_, s| dram_map: DramMap::new(&s.bits, &s.dram, s.l2.line_width);
    |_, s| dram_bank: DramBank::new(&s.dram.timing, s.dram.row_width);
    |_, s| dram_channel: DramChannel::new(&s.dram.timing);
    |_, s| dram_queue: DramQueue::new(&s.dram);
    |_, s| command_choice: CommandChoice::new(&s.dram);
    |_, s| dram_scheduler: DramScheduler::new(&s.dram);
    |_, s| write_buffer: WriteBuffer::new(&s.dram);
    |_, s| read_return: ReadReturn::new(&s.dram);
    |_, s| channel_counters: ChannelCounters::new(&s.dram);
    |_, s| dram_controller: DramController::new(&s.dram);
    |_, s| memory_channel: MemoryChannel::new(&s.l2, &s.dram, &s.bits);
    |_, s| cta_distributor: CtaDistributor::new(s.cores);
    |_, s| interconnect: Interconnect::new(s);
    |_, s| memory_partition: MemoryPartition::new(s);
    |c, s| core_tile: CoreTile::new(c, s);
    // As one netlist it has one clock.
    |c, s| gpu: Gpu::new(c, &SystemConfig { clocks: Clocks::EQUAL, ..s.clone() });
};

#[cfg(test)]
mod tests {
    use warploom_hdl::memory_system::dram::GDDR3;

    use super::*;
    use crate::elaborate::elaborate;

    #[test]
    fn all_of_them_are_modules_that_can_be_built() {
        let config = CoreConfig { in_gpu: true, line_bytes: 32, ..CoreConfig::tiny() };
        let system = SystemConfig::new(3, 2, 32, (4, 2), &GDDR3);
        let system = SystemConfig { l2_fixed: 5, ..system };
        for (name, _) in MODULES.into_iter().filter(|(name, _)| !["gpu", "core_tile"].contains(name)) {
            elaborate(name, build(name, &config, Some(&system)).unwrap()).unwrap();
        }
        let refused = build("alu", &config, Some(&system)).err().expect("a GPU has it in its cores");
        assert!(refused.to_string().contains("not alu; these are address_map, "), "{refused}");
    }
}
