//! Permutations of lanes.
use serde::{Deserialize, Serialize};

/// Which physical lane runs a thread, from its lane and its warp's number in the CTA: Rhu 2014, 4.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Permutation {
    /// Its own.
    None,
    /// XOR with half the warp number; odd warps with the complement of their even partner's.
    Balanced,
    /// Odd warps swap neighbours.
    OddEven,
    /// Odd warps run in reverse.
    FlipOdd,
    /// Odd warps rotate by one.
    RotateOdd,
    /// Odd warps swap halves.
    SwapHalves,
    /// XOR with the warp number.
    WarpNumber,
    /// XOR with the bits of the warp number in reverse.
    ReversedWarpNumber,
    /// A fixed random permutation for each warp.
    Random,
}

impl Permutation {
    /// All of them; the first permutes nothing, the second is what is meant when none is named.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Balanced,
        Self::OddEven,
        Self::FlipOdd,
        Self::RotateOdd,
        Self::SwapHalves,
        Self::WarpNumber,
        Self::ReversedWarpNumber,
        Self::Random,
    ];

    /// Those that permute.
    pub fn named() -> impl Iterator<Item = (&'static str, Self)> {
        Self::ALL.into_iter().filter_map(|permutation| Some((permutation.name()?, permutation)))
    }

    /// As in `slp=wid`; the papers' names, as far as they have one. None of what permutes nothing.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::None => return None,
            Self::Balanced => "balanced",
            Self::OddEven => "odd_even",
            Self::FlipOdd => "flip_odd",
            Self::RotateOdd => "rotate_odd",
            Self::SwapHalves => "swap_halves",
            Self::WarpNumber => "wid",
            Self::ReversedWarpNumber => "rev_wid",
            Self::Random => "random",
        })
    }
}
