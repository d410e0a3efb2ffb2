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
//! | `request_*`, `request_ready`, `response_*`, `response_ready`, `acknowledged` | [`LineRequest`], [`LineResponse`] | memory beyond the L1 data cache; the last in a GPU |
//! | `cta_request`, `cta_grant_*` | [`CtaGrant`] | in a GPU: who distributes the CTAs |
//! | `trap_*` | [`Trap`] | host: why and where the core stopped |
//! | `issue_*` | | checking at issue: the instruction in OPERAND |
//! | `writeback_*` | [`LaneResult`] | checking at retirement |
//! | `debug_*` | | the watchdog: what each warp waits for |
//! | `counter[i]`, `counter_issued[b]`, `compaction_counter[i]`, `path_counter[i]`, `turn_counter[i]`, `formation_counter[i]`, `sub_warp_counter[i]`, `replay_counter[i]`, `hazard_counter[i]` | | host: performance counters, 64 bits |
//!
//! Fung & Aamodt 2011, Fig 4; Rhu 2014, 2.2. Every behaviour is in the blocks; this file only wires them.
//!
//! Latency: see docs/reference/latency.md.
use crate::compaction_counters::{COMPACTION_COUNTERS, CompactionCounters};
use crate::divergence::ReconvergenceUnit;
use crate::execute::Execute;
use crate::formation_counters::FormationCounters;
use crate::frontend::{CtaDispatcher, Frontend};
use crate::interface::{
    ControlKind, CtaGrant, InstructionLoad, KernelConfiguration, LaneResult, LineRequest, LineResponse, Trap, Unit,
};
use crate::issue::{BarrierUnit, IssueStage};
use crate::memory::{HAZARD_COUNTERS, HazardCounters, LoadStoreUnit};
use crate::path_counters::{PATH_COUNTERS, PathCounters};
use crate::performance_counters::{PERFORMANCE_COUNTERS, PerformanceCounters, issue_buckets};
use crate::prelude::*;
use crate::replay::{REPLAY_COUNTERS, ReplayCounters};
use crate::sub_warp_counters::{SUB_WARP_COUNTERS, SubWarpCounters};
use crate::trap_unit::TrapUnit;
use crate::turn_statistics::{TURN_COUNTERS, TurnStatistics};

