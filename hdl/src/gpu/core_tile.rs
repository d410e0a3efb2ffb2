//! A core with its way to the network.
//!
//! ```text
//!                        +--------------------------------+
//!  load_*, launch_*, --->| Core -- request_* --> CorePort |---> link, reply_credit
//!  kernel_*              |      <- response_* --          |<--- reply_link, credit
//!  cta_grant_* --------->|                                |---> cta_request
//!                        +--------------------------------+---> busy, trap_*, issue_*, writeback_*, counter*, debug_*
//! ```
//!
//! | ports | partner |
//! |---|---|
//! | `core_number` | which core it is; constant |
//! | `link`, `credit`, `reply_link`, `reply_credit` | [`Interconnect`](super::Interconnect), see [`CorePort`] |
//! | `cta_request`, `cta_grant` | [`Interconnect`](super::Interconnect), see [`CtaDistributor`](super::CtaDistributor) |
//! | `request_*`, `request_ready`, `response_*`, `response_ready` | to look at: the memory port of the core, all of it going out |
//! | all others | as those of [`Core`] |
//!
//! Latency and state: those of its blocks.
use crate::compaction_counters::COMPACTION_COUNTERS;
use crate::core::Core;
use crate::interface::{CtaGrant, InstructionLoad, KernelConfiguration, LaneResult, LineRequest, LineResponse, Trap};
use crate::memory::HAZARD_COUNTERS;
use crate::memory_system::network::{Flit, NetworkConfig};
use crate::memory_system::{CorePort, SystemConfig};
use crate::path_counters::PATH_COUNTERS;
use crate::performance_counters::{PERFORMANCE_COUNTERS, issue_buckets};
use crate::prelude::*;
use crate::replay::REPLAY_COUNTERS;
use crate::sub_warp_counters::SUB_WARP_COUNTERS;
use crate::turn_statistics::TURN_COUNTERS;

module! {
    /// See the [module documentation](self).
    pub struct CoreTile: clock, reset {
        pub core_number: Net<In> = 6,
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub busy: Signal<Out, Bit>,
        pub link: Flit<Out> = Flit::new(&system.request_network()),
        pub credit: Signal<In, Bit>,
        pub reply_link: Flit<In> = Flit::new(&NetworkConfig::new(1, 1)),
        pub reply_credit: Signal<Out, Bit>,
        pub cta_request: Vec<Signal<Out, Bit>> = bit_vec(1),
        pub cta_grant: Vec<CtaGrant<In>> = vec![CtaGrant::new()],
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<Out, Bit>,
        pub response: LineResponse<Out> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        pub trap: Trap<Out> = Trap::new(config),
        pub issue_valid: Signal<Out, Bit>,
        pub issue_warp: Net<Out> = config.path_width(),
        pub issue_home_warps: Vec<Net<Out>> = Net::vec(config.home_warps(), config.warp_width()),
        pub issue_pc: Net<Out> = 32,
        pub issue_mask: Net<Out> = config.lanes,
        pub writeback: LaneResult<Out> = LaneResult::new(config),
        pub counter_issued: Vec<Net<Out>> = Net::vec(issue_buckets(config.lanes), 64),
        pub counter: Vec<Net<Out>> = Net::vec(PERFORMANCE_COUNTERS.len(), 64),
        pub compaction_counter: Vec<Net<Out>> = Net::vec(if config.gathers() { COMPACTION_COUNTERS.len() } else { 0 }, 64),
        pub path_counter: Vec<Net<Out>> = Net::vec(if config.paths() > 1 { PATH_COUNTERS.len() } else { 0 }, 64),
        pub turn_counter: Vec<Net<Out>> = Net::vec(if config.takes_turns() { TURN_COUNTERS.len() } else { 0 }, 64),
        pub formation_counter: Vec<Net<Out>> = Net::vec(config.formation_counters(), 64),
        pub sub_warp_counter: Vec<Net<Out>> = Net::vec(SUB_WARP_COUNTERS.len() * config.of_large_warps(), 64),
        pub replay_counter: Vec<Net<Out>> = Net::vec(REPLAY_COUNTERS.len() * config.of_replay(), 64),
        pub hazard_counter: Vec<Net<Out>> = Net::vec(HAZARD_COUNTERS.len() * config.of_hazards(), 64),
        pub debug_resident: Net<Out> = config.warps,
        pub debug_hazards: Net<Out> = config.warps,
        pub debug_slot_valid: Net<Out> = config.warps,
        pub debug_fetchable: Net<Out> = config.warps,
        pub debug_waiting: Net<Out> = config.warps,
        pub debug_gathering: Net<Out> = config.warps,
        pub debug_memory_idle: Signal<Out, Bit>,

        core: Core = Core::new(config) => {
            load, launch_start, kernel, busy, cta_request, cta_grant, trap, issue_valid, issue_warp, issue_home_warps, issue_pc, issue_mask, writeback,
            counter_issued, counter, compaction_counter, path_counter, turn_counter, formation_counter, sub_warp_counter, replay_counter, hazard_counter, debug_resident,
            debug_hazards, debug_slot_valid, debug_fetchable, debug_waiting, debug_gathering, debug_memory_idle, request,
            request_ready, response, response_ready, acknowledged[0]: port.acknowledged,
        },
        port: CorePort = CorePort::new(config, system) => {
            core_number, request, request_ready, response, response_ready, link, credit, reply_link, reply_credit,
        },
    }
    /// Of this GPU.
    pub fn new(config: &CoreConfig, system: &SystemConfig) {}
}

impl Logic for CoreTile {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CoreTile");
    }
}
