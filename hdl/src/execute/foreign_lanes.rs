//! Which lanes have a thread of another home warp than the lowest active one.
//!
//! ```text
//!                    +--------------+
//!          mask ---->| ForeignLanes |---> foreign
//!  home_warps[L] --->|              |
//!                    +--------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `mask` | L | active lanes |
//! | `home_warps[L]` | w | of their threads |
//! | `foreign` | L | active lanes whose home warp is not that of the lowest active lane |
//!
//! Latency 0. What lanes do together, by their places, means something only among the threads of one warp.
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct ForeignLanes {
        pub mask: Net<In> = lanes,
        pub home_warps: Vec<Net<In>> = Net::vec(lanes, warp),
        pub foreign: Net<Out> = lanes,

        lowest: PriorityEncoder = PriorityEncoder::new(lanes) => { request: mask },
        /// Of the lowest active lane.
        home_warp: Net<Local> = warp,
    }
    /// For so many lanes, and numbers of warps of `warp` bits.
    pub fn new(lanes: usize, warp: usize) {}
}

impl Logic for ForeignLanes {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module ForeignLanes");
        self.home_warp.next = self.home_warps[0].val();
        for lane in 0..self.home_warps.len() {
            if self.lowest.one_hot.val().get_bit(lane) {
                self.home_warp.next = self.home_warps[lane].val();
            }
        }
        self.foreign.next = 0.into();
        for lane in 0..self.home_warps.len() {
            self.foreign.next = self.foreign.val().replace_bit(
                lane,
                self.mask.val().get_bit(lane) & (self.home_warps[lane].val() != self.home_warp.val()),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `mask  home warps  foreign`; lane 0 first.
    const CASES: &str = "
        1111 2222 0000
        1111 2232 0010
        1111 1222 0111   all but the lowest
        0111 1222 0000   who is not active does not count,
        0111 2122 0011   but for the lowest of those who are
        0101 3132 0001
        0010 0123 0000
        0000 0123 0000";

    #[test]
    fn the_lowest_active_lane_says_whose_warp_it_is() {
        let mut unit = ForeignLanes::new(4, 2);
        unit.connect_all();
        for line in CASES.trim().lines().map(str::trim) {
            let field: Vec<&str> = line.split_whitespace().collect();
            let bits = |text: &str| usize::from_str_radix(&text.chars().rev().collect::<String>(), 2).unwrap();
            unit.mask.next = bits(field[0]).into();
            for (port, warp) in unit.home_warps.iter_mut().zip(field[1].bytes()) {
                port.next = ((warp - b'0') as usize).into();
            }
            simulate(&mut unit, 100);
            assert_eq!(unit.foreign.val(), bits(field[2]), "{line}");
        }
    }
}
