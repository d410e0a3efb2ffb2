//! The SIMT core: one warp instruction per cycle, implicit divergence, a reconvergence unit of choice.
//!
//! ```text
//!                 +---------------------------------------------------------------+
//!  launch_* ----->| CtaDispatcher --> ReconvergenceUnit <- resolve ---------+     |
//!  kernel_* ----->|                     |  ^                               |     |
//!  load_* ------->|               fetch |  | decoded                       |     |---> trap_*
//!                 |                     v  |                               |     |---> counter[i]...
//!                 |                  Frontend --> IssueStage --> Execute --+     |---> issue_*, writeback_*
//!                 |                                  ^   ^         |  ^          |---> debug_*
//!                 |                       BarrierUnit|   +-release-+  | load     |
//!                 |                                  |             v  |          |
//!                 |                                  +-credit- LoadStoreUnit     |<--> request_*, response_*
//!                 +---------------------------------------------------------------+
//! ```
//!
//! Ports: grouped by partner; the fields of those that end in `*`, with their widths, are the bundles of hdl/src/interface.rs:
//!
//! | ports | bundle | partner |
//! |---|---|---|
//! | `load_*` | [`InstructionLoad`] | host: fills the instruction memory and its branch annotations |
//! | `launch_start`, `kernel_*`, `busy` | [`KernelConfiguration`] | host: a pulse launches a grid; `kernel_*` are stable while `busy` |
//! | `request_*`, `request_ready`, `response_*`, `response_ready` | [`LineRequest`], [`LineResponse`] | memory beyond the L1 data cache |
//! | `trap_*` | [`Trap`] | host: why and where the core stopped |
//! | `issue_*` | | checking at issue: the instruction in OPERAND |
//! | `writeback_*` | [`LaneResult`] | checking at retirement |
//! | `debug_*` | | the watchdog: what each warp waits for |
//! | `counter[i]`, `counter_issued[b]`, `compaction_counter[i]`, `path_counter[i]` | | host: performance counters, 64 bits |
//!
//! Fung & Aamodt 2011, Fig 4; Rhu 2014, 2.2. Every behaviour is in the blocks; this file only wires them.
//!
//! Latency: see docs/reference/latency.md.
use crate::compaction_counters::{COMPACTION_COUNTERS, CompactionCounters};
use crate::divergence::ReconvergenceUnit;
use crate::execute::Execute;
use crate::frontend::{CtaDispatcher, Frontend};
use crate::interface::{InstructionLoad, KernelConfiguration, LaneResult, LineRequest, LineResponse, Trap};
use crate::issue::{BarrierUnit, IssueStage};
use crate::memory::LoadStoreUnit;
use crate::path_counters::{PATH_COUNTERS, PathCounters};
use crate::performance_counters::{PERFORMANCE_COUNTERS, PerformanceCounters, issue_buckets};
use crate::prelude::*;
use crate::trap_unit::TrapUnit;

