//! Independent threads: a PC for each, and convergence barriers that divergent branches allocate.
//!
//! ```text
//!                     +--------------------------------------------------------+
//!  fetch_warp ------->| RunningGroups: who of a warp runs, and where <---------|<--- decoded_*
//!  fetch_pc, _mask <--|     |                          ^                       |---> fetchable
//!                     |     | ended                    | activate              |
//!  resolve_* -------->|--> ResolveQueue --> +----------+-----------+           |
//!  launch_* --------->|-------------------> | StackEngine, one a   |-----------|---> finished_*
//!  launch_ready <-----|                     | cycle: Settle Launch |           |---> *_events
//!                     |   unsettled ------> | Resolve              |           |
//!                     |       ^             +----------+-----------+           |
//!                     |       |                        | stop, arrive, break   |
//!  barrier_release -->|--> BarrierEntries              v                       |---> waiting
//!                     | ThreadPcs, ConvergenceBarriers --> GroupSelector       |
//!                     | LiveThreads, TurnCounters, the lane whose turn it was  |---> arrive_*, exit_*
//!                     +--------------------------------------------------------+
//! ```
//!
//! Ports: those of [`SpeStack`](super::SpeStack), except `fetch_rpc`, `overflow` and `depth`, since there is no stack, and besides
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `turn_events`, `group_events` | | what becomes of turns, and of groups, for the counters |
//!
//! Latency: a uniform branch resolved in cycle *c* is fetchable again in *c* + 2, a divergent one in *c* + 3. Where no thread of the group goes on (it
//! waits, or has ended), the next group is fetchable in *c* + 4; behind an instruction in DECODE in cycle *d*, which the group's barrier follows, in *d* + 4, and
//! *d* + 3 if threads go on. The end of a turn takes one cycle more, and one if another thread's group runs.
//!
//! State per warp: the running group {PC, mask}, a PC by thread, B convergence barriers, masks of live threads and of those at `bar.sync`, the counters
//! of [`TurnCounters`](super::TurnCounters), the lane that had its turn last, four bits. A thread is *ready* if it lives and waits nowhere: no bit says so.
//!
//! Source: US 10,067,768; Vortex, its proposal `its_rtl_design_review`. There the compiler says where threads wait for one another, and where they yield;
//! here branches and turns do, so any program gains forward progress: docs/decisions/0033.
//!
//! Why this structure. A group has one PC, and while it runs that is all that FETCH and DECODE need; so the PCs of its threads are written when it
//! stops, all in one cycle, a memory per lane. To find the next group takes two looks at that row: for the lowest PC, then for all that are there, with the PC kept
//! in the group's own register in between, so the tournament and the comparisons are in different cycles and the row itself needs no register.
//! Both are steps of the search that [`StackEngine`](super::StackEngine) already knows; where the PC is known (a side of a branch) the first is left out.
use super::{
    BarrierEntries, BranchSides, ConvergenceBarriers, GroupSelector, LiveThreads, Path, ResolveQueue, RunningGroups,
    StackEngine, StackOperation, ThreadPcs, TurnCounters,
};
use crate::interface::{ControlKind, Decoded, GroupEvents, Launch, Resolve, ThreadEvent, TurnEvents, WarpEvent};
use crate::mechanism::options::Turns;
use crate::parts::RotatingChoice;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct IndependentThreads: clock, reset {
        pub launch: Launch<In> = Launch::new(lanes, warp),
        pub launch_ready: Signal<Out, Bit>,
        pub fetchable: Net<Out> = warps,
        pub fetch_warp: Net<In> = warp,
        pub fetch_pc: Net<Out> = 32,
        pub fetch_mask: Net<Out> = lanes,
        pub decoded: Decoded<In> = Decoded::new(lanes, warp),
        pub resolve: Resolve<In> = Resolve::new(lanes, warp, warp, 1),
        pub barrier_release: Net<In> = warps,
        pub finished: WarpEvent<Out> = WarpEvent::new(warp),
        pub arrive: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub exit: ThreadEvent<Out> = ThreadEvent::new(lanes, warp),
        pub waiting: Net<Out> = warps,
        pub turn_events: TurnEvents<Out> = TurnEvents::new(lanes),
        pub group_events: GroupEvents<Out> = GroupEvents::new(lanes),

        queue: ResolveQueue = ResolveQueue::new(lanes, warps, false, true) => { push: resolve },
        engine: StackEngine = StackEngine::new(warps, false) => {
            unsettled: unsettled.q, launch_valid: launch.valid, launch_warp: launch.warp, launch_ready,
            event_valid: queue.pop_valid, event_warp: queue.pop_warp, warp: finished.warp, settled: stops,
        },
        groups: RunningGroups = RunningGroups::new(lanes, warps) => {
            fetch_warp, fetch_pc, fetch_mask, meets: barriers.meets, decoded, warp: engine.warp,
        },
        pcs: ThreadPcs = ThreadPcs::new(lanes, warps) => { warp: engine.warp, write: records, sides: comers },
        barriers: ConvergenceBarriers = ConvergenceBarriers::new(lanes, warps, barriers) => {
            fetch_warp, next_pc: groups.next_pc, warp: engine.warp, diverges, rpc: queue.pop.rpc, mask: queue.pop.mask,
            sides: comers, full: group_events.full,
        },
        selector: GroupSelector = GroupSelector::new(lanes) => {
            pcs: pcs.pcs, ready, thread: rotation.grant, pc: groups.pc,
        },
        sides: BranchSides = BranchSides::new(lanes, taken_first) => { event: queue.pop },
        threads: LiveThreads = LiveThreads::new(lanes, warps) => {
            warp: engine.warp, launch_mask: launch.mask, exits, arrives: waits, mask: queue.pop.mask, exit, arrive,
        },
        barrier: BarrierEntries = BarrierEntries::new(warps, lanes, 1) => {
            warp: engine.warp, barrier_release, waiting, arrive[0]: waits, slot: queue.pop.mask, park: parks,
        },
        turns: TurnCounters = TurnCounters::new(lanes, warps, turns) => {
            decoded, warp: engine.warp, again, alone, others, restart: gives_up,
        },
        /// By warp, a thermometer code: lanes that have had their turn in this round. The first one always has.
        passed: Memory = Memory::new(lanes - 1, warps, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: engine.warp, write_address[0]: engine.warp,
        },
        rotation: RotatingChoice = RotatingChoice::new(lanes) => { request: candidates },
        early: Popcount = Popcount::new(lanes) => { value: barriers.released, count: turn_events.released },
        joining: Popcount = Popcount::new(lanes) => { value: joins, count: group_events.merged },

        /// Bit per warp: it has a running group, which may be fetched.
        runnable: Register = Register::new(warps) => { q: fetchable },
        /// Bit per warp: it waits for the engine to find its next group.
        unsettled: Register = Register::new(warps),
        /// Bit per warp: its group has stopped where threads wait, and has not been told so.
        arriving: Register = Register::new(warps),
        /// Bit per warp: the turn of its group is over.
        yielding: Register = Register::new(warps),
        /// Bit per warp: the group's PC is where the next one runs.
        chosen: Register = Register::new(warps),
        /// A turn is over: other threads of the engine's warp get theirs, if there are any.
        rotating: StateRegister<Bit>,
        first_lane: Constant = Constant::new(1, lanes),
        all_lanes: Constant = Constant::new(mask(lanes), lanes),

        // The engine's warp.
        is_arriving: Signal<Local, Bit>,
        is_yielding: Signal<Local, Bit>,
        is_chosen: Signal<Local, Bit>,
        /// Its threads that are neither at `bar.sync` nor have ended; of these, those that do not wait for others either.
        active: Net<Local> = lanes,
        ready: Net<Local> = lanes,
        /// Threads that may have the next turn.
        candidates: Net<Local> = lanes,

        // A branch, or the end of a group.
        diverges: Signal<Local, Bit>,
        /// Threads that come to a PC.
        comers: Vec<Path<Local>> = (0..2).map(|_| Path::new(lanes)).collect(),
        /// Those of them that run on as the group.
        runs_on: Path<Local> = Path::new(lanes),
        again: Signal<Local, Bit>,
        alone: Signal<Local, Bit>,
        others: Signal<Local, Bit>,
        exits: Signal<Local, Bit>,
        waits: Signal<Local, Bit>,
        gives_up: Signal<Local, Bit>,

        // What becomes of threads, and of the group.
        records: Signal<Local, Bit>,
        activates: Signal<Local, Bit>,
        halts: Signal<Local, Bit>,
        chooses: Signal<Local, Bit>,
        breaks_all: Signal<Local, Bit>,
        joins: Net<Local> = lanes,
        stops: Signal<Local, Bit>,
        parks: Signal<Local, Bit>,
        next_unsettled: Net<Local> = warps,
        next_arriving: Net<Local> = warps,
        next_chosen: Net<Local> = warps,
    }
    sizes { _lanes = lanes, _behind_first = lanes - 1 }
    /// For `warps` warps of `lanes` threads, with `barriers` convergence barriers each, running the taken side of a branch first or not.
    pub fn new(lanes: usize, warps: usize, barriers: usize, taken_first: bool, turns: Turns) {
        let warp = index_width(warps);
    }
}

