//! Dual-path execution: a reconvergence stack per warp whose entries hold both sides of a branch, and both may run.
//!
//! ```text
//!                     +---------------------------------------------------------+
//!  fetch_warp ------->| active entry of every warp <------ +4, ends at RPC -----|<--- decoded_*
//!  fetch_pc, _mask <--| {pc, mask} left, {pc, mask} right, rpc, index           |
//!                     |                                |                        |---> fetchable[2], present[2], waiting
//!  resolve_* -------->|--> EventTable x 2 --> +--------+-------------+          |
//!  launch_* --------->|---------------------> | engine, one per cycle|          |---> finished_*, arrive_*, exit_*
//!  launch_ready <-----|                       | Settle Launch Serve  |--------->|---> overflow_*, depth, pushed, suspended
//!  barrier_release -->|--> unsettled -------> +--------+-------------+          |---> copy_*           (scoreboard)
//!                     |                                | store, walk down       |
//!                     | entries {warp, index} <--------+                        |<--- slot_valid[2]
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
//! | `resolve_*` | | outcome of a control instruction, see [`EventTable`]; `resolve_warp` is a path |
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
use super::{BranchSides, EventTable, HighestEntry};
use crate::interface::{ControlKind, Decoded, Launch, Resolve, ThreadEvent, WarpEvent, WarpFault};
use crate::parts::RoundRobinArbiter;
use crate::prelude::*;

