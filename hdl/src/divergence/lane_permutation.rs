//! SIMD lane permutation: which physical lane runs a thread.
//!
//! ```text
//!                       +-----------------+
//!  warp_in_cta -------->|  XOR, adder,    |
//!  lane --------------->|  or table       |---> physical
//!  enable ------------->|                 |
//!                       +-----------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp_in_cta` | w | number of the thread's warp in its CTA |
//! | `lane` | l | logical lane: the thread's number in its CTA modulo L |
//! | `enable` | 1 | permute; otherwise `physical` is `lane` |
//! | `physical` | l | where it runs |
//!
//! Latency 0. Threads keep to one physical lane, so a compacted warp takes at most one thread from each; where the same logical lanes
//! are active in all warps, as in code that branches on the thread's number, nothing compacts unless their physical lanes differ.
//!
//! All kinds but two are an XOR with a mask that depends on the warp number; bit *b* of the mask is the parity of some bits of
//! that number (`selects[b]`), so each is a handful of gates:
//!
//! | kind | bit *b* of the mask, of l bits | even / odd warps |
//! |---|---|---|
//! | `Balanced` | number\[b + 1\] ^ number\[0\], the last one number\[0\] | half the number / the complement of the even partner's |
//! | `OddEven` | bit 0: number\[0\] | - / swap neighbours |
//! | `FlipOdd` | number\[0\] | - / reverse |
//! | `SwapHalves` | last: number\[0\] | - / swap halves |
//! | `WarpNumber` | number\[b\] | the number |
//! | `ReversedWarpNumber` | number\[l - 1 - b\] | its bits in reverse |
//!
//! `RotateOdd` adds one in odd warps; `Random` is a table ([`RandomPermutation`]). All repeat after L warps (`Random`: 32).
//! Rhu 2014, 4.3 and Fig 4.19.
use super::{RandomPermutation, random_permutation};
use crate::config::Permutation;
use crate::prelude::*;

/// The physical lane of a thread, from its lane and the number of its warp in the CTA, on a core of `lanes` lanes.
pub fn physical_lane(kind: Permutation, warp: usize, lane: usize, lanes: usize) -> usize {
    let (odd, number, last) = (warp % 2 == 1, warp % lanes, lanes - 1);
    match kind {
        Permutation::Balanced if odd => lane ^ (number / 2) ^ last,
        Permutation::Balanced => lane ^ (number / 2),
        Permutation::OddEven if odd => lane ^ 1,
        Permutation::FlipOdd if odd => last - lane,
        Permutation::RotateOdd if odd => (lane + 1) % lanes,
        Permutation::SwapHalves if odd => (lane + lanes / 2) % lanes,
        Permutation::None
        | Permutation::OddEven
        | Permutation::FlipOdd
        | Permutation::RotateOdd
        | Permutation::SwapHalves => lane,
        Permutation::WarpNumber => lane ^ number,
        Permutation::ReversedWarpNumber => lane ^ (number.reverse_bits() >> (usize::BITS - lanes.ilog2())),
        Permutation::Random => random_permutation(warp, lanes)[lane],
    }
}

/// The bits of the warp number whose parity is bit `bit` of the XOR mask of a kind that has one.
fn select(kind: Permutation, bit: usize, lane_width: usize) -> Option<u64> {
    let (odd, last) = (1, lane_width - 1);
    Some(match kind {
        Permutation::Balanced if bit == last => odd,
        Permutation::Balanced => odd | 1 << (bit + 1),
        Permutation::OddEven => odd * (bit == 0) as u64,
        Permutation::FlipOdd => odd,
        Permutation::SwapHalves => odd * (bit == last) as u64,
        Permutation::WarpNumber => 1 << bit,
        Permutation::ReversedWarpNumber => 1 << (last - bit),
        Permutation::None | Permutation::RotateOdd | Permutation::Random => return None,
    })
}

module! {
    /// See the [module documentation](self).
    pub struct LanePermutation {
        pub warp_in_cta: Net<In> = warp,
        pub lane: Net<In> = width,
        pub enable: Signal<In, Bit>,
        pub physical: Net<Out> = width,

        /// XOR kinds: which bits of the warp number make a bit of the mask; otherwise none.
        selects: Vec<Constant> = (0..width).filter_map(|b| select(kind, b, width)).map(|s| Constant::new(s, number)).collect(),
        /// `RotateOdd`: one, or none.
        rotated: Vec<Net<Local>> = Net::vec((kind == Permutation::RotateOdd) as usize, width),
        /// `Random`: one, or none.
        random: Vec<RandomPermutation> = random.into_iter().collect() => |r| { lane },
        number: Net<Local> = number,
        mask: Net<Local> = width,
        permuted: Net<Local> = width,
    }
    sizes { _width = width, _number_width = number, _random_width = random_width }
    /// For CTAs of up to `warps` warps of `lanes` lanes, a power of two.
    pub fn new(kind: Permutation, warps: usize, lanes: usize) {
        let (warp, width) = (index_width(warps), index_width(lanes));
        let number = warp.max(width);
        let random = (kind == Permutation::Random).then(|| RandomPermutation::new(warps, lanes));
        let random_width = random.as_ref().map_or(1, |random| random.warp.width());
    }
}

