//! The warp compaction unit: packs the threads of a stack entry into warps, one warp a cycle.
//!
//! ```text
//!                      +---------------------------------------+
//!  load, threads[L] -->|--> CompactionLane x L ----------------|---> rows[L], lanes, valid
//!  compact ----------->|      ^ rows of all lanes: the lowest  |
//!  step -------------->|      +--------------------------------|---> last
//!                      |                                       |
//!  members[L] -------->|      +--> counts --> maximum ---------|---> compacted_warps
//!                      |                 --> sum --------------|---> member_count
//!                      +---------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load` | 1 | takes a new set of threads at the edge |
//! | `threads[L]` | W | the threads to place, by home lane, a bit per row |
//! | `members[L]` | W | all threads of the entry, those in warps that run ahead included |
//! | `compact` | 1 | each lane picks a row of its own; else all lanes the same (static warps) |
//! | `step` | 1 | the warp offered is taken |
//! | `valid`, `lanes`, `rows[L]` | 1, L, w | the warp offered: its lanes, and the row of the thread in each |
//! | `last` | 1 | no thread remains after it |
//! | `compacted_warps` | w+1 | warps that `members` would fill: the most threads any lane has; valid in the cycle after `load` |
//! | `member_count` | n | threads of `members`; valid in the cycle after `load` |
//!
//! Latency 1 from `load` to the first warp. State: L x W pending bits and a thread count per lane.
//! A thread never leaves its home lane, so the register file keeps one address decoder per lane.
//! Fung & Aamodt 2011, 3.3 and Fig 8; the counts feed the adequacy predictor of Rhu 2014, 4.2.
//!
//! The maximum is taken on thermometer codes: their OR is the thermometer of the largest, whose ones are then counted. That is one OR tree
//! instead of a tree of comparators.
use super::CompactionLane;
use crate::prelude::*;

/// See the [module documentation](self).
#[derive(LogicBlock)]
pub struct WarpCompactionUnit {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub load: Signal<In, Bit>,
    pub threads: Vec<Net<In>>,
    pub members: Vec<Net<In>>,
    pub compact: Signal<In, Bit>,
    pub step: Signal<In, Bit>,
    pub valid: Signal<Out, Bit>,
    pub lanes: Net<Out>,
    pub rows: Vec<Net<Out>>,
    pub last: Signal<Out, Bit>,
    pub compacted_warps: Net<Out>,
    pub member_count: Net<Out>,

    picks: Vec<CompactionLane>,
    all_rows: Constant,
    /// Rows with a pending thread in some lane.
    occupied: Net<Local>,
    lowest: PriorityEncoder,
    remains: Net<Local>,
    thermometer: Net<Local>,
    maximum: Popcount,
    sum: Net<Local>,
}

impl WarpCompactionUnit {
    /// For `warps` rows of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) -> Self {
        let sum = index_width(lanes * warps + 1);
        Self {
            clock: Default::default(),
            reset: Default::default(),
            load: Default::default(),
            threads: Net::vec(lanes, warps),
            members: Net::vec(lanes, warps),
            compact: Default::default(),
            step: Default::default(),
            valid: Default::default(),
            lanes: Net::new(lanes),
            rows: Net::vec(lanes, index_width(warps)),
            last: Default::default(),
            compacted_warps: Net::new(index_width(warps + 1)),
            member_count: Net::new(sum),
            picks: (0..lanes).map(|_| CompactionLane::new(warps, sum)).collect(),
            all_rows: Constant::new(mask(warps), warps),
            occupied: Net::new(warps),
            lowest: PriorityEncoder::new(warps),
            remains: Net::new(lanes),
            thermometer: Net::new(warps),
            maximum: Popcount::new(warps),
            sum: Net::new(sum),
        }
    }
}

impl Logic for WarpCompactionUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpCompactionUnit");
        self.occupied.next = 0.into();
        for lane in 0..self.picks.len() {
            self.occupied.next = self.occupied.val() | self.picks[lane].pending_rows.val();
        }
        self.lowest.request.next = self.occupied.val();

        self.lanes.next = 0.into();
        self.remains.next = 0.into();
        for lane in 0..self.picks.len() {
            self.picks[lane].clock.next = self.clock.val();
            self.picks[lane].reset.next = self.reset.val();
            self.picks[lane].load.next = self.load.val();
            self.picks[lane].threads.next = self.threads[lane].val();
            self.picks[lane].choice.next = self.lowest.one_hot.val();
            self.picks[lane].own_choice.next = self.compact.val();
            self.picks[lane].step.next = self.step.val();
            self.rows[lane].next = self.picks[lane].row.val();
            self.lanes.next = self.lanes.val().replace_bit(lane, self.picks[lane].valid.val());
        }
        for lane in 0..self.picks.len() {
            self.remains.next = self.remains.val().replace_bit(lane, self.picks[lane].more.val());
        }
        self.valid.next = self.occupied.val().any();
        self.last.next = !self.remains.val().any();

        self.thermometer.next = 0.into();
        self.sum.next = 0.into();
        for lane in 0..self.picks.len() {
            self.picks[lane].members.next = self.members[lane].val();
            self.thermometer.next = self.thermometer.val() | !(self.all_rows.val() << self.picks[lane].count.val());
            self.sum.next = self.sum.val() + self.picks[lane].count.val();
        }
        self.maximum.value.next = self.thermometer.val();
        self.compacted_warps.next = self.maximum.count.val();
        self.member_count.next = self.sum.val();
    }
}

