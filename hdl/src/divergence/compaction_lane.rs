//! One home lane of the [`WarpCompactionUnit`](super::WarpCompactionUnit): a priority encoder over its home warps.
//!
//! ```text
//!                     +-------------------------+
//!  load, threads ---->|--> pending, or the new   |
//!                     |      ^   --> encoder    |
//!                     |      ^            |     |
//!  own_choice ------->|      |clear       v     |---> home warp, valid
//!  choice, _row ----->|------+------- picked    |
//!  step ------------->|                         |
//!                     +-------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load`, `threads` | 1, W | new threads to place, a bit per home warp |
//! | `choice`, `choice_home_warp` | W, w | a home warp, one-hot and by number, that every lane picks; unless |
//! | `own_choice` | 1 | each lane picks its own lowest home warp |
//! | `step` | 1 | the thread picked is placed: it is pending no more after the edge |
//! | `home_warp`, `valid` | w, 1 | the thread picked; there is one |
//! | `busy` | 1 | a thread waits since an earlier cycle |
//!
//! Latency 0 from `load` to the first thread, one thread a cycle. State: W bits. Fung & Aamodt 2011, 3.3 and Fig 8.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct CompactionLane: clock, reset {
        pub load: Signal<In, Bit>,
        pub threads: Net<In> = warps,
        pub choice: Net<In> = warps,
        pub choice_home_warp: Net<In> = index_width(warps),
        pub own_choice: Signal<In, Bit>,
        pub step: Signal<In, Bit>,
        pub home_warp: Net<Out> = index_width(warps),
        pub valid: Signal<Out, Bit>,
        pub busy: Signal<Out, Bit>,

        pending: Register = Register::new(warps),
        encoder: PriorityEncoder = PriorityEncoder::new(warps) => { request: owed },
        owed: Net<Local> = warps,
        chosen: Net<Local> = warps,
        picked: Net<Local> = warps,
    }
    /// For `warps` home warps.
    pub fn new(warps: usize) {}
}

impl Logic for CompactionLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module CompactionLane");
        dff_setup!(self, clock, pending);
        self.busy.next = self.pending.q.val().any();
        self.owed.next = self.pending.q.val();
        if self.load.val() {
            self.owed.next = self.threads.val();
        }
        self.chosen.next = self.owed.val() & self.choice.val();
        // The choice of all lanes goes past the encoder: it comes out of one.
        self.picked.next = self.chosen.val();
        self.home_warp.next = self.choice_home_warp.val();
        self.valid.next = self.chosen.val().any();
        if self.own_choice.val() {
            self.picked.next = self.encoder.one_hot.val();
            self.home_warp.next = self.encoder.index.val();
            self.valid.next = self.encoder.any.val();
        }
        self.pending.d.next = self.owed.val();
        if self.step.val() {
            self.pending.d.next = self.owed.val() & !self.picked.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::{cycles, set};
    use super::*;

    /// One line a cycle: `load choice step | pick`. Rows are digits; the choice is the lane's `own`, or a home warp.
    fn run(script: &str) {
        let mut lane = CompactionLane::new(4);
        lane.connect_all();
        simulate(&mut lane, 1000);
        for (inputs, seen) in cycles(script) {
            let [load, choice, step] = inputs[..] else { panic!("{inputs:?}") };
            lane.load.next = load != "-";
            lane.threads.next = set(load);
            lane.own_choice.next = choice == "own";
            lane.choice.next = if choice == "own" { set("-") } else { set(choice) };
            lane.choice_home_warp.next = choice.parse::<usize>().unwrap_or(0).into();
            lane.step.next = step == "step";
            simulate(&mut lane, 1000);
            let pick = if lane.valid.val() { lane.home_warp.val().index().to_string() } else { "-".into() };
            assert_eq!([&pick], seen[..], "{inputs:?}");
            tick!(lane);
        }
    }

    #[test]
    fn the_lowest_home_warp_first_one_a_step() {
        run("023 own -    | 0
             -   own -    | 0 | waits
             -   own step | 0
             -   own step | 2
             -   own step | 3
             -   own step | -");
    }

    #[test]
    fn the_home_warp_chosen_for_all_lanes_or_none() {
        run("13  own -    | 1
             -   0   step | - | another lane has a thread in home warp 0
             -   1   step | 1
             -   2   step | -
             -   3   step | 3
             -   own -    | -");
    }

    #[test]
    fn new_threads_replace_old_ones() {
        run("01  own step | 0   | placed as it comes
             -   own -    | 1
             3   own -    | 3
             -   own step | 3
             -   own -    | -");
    }
}
