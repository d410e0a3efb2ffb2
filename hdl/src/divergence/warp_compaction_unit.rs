//! The warp compaction unit: packs the threads of a stack entry into warps, one warp a cycle.
//!
//! ```text
//!                      +--------------------------------------------+
//!  load, threads[L] -->|--> CompactionLane x L ---------------------|---> home_warps[L], lanes, valid
//!  compact ----------->|      ^ own choice, or                      |
//!  step -------------->|      +-- PriorityEncoder <-- occupied <-+  |
//!                      |          the lowest home warp of all lanes    |  |
//!                      |                     threads, any lane --+  |
//!                      +--------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load` | 1 | takes a new set of threads, and offers the first warp of it at once |
//! | `threads[L]` | W | the threads to place, by home lane, a bit per home warp |
//! | `compact` | 1 | each lane picks a home warp of its own; else all lanes the same (static warps). It changes with a `load` only |
//! | `step` | 1 | the warp offered is taken |
//! | `valid`, `lanes`, `home_warps[L]` | 1, L, w | the warp offered: its lanes, and the home warp of the thread in each |
//! | `busy` | 1 | threads wait since an earlier cycle |
//!
//! Latency 0 from `load` to the first warp. State: L x W pending bits, and W bits for static warps: the home warps that still have one.
//! A thread never leaves its home lane, so the register file keeps one address decoder per lane.
//!
//! Select and clear is one encoder deep whichever way a home warp is chosen: static warps know their home warps from a register of their own, not
//! from the pending bits of all lanes.
//!
//! Fung & Aamodt 2011, 3.3 and Fig 8.
use super::CompactionLane;
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpCompactionUnit: clock, reset {
        pub load: Signal<In, Bit>,
        pub threads: Vec<Net<In>> = Net::vec(lanes, warps),
        pub compact: Signal<In, Bit>,
        pub step: Signal<In, Bit>,
        pub valid: Signal<Out, Bit>,
        pub busy: Signal<Out, Bit>,
        pub lanes: Net<Out> = lanes,
        pub home_warps: Vec<Net<Out>> = Net::vec(lanes, index_width(warps)),

        picks: Vec<CompactionLane> = (0..lanes).map(|_| CompactionLane::new(warps)).collect() => |lane| {
            load, threads: threads[lane], choice: lowest.one_hot, choice_home_warp: lowest.index, own_choice: compact, step,
            home_warp: home_warps[lane],
        },
        /// Rows of static warps that have not been offered.
        occupied: Register = Register::new(warps),
        lowest: PriorityEncoder = PriorityEncoder::new(warps) => { request: owed },
        owed: Net<Local> = warps,
        loaded: Net<Local> = warps,
    }
    /// For `warps` home warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {}
}

impl Logic for WarpCompactionUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpCompactionUnit");
        dff_setup!(self, clock, occupied);
        self.lanes.next = 0.into();
        self.loaded.next = 0.into();
        self.busy.next = false;
        for lane in 0..self.picks.len() {
            self.lanes.next = self.lanes.val().replace_bit(lane, self.picks[lane].valid.val());
            self.loaded.next = self.loaded.val() | self.threads[lane].val();
            self.busy.next = self.busy.val() | self.picks[lane].busy.val();
        }
        self.owed.next = self.occupied.q.val();
        if self.load.val() {
            self.owed.next = self.loaded.val();
        }
        self.valid.next = self.lowest.any.val();
        if self.compact.val() {
            self.valid.next = self.lanes.val().any();
        }
        self.occupied.d.next = self.owed.val();
        if self.step.val() {
            self.occupied.d.next = self.owed.val() & !self.lowest.one_hot.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::cycles;
    use super::*;

    /// `0123 4--7` is the threads of two home warps, by lane; the unit is told to compact or not.
    ///
    /// One line a cycle: `load ROWS | ...` loads threads, `step` takes the warp offered, `take ROWS` does both, `hold` neither. Seen is the warp. A
    /// thread has the letter it was loaded with.
    fn run(compact: bool, script: &str) {
        let mut unit = WarpCompactionUnit::new(4, 3);
        unit.connect_all();
        unit.compact.next = compact;
        simulate(&mut unit, 1000);
        let mut names: Vec<Vec<char>> = vec![vec!['-'; 4]; 3];
        for (inputs, seen) in cycles(script) {
            unit.load.next = ["load", "take"].contains(&inputs[0]);
            unit.step.next = ["step", "take"].contains(&inputs[0]);
            if inputs.len() > 1 {
                for lane in 0..4 {
                    unit.threads[lane].next = column(&inputs[1..], lane).into();
                }
                names = inputs[1..].iter().map(|home_warp| home_warp.chars().collect()).collect();
            }
            simulate(&mut unit, 1000);
            let warp: String = (0..4).map(|lane| thread(&unit, &names, lane)).collect();
            assert_eq!(unit.valid.val(), warp.contains(|c| c != '-'));
            assert_eq!([warp.as_str()], seen[..], "{inputs:?}");
            tick!(unit);
        }
    }

    /// Rows with a thread in this lane.
    fn column(home_warps: &[&str], lane: usize) -> usize {
        home_warps
            .iter()
            .enumerate()
            .map(|(home_warp, threads)| ((threads.as_bytes()[lane] != b'-') as usize) << home_warp)
            .sum()
    }

    fn thread(unit: &WarpCompactionUnit, names: &[Vec<char>], lane: usize) -> char {
        let home_warp = unit.home_warps[lane].val().index();
        if unit.lanes.val().get_bit(lane) { names[home_warp][lane] } else { '-' }
    }

    /// Rhu 2014, Fig 4.1: path C is as long as before, path B shrinks from two warps to one.
    #[test]
    fn the_two_paths_of_rhu_fig_4_1() {
        run(
            true,
            "load 0123 456- 89-B | 0123
             step                | 0123
             hold                | 456B | no slot is free
             step                | 456B
             step                | 89--
             take ---- ---7 --A- | --A7
             hold                | ----",
        );
    }

    /// Fung & Aamodt 2011, Fig 7: threads 1 to 8 in two warps; C takes one warp, B two, and D is both home warps again.
    #[test]
    fn the_blocks_of_fung_fig_7() {
        run(
            true,
            "take 1--- -67- | 167-
             take -234 5--8 | 5234
             step           | ---8
             take 1234 5678 | 1234
             step           | 5678",
        );
    }

    #[test]
    fn static_warps_keep_their_threads() {
        run(
            false,
            "take ---- ---7 --A- | ---7
             step                | --A-
             load 0123 456- 89-B | 0123
             step                | 0123
             step                | 456-
             step                | 89-B",
        );
    }

    #[test]
    fn an_entry_of_one_warp_follows_another_without_a_gap() {
        run(
            true,
            "take 0--- ---- ---- | 0---
             take -1-- ---- ---- | -1--
             hold                | ----",
        );
    }
}
