//! One home lane of the [`WarpCompactionUnit`](super::WarpCompactionUnit): a priority encoder over its rows.
//!
//! ```text
//!                   +----------------+
//!  load, threads -->|  pending ------|---> pending_rows
//!                   |     |  ^       |
//!     choice,  ---->|     v  |clear  |---> row, valid
//!     own_choice,   |  encoder       |
//!     step          |                |---> more
//!                   +----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load`, `threads` | 1, W | new threads to place, a bit per row, at the edge |
//! | `choice` | W | a row, one-hot, that every lane picks; unless |
//! | `own_choice` | 1 | each lane picks its own lowest row |
//! | `step` | 1 | the thread picked is placed: it is pending no more after the edge |
//! | `pending_rows` | W | rows of the threads not placed yet |
//! | `row`, `valid` | w, 1 | the thread picked; there is one |
//! | `more` | 1 | there are others |
//! | `members` | W | all threads of the entry in this lane, those in warps that run ahead included |
//! | `count` | n | how many there were at the last `load` |
//!
//! Latency 1 from `load` to the first thread, one thread a cycle. State: W bits and a count. Fung & Aamodt 2011, 3.3 and Fig 8.
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct CompactionLane {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub load: Signal<In, Bit>,
    pub threads: Net<In>,
    pub choice: Net<In>,
    pub own_choice: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub pending_rows: Net<Out>,
    pub row: Net<Out>,
    pub valid: Signal<Out, Bit>,
    pub more: Signal<Out, Bit>,
    pub members: Net<In>,
    pub count: Net<Out>,

    pending: Register,
    encoder: PriorityEncoder,
    counter: Popcount,
    counted: Flop,
    _count: usize,
}

impl CompactionLane {
    /// For `warps` rows, with a `count` bits wide count.
    pub fn new(warps: usize, count: usize) -> Self {
        Self {
            clock: Default::default(),
            reset: Default::default(),
            load: Default::default(),
            threads: Net::new(warps),
            choice: Net::new(warps),
            own_choice: Default::default(),
            step: Default::default(),
            pending_rows: Net::new(warps),
            row: Net::new(index_width(warps)),
            valid: Default::default(),
            more: Default::default(),
            members: Net::new(warps),
            count: Net::new(count),
            pending: Register::new(warps),
            encoder: PriorityEncoder::new(warps),
            counter: Popcount::new(warps),
            counted: Flop::new(count),
            _count: count,
        }
    }
}

impl Logic for CompactionLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CompactionLane");
        dff_setup!(self, clock, pending, counted);
        self.pending.reset.next = self.reset.val();
        self.pending_rows.next = self.pending.q.val();
        self.encoder.request.next = self.pending.q.val() & self.choice.val();
        if self.own_choice.val() {
            self.encoder.request.next = self.pending.q.val();
        }
        self.row.next = self.encoder.index.val();
        self.valid.next = self.encoder.any.val();
        self.more.next = (self.pending.q.val() & !self.encoder.one_hot.val()).any();
        self.counter.value.next = self.members.val();
        self.count.next = self.counted.q.val();
        if self.step.val() {
            self.pending.d.next = self.pending.q.val() & !self.encoder.one_hot.val();
        }
        if self.load.val() {
            self.pending.d.next = self.threads.val();
            self.counted.d.next = bit_cast_to(self.counter.count.val(), self._count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::{cycles, digits, set};
    use super::*;

    /// One line a cycle: `load members choice step | pending pick more count`. Rows are digits; the choice is the lane's `own`, or a row.
    fn run(script: &str) {
        let mut lane = CompactionLane::new(4, 3);
        lane.connect_all();
        simulate(&mut lane, 1000);
        for (inputs, seen) in cycles(script) {
            let [load, members, choice, step] = inputs[..] else { panic!("{inputs:?}") };
            lane.load.next = load != "-";
            lane.threads.next = set(load);
            lane.members.next = set(members);
            lane.own_choice.next = choice == "own";
            lane.choice.next = if choice == "own" { set("-") } else { set(choice) };
            lane.step.next = step == "step";
            simulate(&mut lane, 1000);
            let pick = if lane.valid.val() { lane.row.val().index().to_string() } else { "-".into() };
            let more = if lane.more.val() { "more" } else { "-" };
            let count = lane.count.val().index().to_string();
            assert_eq!([&digits(lane.pending_rows.val()), &pick, more, &count], seen[..], "{inputs:?}");
            tick!(lane);
        }
    }

    #[test]
    fn the_lowest_row_first_one_a_step() {
        run("023 023  own -    | -    - -    0
             -   -    own -    | 023  0 more 3 | waits
             -   -    own step | 023  0 more 3
             -   -    own step | 23   2 more 3
             -   -    own step | 3    3 -    3
             -   -    own step | -    - -    3");
    }

    #[test]
    fn the_row_chosen_for_all_lanes_or_none() {
        run("13  13   own -    | -    - -    0
             -   -    0   step | 13   - more 2 | another lane has a thread in row 0
             -   -    1   step | 13   1 more 2
             -   -    2   step | 3    - more 2
             -   -    3   step | 3    3 -    2");
    }

    #[test]
    fn threads_in_warps_that_run_ahead_are_counted_not_placed() {
        run("2   0123 own -    | -    - -    0
             -   01   own step | 2    2 -    4 | members count in the cycle of the load only
             -   -    own -    | -    - -    4");
    }

    #[test]
    fn new_threads_replace_old_ones() {
        run("01  01   own -    | -    - -    0
             3   3    own step | 01   0 more 2
             -   -    own -    | 3    3 -    1");
    }
}
