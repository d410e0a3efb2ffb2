//! Turns on the stacks of [`SpeStack`](super::SpeStack): when one is over, who need not wait any more, and who runs next.
//!
//! ```text
//!                      +--------------------------------------------------+
//!  decoded ----------->| TurnCounters                                     |
//!  serves, goes_on --->|      |                                           |
//!  event, spin, ------>|      +---> the turn is over                      |---> turn_ends
//!  splits, live        | lanes at bar.sync, by warp                       |
//!                      | warps whose turn is over                         |---> turn_breaking, _occupied
//!  ends_turn, any, --->| the walk down: lanes that leave an entry,        |---> turn_parts, _kept
//!  slot, above, found  |   lanes that could run                           |---> turn_leaves, _leaving, _steps
//!  running, active --->|      |                                           |---> turn_rotates
//!                      |      +--> RotatingChoice --> lane by warp        |
//!  ready, searched --->| the search: is it the entry of that lane?        |---> turn_refuses, _retries
//!                      +--------------------------------------------------+---> events
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `decoded` | | an instruction of this warp is in DECODE |
//! | `warp`, `launches` | w, 1 | the warp that the engine works on; it starts |
//! | `live`, `running`, `active` | L, L, i | its lanes that have not ended; lanes and position of its active entry |
//! | `barrier_waits` | d | its entries that wait at `bar.sync` |
//! | `event`, `spin`, `splits` | | its control instruction; whether the target is the head of a loop that may wait for other threads, and whether lanes go both ways |
//! | `serves`, `goes_on`, `arrives` | 1 | it takes effect: a branch or jump, and its path goes on; `bar.sync` |
//! | `turn_ends` | 1 | then the turn is over: the warp stops |
//! | `turn_breaking` | 1 | the next walk is for threads that wait, not for an entry to run |
//! | `turn_occupied` | d | the position of the active entry meanwhile, which is not in the stack |
//! | `ends_turn` | 1 | a step of that walk |
//! | `any`, `slot`, `above`, `found` | 1, d, L, L | the entry that a walk has come to (one-hot), threads passed over, threads of the entry |
//! | `turn_parts`, `turn_kept` | 1, L | first cycle at an entry whose waiting threads leave: it keeps these |
//! | `turn_leaves`, `turn_leaving` | 1, L | second cycle: these get an entry of their own |
//! | `full`, `turn_overflows` | 1 | there is no room for it |
//! | `turn_steps` | 1 | the walk goes on below the entry |
//! | `turn_rotates` | 1 | at its end: others run, and the active path is stored |
//! | `ready`, `turn_refuses` | 1 | in a search: nothing keeps the entry from running, but that it is another lane's turn |
//! | `searched`, `turn_retries` | 1 | it has found nothing; but it begins anew, for the entry of any lane, or once threads no longer wait for those at `bar.sync` |
//! | `events` | | for the counters |
//!
//! Latency 0; what changes does so at the edge.
//!
//! State per warp: [`TurnCounters`], the lane whose turn it is and whether it is preferred, lanes at `bar.sync`, whether the turn is over. For the walk under way: lanes that
//! leave, lanes that could run, whether nothing runs.
//!
//! Source: Vortex, its proposal `schedulable_convergence_stack`, whose pool of splits is here the stack itself: who leaves an entry gets one above it, with the same RPC.
//! What it leaves open: docs/decisions/0031-turns-on-a-stack.md.
//!
//! Why this structure. A thread waits in an entry if no entry above has it, which the walk down knows anyway: so the same walk finds who waits for the
//! running threads, and who could run. Somebody could: a turn is over only if another thread neither has ended nor is at `bar.sync`; it could run, or waits in an entry for
//! the running threads or for some at `bar.sync`, or for others of which the same is true. Lanes take turns, not entries, as entries come and go. The lane is kept until its entry cannot
//! run, for what it pushes may lie below the entries of others.
use super::{ControlEvent, TurnCounters};
use crate::interface::{Decoded, TurnEvents};
use crate::mechanism::options::Turns;
use crate::parts::RotatingChoice;
use crate::prelude::*;

