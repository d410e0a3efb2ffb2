//! Dual-path execution: a reconvergence stack per warp whose entries hold both sides of a branch, and both may run.
//!
//! ```text
//!                     +---------------------------------------------------------+
//!  fetch_warp ------->| ActivePaths: the active entry of every warp <-----------|<--- decoded_*
//!  fetch_pc, _mask <--| {pc, mask} left, {pc, mask} right, rpc, index           |
//!                     |                                |                        |---> fetchable[2], present[2], waiting
//!  resolve_* -------->|--> PathEvents ------> +--------+-------------+          |
//!  launch_* --------->|---------------------> | StackEngine, one a   |          |---> finished_*, arrive_*, exit_*
//!  launch_ready <-----|                       | cycle: Settle Launch |--------->|---> overflow_*, depth, pushed, suspended
//!                     |    unsettled -------> | Resolve              |          |---> copy_*           (scoreboard)
//!  barrier_release -->|--> BarrierEntries     +--------+-------------+          |
//!                     |                                | store, walk down       |
//!                     | StackEntries, StackWalk, FreeEntry                      |<--- slot_valid[2]
//!                     | {pc, mask} left, {pc, mask} right, rpc                  |---> hold[2], flush[2]
//!                     +---------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_valid`, `launch_ready` | 1 | a warp starts, on its left side, at the edge when both are set |
//! | `launch_warp`, `launch_pc`, `launch_mask` | w, 32, L | which, where, with which lanes |
//! | `fetchable[2]` | W | by side: the path of the active entry can be fetched |
//! | `present[2]` | W | by side: the active entry has such a path, fetchable or with an unresolved control instruction |
//! | `fetch_warp` | p | the path fetched this cycle, {side, warp} |
//! | `fetch_pc`, `fetch_mask` | 32, L | its PC and lanes |
//! | `decoded_valid`, `decoded_warp` | 1, p | the path fetched in the last cycle is in DECODE; it is not fetched in this cycle |
//! | `decoded_control` | 1 | with a control instruction: it is fetched again only after its `resolve` |
//! | `slot_valid[2]` | W | by side: the warp buffer holds an instruction of this path |
//! | `hold[2]` | W | by side: this path is about to be suspended, its instruction must not issue |
//! | `flush[2]` | W | by side: and is dropped, to be fetched again when the path resumes |
//! | `resolve_*` | | outcome of a control instruction, see [`PathEvents`]; `resolve_warp` is a path |
//! | `barrier_release` | W | the warps' waiting paths may go on |
//! | `copy_valid`, `copy_warp` | 1, w | from now on a thread of this warp may run on another side than before |
//! | `finished_valid`, `finished_warp` | 1, w | its last thread has ended |
//! | `arrive_valid`, `arrive_warp`, `arrive_count` | 1, w, n | threads that begin to wait at `bar.sync` |
//! | `exit_valid`, `exit_warp`, `exit_count` | 1, w, n | threads that end |
//! | `waiting` | W | nothing runnable: every live thread waits |
//! | `overflow_valid`, `overflow_warp`, `overflow_pc` | 1, w, 32 | the branch at `overflow_pc` found no free entry; the engine stops there |
//! | `depth` | d | entries up to and including the one just pushed, else 0; its maximum is the stack's depth |
//! | `pushed`, `suspended` | 1 | an entry is pushed; it suspends a live path of the entry below |
//!
//! Latency: as [`SpeStack`](super::SpeStack), but a divergent branch takes one cycle whatever its sides; three more if it suspends a path.
//!
//! State per warp: the active entry, the stored entries with a bit vector by side of those in use and of those at `bar.sync`, the live lanes,
//! nine bits a side. An entry is {PC, mask} left, {PC, mask} right, RPC: Rhu 2014, 3.2.1.
//!
//! Source: Rhu 2014, 3.2. Where it is silent: what [`SpeStack`](super::SpeStack) says of slot reuse, holes and barriers holds by path. A lone
//! side of a branch stays on the side of the path that diverged, so that a warp without interleavable branches never leaves its
//! left side, and pays for the other in nothing.
//!
//! Why this structure. *The active entry is stored too*, without its PCs, and each path of it writes its own fields back when it stops: so nothing is copied, and
//! suspending costs one write. *The path suspended by the other's divergence may have an instruction in the buffer or in the pipeline.* One in the
//! buffer is dropped: the buffer belongs to the new entry's path, and it may wait for a load for long. One in the pipeline is at most a control
//! instruction that resolves in two cycles, and is served first; if it diverges as well, its entry is pushed beneath the other's. *A path that ends
//! leaves its last instruction in the buffer*, and its threads must not overtake it from the other side. So an entry is activated only
//! if neither of its paths runs while the other side's buffer still holds an instruction; a warp that goes on where it was need not wait.
//! A new path may start on the side that the ended one has left, and is suspended before the buffer is free: then that instruction is neither held nor dropped.
use super::{
    ActivePaths, BarrierEntries, BranchSides, FreeEntry, LiveThreads, Path, PathEvents, StackEngine, StackEntries,
    StackOperation, StackWalk,
};
use crate::interface::{ControlKind, Decoded, Launch, Resolve, ThreadEvent, WarpEvent, WarpFault};
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct DualPathStack: clock, reset {
        pub launch: Launch<In> = Launch::new(lanes, warp),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Vec<Net<Out>> = Net::vec(2, warps),
        pub present: Vec<Net<Out>> = Net::vec(2, warps),
        pub fetch_warp: Net<In> = warp + 1,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::new(lanes, path),
        pub slot_valid: Vec<Net<In>> = Net::vec(2, warps),
        pub hold: Vec<Net<Out>> = Net::vec(2, warps),
        pub flush: Vec<Net<Out>> = Net::vec(2, warps),
        pub resolve: Resolve<In> = Resolve::new(lanes, path, warp, 1),
        pub barrier_release: Net<In> = warps,
        pub copy: WarpEvent<Out> = WarpEvent::new(warp),
        pub finished: WarpEvent<Out> = WarpEvent::new(warp),
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub waiting: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::new(warp),
        pub depth: Net<Out> = index_width(entries + 1),
        pub pushed: Signal<Out, Bit>,
        pub suspended: Signal<Out, Bit>,

        events: PathEvents = PathEvents::new(lanes, warps, 2) => { resolve, warp: engine.warp, serve: served },
        turns: RoundRobinArbiter = RoundRobinArbiter::new(warps),
        turn: PriorityEncoder = PriorityEncoder::new(warps) => { request: turns.grant },
        engine: StackEngine = StackEngine::new(warps, false) => {
            launch_valid: launch.valid, launch_warp: launch.warp, launch_ready, event_valid: turns.any,
            event_warp: turn.index, warp: copy.warp, settled: stops,
        },
        // The active entry of every warp, and its index.
        paths: ActivePaths = ActivePaths::new(lanes, warps, 2, false) => {
            fetch_warp, fetch_pc, fetch_mask, decoded, warp: engine.warp, rpc_warp: engine.warp, write_rpc: replaces,
        },
        active_index: Memory = by_warp(index_width(entries)) => {
            read_address[0]: engine.warp, read_data[0]: active, write_enable[0]: replaces,
            write_address[0]: engine.warp,
        },
        // All entries; by side and warp, those that have such a path.
        entries: StackEntries = StackEntries::new(lanes, warps, entries, 2) => { warp: engine.warp, index: walk.index },
        stored: Vec<Memory> = (0..2).map(|_| by_warp(entries)).collect() => |s| {
            read_address[0]: engine.warp, write_enable[0]: acts, write_address[0]: engine.warp,
            write_data[0]: stored_next[s],
        },
        walk: StackWalk = StackWalk::new(entries, lanes) => { restart: stops, forget: stops, passed: found_rest },
        free: FreeEntry = FreeEntry::new(entries) => { active },
        sides: BranchSides = BranchSides::new(lanes, taken_first) => { event: events.event },
        threads: LiveThreads = LiveThreads::new(lanes, warps) => {
            warp: engine.warp, launch_mask: launch.mask, exits, arrives: waits, mask: events.event.mask, exit, arrive,
        },
        barrier: BarrierEntries = BarrierEntries::new(warps, entries, 2) => {
            warp: engine.warp, barrier_release, waiting, slot: free.slot, park: parks,
        },

        // By side, a bit per warp, of the active entry's path:
        /// it can be fetched, unless held;
        runnable: Vec<Register> = Register::vec(2, warps),
        /// it runs;
        running: Vec<Register> = Register::vec(2, warps) => |s| { q: present[s], d: next_running[s] },
        /// it has ended at the RPC, and `stored` does not know yet;
        over: Vec<Register> = Register::vec(2, warps),
        /// its control instruction has not been served;
        unresolved: Vec<Register> = Register::vec(2, warps),
        /// it must come to rest, for the other path waits to suspend it;
        held: Vec<Register> = Register::vec(2, warps),
        /// it started while the buffer held the last instruction of one that had ended;
        followed: Vec<Register> = Register::vec(2, warps),
        /// an instruction of it has been dropped, and its PC is one too far;
        flushed: Vec<Register> = Register::vec(2, warps),
        /// its new entry lies above already, and it is to resume at its PC.
        diverted: Vec<Register> = Register::vec(2, warps),

        /// Bit per warp: the left path's branch waits for the right one's to be served.
        deferred: Register = Register::new(warps) => { d: next_deferred },
        /// Bit per warp: it waits for the engine to find its active entry.
        unsettled: Register = Register::new(warps),
        /// Bit per warp: first its buffers must be empty.
        draining: Register = Register::new(warps) => { d: next_draining },

        one_entry: Constant = Constant::new(1, entries),

        // By side, a bit per warp:
        /// the buffer holds an instruction, but not one of this path;
        foreign: Vec<Net<Local>> = Net::vec(2, warps),
        /// the path's own instruction is in the buffer;
        buffered: Vec<Net<Local>> = Net::vec(2, warps),
        /// nothing of the path is on its way to a resolution, or it has arrived;
        quiet: Vec<Net<Local>> = Net::vec(2, warps),
        /// the other path's event must wait for this path;
        blocks: Vec<Net<Local>> = Net::vec(2, warps),
        serviceable: Vec<Net<Local>> = Net::vec(2, warps),

        // By side, of the engine's warp:
        runs_here: Vec<Signal<Local, Bit>> = bit_vec(2),
        busy_here: Vec<Signal<Local, Bit>> = bit_vec(2),
        can_serve: Vec<Signal<Local, Bit>> = bit_vec(2),
        has_event: Vec<Signal<Local, Bit>> = bit_vec(2),
        stored_now: Vec<Net<Local>> = Net::vec(2, entries),
        saved_pc: Vec<Net<Local>> = Net::vec(2, 32),
        alive: Vec<Signal<Local, Bit>> = bit_vec(2),
        active: Net<Local> = index_width(entries),

        // Resolve: the side that is served, and the other side's path.
        serves: Vec<Signal<Local, Bit>> = bit_vec(2),
        other_runs: Signal<Local, Bit>,
        other_alive: Signal<Local, Bit>,
        other_resting: Signal<Local, Bit>,
        other_event: Signal<Local, Bit>,
        is_deferred: Signal<Local, Bit>,
        reuses: Signal<Local, Bit>,
        side: Vec<Path<Local>> = (0..2).map(|_| Path::new(lanes)).collect(),
        side_runs: Vec<Signal<Local, Bit>> = bit_vec(2),
        narrows: Signal<Local, Bit>,
        overwrites: Signal<Local, Bit>,
        pushes: Signal<Local, Bit>,
        defers: Signal<Local, Bit>,
        holds: Signal<Local, Bit>,
        beneath: Signal<Local, Bit>,
        exits: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        served: Signal<Local, Bit>,
        /// The event must be looked at again.
        stays: Signal<Local, Bit>,
        /// The engine works on its warp.
        acts: Signal<Local, Bit>,
        /// The active entry becomes another one: a new one, or one found on the walk.
        replaces: Signal<Local, Bit>,
        /// Its paths start, on either side or both.
        starts: Vec<Signal<Local, Bit>> = bit_vec(2),
        /// The path goes on at another PC.
        moves: Vec<Signal<Local, Bit>> = bit_vec(2),
        /// The path runs no longer.
        rests: Vec<Signal<Local, Bit>> = bit_vec(2),
        /// The path is no longer stored.
        leaves: Vec<Signal<Local, Bit>> = bit_vec(2),
        /// The path is to resume at the RPC of the entry pushed beneath.
        diverts: Vec<Signal<Local, Bit>> = bit_vec(2),

        // Settle, by side: the path of the entry found, and what becomes of it.
        found_mask: Vec<Net<Local>> = Net::vec(2, lanes),
        found_can: Vec<Signal<Local, Bit>> = bit_vec(2),
        found_ends: Vec<Signal<Local, Bit>> = bit_vec(2),
        found_runs: Vec<Signal<Local, Bit>> = bit_vec(2),
        found_gone: Vec<Signal<Local, Bit>> = bit_vec(2),
        found_rest: Net<Local> = lanes,
        stops: Signal<Local, Bit>,
        parks: Signal<Local, Bit>,
        drains: Signal<Local, Bit>,

        stored_next: Vec<Net<Local>> = Net::vec(2, entries),
        next_running: Vec<Net<Local>> = Net::vec(2, warps),
        still_unresolved: Vec<Net<Local>> = Net::vec(2, warps),
        lost: Net<Local> = warps,
        next_unsettled: Net<Local> = warps,
        next_draining: Net<Local> = warps,
        next_deferred: Net<Local> = warps,
    }
    sizes { _depth = index_width(entries + 1) }
    /// For `warps` warps of `lanes` threads, `entries` entries each (at most 64), running the taken side of a branch on the left or on the right.
    pub fn new(lanes: usize, warps: usize, entries: usize, taken_first: bool) {
        let warp = index_width(warps);
        let path = warp + 1;
        let by_warp = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for DualPathStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DualPathStack");
        dff_setup!(self, clock, unsettled);

        // FETCH reads the active entry, DECODE advances it; EXECUTE records events.
        self.events.accept.next = true;

        // Which paths are at rest, and which events can be served.
        for s in 0..self.running.len() {
            self.fetchable[s].next = self.runnable[s].q.val() & !self.held[s].q.val();
            self.foreign[s].next = self.slot_valid[s].val() & self.followed[s].q.val();
            self.buffered[s].next = self.slot_valid[s].val() & !self.followed[s].q.val();
            self.hold[s].next = self.held[s].q.val() & self.running[s].q.val() & !self.foreign[s].val();
            self.flush[s].next = self.held[s].q.val() & self.running[s].q.val() & self.buffered[s].val();
            self.quiet[s].next = !self.paths.in_decode[s].val()
                & !self.buffered[s].val()
                & (!self.unresolved[s].q.val() | self.events.pending[s].val());
            self.blocks[s].next = self.held[s].q.val() & self.running[s].q.val() & !self.quiet[s].val();
        }
        self.serviceable[0].next = self.events.pending[0].val() & !self.blocks[1].val();
        self.serviceable[1].next = self.events.pending[1].val() & !self.blocks[0].val();

        // The engine chooses what to do, and reads the state of that warp.
        self.turns.request.next = self.serviceable[0].val() | self.serviceable[1].val();
        self.turns.accept.next = self.engine.operation.val() == StackOperation::Resolve;
        self.engine.unsettled.next =
            self.unsettled.q.val() & !(self.draining.q.val() & (self.slot_valid[0].val() | self.slot_valid[1].val()));
        self.is_deferred.next = (self.deferred.q.val() & self.engine.warp_bit.val()).any();
        for s in 0..self.running.len() {
            self.runs_here[s].next = (self.running[s].q.val() & self.engine.warp_bit.val()).any();
            self.busy_here[s].next = (self.slot_valid[s].val() & self.engine.warp_bit.val()).any();
            self.can_serve[s].next = (self.serviceable[s].val() & self.engine.warp_bit.val()).any();
            self.has_event[s].next = (self.events.pending[s].val() & self.engine.warp_bit.val()).any();
            self.stored_now[s].next = self.stored[s].read_data[0].val();
            if (self.over[s].q.val() & self.engine.warp_bit.val()).any() {
                self.stored_now[s].next = self.stored[s].read_data[0].val() & !self.free.slot.val();
            }
            self.saved_pc[s].next = self.paths.pcs[s].val();
            if (self.flushed[s].q.val() & self.engine.warp_bit.val()).any() {
                self.saved_pc[s].next = self.paths.pcs[s].val() - 4;
            }
            self.alive[s].next = (self.stored_now[s].val() & self.free.slot.val()).any()
                & (self.paths.masks[s].val() & self.threads.live.val()).any();
        }

        // Resolve: what does not diverge first; of two that diverge the left, unless it has been deferred.
        self.serves[0].next = self.can_serve[0].val()
            & (!self.events.diverges[0].val()
                | (!(self.can_serve[1].val() & !self.events.diverges[1].val())
                    & !(self.can_serve[1].val() & self.is_deferred.val())));
        self.serves[1].next = !self.serves[0].val();
        self.events.select.next = bit_cast_to(self.serves[0].val(), 2) | (bit_cast_to(self.serves[1].val(), 2) << 1);
        if self.serves[0].val() {
            self.other_runs.next = self.runs_here[1].val();
            self.other_alive.next = self.alive[1].val();
            self.other_event.next = self.has_event[1].val();
            self.other_resting.next = (self.held[1].q.val() & self.quiet[1].val() & self.engine.warp_bit.val()).any();
        } else {
            self.other_runs.next = self.runs_here[0].val();
            self.other_alive.next = self.alive[0].val();
            self.other_event.next = self.has_event[0].val();
            self.other_resting.next = (self.held[0].q.val() & self.quiet[0].val() & self.engine.warp_bit.val()).any();
        }
        self.reuses.next = self.events.event.rpc.val() == self.paths.rpc.val();
        for s in 0..self.serves.len() {
            wire::join(&mut self.side[s], &mut self.sides.continues);
            self.side_runs[s].next = self.serves[s].val() | self.sides.both_run.val();
        }
        if self.sides.both_run.val() {
            wire::join(&mut self.side[1], &mut self.sides.second);
        }
        self.narrows.next = self.sides.splits.val() & self.reuses.val() & !self.sides.both_run.val();
        self.overwrites.next = self.sides.splits.val()
            & self.reuses.val()
            & self.sides.both_run.val()
            & !self.other_alive.val()
            & !self.is_deferred.val();
        self.pushes.next = self.sides.splits.val() & !self.narrows.val() & !self.overwrites.val();
        self.defers.next = self.pushes.val() & self.other_runs.val() & self.other_event.val() & self.serves[0].val();
        self.beneath.next = self.pushes.val() & self.other_runs.val() & self.other_event.val() & self.serves[1].val();
        self.holds.next =
            self.pushes.val() & self.other_runs.val() & !self.other_event.val() & !self.other_resting.val();
        self.free.used.next = self.stored_now[0].val() | self.stored_now[1].val();

        // Settle: the highest entry not seen yet.
        self.walk.entries.next = self.stored_now[0].val() | self.stored_now[1].val();
        self.found_rest.next = 0.into();
        for s in 0..self.found_mask.len() {
            self.found_mask[s].next = 0.into();
            if (self.stored_now[s].val() & self.walk.one_hot.val()).any() {
                self.found_mask[s].next = self.entries.masks[s].val() & self.threads.live.val();
            }
            self.found_can[s].next = self.found_mask[s].val().any()
                & !(self.barrier.waits[s].val() & self.walk.one_hot.val()).any()
                & !(self.found_mask[s].val() & self.walk.above.val()).any();
            self.found_ends[s].next = self.found_can[s].val() & (self.entries.pcs[s].val() == self.entries.rpc.val());
            self.found_runs[s].next = self.found_can[s].val() & !self.found_ends[s].val();
            self.found_gone[s].next = self.found_ends[s].val() | !self.found_mask[s].val().any();
            if !self.found_gone[s].val() {
                self.found_rest.next = self.found_rest.val() | self.found_mask[s].val();
            }
        }
        self.drains.next =
            (self.found_runs[0].val() & self.busy_here[1].val()) | (self.found_runs[1].val() & self.busy_here[0].val());

        // What changes, unless an operation says otherwise.
        self.copy.valid.next = false;
        self.finished.valid.next = false;
        self.finished.warp.next = self.engine.warp.val();
        self.overflow.valid.next = false;
        self.overflow.warp.next = self.engine.warp.val();
        self.overflow.pc.next = self.events.event.next_pc.val() - 4;
        self.depth.next = 0.into();
        self.pushed.next = false;
        self.suspended.next = false;
        self.exits.next = false;
        self.waits.next = false;
        self.served.next = false;
        self.stays.next = false;
        self.acts.next = true;
        self.replaces.next = false;
        self.stops.next = false;
        self.parks.next = false;
        self.paths.new_rpc.next = self.entries.rpc.val();
        self.active_index.write_data[0].next = self.walk.index.val();
        self.entries.pc_index.next = self.active.val();
        self.entries.mask_index.next = self.free.index.val();
        self.entries.write_rpc.next = false;
        self.entries.new_rpc.next = self.events.event.rpc.val();
        for s in 0..self.stored.len() {
            self.starts[s].next = false;
            self.moves[s].next = false;
            self.rests[s].next = false;
            self.leaves[s].next = false;
            self.diverts[s].next = false;
            self.stored_next[s].next = self.stored_now[s].val();
            self.paths.new[s].pc.next = self.entries.pcs[s].val();
            self.paths.new[s].mask.next = self.found_mask[s].val();
            self.entries.write_pc[s].next = false;
            self.entries.new[s].pc.next = self.saved_pc[s].val();
            self.entries.write_mask[s].next = false;
            self.entries.new[s].mask.next = self.side[s].mask.val();
        }
        self.next_unsettled.next = self.unsettled.q.val();
        self.next_draining.next = self.draining.q.val();
        self.next_deferred.next = self.deferred.q.val();

        match self.engine.operation.val() {
            StackOperation::Settle => {
                self.next_unsettled.next = self.unsettled.q.val() & !self.engine.warp_bit.val();
                self.next_draining.next = self.draining.q.val() & !self.engine.warp_bit.val();
                if self.barrier.interrupted.val() {
                    self.stops.next = true;
                } else if !self.threads.live.val().any() {
                    self.stops.next = true;
                    self.finished.valid.next = true;
                } else if !self.walk.any.val() {
                    self.stops.next = true;
                    self.parks.next = true;
                } else {
                    for s in 0..self.stored.len() {
                        if self.found_gone[s].val() {
                            self.stored_next[s].next = self.stored_now[s].val() & !self.walk.one_hot.val();
                        }
                    }
                    if self.found_runs[0].val() | self.found_runs[1].val() {
                        self.stops.next = true;
                        if self.drains.val() {
                            self.next_unsettled.next = self.unsettled.q.val() | self.engine.warp_bit.val();
                            self.next_draining.next = self.draining.q.val() | self.engine.warp_bit.val();
                        } else {
                            self.replaces.next = true;
                            self.copy.valid.next = true;
                            for s in 0..self.stored.len() {
                                self.starts[s].next = self.found_runs[s].val();
                            }
                        }
                    }
                }
            }
            StackOperation::Launch => {
                self.replaces.next = true;
                self.copy.valid.next = true;
                self.starts[0].next = true;
                self.stored_next[0].next = self.one_entry.val();
                self.stored_next[1].next = 0.into();
                self.paths.new[0].pc.next = self.launch.pc.val();
                self.paths.new[0].mask.next = self.launch.mask.val();
                self.paths.new_rpc.next = 1.into();
                self.active_index.write_data[0].next = 0.into();
                self.entries.mask_index.next = 0.into();
                self.entries.write_mask[0].next = true;
                self.entries.new[0].mask.next = self.launch.mask.val();
                self.entries.write_rpc.next = true;
                self.entries.new_rpc.next = 1.into();
                self.depth.next = 1.into();
            }
            StackOperation::Resolve => {
                self.served.next = true;
                match self.events.event.kind.val() {
                    ControlKind::Exit => {
                        self.exits.next = true;
                        for s in 0..self.stored.len() {
                            self.leaves[s].next = self.serves[s].val();
                            self.rests[s].next = self.serves[s].val();
                        }
                    }
                    ControlKind::Barrier => {
                        self.waits.next = true;
                        for s in 0..self.stored.len() {
                            self.rests[s].next = self.serves[s].val();
                            self.entries.write_pc[s].next = self.serves[s].val();
                            self.entries.new[s].pc.next = self.events.event.next_pc.val();
                        }
                    }
                    _ => {
                        self.paths.new_rpc.next = self.events.event.rpc.val();
                        self.active_index.write_data[0].next = self.active.val();
                        if !self.sides.splits.val() {
                            // All lanes go the same way.
                            for s in 0..self.stored.len() {
                                self.paths.new[s].pc.next = self.sides.goes_to.val();
                                if self.sides.goes_to.val() == self.paths.rpc.val() {
                                    self.leaves[s].next = self.serves[s].val();
                                    self.rests[s].next = self.serves[s].val();
                                } else {
                                    self.moves[s].next = self.serves[s].val();
                                }
                            }
                        } else if self.narrows.val() {
                            // The others wait at the RPC, below.
                            for s in 0..self.stored.len() {
                                self.moves[s].next = self.serves[s].val();
                                wire::join(&mut self.sides.continues, &mut self.paths.new[s]);
                                self.entries.write_mask[s].next = self.serves[s].val();
                            }
                            self.entries.mask_index.next = self.active.val();
                        } else if self.defers.val() | self.holds.val() {
                            self.served.next = false;
                            self.stays.next = true;
                        } else if self.pushes.val() & !self.free.any.val() {
                            self.served.next = false;
                            self.overflow.valid.next = true;
                        } else {
                            self.pushed.next = self.pushes.val();
                            self.suspended.next = self.pushes.val() & self.other_runs.val() & !self.beneath.val();
                            self.entries.write_rpc.next = self.pushes.val();
                            if self.pushes.val() {
                                self.depth.next = bit_cast_to(self.free.index.val(), self._depth) + 1;
                                self.active_index.write_data[0].next = self.free.index.val();
                            }
                            for s in 0..self.stored.len() {
                                wire::join(&mut self.side[s], &mut self.paths.new[s]);
                                self.entries.write_mask[s].next = self.side_runs[s].val();
                            }
                            if self.overwrites.val() {
                                self.entries.mask_index.next = self.active.val();
                            }
                            if self.beneath.val() {
                                // The other branch is served next, and its entry comes above this one.
                                self.entries.pc_index.next = self.free.index.val();
                                for s in 0..self.stored.len() {
                                    self.rests[s].next = self.serves[s].val();
                                    self.leaves[s].next = self.serves[s].val() & self.reuses.val();
                                    self.diverts[s].next = self.serves[s].val() & !self.reuses.val();
                                    self.entries.write_pc[s].next = self.side_runs[s].val();
                                    self.entries.new[s].pc.next = self.side[s].pc.val();
                                    if self.diverts[s].val() {
                                        self.paths.new[s].pc.next = self.events.event.rpc.val();
                                    }
                                }
                            } else {
                                self.replaces.next = true;
                                self.copy.valid.next = true;
                                for s in 0..self.stored.len() {
                                    self.starts[s].next = self.side_runs[s].val();
                                    self.leaves[s].next = self.serves[s].val() & self.reuses.val() & self.pushes.val();
                                    // The entry below: the PCs at which its paths resume.
                                    self.entries.write_pc[s].next = self.pushes.val()
                                        & (self.serves[s].val()
                                            | self.runs_here[s].val()
                                            | (self.diverted[s].q.val() & self.engine.warp_bit.val()).any());
                                    if self.serves[s].val() {
                                        self.entries.new[s].pc.next = self.events.event.rpc.val();
                                    }
                                }
                            }
                            for s in 0..self.stored.len() {
                                if self.side_runs[s].val() & self.pushes.val() {
                                    self.stored_next[s].next = self.stored_now[s].val() | self.free.one_hot.val();
                                }
                                if self.side_runs[s].val() & self.overwrites.val() {
                                    self.stored_next[s].next = self.stored_now[s].val() | self.free.slot.val();
                                }
                            }
                        }
                    }
                }
                if (self.stays.val() & self.defers.val()) | (self.served.val() & self.beneath.val()) {
                    self.next_deferred.next = self.deferred.q.val() | self.engine.warp_bit.val();
                } else if self.served.val() {
                    self.next_deferred.next = self.deferred.q.val() & !self.engine.warp_bit.val();
                }
            }
            _ => self.acts.next = false,
        }

        // The walk goes on, or has ended.
        self.walk.step.next = self.engine.operation.val() == StackOperation::Settle;

        // Threads start, end or wait.
        self.threads.launches.next = self.engine.operation.val() == StackOperation::Launch;

        // The active entry, and which entries have paths.
        for s in 0..self.stored.len() {
            self.barrier.arrive[s].next = self.waits.val() & self.serves[s].val();
            if self.leaves[s].val() {
                self.stored_next[s].next = self.stored_next[s].val() & !self.free.slot.val();
            }
            self.paths.write_pc[s].next = self.replaces.val() | self.moves[s].val() | self.diverts[s].val();
            self.paths.write_mask[s].next = self.replaces.val() | (self.moves[s].val() & self.narrows.val());
        }

        // What becomes of the paths.
        for s in 0..self.running.len() {
            self.next_running[s].next = self.running[s].q.val() & !self.paths.ended[s].val();
            self.runnable[s].d.next = self.runnable[s].q.val() & !self.paths.blocked[s].val();
            if self.replaces.val() | self.rests[s].val() {
                self.next_running[s].next =
                    self.running[s].q.val() & !self.paths.ended[s].val() & !self.engine.warp_bit.val();
                self.runnable[s].d.next =
                    self.runnable[s].q.val() & !self.paths.blocked[s].val() & !self.engine.warp_bit.val();
            }
            if self.starts[s].val() {
                self.next_running[s].next =
                    (self.running[s].q.val() & !self.paths.ended[s].val()) | self.engine.warp_bit.val();
            }
            if self.starts[s].val() | self.moves[s].val() {
                self.runnable[s].d.next =
                    (self.runnable[s].q.val() & !self.paths.blocked[s].val()) | self.engine.warp_bit.val();
            }

            self.over[s].d.next = self.over[s].q.val() | self.paths.ended[s].val();
            if self.acts.val() {
                self.over[s].d.next = (self.over[s].q.val() & !self.engine.warp_bit.val()) | self.paths.ended[s].val();
            }

            self.still_unresolved[s].next = self.unresolved[s].q.val() & !self.flush[s].val();
            if self.served.val() & self.serves[s].val() {
                self.still_unresolved[s].next =
                    self.unresolved[s].q.val() & !self.flush[s].val() & !self.engine.warp_bit.val();
            }
            self.unresolved[s].d.next = self.still_unresolved[s].val();
            if self.decoded.control.val() {
                self.unresolved[s].d.next = self.still_unresolved[s].val() | self.paths.in_decode[s].val();
            }

            self.followed[s].d.next = self.foreign[s].val();
            if self.starts[s].val() {
                self.followed[s].d.next =
                    self.foreign[s].val() | (self.slot_valid[s].val() & self.engine.warp_bit.val());
            }
            self.flushed[s].d.next = self.flushed[s].q.val() | (self.flush[s].val() & !self.unresolved[s].q.val());
            self.diverted[s].d.next = self.diverted[s].q.val();
            self.held[s].d.next = self.held[s].q.val();
            if self.replaces.val() {
                self.flushed[s].d.next = (self.flushed[s].q.val() & !self.engine.warp_bit.val())
                    | (self.flush[s].val() & !self.unresolved[s].q.val());
                self.diverted[s].d.next = self.diverted[s].q.val() & !self.engine.warp_bit.val();
            }
            if self.diverts[s].val() {
                self.diverted[s].d.next = self.diverted[s].q.val() | self.engine.warp_bit.val();
            }
            // The other path's branch has been served, or begins to wait.
            if self.served.val() & !self.serves[s].val() {
                self.held[s].d.next = self.held[s].q.val() & !self.engine.warp_bit.val();
            }
            if self.stays.val() & self.holds.val() & !self.serves[s].val() {
                self.held[s].d.next = self.held[s].q.val() | self.engine.warp_bit.val();
            }
        }
        self.lost.next = (self.running[0].q.val() | self.running[1].q.val())
            & !(self.next_running[0].val() | self.next_running[1].val());
        self.unsettled.d.next = self.next_unsettled.val() | self.barrier.released.val() | self.lost.val();
    }
}

#[cfg(test)]
#[path = "tests/dual_path_stack.rs"]
mod tests;
