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
//! | `kernel_compact` | 1 | form warps from threads of several home warps; else static warps |
//! | `kernel_warps_per_cta`, `cta_start_*`, `warp_slot[W]` | w+1, , c | from the dispatcher: the CTAs |
//! | `slot_valid` | W | from the warp buffer: the warp's last instruction has not issued |
//! | `resolve_lpc`, `resolve_uniform`, `resolve_data_dependent`, `resolve_home_warps[L]` | 32, 1, 1, w | more about a control instruction: see [`EventTable`](super::EventTable) |
//! | `barrier_release` | C | CTAs whose barrier opens |
//! | `form_valid`, `form_warp`, `form_home_warps[L]` | 1, w, w | the warp in this slot consists of these home warps from the next cycle on |
//! | `orphan_valid`, `orphan_warp` | 1, w | threads leave this slot with results outstanding |
//! | `gathering` | W | home warps of CTAs in which a warp has dissolved and waits for others; warps that run ahead and are held |
//! | `mismatch_valid` | 1 | warps of one entry came to different ends (`overflow_warp`, `overflow_pc` say where) |
//! | `warp_formed` | 1 | the compaction unit forms a warp |
//! | `consulted`, `hit` | 1 | the predictor is asked; it knows the branch |
//! | `path_valid` | 1 | a side of a divergent branch starts; of that path: |
//! | `path_data_dependent` | 1 | the branch depends on data |
//! | `path_arrived`, `path_compacted`, `path_ideal` | w+1 | warps that came with threads for it; that the compaction unit would fill; that its threads would fill if they could change lanes |
//! | `path_consulted`, `path_bypassed` | w+1 | warps that diverged at the branch; that were told to bypass |
//!
//! Latency: a warp that bypasses or is sent on is fetchable in the cycle after it is served; the first compacted warp in the cycle in which the last one
//! arrives, the others one a cycle.
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
//! held until its entry is active. A side that starts where the sides or those of the branch around it meet has no block, so nobody goes ahead into it. If a warp diverges and
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

        stack: CtaStack = CtaStack::new(config) => {
            decoded_cta: decoded_slot.selected, query_cta: event_slot.selected, arrive.valid: arrives,
            arrive.cta: event_slot.selected, arrive.low_pc: sides.second.pc, arrive.top_pc: sides.first.pc,
            arrive.rpc: events.event.rpc, arrive.lpc: events.event.lpc, arrive.data_dependent: events.data_dependent,
            arrive.home_warps: events.home_warps, arrive.mask: events.event.mask, arrive.low: low_mask, arrive.top: top_mask,
            arrive.bypass_low: bypass_low, arrive.bypass_top: bypass_top, arrive.consults: diverges, kernel, cta_start,
            launch_valid: launch.valid, launch_cta: launch_slot.selected, launch_home_warp: launch.warp,
            launch_mask: launch.mask, launch_ready, barrier_release, finished, waiting, overflow_valid: overflow.valid,
            fault_home_warp: overflow.warp, fault_pc: overflow.pc, depth, forming: compaction.busy, forming_cta: form_cta.q,
            formed: warp_formed,
        },
        events: EventTable = EventTable::new(lanes, warps, true, config.likely_convergence) => {
            resolve, warp: event_warp.index,
        },
        compaction: WarpCompactionUnit = WarpCompactionUnit::new(lanes, warps) => {
            load: stack.activate.valid, threads: stack.formable, compact: kernel.compact, step: warp_formed,
        },
        evaluator: AdequacyEvaluator = AdequacyEvaluator::new(lanes, warps) => {
            load: stack.activate.valid, members: stack.members, compacted_warps: compacted,
        },
        ideal: IdealWarps = IdealWarps::new(lanes, warps) => { counts: evaluator.counts, warps: path.ideal },
        slots: Vec<CompactionSlot> = (0..warps).map(|_| CompactionSlot::new(entries)).collect() => |i| {
            bypass_top, retag_top: stack.retag.top, retag_index: stack.retag.index,
            activate_index: stack.activate.index,
        },
        /// CAPRI with a table: one, or none.
        capt: Vec<Capt> = predictor.iter().filter(|p| p.entries > 0).map(|p| Capt::new(*p)).collect() => |i| {
            update_valid: evaluated.q, update_pc: evaluated_pc.q,
        },

        // By warp slot.
        warp_pc: Memory = by_warp(32, 2, 3) => {
            read_address[0]: fetch_warp, write_address[0]: decoded.warp,
            write_data[0]: following_pc.q, read_address[1]: event_warp.index, write_enable[1]: stays,
            write_address[1]: event_warp.index, write_enable[2]: begins, write_address[2]: begin_warp,
        },
        warp_lanes: Memory = by_warp(lanes, 1, 2) => {
            read_address[0]: fetch_warp, write_address[0]: event_warp.index,
            write_enable[1]: begins, write_address[1]: begin_warp,
        },
        /// Where a warp that runs ahead stops: what may become its entry's RPC or LPC.
        hold_rpc: Memory = by_warp(32, 1, 1) => {
            read_address[0]: decoded.warp, write_address[0]: event_warp.index, write_data[0]: events.event.rpc,
        },
        hold_lpc: Vec<Memory> = (0..lcp).map(|_| by_warp(32, 1, 1)).collect() => |i| {
            read_address[0]: decoded.warp, write_address[0]: event_warp.index, write_data[0]: events.event.lpc,
        },
        hold_base: Vec<Memory> = (0..lcp).map(|_| by_warp(32, 1, 1)).collect() => |i| {
            read_address[0]: decoded.warp, write_address[0]: event_warp.index, write_data[0]: stack.query.lpc,
        },
        runnable: Register = Register::new(warps),
        /// Bit per warp: it ran into the end of its entry, or of the block it may run ahead.
        reached: Register = Register::new(warps),
        following_pc: Flop = Flop::new(32),

        /// The entry whose warps are being formed.
        form_pc: Flop = Flop::new(32) => { d: formed_pc },
        form_slots: Flop = Flop::new(warps) => { d: formed_slots },
        form_cta: Flop = Flop::new(c),
        // Of the entry activated in the last cycle, for the adequacy evaluation.
        evaluated: StateRegister<Bit> => { d: stack.evaluate.valid },
        evaluated_divergent: StateRegister<Bit> => { d: stack.evaluate.divergent },
        evaluated_data_dependent: StateRegister<Bit> => { d: stack.evaluate.data_dependent, q: path.data_dependent },
        evaluated_pc: Flop = Flop::new(32) => { d: stack.evaluate.pc },
        evaluated_arrived: Flop = Flop::new(count) => { d: stack.evaluate.arrived, q: path.arrived },
        evaluated_consulted: Flop = Flop::new(count) => { d: stack.evaluate.consulted, q: path.consulted },
        evaluated_bypassed: Flop = Flop::new(count) => { d: stack.evaluate.bypassed, q: path.bypassed },

        plus: Constant = Constant::new((config.mechanism != Mechanism::Tbc) as u64, 1),
        bypasses: Constant = Constant::new(predictor.is_some() as u64, 1),
        forgets: Constant = Constant::new(predictor.is_some_and(|p| p.history == AdequacyHistory::Sticky) as u64, 1),
        one_warp: Constant = Constant::new(1, warps),

        decoded_slot: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: decoded.warp },
        event_slot: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: event_warp.index },
        launch_slot: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: launch.warp },
        order: RoundRobinArbiter = RoundRobinArbiter::new(warps) => { grant: event_bit },
        event_warp: PriorityEncoder = PriorityEncoder::new(warps) => { request: order.grant, index: orphan.warp },
        free: PriorityEncoder = PriorityEncoder::new(warps),
        sides: BranchSides = BranchSides::new(lanes, config.taken_first) => { event: events.event },
        threads: ThreadReport = ThreadReport::new(lanes, warps) => {
            warp: event_warp.index, mask: events.event.mask, exit, arrive,
        },

        ahead: Net<Local> = warps,
        occupied: Net<Local> = warps,
        left_bit: Net<Local> = warps,
        formed_pc: Net<Local> = 32,
        formed_slots: Net<Local> = warps,
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
        dff_setup!(self, clock, runnable, reached, following_pc, form_cta);

        self.ahead.next = 0.into();
        self.occupied.next = 0.into();
        for i in 0..self.slots.len() {
            self.ahead.next = self.ahead.val().replace_bit(i, self.slots[i].ahead.val());
            self.occupied.next = self.occupied.val().replace_bit(i, self.slots[i].occupied.val());
        }

        // DECODE advances the warp.
        self.warp_pc.write_enable[0].next = self.decoded.valid.val() & !self.decoded.control.val();
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

        // One warp of an active entry is served.
        // The last instruction before the end of an entry must have issued: its slot's home warps are about to change.
        self.order.request.next = (self.events.pending.val() | (self.reached.q.val() & !self.slot_valid.val()))
            & !self.ahead.val()
            & !self.stack.placing.val();
        self.is_reached.next = (self.reached.q.val() & self.event_bit.val()).any();

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
            self.is_uniform.val() & self.sides.first.mask.val().any() & self.sides.second.mask.val().any();

        // The sides of a branch: the top one runs first.
        self.top_mask.next = self.sides.first.mask.val();
        self.low_mask.next = self.sides.second.mask.val();
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
        // If all go to where the entry ends, nothing of it is left that a warp could run ahead in.
        self.top_open.next = (self.sides.first.pc.val() != self.events.event.rpc.val())
            & (self.sides.first.pc.val() != self.events.event.lpc.val())
            & (self.sides.first.pc.val() != self.stack.query.rpc.val())
            & (self.sides.first.pc.val() != self.stack.query.lpc.val());
        self.low_open.next = (self.sides.second.pc.val() != self.events.event.rpc.val())
            & (self.sides.second.pc.val() != self.events.event.lpc.val())
            & (self.sides.second.pc.val() != self.stack.query.rpc.val())
            & (self.sides.second.pc.val() != self.stack.query.lpc.val());
        self.prefers_top.next = self.top_mask.val().any();
        if self.diverges.val() {
            self.prefers_top.next = self.sides.first.pc.val() != self.events.event.rpc.val();
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
        self.stack.arrive.predicts_bypass.next = self.diverges.val() & !self.adequate.val();

        self.threads.exits.next =
            self.arrives.val() & !self.moves.val() & (self.events.event.kind.val() == ControlKind::Exit);
        self.threads.arrives.next =
            self.arrives.val() & !self.moves.val() & (self.events.event.kind.val() == ControlKind::Barrier);

        // The warp goes on: as it is, or ahead with the lanes of one side.
        self.warp_pc.write_data[1].next = self.goes_to.val();
        self.warp_lanes.write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
        self.warp_lanes.write_data[0].next = self.low_mask.val();
        if self.bypass_top.val() {
            self.warp_pc.write_data[1].next = self.sides.first.pc.val();
            self.warp_lanes.write_data[0].next = self.top_mask.val();
        } else if self.bypass_low.val() {
            self.warp_pc.write_data[1].next = self.sides.second.pc.val();
        }
        self.hold_rpc.write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
        for i in 0..self.hold_lpc.len() {
            self.hold_lpc[i].write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
            self.hold_base[i].write_enable[0].next = self.bypass_low.val() | self.bypass_top.val();
        }

        // CTA-wide stack.
        self.gathering.next =
            self.stack.gathering.val() | ((self.events.pending.val() | self.reached.q.val()) & self.ahead.val());
        self.mismatch_valid.next = self.stack.mismatch_valid.val() | (self.served.val() & self.divided.val());

        // An entry becomes active: the compaction unit forms its warps, one a cycle from now on; the warp that arrived last leaves its slot just now.
        self.formed_pc.next = self.form_pc.q.val();
        self.formed_slots.next = self.form_slots.q.val();
        if self.stack.activate.valid.val() {
            self.formed_pc.next = self.stack.activate.pc.val();
            self.formed_slots.next = self.stack.engine_home_warps.val();
            self.form_cta.d.next = self.stack.activate.cta.val();
        }
        self.left_bit.next = 0.into();
        if self.arrives.val() & !self.stays.val() {
            self.left_bit.next = self.event_bit.val();
        }
        self.free.request.next = self.formed_slots.val() & (!self.occupied.val() | self.left_bit.val());
        self.warp_formed.next = self.compaction.valid.val() & self.free.any.val();

        // FETCH reads the warp, even in the cycle in which it is formed.
        self.fetchable.next = self.runnable.q.val();
        self.fetch_pc.next = self.warp_pc.read_data[0].val();
        self.fetch_mask.next = self.warp_lanes.read_data[0].val();
        self.following_pc.d.next = self.warp_pc.read_data[0].val() + 4;
        if self.warp_formed.val() {
            self.fetchable.next = self.runnable.q.val() | self.free.one_hot.val();
            if self.fetch_warp.val() == self.free.index.val() {
                self.fetch_pc.next = self.formed_pc.val();
                self.fetch_mask.next = self.compaction.lanes.val();
                self.following_pc.d.next = self.formed_pc.val() + 4;
            }
        }

        // A warp begins: formed or launched.
        self.begins.next = self.warp_formed.val();
        self.begin_warp.next = self.free.index.val();
        self.warp_pc.write_data[2].next = self.formed_pc.val();
        self.warp_lanes.write_data[1].next = self.compaction.lanes.val();
        for lane in 0..self.form.home_warps.len() {
            self.form.home_warps[lane].next = self.compaction.home_warps[lane].val();
        }
        if self.launch.valid.val() & self.stack.launch_ready.val() {
            self.begins.next = true;
            self.begin_warp.next = self.launch.warp.val();
            self.warp_pc.write_data[2].next = self.launch.pc.val();
            self.warp_lanes.write_data[1].next = self.launch.mask.val();
            for lane in 0..self.form.home_warps.len() {
                self.form.home_warps[lane].next = self.launch.warp.val();
            }
        }
        self.form.valid.next = self.begins.val();
        self.form.warp.next = self.begin_warp.val();
        self.begin_bit.next = 0.into();
        if self.begins.val() {
            self.begin_bit.next = self.one_warp.val() << self.begin_warp.val();
        }

        for i in 0..self.slots.len() {
            self.slots[i].form.next = self.begin_bit.val().get_bit(i);
            self.slots[i].leave.next = self.left_bit.val().get_bit(i);
            self.slots[i].bypass.next =
                (self.bypass_low.val() | self.bypass_top.val()) & self.event_bit.val().get_bit(i);
            self.slots[i].retag.next = self.stack.retag.valid.val() & self.stack.engine_home_warps.val().get_bit(i);
            self.slots[i].activate.next =
                self.stack.activate.valid.val() & self.stack.engine_home_warps.val().get_bit(i);
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
        for i in 0..self.capt.len() {
            self.capt[i].update_adequate.next = self.compacted.val() < self.evaluated_arrived.q.val();
        }
        self.path.valid.next = self.evaluated.q.val() & self.evaluated_divergent.q.val();
        self.path.compacted.next = self.compacted.val();
    }
}

#[cfg(test)]
#[path = "tests/thread_block_compaction.rs"]
mod tests;