bundle! {
    /// What the turns of the engine's warp make of its step.
    pub struct TurnState(lanes: usize, entries: usize) {
        /// The turn is over.
        ends: Bit,
        /// The walk is for threads that wait, not for an entry to run.
        breaking: Bit,
        /// The active entry's position meanwhile.
        occupied: [entries],
        /// The entry keeps only some of its threads.
        parts: Bit,
        /// These.
        kept: [lanes],
        /// The others get an entry of their own.
        leaves: Bit,
        /// These.
        leaving: [lanes],
        /// There is no room for it.
        overflows: Bit,
        /// The walk goes on.
        steps: Bit,
        /// Others run.
        rotates: Bit,
        /// The entry could run, but it is not its turn.
        refuses: Bit,
        /// The search begins anew.
        retries: Bit,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct TurnScheduler: clock, reset {
        pub decoded: Decoded<In> = Decoded::new(lanes, warp),
        pub warp: Net<In> = warp,
        pub launches: Signal<In, Bit>,
        pub live: Net<In> = lanes,
        pub running: Net<In> = lanes,
        pub active: Net<In> = index_width(entries),
        pub barrier_waits: Net<In> = entries,
        pub event: ControlEvent<In> = ControlEvent::new(lanes),
        pub spin: Signal<In, Bit>,
        pub splits: Signal<In, Bit>,
        pub serves: Signal<In, Bit>,
        pub arrives: Signal<In, Bit>,
        pub goes_on: Signal<In, Bit>,
        pub ends_turn: Signal<In, Bit>,
        pub any: Signal<In, Bit>,
        pub slot: Net<In> = entries,
        pub above: Net<In> = lanes,
        pub found: Net<In> = lanes,
        pub ready: Signal<In, Bit>,
        pub full: Signal<In, Bit>,
        pub searched: Signal<In, Bit>,
        pub turn: TurnState<Out> = TurnState::new(lanes, entries),
        pub events: TurnEvents<Out> = TurnEvents::new(lanes),

        counters: TurnCounters = TurnCounters::new(lanes, warps, turns) => { decoded, warp, serves, restart: ends },
        /// By warp: lanes at `bar.sync`, as far as entries wait there.
        barred: Memory = Memory::new(lanes, warps, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: warp, write_enable[0]: arrives, write_address[0]: warp,
        },
        /// By warp: the lane whose turn it is, or was.
        lane: Memory = Memory::new(index_width(lanes), warps, 1, 1, ReadKind::Asynchronous) => {
            read_address[0]: warp, write_address[0]: warp,
        },
        /// Bit per warp: no other lane's entry runs, as long as its can.
        preferring: Register = Register::new(warps),
        /// Bit per warp: the turn is over.
        ending: Register = Register::new(warps),
        /// Lanes that leave the entry that the walk has come to.
        left: Register = Register::new(lanes) => { q: turn.leaving },
        /// Lanes that could run, of those that the walk has seen.
        schedulable: Register = Register::new(lanes),
        /// The walk is for a warp of which nothing runs.
        stuck: StateRegister<Bit>,

        choice: RotatingChoice = RotatingChoice::new(lanes) => { request: candidates },
        chosen: PriorityEncoder = PriorityEncoder::new(lanes) => { request: choice.grant },
        released: Popcount = Popcount::new(lanes) => { value: left.q, count: events.released },
        one_warp: Constant = Constant::new(1, warps),
        one_lane: Constant = Constant::new(1, lanes),
        one_entry: Constant = Constant::new(1, entries),

        warp_bit: Net<Local> = warps,
        lane_bit: Net<Local> = lanes,
        at_barrier: Net<Local> = lanes,
        /// Lanes that neither have ended nor are at `bar.sync`.
        present: Net<Local> = lanes,
        alone: Signal<Local, Bit>,
        /// The active entry's lanes, if one has been stopped.
        stopped: Net<Local> = lanes,
        /// Lanes of the entry that other entries have, too, and that wait in it.
        kept: Net<Local> = lanes,
        waiting: Net<Local> = lanes,
        ends: Signal<Local, Bit>,
        parts: Signal<Local, Bit>,
        leaves: Signal<Local, Bit>,
        overflows: Signal<Local, Bit>,
        rotates: Signal<Local, Bit>,
        /// It is one lane's turn.
        prefers: Signal<Local, Bit>,
        /// A search for its entry has found none.
        gives_up: Signal<Local, Bit>,
        /// A search for any entry has, and not all threads are at `bar.sync`.
        sticks: Signal<Local, Bit>,
        candidates: Net<Local> = lanes,
    }
    /// For `warps` warps of `lanes` threads with stacks of `entries` entries.
    pub fn new(lanes: usize, warps: usize, entries: usize, turns: Turns) {
        let warp = index_width(warps);
    }
}

impl Logic for TurnScheduler {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module TurnScheduler");
        dff_setup!(self, clock, preferring, ending, left, schedulable, stuck);
        self.warp_bit.next = self.one_warp.val() << self.warp.val();

        self.at_barrier.next = 0.into();
        if self.barrier_waits.val().any() {
            self.at_barrier.next = self.barred.read_data[0].val();
        }
        self.barred.write_data[0].next = self.at_barrier.val() | self.event.mask.val();
        self.present.next = self.live.val() & !self.at_barrier.val();

        // A branch or jump.
        self.alone.next = !(self.present.val() & !self.event.mask.val()).any();
        self.counters.alone.next = self.alone.val();
        self.counters.others.next = !self.alone.val() | self.splits.val();
        self.counters.again.next = self.spin.val() & self.event.taken.val().any();
        self.ends.next = self.goes_on.val() & self.counters.over.val();
        self.turn.ends.next = self.ends.val();

        // The search for an entry to run.
        self.lane_bit.next = self.one_lane.val() << self.lane.read_data[0].val();
        self.prefers.next = (self.preferring.q.val() & self.warp_bit.val()).any();
        self.turn.refuses.next =
            self.prefers.val() & self.ready.val() & !(self.found.val() & self.lane_bit.val()).any();
        self.gives_up.next = self.searched.val() & self.prefers.val();
        self.sticks.next = self.searched.val() & !self.prefers.val() & self.present.val().any();
        self.turn.retries.next = self.gives_up.val() | self.sticks.val();

        // The walk for threads that wait for the running ones, or for those at `bar.sync`.
        self.turn.breaking.next = (self.ending.q.val() & self.warp_bit.val()).any();
        self.stopped.next = 0.into();
        self.turn.occupied.next = 0.into();
        if self.turn.breaking.val() & !self.stuck.q.val() {
            self.stopped.next = self.running.val() & self.live.val();
            self.turn.occupied.next = self.one_entry.val() << self.active.val();
        }
        self.kept.next = self.found.val() & (self.above.val() | self.stopped.val());
        self.waiting.next = self.found.val() & !self.kept.val();
        self.parts.next = self.ends_turn.val()
            & self.any.val()
            & !self.left.q.val().any()
            & self.waiting.val().any()
            & (self.kept.val() & (self.stopped.val() | self.at_barrier.val())).any();
        self.leaves.next = self.ends_turn.val() & self.left.q.val().any() & !self.full.val();
        self.overflows.next = self.ends_turn.val() & self.left.q.val().any() & self.full.val();
        self.turn.parts.next = self.parts.val();
        self.turn.kept.next = self.kept.val();
        self.turn.leaves.next = self.leaves.val();
        self.turn.overflows.next = self.overflows.val();
        self.turn.steps.next = self.ends_turn.val() & !self.parts.val() & !self.overflows.val();

        self.left.d.next = self.left.q.val();
        self.schedulable.d.next = self.schedulable.q.val();
        if self.leaves.val() {
            self.left.d.next = 0.into();
            self.schedulable.d.next = self.schedulable.q.val() | self.left.q.val();
        } else if self.parts.val() {
            self.left.d.next = self.waiting.val();
        } else if self.ends_turn.val() & !self.any.val() {
            self.schedulable.d.next = 0.into();
        } else if self.ends_turn.val() & !self.kept.val().any() & !(self.slot.val() & self.barrier_waits.val()).any() {
            self.schedulable.d.next = self.schedulable.q.val() | self.found.val();
        }

        // At its end: whose turn it is now.
        self.candidates.next = self.schedulable.q.val() & !self.stopped.val();
        self.choice.passed.next = self.lane_bit.val() | (self.lane_bit.val() - 1);
        self.rotates.next = self.ends_turn.val() & !self.any.val() & !self.stuck.q.val();
        self.turn.rotates.next = self.rotates.val();
        self.lane.write_enable[0].next = self.launches.val() | self.rotates.val();
        self.lane.write_data[0].next = self.chosen.index.val();
        if self.launches.val() {
            self.lane.write_data[0].next = 0.into();
        }

        self.preferring.d.next = self.preferring.q.val();
        if self.launches.val() | self.gives_up.val() {
            self.preferring.d.next = self.preferring.q.val() & !self.warp_bit.val();
        } else if self.rotates.val() {
            self.preferring.d.next = self.preferring.q.val() | self.warp_bit.val();
        }
        self.ending.d.next = self.ending.q.val();
        if self.ends.val() | self.sticks.val() {
            self.ending.d.next = self.ending.q.val() | self.warp_bit.val();
        }
        if self.sticks.val() {
            self.stuck.d.next = true;
        }
        if self.ends_turn.val() & !self.any.val() {
            self.ending.d.next = self.ending.q.val() & !self.warp_bit.val();
            self.stuck.d.next = false;
        }

        self.events.ended_by_spin.next = self.ends.val() & self.counters.by_spin.val();
        self.events.ended_by_quantum.next = self.ends.val() & !self.counters.by_spin.val();
        self.events.breaks.next = self.leaves.val();
        self.events.rotates.next = self.rotates.val();
    }
}

#[cfg(test)]
#[path = "tests/turn_scheduler.rs"]
mod tests;
