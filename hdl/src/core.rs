//! The SIMT core: one warp instruction per cycle, implicit divergence, a reconvergence unit of choice.
//!
//! ```text
//!                 +---------------------------------------------------------------+
//!  launch_* ----->| CtaDispatcher --> ReconvergenceUnit <- resolve ---------+     |
//!  config_* ----->|                     |  ^                               |     |
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
//! Ports, grouped by partner; widths and meaning are in docs/developer/microarchitecture.md:
//!
//! | ports | partner |
//! |---|---|
//! | `load_*` | host: fills the instruction memory and its branch annotations |
//! | `launch_start`, `config_*`, `busy` | host: launches a grid; `config_*` are stable while `busy` |
//! | `request_*`, `response_*` | memory beyond the L1 data cache |
//! | `trap_*` | host: why and where the core stopped |
//! | `issue_*`, `writeback_*` | checking at issue and at retirement |
//! | `debug_*` | the watchdog: what each warp waits for |
//! | `counter[i]`, `counter_issued[b]`, `compaction_counter[i]`, `path_counter[i]` | host: performance counters, 64 bits |
//!
//! Fung & Aamodt 2011, Fig 4; Rhu 2014, 2.2. Every behaviour is in the blocks; this file only wires them.
//!
//! Latency: see docs/reference/latency.md.
use crate::compaction_counters::{COMPACTION_COUNTERS, CompactionCounters};
use crate::divergence::ReconvergenceUnit;
use crate::execute::Execute;
use crate::frontend::{CtaDispatcher, Frontend};
use crate::interface::{MemoryOp, RequestKind, TrapCause};
use crate::issue::{BarrierUnit, IssueStage};
use crate::memory::LoadStoreUnit;
use crate::path_counters::{PATH_COUNTERS, PathCounters};
use crate::performance_counters::{PERFORMANCE_COUNTERS, PerformanceCounters, issue_buckets};
use crate::prelude::*;
use crate::trap_unit::TrapUnit;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct Core {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub load_enable: Signal<In, Bit>,
    pub load_address: Net<In>,
    pub load_word: Net<In>,
    pub load_rpc: Net<In>,
    pub load_rpc_valid: Signal<In, Bit>,
    pub load_lpc: Net<In>,
    pub load_uniform: Signal<In, Bit>,
    pub load_short: Signal<In, Bit>,
    pub load_data_dependent: Signal<In, Bit>,
    pub launch_start: Signal<In, Bit>,
    pub config_entry_pc: Net<In>,
    pub config_grid_x: Net<In>,
    pub config_grid_y: Net<In>,
    pub config_grid_z: Net<In>,
    pub config_block_x: Net<In>,
    pub config_block_y: Net<In>,
    pub config_block_z: Net<In>,
    pub config_threads_per_cta: Net<In>,
    pub config_warps_per_cta: Net<In>,
    pub config_resident_ctas: Net<In>,
    pub config_arguments: Net<In>,
    pub config_shared_bytes: Net<In>,
    pub config_global_limit: Net<In>,
    pub config_compact: Signal<In, Bit>,
    pub config_permute: Signal<In, Bit>,
    pub busy: Signal<Out, Bit>,
    pub request_valid: Signal<Out, Bit>,
    pub request_ready: Signal<In, Bit>,
    pub request_kind: Signal<Out, RequestKind>,
    pub request_line: Net<Out>,
    pub request_id: Net<Out>,
    pub request_data: Vec<Net<Out>>,
    pub request_mask: Net<Out>,
    pub request_atomic: Signal<Out, MemoryOp>,
    pub response_valid: Signal<In, Bit>,
    pub response_ready: Signal<Out, Bit>,
    pub response_id: Net<In>,
    pub response_data: Vec<Net<In>>,
    pub trap_valid: Signal<Out, Bit>,
    pub trap_cause: Signal<Out, TrapCause>,
    pub trap_warp: Net<Out>,
    pub trap_row: Net<Out>,
    pub trap_lane: Net<Out>,
    pub trap_pc: Net<Out>,
    pub trap_value: Net<Out>,
    pub issue_valid: Signal<Out, Bit>,
    pub issue_warp: Net<Out>,
    pub issue_rows: Vec<Net<Out>>,
    pub issue_pc: Net<Out>,
    pub issue_mask: Net<Out>,
    pub writeback_valid: Signal<Out, Bit>,
    pub writeback_warp: Net<Out>,
    pub writeback_rows: Vec<Net<Out>>,
    pub writeback_rd: Net<Out>,
    pub writeback_mask: Net<Out>,
    pub writeback_data: Vec<Net<Out>>,
    pub counter_issued: Vec<Net<Out>>,
    /// In the order of [`PERFORMANCE_COUNTERS`].
    pub counter: Vec<Net<Out>>,
    /// In the order of [`COMPACTION_COUNTERS`]; none without compaction.
    pub compaction_counter: Vec<Net<Out>>,
    /// In the order of [`PATH_COUNTERS`]; none if a warp has one path.
    pub path_counter: Vec<Net<Out>>,
    pub debug_resident: Net<Out>,
    pub debug_hazards: Net<Out>,
    pub debug_slot_valid: Net<Out>,
    pub debug_fetchable: Net<Out>,
    pub debug_waiting: Net<Out>,
    pub debug_gathering: Net<Out>,
    pub debug_memory_idle: Signal<Out, Bit>,

    dispatcher: CtaDispatcher,
    divergence: ReconvergenceUnit,
    frontend: Frontend,
    issue: IssueStage,
    barrier: BarrierUnit,
    execute: Execute,
    memory: LoadStoreUnit,
    traps: TrapUnit,
    counters: PerformanceCounters,
    /// Where warps are compacted: one, else none.
    compaction_counters: Vec<CompactionCounters>,
    /// Where warps have several paths: one, else none.
    path_counters: Vec<PathCounters>,
    /// A launch is under way, or its last stores are.
    running: Signal<Local, Bit>,
    // Of any side
    live_slots: Net<Local>,
    live_paths: Net<Local>,
}

