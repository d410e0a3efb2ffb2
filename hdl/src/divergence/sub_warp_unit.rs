//! Sub-warps: which threads of a large warp issue next, in one warp instruction.
//!
//! ```text
//!                            +---------------------------------------------------+
//!  decoded_*, kind --------->|--> kinds                                          |---> hold
//!  rows[W] ----------------->|                                                   |
//!  activate, launch_* ------>|--> SubWarpLane x L: active, pending, in flight    |
//!  release_* --------------->|      ^ own choice, or                             |---> lanes, home_warps[L]
//!  issue_warp, issue_valid ->|      +-- PriorityEncoder <-- whole rows           |---> last
//!                            +---------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `rows[W]` | W | the rows of each large warp; 0: there is none of this number |
//! | `activate`, `activate_rows`, `members[L]` | 1, W, W | of these warps, exactly these threads run from now on |
//! | `launch_row`, `launch_mask` | W, L | this warp starts (one-hot, or 0) |
//! | `decoded_valid`, `decoded_warp`, `decoded_kind` | 1, w, | DECODE: an instruction of this large warp, and how its sub-warps are made: see [`SubWarpKind`] |
//! | `compact` | 1 | lanes of several rows may be packed; else all kinds but `Once` go row by row |
//! | `issue_valid`, `issue_warp`, `issue_writes` | 1, w, 1 | a sub-warp of this large warp issues; it writes a register |
//! | `release_valid`, `release_mask`, `release_home_warps[L]` | 1, L, w | the registers of these threads are written |
//! | `lanes`, `home_warps[L]` | L, w | the next sub-warp of `issue_warp` |
//! | `last` | 1 | no thread of the instruction is left behind it |
//! | `hold` | W | large warps that have no sub-warp to issue |
//! | `events` | | for the counters, see [`SubWarpEvents`] |
//!
//! Latency 0 from `issue_warp` to the sub-warp, 1 else. State: what the lanes hold, and two bits per large warp.
//!
//! | kind | instructions | sub-warps |
//! |---|---|---|
//! | `Pack` | arithmetic, branches, calls, exit, `bar.sync` | in each lane the lowest row with a thread that waits and is not in flight |
//! | `Row` | memory, `fence`, `ballot`, `cond_acc`, `tree_traverse` | the lowest row none of whose waiting threads is in flight, as a whole |
//! | `Once` | jumps without a link | one for all threads, when none of them is in flight |
//!
//! Narasiman 2014, 4.2.1, 4.2.3 and Fig 4.5.
use super::{SubWarpLane, SubWarpThreads};
use crate::interface::SubWarpEvents;
use crate::prelude::*;

hardware_enum! {
    /// How the sub-warps of an instruction are made.
    pub enum SubWarpKind {
        /// In each lane a thread of any row.
        Pack,
        /// Row by row.
        Row,
        /// One for all threads.
        Once,
    }
}

module! {
    /// See the [module documentation](self).
    pub struct SubWarpUnit: clock, reset {
        pub rows: Vec<Net<In>> = Net::vec(warps, warps),
        pub activate: Signal<In, Bit>,
        pub activate_rows: Net<In> = warps,
        pub members: Vec<Net<In>> = Net::vec(lanes, warps),
        pub launch_row: Net<In> = warps,
        pub launch_mask: Net<In> = lanes,
        pub decoded_valid: Signal<In, Bit>,
        pub decoded_warp: Net<In> = w,
        pub decoded_kind: Signal<In, SubWarpKind>,
        pub compact: Signal<In, Bit>,
        pub issue_valid: Signal<In, Bit>,
        pub issue_warp: Net<In> = w,
        pub issue_writes: Signal<In, Bit>,
        pub release_valid: Signal<In, Bit>,
        pub release_mask: Net<In> = lanes,
        pub release_home_warps: Vec<Net<In>> = Net::vec(lanes, w),
        pub lanes: Net<Out> = lanes,
        pub home_warps: Vec<Net<Out>> = Net::vec(lanes, w),
        pub last: Signal<Out, Bit>,
        pub hold: Net<Out> = warps,
        pub events: SubWarpEvents<Out> = SubWarpEvents::new(warps),

        picks: Vec<SubWarpLane> = (0..lanes).map(|_| SubWarpLane::new(warps)).collect() => |lane| {
            activate, activate_rows, members: members[lane], launch_row, take_up: taken_up, candidates: candidates.selected,
            own_choice, choice: whole.one_hot, choice_home_warp: whole.index, step: issue_valid, all: at_once, sets: issue_writes,
            clear_home_warp: release_home_warps[lane], home_warp: home_warps[lane],
        },
        /// By large warp: its instruction goes row by row, or at once.
        by_row: Register = Register::new(warps),
        once: Register = Register::new(warps),
        candidates: IndexedMux = IndexedMux::new(warps, warps) => { inputs: rows, index: issue_warp },
        decoded_rows: IndexedMux = IndexedMux::new(warps, warps) => { inputs: rows, index: decoded_warp },
        whole: PriorityEncoder = PriorityEncoder::new(warps),
        threads: SubWarpThreads = SubWarpThreads::new(lanes, warps) => {
            candidates: candidates.selected, issue_valid, issue_warp, last, at_once, events,
        },
        one_warp: Constant = Constant::new(1, warps),
        decoded_bit: Net<Local> = warps,
        taken_up: Net<Local> = warps,
        issue_bit: Net<Local> = warps,
        own_choice: Signal<Local, Bit>,
        at_once: Signal<Local, Bit>,
        /// By row: a thread waits; one that is in flight does; one that is not.
        owed: Net<Local> = warps,
        blocked: Net<Local> = warps,
        free: Net<Local> = warps,
        rest: Net<Local> = lanes,
        /// By large warp: one of these.
        has_free: Net<Local> = warps,
        has_whole: Net<Local> = warps,
        has_blocked: Net<Local> = warps,
        ready: Net<Local> = warps,
    }
    /// For `warps` warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let w = index_width(warps);
    }
}