#[cfg(test)]
mod tests {
    use super::super::cycle_script::cycles;
    use super::*;

    /// `0123 4--7` is the threads of two rows, by lane; the unit is told to compact or not.
    ///
    /// One line a cycle: `load ROWS [of ROWS] | ...` loads threads (of the members of the entry), `step` takes the warp offered, `hold` does not.
    /// Seen are the warp, the warps that the members would fill, and how many they are. A thread has the letter it was loaded with.
    fn run(compact: bool, script: &str) {
        let mut unit = WarpCompactionUnit::new(4, 3);
        unit.connect_all();
        unit.compact.next = compact;
        simulate(&mut unit, 1000);
        let mut names: Vec<Vec<char>> = vec![vec!['-'; 4]; 3];
        for (inputs, seen) in cycles(script) {
            unit.load.next = inputs[0] == "load";
            unit.step.next = inputs[0] == "step";
            let loaded = (inputs.len() > 1).then(|| {
                let mut sets = inputs[1..].split(|word| *word == "of");
                let threads = sets.next().unwrap();
                let members = sets.next().unwrap_or(threads);
                for lane in 0..4 {
                    unit.threads[lane].next = column(threads, lane).into();
                    unit.members[lane].next = column(members, lane).into();
                }
                threads.iter().map(|row| row.chars().collect()).collect()
            });
            simulate(&mut unit, 1000);
            let mut warp: String = (0..4).map(|lane| thread(&unit, &names, lane)).collect();
            warp += if unit.valid.val() & unit.last.val() { " last" } else { "" };
            let counts = [&unit.compacted_warps, &unit.member_count].map(|count| count.val().index());
            assert_eq!(unit.valid.val(), warp.contains(|c| c != '-'));
            assert_eq!(format!("{warp} {} {}", counts[0], counts[1]), seen.join(" "), "{inputs:?}");
            tick!(unit);
            names = loaded.unwrap_or(names);
        }
    }

    /// Rows with a thread in this lane.
    fn column(rows: &[&str], lane: usize) -> usize {
        rows.iter().enumerate().map(|(row, threads)| ((threads.as_bytes()[lane] != b'-') as usize) << row).sum()
    }

    fn thread(unit: &WarpCompactionUnit, names: &[Vec<char>], lane: usize) -> char {
        let row = unit.rows[lane].val().index();
        if unit.lanes.val().get_bit(lane) { names[row][lane] } else { '-' }
    }

    /// Rhu 2014, Fig 4.1: path C is as long as before, path B shrinks from two warps to one.
    #[test]
    fn the_two_paths_of_rhu_fig_4_1() {
        run(
            true,
            "load 0123 456- 89-B | ----      0 0
             step                | 0123      3 10
             hold                | 456B      3 10 | no slot is free
             step                | 456B      3 10
             step                | 89-- last 3 10
             load ---- ---7 --A- | ----      3 10
             step                | --A7 last 1 2
             hold                | ----      1 2",
        );
    }

    /// Fung & Aamodt 2011, Fig 7: threads 1 to 8 in two warps; C takes one warp, B two, and D is both rows again.
    #[test]
    fn the_blocks_of_fung_fig_7() {
        run(
            true,
            "load 1--- -67- | ----      0 0
             step           | 167- last 1 3
             load -234 5--8 | ----      1 3
             step           | 5234      2 5
             step           | ---8 last 2 5
             load 1234 5678 | ----      2 5
             step           | 1234      2 8
             step           | 5678 last 2 8",
        );
    }

    /// Rhu 2014, Fig 4.9: W0 has gone ahead, the others compact to two warps; with W0 lane 0 has three threads, so nothing is saved.
    #[test]
    fn members_that_run_ahead_are_counted_not_placed() {
        run(
            true,
            "load ---- 4--7 89-- of 0123 4--7 89-- | ----      0 0
             step                                  | 49-7      3 8
             step                                  | 8--- last 3 8",
        );
    }

    #[test]
    fn static_warps_keep_their_threads() {
        run(
            false,
            "load ---- ---7 --A- | ----      0 0
             step                | ---7      1 2 | what compaction would make of it is counted all the same
             step                | --A- last 1 2
             load 0123 456- 89-B | ----      1 2
             step                | 0123      3 10
             step                | 456-      3 10
             step                | 89-B last 3 10",
        );
    }

    #[test]
    fn an_entry_of_one_warp_follows_another_without_a_gap() {
        run(
            true,
            "load 0--- ---- ---- | ----      0 0
             load -1-- ---- ---- | 0--- last 1 1 | the warp is offered for one cycle
             step                | -1-- last 1 1",
        );
    }
}
