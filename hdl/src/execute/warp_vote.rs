//! What the lanes of a warp instruction do together: who votes, how many, and how many below each lane.
//!
//! ```text
//!   rs1[L], rs2[L] --> who votes ---+---> storing
//!             mask -----^           |
//!                               LanePrefix --> x size ----> offset[L]
//!                                   +------> << shift ----> addend
//!   home_warps[L], mask ------> ForeignLanes -------------> foreign
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `controls_*` | | the instruction, as [`DecodeWarp`](super::DecodeWarp) says |
//! | `mask` | L | active lanes |
//! | `home_warps[R]` | w | of their threads |
//! | `rs1[L]`, `rs2[L]` | 32 | their registers |
//! | `storing` | L | `cond_acc`: lanes that store |
//! | `offset[L]` | 32 | the same: where, from the lane's own base, in bytes |
//! | `addend` | 32 | number of votes, shifted: what `cond_acc` writes, and what `tree_traverse` adds to the base |
//! | `foreign` | L | lanes for which the instruction traps, see [`ForeignLanes`]; none where warps are always of their own threads |
//!
//! Latency 0, no state. A lane votes in a `cond_acc` if bit 0 of `rs1` is set, and in a `tree_traverse` if `rs2` is not zero. Places are by physical lane.
use super::operation::WarpControls;
use super::{ForeignLanes, LanePrefix};
use crate::prelude::*;

module! {
    /// See the [module documentation](self).
    pub struct WarpVote {
        pub controls: WarpControls<In> = WarpControls::new(),
        pub mask: Net<In> = lanes,
        pub home_warps: Vec<Net<In>> = Net::vec(config.home_warps(), config.warp_width()),
        pub rs1: Vec<Net<In>> = Net::vec(lanes, 32),
        pub rs2: Vec<Net<In>> = Net::vec(lanes, 32),
        pub storing: Net<Out> = lanes,
        pub offset: Vec<Net<Out>> = Net::vec(lanes, 32),
        pub addend: Net<Out> = 32,
        pub foreign: Net<Out> = lanes,

        voters: Net<Local> = lanes,
        /// Votes below the lane in turn.
        votes_below: Net<Local> = 32,
        place: Net<Local> = config.lane_width(),
        prefix: LanePrefix = LanePrefix::new(lanes) => { value: voters },
        /// One where warps are of threads of several home warps.
        strangers: Vec<ForeignLanes> = (0..config.compacts() as usize).map(|_| ForeignLanes::new(lanes, config.warp_width())).collect() => |p| {
            mask, home_warps,
        },
    }
    /// For the lanes of a core.
    pub fn new(config: &CoreConfig) {
        let lanes = config.lanes;
    }
}

impl Logic for WarpVote {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module WarpVote");
        self.voters.next = 0.into();
        for lane in 0..self.rs1.len() {
            if self.controls.accumulates.val() {
                self.voters.next = self.voters.val().replace_bit(lane, self.rs1[lane].val().get_bit(0));
            } else {
                self.voters.next = self.voters.val().replace_bit(lane, self.rs2[lane].val().any());
            }
        }
        self.voters.next = self.voters.val() & self.mask.val();
        self.storing.next = self.voters.val();
        self.addend.next = bit_cast_to(self.prefix.total.val(), 32) << self.controls.shift.val();
        for lane in 0..self.offset.len() {
            self.place.next = self.prefix.below[lane].val();
            self.votes_below.next = bit_cast_to(self.place.val(), 32);
            self.offset[lane].next = self.votes_below.val() << 1;
            if self.controls.words.val() {
                self.offset[lane].next = self.votes_below.val() << 2;
            }
        }
        self.foreign.next = 0.into();
        for p in 0..self.strangers.len() {
            if self.controls.accumulates.val() | self.controls.traverses.val() {
                self.foreign.next = self.strangers[p].foreign.val();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Mechanism;

    fn vote(config: &CoreConfig, mask: usize, rs1: &[usize], rs2: &[usize]) -> WarpVote {
        let mut unit = WarpVote::new(config);
        unit.connect_all();
        unit.mask.next = mask.into();
        for lane in 0..config.lanes {
            unit.rs1[lane].next = rs1[lane].into();
            unit.rs2[lane].next = rs2[lane].into();
        }
        unit
    }

    fn offsets(unit: &WarpVote) -> Vec<usize> {
        unit.offset.iter().map(|offset| offset.val().index()).collect()
    }

    /// Narasiman's warp of eight lanes, five of which store.
    #[test]
    fn places_by_lane() {
        let config = CoreConfig { lanes: 8, ..CoreConfig::tiny() };
        let mut unit = vote(&config, 0xff, &[1, 3, 0, 9, 2, 1, 1, 4], &[0; 8]);
        unit.controls.accumulates.next = true;
        unit.controls.words.next = true;
        simulate(&mut unit, 100);
        assert_eq!((unit.storing.val().index(), unit.addend.val().index()), (0b0110_1011, 5));
        assert_eq!(offsets(&unit), [0, 4, 8, 8, 12, 12, 16, 20]);
        unit.controls.words.next = false;
        unit.mask.next = 0b1111_1101.into();
        simulate(&mut unit, 100);
        assert_eq!((unit.storing.val().index(), unit.addend.val().index()), (0b0110_1001, 4));
        assert_eq!(offsets(&unit), [0, 2, 2, 2, 4, 4, 6, 8], "who is not active does not count");
    }

    #[test]
    fn votes_of_a_traversal_are_shifted() {
        let mut unit = vote(&CoreConfig::tiny(), 0b0111, &[1; 4], &[7, 0, 0x8000_0000, 1]);
        unit.controls.traverses.next = true;
        for (shift, addend) in [(0, 2), (5, 64), (30, 0x8000_0000), (31, 0)] {
            unit.controls.shift.next = shift.into();
            simulate(&mut unit, 100);
            assert_eq!(unit.addend.val(), addend, "{shift}");
        }
    }

    #[test]
    fn other_instructions_may_have_strangers() {
        let config = CoreConfig { mechanism: Mechanism::Tbc, ..CoreConfig::tiny() };
        let mut unit = vote(&config, 0b1110, &[0; 4], &[0; 4]);
        unit.home_warps[3].next = 2.into();
        simulate(&mut unit, 100);
        assert_eq!(unit.foreign.val(), 0);
        unit.controls.traverses.next = true;
        simulate(&mut unit, 100);
        assert_eq!(unit.foreign.val(), 0b1000);
    }
}