module! {
    /// See the [module documentation](self).
    pub struct Core: clock, reset {
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub busy: Signal<Out, Bit>,
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,
        pub response: LineResponse<In> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        pub trap: Trap<Out> = Trap::new(config),
        pub issue_valid: Signal<Out, Bit>,
        pub issue_warp: Net<Out> = config.path_width(),
        pub issue_rows: Vec<Net<Out>> = Net::vec(config.row_ports(), w),
        pub issue_pc: Net<Out> = 32,
        pub issue_mask: Net<Out> = config.lanes,
        pub writeback: LaneResult<Out> = LaneResult::new(config),
        pub counter_issued: Vec<Net<Out>> = Net::vec(issue_buckets(config.lanes), 64),
        /// In the order of [`PERFORMANCE_COUNTERS`].
        pub counter: Vec<Net<Out>> = Net::vec(PERFORMANCE_COUNTERS.len(), 64),
        /// In the order of [`COMPACTION_COUNTERS`]; none without compaction.
        pub compaction_counter: Vec<Net<Out>> = Net::vec(if config.compacts() { COMPACTION_COUNTERS.len() } else { 0 }, 64),
        /// In the order of [`PATH_COUNTERS`]; none if a warp has one path.
        pub path_counter: Vec<Net<Out>> = Net::vec(if config.sides() > 1 { PATH_COUNTERS.len() } else { 0 }, 64),
        pub debug_resident: Net<Out> = config.warps,
        pub debug_hazards: Net<Out> = config.warps,
        pub debug_slot_valid: Net<Out> = config.warps,
        pub debug_fetchable: Net<Out> = config.warps,
        pub debug_waiting: Net<Out> = config.warps,
        pub debug_gathering: Net<Out> = config.warps,
        pub debug_memory_idle: Signal<Out, Bit>,

        dispatcher: CtaDispatcher = CtaDispatcher::new(config),
        divergence: ReconvergenceUnit = ReconvergenceUnit::new(config),
        frontend: Frontend = Frontend::new(config),
        issue: IssueStage = IssueStage::new(config),
        barrier: BarrierUnit = BarrierUnit::new(config),
        execute: Execute = Execute::new(config),
        memory: LoadStoreUnit = LoadStoreUnit::new(config),
        traps: TrapUnit = TrapUnit::new(config),
        counters: PerformanceCounters = PerformanceCounters::new(config),
        /// Where warps are compacted: one, else none.
        compaction_counters: Vec<CompactionCounters> = (0..config.compacts() as usize).map(|_| CompactionCounters::new(config)).collect(),
        /// Where warps have several paths: one, else none.
        path_counters: Vec<PathCounters> = (0..(config.sides() > 1) as usize).map(|_| PathCounters::new(config.sides())).collect(),
        /// A launch is under way, or its last stores are.
        running: Signal<Local, Bit>,
        // Of any side
        live_slots: Net<Local> = config.warps,
        live_paths: Net<Local> = config.warps,
    }
    /// The core that `config` describes.
    pub fn new(config: &CoreConfig) {
        let w = config.warp_width();
    }
}

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Core");

        // CTA dispatch
        self.dispatcher.launch_start.next = self.launch_start.val();
        wire::join(&mut self.kernel, &mut self.dispatcher.kernel);
        self.dispatcher.launch_ready.next = self.divergence.launch_ready.val();
        wire::join(&mut self.divergence.finished, &mut self.dispatcher.finished);
        self.dispatcher.context_warp.next = self.execute.context_warp.val();
        self.running.next = self.dispatcher.busy.val() | !self.memory.idle.val();
        self.busy.next = self.running.val();

        // Reconvergence
        wire::join(&mut self.dispatcher.launch, &mut self.divergence.launch);
        self.divergence.fetch_warp.next = self.frontend.fetch_warp.val();
        self.divergence.fetch_valid.next = self.frontend.fetch_valid.val();
        wire::join(&mut self.frontend.decoded, &mut self.divergence.decoded);
        wire::join(&mut self.execute.resolve, &mut self.divergence.resolve);
        self.divergence.barrier_release.next = self.barrier.barrier_release.val();
        self.divergence.cta_release.next = self.barrier.cta_release.val();
        self.divergence.launch_start.next = self.launch_start.val();
        wire::join(&mut self.kernel, &mut self.divergence.kernel);
        wire::join(&mut self.dispatcher.cta_start, &mut self.divergence.cta_start);

        // Barriers
        wire::join(&mut self.dispatcher.cta_start, &mut self.barrier.cta_start);
        wire::join(&mut self.divergence.arrive, &mut self.barrier.arrive);
        wire::join(&mut self.divergence.exit, &mut self.barrier.exit);
        wire::join(&mut self.dispatcher.warp_slot, &mut self.barrier.warp_slot);
        wire::join(&mut self.dispatcher.warp_slot, &mut self.divergence.warp_slot);
        self.barrier.resident.next = self.dispatcher.resident.val();

        // Fetch and decode
        self.frontend.halt.next = self.traps.halt.val();
        wire::join(&mut self.load, &mut self.frontend.load);
        self.frontend.fetch_pc.next = self.divergence.fetch_pc.val();
        self.frontend.fetch_mask.next = self.divergence.fetch_mask.val();
        wire::join(&mut self.divergence.form, &mut self.frontend.form);
        self.frontend.issue_take.next = self.issue.issue_take.val();
        self.frontend.issue_select.next = self.issue.issue_select.val();

        // The sides of every warp
        self.live_slots.next = 0.into();
        self.live_paths.next = 0.into();
        wire::join(&mut self.divergence.fetchable, &mut self.frontend.fetchable);
        wire::join(&mut self.divergence.flush, &mut self.frontend.flush);
        wire::join(&mut self.divergence.hold, &mut self.issue.hold);
        wire::join(&mut self.divergence.present, &mut self.issue.present);
        wire::join(&mut self.frontend.slot, &mut self.issue.slot);
        for p in 0..self.frontend.slot.len() {
            wire::join(&mut self.frontend.slot[p].valid, &mut self.divergence.slot_valid[p]);
            self.live_slots.next = self.live_slots.val() | self.frontend.slot[p].valid.val();
            self.live_paths.next = self.live_paths.val() | self.divergence.fetchable[p].val();
        }

        // Issue
        self.issue.halt.next = self.traps.halt.val();
        wire::join(&mut self.frontend.selected, &mut self.issue.selected);
        self.issue.memory_credit_return.next = self.memory.memory_credit_return.val();
        self.issue.divide_done.next = self.execute.divide_done.val();
        self.issue.elastic_blocked.next = self.execute.elastic_blocked.val();
        wire::join(&mut self.execute.release, &mut self.issue.release);
        wire::join(&mut self.execute.written, &mut self.issue.written);
        wire::join(&mut self.frontend.decoded, &mut self.issue.write);
        wire::join(&mut self.divergence.copy, &mut self.issue.copy);
        wire::join(&mut self.dispatcher.launch, &mut self.issue.launch);
        wire::join(&mut self.dispatcher.cta_start, &mut self.issue.cta_start);
        wire::join(&mut self.dispatcher.warp_slot, &mut self.issue.warp_slot);
        wire::join(&mut self.divergence.orphan, &mut self.issue.orphan);
        self.issue_valid.next = self.issue.issue.valid.val();
        self.issue_warp.next = self.issue.issue.warp.val();
        self.issue_pc.next = self.issue.issue.instruction.pc.val();
        self.issue_mask.next = self.issue.issue.instruction.mask.val();

        // Operand read to write-back
        wire::join(&mut self.issue.issue, &mut self.execute.issue);
        wire::join(&mut self.dispatcher.context, &mut self.execute.context);
        wire::join(&mut self.kernel, &mut self.execute.kernel);
        wire::join(&mut self.dispatcher.tid_write, &mut self.execute.tid_write);
        wire::join(&mut self.memory.load, &mut self.execute.load);
        wire::join(&mut self.execute.memory, &mut self.memory.memory);
        wire::join(&mut self.writeback, &mut self.execute.writeback);

        // The rows of an instruction's threads
        wire::join(&mut self.frontend.selected_rows, &mut self.issue.selected_rows);
        wire::join(&mut self.issue_rows, &mut self.issue.issue.rows);

        // Load/store unit
        self.memory.launch_start.next = self.launch_start.val();
        wire::join(&mut self.kernel, &mut self.memory.kernel);
        self.memory.load_ready.next = self.execute.load_ready.val();
        wire::join(&mut self.request, &mut self.memory.request);
        self.memory.request_ready.next = self.request_ready.val();
        wire::join(&mut self.response, &mut self.memory.response);
        self.response_ready.next = self.memory.response_ready.val();

        // Traps
        self.traps.clear.next = self.launch_start.val();
        wire::join(&mut self.frontend.trap, &mut self.traps.frontend);
        wire::join(&mut self.execute.execute_trap, &mut self.traps.execute);
        wire::join(&mut self.memory.memory_trap, &mut self.traps.memory);
        self.traps.divergence_mismatch.next = self.divergence.mismatch_valid.val();
        wire::join(&mut self.divergence.overflow, &mut self.traps.divergence);
        wire::join(&mut self.trap, &mut self.traps.trap);

        // Counters and the watchdog's view
        self.counters.busy.next = self.running.val();
        self.counters.issue_valid.next = self.issue.issue.valid.val();
        self.counters.issue_mask.next = self.issue.issue.instruction.mask.val();
        self.counters.blocked_any.next = self.issue.blocked_any.val();
        self.counters.memory_idle.next = self.memory.idle.val();
        self.counters.waiting_any.next = self.divergence.waiting.val().any();
        self.counters.gathering_any.next = self.divergence.gathering.val().any();
        self.counters.l1_access.next = self.memory.l1_access.val();
        self.counters.l1_miss.next = self.memory.l1_miss.val();
        self.counters.shared_conflict.next = self.memory.shared_conflict.val();
        self.counters.transaction.next = self.memory.request.valid.val() & self.request_ready.val();
        self.counters.cta_start.next = self.dispatcher.cta_start.valid.val();
        wire::join(&mut self.execute.resolve, &mut self.counters.resolve);
        self.counters.depth.next = self.divergence.depth.val();
        self.counters.resident_ctas.next = self.dispatcher.resident_ctas.val();
        wire::join(&mut self.counter_issued, &mut self.counters.counter_issued);
        wire::join(&mut self.counter, &mut self.counters.counter);
        for i in 0..self.compaction_counters.len() {
            self.compaction_counters[i].warp_formed.next = self.divergence.warp_formed.val();
            self.compaction_counters[i].consulted.next = self.divergence.consulted.val();
            self.compaction_counters[i].hit.next = self.divergence.hit.val();
            wire::join(&mut self.divergence.path, &mut self.compaction_counters[i].path);
            wire::join(&mut self.compaction_counter, &mut self.compaction_counters[i].counter);
        }
        for i in 0..self.path_counters.len() {
            self.path_counters[i].issued.next = self.issue.ready_any.val();
            self.path_counters[i].paths.next = self.issue.issue_paths.val();
            self.path_counters[i].pushed.next = self.divergence.pushed.val();
            self.path_counters[i].suspended.next = self.divergence.suspended.val();
            self.path_counters[i].subdivided.next = self.divergence.subdivided.val();
            self.path_counters[i].merged.next = self.divergence.merged.val();
            wire::join(&mut self.path_counter, &mut self.path_counters[i].counter);
        }
        self.debug_gathering.next = self.divergence.gathering.val();
        self.debug_resident.next = self.dispatcher.resident.val();
        self.debug_hazards.next = self.issue.hazards.val();
        self.debug_slot_valid.next = self.live_slots.val();
        self.debug_fetchable.next = self.live_paths.val();
        self.debug_waiting.next = self.divergence.waiting.val();
        self.debug_memory_idle.next = self.memory.idle.val();
    }
}
