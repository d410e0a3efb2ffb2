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
use super::{
    ActivePaths, BarrierEntries, BranchSides, ConvergenceLinks, FreeEntry, LiveThreads, ResolveQueue, StackEngine,
    StackEntries, StackOperation, StackWalk,
};
use crate::interface::{ControlKind, Decoded, Launch, Resolve, ThreadEvent, WarpEvent, WarpFault};
use crate::prelude::*;

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
        engine: StackEngine = StackEngine::new(warps),
        // The active entry of every warp, and the index that belongs to it.
        paths: ActivePaths = ActivePaths::new(lanes, warps, 1, false),
        active_index: Memory = by_warp(index_width(entries)),
        // The other entries; by warp, those in use.
        entries: StackEntries = StackEntries::new(lanes, warps, entries, 1),
        stored: Memory = by_warp(entries),
        walk: StackWalk = StackWalk::new(entries, lanes),
        free: FreeEntry = FreeEntry::new(entries),
        sides: BranchSides = BranchSides::new(lanes, taken_first),
        threads: LiveThreads = LiveThreads::new(lanes, warps),
        barrier: BarrierEntries = BarrierEntries::new(warps, entries, 1),
        /// Likely-convergence points, if built.
        links: Vec<ConvergenceLinks> = (0..likely_convergence as usize).map(|_| ConvergenceLinks::new(warps, entries)).collect(),

        /// Bit per warp: it has an active entry and may be fetched.
        runnable: Register = Register::new(warps),
        /// Bit per warp: it waits for the engine to find its active entry.
        unsettled: Register = Register::new(warps),
        next_unsettled: Net<Local> = warps,

        // The engine's warp, and the entry of its stack that the walk has come to.
        stored_now: Net<Local> = entries,
        active: Net<Local> = index_width(entries),
        found_mask: Net<Local> = lanes,
        /// Neither a barrier nor threads above keep the entry from running.
        found_ready: Signal<Local, Bit>,
        found_runs: Signal<Local, Bit>,
        // What becomes of the walk.
        passes: Signal<Local, Bit>,
        restarts: Signal<Local, Bit>,
        stops: Signal<Local, Bit>,
        parks: Signal<Local, Bit>,
        // What becomes of the active entry.
        /// It goes on at another PC.
        activates: Signal<Local, Bit>,
        /// It becomes another entry.
        replaces: Signal<Local, Bit>,
        /// It becomes the one that the walk has come to.
        activates_found: Signal<Local, Bit>,
        deactivates: Signal<Local, Bit>,
        // A branch, and what it pushes.
        reuses: Signal<Local, Bit>,
        pushes: Signal<Local, Bit>,
        stores: Signal<Local, Bit>,
        exits: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,

        // Likely-convergence points.
        /// Bit of the warp in DECODE whose active entry comes to its point there.
        comes_to_point: Net<Local> = warps,
        /// Bit of every warp whose active entry arrives at its point.
        arrives: Net<Local> = warps,
        /// The active entry has arrived, and has yet to be merged.
        arrived: Signal<Local, Bit>,
        merges: Signal<Local, Bit>,
        merge_index: Net<Local> = index_width(entries),
        merged_mask: Net<Local> = lanes,
        active_point: Net<Local> = 32,
        found_point: Net<Local> = 32,
        needs_point: Signal<Local, Bit>,
        attaches: Signal<Local, Bit>,
        detaches: Signal<Local, Bit>,
        /// Entries passed may yet merge into the one that the walk has come to.
        awaits_merge: Signal<Local, Bit>,
        /// Nothing but a merge to come has kept some entry from running.
        could_run: Signal<Local, Bit>,
        /// The walk goes down to that entry, and to no other.
        given_up: Signal<Local, Bit>,
        gives_up: Signal<Local, Bit>,
        runs_anyway: Signal<Local, Bit>,
    }
    sizes { _depth = index_width(entries + 1) }
    /// For `warps` warps of `lanes` threads, `entries` entries each (at most 64), running the taken side of a branch first or not,
    /// with likely-convergence points or without.
    pub fn new(lanes: usize, warps: usize, entries: usize, taken_first: bool, likely_convergence: bool) {
        let warp = index_width(warps);
        let by_warp = |width| Memory::new(width, warps, 1, 1, ReadKind::Asynchronous);
    }
}

