//! Warp-splits: the paths of subdivided warps, scheduled side by side.
//!
//! ```text
//!                     +---------------------------------------------------------+
//!  fetch_warp ------->| {pc, mask} by side and warp <----- +4, ends at RPC -----|<--- decoded_*
//!  fetch_rpc -------->|    |            |                                       |---> fetchable[P], present[P], divided
//!  fetch_pc, _mask <--|<- merge         | allocate, free                        |
//!                     |                 |                                       |
//!  resolve_* -------->|--> EventTable x P --> engine, one per cycle             |---> claims
//!  enable ----------->|                 |  Serve Unpark Finish                  |---> arrive_*, exit_*, waiting
//!  barrier_release -->|                 v                                       |
//!                     | threads without a side: a PC each; waiting or not       |---> finish_*             (the stack)
//!                     +---------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `fetch_warp`, `fetch_valid` | p, 1 | the path fetched this cycle |
//! | `fetch_rpc` | 32 | RPC of the active stack entry of a warp that is not divided |
//! | `fetch_pc`, `fetch_mask` | 32, L | PC and lanes of the split, if the warp is divided |
//! | `divided` | W | the warp's paths are here, its stack rests |
//! | `fetchable[P]`, `present[P]` | W | by side: the split can be fetched; there is one |
//! | `decoded_valid`, `decoded_warp`, `decoded_control` | 1, p, 1 | as at [`SpeStack`](super::SpeStack), of divided warps |
//! | `slot_valid[P]` | W | by side: the warp buffer holds an instruction |
//! | `resolve_*` | | as at [`SpeStack`](super::SpeStack), of all warps; `resolve_short`: the block at the branch's RPC is short |
//! | `claims` | 1 | the instruction resolved this cycle is not for the stack |
//! | `barrier_release` | W | the warps' waiting threads may go on |
//! | `enable` | 1 | the engine may work: the stack reports nothing in this cycle |
//! | `finish_valid`, `finish_ready` | 1 | the warp is whole again at the RPC, at the edge when both are set |
//! | `finish_warp`, `finish_mask` | w, L | which, without these threads, which have ended |
//! | `arrive_*`, `exit_*` | | as at [`SpeStack`](super::SpeStack) |
//! | `waiting` | W | all that is left of the warp waits at `bar.sync` |
//! | `subdivided`, `merged` | 1 | a warp or a split is divided; two splits meet and go on as one |
//!
//! Latency: a split is fetchable again in the second cycle after its branch has been resolved, as its new sibling.
//!
//! State per warp: a PC and a mask by side, the RPC, a PC by lane for threads without a side, three masks.
//!
//! Source: Rhu 2014, 3.1.2 (Meng, Tarjan & Skadron 2010). A warp is divided at a divergent branch whose post-dominator begins a short block.
//! Its splits end where the active stack entry does, not at that post-dominator, and split again at every divergent branch. Two splits at
//! one PC merge when one of them is fetched and the other has nothing under way. The papers do not limit the number of splits. Here P of
//! a warp can be scheduled at once; a split that finds no side, or waits at `bar.sync`, gives its threads a PC each, and with
//! the next free side they come back, merged with all others at the same PC.
use super::{BranchSides, EventTable};
use crate::interface::{ControlKind, Decoded, Resolve, ThreadEvent};
use crate::parts::{OneHotMux, RoundRobinArbiter};
use crate::prelude::*;

