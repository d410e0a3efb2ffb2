//! How many warps compaction makes of an entry: what the adequacy of compaction is judged by.
//!
//! ```text
//!                      +--------------------------------------------------+
//!  load, members[L] -->|--> Popcount x L --> counts --> thermometers --+  |
//!                      |                       |      maximum <-- or --+  |---> compacted_warps
//!                      |                       +--------------------------|---> counts[L]
//!                      +--------------------------------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `load` | 1 | takes a new set of threads at the edge |
//! | `members[L]` | W | all threads of the entry by home lane, those in warps that run ahead included, a bit per home warp |
//! | `compacted_warps` | w+1 | warps that they would fill: the most threads any lane has; valid in the cycle after `load` |
//! | `counts[L]` | w+1 | threads by lane; valid in the cycle after `load` |
//!
//! Latency 1. State: a count per lane. Rhu 2014, 4.2.
//!
//! The maximum is taken on thermometer codes: their OR is the thermometer of the largest, and its lowest zero is the number. That is an
//! OR tree and an encoder instead of a tree of comparators.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct AdequacyEvaluator: clock {
        pub load: Signal<In, Bit>,
        pub members: Vec<Net<In>> = Net::vec(lanes, warps),
        pub compacted_warps: Net<Out> = count,
        pub counts: Vec<Net<Out>> = Net::vec(lanes, count),

        counters: Vec<Popcount> = (0..lanes).map(|_| Popcount::new(warps)).collect() => |lane| { value: members[lane] },
        counted: Vec<Flop> = (0..lanes).map(|_| Flop::new(count)).collect() => |lane| { q: counts[lane] },
        all_home_warps: Constant = Constant::new(mask(warps), warps),
        /// As many as home warps.
        most: Constant = Constant::new(warps as u64, count),
        thermometer: Net<Local> = warps,
        maximum: PriorityEncoder = PriorityEncoder::new(warps),
    }
    sizes { _count = count }
    /// For `warps` home warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let count = index_width(warps + 1);
    }
}

impl Logic for AdequacyEvaluator {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AdequacyEvaluator");
        self.thermometer.next = 0.into();
        for lane in 0..self.counters.len() {
            self.counted[lane].d.next = self.counted[lane].q.val();
            if self.load.val() {
                self.counted[lane].d.next = self.counters[lane].count.val();
            }
            self.thermometer.next = self.thermometer.val() | !(self.all_home_warps.val() << self.counted[lane].q.val());
        }
        self.maximum.request.next = !self.thermometer.val();
        self.compacted_warps.next = self.most.val();
        if self.maximum.any.val() {
            self.compacted_warps.next = bit_cast_to(self.maximum.index.val(), self._count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(members: [usize; 4], warps: usize) -> (usize, [usize; 4]) {
        let mut unit = AdequacyEvaluator::new(4, warps);
        unit.connect_all();
        for (port, home_warps) in unit.members.iter_mut().zip(members) {
            port.next = home_warps.into();
        }
        unit.load.next = true;
        simulate(&mut unit, 1000);
        tick!(unit);
        unit.load.next = false;
        unit.members.iter_mut().for_each(|port| port.next = 0.into());
        simulate(&mut unit, 1000);
        let counts = std::array::from_fn(|lane| unit.counts[lane].val().index());
        (unit.compacted_warps.val().index(), counts)
    }

    /// Rhu 2014, Fig 4.1, 0123 456- 89-B and ---- ---7 --A-: path B shrinks from two warps to one, path C stays as long. And Fig 4.9:
    /// with W0, which has gone ahead, lane 0 of `0123 4--7 89--` has three threads, so nothing is saved.
    #[test]
    fn the_paths_of_rhu_figs_4_1_and_4_9() {
        assert_eq!(evaluate([0b111, 0b111, 0b011, 0b101], 3), (3, [3, 3, 2, 2]));
        assert_eq!(evaluate([0, 0, 0b100, 0b010], 3), (1, [0, 0, 1, 1]));
        assert_eq!(evaluate([0b111, 0b101, 0b001, 0b011], 3), (3, [3, 2, 1, 2]));
        assert_eq!(evaluate([0b110, 0b100, 0, 0b010], 3), (2, [2, 1, 0, 1]));
    }

    #[test]
    fn the_longest_lane_counts_wherever_it_is() {
        for lane in 0..4 {
            for home_warps in 0..=4 {
                let mut members = [0b1000; 4];
                members[lane] = 0b1111 >> (4 - home_warps);
                let counts = members.map(|home_warps: usize| home_warps.count_ones() as usize);
                assert_eq!(evaluate(members, 4), (home_warps.max(1), counts), "lane {lane}");
            }
        }
    }

    #[test]
    fn none_and_all() {
        assert_eq!(evaluate([0; 4], 32), (0, [0; 4]));
        assert_eq!(evaluate([0xffff_ffff, 0, 1, 0xf0], 32), (32, [32, 0, 1, 4]));
    }
}
