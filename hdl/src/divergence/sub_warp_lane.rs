//! One lane of the [`SubWarpUnit`](super::SubWarpUnit): its threads, a bit per warp, and which of them is in the next sub-warp.
//!
//! ```text
//!                        +--------------------------------------+
//!  activate, launch_* -->|--> active                            |
//!  take_up ------------->|      |                               |
//!                        |      v                               |---> pending, in_flight
//!                        |    pending -------+                  |
//!  sets, clears -------->|--> in_flight --+  |                  |
//!                        |                v  v                  |
//!  candidates, choice -->|              PriorityEncoder --------|---> home_warp, valid, rest
//!  step, all ----------->|                                      |
//!                        +--------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `activate`, `activate_rows`, `members` | 1, W, W | of these warps, exactly these threads run from now on |
//! | `launch_row`, `launch_thread` | W, 1 | this warp starts (one-hot, or 0), with a thread in this lane |
//! | `take_up` | W | DECODE: the active threads of these warps have an instruction to issue |
//! | `candidates` | W | the warps that may be in the next sub-warp |
//! | `own_choice`, `choice`, `choice_home_warp` | 1, W, w | the lane takes its own lowest one of them that nothing holds; or else this one |
//! | `step`, `all` | 1 | the sub-warp issues; for all threads of the candidates at once |
//! | `sets` | 1 | a thread that issues has a register pending from now on |
//! | `clears`, `clear_home_warp` | 1, w | the register of this thread is written |
//! | `pending`, `in_flight` | W | threads that have not issued; that have a register pending |
//! | `home_warp`, `valid` | w, 1 | the thread picked; there is one |
//! | `rest` | 1 | of the candidates a thread is left behind this sub-warp |
//!
//! Latency 0 from the candidates to the pick, 1 else. State: 3 W bits. A thread in flight issues nothing, whatever register it waits for.
//! Narasiman 2014, 4.2.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct SubWarpLane: clock, reset {
        pub activate: Signal<In, Bit>,
        pub activate_rows: Net<In> = warps,
        pub members: Net<In> = warps,
        pub launch_row: Net<In> = warps,
        pub launch_thread: Signal<In, Bit>,
        pub take_up: Net<In> = warps,
        pub candidates: Net<In> = warps,
        pub own_choice: Signal<In, Bit>,
        pub choice: Net<In> = warps,
        pub choice_home_warp: Net<In> = index_width(warps),
        pub step: Signal<In, Bit>,
        pub all: Signal<In, Bit>,
        pub sets: Signal<In, Bit>,
        pub clears: Signal<In, Bit>,
        pub clear_home_warp: Net<In> = index_width(warps),
        pub pending: Net<Out> = warps,
        pub in_flight: Net<Out> = warps,
        pub home_warp: Net<Out> = index_width(warps),
        pub valid: Signal<Out, Bit>,
        pub rest: Signal<Out, Bit>,

        active: Register = Register::new(warps),
        unissued: Register = Register::new(warps) => { q: pending },
        busy: Register = Register::new(warps) => { q: in_flight },
        encoder: PriorityEncoder = PriorityEncoder::new(warps),
        one_warp: Constant = Constant::new(1, warps),
        /// Of the candidates, those that have not issued.
        waiting: Net<Local> = warps,
        chosen: Net<Local> = warps,
        picked: Net<Local> = warps,
        left: Net<Local> = warps,
        still_busy: Net<Local> = warps,
        still_active: Net<Local> = warps,
    }
    /// For `warps` warps.
    pub fn new(warps: usize) {}
}

