//! Single-path execution: one reconvergence stack per warp, all served by one engine.
//!
//! ```text
//!                     +-------------------------------------------------------+
//!  fetch_warp ------->| active entry of every warp <----- +4, ends at RPC ----|<--- decoded_*
//!  fetch_pc, _mask <--| {pc, mask, rpc, index} <-------+                      |
//!                     |                                | activate, push       |---> fetchable, waiting
//!  resolve_* -------->|--> ResolveQueue --> +----------+-----------+          |
//!  launch_* --------->|-------------------> | engine, one per cycle|          |---> finished_*
//!  launch_ready <-----|                     | Settle Launch Resolve|--------->|---> arrive_*, exit_*
//!  barrier_release -->|--> unsettled -----> +----------+-----------+          |---> overflow_*, depth
//!                     |                                | store, walk down     |
//!                     | stored entries {warp, index} <-+                      |
//!                     | {pc, mask, rpc}            [ConvergenceLinks]         |
//!                     +-------------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `launch_valid`, `launch_ready` | 1 | a warp starts at the edge when both are set |
//! | `launch_warp`, `launch_pc`, `launch_mask` | w, 32, L | which, where, with which lanes |
//! | `fetchable` | W | warps with an active entry and no unresolved control instruction |
//! | `fetch_warp` | w | the warp fetched this cycle |
//! | `fetch_pc`, `fetch_mask`, `fetch_rpc` | 32, L, 32 | its active entry |
//! | `decoded_valid`, `decoded_warp` | 1, w | the warp fetched in the last cycle is in DECODE; it is not fetched in this cycle |
//! | `decoded_control` | 1 | with a control instruction: it is fetched again only after its `resolve` |
//! | `resolve_*` | | outcome of a control instruction, see [`ResolveQueue`] |
//! | `barrier_release` | W | the warps' waiting entries may go on |
//! | `finished_valid`, `finished_warp` | 1, w | its last thread has ended |
//! | `arrive_valid`, `arrive_warp`, `arrive_count` | 1, w, n | threads that begin to wait at `bar.sync` |
//! | `exit_valid`, `exit_warp`, `exit_count` | 1, w, n | threads that end |
//! | `waiting` | W | nothing runnable: every live thread waits |
//! | `overflow_valid`, `overflow_warp`, `overflow_pc` | 1, w, 32 | the branch at `overflow_pc` found no free entry; the engine stops there |
//! | `depth` | d | entries up to and including the one just pushed, else 0; its maximum is the stack's depth |
//!
//! Latency: a uniform branch resolved in cycle *c* is fetchable again in *c* + 2, a divergent one in *c* + 2 or *c* + 3; a pop takes one cycle
//! more, and one more per entry dropped or passed over on the way down. With likely-convergence points a branch that has one takes a cycle
//! more if both sides run, and a merge takes one or two.
//!
//! State per warp: the active entry, the stored entries with a bit vector of those in use, the live lanes.
//!
//! Source: Rhu 2014, 3.1.1; Fung & Aamodt 2011, 2.2.2. Where they are silent: a branch that reconverges where its entry
//! ends reuses the entry's slot, so a loop does not grow the stack with its trips; a side that starts at the RPC is not pushed; entries
//! emptied by `exit` below the top are holes, filled lowest first; entries that wait at `bar.sync` yield to
//! the highest entry below with none of their threads, so a barrier inside divergent code does not deadlock. Likely-convergence
//! points (optional; Fung & Aamodt 2011, 4): see [`ConvergenceLinks`].
//!
//! Why this structure. Fetch needs one entry per warp every cycle, everything else happens at branches: so the
//! active entries have memories of their own, and one engine for all warps works on the rest. A branch that diverges with a new RPC pushes
//! twice, its region and then a side of it; after the first push the active entry ends at that RPC, so the second push
//! is an ordinary one with slot reuse, and the engine needs no state for it. Every settling and every launch stems from something that has left
//! the queue, so giving them precedence over the queue starves nobody. A likely-convergence entry is pushed the same way, in a round of its
//! own: the first side then has that very point, so the round behind is again ordinary. The absence of an RPC is an odd address, which no PC equals.
use super::{BranchSides, ConvergenceLinks, HighestEntry, ResolveQueue};
use crate::interface::{ControlKind, Decoded, Launch, Resolve, ThreadEvent, WarpEvent, WarpFault};
use crate::prelude::*;

