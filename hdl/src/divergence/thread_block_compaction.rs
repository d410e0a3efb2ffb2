//! Thread block compaction: the reconvergence unit with a stack per CTA. TBC, TBC+ and CAPRI.
//!
//! ```text
//!                   +-----------------------------------------------------------------------+
//!  launch_* ------->|---------------------------------------------> CtaStack                |---> finished_*, waiting, overflow_*
//!                   |                       arrive    +-----------> {pc, rpc, WCnt, masks}  |
//!  resolve_* ------>|--> EventTable --> serve one ----+                |  activate          |---> arrive_*, exit_*
//!                   |                   warp a cycle  |  ^             v                    |
//!                   |     PC, lanes of the warps <----+  | adequate   WarpCompactionUnit    |---> form_*
//!  decoded_* ------>|--> +4, ends ------^             |  |            AdequacyEvaluator     |
//!  fetch_warp ----->|    fetch_pc, _mask              v  |             v  counts            |---> orphan_*
//!  fetch_* <--------|                             Capt (CAPRI) <-- adequacy                 |---> path_*
//!                   |                CompactionSlot x W: occupied, ahead                    |
//!                   +-----------------------------------------------------------------------+
//! ```
//!
//! Ports: those of [`SpeStack`](super::SpeStack), and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_start` | 1 | a kernel starts: a predictor with sticky history forgets (Rhu 2014, 4.2.2); the others keep what earlier launches taught |
//! | `kernel_compact` | 1 | form warps from threads of several rows; else static warps |
//! | `kernel_warps_per_cta`, `cta_start_*`, `warp_slot[W]` | w+1, , c | from the dispatcher: the CTAs |
//! | `slot_valid` | W | from the warp buffer: the warp's last instruction has not issued |
//! | `resolve_lpc`, `resolve_uniform`, `resolve_data_dependent`, `resolve_rows[L]` | 32, 1, 1, w | more about a control instruction: see [`EventTable`](super::EventTable) |
//! | `barrier_release` | C | CTAs whose barrier opens |
//! | `form_valid`, `form_warp`, `form_rows[L]` | 1, w, w | the warp in this slot consists of these rows from the next cycle on |
//! | `orphan_valid`, `orphan_warp` | 1, w | threads leave this slot with results outstanding |
//! | `gathering` | W | rows of CTAs in which a warp has dissolved and waits for others; warps that run ahead and are held |
//! | `mismatch_valid` | 1 | warps of one entry came to different ends (`overflow_warp`, `overflow_pc` say where) |
//! | `warp_formed` | 1 | the compaction unit forms a warp |
//! | `consulted`, `hit` | 1 | the predictor is asked; it knows the branch |
//! | `path_valid` | 1 | a side of a divergent branch starts; of that path: |
//! | `path_data_dependent` | 1 | the branch depends on data |
//! | `path_arrived`, `path_compacted`, `path_ideal` | w+1 | warps that came with threads for it; that the compaction unit would fill; that its threads would fill if they could change lanes |
//! | `path_consulted`, `path_bypassed` | w+1 | warps that diverged at the branch; that were told to bypass |
//!
//! Latency: a warp that bypasses or is sent on is fetchable in the cycle after it is served; a compacted warp from two cycles after the activation of its entry.
//!
//! State per warp slot: PC, lanes, where a warp that runs ahead stops, and that it has come to its end.
//!
//! | mechanism | a warp gathers at |
//! |---|---|
//! | TBC | every branch, jump, reconvergence point |
//! | TBC+ | branches not marked uniform, reconvergence points |
//! | CAPRI | the same, unless it bypasses: it did not diverge, or the predictor says that compaction does not help here |
//!
//! A warp that bypasses goes ahead into its side of the branch while the others still come, at most to the end of that basic block: there it is
//! held until its entry is active. A side that starts where the sides meet has no block, so nobody goes ahead into it. If a warp diverges and
//! bypasses, it takes the side that runs first and leaves its other threads to the gathering: two warps would need two slots.
//!
//! Source: Fung & Aamodt 2011, 3; Rhu 2014, 4.1, 4.2 and 4.5.3.
use super::{
    AdequacyEvaluator, BranchSides, Capt, CompactionSlot, CtaStack, EventTable, GatherKind, IdealWarps, ThreadReport,
    WarpCompactionUnit,
};
use crate::config::{AdequacyHistory, Mechanism};
use crate::interface::{
    CompactedPath, ControlKind, CtaStart, Decoded, Formed, KernelConfiguration, Launch, Resolve, ThreadEvent,
    WarpEvent, WarpFault,
};
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ThreadBlockCompaction: clock, reset {
        pub launch_start: Signal<In, Bit>,
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub launch: Launch<In> = Launch::of(config),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Net<Out> = warps,
        pub fetch_warp: Net<In> = w,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::of(config),
        pub slot_valid: Net<In> = warps,
        pub resolve: Resolve<In> = Resolve::of(config),
        pub barrier_release: Net<In> = config.cta_slots,
        pub form: Formed<Out> = Formed::new(config),
        pub orphan: WarpEvent<Out> = WarpEvent::of(config),
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub arrive: ThreadEvent<Out> = ThreadEvent::of(config),
        pub exit: ThreadEvent<Out> = ThreadEvent::of(config),
        pub waiting: Net<Out> = warps,
        pub gathering: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::of(config),
        pub mismatch_valid: Signal<Out, Bit>,
        pub depth: Net<Out> = index_width(entries + 1),
        pub warp_formed: Signal<Out, Bit>,
        pub consulted: Signal<Out, Bit>,
        pub hit: Signal<Out, Bit>,
        pub path: CompactedPath<Out> = CompactedPath::new(config.warps),

        stack: CtaStack = CtaStack::new(config),
        events: EventTable = EventTable::new(lanes, warps, true, config.likely_convergence),
        compaction: WarpCompactionUnit = WarpCompactionUnit::new(lanes, warps),
        evaluator: AdequacyEvaluator = AdequacyEvaluator::new(lanes, warps),
        ideal: IdealWarps = IdealWarps::new(lanes, warps),
        slots: Vec<CompactionSlot> = (0..warps).map(|_| CompactionSlot::new(entries)).collect(),
        /// CAPRI with a table: one, or none.
        capt: Vec<Capt> = predictor.iter().filter(|p| p.entries > 0).map(|p| Capt::new(*p)).collect(),

        // By warp slot.
        warp_pc: Memory = by_warp(32, 2, 3),
        warp_lanes: Memory = by_warp(lanes, 1, 2),
        /// Where a warp that runs ahead stops: what may become its entry's RPC or LPC.
        hold_rpc: Memory = by_warp(32, 1, 1),
        hold_lpc: Vec<Memory> = (0..lcp).map(|_| by_warp(32, 1, 1)).collect(),
        hold_base: Vec<Memory> = (0..lcp).map(|_| by_warp(32, 1, 1)).collect(),
        runnable: Register = Register::new(warps),
        /// Bit per warp: it ran into the end of its entry, or of the block it may run ahead.
        reached: Register = Register::new(warps),
        following_pc: Flop = Flop::new(32),

        /// The entry whose warps are being formed.
        form_pc: Flop = Flop::new(32),
        form_slots: Flop = Flop::new(warps),
        form_cta: Flop = Flop::new(c),
        // Of the entry activated in the last cycle, for the adequacy evaluation.
        evaluated: StateRegister<Bit>,
        evaluated_divergent: StateRegister<Bit>,
        evaluated_data_dependent: StateRegister<Bit>,
        evaluated_pc: Flop = Flop::new(32),
        evaluated_arrived: Flop = Flop::new(count),
        evaluated_consulted: Flop = Flop::new(count),
        evaluated_bypassed: Flop = Flop::new(count),

        plus: Constant = Constant::new((config.mechanism != Mechanism::Tbc) as u64, 1),
        bypasses: Constant = Constant::new(predictor.is_some() as u64, 1),
        forgets: Constant = Constant::new(predictor.is_some_and(|p| p.history == AdequacyHistory::Sticky) as u64, 1),
        one_warp: Constant = Constant::new(1, warps),

        decoded_slot: IndexedMux = slot_of_warp(),
        event_slot: IndexedMux = slot_of_warp(),
        launch_slot: IndexedMux = slot_of_warp(),
        order: RoundRobinArbiter = RoundRobinArbiter::new(warps),
        event_warp: PriorityEncoder = PriorityEncoder::new(warps),
        free: PriorityEncoder = PriorityEncoder::new(warps),
        sides: BranchSides = BranchSides::new(lanes, config.taken_first),
        threads: ThreadReport = ThreadReport::new(lanes, warps),

        ahead: Net<Local> = warps,
        occupied: Net<Local> = warps,
        decoded_bit: Net<Local> = warps,
        decoded_ahead: Signal<Local, Bit>,
        stops: Signal<Local, Bit>,
        stop_bit: Net<Local> = warps,
        blocked_bit: Net<Local> = warps,

        learns: Signal<Local, Bit>,
        served: Signal<Local, Bit>,
        event_bit: Net<Local> = warps,
        is_reached: Signal<Local, Bit>,
        is_branch: Signal<Local, Bit>,
        is_uniform: Signal<Local, Bit>,
        goes_to: Net<Local> = 32,
        moves: Signal<Local, Bit>,
        ends: Signal<Local, Bit>,
        continues: Signal<Local, Bit>,
        arrives: Signal<Local, Bit>,
        low_mask: Net<Local> = lanes,
        top_mask: Net<Local> = lanes,
        diverges: Signal<Local, Bit>,
        adequate: Signal<Local, Bit>,
        prefers_top: Signal<Local, Bit>,
        low_open: Signal<Local, Bit>,
        top_open: Signal<Local, Bit>,
        bypass_low: Signal<Local, Bit>,
        bypass_top: Signal<Local, Bit>,
        stays: Signal<Local, Bit>,
        divided: Signal<Local, Bit>,
        runnable_now: Net<Local> = warps,
        begins: Signal<Local, Bit>,
        begin_warp: Net<Local> = w,
        begin_bit: Net<Local> = warps,
        compacted: Net<Local> = count,
    }
    sizes { _count = count }
    /// For a core whose mechanism is TBC, TBC+ or CAPRI.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, entries) = (config.lanes, config.warps, config.stack_depth);
        let (w, c, count) = (config.warp_width(), config.slot_width(), index_width(warps + 1));
        let lcp = config.likely_convergence as usize;
        let predictor = match config.mechanism {
            Mechanism::Capri(predictor) => Some(predictor),
            _ => None,
        };
        let by_warp = |width, reads, writes| Memory::new(width, warps, reads, writes, ReadKind::Asynchronous);
        let slot_of_warp = || IndexedMux::new(c, warps);
    }
}

