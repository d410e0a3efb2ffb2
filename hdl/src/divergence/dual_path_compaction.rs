//! Dual-path execution on the CTA-wide stack: thread block compaction in which the warps of both sides of a branch are formed and run.
//!
//! ```text
//!                   +---------------------------------------------------------------------+
//!  launch_* ------->|-------------------------------------------> CtaPathStack            |---> finished_*, waiting, overflow_*
//!                   |                       arrive    +---------> {rpc, pc, WCnt, masks}  |
//!  resolve_* ------>|--> EventTable x 2 > serve one --+               |  activate         |---> arrive_*, exit_*
//!                   |                    warp a cycle |               v                   |
//!                   |  PC, lanes of the warps <-------+         WarpCompactionUnit        |---> form_*, form_right
//!  decoded_* ------>|--> +4, ends ------^                       left, then right          |---> orphan_*, orphan_right, moved
//!  fetch_warp ----->|    fetch_pc, _mask                        AdequacyEvaluator: counts |---> path_*, present[2]
//!  fetch_* <--------|                                                                     |
//!                   +---------------------------------------------------------------------+
//! ```
//!
//! Ports: those of [`ThreadBlockCompaction`](super::ThreadBlockCompaction), without those of the predictor; `fetchable[2]` and `slot_valid[2]` by side, `fetch_warp`,
//! `decoded_warp` and `resolve_warp` a path {side, warp}; and
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `form_right` | 1 | the warp that begins is in a slot of the right side |
//! | `orphan_right` | 1 | so is the one that threads leave |
//! | `present[2]` | W | by side: home warps of CTAs whose active entry has such a path under way |
//! | `moved` | W | home warps of a CTA of which another entry becomes active: a thread may run on another side than before |
//! | `pushed`, `suspended` | 1 | an entry is pushed; it suspends a live path of the entry below |
//! | `rights` | W | where both paths share the slots (Vec of one): in this slot is a warp of the right path |
//!
//! Latency: as [`ThreadBlockCompaction`](super::ThreadBlockCompaction), and that of [`CtaPathStack`](super::CtaPathStack). One warp of either side is served a cycle; the sides take turns.
//!
//! State per side and warp slot: PC, lanes, whether a warp is there, can be fetched, has come to the end of its entry.
//!
//! Two sides of slots: either path of an entry may have as many warps as there are home warps, so both always find room, and a path need not
//! know how many warps the other one has. One compaction unit: the first warp of the right path waits for the last of the left one, which issues meanwhile.
//!
//! `constrained` there is one set of slots for both, a bit of each says which path its warp is of, and a warp is what fetches: `fetchable[1]`, and so on. A path is then formed only when its warps fit beside those of the other one:
//! [`CtaPathStack`]. The number of warps that it needs is what the adequacy evaluator finds, which counts for the counters of compaction anyway.
//!
//! | mechanism | a warp gathers at |
//! |---|---|
//! | TBC | every branch, jump, reconvergence point |
//! | TBC+ | branches not marked uniform, reconvergence points |
//!
//! Source: Rhu 2014, 4.5.4; docs/decisions/0035-dual-path-compaction.md.
use super::{
    AdequacyEvaluator, BranchSides, ControlEvent, CtaPathStack, EventTable, GatherKind, IdealWarps, ThreadReport,
    WarpCompactionUnit,
};
use crate::config::Mechanism;
use crate::interface::{
    CompactedPath, ControlKind, CtaStart, Decoded, Formed, KernelConfiguration, Launch, Resolve, ThreadEvent,
    WarpEvent, WarpFault,
};
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DualPathCompaction: clock, reset {
        pub kernel: KernelConfiguration<In> = KernelConfiguration::new(config),
        pub cta_start: CtaStart<In> = CtaStart::new(config),
        pub warp_slot: Vec<Net<In>> = Net::vec(warps, c),
        pub launch: Launch<In> = Launch::of(config),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(sets, warps),
        pub present: Vec<Net<Out>> = Net::vec(2, warps),
        pub fetch_warp: Net<In> = path,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::of(config),
        pub slot_valid: Vec<Net<In>> = Net::vec(sets, warps),
        pub resolve: Resolve<In> = Resolve::of(config),
        pub barrier_release: Net<In> = config.cta_slots,
        pub form: Formed<Out> = Formed::new(config),
        pub form_right: Signal<Out, Bit>,
        pub orphan: WarpEvent<Out> = WarpEvent::of(config),
        pub orphan_right: Signal<Out, Bit>,
        pub moved: Net<Out> = warps,
        pub finished: WarpEvent<Out> = WarpEvent::of(config),
        pub arrive: ThreadEvent<Out> = ThreadEvent::of(config),
        pub exit: ThreadEvent<Out> = ThreadEvent::of(config),
        pub waiting: Net<Out> = warps,
        pub gathering: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::of(config),
        pub mismatch_valid: Signal<Out, Bit>,
        pub depth: Net<Out> = index_width(entries + 1),
        pub warp_formed: Signal<Out, Bit>,
        pub pushed: Signal<Out, Bit>,
        pub suspended: Signal<Out, Bit>,
        /// Where both paths share the slots: one, else none.
        pub rights: Vec<Net<Out>> = Net::vec(sharing, warps),
        pub path: CompactedPath<Out> = CompactedPath::new(config.warps),

        stack: CtaPathStack = CtaPathStack::new(config) => {
            decoded_cta: decoded_slot.selected, query_cta: event_slot.selected, arrive.valid: arrives, arrive_right: serves_right,
            arrive.cta: event_slot.selected, arrive.low_pc: sides.second.pc, arrive.top_pc: sides.first.pc,
            arrive.rpc: event.rpc, arrive.lpc: event.lpc, arrive.data_dependent: data_dependent,
            arrive.home_warps: home_warps, arrive.mask: event.mask, arrive.low: low_mask, arrive.top: top_mask,
            kernel, cta_start, launch_valid: launch.valid,
            launch_cta: launch_slot.selected, launch_home_warp: launch.warp, launch_mask: launch.mask, launch_ready,
            barrier_release, finished, waiting, gathering, overflow_valid: overflow.valid,
            fault_home_warp: overflow.warp, fault_pc: overflow.pc, depth, forming: compaction.busy,
            forming_cta: form_cta.q, forming_right: forms_right.q, formed: warp_formed, present, moved, pushed, suspended,
        },
        // By side; of one side, if both share the slots.
        events: Vec<EventTable> = (0..sets).map(|_| EventTable::new(lanes, warps, true, false)).collect() => |s| {
            resolve.kind, resolve.taken, resolve.mask, resolve.target, resolve.next_pc, resolve.annotation,
            resolve.home_warps, warp: event_warp.index,
        },
        compaction: WarpCompactionUnit = WarpCompactionUnit::new(lanes, warps) => {
            load: stack.activate.valid, threads: stack.members, compact: kernel.compact, step: warp_formed,
        },
        evaluator: AdequacyEvaluator = AdequacyEvaluator::new(lanes, warps) => {
            members: stack.members, compacted_warps: path.compacted,
        },
        ideal: IdealWarps = IdealWarps::new(lanes, warps) => { counts: evaluator.counts, warps: path.ideal },

        // By side and warp slot.
        warp_pc: Vec<Memory> = (0..sets).map(|_| by_warp(32, 2, 3)).collect() => |s| {
            read_address[0]: fetched, write_address[0]: decode_warp, write_data[0]: following_pc.q,
            read_address[1]: event_warp.index, write_address[1]: event_warp.index, write_data[1]: goes_to,
            write_address[2]: begin_warp, write_data[2]: begin_pc,
        },
        warp_lanes: Vec<Memory> = (0..sets).map(|_| by_warp(lanes, 1, 1)).collect() => |s| {
            read_address[0]: fetched, write_address[0]: begin_warp, write_data[0]: begin_lanes,
        },
        occupied: Vec<Register> = Register::vec(sets, warps),
        runnable: Vec<Register> = Register::vec(sets, warps),
        /// It ran into the end of its entry.
        reached: Vec<Register> = Register::vec(sets, warps),
        /// Where both share the slots: it is one of the right path.
        right: Vec<Register> = Register::vec(sharing, warps) => |k| { q: rights[k] },
        following_pc: Flop = Flop::new(32),

        /// The path whose warps are being formed.
        form_pc: Flop = Flop::new(32) => { d: formed_pc },
        form_slots: Flop = Flop::new(warps) => { d: formed_slots },
        form_cta: Flop = Flop::new(c),
        forms_right: StateRegister<Bit> => { d: formed_right },
        // Of the side of a branch that has begun to run in the last cycle.
        side_starts: StateRegister<Bit> => { d: stack.side_valid, q: path.valid },
        side_data_dependent: StateRegister<Bit> => { d: stack.side.data_dependent, q: path.data_dependent },
        side_arrived: Flop = Flop::new(count) => { d: stack.side.arrived, q: path.arrived },
        /// The side that was served last.
        served_right: StateRegister<Bit>,

        plus: Constant = Constant::new(plus as u64, 1),
        one_warp: Constant = Constant::new(1, warps),
        side_bit: Constant = Constant::new(w as u64, index_width(w + 1)),

        decoded_slot: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: decode_warp },
        event_slot: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: event_warp.index },
        launch_slot: IndexedMux = slot_of_warp() => { inputs: warp_slot, index: launch.warp },
        order: Vec<RoundRobinArbiter> = (0..sets).map(|_| RoundRobinArbiter::new(warps)).collect() => |s| { request: requests[s], accept: served[s] },
        event_warp: PriorityEncoder = PriorityEncoder::new(warps) => { request: event_bit, index: orphan.warp },
        free: PriorityEncoder = PriorityEncoder::new(warps),
        sides: BranchSides = BranchSides::new(lanes, config.taken_first) => { event },
        threads: ThreadReport = ThreadReport::new(lanes, warps) => {
            warp: event_warp.index, mask: event.mask, exit, arrive,
        },

        // FETCH, DECODE, EXECUTE: the warp and the side of a path.
        fetched: Net<Local> = w,
        fetched_side: Net<Local> = 1,
        decode_warp: Net<Local> = w,
        decoded_side: Net<Local> = 1,
        decoded_bit: Net<Local> = warps,
        resolved_side: Net<Local> = 1,
        stops: Signal<Local, Bit>,
        stop_bits: Vec<Net<Local>> = Net::vec(sets, warps),
        blocked_bits: Vec<Net<Local>> = Net::vec(sets, warps),
        here: Vec<Signal<Local, Bit>> = bit_vec(sets),

        // The warp that is served.
        requests: Vec<Net<Local>> = Net::vec(sets, warps),
        serves_right: Signal<Local, Bit>,
        served: Vec<Signal<Local, Bit>> = bit_vec(sets),
        serves: Signal<Local, Bit>,
        event_bit: Net<Local> = warps,
        event: ControlEvent<Local> = ControlEvent::new(lanes),
        is_marked: Signal<Local, Bit>,
        data_dependent: Signal<Local, Bit>,
        home_warps: Vec<Net<Local>> = Net::vec(lanes, w),
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
        divided: Signal<Local, Bit>,
        left_bit: Net<Local> = warps,

        // The warp that begins.
        formed_pc: Net<Local> = 32,
        formed_slots: Net<Local> = warps,
        formed_right: Signal<Local, Bit>,
        vacant: Net<Local> = warps,
        begins: Signal<Local, Bit>,
        begins_right: Signal<Local, Bit>,
        begin_warp: Net<Local> = w,
        begin_pc: Net<Local> = 32,
        begin_lanes: Net<Local> = lanes,
        begin_bits: Vec<Net<Local>> = Net::vec(sets, warps),
    }
    sizes { _w = w }
    /// For a core whose mechanism is TBC or TBC+ with dual paths.
    pub fn new(config: &CoreConfig) {
        let (lanes, warps, entries) = (config.lanes, config.warps, config.stack_depth);
        let (w, c, count) = (config.warp_width(), config.slot_width(), index_width(warps + 1));
        let path = config.path_width();
        let (sets, sharing) = (config.sides(), config.of_shared_slots());
        let plus =
            matches!(config.mechanism, Mechanism::TbcPlusDualPath | Mechanism::TbcPlusDualPathConstrained);
        let by_warp = |width, reads, writes| Memory::new(width, warps, reads, writes, ReadKind::Asynchronous);
        let slot_of_warp = || IndexedMux::new(c, warps);
    }
}