hardware_enum! {
    /// What the engine does in a cycle.
    pub enum SplitOperation {
        /// Nothing to do.
        Idle,
        /// A control instruction takes effect.
        Serve,
        /// Threads without a side get a free one.
        Unpark,
        /// A warp goes back to its stack.
        Finish,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct WarpSplitTable: clock, reset {
        pub fetch_warp: Net<In> = path,
        pub fetch_valid: Signal<In, Bit>,
        pub fetch_rpc: Net<In> = 32,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub divided: Net<Out> = warps,
        pub fetchable: Vec<Net<Out>> = Net::vec(sides, warps),
        pub present: Vec<Net<Out>> = Net::vec(sides, warps),
        pub decoded: Decoded<In> = Decoded::new(lanes, path),
        pub slot_valid: Vec<Net<In>> = Net::vec(sides, warps),
        pub resolve: Resolve<In> = Resolve::new(lanes, path, warp, 1),
        pub claims: Signal<Out, Bit>,
        pub barrier_release: Net<In> = warps,
        pub enable: Signal<In, Bit>,
        pub finish_valid: Signal<Out, Bit>,
        pub finish_ready: Signal<In, Bit>,
        pub finish_warp: Net<Out> = warp,
        pub finish_mask: Net<Out> = lanes,
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub waiting: Net<Out> = warps,
        pub subdivided: Signal<Out, Bit>,
        pub merged: Signal<Out, Bit>,

        /// By side.
        events: Vec<EventTable> = (0..sides).map(|_| EventTable::new(lanes, warps, false, false)).collect(),
        // By side and warp: the split.
        pcs: Vec<Memory> = (0..sides).map(|_| by_warp(32, 1, 2)).collect(),
        masks: Vec<Memory> = (0..sides).map(|_| by_warp(lanes, 1, 2)).collect(),
        /// By warp: where the splits end.
        rpcs: Memory = by_warp(32, 3, 1),
        // By warp: threads without a side, those of them at `bar.sync`, those that have ended since the warp was divided; all as far as the bits below say so.
        parked: Memory = by_warp(lanes, 1, 1),
        barred: Memory = by_warp(lanes, 1, 1),
        exited: Memory = by_warp(lanes, 1, 1),
        /// By lane and warp: PC of a thread without a side.
        thread_pcs: Vec<Memory> = (0..lanes).map(|_| by_warp(32, 1, 1)).collect(),

        /// Bit per warp: it is divided.
        is_divided: Register = Register::new(warps),
        /// Bit per warp: `parked` holds threads.
        has_parked: Register = Register::new(warps),
        /// Bit per warp: `barred` does.
        has_barred: Register = Register::new(warps),
        /// Bit per warp: and these may go on.
        has_freed: Register = Register::new(warps),
        /// Bit per warp: `exited` does.
        has_exited: Register = Register::new(warps),
        // By side, bit per warp: there is a split; it can be fetched.
        used: Vec<Register> = Register::vec(sides, warps),
        runnable: Vec<Register> = Register::vec(sides, warps),

        // DECODE: the fetched PC + 4, and whether the split ends there.
        following_pc: Flop = Flop::new(32),
        following_is_rpc: Flop = Flop::new(1),

        one_warp: Constant = Constant::new(1, warps),
        /// Which side, as a path number of warp 0.
        sides: Vec<Constant> = (0..sides).map(|side| Constant::new((side << warp) as u64, path)).collect(),
        side_bits: Constant = Constant::new(mask(path) ^ mask(warp), path),

        turns: RoundRobinArbiter = RoundRobinArbiter::new(warps),
        turn: PriorityEncoder = PriorityEncoder::new(warps),
        unparking: PriorityEncoder = PriorityEncoder::new(warps),
        finishing: PriorityEncoder = PriorityEncoder::new(warps),
        branch: BranchSides = BranchSides::new(lanes, taken_first),
        lanes: Popcount = Popcount::new(lanes),
        server: PriorityEncoder = PriorityEncoder::new(sides),
        free: PriorityEncoder = PriorityEncoder::new(sides),
        lowest: PriorityEncoder = PriorityEncoder::new(lanes),
        chosen_pc: OneHotMux = OneHotMux::new(32, lanes),

        fetched: Net<Local> = warp,
        fetched_bit: Net<Local> = warps,
        fetched_side: Net<Local> = path,
        fetch_divided: Signal<Local, Bit>,
        /// By side: it is this split that is fetched; it meets the one that is.
        is_fetched: Vec<Signal<Local, Bit>> = bit_vec(sides),
        meets: Vec<Signal<Local, Bit>> = bit_vec(sides),
        next_pc: Net<Local> = 32,
        decode_warp: Net<Local> = warp,
        decoded_bit: Net<Local> = warps,
        decoded_side: Net<Local> = path,
        resolved: Net<Local> = warp,
        resolved_side: Net<Local> = path,
        resolved_divided: Signal<Local, Bit>,
        both_ways: Signal<Local, Bit>,
        // By side, bit per warp
        in_decode: Vec<Net<Local>> = Net::vec(sides, warps),
        ended: Vec<Net<Local>> = Net::vec(sides, warps),
        blocked: Vec<Net<Local>> = Net::vec(sides, warps),
        absorbed: Vec<Net<Local>> = Net::vec(sides, warps),
        open: Vec<Net<Local>> = Net::vec(sides, warps),
        /// Bit per warp, of any side
        any_event: Net<Local> = warps,
        any_open: Net<Local> = warps,
        any_used: Net<Local> = warps,
        any_busy: Net<Local> = warps,

        operation: Signal<Local, SplitOperation>,
        warp: Net<Local> = warp,
        warp_bit: Net<Local> = warps,
        pending_sides: Net<Local> = sides,
        free_sides: Net<Local> = sides,
        kind: Signal<Local, ControlKind>,
        taken: Net<Local> = lanes,
        event_lanes: Net<Local> = lanes,
        target: Net<Local> = 32,
        following: Net<Local> = 32,
        first_time: Signal<Local, Bit>,
        parked_now: Net<Local> = lanes,
        barred_now: Net<Local> = lanes,
        exited_now: Net<Local> = lanes,
        matching: Net<Local> = lanes,
        both: Signal<Local, Bit>,
        lone_pc: Net<Local> = 32,
        lone_mask: Net<Local> = lanes,
        /// What is written to the side that is served, and to a free one.
        serves: Signal<Local, Bit>,
        stays: Signal<Local, Bit>,
        stay_pc: Net<Local> = 32,
        stay_mask: Net<Local> = lanes,
        allocates: Signal<Local, Bit>,
        new_pc: Net<Local> = 32,
        new_mask: Net<Local> = lanes,
        parks: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        park_pc: Net<Local> = 32,
        park_mask: Net<Local> = lanes,
        next_parked: Net<Local> = lanes,
        freed: Net<Local> = warps,
        kept_used: Vec<Net<Local>> = Net::vec(sides, warps),
        kept_runnable: Vec<Net<Local>> = Net::vec(sides, warps),
    }
    sizes { _warp = warp }
    /// For `warps` warps of `lanes` threads, `sides` of whose splits can be scheduled at once.
    pub fn new(lanes: usize, warps: usize, sides: usize, taken_first: bool) {
        let warp = index_width(warps);
        let path = warp + sides.ilog2() as usize;
        let by_warp = |width, reads, writes| Memory::new(width, warps, reads, writes, ReadKind::Asynchronous);
    }
}

impl Logic for WarpSplitTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpSplitTable");
        dff_setup!(
            self,
            clock,
            is_divided,
            has_parked,
            has_barred,
            has_freed,
            has_exited,
            following_pc,
            following_is_rpc
        );

        // FETCH: the split, with those that it meets.
        self.divided.next = self.is_divided.q.val();
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._warp);
        self.fetched_side.next = self.fetch_warp.val() & self.side_bits.val();
        self.fetched_bit.next = self.one_warp.val() << self.fetched.val();
        self.fetch_divided.next = (self.is_divided.q.val() & self.fetched_bit.val()).any();
        self.rpcs.read_address[0].next = self.fetched.val();
        self.rpcs.write_enable[0].next = self.fetch_valid.val() & !self.fetch_divided.val();
        self.rpcs.write_address[0].next = self.fetched.val();
        self.rpcs.write_data[0].next = self.fetch_rpc.val();

        // DECODE advances it.
        self.decode_warp.next = bit_cast_to(self.decoded.warp.val(), self._warp);
        self.decoded_side.next = self.decoded.warp.val() & self.side_bits.val();
        self.decoded_bit.next = 0.into();
        if self.decoded.valid.val() {
            self.decoded_bit.next = self.is_divided.q.val() & (self.one_warp.val() << self.decode_warp.val());
        }
        self.fetch_pc.next = 0.into();
        for s in 0..self.pcs.len() {
            self.pcs[s].read_address[0].next = self.fetched.val();
            self.masks[s].read_address[0].next = self.fetched.val();
            self.is_fetched[s].next = self.fetched_side.val() == self.sides[s].val();
            if self.is_fetched[s].val() {
                self.fetch_pc.next = self.pcs[s].read_data[0].val();
            }
            self.in_decode[s].next = 0.into();
            if self.decoded_side.val() == self.sides[s].val() {
                self.in_decode[s].next = self.decoded_bit.val();
            }
            self.pcs[s].write_enable[0].next = self.in_decode[s].val().any() & !self.decoded.control.val();
            self.pcs[s].write_address[0].next = self.decode_warp.val();
            self.pcs[s].write_data[0].next = self.following_pc.q.val();
            self.ended[s].next = 0.into();
            self.blocked[s].next = 0.into();
            if self.decoded.control.val() {
                self.blocked[s].next = self.in_decode[s].val();
            } else if self.following_is_rpc.q.val().any() {
                self.blocked[s].next = self.in_decode[s].val();
                self.ended[s].next = self.in_decode[s].val();
            }
            self.fetchable[s].next = self.runnable[s].q.val();
            self.present[s].next = self.used[s].q.val();
        }
        self.fetch_mask.next = 0.into();
        self.merged.next = false;
        for s in 0..self.pcs.len() {
            self.meets[s].next = (self.runnable[s].q.val()
                & !self.slot_valid[s].val()
                & !self.in_decode[s].val()
                & self.fetched_bit.val())
            .any()
                & (self.pcs[s].read_data[0].val() == self.fetch_pc.val())
                & self.fetch_divided.val();
            if self.meets[s].val() | self.is_fetched[s].val() {
                self.fetch_mask.next = self.fetch_mask.val() | self.masks[s].read_data[0].val();
            }
            self.absorbed[s].next = 0.into();
            if self.meets[s].val() & !self.is_fetched[s].val() & self.fetch_valid.val() {
                self.absorbed[s].next = self.fetched_bit.val();
                self.merged.next = true;
            }
        }
        self.next_pc.next = self.fetch_pc.val() + 4;
        self.following_pc.d.next = self.next_pc.val();
        self.following_is_rpc.d.next = bit_cast_to(self.next_pc.val() == self.rpcs.read_data[0].val(), 1);

        // EXECUTE: what belongs here.
        self.resolved.next = bit_cast_to(self.resolve.warp.val(), self._warp);
        self.resolved_side.next = self.resolve.warp.val() & self.side_bits.val();
        self.resolved_divided.next = (self.is_divided.q.val() & (self.one_warp.val() << self.resolved.val())).any();
        self.rpcs.read_address[1].next = self.resolved.val();
        self.both_ways.next = self.resolve.taken.val().any()
            & (self.resolve.mask.val() & !self.resolve.taken.val()).any()
            & (self.resolve.target.val() != self.rpcs.read_data[1].val())
            & (self.resolve.next_pc.val() != self.rpcs.read_data[1].val());
        self.claims.next = self.resolve.valid.val()
            & (self.resolved_divided.val() | (self.resolve.annotation.short.val() & self.both_ways.val()));

        // The engine chooses a warp.
        self.any_event.next = 0.into();
        self.any_open.next = 0.into();
        self.any_used.next = 0.into();
        self.any_busy.next = 0.into();
        for s in 0..self.events.len() {
            self.open[s].next = !self.used[s].q.val() & !self.slot_valid[s].val() & !self.in_decode[s].val();
            self.any_event.next = self.any_event.val() | self.events[s].pending.val();
            self.any_open.next = self.any_open.val() | self.open[s].val();
            self.any_used.next = self.any_used.val() | self.used[s].q.val();
            self.any_busy.next = self.any_busy.val() | self.slot_valid[s].val() | self.in_decode[s].val();
        }
        self.waiting.next = self.is_divided.q.val()
            & !self.any_used.val()
            & !self.has_parked.q.val()
            & self.has_barred.q.val()
            & !self.has_freed.q.val();
        self.turns.request.next = self.any_event.val();
        self.turns.accept.next = false;
        self.turn.request.next = self.turns.grant.val();
        self.unparking.request.next =
            self.is_divided.q.val() & (self.has_parked.q.val() | self.has_freed.q.val()) & self.any_open.val();
        self.finishing.request.next = self.is_divided.q.val()
            & !self.any_used.val()
            & !self.any_busy.val()
            & !self.has_parked.q.val()
            & !self.has_barred.q.val();
        self.operation.next = SplitOperation::Idle;
        self.warp.next = self.turn.index.val();
        if self.enable.val() {
            if self.turns.any.val() {
                self.operation.next = SplitOperation::Serve;
                self.turns.accept.next = true;
            } else if self.unparking.any.val() {
                self.operation.next = SplitOperation::Unpark;
                self.warp.next = self.unparking.index.val();
            } else if self.finishing.any.val() {
                self.operation.next = SplitOperation::Finish;
                self.warp.next = self.finishing.index.val();
            }
        }
        self.warp_bit.next = self.one_warp.val() << self.warp.val();

        // It reads the state of that warp.
        self.rpcs.read_address[2].next = self.warp.val();
        self.parked.read_address[0].next = self.warp.val();
        self.barred.read_address[0].next = self.warp.val();
        self.exited.read_address[0].next = self.warp.val();
        self.first_time.next = !(self.is_divided.q.val() & self.warp_bit.val()).any();
        self.barred_now.next = 0.into();
        if (self.has_barred.q.val() & self.warp_bit.val()).any() {
            self.barred_now.next = self.barred.read_data[0].val();
        }
        self.parked_now.next = 0.into();
        if (self.has_parked.q.val() & self.warp_bit.val()).any() {
            self.parked_now.next = self.parked.read_data[0].val();
        }
        if (self.has_freed.q.val() & self.warp_bit.val()).any() {
            self.parked_now.next = self.parked_now.val() | self.barred_now.val();
        }
        self.exited_now.next = 0.into();
        if (self.has_exited.q.val() & self.warp_bit.val()).any() {
            self.exited_now.next = self.exited.read_data[0].val();
        }
        self.pending_sides.next = 0.into();
        self.free_sides.next = 0.into();
        for s in 0..self.events.len() {
            self.events[s].warp.next = self.warp.val();
            self.pending_sides.next =
                self.pending_sides.val().replace_bit(s, (self.events[s].pending.val() & self.warp_bit.val()).any());
            self.free_sides.next =
                self.free_sides.val().replace_bit(s, (self.open[s].val() & self.warp_bit.val()).any());
        }
        self.server.request.next = self.pending_sides.val();
        if self.first_time.val() {
            self.free_sides.next = self.free_sides.val() & !self.server.one_hot.val();
        }
        self.free.request.next = self.free_sides.val();
        self.kind.next = ControlKind::Branch;
        self.taken.next = 0.into();
        self.event_lanes.next = 0.into();
        self.target.next = 0.into();
        self.following.next = 0.into();
        for s in 0..self.events.len() {
            if self.server.one_hot.val().get_bit(s) {
                self.kind.next = self.events[s].kind.val();
                self.taken.next = self.events[s].taken.val();
                self.event_lanes.next = self.events[s].lanes.val();
                self.target.next = self.events[s].target.val();
                self.following.next = self.events[s].following.val();
            }
        }
        self.branch.taken.next = self.taken.val();
        self.branch.lanes.next = self.event_lanes.val();
        self.branch.target.next = self.target.val();
        self.branch.following.next = self.following.val();
        self.branch.rpc.next = self.rpcs.read_data[2].val();
        self.both.next = self.branch.splits.val() & self.branch.first_runs.val() & self.branch.second_runs.val();
        self.lone_pc.next = self.branch.goes_to.val();
        self.lone_mask.next = self.event_lanes.val();
        if self.branch.splits.val() {
            if self.branch.first_runs.val() {
                self.lone_pc.next = self.branch.first_pc.val();
                self.lone_mask.next = self.branch.first_mask.val();
            } else {
                self.lone_pc.next = self.branch.second_pc.val();
                self.lone_mask.next = self.branch.second_mask.val();
            }
        }

        // Threads without a side: the lowest, and all that are where it is.
        self.lowest.request.next = self.parked_now.val();
        for lane in 0..self.thread_pcs.len() {
            self.thread_pcs[lane].read_address[0].next = self.warp.val();
            self.chosen_pc.inputs[lane].next = self.thread_pcs[lane].read_data[0].val();
        }
        self.chosen_pc.select.next = self.lowest.one_hot.val();
        self.matching.next = 0.into();
        for lane in 0..self.thread_pcs.len() {
            self.matching.next = self.matching.val().replace_bit(
                lane,
                self.parked_now.val().get_bit(lane)
                    & (self.thread_pcs[lane].read_data[0].val() == self.chosen_pc.selected.val()),
            );
        }

        // What changes, unless an operation says otherwise.
        self.lanes.value.next = self.event_lanes.val();
        self.arrive.valid.next = false;
        self.arrive.warp.next = self.warp.val();
        self.arrive.count.next = self.lanes.count.val();
        self.exit.valid.next = false;
        self.exit.warp.next = self.warp.val();
        self.exit.count.next = self.lanes.count.val();
        self.finish_valid.next = false;
        self.finish_warp.next = self.warp.val();
        self.finish_mask.next = self.exited_now.val();
        self.subdivided.next = false;
        self.serves.next = false;
        self.stays.next = false;
        self.stay_pc.next = self.lone_pc.val();
        self.stay_mask.next = self.lone_mask.val();
        self.allocates.next = false;
        self.new_pc.next = self.branch.second_pc.val();
        self.new_mask.next = self.branch.second_mask.val();
        self.parks.next = false;
        self.waits.next = false;
        self.park_pc.next = self.branch.second_pc.val();
        self.park_mask.next = self.branch.second_mask.val();
        self.next_parked.next = self.parked_now.val();
        self.exited.write_enable[0].next = false;
        self.exited.write_address[0].next = self.warp.val();
        self.exited.write_data[0].next = self.exited_now.val() | self.event_lanes.val();
        self.freed.next =
            self.has_freed.q.val() | (self.barrier_release.val() & self.is_divided.q.val() & self.has_barred.q.val());
        self.has_freed.d.next = self.freed.val();

        match self.operation.val() {
            SplitOperation::Serve => {
                self.serves.next = true;
                self.is_divided.d.next = self.is_divided.q.val() | self.warp_bit.val();
                match self.kind.val() {
                    ControlKind::Exit => {
                        self.exit.valid.next = true;
                        self.exited.write_enable[0].next = true;
                        self.has_exited.d.next = self.has_exited.q.val() | self.warp_bit.val();
                    }
                    ControlKind::Barrier => {
                        self.arrive.valid.next = true;
                        self.waits.next = true;
                        self.park_pc.next = self.following.val();
                        self.park_mask.next = self.event_lanes.val();
                        self.has_barred.d.next = self.has_barred.q.val() | self.warp_bit.val();
                    }
                    _ => {
                        self.stays.next = self.lone_pc.val() != self.rpcs.read_data[2].val();
                        if self.both.val() {
                            self.subdivided.next = true;
                            if self.free.any.val() {
                                self.allocates.next = true;
                            } else {
                                self.parks.next = true;
                                self.next_parked.next = self.parked_now.val() | self.branch.second_mask.val();
                                self.has_parked.d.next = self.has_parked.q.val() | self.warp_bit.val();
                            }
                        }
                    }
                }
            }
            SplitOperation::Unpark => {
                self.allocates.next = true;
                self.new_pc.next = self.chosen_pc.selected.val();
                self.new_mask.next = self.matching.val();
                self.next_parked.next = self.parked_now.val() & !self.matching.val();
                self.has_parked.d.next = self.has_parked.q.val() & !self.warp_bit.val();
                if self.next_parked.val().any() {
                    self.has_parked.d.next = self.has_parked.q.val() | self.warp_bit.val();
                }
                if (self.has_freed.q.val() & self.warp_bit.val()).any() {
                    self.has_freed.d.next = self.freed.val() & !self.warp_bit.val();
                    self.has_barred.d.next = self.has_barred.q.val() & !self.warp_bit.val();
                }
            }
            SplitOperation::Finish => {
                self.finish_valid.next = true;
                if self.finish_ready.val() {
                    self.is_divided.d.next = self.is_divided.q.val() & !self.warp_bit.val();
                    self.has_exited.d.next = self.has_exited.q.val() & !self.warp_bit.val();
                }
            }
            _ => {}
        }

        self.parked.write_enable[0].next = self.parks.val() | (self.allocates.val() & !self.serves.val());
        self.parked.write_address[0].next = self.warp.val();
        self.parked.write_data[0].next = self.next_parked.val();
        self.barred.write_enable[0].next = self.waits.val();
        self.barred.write_address[0].next = self.warp.val();
        self.barred.write_data[0].next = self.barred_now.val() | self.event_lanes.val();
        for lane in 0..self.thread_pcs.len() {
            self.thread_pcs[lane].write_enable[0].next =
                (self.parks.val() | self.waits.val()) & self.park_mask.val().get_bit(lane);
            self.thread_pcs[lane].write_address[0].next = self.warp.val();
            self.thread_pcs[lane].write_data[0].next = self.park_pc.val();
        }
        for s in 0..self.events.len() {
            self.events[s].resolve.valid.next = self.claims.val() & (self.resolved_side.val() == self.sides[s].val());
            self.events[s].resolve.warp.next = self.resolved.val();
            wire::join(&mut self.resolve.kind, &mut self.events[s].resolve.kind);
            wire::join(&mut self.resolve.taken, &mut self.events[s].resolve.taken);
            wire::join(&mut self.resolve.mask, &mut self.events[s].resolve.mask);
            wire::join(&mut self.resolve.target, &mut self.events[s].resolve.target);
            wire::join(&mut self.resolve.next_pc, &mut self.events[s].resolve.next_pc);
            self.events[s].resolve.annotation.rpc.next = 1.into();
            self.events[s].resolve.annotation.rpc_valid.next = false;
            self.events[s].serve.next = self.serves.val() & self.server.one_hot.val().get_bit(s);

            self.kept_used[s].next = self.used[s].q.val() & !self.ended[s].val() & !self.absorbed[s].val();
            self.kept_runnable[s].next = self.runnable[s].q.val() & !self.blocked[s].val() & !self.absorbed[s].val();
            self.pcs[s].write_enable[1].next = false;
            self.pcs[s].write_address[1].next = self.warp.val();
            self.pcs[s].write_data[1].next = self.new_pc.val();
            self.masks[s].write_enable[0].next = false;
            self.masks[s].write_address[0].next = self.warp.val();
            self.masks[s].write_data[0].next = self.new_mask.val();
            self.used[s].d.next = self.kept_used[s].val();
            self.runnable[s].d.next = self.kept_runnable[s].val();
            if self.serves.val() & self.server.one_hot.val().get_bit(s) {
                self.pcs[s].write_data[1].next = self.stay_pc.val();
                self.masks[s].write_data[0].next = self.stay_mask.val();
                if self.stays.val() {
                    self.pcs[s].write_enable[1].next = true;
                    self.masks[s].write_enable[0].next = true;
                    self.used[s].d.next = self.kept_used[s].val() | self.warp_bit.val();
                    self.runnable[s].d.next = self.kept_runnable[s].val() | self.warp_bit.val();
                } else {
                    self.used[s].d.next = self.kept_used[s].val() & !self.warp_bit.val();
                }
            } else if self.allocates.val() & self.free.one_hot.val().get_bit(s) {
                self.pcs[s].write_enable[1].next = true;
                self.masks[s].write_enable[0].next = true;
                self.used[s].d.next = self.kept_used[s].val() | self.warp_bit.val();
                self.runnable[s].d.next = self.kept_runnable[s].val() | self.warp_bit.val();
            }
            // A split that is fetched takes in those that it meets.
            self.masks[s].write_enable[1].next = self.merged.val() & self.is_fetched[s].val();
            self.masks[s].write_address[1].next = self.fetched.val();
            self.masks[s].write_data[1].next = self.fetch_mask.val();
        }
    }
}