impl Logic for ThreadBlockCompaction {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ThreadBlockCompaction");
        dff_setup!(self, clock, runnable, reached, following_pc, form_pc, form_slots, form_cta);
        dff_setup!(self, clock, evaluated, evaluated_divergent, evaluated_data_dependent, evaluated_pc);
        dff_setup!(self, clock, evaluated_arrived, evaluated_consulted, evaluated_bypassed);

        self.ahead.next = 0.into();
        self.occupied.next = 0.into();
        wire::join(&mut self.warp_slot, &mut self.decoded_slot.inputs);
        wire::join(&mut self.warp_slot, &mut self.event_slot.inputs);
        wire::join(&mut self.warp_slot, &mut self.launch_slot.inputs);
        for i in 0..self.slots.len() {
            self.ahead.next = self.ahead.val().replace_bit(i, self.slots[i].ahead.val());
            self.occupied.next = self.occupied.val().replace_bit(i, self.slots[i].occupied.val());
        }

        // FETCH reads the warp, DECODE advances it.
        self.fetchable.next = self.runnable.q.val();
        self.warp_pc.read_address[0].next = self.fetch_warp.val();
        self.warp_lanes.read_address[0].next = self.fetch_warp.val();
        self.fetch_pc.next = self.warp_pc.read_data[0].val();
        self.fetch_mask.next = self.warp_lanes.read_data[0].val();
        self.following_pc.d.next = self.warp_pc.read_data[0].val() + 4;
        self.warp_pc.write_enable[0].next = self.decoded.valid.val() & !self.decoded.control.val();
        self.warp_pc.write_address[0].next = self.decoded.warp.val();
        self.warp_pc.write_data[0].next = self.following_pc.q.val();
        self.decoded_slot.index.next = self.decoded.warp.val();
        self.stack.decoded_cta.next = self.decoded_slot.selected.val();
        self.hold_rpc.read_address[0].next = self.decoded.warp.val();
        for i in 0..self.hold_lpc.len() {
            self.hold_lpc[i].read_address[0].next = self.decoded.warp.val();
            self.hold_base[i].read_address[0].next = self.decoded.warp.val();
        }
        self.decoded_bit.next = self.one_warp.val() << self.decoded.warp.val();
        self.decoded_ahead.next = (self.ahead.val() & self.decoded_bit.val()).any();
        self.stops.next = (self.following_pc.q.val() == self.stack.decoded.rpc.val())
            | (self.following_pc.q.val() == self.stack.decoded.lpc.val());
        if self.decoded_ahead.val() {
            // Its entry may be becoming active just now: then the event finds out where it ends.
            self.stops.next = (self.following_pc.q.val() == self.hold_rpc.read_data[0].val())
                | (self.stack.activate.valid.val()
                    & (self.stack.activate.cta.val() == self.decoded_slot.selected.val()));
            for i in 0..self.hold_lpc.len() {
                if (self.following_pc.q.val() == self.hold_lpc[i].read_data[0].val())
                    | (self.following_pc.q.val() == self.hold_base[i].read_data[0].val())
                {
                    self.stops.next = true;
                }
            }
        }
        self.stop_bit.next = 0.into();
        self.blocked_bit.next = 0.into();
        if self.decoded.valid.val() {
            if self.decoded.control.val() {
                self.blocked_bit.next = self.decoded_bit.val();
            } else if self.stops.val() {
                self.blocked_bit.next = self.decoded_bit.val();
                self.stop_bit.next = self.decoded_bit.val();
            }
        }

