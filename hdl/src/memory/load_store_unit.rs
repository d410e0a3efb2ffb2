//! The load/store unit: from a memory instruction of a warp to transactions, and back to its register.
//!
//! ```text
//!  EXECUTE      +1                  +2                   +3                 +4
//!  memory_* --> MemoryQueue         head
//!               AddressLane x L --> Coalescer ------+--> L1DataCache x B ---+--> ResultArbiter --> LoadTable --> load_*
//!               StoreLane x L       Reservation     |      ^  |             |
//!                     |                             |     MemoryPort        |
//!                     v                             |  response request     |
//!               memory_trap_*                       +--> SharedMemory ------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `memory_*` | | the instruction in EXECUTE; the sender holds `memory_queue` credits |
//! | `memory_credit_return` | 1 | a queue entry is free again |
//! | `kernel_shared_bytes`, `kernel_global_limit` | 32 | bounds of the launch |
//! | `launch_start` | 1 | drops every line of the L1, and the reservation |
//! | `cta_start_valid`, `cta_start_slot`, `cta_start_threads` | 1, c, 16 | a CTA starts in this slot |
//! | `shared_bases[C]` | s | where warps are of threads of several CTAs, instead of `memory_shared_base`: by CTA slot |
//! | `thread_ended` | 1 | the instruction in EXECUTE ends threads |
//! | `load_valid`, `load_ready` | 1 | an instruction has its data, of all its lanes; taken |
//! | `load_warp`, `load_home_warps[R]`, `load_rd`, `load_mask` | w, w, 5, L | whose |
//! | `load_data[L]` | 32 | register values |
//! | `memory_trap_valid`, `_cause`, `_warp`, `_row`, `_lane`, `_pc`, `_value` | | the oldest instruction has a lane that may not access its address `_value` |
//! | `request_*`, `response_*` | | the memory port |
//! | `acknowledged` | 1 | in a GPU: the memory port owes no acknowledgement of a store |
//! | `idle` | 1 | nothing queued or outstanding |
//! | `l1_access`, `l1_miss` | 1 or 2 | events of a cycle, see [`L1DataCache`](super::L1DataCache) |
//! | `shared_conflict` | 1 | a pulse, see [`SharedMemory`](super::SharedMemory) |
//! | `mshr_*`, `misses_*` | | where loads may wait for an MSHR before they issue (Vec of one): what becomes of MSHRs, see [`MshrEvents`]; which loads miss, see [`MissCheck`] |
//! | `hazards_*` | | where hazards are counted (Vec of one): events of a cycle, see [`MemoryHazards`] |
//! | `check_valid`, `check_warp`, `check_buffer_slot`, `check_rd`, `check_first`, `check_mask`, `check_done`, `check_hazard` | | where loads are issued again (Vec of one): a load has been looked at, see [`Look`] |
//!
//! All as in docs/developer/microarchitecture.md, with the order rules.
//!
//! Latency: a load whose lanes hit in one line, or access shared memory without conflict, is at `load_*` four cycles after EXECUTE; the
//! request of a miss is at the port four cycles after EXECUTE, its data at `load_*` two cycles after the response. What comes in several
//! groups of lanes is at `load_*` as a whole, a cycle after the last of them. One group per cycle. State: the
//! queue, what it marks ([`LifeMarks`](super::LifeMarks)), the head (the instruction being split into groups), the load table, the units, and whose turn it is of two banks.
//!
//! The head decides the order of memory: groups leave it in program order, and each unit keeps that order. Two banks (`l1_ports`) hold the lines of
//! even and of odd number; a group for each can leave the head at once. Their requests may pass each other on the way to the memory port. No thread
//! sees that, for every line has one bank: threads see memory in the order in which groups left the head. A `memory_interval` above 1 spaces
//! what a bank, or the shared memory, accepts. A trapping
//! instruction stays in the queue and blocks it, so nothing of it, or after it, is performed. A fence waits at the head until its
//! warp owes no loads (with compaction: no warp does) and no store is on its way. An instruction has at least one active lane.
//!
//! In a GPU other cores write, too. What is ordered (`fence`; atomics and LR/SC with `rl` or `aq`) waits until the whole unit has *settled*: loads are back, stores and
//! atomics are acknowledged. With `rl` it does so before its first group, with `aq` behind its last; then the lines of the L1, which others may have written, are dropped
//! (docs/decisions/0048-order-among-cores.md).
use super::{
    AccessSpacer, AddressLane, Coalescer, HeadRegister, L1DataCache, LifeMarks, LoadTable, MemoryPort, MemoryQueue,
    Reservation, ResultArbiter, SharedBase, SharedMemory, StoreLane,
};
use crate::interface::{
    CtaStart, KernelConfiguration, LaneResult, LineRequest, LineResponse, Look, LookHazard, LookRegister, MISS_ENTRY,
    MemoryAccess, MemoryHazards, MemoryOp, MissCheck, MissCheckRegister, MshrEvents, Trap, TrapCause,
};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct LoadStoreUnit: clock, reset {
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub shared_bases: Vec<Net<In>> = Net::vec(config.where_mixed(config.cta_slots), config.shared_width()),
        pub thread_ended: Signal<In, Bit>,
        pub memory: MemoryAccess<In> = MemoryAccess::new(config),
        pub memory_credit_return: Signal<Out, Bit>,
        pub load: LaneResult<Out> = LaneResult::new(config),
        pub load_ready: Signal<In, Bit>,
        pub memory_trap: Trap<Out> = Trap::new(config),
        pub request: LineRequest<Out> = LineRequest::new(config),
        pub request_ready: Signal<In, Bit>,
        pub response: LineResponse<In> = LineResponse::new(config),
        pub response_ready: Signal<Out, Bit>,
        pub acknowledged: Vec<Signal<In, Bit>> = bit_vec(config.of_gpu()),
        pub idle: Signal<Out, Bit>,
        pub l1_access: Net<Out> = index_width(config.l1_ports + 1),
        pub l1_miss: Net<Out> = index_width(config.l1_ports + 1),
        pub shared_conflict: Signal<Out, Bit>,
        /// Where loads are issued again: one, else none.
        pub mshr: Vec<MshrEvents<Out>> = (0..config.of_prediction()).map(|_| MshrEvents::new(config)).collect(),
        pub misses: Vec<MissCheck<Out>> = (0..config.of_miss_counters()).map(|_| MissCheck::new(config)).collect(),
        pub hazards: Vec<MemoryHazards<Out>> = (0..config.of_hazards()).map(|_| MemoryHazards::new(config)).collect(),
        pub check: Vec<Look<Out>> = (0..config.of_replay()).map(|_| Look::new(config)).collect(),

        // The queue and the checks of its oldest instruction.
        marks: LifeMarks = LifeMarks::new(config) => {
            cta_start, thread_ended, enters: memory.valid, slot: memory.slot, slots: memory.slots,
        },
        queue: MemoryQueue = MemoryQueue::new(config) => {
            memory, first_of_cta: marks.first_of_cta, first_of_ctas: marks.first_of_ctas, after_end: marks.after_end, head.pc: memory_trap.pc, pop: load_head,
        },
        address_lanes: Vec<AddressLane> = (0..lanes).map(|_| AddressLane::new(config)).collect() => |i| {
            address: queue.head.address[i], size: queue.head.size, shared_base: queue.head.shared_base, kernel,
        },
        /// Where warps are of threads of several CTAs: by lane, else none.
        lane_bases: Vec<SharedBase> = (0..config.where_mixed(lanes)).map(|_| SharedBase::new(config)).collect() => |i| {
            slot: queue.head.slots[i], bases: shared_bases,
        },
        store_lanes: Vec<StoreLane> = (0..lanes).map(|_| StoreLane::default()).collect() => |i| {
            size: queue.head.size, data: queue.head.data[i],
        },
        misaligned: Net<Local> = lanes,
        unmapped: Net<Local> = lanes,
        in_shared: Net<Local> = lanes,
        /// The lowest active lane that may not access its address.
        fault: PriorityEncoder = PriorityEncoder::new(lanes) => { any: memory_trap.valid, index: memory_trap.lane },
        fault_address: IndexedMux = IndexedMux::new(32, lanes) => {
            inputs: queue.head.address, index: fault.index, selected: memory_trap.value,
        },
        /// Address of the lane in turn.
        lane_address: Net<Local> = 32,
        fence: Signal<Local, Bit>,
        load_head: Signal<Local, Bit>,

        // The head: the instruction being split into groups.
        head: HeadRegister = HeadRegister::new(config),
        /// Its load-table entry.
        entry: Flop = Flop::new(entry),
        /// Lanes not yet served.
        remaining: Register = Register::new(lanes),
        coalescer: Coalescer = Coalescer::new(config) => { head: head.q, remaining: remaining.q },
        reservation: Reservation = Reservation::new(config) => {
            launch_start, head: head.q, leader: coalescer.leader_lane, leader_address: coalescer.leader_address, group,
        },
        group: Net<Local> = lanes,
        left: Net<Local> = lanes,
        /// What has been looked at, while its line is in S1.
        looked: Vec<LookRegister> = (0..config.of_replay()).map(|_| LookRegister::new(config)).collect(),
        head_done: Signal<Local, Bit>,
        /// Where loads may wait for an MSHR before they issue, one each, or none: one with a promise is done at the head; it has not come back yet.
        finishes: Vec<Signal<Local, Bit>> = bit_vec(config.of_prediction()),
        owed: Vec<StateRegister<Bit>> = StateRegister::vec(config.of_prediction()),
        /// There, one: the load in S1 has that promise.
        promised: Vec<Flop> = (0..config.of_prediction()).map(|_| Flop::new(1)).collect(),
        /// Where counters say which loads miss (one, else none): the load in S1.
        missing: Vec<MissCheckRegister> = (0..config.of_miss_counters()).map(|_| MissCheckRegister::new(config)).collect(),

        /// By bank.
        l1: Vec<L1DataCache> = (0..config.l1_ports).map(|_| L1DataCache::new(&config.l1_bank(), entry)).collect() => |b| {
            clear: launch_start, drop: drops, group.op: head.q.op, group.succeeds: reservation.succeeds,
            group.address: coalescer.lines[b].address, group.lanes: coalescer.lines[b].lanes, group.entry: entry.q,
            group.data: head.q.data, group.mask: head.q.mask, response: port.bank_response[b],
        },
        port: MemoryPort = MemoryPort::new(config) => { request, request_ready, response, response_ready, bank_response_ready: answered },
        shared: SharedMemory = SharedMemory::new(config, entry) => {
            head: head.q, group.succeeds: reservation.succeeds, group.leader: coalescer.leader_lane,
            group.entry: entry.q, shared_conflict, result_ready: results.shared_ready,
        },
        /// Of a core whose memories are slower than it.
        l1_spacers: Vec<AccessSpacer> = spacers(config.l1_ports),
        shared_spacers: Vec<AccessSpacer> = spacers(1),
        /// In a GPU, one of each, else none: nothing is under way; the head may not begin before that; it is done, and the lines of the L1 are dropped.
        settled: Vec<Signal<Local, Bit>> = bit_vec(config.of_gpu()),
        holds: Vec<Signal<Local, Bit>> = bit_vec(config.of_gpu()),
        drops: Vec<Signal<Local, Bit>> = bit_vec(config.of_gpu()),
        /// A bit per bank; `accesses`: a group enters it.
        l1_open: Net<Local> = config.l1_ports,
        accesses: Net<Local> = config.l1_ports,
        l1_draining: Net<Local> = config.l1_ports,
        l1_idle: Net<Local> = config.l1_ports,
        lines_lanes: Net<Local> = lanes,
        answered: Net<Local> = config.l1_ports,

        // Results.
        results: ResultArbiter = ResultArbiter::new(config, entry) => {
            shared: shared.result, complete_ready: loads.complete_ready,
        },
        loads: LoadTable = LoadTable::new(config, entries) => {
            query_warp: head.q.warp, gives_up: l1[0].refused, given_up: l1[0].refused_entry, access: queue.head, complete: results.complete, load_ready, load,
        },
    }
    sizes { _miss_entry = MISS_ENTRY, _offset_width = line, _warp_width = config.warp_width(), _banks = config.l1_ports }
    /// The load/store unit of the core `config`.
    pub fn new(config: &CoreConfig) {
        let lanes = config.lanes;
        let entries = config.memory_queue + config.waiting_groups();
        let (entry, line) = (index_width(entries), index_width(config.line_bytes));
        let spacers = |units: usize| -> Vec<AccessSpacer> {
            let units = if config.memory_interval > 1 { units } else { 0 };
            (0..units).map(|_| AccessSpacer::new(config.memory_interval)).collect()
        };
    }
}