impl Logic for SubWarpLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SubWarpLane");
        dff_setup!(self, clock, active, unissued, busy);

        // The pick.
        self.waiting.next = self.unissued.q.val() & self.candidates.val();
        self.encoder.request.next = self.waiting.val() & !self.busy.q.val();
        self.chosen.next = self.waiting.val() & self.choice.val();
        // The choice of all lanes goes past the encoder: it comes out of one.
        self.picked.next = self.chosen.val();
        self.home_warp.next = self.choice_home_warp.val();
        self.valid.next = self.chosen.val().any();
        if self.own_choice.val() {
            self.picked.next = self.encoder.one_hot.val();
            self.home_warp.next = self.encoder.index.val();
            self.valid.next = self.encoder.any.val();
        }
        self.left.next = self.unissued.q.val() & !self.picked.val();
        if self.all.val() {
            self.left.next = self.unissued.q.val() & !self.candidates.val();
        }
        self.rest.next = (self.left.val() & self.candidates.val()).any();

        // What has issued waits no more; what is in DECODE has come out of the buffer before.
        self.unissued.d.next = self.unissued.q.val() | (self.active.q.val() & self.take_up.val());
        if self.step.val() {
            self.unissued.d.next = self.left.val() | (self.active.q.val() & self.take_up.val());
        }

        self.still_busy.next = self.busy.q.val();
        if self.clears.val() {
            self.still_busy.next = self.busy.q.val() & !(self.one_warp.val() << self.clear_home_warp.val());
        }
        self.busy.d.next = self.still_busy.val();
        if self.step.val() & self.sets.val() {
            self.busy.d.next = self.still_busy.val() | self.picked.val();
        }

        self.still_active.next = self.active.q.val();
        if self.activate.val() {
            self.still_active.next = (self.active.q.val() & !self.activate_rows.val()) | self.members.val();
        }
        self.active.d.next = self.still_active.val() & !self.launch_row.val();
        if self.launch_thread.val() {
            self.active.d.next = self.still_active.val() | self.launch_row.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::{cycles, set};
    use super::*;

    /// One line a cycle: commands `|` the pick, and whether threads are left. Warps are digits; those of the large warp are 0123.
    ///
    /// | command | |
    /// |---|---|
    /// | `active:02` | these threads run |
    /// | `take_up` | they have an instruction to issue |
    /// | `step`, `sets`, `all` | the sub-warp issues; with a register to write; all at once |
    /// | `row:2` | all lanes take warp 2 |
    /// | `clears:2` | the register of that thread is written |
    fn run(script: &str) {
        let mut lane = SubWarpLane::new(6);
        lane.connect_all();
        simulate(&mut lane, 1000);
        let rows = set("0123");
        for (inputs, seen) in cycles(script) {
            let with = |name: &str| inputs.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix(':'));
            let has = |name: &str| inputs.contains(&name);
            lane.activate.next = with("active").is_some();
            lane.activate_rows.next = rows;
            lane.members.next = set(with("active").unwrap_or("-"));
            lane.take_up.next = if has("take_up") { rows } else { set("-") };
            lane.candidates.next = rows;
            lane.own_choice.next = with("row").is_none();
            lane.choice.next = set(with("row").unwrap_or("-"));
            lane.choice_home_warp.next = with("row").map_or(0, |row| row.parse().unwrap()).into();
            lane.step.next = has("step");
            lane.sets.next = has("sets");
            lane.all.next = has("all");
            lane.clears.next = with("clears").is_some();
            lane.clear_home_warp.next = with("clears").map_or(0, |row| row.parse().unwrap()).into();
            simulate(&mut lane, 1000);
            let pick = if lane.valid.val() { lane.home_warp.val().index().to_string() } else { "-".into() };
            assert_eq!([pick.as_str(), if lane.rest.val() { "more" } else { "last" }], seen[..], "{inputs:?}");
            tick!(lane);
        }
    }

    #[test]
    fn the_lowest_first_one_a_step() {
        run("active:023  | - last
             take_up     | - last | in DECODE
             -           | 0 more | waits
             step        | 0 more
             step        | 2 more
             step        | 3 last
             -           | - last");
    }

    #[test]
    fn nobody_has_two_instructions_in_flight() {
        run("active:02          | - last
             take_up            | - last
             step sets          | 0 more
             step sets          | 2 last
             take_up            | - last
             clears:2           | - more | both have a register pending
             step sets          | 2 more | the other one goes first
             clears:0           | - more
             step               | 0 last | and a thread that writes nothing is not in flight
             take_up            | - last
             clears:2           | 0 more");
    }

    #[test]
    fn a_row_for_all_lanes_or_all_threads_at_once() {
        run("active:013         | - last
             take_up            | - last
             row:1 step         | 1 more
             row:2 step         | - more | other lanes have a thread there
             all step           | 0 last
             -                  | - last");
    }

    #[test]
    fn the_next_instruction_may_come_with_the_last_sub_warp() {
        run("active:0           | - last
             take_up            | - last
             step take_up       | 0 last
             step               | 0 last");
    }
}