        // EXECUTE fills the event table.
        wire::join(&mut self.resolve, &mut self.events.resolve);

        // One warp of an active entry is served.
        // The last instruction before the end of an entry must have issued: its slot's rows are about to change.
        self.order.request.next =
            (self.events.pending.val() | (self.reached.q.val() & !self.slot_valid.val())) & !self.ahead.val();
        self.event_bit.next = self.order.grant.val();
        self.event_warp.request.next = self.order.grant.val();
        self.event_slot.index.next = self.event_warp.index.val();
        self.events.warp.next = self.event_warp.index.val();
        self.is_reached.next = (self.reached.q.val() & self.event_bit.val()).any();
        self.warp_pc.read_address[1].next = self.event_warp.index.val();
        self.stack.query_cta.next = self.event_slot.selected.val();

        wire::join(&mut self.events.event, &mut self.sides.event);
        self.goes_to.next = self.sides.goes_to.val();
        if self.is_reached.val() {
            self.goes_to.next = self.warp_pc.read_data[1].val();
        }
        self.is_branch.next = !self.is_reached.val() & (self.events.event.kind.val() == ControlKind::Branch);
        self.is_uniform.next = self.is_branch.val() & self.events.uniform.val() & self.plus.val().any();
        self.moves.next =
            self.is_reached.val() | self.is_uniform.val() | (self.events.event.kind.val() == ControlKind::Jump);
        self.ends.next =
            (self.goes_to.val() == self.stack.query.rpc.val()) | (self.goes_to.val() == self.stack.query.lpc.val());
        self.continues.next = self.moves.val() & !self.ends.val() & (self.plus.val().any() | self.is_reached.val());
        self.divided.next =
            self.is_uniform.val() & self.sides.first_mask.val().any() & self.sides.second_mask.val().any();