impl Core {
    /// The core that `config` describes.
    pub fn new(config: &CoreConfig) -> Self {
        let (w, c) = (config.warp_width(), config.slot_width());
        Self {
            clock: Default::default(),
            reset: Default::default(),
            load_enable: Default::default(),
            load_address: Net::new(config.instruction_width()),
            load_word: Net::new(32),
            load_rpc: Net::new(32),
            load_rpc_valid: Default::default(),
            load_lpc: Net::new(32),
            load_uniform: Default::default(),
            load_short: Default::default(),
            load_data_dependent: Default::default(),
            launch_start: Default::default(),
            config_entry_pc: Net::new(32),
            config_grid_x: Net::new(32),
            config_grid_y: Net::new(32),
            config_grid_z: Net::new(32),
            config_block_x: Net::new(16),
            config_block_y: Net::new(16),
            config_block_z: Net::new(16),
            config_threads_per_cta: Net::new(16),
            config_warps_per_cta: Net::new(w + 1),
            config_resident_ctas: Net::new(c + 1),
            config_arguments: Net::new(32),
            config_shared_bytes: Net::new(32),
            config_global_limit: Net::new(32),
            config_compact: Default::default(),
            config_permute: Default::default(),
            busy: Default::default(),
            request_valid: Default::default(),
            request_ready: Default::default(),
            request_kind: Default::default(),
            request_line: Net::new(32),
            request_id: Net::new(index_width(config.mshrs)),
            request_data: Net::vec(config.line_words(), 32),
            request_mask: Net::new(config.line_bytes),
            request_atomic: Default::default(),
            response_valid: Default::default(),
            response_ready: Default::default(),
            response_id: Net::new(index_width(config.mshrs)),
            response_data: Net::vec(config.line_words(), 32),
            trap_valid: Default::default(),
            trap_cause: Default::default(),
            trap_warp: Net::new(w),
            trap_row: Net::new(w),
            trap_lane: Net::new(config.lane_width()),
            trap_pc: Net::new(32),
            trap_value: Net::new(32),
            issue_valid: Default::default(),
            issue_warp: Net::new(config.path_width()),
            issue_rows: Net::vec(config.row_ports(), w),
            issue_pc: Net::new(32),
            issue_mask: Net::new(config.lanes),
            writeback_valid: Default::default(),
            writeback_warp: Net::new(config.path_width()),
            writeback_rows: Net::vec(config.row_ports(), w),
            writeback_rd: Net::new(5),
            writeback_mask: Net::new(config.lanes),
            writeback_data: Net::vec(config.lanes, 32),
            counter_issued: Net::vec(issue_buckets(config.lanes), 64),
            counter: Net::vec(PERFORMANCE_COUNTERS.len(), 64),
            compaction_counter: Net::vec(if config.compacts() { COMPACTION_COUNTERS.len() } else { 0 }, 64),
            path_counter: Net::vec(if config.sides() > 1 { PATH_COUNTERS.len() } else { 0 }, 64),
            debug_resident: Net::new(config.warps),
            debug_hazards: Net::new(config.warps),
            debug_slot_valid: Net::new(config.warps),
            debug_fetchable: Net::new(config.warps),
            debug_waiting: Net::new(config.warps),
            debug_gathering: Net::new(config.warps),
            debug_memory_idle: Default::default(),
            dispatcher: CtaDispatcher::new(config),
            divergence: ReconvergenceUnit::new(config),
            frontend: Frontend::new(config),
            issue: IssueStage::new(config),
            barrier: BarrierUnit::new(config),
            execute: Execute::new(config),
            memory: LoadStoreUnit::new(config),
            traps: TrapUnit::new(config),
            counters: PerformanceCounters::new(config),
            compaction_counters: (0..config.compacts() as usize).map(|_| CompactionCounters::new(config)).collect(),
            path_counters: (0..(config.sides() > 1) as usize).map(|_| PathCounters::new(config.sides())).collect(),
            running: Default::default(),
            live_slots: Net::new(config.warps),
            live_paths: Net::new(config.warps),
        }
    }
}

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Core");
        clock!(self, clock, dispatcher, divergence, frontend, issue, barrier, execute, memory, traps, counters);
        self.dispatcher.reset.next = self.reset.val();
        self.divergence.reset.next = self.reset.val();
        self.frontend.reset.next = self.reset.val();
        self.issue.reset.next = self.reset.val();
        self.barrier.reset.next = self.reset.val();
        self.execute.reset.next = self.reset.val();
        self.memory.reset.next = self.reset.val();
        self.traps.reset.next = self.reset.val();
        self.counters.reset.next = self.reset.val();

        // CTA dispatch
        self.dispatcher.launch_start.next = self.launch_start.val();
        self.dispatcher.config_entry_pc.next = self.config_entry_pc.val();
        self.dispatcher.config_grid_x.next = self.config_grid_x.val();
        self.dispatcher.config_grid_y.next = self.config_grid_y.val();
        self.dispatcher.config_grid_z.next = self.config_grid_z.val();
        self.dispatcher.config_block_x.next = self.config_block_x.val();
        self.dispatcher.config_block_y.next = self.config_block_y.val();
        self.dispatcher.config_threads_per_cta.next = self.config_threads_per_cta.val();
        self.dispatcher.config_warps_per_cta.next = self.config_warps_per_cta.val();
        self.dispatcher.config_resident_ctas.next = self.config_resident_ctas.val();
        self.dispatcher.config_shared_bytes.next = self.config_shared_bytes.val();
        self.dispatcher.config_permute.next = self.config_permute.val();
        self.dispatcher.launch_ready.next = self.divergence.launch_ready.val();
        self.dispatcher.finished_valid.next = self.divergence.finished_valid.val();
        self.dispatcher.finished_warp.next = self.divergence.finished_warp.val();
        self.dispatcher.context_warp.next = self.execute.context_warp.val();
        self.running.next = self.dispatcher.busy.val() | !self.memory.idle.val();
        self.busy.next = self.running.val();

        // Reconvergence
        self.divergence.launch_valid.next = self.dispatcher.launch_valid.val();
        self.divergence.launch_warp.next = self.dispatcher.launch_warp.val();
        self.divergence.launch_pc.next = self.dispatcher.launch_pc.val();
        self.divergence.launch_mask.next = self.dispatcher.launch_mask.val();
        self.divergence.fetch_warp.next = self.frontend.fetch_warp.val();
        self.divergence.fetch_valid.next = self.frontend.fetch_valid.val();
        self.divergence.decoded_valid.next = self.frontend.decoded_valid.val();
        self.divergence.decoded_warp.next = self.frontend.decoded_warp.val();
        self.divergence.decoded_control.next = self.frontend.decoded_control.val();
        self.divergence.resolve_valid.next = self.execute.resolve_valid.val();
        self.divergence.resolve_warp.next = self.execute.resolve_warp.val();
        self.divergence.resolve_kind.next = self.execute.resolve_kind.val();
        self.divergence.resolve_taken.next = self.execute.resolve_taken.val();
        self.divergence.resolve_mask.next = self.execute.resolve_mask.val();
        self.divergence.resolve_target.next = self.execute.resolve_target.val();
        self.divergence.resolve_next.next = self.execute.resolve_next.val();
        self.divergence.resolve_rpc.next = self.execute.resolve_rpc.val();
        self.divergence.resolve_rpc_valid.next = self.execute.resolve_rpc_valid.val();
        self.divergence.resolve_lpc.next = self.execute.resolve_lpc.val();
        self.divergence.resolve_uniform.next = self.execute.resolve_uniform.val();
        self.divergence.resolve_short.next = self.execute.resolve_short.val();
        self.divergence.resolve_data_dependent.next = self.execute.resolve_data_dependent.val();
        self.divergence.barrier_release.next = self.barrier.barrier_release.val();
        self.divergence.cta_release.next = self.barrier.cta_release.val();
        self.divergence.launch_start.next = self.launch_start.val();
        self.divergence.config_compact.next = self.config_compact.val();
        self.divergence.config_warps_per_cta.next = self.config_warps_per_cta.val();
        self.divergence.cta_start_valid.next = self.dispatcher.cta_start_valid.val();
        self.divergence.cta_start_slot.next = self.dispatcher.cta_start_slot.val();

        // Barriers
        self.barrier.cta_start_valid.next = self.dispatcher.cta_start_valid.val();
        self.barrier.cta_start_slot.next = self.dispatcher.cta_start_slot.val();
        self.barrier.cta_start_threads.next = self.dispatcher.cta_start_threads.val();
        self.barrier.arrive_valid.next = self.divergence.arrive_valid.val();
        self.barrier.arrive_warp.next = self.divergence.arrive_warp.val();
        self.barrier.arrive_count.next = self.divergence.arrive_count.val();
        self.barrier.exit_valid.next = self.divergence.exit_valid.val();
        self.barrier.exit_warp.next = self.divergence.exit_warp.val();
        self.barrier.exit_count.next = self.divergence.exit_count.val();
        for i in 0..self.barrier.warp_slot.len() {
            self.barrier.warp_slot[i].next = self.dispatcher.warp_slot[i].val();
            self.divergence.warp_slot[i].next = self.dispatcher.warp_slot[i].val();
        }
        self.barrier.resident.next = self.dispatcher.resident.val();

        // Fetch and decode
        self.frontend.halt.next = self.traps.halt.val();
        self.frontend.load_enable.next = self.load_enable.val();
        self.frontend.load_address.next = self.load_address.val();
        self.frontend.load_word.next = self.load_word.val();
        self.frontend.load_rpc.next = self.load_rpc.val();
        self.frontend.load_rpc_valid.next = self.load_rpc_valid.val();
        self.frontend.load_lpc.next = self.load_lpc.val();
        self.frontend.load_uniform.next = self.load_uniform.val();
        self.frontend.load_short.next = self.load_short.val();
        self.frontend.load_data_dependent.next = self.load_data_dependent.val();
        self.frontend.fetch_pc.next = self.divergence.fetch_pc.val();
        self.frontend.fetch_mask.next = self.divergence.fetch_mask.val();
        self.frontend.form_valid.next = self.divergence.form_valid.val();
        self.frontend.form_warp.next = self.divergence.form_warp.val();
        self.frontend.issue_take.next = self.issue.issue_take.val();
        self.frontend.issue_select.next = self.issue.issue_select.val();

        // The sides of every warp
        self.live_slots.next = 0.into();
        self.live_paths.next = 0.into();
        for p in 0..self.frontend.slot_valid.len() {
            self.frontend.fetchable[p].next = self.divergence.fetchable[p].val();
            self.frontend.flush[p].next = self.divergence.flush[p].val();
            self.divergence.slot_valid[p].next = self.frontend.slot_valid[p].val();
            self.issue.hold[p].next = self.divergence.hold[p].val();
            self.issue.present[p].next = self.divergence.present[p].val();
            self.issue.slot_valid[p].next = self.frontend.slot_valid[p].val();
            self.issue.slot_reads_rs1[p].next = self.frontend.slot_reads_rs1[p].val();
            self.issue.slot_reads_rs2[p].next = self.frontend.slot_reads_rs2[p].val();
            self.issue.slot_writes_rd[p].next = self.frontend.slot_writes_rd[p].val();
            self.issue.slot_multiply[p].next = self.frontend.slot_multiply[p].val();
            self.issue.slot_divide[p].next = self.frontend.slot_divide[p].val();
            self.issue.slot_memory[p].next = self.frontend.slot_memory[p].val();
            self.issue.slot_control[p].next = self.frontend.slot_control[p].val();
            self.live_slots.next = self.live_slots.val() | self.frontend.slot_valid[p].val();
            self.live_paths.next = self.live_paths.val() | self.divergence.fetchable[p].val();
        }

        // Issue
        self.issue.halt.next = self.traps.halt.val();
        for i in 0..self.issue.slot_rs1.len() {
            self.issue.slot_rs1[i].next = self.frontend.slot_rs1[i].val();
            self.issue.slot_rs2[i].next = self.frontend.slot_rs2[i].val();
            self.issue.slot_rd[i].next = self.frontend.slot_rd[i].val();
        }
        self.issue.selected_word.next = self.frontend.selected_word.val();
        self.issue.selected_pc.next = self.frontend.selected_pc.val();
        self.issue.selected_mask.next = self.frontend.selected_mask.val();
        self.issue.selected_rpc.next = self.frontend.selected_rpc.val();
        self.issue.selected_rpc_valid.next = self.frontend.selected_rpc_valid.val();
        self.issue.selected_lpc.next = self.frontend.selected_lpc.val();
        self.issue.selected_uniform.next = self.frontend.selected_uniform.val();
        self.issue.selected_short.next = self.frontend.selected_short.val();
        self.issue.selected_data_dependent.next = self.frontend.selected_data_dependent.val();
        self.issue.memory_credit_return.next = self.memory.memory_credit_return.val();
        self.issue.divide_done.next = self.execute.divide_done.val();
        self.issue.elastic_blocked.next = self.execute.elastic_blocked.val();
        self.issue.release_valid.next = self.execute.release_valid.val();
        self.issue.release_warp.next = self.execute.release_warp.val();
        self.issue.release_rd.next = self.execute.release_rd.val();
        self.issue.written_valid.next = self.execute.written_valid.val();
        self.issue.written_mask.next = self.execute.written_mask.val();
        self.issue.write_valid.next = self.frontend.decoded_valid.val();
        self.issue.write_warp.next = self.frontend.decoded_warp.val();
        self.issue.write_mask.next = self.frontend.decoded_mask.val();
        self.issue.copy_valid.next = self.divergence.copy_valid.val();
        self.issue.copy_warp.next = self.divergence.copy_warp.val();
        self.issue.launch_valid.next = self.dispatcher.launch_valid.val();
        self.issue.launch_warp.next = self.dispatcher.launch_warp.val();
        self.issue.cta_start_valid.next = self.dispatcher.cta_start_valid.val();
        self.issue.cta_start_slot.next = self.dispatcher.cta_start_slot.val();
        for i in 0..self.issue.warp_slot.len() {
            self.issue.warp_slot[i].next = self.dispatcher.warp_slot[i].val();
        }
        self.issue.orphan_valid.next = self.divergence.orphan_valid.val();
        self.issue.orphan_warp.next = self.divergence.orphan_warp.val();
        self.issue_valid.next = self.issue.issue_valid.val();
        self.issue_warp.next = self.issue.issue_warp.val();
        self.issue_pc.next = self.issue.issue_pc.val();
        self.issue_mask.next = self.issue.issue_mask.val();

        // Operand read to write-back
        self.execute.issue_valid.next = self.issue.issue_valid.val();
        self.execute.issue_warp.next = self.issue.issue_warp.val();
        self.execute.issue_word.next = self.issue.issue_word.val();
        self.execute.issue_pc.next = self.issue.issue_pc.val();
        self.execute.issue_mask.next = self.issue.issue_mask.val();
        self.execute.issue_rpc.next = self.issue.issue_rpc.val();
        self.execute.issue_rpc_valid.next = self.issue.issue_rpc_valid.val();
        self.execute.issue_lpc.next = self.issue.issue_lpc.val();
        self.execute.issue_uniform.next = self.issue.issue_uniform.val();
        self.execute.issue_short.next = self.issue.issue_short.val();
        self.execute.issue_data_dependent.next = self.issue.issue_data_dependent.val();
        self.execute.issue_unit.next = self.issue.issue_unit.val();
        self.execute.context_first_row.next = self.dispatcher.context_first_row.val();
        self.execute.context_ctaid_x.next = self.dispatcher.context_ctaid_x.val();
        self.execute.context_ctaid_y.next = self.dispatcher.context_ctaid_y.val();
        self.execute.context_ctaid_z.next = self.dispatcher.context_ctaid_z.val();
        self.execute.context_shared_base.next = self.dispatcher.context_shared_base.val();
        self.execute.config_grid_x.next = self.config_grid_x.val();
        self.execute.config_grid_y.next = self.config_grid_y.val();
        self.execute.config_grid_z.next = self.config_grid_z.val();
        self.execute.config_block_x.next = self.config_block_x.val();
        self.execute.config_block_y.next = self.config_block_y.val();
        self.execute.config_block_z.next = self.config_block_z.val();
        self.execute.config_arguments.next = self.config_arguments.val();
        self.execute.tid_write_enable.next = self.dispatcher.tid_write_enable.val();
        self.execute.tid_write_lane.next = self.dispatcher.tid_write_lane.val();
        self.execute.tid_write_row.next = self.dispatcher.tid_write_row.val();
        self.execute.tid_write_number.next = self.dispatcher.tid_write_number.val();
        self.execute.tid_write_x.next = self.dispatcher.tid_write_x.val();
        self.execute.tid_write_y.next = self.dispatcher.tid_write_y.val();
        self.execute.tid_write_z.next = self.dispatcher.tid_write_z.val();
        self.execute.load_valid.next = self.memory.load_valid.val();
        self.execute.load_warp.next = self.memory.load_warp.val();
        self.execute.load_rd.next = self.memory.load_rd.val();
        self.execute.load_mask.next = self.memory.load_mask.val();
        self.execute.load_last.next = self.memory.load_last.val();
        for i in 0..self.memory.load_data.len() {
            self.execute.load_data[i].next = self.memory.load_data[i].val();
            self.memory.memory_address[i].next = self.execute.memory_address[i].val();
            self.memory.memory_data[i].next = self.execute.memory_data[i].val();
            self.writeback_data[i].next = self.execute.writeback_data[i].val();
        }
        self.writeback_valid.next = self.execute.writeback_valid.val();
        self.writeback_warp.next = self.execute.writeback_warp.val();
        self.writeback_rd.next = self.execute.writeback_rd.val();
        self.writeback_mask.next = self.execute.writeback_mask.val();

        // The rows of an instruction's threads
        for i in 0..self.issue_rows.len() {
            self.frontend.form_rows[i].next = self.divergence.form_rows[i].val();
            self.divergence.resolve_rows[i].next = self.execute.resolve_rows[i].val();
            self.issue.selected_rows[i].next = self.frontend.selected_rows[i].val();
            self.execute.issue_rows[i].next = self.issue.issue_rows[i].val();
            self.memory.memory_rows[i].next = self.execute.memory_rows[i].val();
            self.execute.load_rows[i].next = self.memory.load_rows[i].val();
            self.issue_rows[i].next = self.issue.issue_rows[i].val();
            self.writeback_rows[i].next = self.execute.writeback_rows[i].val();
        }

        // Load/store unit
        self.memory.launch_start.next = self.launch_start.val();
        self.memory.config_shared_bytes.next = self.config_shared_bytes.val();
        self.memory.config_global_limit.next = self.config_global_limit.val();
        self.memory.memory_valid.next = self.execute.memory_valid.val();
        self.memory.memory_warp.next = self.execute.memory_warp.val();
        self.memory.memory_op.next = self.execute.memory_op.val();
        self.memory.memory_size.next = self.execute.memory_size.val();
        self.memory.memory_unsigned.next = self.execute.memory_unsigned.val();
        self.memory.memory_rd.next = self.execute.memory_rd.val();
        self.memory.memory_mask.next = self.execute.memory_mask.val();
        self.memory.memory_pc.next = self.execute.memory_pc.val();
        self.memory.memory_shared_base.next = self.execute.memory_shared_base.val();
        self.memory.load_ready.next = self.execute.load_ready.val();
        self.request_valid.next = self.memory.request_valid.val();
        self.request_kind.next = self.memory.request_kind.val();
        self.request_line.next = self.memory.request_line.val();
        self.request_id.next = self.memory.request_id.val();
        self.request_mask.next = self.memory.request_mask.val();
        self.request_atomic.next = self.memory.request_atomic.val();
        self.memory.request_ready.next = self.request_ready.val();
        self.memory.response_valid.next = self.response_valid.val();
        self.memory.response_id.next = self.response_id.val();
        self.response_ready.next = self.memory.response_ready.val();
        for i in 0..self.request_data.len() {
            self.request_data[i].next = self.memory.request_data[i].val();
            self.memory.response_data[i].next = self.response_data[i].val();
        }

        // Traps
        self.traps.clear.next = self.launch_start.val();
        self.traps.frontend_valid.next = self.frontend.trap_valid.val();
        self.traps.frontend_warp.next = self.frontend.trap_warp.val();
        self.traps.frontend_pc.next = self.frontend.trap_pc.val();
        self.traps.execute_valid.next = self.execute.execute_trap_valid.val();
        self.traps.execute_cause.next = self.execute.execute_trap_cause.val();
        self.traps.execute_warp.next = self.execute.execute_trap_warp.val();
        self.traps.execute_row.next = self.execute.execute_trap_row.val();
        self.traps.execute_lane.next = self.execute.execute_trap_lane.val();
        self.traps.execute_pc.next = self.execute.execute_trap_pc.val();
        self.traps.execute_value.next = self.execute.execute_trap_value.val();
        self.traps.memory_valid.next = self.memory.memory_trap_valid.val();
        self.traps.memory_cause.next = self.memory.memory_trap_cause.val();
        self.traps.memory_warp.next = self.memory.memory_trap_warp.val();
        self.traps.memory_row.next = self.memory.memory_trap_row.val();
        self.traps.memory_lane.next = self.memory.memory_trap_lane.val();
        self.traps.memory_pc.next = self.memory.memory_trap_pc.val();
        self.traps.memory_value.next = self.memory.memory_trap_value.val();
        self.traps.divergence_valid.next = self.divergence.overflow_valid.val() | self.divergence.mismatch_valid.val();
        self.traps.divergence_mismatch.next = self.divergence.mismatch_valid.val();
        self.traps.divergence_warp.next = self.divergence.overflow_warp.val();
        self.traps.divergence_pc.next = self.divergence.overflow_pc.val();
        self.trap_valid.next = self.traps.trap_valid.val();
        self.trap_cause.next = self.traps.trap_cause.val();
        self.trap_warp.next = self.traps.trap_warp.val();
        self.trap_row.next = self.traps.trap_row.val();
        self.trap_lane.next = self.traps.trap_lane.val();
        self.trap_pc.next = self.traps.trap_pc.val();
        self.trap_value.next = self.traps.trap_value.val();

        // Counters and the watchdog's view
        self.counters.busy.next = self.running.val();
        self.counters.issue_valid.next = self.issue.issue_valid.val();
        self.counters.issue_mask.next = self.issue.issue_mask.val();
        self.counters.blocked_any.next = self.issue.blocked_any.val();
        self.counters.memory_idle.next = self.memory.idle.val();
        self.counters.waiting_any.next = self.divergence.waiting.val().any();
        self.counters.gathering_any.next = self.divergence.gathering.val().any();
        self.counters.l1_access.next = self.memory.l1_access.val();
        self.counters.l1_miss.next = self.memory.l1_miss.val();
        self.counters.shared_conflict.next = self.memory.shared_conflict.val();
        self.counters.transaction.next = self.memory.request_valid.val() & self.request_ready.val();
        self.counters.cta_start.next = self.dispatcher.cta_start_valid.val();
        self.counters.resolve_valid.next = self.execute.resolve_valid.val();
        self.counters.resolve_kind.next = self.execute.resolve_kind.val();
        self.counters.resolve_mask.next = self.execute.resolve_mask.val();
        self.counters.resolve_taken.next = self.execute.resolve_taken.val();
        self.counters.resolve_target.next = self.execute.resolve_target.val();
        self.counters.resolve_next.next = self.execute.resolve_next.val();
        self.counters.resolve_rpc.next = self.execute.resolve_rpc.val();
        self.counters.resolve_rpc_valid.next = self.execute.resolve_rpc_valid.val();
        self.counters.depth.next = self.divergence.depth.val();
        self.counters.resident_ctas.next = self.dispatcher.resident_ctas.val();
        for b in 0..self.counter_issued.len() {
            self.counter_issued[b].next = self.counters.counter_issued[b].val();
        }
        for i in 0..self.counter.len() {
            self.counter[i].next = self.counters.counter[i].val();
        }
        for i in 0..self.compaction_counters.len() {
            self.compaction_counters[i].clock.next = self.clock.val();
            self.compaction_counters[i].reset.next = self.reset.val();
            self.compaction_counters[i].warp_formed.next = self.divergence.warp_formed.val();
            self.compaction_counters[i].consulted.next = self.divergence.consulted.val();
            self.compaction_counters[i].hit.next = self.divergence.hit.val();
            self.compaction_counters[i].path_valid.next = self.divergence.path_valid.val();
            self.compaction_counters[i].path_data_dependent.next = self.divergence.path_data_dependent.val();
            self.compaction_counters[i].path_arrived.next = self.divergence.path_arrived.val();
            self.compaction_counters[i].path_compacted.next = self.divergence.path_compacted.val();
            self.compaction_counters[i].path_ideal.next = self.divergence.path_ideal.val();
            self.compaction_counters[i].path_consulted.next = self.divergence.path_consulted.val();
            self.compaction_counters[i].path_bypassed.next = self.divergence.path_bypassed.val();
            for k in 0..self.compaction_counter.len() {
                self.compaction_counter[k].next = self.compaction_counters[i].counter[k].val();
            }
        }
        for i in 0..self.path_counters.len() {
            self.path_counters[i].clock.next = self.clock.val();
            self.path_counters[i].reset.next = self.reset.val();
            self.path_counters[i].issued.next = self.issue.ready_any.val();
            self.path_counters[i].paths.next = self.issue.issue_paths.val();
            self.path_counters[i].pushed.next = self.divergence.pushed.val();
            self.path_counters[i].suspended.next = self.divergence.suspended.val();
            self.path_counters[i].subdivided.next = self.divergence.subdivided.val();
            self.path_counters[i].merged.next = self.divergence.merged.val();
            for k in 0..self.path_counter.len() {
                self.path_counter[k].next = self.path_counters[i].counter[k].val();
            }
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