impl Logic for IndependentThreads {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module IndependentThreads");
        dff_setup!(self, clock, runnable, unsettled, arriving, yielding, chosen, rotating);

        // The engine reads the state of its warp.
        self.is_arriving.next = (self.arriving.q.val() & self.engine.warp_bit.val()).any();
        self.is_yielding.next = (self.yielding.q.val() & self.engine.warp_bit.val()).any();
        self.is_chosen.next = (self.chosen.q.val() & self.engine.warp_bit.val()).any();
        self.active.next = self.threads.live.val() & !self.barrier.waits[0].val();
        self.ready.next = self.active.val() & !self.barriers.waits.val();
        self.candidates.next = self.ready.val() & !self.groups.mask.val();

        // Resolve: the sides of a branch, and who of them runs on.
        wire::join(&mut self.comers[0], &mut self.sides.first);
        wire::join(&mut self.comers[1], &mut self.sides.second);
        self.runs_on.pc.next = self.comers[1].pc.val();
        self.runs_on.mask.next = self.barriers.left[1].val();
        if self.barriers.left[0].val().any() {
            self.runs_on.pc.next = self.comers[0].pc.val();
            self.runs_on.mask.next = self.barriers.left[0].val();
        }
        self.again.next = self.queue.pop_spin[0].val() & self.queue.pop.taken.val().any();
        self.alone.next = !(self.active.val() & !self.queue.pop.mask.val()).any();
        self.others.next = !self.alone.val();