        // The sides of a branch: the top one runs first.
        self.top_mask.next = self.sides.first_mask.val();
        self.low_mask.next = self.sides.second_mask.val();
        if self.moves.val() | !self.is_branch.val() {
            self.top_mask.next = 0.into();
            self.low_mask.next = 0.into();
        }
        self.diverges.next = self.top_mask.val().any() & self.low_mask.val().any();

        // The predictor learns in the cycle after an activation. A warp that would ask it waits for that cycle.
        self.learns.next = false;
        for i in 0..self.capt.len() {
            self.learns.next = !self.capt[i].ready.val();
        }
        self.order.accept.next = !(self.learns.val() & self.diverges.val());
        self.served.next = self.order.any.val() & !(self.learns.val() & self.diverges.val());
        self.events.serve.next = self.served.val() & !self.is_reached.val();
        self.arrives.next = self.served.val() & !self.continues.val();

        // May it bypass the gathering, and into which side?
        self.adequate.next = true;
        self.consulted.next = false;
        self.hit.next = false;
        for i in 0..self.capt.len() {
            self.capt[i].clear.next = self.launch_start.val() & self.forgets.val().any();
            self.capt[i].lookup_valid.next = self.served.val() & self.diverges.val();
            self.capt[i].lookup_pc.next = self.events.event.next_pc.val() - 4;
            self.adequate.next = self.capt[i].adequate.val();
            self.consulted.next = self.served.val() & self.diverges.val();
            self.hit.next = self.served.val() & self.diverges.val() & self.capt[i].hit.val();
        }
        self.top_open.next = (self.sides.first_pc.val() != self.events.event.rpc.val())
            & (self.sides.first_pc.val() != self.events.event.lpc.val())
            & (self.sides.first_pc.val() != self.stack.query.lpc.val());
        self.low_open.next = (self.sides.second_pc.val() != self.events.event.rpc.val())
            & (self.sides.second_pc.val() != self.events.event.lpc.val())
            & (self.sides.second_pc.val() != self.stack.query.lpc.val());
        self.prefers_top.next = self.top_mask.val().any();
        if self.diverges.val() {
            self.prefers_top.next = self.sides.first_pc.val() != self.events.event.rpc.val();
        }
        self.bypass_low.next = false;
        self.bypass_top.next = false;
        if self.bypasses.val().any()
            & self.served.val()
            & self.is_branch.val()
            & !self.is_uniform.val()
            & !(self.diverges.val() & self.adequate.val())
        {
            self.bypass_low.next = !self.prefers_top.val() & self.low_open.val();
            self.bypass_top.next = self.prefers_top.val() & self.top_open.val();
        }
        self.stays.next = self.bypass_low.val() | self.bypass_top.val() | (self.served.val() & self.continues.val());
        self.orphan.valid.next = self.arrives.val() & (!self.stays.val() | self.diverges.val());
        self.orphan.warp.next = self.event_warp.index.val();

