//! How many warps an entry's threads would fill if they could change lanes: what no compaction can beat. Only counted, never acted on.
//!
//! ```text
//!                +------------------------+
//!  counts[L] --->| sum, divided by L, up  |---> warps
//!                +------------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `counts[L]` | w+1 | threads by home lane; some lane has one |
//! | `warps` | w+1 | the least number of warps that holds them |
//!
//! Latency 0. Rhu 2014, 4.3 (the ideal that SLP is measured by).
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct IdealWarps {
        pub counts: Vec<Net<In>> = Net::vec(lanes, count),
        pub warps: Net<Out> = count,

        lane_bits: Constant = Constant::new(lanes.ilog2() as u64, 3),
        term: Net<Local> = count,
        sum: Net<Local> = sum,
    }
    sizes { _sum = sum, _count = count }
    /// For `warps` home warps of `lanes` threads.
    pub fn new(lanes: usize, warps: usize) {
        let (count, sum) = (index_width(warps + 1), index_width(lanes * warps + 1));
    }
}

impl Logic for IdealWarps {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module IdealWarps");
        self.sum.next = 0.into();
        for lane in 0..self.counts.len() {
            self.term.next = self.counts[lane].val();
            self.sum.next = self.sum.val() + bit_cast_to(self.term.val(), self._sum);
        }
        self.warps.next = bit_cast_to((self.sum.val() - 1) >> self.lane_bits.val(), self._count) + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_that_is_not_full_counts() {
        for home_warps in [3, 4] {
            let mut unit = IdealWarps::new(4, home_warps);
            unit.connect_all();
            for (counts, warps) in [([1, 0, 0, 0], 1), ([1, 1, 1, 1], 1), ([2, 2, 1, 0], 2), ([3, 3, 3, 3], 3)] {
                for (port, count) in unit.counts.iter_mut().zip(counts) {
                    port.next = usize::into(count);
                }
                simulate(&mut unit, 1000);
                assert_eq!(unit.warps.val().index(), warps, "{counts:?} of {home_warps}");
            }
        }
    }
}