        // What changes, unless an operation says otherwise.
        self.finished.valid.next = false;
        self.queue.pop_ready.next = false;
        self.diverges.next = false;
        self.exits.next = false;
        self.waits.next = false;
        self.turns.serves.next = false;
        self.gives_up.next = false;
        self.records.next = false;
        self.activates.next = false;
        self.halts.next = false;
        self.chooses.next = false;
        self.breaks_all.next = false;
        self.stops.next = false;
        self.parks.next = false;
        self.joins.next = 0.into();
        self.turn_events.ended_by_spin.next = false;
        self.turn_events.ended_by_quantum.next = false;
        self.turn_events.rotates.next = false;
        self.group_events.forms.next = false;
        self.barriers.exits.next = 0.into();
        self.barriers.breakers.next = 0.into();
        self.barriers.write.next = false;
        self.barriers.clear.next = false;
        self.groups.write_pc.next = false;
        self.groups.new_pc.next = self.runs_on.pc.val();
        self.groups.write_mask.next = false;
        self.groups.new_mask.next = self.ready.val() & self.selector.there.val();
        self.passed.write_enable[0].next = false;
        self.passed.write_data[0].next = bit_cast_to(self.rotation.through.val() >> 1, self._behind_first);
        self.rotation.passed.next =
            (bit_cast_to(self.passed.read_data[0].val(), self._lanes) << 1) | self.first_lane.val();
        self.rotating.d.next = false;
        self.yielding.d.next = self.yielding.q.val();
        self.next_unsettled.next = self.unsettled.q.val() | self.groups.ended.val();
        self.next_arriving.next = self.arriving.q.val() | self.groups.ended.val();
        self.next_chosen.next = self.chosen.q.val();