        self.stack.arrive.valid.next = self.arrives.val();
        self.stack.arrive.cta.next = self.event_slot.selected.val();
        self.stack.arrive.pc.next = self.events.event.next_pc.val() - 4;
        self.stack.arrive.kind.next = GatherKind::Branch;
        if self.moves.val() {
            self.stack.arrive.kind.next = GatherKind::Move;
            self.stack.arrive.pc.next = self.goes_to.val();
        } else if self.events.event.kind.val() == ControlKind::Exit {
            self.stack.arrive.kind.next = GatherKind::Exit;
        } else if self.events.event.kind.val() == ControlKind::Barrier {
            self.stack.arrive.kind.next = GatherKind::Barrier;
        }
        self.stack.arrive.low_pc.next = self.sides.second_pc.val();
        self.stack.arrive.top_pc.next = self.sides.first_pc.val();
        self.stack.arrive.rpc.next = self.events.event.rpc.val();
        self.stack.arrive.lpc.next = self.events.event.lpc.val();
        self.stack.arrive.data_dependent.next = self.events.data_dependent.val();
        wire::join(&mut self.events.rows, &mut self.stack.arrive.rows);
        self.stack.arrive.mask.next = self.events.event.mask.val();
        self.stack.arrive.low.next = self.low_mask.val();
        self.stack.arrive.top.next = self.top_mask.val();
        self.stack.arrive.bypass_low.next = self.bypass_low.val();
        self.stack.arrive.bypass_top.next = self.bypass_top.val();
        self.stack.arrive.consults.next = self.diverges.val();
        self.stack.arrive.predicts_bypass.next = self.diverges.val() & !self.adequate.val();

