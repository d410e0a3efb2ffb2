//! A fixed random permutation of the lanes for each of 32 warp numbers: [`Permutation::Random`](crate::config::Permutation::Random).
//!
//! ```text
//!                   +-------------------+
//!          warp --->| RandomPermutation |---> physical
//!          lane --->|   a fixed table   |
//!                   +-------------------+
//! ```
//!
//! | port | width | meaning |
//! |---|---|---|
//! | `warp` | r | number of the warp in its CTA, modulo 32 |
//! | `lane` | l | lane of the thread in its warp |
//! | `physical` | l | where it runs |
//!
//! Latency 0. A table of constants, log2 L bits for each warp number and lane: a yardstick for the other permutations, not a
//! proposal. Rhu 2014, 4.3.
use crate::prelude::*;

/// Warp numbers with a permutation of their own; it repeats after them.
const WARPS: usize = 32;

/// The permutation of a warp: where each of its lanes runs.
///
/// Fisher-Yates from the last lane down, each time with the next number of a SplitMix64 generator that starts at the warp number
/// modulo 32, by its high half times the number of lanes left.
pub fn random_permutation(warp: usize, lanes: usize) -> Vec<usize> {
    let mut state = (warp % WARPS) as u64;
    let mut permutation: Vec<usize> = (0..lanes).collect();
    for last in (1..lanes).rev() {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let number = (mixed ^ (mixed >> 31)) >> 32;
        permutation.swap(last, ((number * (last as u64 + 1)) >> 32) as usize);
    }
    permutation
}

module! {
    /// See the [module documentation](self).
    pub struct RandomPermutation {
        pub warp: Net<In> = index_width(rows),
        pub lane: Net<In> = width,
        pub physical: Net<Out> = width,

        /// {warp, lane}
        entries: Vec<Constant> = table.map(|physical| Constant::new(physical as u64, width)).collect(),
        chosen: IndexedMux = IndexedMux::new(width, rows * lanes) => { inputs: entries, selected: physical },
        lane_shift: Constant = Constant::new(width as u64, 6),
    }
    sizes { _index_width = index_width(rows * lanes) }
    /// For CTAs of up to `warps` warps of `lanes` lanes, a power of two.
    pub fn new(warps: usize, lanes: usize) {
        let (rows, width) = (warps.min(WARPS), index_width(lanes));
        let table = (0..rows).flat_map(|warp| random_permutation(warp, lanes));
    }
}

impl Logic for RandomPermutation {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module RandomPermutation");
        self.chosen.index.next = (bit_cast_to(self.warp.val(), self._index_width) << self.lane_shift.val())
            | bit_cast_to(self.lane.val(), self._index_width);
    }
}
