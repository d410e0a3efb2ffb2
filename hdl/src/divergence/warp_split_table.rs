//! Warp-splits: the paths of subdivided warps, scheduled side by side.
//!
//! ```text
//!                     +---------------------------------------------------------+
//!  fetch_warp ------->| ActivePaths by side and warp <--------------------------|<--- decoded_*
//!  fetch_rpc -------->|    |            |                                       |---> fetchable[P], present[P], divided
//!  fetch_pc, _mask <--|<- merge         | allocate, free                        |
//!                     |                 |                                       |
//!  resolve_* -------->|--> PathEvents ------> engine, one per cycle             |---> claims
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
//! | `resolve_*` | | as at [`SpeStack`](super::SpeStack), of all warps; `resolve_subdividable`: the block at the branch's RPC is short |
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
use super::{ActivePaths, BranchSides, Path, PathEvents, ThreadReport};
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

        events: PathEvents = PathEvents::new(lanes, warps, sides) => {
            resolve, accept: claims, warp, select: server.one_hot, serve: serves,
        },
        /// The splits by side and warp, and where they end.
        splits: ActivePaths = ActivePaths::new(lanes, warps, sides, true) => {
            fetch_warp, fetch_pc, rpc_warp: fetched, new_rpc: fetch_rpc, decoded.warp, decoded.control,
            merge[0]: merged, merged_mask[0]: fetch_mask, resolve_warp[0]: resolved, warp,
        },
        // By warp: threads without a side, those of them at `bar.sync`, those that have ended since the warp was divided; all as far as the bits below say so.
        parked: Memory = by_warp(lanes, 1, 1) => {
            read_address[0]: warp, write_address[0]: warp, write_data[0]: next_parked,
        },
        barred: Memory = by_warp(lanes, 1, 1) => {
            read_address[0]: warp, write_enable[0]: waits, write_address[0]: warp,
        },
        exited: Memory = by_warp(lanes, 1, 1) => { read_address[0]: warp, write_address[0]: warp },
        /// By lane and warp: PC of a thread without a side.
        thread_pcs: Vec<Memory> = (0..lanes).map(|_| by_warp(32, 1, 1)).collect() => |lane| {
            read_address[0]: warp, write_address[0]: warp, write_data[0]: park.pc,
        },

        /// Bit per warp: it is divided.
        is_divided: Register = Register::new(warps) => { q: divided },
        /// Bit per warp: `parked` holds threads.
        has_parked: Register = Register::new(warps),
        /// Bit per warp: `barred` does.
        has_barred: Register = Register::new(warps),
        /// Bit per warp: and these may go on.
        has_freed: Register = Register::new(warps),
        /// Bit per warp: `exited` does.
        has_exited: Register = Register::new(warps),
        // By side, bit per warp: there is a split; it can be fetched.
        used: Vec<Register> = Register::vec(sides, warps) => |s| { q: present[s] },
        runnable: Vec<Register> = Register::vec(sides, warps) => |s| { q: fetchable[s] },

        one_warp: Constant = Constant::new(1, warps),
        turns: RoundRobinArbiter = RoundRobinArbiter::new(warps) => { request: any_event },
        turn: PriorityEncoder = PriorityEncoder::new(warps) => { request: turns.grant },
        unparking: PriorityEncoder = PriorityEncoder::new(warps),
        finishing: PriorityEncoder = PriorityEncoder::new(warps),
        sides: BranchSides = BranchSides::new(lanes, taken_first) => {
            event.taken: events.event.taken, event.mask: events.event.mask, event.target: events.event.target,
            event.next_pc: events.event.next_pc, event.rpc: splits.rpc,
        },
        threads: ThreadReport = ThreadReport::new(lanes, warps) => {
            warp, mask: events.event.mask, exits, arrives: waits, exit, arrive,
        },
        server: PriorityEncoder = PriorityEncoder::new(sides) => { request: pending_sides },
        free: PriorityEncoder = PriorityEncoder::new(sides) => { request: free_sides },
        lowest: PriorityEncoder = PriorityEncoder::new(lanes) => { request: parked_now },
        chosen_pc: OneHotMux = OneHotMux::new(32, lanes) => { select: lowest.one_hot },

        fetched: Net<Local> = warp,
        fetched_bit: Net<Local> = warps,
        fetch_divided: Signal<Local, Bit>,
        /// By side: the split meets the one that is fetched.
        meets: Vec<Signal<Local, Bit>> = bit_vec(sides),
        decode_warp: Net<Local> = warp,
        resolved: Net<Local> = warp,
        resolved_divided: Signal<Local, Bit>,
        both_ways: Signal<Local, Bit>,
        // By side, bit per warp.
        absorbed: Vec<Net<Local>> = Net::vec(sides, warps),
        open: Vec<Net<Local>> = Net::vec(sides, warps),
        // Bit per warp, of any side.
        any_event: Net<Local> = warps,
        any_open: Net<Local> = warps,
        any_used: Net<Local> = warps,
        any_busy: Net<Local> = warps,

        operation: Signal<Local, SplitOperation>,
        warp: Net<Local> = warp,
        warp_bit: Net<Local> = warps,
        pending_sides: Net<Local> = sides,
        free_sides: Net<Local> = sides,
        first_time: Signal<Local, Bit>,
        parked_now: Net<Local> = lanes,
        barred_now: Net<Local> = lanes,
        exited_now: Net<Local> = lanes,
        matching: Net<Local> = lanes,
        /// What is written to the side that is served, and to a free one.
        serves: Signal<Local, Bit>,
        stays: Signal<Local, Bit>,
        allocates: Signal<Local, Bit>,
        new: Path<Local> = Path::new(lanes),
        exits: Signal<Local, Bit>,
        parks: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        park: Path<Local> = Path::new(lanes),
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
        dff_setup!(self, clock, is_divided, has_parked, has_barred, has_freed, has_exited);

        // FETCH: the split, with those that it meets; DECODE advances it.
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._warp);
        self.fetched_bit.next = self.one_warp.val() << self.fetched.val();
        self.fetch_divided.next = (self.is_divided.q.val() & self.fetched_bit.val()).any();
        self.splits.write_rpc.next = self.fetch_valid.val() & !self.fetch_divided.val();
        self.decode_warp.next = bit_cast_to(self.decoded.warp.val(), self._warp);
        self.splits.decoded.valid.next = self.decoded.valid.val()
            & (self.is_divided.q.val() & (self.one_warp.val() << self.decode_warp.val())).any();
        self.fetch_mask.next = 0.into();
        self.merged.next = false;
        for s in 0..self.used.len() {
            self.meets[s].next = (self.runnable[s].q.val()
                & !self.slot_valid[s].val()
                & !self.splits.in_decode[s].val()
                & self.fetched_bit.val())
            .any()
                & (self.splits.fetch_pcs[s].val() == self.fetch_pc.val())
                & self.fetch_divided.val();
            if self.meets[s].val() | self.splits.is_fetched[s].val() {
                self.fetch_mask.next = self.fetch_mask.val() | self.splits.fetch_masks[s].val();
            }
            self.absorbed[s].next = 0.into();
            if self.meets[s].val() & !self.splits.is_fetched[s].val() & self.fetch_valid.val() {
                self.absorbed[s].next = self.fetched_bit.val();
                self.merged.next = true;
            }
        }

        // EXECUTE: what belongs here.
        self.resolved.next = bit_cast_to(self.resolve.warp.val(), self._warp);
        self.resolved_divided.next = (self.is_divided.q.val() & (self.one_warp.val() << self.resolved.val())).any();
        self.both_ways.next = self.resolve.taken.val().any()
            & (self.resolve.mask.val() & !self.resolve.taken.val()).any()
            & (self.resolve.target.val() != self.splits.resolve_rpc[0].val())
            & (self.resolve.next_pc.val() != self.splits.resolve_rpc[0].val());
        self.claims.next = self.resolve.valid.val()
            & (self.resolved_divided.val() | (self.resolve.annotation.subdividable.val() & self.both_ways.val()));

        // The engine chooses a warp.
        self.any_event.next = 0.into();
        self.any_open.next = 0.into();
        self.any_used.next = 0.into();
        self.any_busy.next = 0.into();
        for s in 0..self.used.len() {
            self.open[s].next = !self.used[s].q.val() & !self.slot_valid[s].val() & !self.splits.in_decode[s].val();
            self.any_event.next = self.any_event.val() | self.events.pending[s].val();
            self.any_open.next = self.any_open.val() | self.open[s].val();
            self.any_used.next = self.any_used.val() | self.used[s].q.val();
            self.any_busy.next = self.any_busy.val() | self.slot_valid[s].val() | self.splits.in_decode[s].val();
        }
        self.waiting.next = self.is_divided.q.val()
            & !self.any_used.val()
            & !self.has_parked.q.val()
            & self.has_barred.q.val()
            & !self.has_freed.q.val();
        self.turns.accept.next = false;
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
        for s in 0..self.used.len() {
            self.pending_sides.next =
                self.pending_sides.val().replace_bit(s, (self.events.pending[s].val() & self.warp_bit.val()).any());
            self.free_sides.next =
                self.free_sides.val().replace_bit(s, (self.open[s].val() & self.warp_bit.val()).any());
        }
        if self.first_time.val() {
            self.free_sides.next = self.free_sides.val() & !self.server.one_hot.val();
        }

        // Threads without a side: the lowest, and all that are where it is.
        for lane in 0..self.thread_pcs.len() {
            self.chosen_pc.inputs[lane].next = self.thread_pcs[lane].read_data[0].val();
        }
        self.matching.next = 0.into();
        for lane in 0..self.thread_pcs.len() {
            self.matching.next = self.matching.val().replace_bit(
                lane,
                self.parked_now.val().get_bit(lane)
                    & (self.thread_pcs[lane].read_data[0].val() == self.chosen_pc.selected.val()),
            );
        }

        // What changes, unless an operation says otherwise.
        self.exits.next = false;
        self.waits.next = false;
        self.finish_valid.next = false;
        self.finish_warp.next = self.warp.val();
        self.finish_mask.next = self.exited_now.val();
        self.subdivided.next = false;
        self.serves.next = false;
        self.stays.next = false;
        self.allocates.next = false;
        wire::join(&mut self.new, &mut self.sides.second);
        self.parks.next = false;
        wire::join(&mut self.park, &mut self.sides.second);
        self.next_parked.next = self.parked_now.val();
        self.exited.write_enable[0].next = false;
        self.exited.write_data[0].next = self.exited_now.val() | self.events.event.mask.val();
        self.freed.next =
            self.has_freed.q.val() | (self.barrier_release.val() & self.is_divided.q.val() & self.has_barred.q.val());
        self.has_freed.d.next = self.freed.val();

        match self.operation.val() {
            SplitOperation::Serve => {
                self.serves.next = true;
                self.is_divided.d.next = self.is_divided.q.val() | self.warp_bit.val();
                match self.events.event.kind.val() {
                    ControlKind::Exit => {
                        self.exits.next = true;
                        self.exited.write_enable[0].next = true;
                        self.has_exited.d.next = self.has_exited.q.val() | self.warp_bit.val();
                    }
                    ControlKind::Barrier => {
                        self.waits.next = true;
                        self.park.pc.next = self.events.event.next_pc.val();
                        self.park.mask.next = self.events.event.mask.val();
                        self.has_barred.d.next = self.has_barred.q.val() | self.warp_bit.val();
                    }
                    _ => {
                        self.stays.next = self.sides.continues.pc.val() != self.splits.rpc.val();
                        if self.sides.splits.val() & self.sides.both_run.val() {
                            self.subdivided.next = true;
                            if self.free.any.val() {
                                self.allocates.next = true;
                            } else {
                                self.parks.next = true;
                                self.next_parked.next = self.parked_now.val() | self.sides.second.mask.val();
                                self.has_parked.d.next = self.has_parked.q.val() | self.warp_bit.val();
                            }
                        }
                    }
                }
            }
            SplitOperation::Unpark => {
                self.allocates.next = true;
                self.new.pc.next = self.chosen_pc.selected.val();
                self.new.mask.next = self.matching.val();
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
        self.barred.write_data[0].next = self.barred_now.val() | self.events.event.mask.val();
        for lane in 0..self.thread_pcs.len() {
            self.thread_pcs[lane].write_enable[0].next =
                (self.parks.val() | self.waits.val()) & self.park.mask.val().get_bit(lane);
        }
        for s in 0..self.used.len() {
            self.kept_used[s].next = self.used[s].q.val() & !self.splits.ended[s].val() & !self.absorbed[s].val();
            self.kept_runnable[s].next =
                self.runnable[s].q.val() & !self.splits.blocked[s].val() & !self.absorbed[s].val();
            self.splits.write_pc[s].next = false;
            self.splits.write_mask[s].next = false;
            wire::join(&mut self.new, &mut self.splits.new[s]);
            self.used[s].d.next = self.kept_used[s].val();
            self.runnable[s].d.next = self.kept_runnable[s].val();
            if self.serves.val() & self.server.one_hot.val().get_bit(s) {
                wire::join(&mut self.sides.continues, &mut self.splits.new[s]);
                if self.stays.val() {
                    self.splits.write_pc[s].next = true;
                    self.splits.write_mask[s].next = true;
                    self.used[s].d.next = self.kept_used[s].val() | self.warp_bit.val();
                    self.runnable[s].d.next = self.kept_runnable[s].val() | self.warp_bit.val();
                } else {
                    self.used[s].d.next = self.kept_used[s].val() & !self.warp_bit.val();
                }
            } else if self.allocates.val() & self.free.one_hot.val().get_bit(s) {
                self.splits.write_pc[s].next = true;
                self.splits.write_mask[s].next = true;
                self.used[s].d.next = self.kept_used[s].val() | self.warp_bit.val();
                self.runnable[s].d.next = self.kept_runnable[s].val() | self.warp_bit.val();
            }
        }
    }
}