        self.threads.warp.next = self.event_warp.index.val();
        wire::join(&mut self.events.event.mask, &mut self.threads.mask);
        self.threads.exits.next =
            self.arrives.val() & !self.moves.val() & (self.events.event.kind.val() == ControlKind::Exit);
        self.threads.arrives.next =
            self.arrives.val() & !self.moves.val() & (self.events.event.kind.val() == ControlKind::Barrier);
        wire::join(&mut self.exit, &mut self.threads.exit);
        wire::join(&mut self.arrive, &mut self.threads.arrive);

        // The warp goes on: as it is, or ahead with the lanes of one side.
        self.warp_pc.write_enable[1].next = self.stays.val();
        self.warp_pc.write_address[1].next = self.event_warp.index.val();
        self.warp_pc.write_data[1].next = self.goes_to.val();
        self.warp_lanes.write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
        self.warp_lanes.write_address[0].next = self.event_warp.index.val();
        self.warp_lanes.write_data[0].next = self.low_mask.val();
        if self.bypass_top.val() {
            self.warp_pc.write_data[1].next = self.sides.first_pc.val();
            self.warp_lanes.write_data[0].next = self.top_mask.val();
        } else if self.bypass_low.val() {
            self.warp_pc.write_data[1].next = self.sides.second_pc.val();
        }
        self.hold_rpc.write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
        self.hold_rpc.write_address[0].next = self.event_warp.index.val();
        self.hold_rpc.write_data[0].next = self.events.event.rpc.val();
        for i in 0..self.hold_lpc.len() {
            self.hold_lpc[i].write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
            self.hold_lpc[i].write_address[0].next = self.event_warp.index.val();
            self.hold_lpc[i].write_data[0].next = self.events.event.lpc.val();
            self.hold_base[i].write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
            self.hold_base[i].write_address[0].next = self.event_warp.index.val();
            self.hold_base[i].write_data[0].next = self.stack.query.lpc.val();
        }

        // CTA-wide stack.
        wire::join(&mut self.kernel, &mut self.stack.kernel);
        wire::join(&mut self.cta_start, &mut self.stack.cta_start);
        self.launch_slot.index.next = self.launch.warp.val();
        self.stack.launch_valid.next = self.launch.valid.val();
        self.stack.launch_cta.next = self.launch_slot.selected.val();
        self.stack.launch_row.next = self.launch.warp.val();
        self.stack.launch_mask.next = self.launch.mask.val();
        self.launch_ready.next = self.stack.launch_ready.val();
        self.stack.barrier_release.next = self.barrier_release.val();
        wire::join(&mut self.finished, &mut self.stack.finished);
        self.waiting.next = self.stack.waiting.val();
        self.gathering.next =
            self.stack.gathering.val() | ((self.events.pending.val() | self.reached.q.val()) & self.ahead.val());
        self.overflow.valid.next = self.stack.overflow_valid.val();
        self.mismatch_valid.next = self.stack.mismatch_valid.val() | (self.served.val() & self.divided.val());
        self.overflow.warp.next = self.stack.fault_row.val();
        self.overflow.pc.next = self.stack.fault_pc.val();
        self.depth.next = self.stack.depth.val();

        // An entry becomes active: the compaction unit forms its warps, one a cycle.
        self.compaction.load.next = self.stack.activate.valid.val();
        self.evaluator.load.next = self.stack.activate.valid.val();
        wire::join(&mut self.stack.formable, &mut self.compaction.threads);
        wire::join(&mut self.stack.members, &mut self.evaluator.members);
        wire::join(&mut self.evaluator.counts, &mut self.ideal.counts);
        self.compaction.compact.next = self.kernel.compact.val();
        if self.stack.activate.valid.val() {
            self.form_pc.d.next = self.stack.activate.pc.val();
            self.form_slots.d.next = self.stack.engine_rows.val();
            self.form_cta.d.next = self.stack.activate.cta.val();
        }
        self.free.request.next = self.form_slots.q.val() & !self.occupied.val();
        self.warp_formed.next = self.compaction.valid.val() & self.free.any.val();
        self.compaction.step.next = self.warp_formed.val();
        self.stack.forming.next = self.compaction.valid.val();
        self.stack.forming_cta.next = self.form_cta.q.val();
        self.stack.formed.next = self.warp_formed.val();