impl Logic for LanePermutation {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LanePermutation");
        self.number.next = bit_cast_to(self.warp_in_cta.val(), self._number_width);
        self.mask.next = 0.into();
        for b in 0..self.selects.len() {
            self.mask.next = self.mask.val().replace_bit(b, (self.number.val() & self.selects[b].val()).xor());
        }
        self.permuted.next = self.lane.val() ^ self.mask.val();
        for r in 0..self.rotated.len() {
            self.rotated[r].next = self.lane.val() + bit_cast_to(self.warp_in_cta.val().get_bit(0), self._width);
            self.permuted.next = self.rotated[r].val();
        }
        for r in 0..self.random.len() {
            self.random[r].warp.next = bit_cast_to(self.warp_in_cta.val(), self._random_width);
            self.permuted.next = self.random[r].physical.val();
        }
        self.physical.next = self.lane.val();
        if self.enable.val() {
            self.physical.next = self.permuted.val();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Permutation; 9] = [
        Permutation::None,
        Permutation::Balanced,
        Permutation::OddEven,
        Permutation::FlipOdd,
        Permutation::RotateOdd,
        Permutation::SwapHalves,
        Permutation::WarpNumber,
        Permutation::ReversedWarpNumber,
        Permutation::Random,
    ];

    #[test]
    fn the_hardware_is_the_function() {
        for kind in KINDS {
            for (warps, lanes) in [(4, 4), (3, 8), (16, 8), (8, 32), (32, 32), (48, 16), (48, 32)] {
                let mut permutation = LanePermutation::new(kind, warps, lanes);
                permutation.connect_all();
                for warp in 0..warps {
                    for lane in 0..lanes {
                        permutation.warp_in_cta.next = warp.into();
                        permutation.lane.next = lane.into();
                        for (enable, expected) in [(false, lane), (true, physical_lane(kind, warp, lane, lanes))] {
                            permutation.enable.next = enable;
                            simulate(&mut permutation, 100);
                            assert_eq!(
                                permutation.physical.val().index(),
                                expected,
                                "{kind:?}, warp {warp} of {warps}, lane {lane} of {lanes}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn every_warp_has_a_permutation() {
        for kind in KINDS {
            for lanes in [4, 8, 16, 32] {
                for warp in 0..48 {
                    let taken =
                        (0..lanes).fold(0u64, |taken, lane| taken | 1 << physical_lane(kind, warp, lane, lanes));
                    assert_eq!(taken, mask(lanes), "{kind:?}, warp {warp}, {lanes} lanes");
                }
            }
        }
    }

    #[test]
    fn balanced_masks() {
        let masks: Vec<String> =
            (0..8).map(|warp| format!("{:03b}", physical_lane(Permutation::Balanced, warp, 0, 8))).collect();
        assert_eq!(masks, ["000", "111", "001", "110", "010", "101", "011", "100"]);
    }

    /// Four warps of eight threads `0..V` by physical lane; inactive ones are `-`.
    fn rows(kind: Permutation, active: fn(usize) -> bool) -> [String; 4] {
        std::array::from_fn(|warp| {
            let mut row = vec![b'-'; 8];
            for lane in (0..8).filter(|&lane| active(lane)) {
                row[physical_lane(kind, warp, lane, 8)] = b"0123456789ABCDEFGHIJKLMNOPQRSTUV"[8 * warp + lane];
            }
            String::from_utf8(row).unwrap()
        })
    }

    /// Warps after compaction: the most threads in a lane.
    fn compacted(rows: &[String; 4]) -> usize {
        (0..8).map(|lane| rows.iter().filter(|row| row.as_bytes()[lane] != b'-').count()).max().unwrap()
    }

    /// Rhu 2014, Fig 4.19: in the first program even threads are active, in the second the first half of each warp.
    #[test]
    fn threads_of_four_warps() {
        let even = |lane: usize| lane.is_multiple_of(2);
        let half = |lane: usize| lane < 4;
        let balanced = rows(Permutation::Balanced, even);
        assert_eq!(balanced, ["0-2-4-6-", "-E-C-A-8", "-G-I-K-M", "U-S-Q-O-"]);
        assert_eq!(compacted(&balanced), 2);
        let balanced = rows(Permutation::Balanced, half);
        assert_eq!(balanced, ["0123----", "----BA98", "HGJI----", "----QROP"]);
        assert_eq!(compacted(&balanced), 2);
        for (kind, of_even, of_half) in [
            (Permutation::None, 4, 4),
            (Permutation::OddEven, 2, 4),
            (Permutation::FlipOdd, 2, 2),
            (Permutation::SwapHalves, 4, 2),
            (Permutation::ReversedWarpNumber, 4, 2),
        ] {
            assert_eq!((compacted(&rows(kind, even)), compacted(&rows(kind, half))), (of_even, of_half), "{kind:?}");
        }
    }
}