module! {
    /// See the [module documentation](self).
    pub struct Core: clock, reset {
        pub load: InstructionLoad<In> = InstructionLoad::new(config),
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        /// A launch is under way, or its last stores or results are.
        pub busy: Signal<Out, Bit>,
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,
        pub response: LineResponse<In> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        /// In a GPU: the memory port owes no acknowledgement of a store.
        pub acknowledged: Vec<Signal<In, Bit>> = bit_vec(config.of_gpu()),
        /// In a GPU: a CTA is asked for, and the answer.
        pub cta_request: Vec<Signal<Out, Bit>> = bit_vec(config.of_gpu()),
        pub cta_grant: Vec<CtaGrant<In>> = (0..config.of_gpu()).map(|_| CtaGrant::new()).collect(),
        pub trap: Trap<Out> = Trap::new(config),
        pub issue_valid: Signal<Out, Bit>,
        pub issue_warp: Net<Out> = config.path_width(),
        pub issue_home_warps: Vec<Net<Out>> = Net::vec(config.home_warps(), w),
        pub issue_pc: Net<Out> = 32,
        pub issue_mask: Net<Out> = config.lanes,
        pub writeback: LaneResult<Out> = LaneResult::new(config),
        pub counter_issued: Vec<Net<Out>> = Net::vec(issue_buckets(config.lanes), 64),
        /// In the order of [`PERFORMANCE_COUNTERS`].
        pub counter: Vec<Net<Out>> = Net::vec(PERFORMANCE_COUNTERS.len(), 64),
        /// In the order of [`COMPACTION_COUNTERS`]; none if warps do not gather.
        pub compaction_counter: Vec<Net<Out>> = Net::vec(if config.gathers() { COMPACTION_COUNTERS.len() } else { 0 }, 64),
        /// In the order of [`PATH_COUNTERS`]; none if only one path is under way.
        pub path_counter: Vec<Net<Out>> = Net::vec(if config.paths() > 1 { PATH_COUNTERS.len() } else { 0 }, 64),
        /// In the order of [`TURN_COUNTERS`]; none if threads take no turns.
        pub turn_counter: Vec<Net<Out>> = Net::vec(if config.takes_turns() { TURN_COUNTERS.len() } else { 0 }, 64),
        /// In the order of [`FORMATION_COUNTERS`](crate::formation_counters::FORMATION_COUNTERS); none if threads are not regrouped.
        pub formation_counter: Vec<Net<Out>> = Net::vec(config.formation_counters(), 64),
        /// In the order of [`SUB_WARP_COUNTERS`]; none without large warps.
        pub sub_warp_counter: Vec<Net<Out>> = Net::vec(SUB_WARP_COUNTERS.len() * config.of_large_warps(), 64),
        /// In the order of [`REPLAY_COUNTERS`]; none where loads issue once.
        pub replay_counter: Vec<Net<Out>> = Net::vec(REPLAY_COUNTERS.len() * config.of_replay(), 64),
        /// In the order of [`HAZARD_COUNTERS`]; none where what memory instructions wait for is not counted.
        pub hazard_counter: Vec<Net<Out>> = Net::vec(HAZARD_COUNTERS.len() * config.of_hazards(), 64),
        pub debug_resident: Net<Out> = config.warps,
        pub debug_hazards: Net<Out> = config.warps,
        pub debug_slot_valid: Net<Out> = config.warps,
        pub debug_fetchable: Net<Out> = config.warps,
        pub debug_waiting: Net<Out> = config.warps,
        pub debug_gathering: Net<Out> = config.warps,
        pub debug_memory_idle: Signal<Out, Bit>,

        dispatcher: CtaDispatcher = CtaDispatcher::new(config) => {
            launch_start, kernel, launch_ready: divergence.launch_ready, finished: divergence.finished,
            context_warp: execute.context_warp, resident: debug_resident, cta_request, cta_grant,
        },
        divergence: ReconvergenceUnit = ReconvergenceUnit::new(config) => {
            launch: dispatcher.launch, fetch_warp: frontend.fetch_warp, fetch_valid: frontend.fetch_valid,
            decoded: frontend.decoded, resolve: execute.resolve, barrier_release: barrier.barrier_release,
            cta_release: barrier.cta_release, launch_start, kernel, cta_start: dispatcher.cta_start,
            warp_slot: dispatcher.warp_slot, gathering: debug_gathering, waiting: debug_waiting, decoded_join: frontend.decoded_join,
            slot_pending: issue.pending, slot_waits: issue.waits, home_slots: dispatcher.homes.slots,
            decoded_kind: frontend.decoded_kind, release_home_warps: execute.release_home_warps,
        },
        frontend: Frontend = Frontend::new(config) => {
            halt: traps.halt, load, fetch_pc: divergence.fetch_pc, fetch_mask: divergence.fetch_mask,
            form: divergence.form, issue_take: issue.issue_take, issue_select: issue.issue_select,
            fetchable: divergence.fetchable, flush: divergence.flush, issue_mask: divergence.issue_mask,
            issue_home_warps: divergence.issue_home_warps, issue_last: divergence.issue_last, check: memory.check, misses: memory.misses,
        },
        issue: IssueStage = IssueStage::new(config) => {
            hold: divergence.hold, present: divergence.present, slot: frontend.slot, halt: traps.halt,
            selected: frontend.selected, selected_slot: frontend.selected_slot, selected_again: frontend.selected_again, loads: frontend.loads, check: memory.check, needs: frontend.needs, mshr: memory.mshr, memory_credit_return: memory.memory_credit_return,
            credit_unused: execute.memory_unused,
            divide_done: execute.divide_done, elastic_blocked: execute.elastic_blocked, release: execute.release,
            release_mask: execute.release_mask, write: frontend.decoded, copy: divergence.copy, launch: dispatcher.launch,
            cta_start: dispatcher.cta_start, warp_slot: dispatcher.warp_slot, orphan: divergence.orphan,
            orphan_right: divergence.orphan_right, moved: divergence.moved, rights: divergence.rights, left: divergence.left, issue.valid: issue_valid, issue.warp: issue_warp, issue.instruction.pc: issue_pc,
            issue.instruction.mask: issue_mask, selected_home_warps: frontend.selected_home_warps, issue.home_warps: issue_home_warps,
            hazards: debug_hazards,
        },
        barrier: BarrierUnit = BarrierUnit::new(config) => {
            cta_start: dispatcher.cta_start, arrive: divergence.arrive, exit: divergence.exit,
            warp_slot: dispatcher.warp_slot, home_slots: dispatcher.homes.slots, cta_threads: divergence.cta_threads,
            resident: dispatcher.resident,
        },
        execute: Execute = Execute::new(config) => {
            issue: issue.issue, context: dispatcher.context, homes: dispatcher.homes, kernel, tid_write: dispatcher.tid_write, load: memory.load, check: memory.check,
            writeback,
        },
        memory: LoadStoreUnit = LoadStoreUnit::new(config) => {
            memory: execute.memory, launch_start, cta_start: dispatcher.cta_start, shared_bases: dispatcher.homes.shared_bases, kernel, load_ready: execute.load_ready, request, request_ready,
            response, response_ready, acknowledged, idle: debug_memory_idle,
        },
        traps: TrapUnit = TrapUnit::new(config) => {
            clear: launch_start, frontend: frontend.trap, execute: execute.execute_trap, memory: memory.memory_trap,
            divergence_mismatch: divergence.mismatch_valid, divergence: divergence.overflow, trap,
        },
        counters: PerformanceCounters = PerformanceCounters::new(config) => {
            busy, issue_slot: issue.slot_open, issue_valid: issue.issue.valid, issue_mask: issue.issue.instruction.mask, issue_again: issue.issue.again,
            blocked_any: issue.blocked_any, memory_idle: memory.idle, l1_access: memory.l1_access,
            l1_miss: memory.l1_miss, shared_conflict: memory.shared_conflict, cta_start: dispatcher.cta_start.valid,
            resolve: execute.resolve, depth: divergence.depth, resident_ctas: dispatcher.resident_ctas, counter_issued,
            sub_warp_events: divergence.sub_warp_events, counter,
        },
        /// Where warps gather: one, else none.
        compaction_counters: Vec<CompactionCounters> = (0..config.gathers() as usize).map(|_| CompactionCounters::new(config)).collect() => |i| {
            warp_formed: divergence.warp_formed, consulted: divergence.consulted, hit: divergence.hit,
            path: divergence.path, counter: compaction_counter,
        },
        /// Where several paths are under way at once: one, else none.
        path_counters: Vec<PathCounters> = (0..(config.paths() > 1) as usize).map(|_| PathCounters::new(config.paths())).collect() => |i| {
            issued: issue.ready_any, paths: issue.issue_paths, pushed: divergence.pushed,
            suspended: divergence.suspended, subdivided: divergence.subdivided, merged: divergence.merged,
            counter: path_counter,
        },
        /// Where threads take turns: one, else none.
        turn_statistics: Vec<TurnStatistics> = (0..config.takes_turns() as usize).map(|_| TurnStatistics::new(config.lanes)).collect() => |i| {
            turns: divergence.turn_events[i], groups: divergence.group_events[i], counter: turn_counter,
        },
        /// Where threads are regrouped: one, else none.
        formation_counters: Vec<FormationCounters> = (0..config.regroups() as usize).map(|_| FormationCounters::new(config.lanes, config.has_warp_barriers())).collect() => |i| {
            pool: divergence.pool_events[i], counter: formation_counter,
        },
        /// Where there are large warps: one, else none.
        sub_warp_counters: Vec<SubWarpCounters> = (0..config.of_large_warps()).map(|_| SubWarpCounters::new(config.warps)).collect() => |i| {
            events: divergence.sub_warp_events[i], counter: sub_warp_counter,
        },
        /// Where loads are issued again: one, else none.
        replay_counters: Vec<ReplayCounters> = (0..config.of_replay()).map(|_| ReplayCounters::new(config)).collect() => |r| {
            check_valid: memory.check[r].valid, check_hazard: memory.check[r].hazard, check_warp: memory.check[r].warp,
            check_slot: memory.check[r].buffer_slot, check_first: memory.check[r].first, golden: issue.golden[r], counter: replay_counter,
        },
        /// Where memory instructions wait otherwise than usual, or warps run ahead of them: one, else none.
        hazard_counters: Vec<HazardCounters> = (0..config.of_hazards()).map(|_| HazardCounters::new(config)).collect() => |h| {
            hazards: memory.hazards[h], blocked: issue.blocked[h], restricted: issue.restricted[h], credit: issue.credit, counter: hazard_counter,
        },
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

        // A register must not be written when the next launch has begun.
        self.busy.next = self.dispatcher.busy.val() | !self.memory.idle.val() | !self.execute.idle.val();

        // The sides of every warp
        self.debug_slot_valid.next = 0.into();
        self.debug_fetchable.next = 0.into();
        for p in 0..self.frontend.slot.len() {
            wire::join(&mut self.frontend.slot[p].valid, &mut self.divergence.slot_valid[p]);
            self.debug_slot_valid.next = self.debug_slot_valid.val() | self.frontend.slot[p].valid.val();
            self.debug_fetchable.next = self.debug_fetchable.val() | self.divergence.fetchable[p].val();
        }

        for p in 0..self.divergence.issue_valid.len() {
            wire::join(&mut self.issue.issue_take, &mut self.divergence.issue_valid[p]);
            wire::join(&mut self.issue.issue_select, &mut self.divergence.issue_warp[p]);
        }
        for i in 0..self.divergence.slot_control.len() {
            wire::join(&mut self.frontend.slot[0].control, &mut self.divergence.slot_control[i]);
            wire::join(&mut self.frontend.slot[0].writes_rd, &mut self.divergence.slot_writes_rd[i]);
            wire::join(&mut self.execute.release.valid, &mut self.divergence.release_valid[i]);
            wire::join(&mut self.execute.release_mask, &mut self.divergence.release_mask[i]);
        }
        for p in 0..self.frontend.form_right.len() {
            wire::join(&mut self.divergence.form_right[p], &mut self.frontend.form_right[p]);
        }
        for p in 0..self.execute.launch.len() {
            wire::join(&mut self.dispatcher.launch, &mut self.execute.launch[p]);
        }
        for r in 0..self.replay_counters.len() {
            self.replay_counters[r].issued_again.next =
                self.issue.issue.valid.val() & self.issue.issue.again[r].val().any();
            self.replay_counters[r].check_done.next =
                !(self.memory.check[r].mask.val() & !self.memory.check[r].done.val()).any();
        }
        for h in 0..self.hazard_counters.len() {
            self.hazard_counters[h].memory_issues.next =
                self.issue.issue.valid.val() & (self.issue.issue.unit.val() == Unit::Memory);
        }
        self.memory.thread_ended.next =
            self.execute.resolve.valid.val() & (self.execute.resolve.kind.val() == ControlKind::Exit);

        // Counters and the watchdog's view
        self.counters.waiting_any.next = self.divergence.waiting.val().any();
        self.counters.gathering_any.next = self.divergence.gathering.val().any();
        self.counters.transaction.next = self.memory.request.valid.val() & self.request_ready.val();
    }
}