impl Logic for SpeStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SpeStack");
        dff_setup!(self, clock, runnable, unsettled);

        // FETCH reads the active entry, DECODE advances it.
        self.fetchable.next = self.runnable.q.val();
        wire::join(&mut self.fetch_warp, &mut self.paths.fetch_warp);
        wire::join(&mut self.fetch_pc, &mut self.paths.fetch_pc);
        wire::join(&mut self.fetch_mask, &mut self.paths.fetch_mask);
        wire::join(&mut self.fetch_rpc, &mut self.paths.fetch_rpc);
        wire::join(&mut self.decoded, &mut self.paths.decoded);
        self.comes_to_point.next = 0.into();
        for i in 0..self.links.len() {
            if self.links[i].following_arrives.val() & !self.decoded.control.val() & !self.paths.ended[0].val().any() {
                self.comes_to_point.next = self.paths.in_decode[0].val();
            }
        }
        self.arrives.next = self.comes_to_point.val();

        // The engine chooses what to do, and reads the state of that warp.
        wire::join(&mut self.resolve, &mut self.queue.push);
        self.engine.unsettled.next = self.unsettled.q.val();
        wire::join(&mut self.launch.valid, &mut self.engine.launch_valid);
        wire::join(&mut self.launch.warp, &mut self.engine.launch_warp);
        wire::join(&mut self.launch_ready, &mut self.engine.launch_ready);
        wire::join(&mut self.queue.pop_valid, &mut self.engine.event_valid);
        wire::join(&mut self.queue.pop_warp, &mut self.engine.event_warp);
        wire::join(&mut self.engine.warp, &mut self.paths.warp);
        wire::join(&mut self.engine.warp, &mut self.entries.warp);
        wire::join(&mut self.engine.warp, &mut self.threads.warp);
        wire::join(&mut self.engine.warp, &mut self.barrier.warp);
        wire::join(&mut self.barrier_release, &mut self.barrier.barrier_release);
        wire::join(&mut self.waiting, &mut self.barrier.waiting);
        self.stored.read_address[0].next = self.engine.warp.val();
        self.active_index.read_address[0].next = self.engine.warp.val();
        self.stored_now.next = self.stored.read_data[0].val();
        self.active.next = self.active_index.read_data[0].val();
        self.active_point.next = 1.into();
        self.found_point.next = 1.into();
        self.arrived.next = false;
        self.merge_index.next = 0.into();
        self.awaits_merge.next = false;
        self.could_run.next = false;
        self.given_up.next = false;
        self.runs_anyway.next = false;
        for i in 0..self.links.len() {
            self.active_point.next = self.links[i].active_point.val();
            self.found_point.next = self.links[i].entry_point.val();
            self.arrived.next = self.links[i].arrived.val();
            self.merge_index.next = self.links[i].position.val();
            self.awaits_merge.next = self.links[i].awaits_merge.val();
            self.could_run.next = self.links[i].could_run.val();
            self.given_up.next = self.links[i].given_up.val();
            self.runs_anyway.next = self.links[i].runs_anyway.val();
        }

        // Resolve: the sides of a branch; those that run on need entries.
        wire::join(&mut self.queue.pop, &mut self.sides.event);
        self.reuses.next = self.queue.pop.rpc.val() == self.paths.rpc.val();
        self.needs_point.next = self.sides.both_run.val()
            & self.reuses.val()
            & (self.queue.pop.lpc.val() != self.queue.pop.rpc.val())
            & (self.queue.pop.lpc.val() != self.active_point.val())
            & !self.queue.pop.lpc.val().get_bit(0);
        self.free.used.next = self.stored_now.val();
        self.free.active.next = self.active.val();

        // Settle: the highest entry not seen yet, or the one to merge into.
        self.walk.entries.next = self.stored_now.val();
        self.entries.index.next = self.walk.index.val();
        if self.arrived.val() {
            self.entries.index.next = self.merge_index.val();
        }
        self.found_mask.next = self.entries.masks[0].val() & self.threads.live.val();
        self.merged_mask.next = self.entries.masks[0].val() | (self.paths.masks[0].val() & self.threads.live.val());
        self.found_ready.next = !(self.walk.one_hot.val() & self.barrier.waits[0].val()).any()
            & !(self.found_mask.val() & self.walk.above.val()).any()
            & !self.given_up.val();
        self.found_runs.next = (self.found_ready.val() & !self.awaits_merge.val()) | self.runs_anyway.val();

        // What changes, unless an operation says otherwise.
        self.finished.valid.next = false;
        self.finished.warp.next = self.engine.warp.val();
        self.overflow.valid.next = false;
        self.overflow.warp.next = self.engine.warp.val();
        self.overflow.pc.next = self.queue.pop.next_pc.val() - 4;
        self.depth.next = 0.into();
        self.queue.pop_ready.next = false;
        self.exits.next = false;
        self.waits.next = false;
        self.pushes.next = false;
        self.stores.next = false;
        self.stops.next = false;
        self.parks.next = false;
        self.activates.next = false;
        self.replaces.next = false;
        self.deactivates.next = false;
        self.attaches.next = false;
        self.detaches.next = false;
        self.activates_found.next = false;
        self.merges.next = false;
        self.passes.next = false;
        self.restarts.next = false;
        self.gives_up.next = false;
        self.paths.new_pc[0].next = self.entries.pcs[0].val();
        self.paths.new_mask[0].next = self.found_mask.val();
        self.paths.new_rpc.next = self.entries.rpc.val();
        self.active_index.write_data[0].next = self.walk.index.val();
        self.entries.new_pc[0].next = self.queue.pop.next_pc.val();
        self.entries.new_mask[0].next = self.queue.pop.mask.val();
        self.stored.write_enable[0].next = false;
        self.stored.write_data[0].next = self.stored_now.val() & !self.walk.one_hot.val();
        self.next_unsettled.next = self.unsettled.q.val() | self.paths.ended[0].val() | self.comes_to_point.val();

        match self.engine.operation.val() {
            StackOperation::Settle => {
                self.next_unsettled.next = self.next_unsettled.val() & !self.engine.warp_bit.val();
                if self.arrived.val() {
                    self.merges.next = true;
                    self.restarts.next = true;
                } else if self.barrier.interrupted.val() {
                    self.stops.next = true;
                } else if !self.threads.live.val().any() {
                    self.stops.next = true;
                    self.finished.valid.next = true;
                } else if !self.walk.any.val() {
                    if self.could_run.val() {
                        self.gives_up.next = true;
                        self.restarts.next = true;
                    } else {
                        self.stops.next = true;
                        self.parks.next = true;
                    }
                } else if !self.found_mask.val().any() & !self.awaits_merge.val() {
                    self.stored.write_enable[0].next = true;
                } else if !self.found_runs.val() {
                    self.passes.next = true;
                } else {
                    self.stored.write_enable[0].next = true;
                    if self.entries.pcs[0].val() == self.found_point.val() {
                        // The entry becomes active to be merged in the next step.
                        self.replaces.next = true;
                        self.activates_found.next = true;
                        self.restarts.next = true;
                        self.arrives.next = self.comes_to_point.val() | self.engine.warp_bit.val();
                    } else if self.entries.pcs[0].val() != self.entries.rpc.val() {
                        self.stops.next = true;
                        self.activates.next = true;
                        self.replaces.next = true;
                        self.activates_found.next = true;
                    }
                }
            }
            StackOperation::Launch => {
                self.activates.next = true;
                self.replaces.next = true;
                self.paths.new_pc[0].next = self.launch.pc.val();
                self.paths.new_mask[0].next = self.launch.mask.val();
                self.paths.new_rpc.next = 1.into();
                self.active_index.write_data[0].next = 0.into();
                self.detaches.next = true;
                self.stored.write_enable[0].next = true;
                self.stored.write_data[0].next = 0.into();
                self.depth.next = 1.into();
            }
            StackOperation::Resolve => {
                self.queue.pop_ready.next = true;
                match self.queue.pop.kind.val() {
                    ControlKind::Exit => {
                        self.exits.next = true;
                        self.deactivates.next = true;
                    }
                    ControlKind::Barrier => {
                        self.waits.next = true;
                        self.stores.next = true;
                        self.deactivates.next = true;
                    }
                    _ => {
                        self.paths.new_pc[0].next = self.sides.continues_pc.val();
                        if !self.sides.splits.val() {
                            // All lanes go the same way: the entry stays.
                            self.deactivates.next = self.sides.goes_to.val() == self.paths.rpc.val();
                            self.activates.next = !self.deactivates.val();
                        } else {
                            // The side that runs first becomes active, in this slot or above what is pushed.
                            self.replaces.next = true;
                            self.activates.next = true;
                            self.paths.new_mask[0].next = self.sides.continues_mask.val();
                            self.paths.new_rpc.next = self.queue.pop.rpc.val();
                            self.active_index.write_data[0].next = self.active.val();
                            if self.reuses.val() {
                                self.pushes.next = self.sides.both_run.val();
                                self.entries.new_pc[0].next = self.sides.second_pc.val();
                                self.entries.new_mask[0].next = self.sides.second_mask.val();
                                if self.needs_point.val() {
                                    // The entry at the point comes first; two sides take another round.
                                    self.entries.new_pc[0].next = self.queue.pop.lpc.val();
                                    self.entries.new_mask[0].next = 0.into();
                                    self.attaches.next = true;
                                    self.activates.next = false;
                                    self.queue.pop_ready.next = false;
                                }
                            } else {
                                // The region's entry continues at the RPC; two sides take a second round.
                                self.pushes.next = true;
                                self.detaches.next = true;
                                self.entries.new_pc[0].next = self.queue.pop.rpc.val();
                                self.activates.next = !self.sides.both_run.val();
                                self.queue.pop_ready.next = self.activates.val();
                            }
                        }
                        if self.pushes.val() {
                            self.stores.next = true;
                            self.active_index.write_data[0].next = self.free.index.val();
                            self.depth.next = bit_cast_to(self.free.index.val(), self._depth) + 1;
                            if !self.free.any.val() {
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
                            & (self.sides.continues_pc.val() == self.active_point.val())
                        {
                            self.arrives.next = self.comes_to_point.val() | self.engine.warp_bit.val();
                            self.activates.next = false;
                            self.deactivates.next = true;
                        }
                    }
                }
            }
            _ => {}
        }

        // The walk goes on, begins anew, or has ended.
        self.engine.settled.next = self.stops.val();
        self.walk.step.next = self.engine.operation.val() == StackOperation::Settle;
        self.walk.restart.next = self.stops.val() | self.restarts.val();
        self.walk.forget.next = self.stops.val() | self.restarts.val();
        self.walk.passed.next = 0.into();
        if self.passes.val() {
            self.walk.passed.next = self.found_mask.val();
        }

        // Threads start, end or wait.
        self.threads.launches.next = self.engine.operation.val() == StackOperation::Launch;
        wire::join(&mut self.launch.mask, &mut self.threads.launch_mask);
        self.threads.exits.next = self.exits.val();
        self.threads.arrives.next = self.waits.val();
        wire::join(&mut self.queue.pop.mask, &mut self.threads.mask);
        wire::join(&mut self.exit, &mut self.threads.exit);
        wire::join(&mut self.arrive, &mut self.threads.arrive);
        self.barrier.arrive[0].next = self.waits.val();
        wire::join(&mut self.free.slot, &mut self.barrier.slot);
        self.barrier.park.next = self.parks.val();

        // Entries are stored in the slot of the active one, or threads merge into another.
        self.stored.write_address[0].next = self.engine.warp.val();
        if self.stores.val() {
            self.stored.write_enable[0].next = true;
            self.stored.write_data[0].next = self.stored_now.val() | self.free.slot.val();
        }
        self.entries.write_pc[0].next = self.stores.val();
        self.entries.pc_index.next = self.active.val();
        self.entries.write_mask[0].next = self.stores.val() | self.merges.val();
        self.entries.mask_index.next = self.active.val();
        self.entries.write_rpc.next = self.stores.val();
        self.entries.new_rpc.next = self.paths.rpc.val();
        if self.merges.val() {
            self.entries.mask_index.next = self.merge_index.val();
            self.entries.new_mask[0].next = self.merged_mask.val();
        }
        for i in 0..self.links.len() {
            wire::join(&mut self.fetch_warp, &mut self.links[i].fetch_warp);
            wire::join(&mut self.paths.next_pc, &mut self.links[i].following_pc);
            wire::join(&mut self.engine.warp, &mut self.links[i].warp);
            wire::join(&mut self.walk.index, &mut self.links[i].index);
            self.links[i].slot.next = self.active.val();
            self.links[i].detach.next = self.detaches.val() & self.replaces.val();
            self.links[i].attach.next = self.attaches.val() & self.replaces.val();
            self.links[i].attach_point.next = self.queue.pop.lpc.val();
            self.links[i].activate.next = self.activates_found.val();
            self.links[i].store.next = self.stores.val();
            self.links[i].arrives.next = self.arrives.val();
            self.links[i].merged.next = self.merges.val();
            self.links[i].pass.next = self.passes.val();
            self.links[i].only_awaits.next = self.passes.val() & self.found_ready.val() & self.found_mask.val().any();
            self.links[i].restart.next = self.stops.val() | self.restarts.val();
            self.links[i].give_up.next = self.gives_up.val();
        }

        // The active entry.
        self.paths.write_pc[0].next = self.activates.val() | self.replaces.val();
        self.paths.write_mask[0].next = self.replaces.val();
        self.paths.write_rpc.next = self.replaces.val();
        wire::join(&mut self.engine.warp, &mut self.paths.rpc_warp);
        self.active_index.write_enable[0].next = self.replaces.val();
        self.active_index.write_address[0].next = self.engine.warp.val();
        self.runnable.d.next = self.runnable.q.val() & !self.paths.blocked[0].val() & !self.comes_to_point.val();
        if self.activates.val() {
            self.runnable.d.next = (self.runnable.q.val() & !self.paths.blocked[0].val() & !self.comes_to_point.val())
                | self.engine.warp_bit.val();
        }
        self.unsettled.d.next = self.next_unsettled.val() | self.barrier.released.val();
        if self.deactivates.val() {
            self.unsettled.d.next =
                self.next_unsettled.val() | self.barrier.released.val() | self.engine.warp_bit.val();
        }
    }
}

#[cfg(test)]
#[path = "tests/spe_stack.rs"]
mod tests;