hardware_enum! {
    /// What the engine does in a cycle.
    pub enum StackOperation {
        /// Nothing to do.
        Idle,
        /// One step down a stack in search of the entry to run.
        Settle,
        /// A warp starts.
        Launch,
        /// A control instruction takes effect.
        Resolve,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct SpeStack: clock, reset {
        pub launch: Launch<In> = Launch::new(lanes, warp),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Net<Out> = warps,
        pub fetch_warp: Net<In> = warp,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub fetch_rpc: Net<Out> = 32,
        pub decoded: Decoded<In> = Decoded::new(lanes, warp),
        pub resolve: Resolve<In> = Resolve::new(lanes, warp, warp, 1),
        pub barrier_release: Net<In> = warps,
        pub finished: WarpEvent<Out> = WarpEvent::new(warp),
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub waiting: Net<Out> = warps,
        pub overflow: WarpFault<Out> = WarpFault::new(warp),
        pub depth: Net<Out> = index_width(entries + 1),

        queue: ResolveQueue = ResolveQueue::new(lanes, warps, likely_convergence),
        /// Likely-convergence points, if built.
        links: Vec<ConvergenceLinks> = (0..likely_convergence as usize).map(|_| ConvergenceLinks::new(warps, entries)).collect(),
        // The active entry of every warp.
        active_pc: Memory = by_warp(32, 1, 2),
        active_mask: Memory = by_warp(lanes, 1 + likely_convergence as usize, 1),
        active_rpc: Memory = by_warp(32, 2, 1),
        active_index: Memory = by_warp(index, 1, 1),
        // The other entries, by {warp, index}.
        entry_pc: Memory = by_entry(32),
        entry_mask: Memory = by_entry(lanes),
        entry_rpc: Memory = by_entry(32),
        /// By warp: entries in use, without the active one.
        stored: Memory = by_warp(entries, 1, 1),
        /// By warp: stored entries at `bar.sync`, meaningful while the warp is `at_barrier`.
        barred: Memory = by_warp(entries, 1, 1),
        /// By warp: lanes that have not ended.
        live: Memory = by_warp(lanes, 1, 1),

        /// Bit per warp: it has an active entry and may be fetched.
        runnable: Register = Register::new(warps),
        /// Bit per warp: it waits for the engine to find its active entry.
        unsettled: Register = Register::new(warps),
        /// Bit per warp: some entry waits at `bar.sync`.
        at_barrier: Register = Register::new(warps),
        /// Bit per warp: every entry does.
        parked: Register = Register::new(warps),

        // DECODE: the fetched PC + 4, and whether the entry ends there.
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

        request: PriorityEncoder = PriorityEncoder::new(warps),
        highest: HighestEntry = HighestEntry::new(entries),
        hole: PriorityEncoder = PriorityEncoder::new(entries),
        sides: BranchSides = BranchSides::new(lanes, taken_first),
        lanes: Popcount = Popcount::new(lanes),
        operation: Signal<Local, StackOperation>,
        warp: Net<Local> = warp,
        warp_bit: Net<Local> = warps,
        decoded_bit: Net<Local> = warps,
        released: Net<Local> = warps,
        /// Bit of the warp in DECODE whose entry ends.
        ended: Net<Local> = warps,
        /// Bit of the warp in DECODE that is not fetched until the engine has served it.
        blocked: Net<Local> = warps,
        next_unsettled: Net<Local> = warps,
        next_at_barrier: Net<Local> = warps,
        next_parked: Net<Local> = warps,
        next_pc: Net<Local> = 32,
        /// The PC of what is active behind the branch.
        continues_at: Net<Local> = 32,
        highest_row: Net<Local> = index_width(warps << index),
        slot_row: Net<Local> = index_width(warps << index),

        slot: Net<Local> = entries,
        waits: Net<Local> = entries,
        reuses: Signal<Local, Bit>,
        pushes: Signal<Local, Bit>,
        step_mask: Net<Local> = lanes,
        step_runs: Signal<Local, Bit>,
        interrupted: Signal<Local, Bit>,
        stops: Signal<Local, Bit>,
        activates: Signal<Local, Bit>,
        /// A new active entry, or (without it) a new PC for the present one.
        replaces: Signal<Local, Bit>,
        deactivates: Signal<Local, Bit>,
        stores: Signal<Local, Bit>,

        // Likely-convergence points.
        /// The entry in DECODE ends at its point.
        following_arrives: Signal<Local, Bit>,
        /// Bit of the warp whose active entry arrives at its point.
        arrives: Net<Local> = warps,
        /// The active entry has arrived, and has yet to be merged.
        arrived: Signal<Local, Bit>,
        active_point: Net<Local> = 32,
        entry_point: Net<Local> = 32,
        /// The entry that the walk looks at may yet get threads.
        grows: Signal<Local, Bit>,
        /// That alone keeps some entry from running.
        blocked_entry: Signal<Local, Bit>,
        /// The walk goes down to that entry, and to no other.
        forced: Signal<Local, Bit>,
        chosen: Signal<Local, Bit>,
        entry_ready: Signal<Local, Bit>,
        needs_point: Signal<Local, Bit>,
        attaches: Signal<Local, Bit>,
        detaches: Signal<Local, Bit>,
        takes: Signal<Local, Bit>,
        merges: Signal<Local, Bit>,
        passes: Signal<Local, Bit>,
        restarts: Signal<Local, Bit>,
        forces: Signal<Local, Bit>,
        merge_index: Net<Local> = index,
        merged_mask: Net<Local> = lanes,
    }
    sizes { _index = index, _row = index_width(warps << index), _depth = index_width(entries + 1) }
    /// For `warps` warps of `lanes` threads, `entries` entries each (at most 64), running the taken side of a branch first or not,
    /// with likely-convergence points or without.
    pub fn new(lanes: usize, warps: usize, entries: usize, taken_first: bool, likely_convergence: bool) {
        let (warp, index) = (index_width(warps), index_width(entries));
        let by_warp = |width, reads, writes| Memory::new(width, warps, reads, writes, ReadKind::Asynchronous);
        let by_entry = |width| Memory::new(width, warps << index, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for SpeStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SpeStack");
        dff_setup!(self, clock, runnable, unsettled, at_barrier, parked, following_pc, following_is_rpc);
        dff_setup!(self, clock, walking, walk_warp, walk_rest, walk_above);

        // FETCH reads the active entry, DECODE advances it.
        self.fetchable.next = self.runnable.q.val();
        self.waiting.next = self.parked.q.val();
        self.active_pc.read_address[0].next = self.fetch_warp.val();
        self.active_mask.read_address[0].next = self.fetch_warp.val();
        self.active_rpc.read_address[0].next = self.fetch_warp.val();
        self.fetch_pc.next = self.active_pc.read_data[0].val();
        self.fetch_mask.next = self.active_mask.read_data[0].val();
        self.fetch_rpc.next = self.active_rpc.read_data[0].val();
        self.next_pc.next = self.fetch_pc.val() + 4;
        self.following_pc.d.next = self.next_pc.val();
        self.following_is_rpc.d.next = bit_cast_to(self.next_pc.val() == self.active_rpc.read_data[0].val(), 1);
        self.active_pc.write_enable[0].next = self.decoded.valid.val() & !self.decoded.control.val();
        self.active_pc.write_address[0].next = self.decoded.warp.val();
        self.active_pc.write_data[0].next = self.following_pc.q.val();
        self.decoded_bit.next = 0.into();
        if self.decoded.valid.val() {
            self.decoded_bit.next = self.one_warp.val() << self.decoded.warp.val();
        }
        self.following_arrives.next = false;
        for i in 0..self.links.len() {
            self.following_arrives.next = self.links[i].following_arrives.val();
        }
        self.arrives.next = 0.into();
        self.ended.next = 0.into();
        self.blocked.next = 0.into();
        if self.decoded.control.val() {
            self.blocked.next = self.decoded_bit.val();
        } else if self.following_is_rpc.q.val().any() {
            self.ended.next = self.decoded_bit.val();
            self.blocked.next = self.decoded_bit.val();
        } else if self.following_arrives.val() {
            self.arrives.next = self.decoded_bit.val();
            self.ended.next = self.decoded_bit.val();
            self.blocked.next = self.decoded_bit.val();
        }

        // EXECUTE fills the queue.
        wire::join(&mut self.resolve, &mut self.queue.push);

        // The engine chooses what to do, and reads the state of that warp.
        self.request.request.next = self.unsettled.q.val();
        self.launch_ready.next = false;
        self.operation.next = StackOperation::Idle;
        self.warp.next = self.queue.pop_warp.val();
        if self.walking.q.val() {
            self.operation.next = StackOperation::Settle;
            self.warp.next = self.walk_warp.q.val();
        } else if self.request.any.val() {
            self.operation.next = StackOperation::Settle;
            self.warp.next = self.request.index.val();
        } else {
            self.launch_ready.next = true;
            if self.launch.valid.val() {
                self.operation.next = StackOperation::Launch;
                self.warp.next = self.launch.warp.val();
            } else if self.queue.pop_valid.val() {
                self.operation.next = StackOperation::Resolve;
            }
        }
        self.warp_bit.next = self.one_warp.val() << self.warp.val();
        self.active_rpc.read_address[1].next = self.warp.val();
        self.active_index.read_address[0].next = self.warp.val();
        self.stored.read_address[0].next = self.warp.val();
        self.barred.read_address[0].next = self.warp.val();
        self.live.read_address[0].next = self.warp.val();
        self.waits.next = 0.into();
        if (self.at_barrier.q.val() & self.warp_bit.val()).any() {
            self.waits.next = self.barred.read_data[0].val();
        }
        self.released.next = self.barrier_release.val() & self.at_barrier.q.val();

        // Its likely-convergence points.
        self.active_point.next = 1.into();
        self.entry_point.next = 1.into();
        self.arrived.next = false;
        self.grows.next = false;
        self.blocked_entry.next = false;
        self.forced.next = false;
        self.chosen.next = false;
        for i in 0..self.links.len() {
            self.active_point.next = self.links[i].active_point.val();
            self.entry_point.next = self.links[i].entry_point.val();
            self.arrived.next = self.links[i].arrived.val();
            self.grows.next = self.links[i].grows.val();
            self.blocked_entry.next = self.links[i].blocked.val();
            self.forced.next = self.links[i].insists.val();
            self.chosen.next = self.links[i].chosen.val();
        }

        // Resolve: the sides of a branch; those that run on need entries.
        self.sides.taken.next = self.queue.pop_taken.val();
        self.sides.lanes.next = self.queue.pop_mask.val();
        self.sides.target.next = self.queue.pop_target.val();
        self.sides.following.next = self.queue.pop_next.val();
        self.sides.rpc.next = self.queue.pop_rpc.val();
        self.reuses.next = self.queue.pop_rpc.val() == self.active_rpc.read_data[1].val();
        self.needs_point.next = self.sides.first_runs.val()
            & self.sides.second_runs.val()
            & self.reuses.val()
            & (self.queue.pop_lpc.val() != self.queue.pop_rpc.val())
            & (self.queue.pop_lpc.val() != self.active_point.val())
            & !self.queue.pop_lpc.val().get_bit(0);
        self.continues_at.next = self.sides.goes_to.val();
        if self.sides.splits.val() {
            self.continues_at.next = self.sides.second_pc.val();
            if self.sides.first_runs.val() {
                self.continues_at.next = self.sides.first_pc.val();
            }
        }
        self.slot.next = self.one_entry.val() << self.active_index.read_data[0].val();
        self.hole.request.next =
            !self.stored.read_data[0].val() & ((self.all_entries.val() << self.active_index.read_data[0].val()) << 1);

        // Settle: the highest entry not seen yet.
        self.highest.candidates.next = self.stored.read_data[0].val() & self.walk_rest.q.val();
        self.highest_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.highest.index.val(), self._row);
        self.entry_pc.read_address[0].next = self.highest_row.val();
        self.entry_mask.read_address[0].next = self.highest_row.val();
        self.entry_rpc.read_address[0].next = self.highest_row.val();
        self.merge_index.next = 0.into();
        self.merged_mask.next = 0.into();
        for i in 0..self.links.len() {
            self.active_mask.read_address[i + 1].next = self.warp.val();
            self.merge_index.next = self.links[i].position.val();
            self.merged_mask.next = self.entry_mask.read_data[0].val()
                | (self.active_mask.read_data[i + 1].val() & self.live.read_data[0].val());
            if self.arrived.val() {
                self.entry_mask.read_address[0].next = (bit_cast_to(self.warp.val(), self._row)
                    << self.index_bits.val())
                    | bit_cast_to(self.merge_index.val(), self._row);
            }
        }
        self.step_mask.next = self.entry_mask.read_data[0].val() & self.live.read_data[0].val();
        self.entry_ready.next = !(self.highest.one_hot.val() & self.waits.val()).any()
            & !(self.step_mask.val() & self.walk_above.q.val()).any()
            & !self.forced.val();
        self.step_runs.next = (self.entry_ready.val() & !self.grows.val()) | self.chosen.val();
        self.interrupted.next = (self.released.val() & self.warp_bit.val()).any();

        // What changes, unless an operation says otherwise.
        self.lanes.value.next = self.queue.pop_mask.val();
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
        self.overflow.pc.next = self.queue.pop_next.val() - 4;
        self.depth.next = 0.into();
        self.queue.pop_ready.next = false;
        self.pushes.next = false;
        self.stores.next = false;
        self.stops.next = false;
        self.activates.next = false;
        self.replaces.next = false;
        self.deactivates.next = false;
        self.attaches.next = false;
        self.detaches.next = false;
        self.takes.next = false;
        self.merges.next = false;
        self.passes.next = false;
        self.restarts.next = false;
        self.forces.next = false;

        self.active_pc.write_address[1].next = self.warp.val();
        self.active_mask.write_address[0].next = self.warp.val();
        self.active_rpc.write_address[0].next = self.warp.val();
        self.active_index.write_address[0].next = self.warp.val();
        self.active_pc.write_data[1].next = self.entry_pc.read_data[0].val();
        self.active_mask.write_data[0].next = self.step_mask.val();
        self.active_rpc.write_data[0].next = self.entry_rpc.read_data[0].val();
        self.active_index.write_data[0].next = self.highest.index.val();

        self.slot_row.next = (bit_cast_to(self.warp.val(), self._row) << self.index_bits.val())
            | bit_cast_to(self.active_index.read_data[0].val(), self._row);
        self.entry_pc.write_address[0].next = self.slot_row.val();
        self.entry_mask.write_address[0].next = self.slot_row.val();
        self.entry_rpc.write_address[0].next = self.slot_row.val();
        self.entry_pc.write_data[0].next = self.queue.pop_next.val();
        self.entry_mask.write_data[0].next = self.queue.pop_mask.val();
        self.entry_rpc.write_data[0].next = self.active_rpc.read_data[1].val();

        self.stored.write_enable[0].next = false;
        self.stored.write_address[0].next = self.warp.val();
        self.stored.write_data[0].next = self.stored.read_data[0].val() & !self.highest.one_hot.val();
        self.barred.write_enable[0].next = false;
        self.barred.write_address[0].next = self.warp.val();
        self.barred.write_data[0].next = self.waits.val() | self.slot.val();
        self.live.write_enable[0].next = false;
        self.live.write_address[0].next = self.warp.val();
        self.live.write_data[0].next = self.live.read_data[0].val() & !self.queue.pop_mask.val();

        self.next_unsettled.next = self.unsettled.q.val() | self.ended.val();
        self.next_at_barrier.next = self.at_barrier.q.val() & !self.released.val();
        self.next_parked.next = self.parked.q.val() & !self.released.val();
        self.walk_warp.d.next = self.warp.val();

        match self.operation.val() {
            StackOperation::Settle => {
                self.next_unsettled.next = self.next_unsettled.val() & !self.warp_bit.val();
                self.walk_rest.d.next = self.highest.below.val();
                if self.arrived.val() {
                    self.merges.next = true;
                    self.restarts.next = true;
                } else if self.interrupted.val() {
                    self.stops.next = true;
                } else if !self.live.read_data[0].val().any() {
                    self.stops.next = true;
                    self.finished.valid.next = true;
                } else if !self.highest.any.val() {
                    if self.blocked_entry.val() {
                        self.forces.next = true;
                        self.restarts.next = true;
                    } else {
                        self.stops.next = true;
                        self.next_parked.next = self.next_parked.val() | self.warp_bit.val();
                    }
                } else if !self.step_mask.val().any() & !self.grows.val() {
                    self.stored.write_enable[0].next = true;
                } else if !self.step_runs.val() {
                    self.passes.next = true;
                    self.walk_above.d.next = self.walk_above.q.val() | self.step_mask.val();
                } else {
                    self.stored.write_enable[0].next = true;
                    if self.entry_pc.read_data[0].val() == self.entry_point.val() {
                        // It becomes active to be merged in the next step.
                        self.replaces.next = true;
                        self.takes.next = true;
                        self.restarts.next = true;
                    } else if self.entry_pc.read_data[0].val() != self.entry_rpc.read_data[0].val() {
                        self.stops.next = true;
                        self.activates.next = true;
                        self.replaces.next = true;
                        self.takes.next = true;
                    }
                }
                if self.restarts.val() & self.takes.val() {
                    self.arrives.next = self.arrives.val() | self.warp_bit.val();
                }
                self.walking.d.next = !self.stops.val();
                if self.stops.val() | self.restarts.val() {
                    self.walk_rest.d.next = self.all_entries.val();
                    self.walk_above.d.next = 0.into();
                }
            }
            StackOperation::Launch => {
                self.activates.next = true;
                self.replaces.next = true;
                self.active_pc.write_data[1].next = self.launch.pc.val();
                self.active_mask.write_data[0].next = self.launch.mask.val();
                self.active_rpc.write_data[0].next = 1.into();
                self.active_index.write_data[0].next = 0.into();
                self.detaches.next = true;
                self.stored.write_enable[0].next = true;
                self.stored.write_data[0].next = 0.into();
                self.live.write_enable[0].next = true;
                self.live.write_data[0].next = self.launch.mask.val();
                self.depth.next = 1.into();
            }
            StackOperation::Resolve => {
                self.queue.pop_ready.next = true;
                match self.queue.pop_kind.val() {
                    ControlKind::Exit => {
                        self.exit.valid.next = true;
                        self.live.write_enable[0].next = true;
                        self.deactivates.next = true;
                    }
                    ControlKind::Barrier => {
                        self.arrive.valid.next = true;
                        self.stores.next = true;
                        self.barred.write_enable[0].next = true;
                        self.next_at_barrier.next = self.next_at_barrier.val() | self.warp_bit.val();
                        self.deactivates.next = true;
                    }
                    _ => {
                        self.active_pc.write_data[1].next = self.continues_at.val();
                        if !self.sides.splits.val() {
                            // All lanes go the same way: the entry stays.
                            self.deactivates.next = self.sides.goes_to.val() == self.active_rpc.read_data[1].val();
                            self.activates.next = !self.deactivates.val();
                        } else {
                            // The side that runs first becomes active, in this slot or above what is pushed.
                            self.replaces.next = true;
                            self.activates.next = true;
                            self.active_mask.write_data[0].next = self.sides.second_mask.val();
                            if self.sides.first_runs.val() {
                                self.active_mask.write_data[0].next = self.sides.first_mask.val();
                            }
                            self.active_rpc.write_data[0].next = self.queue.pop_rpc.val();
                            self.active_index.write_data[0].next = self.active_index.read_data[0].val();
                            if self.reuses.val() {
                                self.pushes.next = self.sides.first_runs.val() & self.sides.second_runs.val();
                                self.entry_pc.write_data[0].next = self.sides.second_pc.val();
                                self.entry_mask.write_data[0].next = self.sides.second_mask.val();
                                if self.needs_point.val() {
                                    // The entry at the point comes first; two sides take another round.
                                    self.entry_pc.write_data[0].next = self.queue.pop_lpc.val();
                                    self.entry_mask.write_data[0].next = 0.into();
                                    self.attaches.next = true;
                                    self.activates.next = false;
                                    self.queue.pop_ready.next = false;
                                }
                            } else {
                                // The region's entry continues at the RPC; two sides take a second round.
                                self.pushes.next = true;
                                self.detaches.next = true;
                                self.entry_pc.write_data[0].next = self.queue.pop_rpc.val();
                                self.activates.next = !(self.sides.first_runs.val() & self.sides.second_runs.val());
                                self.queue.pop_ready.next = self.activates.val();
                            }
                        }
                        if self.pushes.val() {
                            self.stores.next = true;
                            self.active_index.write_data[0].next = self.hole.index.val();
                            self.depth.next = bit_cast_to(self.hole.index.val(), self._depth) + 1;
                            if !self.hole.any.val() {
                                self.overflow.valid.next = true;
                                self.stores.next = false;
                                self.replaces.next = false;
                                self.activates.next = false;
                                self.depth.next = 0.into();
                                self.queue.pop_ready.next = false;
                            }
                        }
                        if self.activates.val()
                            & !self.detaches.val()
                            & (self.continues_at.val() == self.active_point.val())
                        {
                            self.arrives.next = self.arrives.val() | self.warp_bit.val();
                            self.activates.next = false;
                            self.deactivates.next = true;
                        }
                    }
                }
            }
            _ => {}
        }

        if self.stores.val() {
            self.stored.write_enable[0].next = true;
            self.stored.write_data[0].next = self.stored.read_data[0].val() | self.slot.val();
        }
        self.entry_pc.write_enable[0].next = self.stores.val();
        self.entry_mask.write_enable[0].next = self.stores.val();
        self.entry_rpc.write_enable[0].next = self.stores.val();
        if self.merges.val() {
            self.entry_mask.write_enable[0].next = true;
            self.entry_mask.write_address[0].next = self.entry_mask.read_address[0].val();
            self.entry_mask.write_data[0].next = self.merged_mask.val();
        }
        for i in 0..self.links.len() {
            self.links[i].fetch_warp.next = self.fetch_warp.val();
            self.links[i].following_pc.next = self.next_pc.val();
            self.links[i].warp.next = self.warp.val();
            self.links[i].slot.next = self.active_index.read_data[0].val();
            self.links[i].index.next = self.highest.index.val();
            self.links[i].detach.next = self.detaches.val() & self.replaces.val();
            self.links[i].attach.next = self.attaches.val() & self.replaces.val();
            self.links[i].attach_point.next = self.queue.pop_lpc.val();
            self.links[i].take.next = self.takes.val();
            self.links[i].store.next = self.stores.val();
            self.links[i].arrives.next = self.arrives.val();
            self.links[i].merged.next = self.merges.val();
            self.links[i].pass.next = self.passes.val();
            self.links[i].candidate.next = self.passes.val() & self.entry_ready.val() & self.step_mask.val().any();
            self.links[i].restart.next = self.stops.val() | self.restarts.val();
            self.links[i].insist.next = self.forces.val();
        }
        self.active_pc.write_enable[1].next = self.activates.val() | self.replaces.val();
        self.active_mask.write_enable[0].next = self.replaces.val();
        self.active_rpc.write_enable[0].next = self.replaces.val();
        self.active_index.write_enable[0].next = self.replaces.val();

        self.runnable.d.next = self.runnable.q.val() & !self.blocked.val();
        if self.activates.val() {
            self.runnable.d.next = (self.runnable.q.val() & !self.blocked.val()) | self.warp_bit.val();
        }
        self.unsettled.d.next = self.next_unsettled.val() | self.released.val();
        if self.deactivates.val() {
            self.unsettled.d.next = self.next_unsettled.val() | self.released.val() | self.warp_bit.val();
        }
        self.at_barrier.d.next = self.next_at_barrier.val();
        self.parked.d.next = self.next_parked.val();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a script on one warp of four lanes. A line is a cycle, `input | output ; comment`:
    /// - input: `launch pc mask`, `fetch`, `step` or `control` (DECODE), `branch taken target next rpc [lpc]`, `jump target`, `exit`, `barrier`, `release`, `-`;
    ///   `taken` and the rest in hexadecimal as on the right, `rpc` may be `end`;
    /// - output: PC and mask of the warp if it can be fetched, else `.`, then what happens in that cycle.
    #[track_caller]
    fn play(stack: &mut SpeStack, script: &str) {
        let bits = |text: &str| usize::from_str_radix(text, 2).unwrap().into();
        let hex = |text: &str| usize::from_str_radix(text, 16).unwrap().into();
        for line in script.trim().lines().map(str::trim) {
            let (input, rest) = line.split_once('|').unwrap();
            let expected = rest.split(';').next().unwrap().trim();
            let words: Vec<&str> = input.split_whitespace().collect();
            stack.launch.valid.next = words[0] == "launch";
            stack.decoded.valid.next = ["step", "control"].contains(&words[0]);
            stack.decoded.control.next = words[0] == "control";
            stack.barrier_release.next = usize::from(words[0] == "release").into();
            let kind = match words[0] {
                "branch" => Some(ControlKind::Branch),
                "jump" => Some(ControlKind::Jump),
                "exit" => Some(ControlKind::Exit),
                "barrier" => Some(ControlKind::Barrier),
                _ => None,
            };
            stack.resolve.valid.next = kind.is_some();
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
                ["branch", taken, target, next, rpc, ref lpc @ ..] => {
                    stack.resolve.taken.next = bits(taken);
                    stack.resolve.target.next = hex(target);
                    stack.resolve.next_pc.next = hex(next);
                    stack.resolve.annotation.rpc.next = if rpc == "end" { 0.into() } else { hex(rpc) };
                    stack.resolve.annotation.rpc_valid.next = rpc != "end";
                    stack.resolve.annotation.lpc.next = lpc.first().map_or(1.into(), |lpc| hex(lpc));
                }
                ["jump", target] => {
                    stack.resolve.taken.next = stack.fetch_mask.val();
                    stack.resolve.target.next = hex(target);
                }
                _ => {}
            }
            simulate(stack, 1000);
            assert_eq!(outputs(stack), expected, "{line}");
            for _ in 0..2 {
                stack.clock.next = !stack.clock.val();
                simulate(stack, 1000);
            }
        }
    }

    fn outputs(stack: &SpeStack) -> String {
        let mut text = match stack.fetchable.val().get_bit(0) {
            true => format!("{:x} {:04b}", stack.fetch_pc.val().value(), stack.fetch_mask.val().value()),
            false => ".".to_string(),
        };
        let mut event = |happens: bool, what: String| {
            if happens {
                text += " ";
                text += &what;
            }
        };
        event(stack.depth.val().any(), format!("depth {}", stack.depth.val().value()));
        event(stack.arrive.valid.val(), format!("arrive {}", stack.arrive.count.val().value()));
        event(stack.exit.valid.val(), format!("exit {}", stack.exit.count.val().value()));
        event(stack.finished.valid.val(), "finished".into());
        event(stack.waiting.val().any(), "waiting".into());
        event(stack.overflow.valid.val(), format!("overflow {:x}", stack.overflow.pc.val().value()));
        text
    }

    fn stack(entries: usize, taken_first: bool) -> SpeStack {
        build(entries, taken_first, false)
    }

    fn build(entries: usize, taken_first: bool, likely_convergence: bool) -> SpeStack {
        let mut stack = SpeStack::new(4, 1, entries, taken_first, likely_convergence);
        stack.connect_all();
        simulate(&mut stack, 1000);
        stack
    }

    /// A to (B, C), C to (D, E), D and E to F, B and F to G: at 10, 20 ... 70.
    const NESTED: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111           ; A
        control                 | 10 1111
        branch 1000 20 30 70    | .
        -                       | . depth 2         ; G
        -                       | . depth 3         ; C, and B above it
        fetch                   | 20 1000           ; B
        control                 | 20 1000
        jump 70                 | .
        -                       | .                 ; at the RPC
        -                       | .
        fetch                   | 30 0111           ; C
        control                 | 30 0111
        branch 0011 40 50 60    | .
        -                       | . depth 3         ; F in the slot of C
        -                       | . depth 4
        fetch                   | 40 0011           ; D
        control                 | 40 0011
        jump 60                 | .
        -                       | .
        -                       | .
        fetch                   | 50 0100           ; E
        control                 | 50 0100
        jump 60                 | .
        -                       | .
        -                       | .
        fetch                   | 60 0111           ; F
        control                 | 60 0111
        jump 70                 | .
        -                       | .
        -                       | .
        fetch                   | 70 1111           ; G
        step                    | 70 1111
        fetch                   | 74 1111
        step                    | 74 1111
        -                       | 78 1111";

    #[test]
    fn nested_branches_of_rhu_figure_3_1() {
        play(&mut stack(8, true), NESTED);
    }

    const FALL_THROUGH_FIRST: &str = "
        launch 10 0110          | . depth 1
        fetch                   | 10 0110
        control                 | 10 0110
        branch 0100 20 30 end   | .
        -                       | . depth 2         ; no RPC, as the first entry: its slot is reused
        fetch                   | 30 0010
        control                 | 30 0010
        exit                    | .
        -                       | . exit 1
        -                       | .
        fetch                   | 20 0100
        control                 | 20 0100
        exit                    | .
        -                       | . exit 1
        -                       | . finished
        -                       | .";

    #[test]
    fn fall_through_first() {
        play(&mut stack(8, false), FALL_THROUGH_FIRST);
    }

    const IF_WITHOUT_ELSE: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        branch 0011 1c 14 1c    | .
        -                       | . depth 2         ; the taken side starts at the RPC: no entry
        fetch                   | 14 1100
        step                    | 14 1100
        fetch                   | 18 1100
        step                    | 18 1100           ; reaches the RPC
        -                       | .
        fetch                   | 1c 1111
        control                 | 1c 1111
        branch 0000 10 20 20    | .                 ; uniform
        -                       | .
        -                       | 20 1111";

    #[test]
    fn if_without_else() {
        play(&mut stack(8, true), IF_WITHOUT_ELSE);
    }

    const LOOP: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        branch 1110 10 14 14    | .
        -                       | . depth 2         ; the code after the loop
        fetch                   | 10 1110
        control                 | 10 1110
        branch 1110 10 14 14    | .
        -                       | .                 ; uniform
        fetch                   | 10 1110
        control                 | 10 1110
        branch 0110 10 14 14    | .
        -                       | .                 ; one side left: in place
        fetch                   | 10 0110
        control                 | 10 0110
        branch 0100 10 14 14    | .
        -                       | .
        fetch                   | 10 0100
        control                 | 10 0100
        branch 0000 10 14 14    | .
        -                       | .                 ; the last one leaves
        -                       | .
        -                       | 14 1111";

    #[test]
    fn a_loop_does_not_grow_the_stack() {
        play(&mut stack(2, true), LOOP);
    }

    const EXITS: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        branch 1100 20 30 40    | .
        -                       | . depth 2
        -                       | . depth 3
        fetch                   | 20 1100
        control                 | 20 1100
        exit                    | .
        -                       | . exit 2
        -                       | .
        fetch                   | 30 0011
        step                    | 30 0011
        fetch                   | 34 0011
        control                 | 34 0011
        jump 40                 | .
        -                       | .
        -                       | .
        fetch                   | 40 0011           ; without the lanes that ended
        control                 | 40 0011
        branch 0001 50 60 70    | .
        -                       | . depth 2
        -                       | . depth 3
        fetch                   | 50 0001
        control                 | 50 0001
        exit                    | .
        -                       | . exit 1
        -                       | .
        fetch                   | 60 0010
        control                 | 60 0010
        exit                    | .
        -                       | . exit 1
        -                       | . finished
        launch 10 0001          | . depth 1         ; again
        -                       | 10 0001";

    #[test]
    fn exits_inside_divergence() {
        play(&mut stack(8, true), EXITS);
    }

    const BARRIERS: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        branch 1100 20 30 40    | .
        -                       | . depth 2
        -                       | . depth 3
        fetch                   | 20 1100
        control                 | 20 1100
        barrier                 | .
        -                       | . arrive 2
        -                       | .                 ; passes over the waiting entry
        -                       | .
        fetch                   | 30 0011           ; and runs the one below
        control                 | 30 0011
        branch 0001 34 38 3c    | .
        -                       | . depth 4         ; the hole above the waiting entry
        -                       | . depth 5
        fetch                   | 34 0001
        control                 | 34 0001
        barrier                 | .
        -                       | . arrive 1
        -                       | .
        -                       | .
        fetch                   | 38 0010
        control                 | 38 0010
        barrier                 | .
        -                       | . arrive 1
        -                       | .
        -                       | .
        -                       | .
        -                       | .
        -                       | .
        -                       | .
        -                       | . waiting
        release                 | . waiting
        -                       | .
        fetch                   | 38 0001           ; the highest first
        step                    | 38 0001
        -                       | .";

    #[test]
    fn waiting_entries_yield() {
        play(&mut stack(8, true), BARRIERS);
    }

    const HOLE_BELOW: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        branch 1100 20 30 40    | .
        -                       | . depth 2
        -                       | . depth 3
        fetch                   | 20 1100
        control                 | 20 1100
        barrier                 | .
        -                       | . arrive 2
        -                       | .
        -                       | .
        fetch                   | 30 0011           ; the entry below ends
        control                 | 30 0011
        exit                    | .
        -                       | . exit 2
        -                       | .
        -                       | .
        -                       | .
        release                 | . waiting
        -                       | .
        fetch                   | 24 1100
        control                 | 24 1100
        branch 1000 50 60 70    | .
        -                       | . depth 4
        -                       | . depth 5
        -                       | 50 1000";

    #[test]
    fn entries_are_pushed_above_the_one_that_diverges() {
        play(&mut stack(16, true), HOLE_BELOW);
    }

    const OVERFLOW: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111
        control                 | 10 1111
        branch 1100 20 14 40    | .
        -                       | . depth 2
        -                       | . overflow 10
        -                       | . overflow 10     ; until the host reads it";

    #[test]
    fn overflow_names_the_branch() {
        play(&mut stack(2, true), OVERFLOW);
    }

    /// A to (C, B), B to E, C to (E, D), D to F, E to (A, F): at 10, 20 ... 60, and 1c for A, as C must differ from the instruction behind.
    const LIKELY_CONVERGENCE: &str = "
        launch 10 1111          | . depth 1
        fetch                   | 10 1111           ; A
        control                 | 10 1111
        branch 1110 30 20 60 50 | .
        -                       | . depth 2         ; F
        -                       | . depth 3         ; E, empty
        -                       | . depth 4         ; B, and C above it
        fetch                   | 30 1110           ; C
        control                 | 30 1110
        branch 0010 50 40 60 50 | .
        -                       | . depth 5         ; D below E
        -                       | .                 ; the taken side is at its point
        -                       | .
        fetch                   | 40 1100           ; D
        control                 | 40 1100
        jump 60                 | .
        -                       | .
        -                       | .
        fetch                   | 20 0001           ; B
        control                 | 20 0001
        jump 50                 | .
        -                       | .
        -                       | .                 ; merges
        -                       | .
        fetch                   | 50 0011           ; E: of the branches at A and C
        control                 | 50 0011
        jump 60                 | .
        -                       | .
        -                       | .
        -                       | 60 1111";

    #[test]
    fn likely_convergence_of_fung_figure_10() {
        play(&mut build(8, true, true), LIKELY_CONVERGENCE);
    }
}
