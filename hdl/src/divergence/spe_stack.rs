//! Single-path execution: one reconvergence stack per warp, all served by one engine.
//!
//! ```text
//!                     +--------------------------------------------------------+
//!  fetch_warp ------->| ActivePaths: the active entry of every warp <----------|<--- decoded_*
//!  fetch_pc, _mask <--|     |                          ^                       |---> fetchable
//!                     |     | ended                    | activate, push        |
//!  resolve_* -------->|--> ResolveQueue --> +----------+-----------+           |
//!  launch_* --------->|-------------------> | StackEngine, one a   |-----------|---> finished_*
//!  launch_ready <-----|                     | cycle: Settle Launch |           |---> overflow_*, depth
//!                     |   unsettled ------> | Resolve              |           |
//!                     |       ^             +----------+-----------+           |
//!                     |       |                        | store, walk down      |
//!  barrier_release -->|--> BarrierEntries              v                       |---> waiting
//!                     | StackEntries, StackWalk, FreeEntry, [ConvergenceLinks] |---> arrive_*, exit_*
//!                     | LiveThreads, [TurnScheduler]                           |---> turn_events_*
//!                     +--------------------------------------------------------+
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
//! | `turn_events` | | of a stack with turns: what becomes of them, see [`TurnEvents`] |
//! | `depth` | d | entries up to and including the one just pushed, else 0; its maximum is the stack's depth |
//!
//! Latency: a uniform branch resolved in cycle *c* is fetchable again in *c* + 2, a divergent one in *c* + 2 or *c* + 3; a pop takes one cycle
//! more, and one more per entry dropped or passed over on the way down. With likely-convergence points a branch that has one takes a cycle
//! more if both sides run, and a merge takes one or two. The end of a turn takes a cycle for every stored entry, one more for every entry that threads leave, and one to choose who
//! runs next; then, if others do, those of a pop.
//!
//! State per warp: the active entry, the stored entries with a bit vector of those in use, the live lanes.
//!
//! Source: Rhu 2014, 3.1.1; Fung & Aamodt 2011, 2.2.2. Where they are silent: a branch that reconverges where its entry
//! ends reuses the entry's slot, so a loop does not grow the stack with its trips; a side that starts at the RPC is not pushed; entries
//! emptied by `exit` below the top are holes, filled lowest first, but only above the active entry (a loop that empties one entry below it in every trip,
//! while the others wait at a barrier, does grow the stack); entries that wait at `bar.sync` yield to
//! the highest entry below with none of their threads, so a barrier inside divergent code does not deadlock. Likely-convergence
//! points (optional; Fung & Aamodt 2011, 4): see [`ConvergenceLinks`]. Turns (optional; a schedulable convergence stack): see [`TurnScheduler`].
//!
//! Why this structure. Fetch needs one entry per warp every cycle, everything else happens at branches: so the
//! active entries have memories of their own ([`ActivePaths`]), and one engine for all warps works on the rest. A branch that diverges with a new RPC pushes
//! twice, its region and then a side of it; after the first push the active entry ends at that RPC, so the second push
//! is an ordinary one with slot reuse, and the engine needs no state for it. A likely-convergence entry is pushed the same way, in a round of its
//! own: the first side then has that very point, so the round behind is again ordinary. The absence of an RPC is an odd address, which no PC equals.
//! The end of a turn is a walk down, as a search is: the active entry stays where it is meanwhile, and is stored only if others run.
use super::{
    ActivePaths, BarrierEntries, BranchSides, ConvergenceLinks, FreeEntry, LinkState, LiveThreads, ResolveQueue,
    StackEngine, StackEntries, StackOperation, StackWalk, TurnScheduler,
};
use crate::interface::{ControlKind, Decoded, Launch, Resolve, ThreadEvent, TurnEvents, WarpEvent, WarpFault};
use crate::mechanism::options::Turns;
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
        pub turn_events: Vec<TurnEvents<Out>> = turns.iter().map(|_| TurnEvents::new(lanes)).collect(),

        queue: ResolveQueue = ResolveQueue::new(lanes, warps, likely_convergence, turns.is_some()) => { push: resolve },
        engine: StackEngine = StackEngine::new(warps, turns.is_some()) => {
            unsettled: unsettled.q, launch_valid: launch.valid, launch_warp: launch.warp, launch_ready,
            event_valid: queue.pop_valid, event_warp: queue.pop_warp, warp: finished.warp, settled: stops,
        },
        // The active entry of every warp, and the index that belongs to it.
        paths: ActivePaths = ActivePaths::new(lanes, warps, 1, false) => {
            fetch_warp, fetch_pc, fetch_mask, fetch_rpc, decoded, warp: engine.warp, write_mask[0]: replaces,
            write_rpc: replaces, rpc_warp: engine.warp,
        },
        active_index: Memory = by_warp(index_width(entries)) => {
            read_address[0]: engine.warp, read_data[0]: active, write_enable[0]: replaces,
            write_address[0]: engine.warp,
        },
        // The other entries; by warp, those in use.
        entries: StackEntries = StackEntries::new(lanes, warps, entries, 1) => {
            warp: engine.warp,
        },
        stored: Memory = by_warp(entries) => {
            read_address[0]: engine.warp, read_data[0]: stored_now, write_address[0]: engine.warp,
        },
        walk: StackWalk = StackWalk::new(entries, lanes) => { entries: stored_now },
        free: FreeEntry = FreeEntry::new(entries),
        sides: BranchSides = BranchSides::new(lanes, taken_first) => { event: queue.pop },
        threads: LiveThreads = LiveThreads::new(lanes, warps) => {
            warp: engine.warp, launch_mask: launch.mask, exits, arrives: waits, mask: queue.pop.mask, exit, arrive,
        },
        barrier: BarrierEntries = BarrierEntries::new(warps, entries, 1) => {
            warp: engine.warp, barrier_release, waiting, arrive[0]: waits, slot: free.slot, park: parks,
        },
        /// Likely-convergence points, if built.
        links: Vec<ConvergenceLinks> = (0..likely_convergence as usize).map(|_| ConvergenceLinks::new(warps, entries)).collect() => |i| {
            fetch_warp, following_pc: paths.next_pc, warp: engine.warp, index: walk.index, slot: active,
            attach_point: queue.pop.lpc, activate: activates_found, store: stores, arrives, merged: merges,
            pass: passes, give_up: gives_up,
        },
        /// Turns, if threads take any.
        turns: Vec<TurnScheduler> = turns.iter().map(|turns| TurnScheduler::new(lanes, warps, entries, *turns)).collect() => |i| {
            decoded, warp: engine.warp, live: threads.live, running: paths.masks[0], active, barrier_waits: barrier.waits[0],
            event: queue.pop, spin: queue.pop_spin[i], splits: sides.splits, arrives: waits, ends_turn: engine.ends_turn[i],
            any: walk.any, slot: walk.one_hot, above: walk.above, found: found_mask, ready: found_ready,
            events: turn_events[i],
        },

        /// Bit per warp: it has an active entry and may be fetched.
        runnable: Register = Register::new(warps) => { q: fetchable },
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
        /// Nothing, without likely-convergence points.
        link: LinkState<Local> = LinkState::new(index_width(entries)),
        merges: Signal<Local, Bit>,
        merged_mask: Net<Local> = lanes,
        needs_point: Signal<Local, Bit>,
        attaches: Signal<Local, Bit>,
        detaches: Signal<Local, Bit>,
        gives_up: Signal<Local, Bit>,
    }
    sizes { _depth = index_width(entries + 1) }
    /// For `warps` warps of `lanes` threads, `entries` entries each (at most 64), running the taken side of a branch first or not,
    /// with likely-convergence points or without, with turns or without.
    pub fn new(lanes: usize, warps: usize, entries: usize, taken_first: bool, likely_convergence: bool, turns: Option<Turns>) {
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
        self.comes_to_point.next = 0.into();
        for i in 0..self.links.len() {
            if self.links[i].following_arrives.val() & !self.decoded.control.val() & !self.paths.ended[0].val().any() {
                self.comes_to_point.next = self.paths.in_decode[0].val();
            }
        }
        self.arrives.next = self.comes_to_point.val();

        // The engine chooses what to do, and reads the state of that warp.
        self.link.active_point.next = 1.into();
        self.link.entry_point.next = 1.into();
        self.link.arrived.next = false;
        self.link.position.next = 0.into();
        self.link.awaits_merge.next = false;
        self.link.could_run.next = false;
        self.link.given_up.next = false;
        self.link.runs_anyway.next = false;
        for i in 0..self.links.len() {
            wire::join(&mut self.link, &mut self.links[i].link);
        }

        // Resolve: the sides of a branch; those that run on need entries.
        self.reuses.next = self.queue.pop.rpc.val() == self.paths.rpc.val();
        self.needs_point.next = self.sides.both_run.val()
            & self.reuses.val()
            & (self.queue.pop.lpc.val() != self.queue.pop.rpc.val())
            & (self.queue.pop.lpc.val() != self.link.active_point.val())
            & !self.queue.pop.lpc.val().get_bit(0);

        // Settle: the highest entry not seen yet, or the one to merge into.
        self.entries.index.next = self.walk.index.val();
        if self.link.arrived.val() {
            self.entries.index.next = self.link.position.val();
        }
        self.found_mask.next = self.entries.masks[0].val() & self.threads.live.val();
        self.merged_mask.next = self.entries.masks[0].val() | (self.paths.masks[0].val() & self.threads.live.val());
        self.found_ready.next = !(self.walk.one_hot.val() & self.barrier.waits[0].val()).any()
            & !(self.found_mask.val() & self.walk.above.val()).any()
            & !self.link.given_up.val();
        self.found_runs.next = (self.found_ready.val() & !self.link.awaits_merge.val()) | self.link.runs_anyway.val();

        // A push goes above the active entry; or it is for threads that leave another.
        self.free.used.next = self.stored_now.val();
        self.free.active.next = self.active.val();
        for i in 0..self.turns.len() {
            self.engine.turn_ended[i].next = self.turns[i].turn.breaking.val();
            if self.turns[i].turn.refuses.val() {
                self.found_runs.next = false;
            }
            self.free.used.next = self.stored_now.val() | self.turns[i].turn.occupied.val();
            if self.turns[i].turn.leaving.val().any() {
                self.free.active.next = self.walk.index.val();
            }
        }

        // What changes, unless an operation says otherwise.
        self.finished.valid.next = false;
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
        self.paths.new[0].pc.next = self.entries.pcs[0].val();
        self.paths.new[0].mask.next = self.found_mask.val();
        self.paths.new_rpc.next = self.entries.rpc.val();
        self.active_index.write_data[0].next = self.walk.index.val();
        self.entries.new[0].pc.next = self.queue.pop.next_pc.val();
        self.entries.new[0].mask.next = self.queue.pop.mask.val();
        self.stored.write_enable[0].next = false;
        self.stored.write_data[0].next = self.stored_now.val() & !self.walk.one_hot.val();
        self.next_unsettled.next = self.unsettled.q.val() | self.paths.ended[0].val() | self.comes_to_point.val();

        match self.engine.operation.val() {
            StackOperation::Settle => {
                self.next_unsettled.next = self.next_unsettled.val() & !self.engine.warp_bit.val();
                if self.link.arrived.val() {
                    self.merges.next = true;
                    self.restarts.next = true;
                } else if self.barrier.interrupted.val() {
                    self.stops.next = true;
                } else if !self.threads.live.val().any() {
                    self.stops.next = true;
                    self.finished.valid.next = true;
                } else if !self.walk.any.val() {
                    if self.link.could_run.val() {
                        self.gives_up.next = true;
                        self.restarts.next = true;
                    } else {
                        self.stops.next = true;
                        self.parks.next = true;
                    }
                } else if !self.found_mask.val().any() & !self.link.awaits_merge.val() {
                    self.stored.write_enable[0].next = true;
                } else if !self.found_runs.val() {
                    self.passes.next = true;
                } else {
                    self.stored.write_enable[0].next = true;
                    if self.entries.pcs[0].val() == self.link.entry_point.val() {
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
                self.paths.new[0].pc.next = self.launch.pc.val();
                self.paths.new[0].mask.next = self.launch.mask.val();
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
                        self.paths.new[0].pc.next = self.sides.continues.pc.val();
                        if !self.sides.splits.val() {
                            // All lanes go the same way: the entry stays.
                            self.deactivates.next = self.sides.goes_to.val() == self.paths.rpc.val();
                            self.activates.next = !self.deactivates.val();
                        } else {
                            // The side that runs first becomes active, in this slot or above what is pushed.
                            self.replaces.next = true;
                            self.activates.next = true;
                            self.paths.new[0].mask.next = self.sides.continues.mask.val();
                            self.paths.new_rpc.next = self.queue.pop.rpc.val();
                            self.active_index.write_data[0].next = self.active.val();
                            if self.reuses.val() {
                                self.pushes.next = self.sides.both_run.val();
                                self.entries.new[0].pc.next = self.sides.second.pc.val();
                                self.entries.new[0].mask.next = self.sides.second.mask.val();
                                if self.needs_point.val() {
                                    // The entry at the point comes first; two sides take another round.
                                    self.entries.new[0].pc.next = self.queue.pop.lpc.val();
                                    self.entries.new[0].mask.next = 0.into();
                                    self.attaches.next = true;
                                    self.activates.next = false;
                                    self.queue.pop_ready.next = false;
                                }
                            } else {
                                // The region's entry continues at the RPC; two sides take a second round.
                                self.pushes.next = true;
                                self.detaches.next = true;
                                self.entries.new[0].pc.next = self.queue.pop.rpc.val();
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
                            & (self.sides.continues.pc.val() == self.link.active_point.val())
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

        // Turns: nothing runs because it is one lane's turn, or for threads at a barrier; and what the end of a turn comes to.
        for i in 0..self.turns.len() {
            self.turns[i].launches.next = self.engine.operation.val() == StackOperation::Launch;
            self.turns[i].serves.next = (self.engine.operation.val() == StackOperation::Resolve)
                & self.queue.pop_ready.val()
                & !self.exits.val()
                & !self.waits.val();
            self.turns[i].goes_on.next =
                (self.engine.operation.val() == StackOperation::Resolve) & self.activates.val();
            self.turns[i].searched.next = (self.engine.operation.val() == StackOperation::Settle)
                & !self.walk.any.val()
                & !self.barrier.interrupted.val()
                & self.threads.live.val().any();
            self.turns[i].full.next = !self.free.any.val();
            if self.turns[i].turn.retries.val() {
                self.stops.next = false;
                self.parks.next = false;
                self.restarts.next = true;
            }
            if self.engine.ends_turn[i].val() {
                self.next_unsettled.next = self.next_unsettled.val() & !self.engine.warp_bit.val();
                if !self.walk.any.val() {
                    self.restarts.next = true;
                    self.stores.next = self.turns[i].turn.rotates.val();
                    self.entries.new[0].pc.next = self.paths.pcs[0].val();
                    self.entries.new[0].mask.next = self.paths.masks[0].val();
                } else if !self.found_mask.val().any() {
                    self.stored.write_enable[0].next = true;
                }
            }
        }

        // The walk goes on, begins anew, or has ended.
        self.walk.step.next = self.engine.operation.val() == StackOperation::Settle;
        self.walk.restart.next = self.stops.val() | self.restarts.val();
        self.walk.forget.next = self.stops.val() | self.restarts.val();
        self.walk.passed.next = 0.into();
        if self.passes.val() {
            self.walk.passed.next = self.found_mask.val();
        }
        for i in 0..self.turns.len() {
            if self.turns[i].turn.steps.val() {
                self.walk.step.next = true;
                self.walk.passed.next = self.found_mask.val() | self.turns[i].turn.leaving.val();
            }
        }

        // Threads start, end or wait.
        self.threads.launches.next = self.engine.operation.val() == StackOperation::Launch;

        // Entries are stored in the slot of the active one, or threads merge into another.
        if self.stores.val() {
            self.stored.write_enable[0].next = true;
            self.stored.write_data[0].next = self.stored_now.val() | self.free.slot.val();
        }
        self.entries.write_pc[0].next = self.stores.val();
        self.entries.pc_index.next = self.active.val();
        self.entries.write_rpc.next = self.stores.val();
        self.entries.new_rpc.next = self.paths.rpc.val();
        self.entries.write_mask[0].next = self.stores.val() | self.merges.val();
        self.entries.mask_index.next = self.active.val();
        if self.merges.val() {
            self.entries.mask_index.next = self.link.position.val();
            self.entries.new[0].mask.next = self.merged_mask.val();
        }
        // Threads leave an entry: it keeps the others, and above it is one like it for them.
        for i in 0..self.turns.len() {
            if self.turns[i].turn.parts.val() {
                self.entries.write_mask[0].next = true;
                self.entries.mask_index.next = self.walk.index.val();
                self.entries.new[0].mask.next = self.turns[i].turn.kept.val();
            } else if self.turns[i].turn.leaves.val() {
                self.entries.write_pc[0].next = true;
                self.entries.pc_index.next = self.free.index.val();
                self.entries.new[0].pc.next = self.entries.pcs[0].val();
                self.entries.write_rpc.next = true;
                self.entries.new_rpc.next = self.entries.rpc.val();
                self.entries.write_mask[0].next = true;
                self.entries.mask_index.next = self.free.index.val();
                self.entries.new[0].mask.next = self.turns[i].turn.leaving.val();
                self.stored.write_enable[0].next = true;
                self.stored.write_data[0].next = self.stored_now.val() | self.free.one_hot.val();
                self.depth.next = bit_cast_to(self.free.index.val(), self._depth) + 1;
            } else if self.turns[i].turn.overflows.val() {
                self.overflow.valid.next = true;
                self.overflow.pc.next = self.entries.pcs[0].val();
            }
        }
        for i in 0..self.links.len() {
            self.links[i].detach.next = self.detaches.val() & self.replaces.val();
            self.links[i].attach.next = self.attaches.val() & self.replaces.val();
            self.links[i].only_awaits.next = self.passes.val() & self.found_ready.val() & self.found_mask.val().any();
            self.links[i].restart.next = self.stops.val() | self.restarts.val();
        }

        // The active entry.
        self.paths.write_pc[0].next = self.activates.val() | self.replaces.val();
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
        for i in 0..self.turns.len() {
            if self.turns[i].turn.ends.val() {
                self.runnable.d.next = self.runnable.q.val() & !self.paths.blocked[0].val();
                self.unsettled.d.next =
                    self.next_unsettled.val() | self.barrier.released.val() | self.engine.warp_bit.val();
            }
        }
    }
}

#[cfg(test)]
#[path = "tests/spe_stack.rs"]
mod tests;