impl Logic for DualPathCompaction {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DualPathCompaction");
        dff_setup!(self, clock, following_pc, form_cta, served_right);

        // DECODE advances the warp.
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._w);
        self.fetched_side.next = bit_cast_to(self.fetch_warp.val() >> self.side_bit.val(), 1);
        self.decode_warp.next = bit_cast_to(self.decoded.warp.val(), self._w);
        self.decoded_side.next = bit_cast_to(self.decoded.warp.val() >> self.side_bit.val(), 1);
        self.resolved_side.next = bit_cast_to(self.resolve.warp.val() >> self.side_bit.val(), 1);
        self.decoded_bit.next = self.one_warp.val() << self.decode_warp.val();
        self.stops.next = self.following_pc.q.val() == self.stack.decoded.rpc.val();
        for s in 0..self.events.len() {
            self.here[s].next = self.decoded.valid.val() & (self.decoded_side.val() == s);
            self.warp_pc[s].write_enable[0].next = self.here[s].val() & !self.decoded.control.val();
            self.stop_bits[s].next = 0.into();
            self.blocked_bits[s].next = 0.into();
            if self.here[s].val() {
                if self.decoded.control.val() {
                    self.blocked_bits[s].next = self.decoded_bit.val();
                } else if self.stops.val() {
                    self.blocked_bits[s].next = self.decoded_bit.val();
                    self.stop_bits[s].next = self.decoded_bit.val();
                }
            }
            self.events[s].resolve.valid.next = self.resolve.valid.val() & (self.resolved_side.val() == s);
            self.events[s].resolve.warp.next = bit_cast_to(self.resolve.warp.val(), self._w);
            // The last instruction before the end of an entry must have issued: its slot's home warps are about to change.
            self.requests[s].next =
                self.events[s].pending.val() | (self.reached[s].q.val() & !self.slot_valid[s].val());
        }

        // One warp is served, of the side that was not served last if there is one.
        for s in 1..self.order.len() {
            self.serves_right.next = self.order[s].any.val() & (!self.order[0].any.val() | !self.served_right.q.val());
            self.served[0].next = self.order[0].any.val() & !self.serves_right.val();
            self.served[s].next = self.serves_right.val();
            self.serves.next = self.served[0].val() | self.served[s].val();
            if self.serves.val() {
                self.served_right.d.next = self.serves_right.val();
            }
        }
        for k in 0..self.right.len() {
            self.serves_right.next = (self.right[k].q.val() & self.order[0].grant.val()).any();
            self.served[0].next = self.order[0].any.val();
            self.serves.next = self.order[0].any.val();
        }
        self.event_bit.next = self.order[0].grant.val();
        self.is_reached.next = (self.reached[0].q.val() & self.order[0].grant.val()).any();
        self.goes_to.next = self.warp_pc[0].read_data[1].val();
        self.is_marked.next = self.events[0].uniform.val();
        self.data_dependent.next = self.events[0].data_dependent.val();
        wire::join(&mut self.event, &mut self.events[0].event);
        wire::join(&mut self.home_warps, &mut self.events[0].home_warps);
        for s in 1..self.events.len() {
            if self.serves_right.val() {
                self.event_bit.next = self.order[s].grant.val();
                self.is_reached.next = (self.reached[s].q.val() & self.order[s].grant.val()).any();
                self.goes_to.next = self.warp_pc[s].read_data[1].val();
                self.is_marked.next = self.events[s].uniform.val();
                self.data_dependent.next = self.events[s].data_dependent.val();
                wire::join(&mut self.event, &mut self.events[s].event);
                wire::join(&mut self.home_warps, &mut self.events[s].home_warps);
            }
        }
        for s in 0..self.events.len() {
            self.events[s].serve.next = self.served[s].val() & !self.is_reached.val();
        }

        // Where it goes, and whether it gathers there.
        if !self.is_reached.val() {
            self.goes_to.next = self.sides.goes_to.val();
        }
        self.is_branch.next = !self.is_reached.val() & (self.event.kind.val() == ControlKind::Branch);
        self.is_uniform.next = self.is_branch.val() & self.is_marked.val() & self.plus.val().any();
        self.moves.next = self.is_reached.val() | self.is_uniform.val() | (self.event.kind.val() == ControlKind::Jump);
        self.ends.next = self.goes_to.val() == self.stack.query.rpc.val();
        self.continues.next =
            self.serves.val() & self.moves.val() & !self.ends.val() & (self.plus.val().any() | self.is_reached.val());
        self.arrives.next = self.serves.val() & !self.continues.val();
        self.divided.next =
            self.is_uniform.val() & self.sides.first.mask.val().any() & self.sides.second.mask.val().any();
        self.top_mask.next = self.sides.first.mask.val();
        self.low_mask.next = self.sides.second.mask.val();
        if self.moves.val() | !self.is_branch.val() {
            self.top_mask.next = 0.into();
            self.low_mask.next = 0.into();
        }
        self.orphan.valid.next = self.arrives.val();
        self.orphan_right.next = self.serves_right.val();

        self.stack.arrive.pc.next = self.event.next_pc.val() - 4;
        self.stack.arrive.kind.next = GatherKind::Branch;
        if self.moves.val() {
            self.stack.arrive.kind.next = GatherKind::Move;
            self.stack.arrive.pc.next = self.goes_to.val();
        } else if self.event.kind.val() == ControlKind::Exit {
            self.stack.arrive.kind.next = GatherKind::Exit;
        } else if self.event.kind.val() == ControlKind::Barrier {
            self.stack.arrive.kind.next = GatherKind::Barrier;
        }
        // Nobody runs ahead.
        self.stack.arrive.bypass_low.next = false;
        self.stack.arrive.bypass_top.next = false;
        self.stack.arrive.consults.next = false;
        self.stack.arrive.predicts_bypass.next = false;
        self.path.consulted.next = 0.into();
        self.path.bypassed.next = 0.into();
        self.threads.exits.next = self.arrives.val() & !self.moves.val() & (self.event.kind.val() == ControlKind::Exit);
        self.threads.arrives.next =
            self.arrives.val() & !self.moves.val() & (self.event.kind.val() == ControlKind::Barrier);
        self.mismatch_valid.next = self.stack.mismatch_valid.val() | (self.serves.val() & self.divided.val());

        // A path becomes active: the compaction unit forms its warps, one a cycle from now on; the warp that arrived last leaves its slot just now.
        self.formed_pc.next = self.form_pc.q.val();
        self.formed_slots.next = self.form_slots.q.val();
        self.formed_right.next = self.forms_right.q.val();
        if self.stack.activate.valid.val() {
            self.formed_pc.next = self.stack.activate.pc.val();
            self.formed_slots.next = self.stack.engine_home_warps.val();
            self.formed_right.next = self.stack.activate_right.val();
            self.form_cta.d.next = self.stack.activate.cta.val();
        }
        self.evaluator.load.next = self.stack.activate.valid.val();
        self.left_bit.next = 0.into();
        self.vacant.next = !self.occupied[0].q.val();
        for s in 1..self.occupied.len() {
            if self.arrives.val() & (self.serves_right.val() == self.formed_right.val()) {
                self.left_bit.next = self.event_bit.val();
            }
            if self.formed_right.val() {
                self.vacant.next = !self.occupied[s].q.val();
            }
        }
        for k in 0..self.right.len() {
            self.evaluator.load.next = self.stack.activate.valid.val() | self.stack.counts_path[k].val();
            self.stack.compacted_warps[k].next = self.evaluator.compacted_warps.val();
            if self.arrives.val() {
                self.left_bit.next = self.event_bit.val();
            }
        }
        self.free.request.next = self.formed_slots.val() & (self.vacant.val() | self.left_bit.val());
        self.warp_formed.next = self.compaction.valid.val() & self.free.any.val();

        // A warp begins: formed or launched.
        self.begins.next = self.warp_formed.val();
        self.begins_right.next = self.formed_right.val();
        self.begin_warp.next = self.free.index.val();
        self.begin_pc.next = self.formed_pc.val();
        self.begin_lanes.next = self.compaction.lanes.val();
        for lane in 0..self.form.home_warps.len() {
            self.form.home_warps[lane].next = self.compaction.home_warps[lane].val();
        }
        if self.launch.valid.val() & self.stack.launch_ready.val() {
            self.begins.next = true;
            self.begins_right.next = false;
            self.begin_warp.next = self.launch.warp.val();
            self.begin_pc.next = self.launch.pc.val();
            self.begin_lanes.next = self.launch.mask.val();
            for lane in 0..self.form.home_warps.len() {
                self.form.home_warps[lane].next = self.launch.warp.val();
            }
        }
        self.form.valid.next = self.begins.val();
        self.form.warp.next = self.begin_warp.val();
        self.form_right.next = self.begins_right.val();

        // FETCH reads the warp, even in the cycle in which it is formed.
        self.fetch_pc.next = self.warp_pc[0].read_data[0].val();
        self.fetch_mask.next = self.warp_lanes[0].read_data[0].val();
        for s in 1..self.warp_pc.len() {
            if self.fetched_side.val().any() {
                self.fetch_pc.next = self.warp_pc[s].read_data[0].val();
                self.fetch_mask.next = self.warp_lanes[s].read_data[0].val();
            }
            if self.warp_formed.val()
                & (self.fetched_side.val().any() == self.formed_right.val())
                & (self.fetched.val() == self.free.index.val())
            {
                self.fetch_pc.next = self.formed_pc.val();
                self.fetch_mask.next = self.compaction.lanes.val();
            }
        }
        for _k in 0..self.right.len() {
            if self.warp_formed.val() & (self.fetched.val() == self.free.index.val()) {
                self.fetch_pc.next = self.formed_pc.val();
                self.fetch_mask.next = self.compaction.lanes.val();
            }
        }
        self.following_pc.d.next = self.fetch_pc.val() + 4;

        for s in 0..self.runnable.len() {
            self.begin_bits[s].next = 0.into();
            if self.begins.val() & (bit_cast_to(self.begins_right.val(), 1) == s) {
                self.begin_bits[s].next = self.one_warp.val() << self.begin_warp.val();
            }
            self.fetchable[s].next = self.runnable[s].q.val();
            if self.warp_formed.val() & (bit_cast_to(self.formed_right.val(), 1) == s) {
                self.fetchable[s].next = self.runnable[s].q.val() | self.free.one_hot.val();
            }
            for k in 0..self.right.len() {
                if self.begins.val() {
                    self.begin_bits[s].next = self.one_warp.val() << self.begin_warp.val();
                }
                if self.warp_formed.val() {
                    self.fetchable[s].next = self.runnable[s].q.val() | self.free.one_hot.val();
                }
                self.right[k].d.next = self.right[k].q.val() & !self.begin_bits[s].val();
                if self.begins_right.val() {
                    self.right[k].d.next = self.right[k].q.val() | self.begin_bits[s].val();
                }
            }
            self.warp_pc[s].write_enable[1].next = self.continues.val() & self.served[s].val();
            self.warp_pc[s].write_enable[2].next = self.begin_bits[s].val().any();
            self.warp_lanes[s].write_enable[0].next = self.begin_bits[s].val().any();
            self.occupied[s].d.next = self.occupied[s].q.val() | self.begin_bits[s].val();
            self.runnable[s].d.next =
                (self.runnable[s].q.val() & !self.blocked_bits[s].val()) | self.begin_bits[s].val();
            self.reached[s].d.next = self.reached[s].q.val() | self.stop_bits[s].val();
            if self.served[s].val() {
                self.reached[s].d.next = (self.reached[s].q.val() & !self.event_bit.val()) | self.stop_bits[s].val();
                if self.continues.val() {
                    self.runnable[s].d.next = (self.runnable[s].q.val() & !self.blocked_bits[s].val())
                        | self.begin_bits[s].val()
                        | self.event_bit.val();
                } else {
                    self.occupied[s].d.next =
                        (self.occupied[s].q.val() & !self.event_bit.val()) | self.begin_bits[s].val();
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/dual_path_compaction.rs"]
mod tests;