        match self.engine.operation.val() {
            StackOperation::Settle => {
                self.next_unsettled.next = self.next_unsettled.val() & !self.engine.warp_bit.val();
                self.comers[0].pc.next = self.groups.pc.val();
                self.comers[0].mask.next = 0.into();
                self.comers[1].mask.next = 0.into();
                if self.is_arriving.val() {
                    self.comers[0].mask.next = self.groups.mask.val();
                    self.next_arriving.next = self.next_arriving.val() & !self.engine.warp_bit.val();
                    self.barriers.write.next = true;
                    self.records.next = true;
                    self.chooses.next = self.barriers.left[0].val().any();
                } else if self.is_yielding.val() {
                    // Nobody waits for the group any more; who is where it goes on has no other turn.
                    self.barriers.breakers.next = self.groups.mask.val();
                    self.barriers.write.next = true;
                    self.groups.write_mask.next = true;
                    self.groups.new_mask.next = 0.into();
                    if self.is_chosen.val() {
                        self.groups.new_mask.next = self.selector.there.val();
                    }
                    self.yielding.d.next = self.yielding.q.val() & !self.engine.warp_bit.val();
                    self.rotating.d.next = true;
                } else if self.rotating.q.val() & self.candidates.val().any() {
                    self.groups.write_pc.next = true;
                    self.groups.new_pc.next = self.selector.thread_pc.val();
                    self.passed.write_enable[0].next = true;
                    self.chooses.next = true;
                    self.turn_events.rotates.next = true;
                } else if self.rotating.q.val() & self.barriers.waits.val().any() {
                    // Those who wait do so for threads that cannot run.
                    self.breaks_all.next = true;
                    self.rotating.d.next = true;
                } else if self.is_chosen.val() {
                    self.next_chosen.next = self.chosen.q.val() & !self.engine.warp_bit.val();
                    self.groups.write_mask.next = true;
                    self.activates.next = true;
                    self.stops.next = true;
                    self.group_events.forms.next = true;
                    if (self.groups.new_mask.val() & self.groups.mask.val()).any() {
                        self.joins.next = self.groups.new_mask.val() & !self.groups.mask.val();
                    }
                } else if self.ready.val().any() {
                    self.groups.write_pc.next = true;
                    self.groups.new_pc.next = self.selector.lowest.val();
                    self.chooses.next = true;
                } else if self.barriers.waits.val().any() {
                    self.breaks_all.next = true;
                } else {
                    self.stops.next = true;
                    self.finished.valid.next = !self.barrier.interrupted.val() & !self.threads.live.val().any();
                    self.parks.next = !self.barrier.interrupted.val() & self.threads.live.val().any();
                }
                if self.breaks_all.val() {
                    self.barriers.breakers.next = self.all_lanes.val();
                    self.barriers.write.next = true;
                }
            }
            StackOperation::Launch => {
                self.activates.next = true;
                self.groups.write_pc.next = true;
                self.groups.new_pc.next = self.launch.pc.val();
                self.groups.write_mask.next = true;
                self.groups.new_mask.next = self.launch.mask.val();
                self.barriers.clear.next = true;
                self.passed.write_enable[0].next = true;
                self.passed.write_data[0].next = 0.into();
            }
            StackOperation::Resolve => {
                self.queue.pop_ready.next = true;
                self.turns.serves.next = true;
                self.halts.next = true;
                match self.queue.pop.kind.val() {
                    ControlKind::Exit => {
                        self.exits.next = true;
                        self.barriers.exits.next = self.queue.pop.mask.val();
                        self.barriers.write.next = true;
                    }
                    ControlKind::Barrier => {
                        self.waits.next = true;
                        self.records.next = true;
                    }
                    _ => {
                        self.others.next = (self.active.val() & !self.runs_on.mask.val()).any();
                        self.diverges.next = self.comers[0].mask.val().any() & self.comers[1].mask.val().any();
                        self.barriers.write.next = true;
                        self.groups.write_pc.next = true;
                        if self.diverges.val() | self.barriers.comes.val() | self.turns.over.val() {
                            self.records.next = true;
                            self.chooses.next = self.runs_on.mask.val().any();
                        } else {
                            // All go the same way, where nobody waits: the group stays.
                            self.halts.next = false;
                            self.activates.next = true;
                        }
                    }
                }
                if self.turns.over.val() {
                    self.gives_up.next = true;
                    self.yielding.d.next = self.yielding.q.val() | self.engine.warp_bit.val();
                    self.turn_events.ended_by_spin.next = self.turns.by_spin.val();
                    self.turn_events.ended_by_quantum.next = !self.turns.by_spin.val();
                }
            }
            _ => {}
        }

        // Threads start, end or wait.
        self.threads.launches.next = self.engine.operation.val() == StackOperation::Launch;
        self.turn_events.breaks.next = self.barriers.released.val().any();

        // The group.
        self.chosen.d.next = self.next_chosen.val();
        if self.chooses.val() {
            self.chosen.d.next = self.next_chosen.val() | self.engine.warp_bit.val();
        }
        self.arriving.d.next = self.next_arriving.val();
        self.runnable.d.next = self.runnable.q.val() & !self.groups.blocked.val();
        if self.activates.val() {
            self.runnable.d.next = (self.runnable.q.val() & !self.groups.blocked.val()) | self.engine.warp_bit.val();
        }
        self.unsettled.d.next = self.next_unsettled.val() | self.barrier.released.val();
        if self.halts.val() {
            self.unsettled.d.next =
                self.next_unsettled.val() | self.barrier.released.val() | self.engine.warp_bit.val();
        }
    }
}

#[cfg(test)]
#[path = "tests/independent_threads.rs"]
mod tests;