hardware_enum! {
    /// What the engine does in a cycle.
    pub enum DualPathOperation {
        /// Nothing to do.
        Idle,
        /// One step down a stack in search of the entry to run.
        Settle,
        /// A warp starts.
        Launch,
        /// A control instruction takes effect.
        Serve,
    }
}

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

        /// By side.
        events: Vec<EventTable> = (0..2).map(|_| EventTable::new(lanes, warps, false, false)).collect(),
        // The active entry of every warp; PCs and masks by side.
        active_pc: Vec<Memory> = (0..2).map(|_| by_warp(32, 2, 2)).collect(),
        active_mask: Vec<Memory> = (0..2).map(|_| by_warp(lanes, 2, 1)).collect(),
        active_rpc: Memory = by_warp(32, 2, 1),
        active_index: Memory = by_warp(index, 1, 1),
        // All entries, by {warp, index}; PCs and masks by side.
        entry_pc: Vec<Memory> = (0..2).map(|_| by_entry(32)).collect(),
        entry_mask: Vec<Memory> = (0..2).map(|_| by_entry(lanes)).collect(),
        entry_rpc: Memory = by_entry(32),
        /// By side and warp: entries that have such a path.
        stored: Vec<Memory> = (0..2).map(|_| by_warp(entries, 1, 1)).collect(),
        /// By side and warp: entries whose path is at `bar.sync`, meaningful while the warp is `at_barrier`.
        barred: Vec<Memory> = (0..2).map(|_| by_warp(entries, 1, 1)).collect(),
        /// By warp: lanes that have not ended.
        live: Memory = by_warp(lanes, 1, 1),

        // By side, a bit per warp, of the active entry's path:
        /// it can be fetched, unless held;
        runnable: Vec<Register> = Register::vec(2, warps),
        /// it runs;
        running: Vec<Register> = Register::vec(2, warps),
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
        deferred: Register = Register::new(warps),
        /// Bit per warp: it waits for the engine to find its active entry.
        unsettled: Register = Register::new(warps),
        /// Bit per warp: first its buffers must be empty.
        draining: Register = Register::new(warps),
        /// Bit per warp: some path waits at `bar.sync`.
        at_barrier: Register = Register::new(warps),
        /// Bit per warp: every path does.
        parked: Register = Register::new(warps),

        // DECODE: the fetched PC + 4, and whether the path ends there.
        following_pc: Flop = Flop::new(32),
        following_is_rpc: Flop = Flop::new(1),

        // The walk down a stack: in progress, whose, the entries not seen yet, the lanes of those passed over.
        walking: StateRegister<Bit>,
        walk_warp: Flop = Flop::new(warp),
        walk_rest: Register = Register::with_initial(entries, mask(entries)),
        walk_above: Register = Register::new(lanes),

        one_warp: Constant = Constant::new(1, warps),
        one_entry: Constant = Constant::new(1, entries),
        all_entries: Constant = Constant::new(mask(entries), entries),
        index_bits: Constant = Constant::new(index as u64, index_width(index + 1)),
        side_bit: Constant = Constant::new(1 << warp, warp + 1),

        request: PriorityEncoder = PriorityEncoder::new(warps),
        turns: RoundRobinArbiter = RoundRobinArbiter::new(warps),
        turn: PriorityEncoder = PriorityEncoder::new(warps),
        highest: HighestEntry = HighestEntry::new(entries),
        hole: PriorityEncoder = PriorityEncoder::new(entries),
        sides: BranchSides = BranchSides::new(lanes, taken_first),
        lanes: Popcount = Popcount::new(lanes),

        fetched: Net<Local> = warp,
        fetches_right: Signal<Local, Bit>,
        next_pc: Net<Local> = 32,
        decode_warp: Net<Local> = warp,
        decoded_bit: Net<Local> = warps,
        decodes_right: Signal<Local, Bit>,
        resolved: Net<Local> = warp,
        resolves_right: Signal<Local, Bit>,
        // By side, a bit per warp:
        in_decode: Vec<Net<Local>> = Net::vec(2, warps),
        ended: Vec<Net<Local>> = Net::vec(2, warps),
        blocked: Vec<Net<Local>> = Net::vec(2, warps),
        /// the buffer holds an instruction, but not one of this path;
        foreign: Vec<Net<Local>> = Net::vec(2, warps),
        /// the path's own instruction is in the buffer;
        buffered: Vec<Net<Local>> = Net::vec(2, warps),
        /// nothing of the path is on its way to a resolution, or it has arrived;
        quiet: Vec<Net<Local>> = Net::vec(2, warps),
        /// the other path's event must wait for this path;
        blocks: Vec<Net<Local>> = Net::vec(2, warps),
        serviceable: Vec<Net<Local>> = Net::vec(2, warps),
        dropped: Vec<Net<Local>> = Net::vec(2, warps),

        operation: Signal<Local, DualPathOperation>,
        warp: Net<Local> = warp,
        warp_bit: Net<Local> = warps,
        slot: Net<Local> = entries,
        slot_row: Net<Local> = row,
        hole_row: Net<Local> = row,
        highest_row: Net<Local> = row,
        released: Net<Local> = warps,
        interrupted: Signal<Local, Bit>,
        // By side, of the engine's warp:
        runs_here: Vec<Signal<Local, Bit>> = bit_vec(2),
        busy_here: Vec<Signal<Local, Bit>> = bit_vec(2),
        can_serve: Vec<Signal<Local, Bit>> = bit_vec(2),
        has_event: Vec<Signal<Local, Bit>> = bit_vec(2),
        diverges: Vec<Signal<Local, Bit>> = bit_vec(2),
        stored_now: Vec<Net<Local>> = Net::vec(2, entries),
        waits: Vec<Net<Local>> = Net::vec(2, entries),
        saved_pc: Vec<Net<Local>> = Net::vec(2, 32),
        alive: Vec<Signal<Local, Bit>> = bit_vec(2),

        // Serve: the event, its side, the other side's path.
        serves: Vec<Signal<Local, Bit>> = bit_vec(2),
        kind: Signal<Local, ControlKind>,
        taken: Net<Local> = lanes,
        event_lanes: Net<Local> = lanes,
        target: Net<Local> = 32,
        following: Net<Local> = 32,
        rpc: Net<Local> = 32,
        other_runs: Signal<Local, Bit>,
        other_alive: Signal<Local, Bit>,
        other_resting: Signal<Local, Bit>,
        other_event: Signal<Local, Bit>,
        is_deferred: Signal<Local, Bit>,
        both: Signal<Local, Bit>,
        reuses: Signal<Local, Bit>,
        lone_pc: Net<Local> = 32,
        lone_mask: Net<Local> = lanes,
        side_pc: Vec<Net<Local>> = Net::vec(2, 32),
        side_mask: Vec<Net<Local>> = Net::vec(2, lanes),
        side_runs: Vec<Signal<Local, Bit>> = bit_vec(2),
        narrows: Signal<Local, Bit>,
        overwrites: Signal<Local, Bit>,
        pushes: Signal<Local, Bit>,
        defers: Signal<Local, Bit>,
        holds: Signal<Local, Bit>,
        beneath: Signal<Local, Bit>,
        served: Signal<Local, Bit>,
        /// It must be looked at again.
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
        leaves: Vec<Signal<Local, Bit>> = bit_vec(2),
        diverts: Vec<Signal<Local, Bit>> = bit_vec(2),

        // Settle, by side: the entry's path and what becomes of it.
        step_mask: Vec<Net<Local>> = Net::vec(2, lanes),
        step_can: Vec<Signal<Local, Bit>> = bit_vec(2),
        step_ends: Vec<Signal<Local, Bit>> = bit_vec(2),
        step_runs: Vec<Signal<Local, Bit>> = bit_vec(2),
        step_gone: Vec<Signal<Local, Bit>> = bit_vec(2),
        step_rest: Net<Local> = lanes,
        stops: Signal<Local, Bit>,
        drains: Signal<Local, Bit>,

        stored_next: Vec<Net<Local>> = Net::vec(2, entries),
        next_running: Vec<Net<Local>> = Net::vec(2, warps),
        still_unresolved: Vec<Net<Local>> = Net::vec(2, warps),
        lost: Net<Local> = warps,
        next_unsettled: Net<Local> = warps,
        next_at_barrier: Net<Local> = warps,
        next_parked: Net<Local> = warps,
        next_draining: Net<Local> = warps,
        next_deferred: Net<Local> = warps,
    }
    sizes { _warp = warp, _row = row, _depth = index_width(entries + 1) }
    /// For `warps` warps of `lanes` threads, `entries` entries each (at most 64), running the taken side of a branch on the left or on the right.
    pub fn new(lanes: usize, warps: usize, entries: usize, taken_first: bool) {
        let (warp, index) = (index_width(warps), index_width(entries));
        let (path, row) = (warp + 1, index_width(warps << index));
        let by_warp = |width, reads, writes| Memory::new(width, warps, reads, writes, ReadKind::Asynchronous);
        let by_entry = |width| Memory::new(width, warps << index, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for DualPathStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DualPathStack");
        dff_setup!(self, clock, deferred, unsettled, draining, at_barrier, parked);
        dff_setup!(self, clock, following_pc, following_is_rpc, walking, walk_warp, walk_rest, walk_above);

        // FETCH reads the active entry.
        self.fetched.next = bit_cast_to(self.fetch_warp.val(), self._warp);
        self.fetches_right.next = (self.fetch_warp.val() & self.side_bit.val()).any();
        self.active_rpc.read_address[0].next = self.fetched.val();
        for s in 0..self.active_pc.len() {
            self.active_pc[s].read_address[0].next = self.fetched.val();
            self.active_mask[s].read_address[0].next = self.fetched.val();
        }
        self.fetch_pc.next = self.active_pc[0].read_data[0].val();
        self.fetch_mask.next = self.active_mask[0].read_data[0].val();
        if self.fetches_right.val() {
            self.fetch_pc.next = self.active_pc[1].read_data[0].val();
            self.fetch_mask.next = self.active_mask[1].read_data[0].val();
        }
        self.next_pc.next = self.fetch_pc.val() + 4;
        self.following_pc.d.next = self.next_pc.val();
        self.following_is_rpc.d.next = bit_cast_to(self.next_pc.val() == self.active_rpc.read_data[0].val(), 1);

        // DECODE advances it.
        self.decode_warp.next = bit_cast_to(self.decoded.warp.val(), self._warp);
        self.decodes_right.next = (self.decoded.warp.val() & self.side_bit.val()).any();
        self.decoded_bit.next = 0.into();
        if self.decoded.valid.val() {
            self.decoded_bit.next = self.one_warp.val() << self.decode_warp.val();
        }
        self.in_decode[0].next = 0.into();
        self.in_decode[1].next = 0.into();
        if self.decodes_right.val() {
            self.in_decode[1].next = self.decoded_bit.val();
        } else {
            self.in_decode[0].next = self.decoded_bit.val();
        }
        for s in 0..self.active_pc.len() {
            self.active_pc[s].write_enable[0].next = self.in_decode[s].val().any() & !self.decoded.control.val();
            self.active_pc[s].write_address[0].next = self.decode_warp.val();
            self.active_pc[s].write_data[0].next = self.following_pc.q.val();
            self.ended[s].next = 0.into();
            self.blocked[s].next = 0.into();
            if self.decoded.control.val() {
                self.blocked[s].next = self.in_decode[s].val();
            } else if self.following_is_rpc.q.val().any() {
                self.blocked[s].next = self.in_decode[s].val();
                self.ended[s].next = self.in_decode[s].val();
            }
        }

        // EXECUTE records events.
        self.resolved.next = bit_cast_to(self.resolve.warp.val(), self._warp);
        self.resolves_right.next = (self.resolve.warp.val() & self.side_bit.val()).any();
        self.events[0].resolve.valid.next = self.resolve.valid.val() & !self.resolves_right.val();
        self.events[1].resolve.valid.next = self.resolve.valid.val() & self.resolves_right.val();

        // Which paths are at rest, and which events can be served.
        self.waiting.next = self.parked.q.val();
        for s in 0..self.events.len() {
            self.fetchable[s].next = self.runnable[s].q.val() & !self.held[s].q.val();
            self.present[s].next = self.running[s].q.val();
            self.foreign[s].next = self.slot_valid[s].val() & self.followed[s].q.val();
            self.buffered[s].next = self.slot_valid[s].val() & !self.followed[s].q.val();
            self.hold[s].next = self.held[s].q.val() & self.running[s].q.val() & !self.foreign[s].val();
            self.dropped[s].next = self.held[s].q.val() & self.running[s].q.val() & self.buffered[s].val();
            self.flush[s].next = self.dropped[s].val();
            self.quiet[s].next = !self.in_decode[s].val()
                & !self.buffered[s].val()
                & (!self.unresolved[s].q.val() | self.events[s].pending.val());
            self.blocks[s].next = self.held[s].q.val() & self.running[s].q.val() & !self.quiet[s].val();
        }
        self.serviceable[0].next = self.events[0].pending.val() & !self.blocks[1].val();
        self.serviceable[1].next = self.events[1].pending.val() & !self.blocks[0].val();

        // The engine chooses what to do, and reads the state of that warp.
        self.request.request.next =
            self.unsettled.q.val() & !(self.draining.q.val() & (self.slot_valid[0].val() | self.slot_valid[1].val()));
        self.turns.request.next = self.serviceable[0].val() | self.serviceable[1].val();
        self.turns.accept.next = false;
        self.turn.request.next = self.turns.grant.val();
        self.launch_ready.next = false;
        self.operation.next = DualPathOperation::Idle;
        self.warp.next = self.turn.index.val();
        if self.walking.q.val() {
            self.operation.next = DualPathOperation::Settle;
            self.warp.next = self.walk_warp.q.val();
        } else if self.request.any.val() {
            self.operation.next = DualPathOperation::Settle;
            self.warp.next = self.request.index.val();
        } else {
            self.launch_ready.next = true;
            if self.launch.valid.val() {
                self.operation.next = DualPathOperation::Launch;
                self.warp.next = self.launch.warp.val();
            } else if self.turns.any.val() {
                self.operation.next = DualPathOperation::Serve;
                self.turns.accept.next = true;
            }
        }
        self.warp_bit.next = self.one_warp.val() << self.warp.val();
        self.released.next = self.barrier_release.val() & self.at_barrier.q.val();
        self.interrupted.next = (self.released.val() & self.warp_bit.val()).any();
        self.is_deferred.next = (self.deferred.q.val() & self.warp_bit.val()).any();
        self.active_rpc.read_address[1].next = self.warp.val();
        self.active_index.read_address[0].next = self.warp.val();
        self.live.read_address[0].next = self.warp.val();
        self.slot.next = self.one_entry.val() << self.active_index.read_data[0].val();
        for s in 0..self.events.len() {
            self.events[s].warp.next = self.warp.val();
            self.active_pc[s].read_address[1].next = self.warp.val();
            self.active_mask[s].read_address[1].next = self.warp.val();
            self.stored[s].read_address[0].next = self.warp.val();
            self.barred[s].read_address[0].next = self.warp.val();
            self.runs_here[s].next = (self.running[s].q.val() & self.warp_bit.val()).any();
            self.busy_here[s].next = (self.slot_valid[s].val() & self.warp_bit.val()).any();
            self.can_serve[s].next = (self.serviceable[s].val() & self.warp_bit.val()).any();
            self.has_event[s].next = (self.events[s].pending.val() & self.warp_bit.val()).any();
            self.diverges[s].next =
                self.events[s].taken.val().any() & (self.events[s].lanes.val() & !self.events[s].taken.val()).any();
            self.stored_now[s].next = self.stored[s].read_data[0].val();
            if (self.over[s].q.val() & self.warp_bit.val()).any() {
                self.stored_now[s].next = self.stored[s].read_data[0].val() & !self.slot.val();
            }
            self.waits[s].next = 0.into();
            if (self.at_barrier.q.val() & self.warp_bit.val()).any() {
                self.waits[s].next = self.barred[s].read_data[0].val();
            }
            self.saved_pc[s].next = self.active_pc[s].read_data[1].val();
            if (self.flushed[s].q.val() & self.warp_bit.val()).any() {
                self.saved_pc[s].next = self.active_pc[s].read_data[1].val() - 4;
            }
            self.alive[s].next = (self.stored_now[s].val() & self.slot.val()).any()
                & (self.active_mask[s].read_data[1].val() & self.live.read_data[0].val()).any();
        }

        // Serve: what does not diverge first; of two that diverge the left, unless it has been deferred.
        self.serves[0].next = self.can_serve[0].val()
            & (!self.diverges[0].val()
                | (!(self.can_serve[1].val() & !self.diverges[1].val())
                    & !(self.can_serve[1].val() & self.is_deferred.val())));
        self.serves[1].next = !self.serves[0].val();
        if self.serves[0].val() {
            self.kind.next = self.events[0].kind.val();
            self.taken.next = self.events[0].taken.val();
            self.event_lanes.next = self.events[0].lanes.val();
            self.target.next = self.events[0].target.val();
            self.following.next = self.events[0].following.val();
            self.rpc.next = self.events[0].rpc.val();
            self.other_runs.next = self.runs_here[1].val();
            self.other_alive.next = self.alive[1].val();
            self.other_event.next = self.has_event[1].val();
            self.other_resting.next = (self.held[1].q.val() & self.quiet[1].val() & self.warp_bit.val()).any();
        } else {
            self.kind.next = self.events[1].kind.val();
            self.taken.next = self.events[1].taken.val();
            self.event_lanes.next = self.events[1].lanes.val();
            self.target.next = self.events[1].target.val();
            self.following.next = self.events[1].following.val();
            self.rpc.next = self.events[1].rpc.val();
            self.other_runs.next = self.runs_here[0].val();
            self.other_alive.next = self.alive[0].val();
            self.other_event.next = self.has_event[0].val();
            self.other_resting.next = (self.held[0].q.val() & self.quiet[0].val() & self.warp_bit.val()).any();
        }
        self.sides.taken.next = self.taken.val();
        self.sides.lanes.next = self.event_lanes.val();
        self.sides.target.next = self.target.val();
        self.sides.following.next = self.following.val();
        self.sides.rpc.next = self.rpc.val();
        self.both.next = self.sides.first_runs.val() & self.sides.second_runs.val();
        self.reuses.next = self.rpc.val() == self.active_rpc.read_data[1].val();
        self.lone_pc.next = self.sides.second_pc.val();
        self.lone_mask.next = self.sides.second_mask.val();
        if self.sides.first_runs.val() {
            self.lone_pc.next = self.sides.first_pc.val();
            self.lone_mask.next = self.sides.first_mask.val();
        }
        for s in 0..self.serves.len() {
            self.side_pc[s].next = self.lone_pc.val();
            self.side_mask[s].next = self.lone_mask.val();
            self.side_runs[s].next = self.serves[s].val() | self.both.val();
        }
        if self.both.val() {
            self.side_pc[1].next = self.sides.second_pc.val();
            self.side_mask[1].next = self.sides.second_mask.val();
        }
        self.narrows.next = self.sides.splits.val() & self.reuses.val() & !self.both.val();
        self.overwrites.next = self.sides.splits.val()
            & self.reuses.val()
            & self.both.val()
            & !self.other_alive.val()
            & !self.is_deferred.val();
        self.pushes.next = self.sides.splits.val() & !self.narrows.val() & !self.overwrites.val();
        self.defers.next = self.pushes.val() & self.other_runs.val() & self.other_event.val() & self.serves[0].val();
        self.beneath.next = self.pushes.val() & self.other_runs.val() & self.other_event.val() & self.serves[1].val();
        self.holds.next =
            self.pushes.val() & self.other_runs.val() & !self.other_event.val() & !self.other_resting.val();
        self.hole.request.next = !(self.stored_now[0].val() | self.stored_now[1].val())
            & ((self.all_entries.val() << self.active_index.read_data[0].val()) << 1);
        self.slot_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.active_index.read_data[0].val(), self._row);
        self.hole_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.hole.index.val(), self._row);

        // Settle: the highest entry not seen yet.
        self.highest.candidates.next = (self.stored_now[0].val() | self.stored_now[1].val()) & self.walk_rest.q.val();
        self.highest_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.highest.index.val(), self._row);
        self.entry_rpc.read_address[0].next = self.highest_row.val();
        self.step_rest.next = 0.into();
        for s in 0..self.entry_pc.len() {
            self.entry_pc[s].read_address[0].next = self.highest_row.val();
            self.entry_mask[s].read_address[0].next = self.highest_row.val();
            self.step_mask[s].next = 0.into();
            if (self.stored_now[s].val() & self.highest.one_hot.val()).any() {
                self.step_mask[s].next = self.entry_mask[s].read_data[0].val() & self.live.read_data[0].val();
            }
            self.step_can[s].next = self.step_mask[s].val().any()
                & !(self.waits[s].val() & self.highest.one_hot.val()).any()
                & !(self.step_mask[s].val() & self.walk_above.q.val()).any();
            self.step_ends[s].next =
                self.step_can[s].val() & (self.entry_pc[s].read_data[0].val() == self.entry_rpc.read_data[0].val());
            self.step_runs[s].next = self.step_can[s].val() & !self.step_ends[s].val();
            self.step_gone[s].next = self.step_ends[s].val() | !self.step_mask[s].val().any();
            if !self.step_gone[s].val() {
                self.step_rest.next = self.step_rest.val() | self.step_mask[s].val();
            }
        }
        self.drains.next =
            (self.step_runs[0].val() & self.busy_here[1].val()) | (self.step_runs[1].val() & self.busy_here[0].val());

        // What changes, unless an operation says otherwise.
        self.lanes.value.next = self.event_lanes.val();
        self.copy.valid.next = false;
        self.copy.warp.next = self.warp.val();
        self.finished.valid.next = false;
        self.finished.warp.next = self.warp.val();
        self.arrive.valid.next = false;
        self.arrive.warp.next = self.warp.val();
        self.arrive.count.next = self.lanes.count.val();
        self.exit.valid.next = false;
        self.exit.warp.next = self.warp.val();
        self.exit.count.next = self.lanes.count.val();
        self.overflow.valid.next = false;
        self.overflow.warp.next = self.warp.val();
        self.overflow.pc.next = self.following.val() - 4;
        self.depth.next = 0.into();
        self.pushed.next = false;
        self.suspended.next = false;
        self.served.next = false;
        self.stays.next = false;
        self.acts.next = true;
        self.replaces.next = false;
        self.stops.next = false;
        self.active_rpc.write_address[0].next = self.warp.val();
        self.active_index.write_address[0].next = self.warp.val();
        self.active_rpc.write_data[0].next = self.entry_rpc.read_data[0].val();
        self.active_index.write_data[0].next = self.highest.index.val();
        self.entry_rpc.write_enable[0].next = false;
        self.entry_rpc.write_address[0].next = self.hole_row.val();
        self.entry_rpc.write_data[0].next = self.rpc.val();
        self.live.write_enable[0].next = false;
        self.live.write_address[0].next = self.warp.val();
        self.live.write_data[0].next = self.live.read_data[0].val() & !self.event_lanes.val();
        for s in 0..self.stored.len() {
            self.stored_next[s].next = self.stored_now[s].val();
            self.starts[s].next = false;
            self.moves[s].next = false;
            self.rests[s].next = false;
            self.leaves[s].next = false;
            self.diverts[s].next = false;
            self.barred[s].write_enable[0].next = false;
            self.barred[s].write_address[0].next = self.warp.val();
            self.barred[s].write_data[0].next = self.waits[s].val();
            self.active_pc[s].write_address[1].next = self.warp.val();
            self.active_pc[s].write_data[1].next = self.entry_pc[s].read_data[0].val();
            self.active_mask[s].write_address[0].next = self.warp.val();
            self.active_mask[s].write_data[0].next = self.step_mask[s].val();
            self.entry_pc[s].write_enable[0].next = false;
            self.entry_pc[s].write_address[0].next = self.slot_row.val();
            self.entry_pc[s].write_data[0].next = self.saved_pc[s].val();
            self.entry_mask[s].write_enable[0].next = false;
            self.entry_mask[s].write_address[0].next = self.hole_row.val();
            self.entry_mask[s].write_data[0].next = self.side_mask[s].val();
        }
        self.next_unsettled.next = self.unsettled.q.val();
        self.next_draining.next = self.draining.q.val();
        self.next_deferred.next = self.deferred.q.val();
        self.next_at_barrier.next = self.at_barrier.q.val() & !self.released.val();
        self.next_parked.next = self.parked.q.val() & !self.released.val();
        self.walk_warp.d.next = self.warp.val();

        match self.operation.val() {
            DualPathOperation::Settle => {
                self.next_unsettled.next = self.unsettled.q.val() & !self.warp_bit.val();
                self.next_draining.next = self.draining.q.val() & !self.warp_bit.val();
                self.walk_rest.d.next = self.highest.below.val();
                if self.interrupted.val() {
                    self.stops.next = true;
                } else if !self.live.read_data[0].val().any() {
                    self.stops.next = true;
                    self.finished.valid.next = true;
                } else if !self.highest.any.val() {
                    self.stops.next = true;
                    self.next_parked.next = self.next_parked.val() | self.warp_bit.val();
                } else {
                    for s in 0..self.stored.len() {
                        if self.step_gone[s].val() {
                            self.stored_next[s].next = self.stored_now[s].val() & !self.highest.one_hot.val();
                        }
                    }
                    if !self.step_runs[0].val() & !self.step_runs[1].val() {
                        self.walk_above.d.next = self.walk_above.q.val() | self.step_rest.val();
                    } else {
                        self.stops.next = true;
                        if self.drains.val() {
                            self.next_unsettled.next = self.unsettled.q.val() | self.warp_bit.val();
                            self.next_draining.next = self.draining.q.val() | self.warp_bit.val();
                        } else {
                            self.replaces.next = true;
                            self.copy.valid.next = true;
                            for s in 0..self.stored.len() {
                                self.starts[s].next = self.step_runs[s].val();
                            }
                        }
                    }
                }
                self.walking.d.next = !self.stops.val();
                if self.stops.val() {
                    self.walk_rest.d.next = self.all_entries.val();
                    self.walk_above.d.next = 0.into();
                }
            }
            DualPathOperation::Launch => {
                self.replaces.next = true;
                self.copy.valid.next = true;
                self.starts[0].next = true;
                self.stored_next[0].next = self.one_entry.val();
                self.stored_next[1].next = 0.into();
                self.active_pc[0].write_data[1].next = self.launch.pc.val();
                self.active_mask[0].write_data[0].next = self.launch.mask.val();
                self.active_rpc.write_data[0].next = 1.into();
                self.active_index.write_data[0].next = 0.into();
                self.entry_mask[0].write_enable[0].next = true;
                self.entry_mask[0].write_address[0].next =
                    bit_cast_to(self.warp.val(), self._row) << self.index_bits.val();
                self.entry_mask[0].write_data[0].next = self.launch.mask.val();
                self.entry_rpc.write_enable[0].next = true;
                self.entry_rpc.write_address[0].next = bit_cast_to(self.warp.val(), self._row) << self.index_bits.val();
                self.entry_rpc.write_data[0].next = 1.into();
                self.live.write_enable[0].next = true;
                self.live.write_data[0].next = self.launch.mask.val();
                self.depth.next = 1.into();
            }
            DualPathOperation::Serve => {
                self.served.next = true;
                match self.kind.val() {
                    ControlKind::Exit => {
                        self.exit.valid.next = true;
                        self.live.write_enable[0].next = true;
                        for s in 0..self.stored.len() {
                            self.leaves[s].next = self.serves[s].val();
                        }
                        for s in 0..self.stored.len() {
                            self.rests[s].next = self.serves[s].val();
                        }
                    }
                    ControlKind::Barrier => {
                        self.arrive.valid.next = true;
                        self.next_at_barrier.next = self.next_at_barrier.val() | self.warp_bit.val();
                        for s in 0..self.stored.len() {
                            self.rests[s].next = self.serves[s].val();
                        }
                        for s in 0..self.stored.len() {
                            self.barred[s].write_enable[0].next = true;
                            if self.serves[s].val() {
                                self.barred[s].write_data[0].next = self.waits[s].val() | self.slot.val();
                            }
                            self.entry_pc[s].write_enable[0].next = self.serves[s].val();
                            self.entry_pc[s].write_data[0].next = self.following.val();
                        }
                    }
                    _ => {
                        self.active_rpc.write_data[0].next = self.rpc.val();
                        self.active_index.write_data[0].next = self.active_index.read_data[0].val();
                        if !self.sides.splits.val() {
                            // All lanes go the same way.
                            for s in 0..self.stored.len() {
                                self.active_pc[s].write_data[1].next = self.sides.goes_to.val();
                                if self.sides.goes_to.val() == self.active_rpc.read_data[1].val() {
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
                            }
                            for s in 0..self.stored.len() {
                                self.active_pc[s].write_data[1].next = self.lone_pc.val();
                                self.active_mask[s].write_data[0].next = self.lone_mask.val();
                                self.entry_mask[s].write_enable[0].next = self.serves[s].val();
                                self.entry_mask[s].write_address[0].next = self.slot_row.val();
                            }
                        } else if self.defers.val() | self.holds.val() {
                            self.served.next = false;
                            self.stays.next = true;
                        } else if self.pushes.val() & !self.hole.any.val() {
                            self.served.next = false;
                            self.overflow.valid.next = true;
                        } else {
                            self.pushed.next = self.pushes.val();
                            self.suspended.next = self.pushes.val() & self.other_runs.val() & !self.beneath.val();
                            self.entry_rpc.write_enable[0].next = self.pushes.val();
                            if self.pushes.val() {
                                self.depth.next = bit_cast_to(self.hole.index.val(), self._depth) + 1;
                                self.active_index.write_data[0].next = self.hole.index.val();
                            }
                            for s in 0..self.stored.len() {
                                self.active_pc[s].write_data[1].next = self.side_pc[s].val();
                                self.active_mask[s].write_data[0].next = self.side_mask[s].val();
                                self.entry_mask[s].write_enable[0].next = self.side_runs[s].val();
                                if self.overwrites.val() {
                                    self.entry_mask[s].write_address[0].next = self.slot_row.val();
                                }
                            }
                            if self.beneath.val() {
                                // The other branch is served next, and its entry comes above this one.
                                for s in 0..self.stored.len() {
                                    self.rests[s].next = self.serves[s].val();
                                }
                                for s in 0..self.stored.len() {
                                    self.leaves[s].next = self.serves[s].val() & self.reuses.val();
                                    self.diverts[s].next = self.serves[s].val() & !self.reuses.val();
                                    self.entry_pc[s].write_enable[0].next = self.side_runs[s].val();
                                    self.entry_pc[s].write_address[0].next = self.hole_row.val();
                                    self.entry_pc[s].write_data[0].next = self.side_pc[s].val();
                                    if self.diverts[s].val() {
                                        self.active_pc[s].write_data[1].next = self.rpc.val();
                                    }
                                }
                            } else {
                                self.replaces.next = true;
                                self.copy.valid.next = true;
                                for s in 0..self.stored.len() {
                                    self.starts[s].next = self.side_runs[s].val();
                                }
                                for s in 0..self.stored.len() {
                                    self.leaves[s].next = self.serves[s].val() & self.reuses.val() & self.pushes.val();
                                    // The entry below: the PCs at which its paths resume.
                                    self.entry_pc[s].write_enable[0].next = self.pushes.val()
                                        & (self.serves[s].val()
                                            | self.runs_here[s].val()
                                            | (self.diverted[s].q.val() & self.warp_bit.val()).any());
                                    if self.serves[s].val() {
                                        self.entry_pc[s].write_data[0].next = self.rpc.val();
                                    }
                                }
                            }
                            for s in 0..self.stored.len() {
                                if self.side_runs[s].val() & self.pushes.val() {
                                    self.stored_next[s].next = self.stored_now[s].val() | self.hole.one_hot.val();
                                }
                                if self.side_runs[s].val() & self.overwrites.val() {
                                    self.stored_next[s].next = self.stored_now[s].val() | self.slot.val();
                                }
                            }
                        }
                    }
                }
                if (self.stays.val() & self.defers.val()) | (self.served.val() & self.beneath.val()) {
                    self.next_deferred.next = self.deferred.q.val() | self.warp_bit.val();
                } else if self.served.val() {
                    self.next_deferred.next = self.deferred.q.val() & !self.warp_bit.val();
                }
            }
            _ => self.acts.next = false,
        }

        self.active_rpc.write_enable[0].next = self.replaces.val();
        self.active_index.write_enable[0].next = self.replaces.val();
        for s in 0..self.stored.len() {
            self.events[s].resolve.warp.next = self.resolved.val();
            wire::join(&mut self.resolve.kind, &mut self.events[s].resolve.kind);
            wire::join(&mut self.resolve.taken, &mut self.events[s].resolve.taken);
            wire::join(&mut self.resolve.mask, &mut self.events[s].resolve.mask);
            wire::join(&mut self.resolve.target, &mut self.events[s].resolve.target);
            wire::join(&mut self.resolve.next_pc, &mut self.events[s].resolve.next_pc);
            wire::join(&mut self.resolve.annotation, &mut self.events[s].resolve.annotation);
            self.events[s].serve.next = self.served.val() & self.serves[s].val();

            if self.leaves[s].val() {
                self.stored_next[s].next = self.stored_next[s].val() & !self.slot.val();
            }
            self.stored[s].write_enable[0].next = self.acts.val();
            self.stored[s].write_address[0].next = self.warp.val();
            self.stored[s].write_data[0].next = self.stored_next[s].val();
            self.active_pc[s].write_enable[1].next = self.replaces.val() | self.moves[s].val() | self.diverts[s].val();
            self.active_mask[s].write_enable[0].next = self.replaces.val() | (self.moves[s].val() & self.narrows.val());
        }

        // What becomes of the paths.
        for s in 0..self.running.len() {
            self.next_running[s].next = self.running[s].q.val() & !self.ended[s].val();
            self.runnable[s].d.next = self.runnable[s].q.val() & !self.blocked[s].val();
            if self.replaces.val() | self.rests[s].val() {
                self.next_running[s].next = self.running[s].q.val() & !self.ended[s].val() & !self.warp_bit.val();
                self.runnable[s].d.next = self.runnable[s].q.val() & !self.blocked[s].val() & !self.warp_bit.val();
            }
            if self.starts[s].val() {
                self.next_running[s].next = (self.running[s].q.val() & !self.ended[s].val()) | self.warp_bit.val();
            }
            if self.starts[s].val() | self.moves[s].val() {
                self.runnable[s].d.next = (self.runnable[s].q.val() & !self.blocked[s].val()) | self.warp_bit.val();
            }
            self.running[s].d.next = self.next_running[s].val();

            self.over[s].d.next = self.over[s].q.val() | self.ended[s].val();
            if self.acts.val() {
                self.over[s].d.next = (self.over[s].q.val() & !self.warp_bit.val()) | self.ended[s].val();
            }

            self.still_unresolved[s].next = self.unresolved[s].q.val() & !self.dropped[s].val();
            if self.served.val() & self.serves[s].val() {
                self.still_unresolved[s].next =
                    self.unresolved[s].q.val() & !self.dropped[s].val() & !self.warp_bit.val();
            }
            self.unresolved[s].d.next = self.still_unresolved[s].val();
            if self.decoded.control.val() {
                self.unresolved[s].d.next = self.still_unresolved[s].val() | self.in_decode[s].val();
            }

            self.followed[s].d.next = self.foreign[s].val();
            if self.starts[s].val() {
                self.followed[s].d.next = self.foreign[s].val() | (self.slot_valid[s].val() & self.warp_bit.val());
            }
            self.flushed[s].d.next = self.flushed[s].q.val() | (self.dropped[s].val() & !self.unresolved[s].q.val());
            self.diverted[s].d.next = self.diverted[s].q.val();
            self.held[s].d.next = self.held[s].q.val();
            if self.replaces.val() {
                self.flushed[s].d.next = (self.flushed[s].q.val() & !self.warp_bit.val())
                    | (self.dropped[s].val() & !self.unresolved[s].q.val());
                self.diverted[s].d.next = self.diverted[s].q.val() & !self.warp_bit.val();
            }
            if self.diverts[s].val() {
                self.diverted[s].d.next = self.diverted[s].q.val() | self.warp_bit.val();
            }
            // The other path's branch has been served, or begins to wait.
            if self.served.val() & !self.serves[s].val() {
                self.held[s].d.next = self.held[s].q.val() & !self.warp_bit.val();
            }
            if self.stays.val() & self.holds.val() & !self.serves[s].val() {
                self.held[s].d.next = self.held[s].q.val() | self.warp_bit.val();
            }
        }
        self.lost.next = (self.running[0].q.val() | self.running[1].q.val())
            & !(self.next_running[0].val() | self.next_running[1].val());
        self.unsettled.d.next = self.next_unsettled.val() | self.released.val() | self.lost.val();
        self.draining.d.next = self.next_draining.val();
        self.deferred.d.next = self.next_deferred.val();
        self.at_barrier.d.next = self.next_at_barrier.val();
        self.parked.d.next = self.next_parked.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a script on warp 0 of four lanes. A line is a cycle, `input | left right [what happens]`:
    /// - input: `launch pc mask`, `fetch side`, `step` or `control` (DECODE of what has been fetched, which enters the buffer), `issue side`,
    ///   `branch side taken target next rpc`, `jump side target`, `exit side`, `barrier side` (a control instruction resolves), `release`, `-`;
    /// - left, right: PC and lanes of the path if it can be fetched, `-` if it lives and cannot, `.` if there is none.
    #[track_caller]
    fn play(script: &str) {
        let mut stack = DualPathStack::new(4, 4, 4, true);
        stack.connect_all();
        simulate(&mut stack, 1000);
        let bits = |text: &str| Word::from(usize::from_str_radix(text, 2).unwrap());
        let hex = |text: &str| Word::from(usize::from_str_radix(text, 16).unwrap());
        let (mut fetched, mut buffered) = (0, [false; 2]);
        for line in script.trim().lines().map(str::trim) {
            let (input, expected) = line.split_once('|').unwrap();
            let expected = expected.split(';').next().unwrap().trim();
            let words: Vec<&str> = input.split_whitespace().collect();
            let side = usize::from(words.get(1) == Some(&"R"));
            let kind = match words[0] {
                "branch" => Some(ControlKind::Branch),
                "jump" => Some(ControlKind::Jump),
                "exit" => Some(ControlKind::Exit),
                "barrier" => Some(ControlKind::Barrier),
                _ => None,
            };
            stack.launch.valid.next = words[0] == "launch";
            stack.decoded.valid.next = ["step", "control"].contains(&words[0]);
            stack.decoded.control.next = words[0] == "control";
            stack.decoded.warp.next = (fetched << 2).into();
            stack.barrier_release.next = usize::from(words[0] == "release").into();
            stack.resolve.valid.next = kind.is_some();
            stack.resolve.warp.next = (side << 2).into();
            // What is buffered leaves when it issues; a control instruction, before it resolves.
            if words[0] == "issue" || kind.is_some() {
                buffered[side] = false;
            }
            for (port, full) in stack.slot_valid.iter_mut().zip(buffered) {
                port.next = usize::from(full).into();
            }
            stack.fetch_warp.next = (side << 2).into();
            simulate(&mut stack, 1000);
            if let Some(kind) = kind {
                stack.resolve.kind.next = kind;
                stack.resolve.mask.next = stack.fetch_mask.val();
                stack.resolve.taken.next = 0.into();
                stack.resolve.next_pc.next = stack.fetch_pc.val() + 4;
            }
            match words[..] {
                ["launch", pc, mask] => {
                    stack.launch.pc.next = hex(pc);
                    stack.launch.mask.next = bits(mask);
                }
                ["branch", _, taken, target, next, rpc] => {
                    stack.resolve.taken.next = bits(taken);
                    stack.resolve.target.next = hex(target);
                    stack.resolve.next_pc.next = hex(next);
                    stack.resolve.annotation.rpc.next = hex(rpc);
                    stack.resolve.annotation.rpc_valid.next = true;
                }
                ["jump", _, target] => {
                    stack.resolve.taken.next = stack.fetch_mask.val();
                    stack.resolve.target.next = hex(target);
                }
                ["fetch", _] => fetched = side,
                _ => {}
            }
            let mut seen = vec![];
            for path in 0..2 {
                stack.fetch_warp.next = (path << 2).into();
                simulate(&mut stack, 1000);
                seen.push(match (stack.fetchable[path].val().get_bit(0), stack.present[path].val().get_bit(0)) {
                    (true, _) => format!("{:x}:{:04b}", stack.fetch_pc.val().value(), stack.fetch_mask.val().value()),
                    (false, true) => "-".into(),
                    (false, false) => ".".into(),
                });
            }
            let pushed = format!("pushed {}", stack.depth.val().value());
            for (name, happens) in [
                ("held", stack.hold[0].val().any() | stack.hold[1].val().any()),
                ("flushed", stack.flush[0].val().any() | stack.flush[1].val().any()),
                (pushed.as_str(), stack.pushed.val()),
                ("suspended", stack.suspended.val()),
                ("copy", stack.copy.valid.val()),
                ("arrive", stack.arrive.valid.val()),
                ("exit", stack.exit.valid.val()),
                ("finished", stack.finished.valid.val()),
                ("waiting", stack.waiting.val().any()),
                ("overflow", stack.overflow.valid.val()),
            ] {
                if happens {
                    seen.push(name.into());
                }
            }
            assert_eq!(seen.join(" "), expected, "{line}");
            let flushed = [0, 1].map(|path| stack.flush[path].val().any());
            stack.fetch_warp.next = (fetched << 2).into();
            tick!(stack);
            if ["step", "control"].contains(&words[0]) {
                buffered[fetched] = true;
            }
            for (full, flushed) in buffered.iter_mut().zip(flushed) {
                *full &= !flushed;
            }
        }
    }

    /// Rhu 2014, Fig 3.3: A at 0, B 40, C 80, D c0, E 100, F 140, G 180. B has an instruction in the buffer when C diverges.
    #[test]
    fn both_sides_run_and_the_other_is_suspended() {
        play(
            "launch 0 1111             | . . copy
             fetch L                   | 0:1111 .
             control                   | 0:1111 .
             branch L 1000 40 80 180   | - .
             -                         | - . pushed 2 copy
             fetch L                   | 40:1000 80:0111
             step                      | 40:1000 80:0111
             fetch R                   | 44:1000 80:0111
             control                   | 44:1000 80:0111
             branch R 0100 c0 100 140  | 44:1000 -   ; B is in the buffer, C diverges
             -                         | 44:1000 -
             -                         | - - held flushed   ; B must come to rest; its instruction is dropped
             -                         | - - held pushed 3 suspended copy   ; D and E above B and F
             -                         | c0:0100 100:0011
             jump L 140                | c0:0100 100:0011
             -                         | c0:0100 100:0011
             jump R 140                | . 100:0011
             -                         | . 100:0011
             -                         | . . copy
             -                         | 40:1000 140:0111   ; the dropped instruction again, and F
             jump R 180                | 40:1000 140:0111
             -                         | 40:1000 140:0111
             jump L 180                | 40:1000 .
             -                         | 40:1000 .
             -                         | . . copy
             -                         | 180:1111 .
             -                         | 180:1111 .
             exit L                    | 180:1111 .
             -                         | 180:1111 . exit
             -                         | . . finished",
        );
    }

    /// An `if` without `else` runs on the side of the path that diverges, and goes on there; a loop that threads leave needs no entry.
    #[test]
    fn a_lone_side_stays_where_it_is() {
        play(
            "launch 0 1111             | . . copy
             branch L 0011 40 4 40     | 0:1111 .
             -                         | 0:1111 . pushed 2 copy   ; lanes 0 and 1 are at the RPC
             -                         | 4:1100 .
             branch L 0100 40 8 40     | 4:1100 .
             -                         | 4:1100 .
             jump L 40                 | 8:1000 .   ; one more: in place
             -                         | 8:1000 .
             -                         | . . copy
             -                         | 40:1111 .",
        );
    }

    /// The threads at the barrier lie above those that must still reach it.
    #[test]
    fn a_path_at_a_barrier_waits_for_the_other() {
        play(
            "launch 0 1111             | . . copy
             branch L 0011 40 4 80     | 0:1111 .
             -                         | 0:1111 . pushed 2 copy
             barrier L                 | 40:0011 4:1100
             -                         | 40:0011 4:1100 arrive
             barrier R                 | . 4:1100
             -                         | . 4:1100 arrive
             -                         | . .
             -                         | . .
             -                         | . .
             release                   | . . waiting
             -                         | . . copy
             -                         | 44:0011 8:1100
             -                         | 44:0011 8:1100",
        );
    }

    /// The left path's branch and the right one's resolve before either is served: the right one's entry comes beneath the left one's.
    #[test]
    fn both_paths_diverge_at_once() {
        play(
            "launch 0 1111             | . . copy
             branch L 0011 40 80 180   | 0:1111 .
             -                         | 0:1111 . pushed 2 copy
             branch L 0001 c0 44 100   | 40:0011 80:1100
             branch R 0100 140 84 160  | 40:0011 80:1100
             -                         | 40:0011 - held
             -                         | 40:0011 - held pushed 3   ; the right one, beneath
             -                         | 40:0011 . pushed 4 copy   ; the left one, on top
             -                         | c0:0001 44:0010
             jump L 100                | c0:0001 44:0010
             jump R 100                | c0:0001 44:0010
             -                         | . 44:0010
             -                         | . . copy
             -                         | 140:0100 84:1000
             -                         | 140:0100 84:1000
             -                         | 140:0100 84:1000
             -                         | 140:0100 84:1000",
        );
    }
}
