//! The warp compaction unit: packs the threads of a stack entry into warps, one warp a cycle.
//!
//! ```text
//!                      +---------------------------------------+
//!  load, threads[L] -->|--> CompactionLane x L ----------------|---> rows[L], lanes, valid
//!  compact ----------->|      ^ rows of all lanes: the lowest  |
//!  step -------------->|      +--------------------------------|---> last
//!                      |                                       |
//!  members[L] -------->|      +--> counts --> maximum ---------|---> compacted_warps
//!                      |                --> sum -------------|---> member_count
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