impl Logic for LoadStoreUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadStoreUnit");

        // The oldest instruction: translate and check its addresses.
        self.fence.next = self.queue.head.op.val() == MemoryOp::Fence;
        self.misaligned.next = 0.into();
        self.unmapped.next = 0.into();
        self.in_shared.next = 0.into();
        for i in 0..self.address_lanes.len() {
            self.address_lanes[i].home_warp.next = self.queue.head.home_warps[0].val();
            self.address_lanes[i].lane.next = i.into();
            self.misaligned.next = self.misaligned.val().replace_bit(i, self.address_lanes[i].misaligned.val());
            self.in_shared.next = self.in_shared.val().replace_bit(i, self.address_lanes[i].shared.val());
            self.unmapped.next = self.unmapped.val().replace_bit(i, self.address_lanes[i].unmapped.val());
            self.lane_address.next = self.queue.head.address[i].val();
            self.store_lanes[i].offset.next = bit_cast_to(self.lane_address.val(), 2);
        }
        for i in 0..self.memory.home_warps.len() {
            self.address_lanes[i].home_warp.next = self.queue.head.home_warps[i].val();
        }
        for i in 0..self.marks.mask.len() {
            self.marks.mask[i].next = self.memory.mask.val();
        }
        for i in 0..self.lane_bases.len() {
            self.address_lanes[i].own_base[0].next = self.lane_bases[i].base.val();
        }
        self.fault.request.next = 0.into();
        if self.queue.head.valid.val() & !self.fence.val() {
            self.fault.request.next = (self.misaligned.val() | self.unmapped.val()) & self.queue.head.mask.val();
        }
        self.memory_trap.cause.next = TrapCause::UnmappedAccess;
        if (self.misaligned.val() & self.fault.one_hot.val()).any() {
            self.memory_trap.cause.next = TrapCause::MisalignedAccess;
        }
        self.memory_trap.warp.next = bit_cast_to(self.queue.head.warp.val(), self._warp_width);
        self.memory_trap.home_warp.next = self.queue.head.home_warps[0].val();
        for i in 0..self.memory.home_warps.len() {
            if self.fault.one_hot.val().get_bit(i) {
                self.memory_trap.home_warp.next = self.queue.head.home_warps[i].val();
            }
        }

        // The head: choose a group for each unit that it is for.
        self.l1_draining.next = 0.into();
        self.l1_idle.next = 0.into();
        for b in 0..self.l1.len() {
            self.l1_draining.next = self.l1_draining.val().replace_bit(b, self.l1[b].draining.val());
            self.l1_idle.next = self.l1_idle.val().replace_bit(b, self.l1[b].idle.val());
        }
        self.group.next = 0.into();
        self.l1_open.next = !bit_cast_to(0, self._banks);
        self.accesses.next = 0.into();
        for b in 0..self.l1_spacers.len() {
            self.l1_open.next = self.l1_open.val().replace_bit(b, self.l1_spacers[b].open.val());
        }
        for g in 0..self.settled.len() {
            self.settled[g].next = self.l1_idle.val().all() & self.shared.idle.val() & self.acknowledged[g].val();
            self.holds[g].next = self.head.q.orders[g].val().get_bit(0);
            if self.holds[g].val() {
                self.l1_open.next = 0.into();
            }
        }
        for b in 0..self.l1.len() {
            self.lines_lanes.next = self.coalescer.lines[b].lanes.val();
            self.l1[b].group.valid.next = self.lines_lanes.val().any() & self.l1_open.val().get_bit(b);
            for i in 0..self.address_lanes.len() {
                self.lane_address.next = self.head.q.address[i].val();
                self.l1[b].group.offset[i].next = bit_cast_to(self.lane_address.val(), self._offset_width);
            }
            if self.l1[b].group_ready.val() & self.l1_open.val().get_bit(b) {
                self.group.next = self.group.val() | self.lines_lanes.val();
                self.accesses.next = self.accesses.val().replace_bit(b, self.lines_lanes.val().any());
            }
        }
        for b in 0..self.l1_spacers.len() {
            self.l1_spacers[b].access.next = self.accesses.val().get_bit(b);
        }
        self.shared.group.lanes.next = self.coalescer.shared_candidates.val();
        for s in 0..self.shared_spacers.len() {
            self.shared_spacers[s].access.next =
                self.shared.group_ready.val() & self.coalescer.shared_candidates.val().any();
            if !self.shared_spacers[s].open.val() {
                self.shared.group.lanes.next = 0.into();
                self.shared_spacers[s].access.next = false;
            }
        }
        for g in 0..self.holds.len() {
            if self.holds[g].val() {
                self.shared.group.lanes.next = 0.into();
                for s in 0..self.shared_spacers.len() {
                    self.shared_spacers[s].access.next = false;
                }
            }
        }
        for r in 0..self.looked.len() {
            // One look, one access: the data of a load's lanes come together.
            if self.lines_lanes.val().any() & (self.head.q.op.val() == MemoryOp::Load) {
                self.shared.group.lanes.next = 0.into();
            }
            self.looked[r].d.done.next = 0.into();
        }
        if self.shared.group_ready.val() {
            self.group.next = self.group.val() | self.shared.taken.val();
        }
        self.reservation.accept.next = self.group.val().any();
        self.left.next = self.remaining.q.val() & !self.group.val();
        self.head_done.next = !self.left.val().any();
        if (self.head.q.op.val() == MemoryOp::Fence)
            & (self.loads.query_pending.val() | self.l1_draining.val().any() | self.shared.draining.val())
        {
            self.head_done.next = false;
        }
        for r in 0..self.looked.len() {
            // A load is looked at once: what is not done is issued again.
            self.looked[r].d.valid.next = false;
            if self.head.q.valid.val() & (self.head.q.op.val() == MemoryOp::Load) {
                self.head_done.next = self.group.val().any();
                self.looked[r].d.valid.next = self.group.val().any();
                if self.group.val().any() {
                    self.left.next = 0.into();
                }
            }
            self.looked[r].d.warp.next = self.head.q.warp.val();
            self.looked[r].d.buffer_slot.next = self.head.q.buffer_slot[r].val();
            self.looked[r].d.rd.next = self.head.q.rd[r].val();
            self.looked[r].d.first.next = !self.head.q.again[r].val().any();
            self.looked[r].d.mask.next = self.remaining.q.val();
            if self.shared.group_ready.val() {
                self.looked[r].d.done.next = self.shared.taken.val();
            }
            self.looked[r].d.hazard.next = LookHazard::None;
            if (self.remaining.q.val() & !self.group.val()).any() {
                self.looked[r].d.hazard.next = LookHazard::Divergence;
            }
            if self.shared.shared_conflict.val() {
                self.looked[r].d.hazard.next = LookHazard::Bank;
            }
            wire::join(&mut self.check[r], &mut self.looked[r].q);
            self.check[r].done.next = self.looked[r].q.done.val() | self.l1[0].served[r].val();
            if self.l1[0].refused[r].val() {
                self.check[r].hazard.next = self.l1[0].waits_for[r].val();
            }
        }
        for g in 0..self.drops.len() {
            if self.holds[g].val()
                | (self.head.q.orders[g].val().get_bit(1) & (self.remaining.q.val().any() | !self.settled[g].val()))
            {
                self.head_done.next = false;
            }
            self.drops[g].next =
                self.head.q.valid.val() & self.head.q.orders[g].val().get_bit(1) & self.head_done.val();
        }

        for p in 0..self.mshr.len() {
            // The promise of an MSHR comes back when the last group of its load leaves S1, for whatever that takes is counted there. Should another be done before,
            // which has none in S1, one of the two comes back at once.
            self.finishes[p].next = self.head.q.valid.val()
                & (self.head.q.op.val() == MemoryOp::Load)
                & self.head_done.val()
                & self.head.q.credit[p].val().any();
            self.owed[p].d.next = self.finishes[p].val() | (self.owed[p].q.val() & !self.l1[0].group_ready.val());
            self.mshr[p].taken.next = self.l1[0].mshr_taken[p].val();
            self.mshr[p].freed.next = self.l1[0].mshr_freed[p].val();
            self.mshr[p].returned.next = self.owed[p].q.val() & (self.l1[0].group_ready.val() | self.finishes[p].val());
        }
        for h in 0..self.hazards.len() {
            self.hazards[h].waits.next = false;
            self.hazards[h].waits_for.next = LookHazard::Stall;
            self.hazards[h].mshr_free.next = false;
            self.hazards[h].mshrs_taken.next = 0.into();
            self.hazards[h].mshrs_freed.next = 0.into();
            for b in 0..self.l1.len() {
                if self.l1[b].waits[h].val() {
                    self.hazards[h].waits.next = true;
                    self.hazards[h].waits_for.next = self.l1[b].waits_for[h].val();
                }
                self.hazards[h].mshr_free.next = self.hazards[h].mshr_free.val() | self.l1[b].mshr_free[h].val();
                self.hazards[h].mshrs_taken.next =
                    self.hazards[h].mshrs_taken.val().replace_bit(b, self.l1[b].mshr_taken[h].val());
                self.hazards[h].mshrs_freed.next =
                    self.hazards[h].mshrs_freed.val().replace_bit(b, self.l1[b].mshr_freed[h].val());
            }
            self.hazards[h].further_group.next =
                self.group.val().any() & (self.remaining.q.val() & !self.group.val()).any();
            self.hazards[h].looked.next = false;
            self.hazards[h].promised.next = false;
            self.hazards[h].missed.next = false;
            for p in 0..self.promised.len() {
                self.promised[p].d.next = self.promised[p].q.val();
                if self.l1[0].group_ready.val() {
                    self.promised[p].d.next = self.head.q.credit[p].val();
                }
                self.hazards[h].looked.next = self.l1[0].look_ends[p].val();
                self.hazards[h].promised.next = self.promised[p].q.val().any();
                self.hazards[h].missed.next = self.l1[0].look_missed[p].val();
            }
        }
        for m in 0..self.missing.len() {
            self.missing[m].d.valid.next = self.missing[m].q.valid.val();
            self.missing[m].d.entry.next = self.missing[m].q.entry.val();
            self.missing[m].d.missed.next = false;
            if self.l1[0].group_ready.val() {
                self.missing[m].d.valid.next = self.accesses.val().any() & (self.head.q.op.val() == MemoryOp::Load);
                self.missing[m].d.entry.next = self.head.q.entry[m].val();
            }
            wire::join(&mut self.misses[m], &mut self.missing[m].q);
            self.misses[m].valid.next = self.missing[m].q.valid.val() & self.l1[0].group_ready.val();
            self.misses[m].missed.next = self.l1[0].look_missed[m].val();
        }

        // The oldest instruction becomes the head when that one is done, and when the load table can follow it.
        self.load_head.next = self.queue.head.valid.val()
            & !self.fault.any.val()
            & (!self.head.q.valid.val() | self.head_done.val())
            & (self.loads.free.val() | !self.queue.head_returns.val());
        self.memory_credit_return.next = self.load_head.val();
        self.loads.allocate.next = self.load_head.val() & self.queue.head_returns.val();

        wire::join(&mut self.head.q, &mut self.head.d);
        self.head.d.first_of_cta.next = false;
        self.head.d.after_end.next = false;
        for i in 0..self.head.d.first_of_ctas.len() {
            self.head.d.first_of_ctas[i].next = 0.into();
        }
        for g in 0..self.settled.len() {
            if self.settled[g].val() {
                self.head.d.orders[g].next = self.head.q.orders[g].val() & 2;
            }
        }
        self.entry.d.next = self.entry.q.val();
        self.remaining.d.next = self.left.val();
        if self.head_done.val() {
            self.head.d.valid.next = false;
        }
        if self.load_head.val() {
            self.head.d.valid.next = true;
            self.head.d.op.next = self.queue.head.op.val();
            self.head.d.single.next = self.queue.head_single.val();
            self.head.d.warp.next = self.queue.head.warp.val();
            self.head.d.slot.next = self.queue.head.slot.val();
            for r in 0..self.looked.len() {
                self.head.d.buffer_slot[r].next = self.queue.head.buffer_slot[r].val();
                self.head.d.again[r].next = self.queue.head.again[r].val();
                self.head.d.rd[r].next = self.queue.head.rd.val();
            }
            for p in 0..self.mshr.len() {
                self.head.d.credit[p].next = self.queue.head.credit[p].val();
            }
            for p in 0..self.head.d.entry.len() {
                self.head.d.entry[p].next = bit_cast_to(self.queue.head.pc.val() >> 2, self._miss_entry);
            }
            self.head.d.first_of_cta.next = self.queue.head_first_of_cta.val();
            self.head.d.after_end.next = self.queue.head_after_end.val();
            for i in 0..self.head.d.first_of_ctas.len() {
                self.head.d.first_of_ctas[i].next = self.queue.head_first_of_ctas[i].val();
            }
            for g in 0..self.settled.len() {
                self.head.d.orders[g].next = self.queue.head.orders[g].val();
            }
            for i in 0..self.lane_bases.len() {
                self.head.d.slots[i].next = self.queue.head.slots[i].val();
            }
            self.entry.d.next = self.loads.entry.val();
            self.head.d.shared.next = self.in_shared.val();
            wire::join(&mut self.queue.head.home_warps, &mut self.head.d.home_warps);
            for i in 0..self.address_lanes.len() {
                self.head.d.address[i].next = self.address_lanes[i].physical.val();
                self.head.d.data[i].next = self.store_lanes[i].aligned.val();
                self.head.d.mask[i].next = self.store_lanes[i].mask.val();
            }
            self.remaining.d.next = self.queue.head.mask.val();
            if self.fence.val() {
                self.remaining.d.next = 0.into();
            }
        }

        // The banks, the memory port and the counters.
        self.l1_access.next = 0.into();
        self.l1_miss.next = 0.into();
        self.answered.next = 0.into();
        for b in 0..self.l1.len() {
            wire::join(&mut self.l1[b].request, &mut self.port.bank[b]);
            wire::join(&mut self.l1[b].result, &mut self.results.bank[b]);
            self.l1[b].request_ready.next = self.port.bank_ready.val().get_bit(b);
            self.answered.next = self.answered.val().replace_bit(b, self.l1[b].response_ready.val());
            self.l1[b].result_ready.next = self.results.bank_ready.val().get_bit(b);
            if self.l1[b].l1_access.val() {
                self.l1_access.next = self.l1_access.val() + 1;
            }
            if self.l1[b].l1_miss.val() {
                self.l1_miss.next = self.l1_miss.val() + 1;
            }
        }
        self.idle.next = !self.queue.head.valid.val()
            & !self.head.q.valid.val()
            & self.l1_idle.val().all()
            & self.shared.idle.val()
            & self.loads.idle.val();
        for g in 0..self.acknowledged.len() {
            if !self.acknowledged[g].val() {
                self.idle.next = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{HazardPrediction, Mechanism, MemoryPath};

    fn unit(config: &CoreConfig) -> LoadStoreUnit {
        let mut unit = LoadStoreUnit::new(config);
        unit.connect_all();
        simulate(&mut unit, 1000);
        unit.kernel.shared_bytes.next = 0x100.into();
        unit.kernel.global_limit.next = 0x10_0000.into();
        unit.memory.size.next = 2.into();
        unit.memory.mask.next = 0b1111.into();
        unit.load_ready.next = true;
        unit.request_ready.next = true;
        unit
    }

    /// Puts an instruction of all four lanes into EXECUTE: lane *i* at `address + step * i`.
    fn execute(unit: &mut LoadStoreUnit, op: MemoryOp, warp: usize, address: usize, step: usize) {
        unit.memory.valid.next = true;
        unit.memory.op.next = op;
        unit.memory.warp.next = warp.into();
        unit.memory.home_warps.iter_mut().for_each(|home_warp| home_warp.next = warp.into());
        for lane in 0..4 {
            unit.memory.address[lane].next = (address + step * lane).into();
            unit.memory.data[lane].next = (0x100 + lane).into();
        }
        simulate(unit, 1000);
    }

    /// Cycles until `condition`, at most 100.
    fn cycles_until(unit: &mut LoadStoreUnit, condition: impl Fn(&LoadStoreUnit) -> bool) -> usize {
        (0..100)
            .find(|_| {
                let reached = condition(unit);
                if !reached {
                    tick!(*unit);
                    unit.memory.valid.next = false;
                    unit.response.valid.next = false;
                    simulate(unit, 1000);
                }
                reached
            })
            .expect("within 100 cycles")
    }

    fn answer(unit: &mut LoadStoreUnit, id: usize) {
        unit.response.valid.next = true;
        unit.response.id.next = id.into();
        for (j, word) in unit.response.data.iter_mut().enumerate() {
            word.next = (0xa0 + j).into();
        }
        simulate(unit, 1000);
    }

    #[test]
    fn latencies() {
        let mut unit = unit(&CoreConfig::tiny());
        execute(&mut unit, MemoryOp::Load, 1, 0x8000_0000, 4);
        assert_eq!(cycles_until(&mut unit, |unit| unit.request.valid.val()), 4, "EXECUTE to request");
        answer(&mut unit, 0);
        assert_eq!(cycles_until(&mut unit, |unit| unit.load.valid.val()), 2, "response to load");
        assert_eq!(unit.load.data.iter().map(|data| data.val().index()).collect::<Vec<_>>(), [0xa0, 0xa1, 0xa2, 0xa3]);
        assert_eq!(unit.load.destination.mask.val(), 0b1111);
        tick!(unit);
        assert!(unit.idle.val());
        execute(&mut unit, MemoryOp::Load, 1, 0x8000_0000, 4);
        assert_eq!(cycles_until(&mut unit, |unit| unit.load.valid.val()), 4, "EXECUTE to load, hit");
        tick!(unit);
        execute(&mut unit, MemoryOp::Load, 1, 0x2000_0000, 4);
        assert_eq!(cycles_until(&mut unit, |unit| unit.load.valid.val()), 4, "EXECUTE to load, shared");
        tick!(unit);
        execute(&mut unit, MemoryOp::Load, 1, 0x2000_0000, 16);
        assert_eq!(
            cycles_until(&mut unit, |unit| unit.load.valid.val()),
            8,
            "four-way conflict: the last of four rows, and a cycle to bring them together"
        );
    }

    /// From EXECUTE on, `t`: an MSHR is taken; `r`: a promise of one comes back; `b`: both; at the end `f` where the answers of `lines` lines have freed one each.
    fn promises(unit: &mut LoadStoreUnit, address: usize, step: usize, credit: usize, lines: usize) -> String {
        execute(unit, MemoryOp::Load, 0, address, step);
        unit.memory.credit[0].next = credit.into();
        let mut events = String::new();
        let mut cycle = |unit: &mut LoadStoreUnit| {
            simulate(unit, 1000);
            events.push(match (unit.mshr[0].taken.val(), unit.mshr[0].returned.val(), unit.mshr[0].freed.val()) {
                (true, true, false) => 'b',
                (true, false, false) => 't',
                (false, true, false) => 'r',
                (false, false, true) => 'f',
                _ => '-',
            });
            tick!(*unit);
            unit.memory.valid.next = false;
            unit.response.valid.next = false;
        };
        (0..8).for_each(|_| cycle(unit));
        for id in 0..lines {
            answer(unit, id);
            (0..3).for_each(|_| cycle(unit));
        }
        events.retain(|event| lines == 0 || event != '-');
        events
    }

    /// Of a load that may wait for an MSHR before it issues: whatever its groups take is counted, and the promise comes back in the cycle of the last.
    #[test]
    fn a_promise_comes_back_with_the_last_group() {
        for memory_path in [MemoryPath::Decoupled, MemoryPath::Stalling] {
            let config =
                CoreConfig { memory_path, hazard_prediction: HazardPrediction::Counters, ..CoreConfig::tiny() };
            let mut unit = unit(&config);
            assert_eq!(promises(&mut unit, 0x8000_0000, 4, 1, 1), "bf", "a line that is not there");
            assert_eq!(promises(&mut unit, 0x8000_0000, 4, 1, 0), "---r----", "a hit");
            assert_eq!(promises(&mut unit, 0x8000_0000, 4, 0, 0), "--------", "without a promise");
            assert_eq!(promises(&mut unit, 0x2000_0000, 4, 1, 0), "---r----", "shared memory");
            assert_eq!(promises(&mut unit, 0x8000_0100, 16, 1, 0), "---tttb-", "four lines");
            // All MSHRs are busy: the promise waits in S1 with its load.
            assert_eq!(promises(&mut unit, 0x8000_0200, 4, 1, 4), "fbfff");
        }
    }

    #[test]
    fn one_hit_per_cycle() {
        let mut unit = unit(&CoreConfig::tiny());
        execute(&mut unit, MemoryOp::Load, 0, 0x8000_0000, 4);
        cycles_until(&mut unit, |unit| unit.request.valid.val());
        answer(&mut unit, 0);
        cycles_until(&mut unit, |unit| unit.load.valid.val());
        tick!(unit);
        let mut loads = 0;
        for _ in 0..54 {
            execute(&mut unit, MemoryOp::Load, 0, 0x8000_0000, 4);
            loads += unit.load.valid.val() as usize;
            tick!(unit);
        }
        assert_eq!(loads, 50);
    }

    /// A line every other cycle, 20 cycles after its request: the unit keeps the port busy.
    #[test]
    fn streams_at_the_bandwidth_of_the_port() {
        let config = CoreConfig { mshrs: 16, ..CoreConfig::tiny() };
        let mut unit = unit(&config);
        let (mut credits, mut issued, mut loads, mut cycles) = (config.memory_queue, 0, 0, 0);
        let mut answers = std::collections::VecDeque::new();
        while loads < 200 {
            unit.memory.valid.next = false;
            if credits > 0 && issued < 200 {
                execute(&mut unit, MemoryOp::Load, 0, 0x8000_0000 + 16 * issued, 4);
                (credits, issued) = (credits - 1, issued + 1);
            }
            unit.response.valid.next = false;
            if let Some(&(due, id)) = answers.front()
                && due <= cycles
            {
                answer(&mut unit, id);
                answers.pop_front();
            }
            simulate(&mut unit, 1000);
            if unit.request.valid.val() {
                let due = answers.back().map_or(0, |&(due, _)| due + 2).max(cycles + 20);
                answers.push_back((due, unit.request.id.val().index()));
            }
            loads += unit.load.valid.val() as usize;
            credits += unit.memory_credit_return.val() as usize;
            cycles += 1;
            tick!(unit);
        }
        assert!(cycles <= 2 * 200 + 20 + 10, "{cycles} cycles for 200 lines");
    }

    #[test]
    fn a_trap_names_the_lowest_faulting_lane_and_stops_everything() {
        let mut unit = unit(&CoreConfig::tiny());
        unit.memory.pc.next = 0x44.into();
        execute(&mut unit, MemoryOp::Store, 2, 0x8000_0000, 4);
        unit.memory.address[1].next = 0x7000_0000.into();
        unit.memory.address[2].next = 0x8000_0001.into();
        tick!(unit);
        execute(&mut unit, MemoryOp::Store, 3, 0x8000_0000, 4);
        for _ in 0..20 {
            assert!(unit.memory_trap.valid.val() && !unit.request.valid.val() && !unit.memory_credit_return.val());
            assert_eq!(unit.memory_trap.cause.val(), TrapCause::UnmappedAccess);
            assert_eq!(unit.memory_trap.lane.val(), 1);
            assert_eq!(unit.memory_trap.warp.val(), 2);
            assert_eq!(unit.memory_trap.pc.val(), 0x44);
            assert_eq!(unit.memory_trap.value.val(), 0x7000_0000);
            tick!(unit);
            unit.memory.valid.next = false;
        }
        unit.reset.next = true;
        tick!(unit);
        unit.reset.next = false;
        execute(&mut unit, MemoryOp::Load, 2, 0x7000_0001, 0);
        unit.memory.mask.next = 0b1000.into();
        cycles_until(&mut unit, |unit| unit.memory_trap.valid.val());
        assert_eq!(unit.memory_trap.cause.val(), TrapCause::MisalignedAccess, "before unmapped");
        assert_eq!(unit.memory_trap.lane.val(), 3, "the others are not active");
    }

    #[test]
    fn threads_of_several_home_warps_keep_theirs() {
        let mut unit = unit(&CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() });
        let home_warps = [3, 0, 2, 0];
        execute(&mut unit, MemoryOp::Load, 1, 0x3000_0000, 0);
        for (port, home_warp) in unit.memory.home_warps.iter_mut().zip(home_warps) {
            port.next = Word::from(home_warp);
        }
        // Every word of memory holds its own number; private word 0 of thread t is the t-th.
        let (mut requested, mut loaded) = (std::collections::VecDeque::new(), [0; 4]);
        for _ in 0..40 {
            if unit.request.valid.val() {
                requested.push_back((unit.request.id.val(), (unit.request.line.val().index() - 0x4000_0000) / 4));
            }
            if unit.load.valid.val() {
                assert_eq!(
                    unit.load
                        .destination
                        .home_warps
                        .iter()
                        .map(|home_warp| home_warp.val().index())
                        .collect::<Vec<_>>(),
                    home_warps
                );
                for lane in (0..4).filter(|&lane| unit.load.destination.mask.val().get_bit(lane)) {
                    loaded[lane] = unit.load.data[lane].val().index();
                }
            }
            tick!(unit);
            unit.memory.valid.next = false;
            unit.response.valid.next = !requested.is_empty();
            if let Some((id, first)) = requested.pop_front() {
                unit.response.id.next = id;
                unit.response.data.iter_mut().enumerate().for_each(|(j, word)| word.next = (first + j).into());
            }
            simulate(&mut unit, 1000);
        }
        assert_eq!(loaded, [12, 1, 10, 3]);

        execute(&mut unit, MemoryOp::Load, 1, 0x8000_0000, 4);
        unit.memory.address[2].next = 0.into();
        unit.memory.home_warps[2].next = 2.into();
        cycles_until(&mut unit, |unit| unit.memory_trap.valid.val());
        assert_eq!((unit.memory_trap.lane.val().index(), unit.memory_trap.home_warp.val().index()), (2, 2));
    }

    /// Instructions taken from the queue within ten cycles.
    fn taken(unit: &mut LoadStoreUnit) -> usize {
        (0..10)
            .filter(|_| {
                let credit = unit.memory_credit_return.val();
                tick!(*unit);
                unit.memory.valid.next = false;
                unit.response.valid.next = false;
                simulate(unit, 1000);
                credit
            })
            .count()
    }

    /// A unit of a GPU, whose stores are acknowledged at once.
    fn in_gpu() -> LoadStoreUnit {
        let mut unit = unit(&CoreConfig { in_gpu: true, ..CoreConfig::tiny() });
        unit.acknowledged[0].next = true;
        simulate(&mut unit, 1000);
        unit
    }

    /// One that is ordered: 1, by what is before it; 2, with what is behind it.
    fn ordered(unit: &mut LoadStoreUnit, op: MemoryOp, orders: usize) {
        unit.memory.orders[0].next = orders.into();
        execute(unit, op, 0, 0x8000_0000, 0);
        tick!(*unit);
        unit.memory.valid.next = false;
        unit.memory.orders[0].next = 0.into();
        simulate(unit, 1000);
    }

    /// Whether a load of the line asks for it.
    fn misses(unit: &mut LoadStoreUnit) -> bool {
        execute(unit, MemoryOp::Load, 1, 0x8000_0000, 4);
        cycles_until(unit, |unit| unit.load.valid.val() | unit.request.valid.val());
        let misses = unit.request.valid.val();
        if misses {
            let id = unit.request.id.val().index();
            tick!(*unit);
            answer(unit, id);
            cycles_until(unit, |unit| unit.load.valid.val());
        }
        tick!(*unit);
        misses
    }

    #[test]
    fn a_fence_in_a_gpu_drops_the_lines_when_all_is_acknowledged() {
        let mut unit = in_gpu();
        assert!(misses(&mut unit) && !misses(&mut unit));
        unit.acknowledged[0].next = false;
        ordered(&mut unit, MemoryOp::Fence, 3);
        execute(&mut unit, MemoryOp::Load, 1, 0x8000_0000, 4);
        assert_eq!(taken(&mut unit), 1, "the fence, and not the load behind it");
        assert!(!unit.idle.val());
        unit.acknowledged[0].next = true;
        simulate(&mut unit, 1000);
        cycles_until(&mut unit, |unit| unit.request.valid.val());
        let id = unit.request.id.val().index();
        tick!(unit);
        answer(&mut unit, id);
        cycles_until(&mut unit, |unit| unit.load.valid.val());
        tick!(unit);
        assert!(!misses(&mut unit));
    }

    #[test]
    fn atomics_of_a_gpu_are_ordered_as_they_say() {
        // Nothing: a load behind it does not wait, and finds what the L1 has.
        for (orders, waits) in [(0, false), (1, false), (2, true), (3, true)] {
            let mut unit = in_gpu();
            assert!(misses(&mut unit));
            unit.memory.mask.next = 1.into();
            ordered(&mut unit, MemoryOp::AtomicAdd, orders);
            cycles_until(&mut unit, |unit| unit.request.valid.val());
            let id = unit.request.id.val().index();
            tick!(unit);
            unit.memory.mask.next = 15.into();
            execute(&mut unit, MemoryOp::Load, 1, 0x8000_0100, 4);
            assert_eq!(taken(&mut unit), usize::from(!waits), "{orders}");
            answer(&mut unit, id);
            cycles_until(&mut unit, |unit| unit.load.valid.val());
        }
        // `rl`: it waits for the store before it.
        for (orders, waits) in [(0, false), (1, true), (2, false), (3, true)] {
            let mut unit = in_gpu();
            unit.acknowledged[0].next = false;
            ordered(&mut unit, MemoryOp::AtomicAdd, orders);
            for _ in 0..10 {
                assert!(!(waits && unit.request.valid.val()), "{orders}");
                tick!(unit);
            }
            unit.acknowledged[0].next = true;
            simulate(&mut unit, 1000);
            assert!(
                waits
                    == (0..10).any(|_| {
                        tick!(unit);
                        unit.request.valid.val()
                    }),
                "{orders}"
            );
        }
    }

    #[test]
    fn a_fence_waits_for_its_warp() {
        let mut unit = unit(&CoreConfig::tiny());
        execute(&mut unit, MemoryOp::Load, 0, 0x8000_0000, 4);
        assert_eq!(taken(&mut unit), 1);
        execute(&mut unit, MemoryOp::Fence, 1, 0, 0);
        tick!(unit);
        execute(&mut unit, MemoryOp::Fence, 0, 0, 0);
        tick!(unit);
        execute(&mut unit, MemoryOp::Store, 1, 0x8000_0040, 4);
        assert_eq!(taken(&mut unit), 1, "warp 0 owes a load: its fence stays, the store behind it waits");
        answer(&mut unit, 0);
        assert_eq!(taken(&mut unit), 1);

        unit.request_ready.next = false;
        execute(&mut unit, MemoryOp::Store, 1, 0x8000_0040, 4);
        tick!(unit);
        execute(&mut unit, MemoryOp::Fence, 1, 0, 0);
        tick!(unit);
        execute(&mut unit, MemoryOp::Load, 1, 0x8000_0040, 4);
        assert_eq!(taken(&mut unit), 1, "the store has not been accepted by the memory");
        unit.request_ready.next = true;
        simulate(&mut unit, 1000);
        assert_eq!(taken(&mut unit), 1);
    }
}