        // A warp begins: formed or launched.
        self.begins.next = self.warp_formed.val();
        self.begin_warp.next = self.free.index.val();
        self.warp_pc.write_data[2].next = self.form_pc.q.val();
        self.warp_lanes.write_data[1].next = self.compaction.lanes.val();
        for lane in 0..self.form.rows.len() {
            self.form.rows[lane].next = self.compaction.rows[lane].val();
        }
        if self.launch.valid.val() & self.stack.launch_ready.val() {
            self.begins.next = true;
            self.begin_warp.next = self.launch.warp.val();
            self.warp_pc.write_data[2].next = self.launch.pc.val();
            self.warp_lanes.write_data[1].next = self.launch.mask.val();
            for lane in 0..self.form.rows.len() {
                self.form.rows[lane].next = self.launch.warp.val();
            }
        }
        self.form.valid.next = self.begins.val();
        self.form.warp.next = self.begin_warp.val();
        self.warp_pc.write_enable[2].next = self.begins.val();
        self.warp_pc.write_address[2].next = self.begin_warp.val();
        self.warp_lanes.write_enable[1].next = self.begins.val();
        self.warp_lanes.write_address[1].next = self.begin_warp.val();
        self.begin_bit.next = 0.into();
        if self.begins.val() {
            self.begin_bit.next = self.one_warp.val() << self.begin_warp.val();
        }

        for i in 0..self.slots.len() {
            self.slots[i].form.next = self.begin_bit.val().get_bit(i);
            self.slots[i].leave.next = self.arrives.val() & !self.stays.val() & self.event_bit.val().get_bit(i);
            self.slots[i].bypass.next =
                (self.bypass_low.val() | self.bypass_top.val()) & self.event_bit.val().get_bit(i);
            self.slots[i].bypass_top.next = self.bypass_top.val();
            self.slots[i].retag.next = self.stack.retag.valid.val() & self.stack.engine_rows.val().get_bit(i);
            self.slots[i].retag_top.next = self.stack.retag.top.val();
            self.slots[i].retag_index.next = self.stack.retag.index.val();
            self.slots[i].activate.next = self.stack.activate.valid.val() & self.stack.engine_rows.val().get_bit(i);
            self.slots[i].activate_index.next = self.stack.activate.index.val();
        }
        self.runnable_now.next = (self.runnable.q.val() & !self.blocked_bit.val()) | self.begin_bit.val();
        self.runnable.d.next = self.runnable_now.val();
        if self.stays.val() {
            self.runnable.d.next = self.runnable_now.val() | self.event_bit.val();
        }
        self.reached.d.next = self.reached.q.val() | self.stop_bit.val();
        if self.served.val() {
            self.reached.d.next = (self.reached.q.val() & !self.event_bit.val()) | self.stop_bit.val();
        }

        // The adequacy of compaction, once the evaluator has counted: one cycle after the activation.
        self.evaluated.d.next = self.stack.evaluate.valid.val();
        self.evaluated_divergent.d.next = self.stack.evaluate.divergent.val();
        self.evaluated_data_dependent.d.next = self.stack.evaluate.data_dependent.val();
        self.evaluated_pc.d.next = self.stack.evaluate.pc.val();
        self.evaluated_arrived.d.next = self.stack.evaluate.arrived.val();
        self.evaluated_consulted.d.next = self.stack.evaluate.consulted.val();
        self.evaluated_bypassed.d.next = self.stack.evaluate.bypassed.val();
        self.compacted.next = self.evaluator.compacted_warps.val();
        for i in 0..self.capt.len() {
            self.capt[i].update_valid.next = self.evaluated.q.val();
            self.capt[i].update_pc.next = self.evaluated_pc.q.val();
            self.capt[i].update_adequate.next = self.compacted.val() < self.evaluated_arrived.q.val();
        }
        self.path.valid.next = self.evaluated.q.val() & self.evaluated_divergent.q.val();
        self.path.data_dependent.next = self.evaluated_data_dependent.q.val();
        self.path.arrived.next = self.evaluated_arrived.q.val();
        self.path.compacted.next = self.compacted.val();
        self.path.ideal.next = self.ideal.warps.val();
        self.path.consulted.next = self.evaluated_consulted.q.val();
        self.path.bypassed.next = self.evaluated_bypassed.q.val();
    }
}