impl Logic for SubWarpUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SubWarpUnit");
        dff_setup!(self, clock, by_row, once);

        // DECODE: the active threads have an instruction to issue.
        self.decoded_bit.next = self.one_warp.val() << self.decoded_warp.val();
        self.taken_up.next = 0.into();
        if self.decoded_valid.val() {
            self.taken_up.next = self.decoded_rows.selected.val();
            self.by_row.d.next = self.by_row.q.val() & !self.decoded_bit.val();
            self.once.d.next = self.once.q.val() & !self.decoded_bit.val();
            if (self.decoded_kind.val() == SubWarpKind::Row)
                | ((self.decoded_kind.val() == SubWarpKind::Pack) & !self.compact.val())
            {
                self.by_row.d.next = self.by_row.q.val() | self.decoded_bit.val();
            }
            if self.decoded_kind.val() == SubWarpKind::Once {
                self.once.d.next = self.once.q.val() | self.decoded_bit.val();
            }
        }

        // Which large warps have a sub-warp.
        self.owed.next = 0.into();
        self.blocked.next = 0.into();
        self.free.next = 0.into();
        for lane in 0..self.picks.len() {
            self.owed.next = self.owed.val() | self.picks[lane].pending.val();
            self.blocked.next =
                self.blocked.val() | (self.picks[lane].pending.val() & self.picks[lane].in_flight.val());
            self.free.next = self.free.val() | (self.picks[lane].pending.val() & !self.picks[lane].in_flight.val());
        }
        self.has_free.next = 0.into();
        self.has_whole.next = 0.into();
        self.has_blocked.next = 0.into();
        for g in 0..self.rows.len() {
            self.has_free.next = self.has_free.val().replace_bit(g, (self.rows[g].val() & self.free.val()).any());
            self.has_whole.next =
                self.has_whole.val().replace_bit(g, (self.rows[g].val() & self.owed.val() & !self.blocked.val()).any());
            self.has_blocked.next =
                self.has_blocked.val().replace_bit(g, (self.rows[g].val() & self.blocked.val()).any());
        }
        self.ready.next = (self.by_row.q.val() & self.has_whole.val())
            | (self.once.q.val() & self.has_free.val() & !self.has_blocked.val())
            | (self.has_free.val() & !self.by_row.q.val() & !self.once.q.val());
        self.hold.next = !self.ready.val();

        // The sub-warp of the one that issues.
        self.issue_bit.next = self.one_warp.val() << self.issue_warp.val();
        self.own_choice.next = !(self.by_row.q.val() & self.issue_bit.val()).any();
        self.threads.by_row.next = !self.own_choice.val();
        self.at_once.next = (self.once.q.val() & self.issue_bit.val()).any();
        self.whole.request.next = self.candidates.selected.val() & self.owed.val() & !self.blocked.val();
        self.lanes.next = 0.into();
        self.rest.next = 0.into();
        for lane in 0..self.picks.len() {
            self.lanes.next = self.lanes.val().replace_bit(lane, self.picks[lane].valid.val());
            self.rest.next = self.rest.val().replace_bit(lane, self.picks[lane].rest.val());
            self.threads.pending[lane].next = self.picks[lane].pending.val();
            self.picks[lane].launch_thread.next = self.launch_mask.val().get_bit(lane);
            self.picks[lane].clears.next = self.release_valid.val() & self.release_mask.val().get_bit(lane);
        }
        self.last.next = !self.rest.val().any();
    }
}

#[cfg(test)]
#[path = "tests/sub_warp_unit.rs"]
mod tests;
