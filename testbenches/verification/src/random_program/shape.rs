//! What a program is launched with.
use serde::{Deserialize, Serialize};
use warploom_hdl::config::{CoreConfig, Permutation};

use super::Choices;

/// A grid; the program may depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// CTAs in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z.
    pub block: [u32; 3],
    /// Words of shared memory of a CTA beyond one a thread: fewer CTAs find room at once.
    pub spare_words: u32,
    /// Threads run in other lanes than their own, so that nobody knows which bit of a ballot is whose.
    #[serde(default)]
    pub permuted: bool,
    /// The core has floats.
    #[serde(default)]
    pub floats: bool,
    /// It has warp instructions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warp_instructions: bool,
    /// And all lanes of a warp are always of its own threads, so that those in which they act together do not trap.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acts_together: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            grid: [1, 1, 1],
            block: [1, 1, 1],
            spare_words: 0,
            permuted: false,
            floats: false,
            warp_instructions: false,
            acts_together: false,
        }
    }
}

impl Shape {
    /// Any that fits the core: of one dimension, two or three, full warps once in six times, often more CTAs than slots.
    pub fn draw(choices: &mut Choices, config: &CoreConfig) -> Self {
        let warps = if choices.below(4) == 0 { config.warps } else { config.warps.min(8) };
        let most = (config.lanes * warps) as u32;
        let block = match choices.below(6) {
            0..=2 => [1 + choices.below(most), 1, 1],
            3 => {
                let several = 1 + choices.below(warps as u32);
                [choices.of(&[1, several]) * config.lanes as u32, 1, 1]
            }
            4 => {
                let y = 1 + choices.below(6.min(most));
                [1 + choices.below(most / y), y, 1]
            }
            _ => {
                let (z, y) = (1 + choices.below(2), 1 + choices.below(2));
                [1 + choices.below(most / (z * y)), y, z]
            }
        };
        let threads: u32 = block.iter().product();
        let grid = match choices.below(4) {
            _ if threads > 256 => [1 + choices.below(2), 1, 1],
            0 | 1 => [1 + choices.below(6), 1, 1],
            2 => [1 + choices.below(3), 1 + choices.below(3), 1],
            _ => [1 + choices.below(2), 1 + choices.below(2), 1 + choices.below(3)],
        };
        let room = (config.shared_bytes as u32 / 4).saturating_sub(threads);
        let spare_words = if choices.below(2) == 1 && room > 0 { 1 + choices.below(room) } else { 0 };
        Self {
            grid,
            block,
            spare_words,
            permuted: config.permutation != Permutation::None,
            floats: config.floats,
            warp_instructions: config.warp_instructions,
            acts_together: config.warp_instructions && !config.compacts(),
        }
    }

    /// Threads of a CTA.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Threads of the grid.
    pub fn all_threads(&self) -> u32 {
        self.threads() * self.ctas()
    }

    /// CTAs of the grid.
    pub fn ctas(&self) -> u32 {
        self.grid.iter().product()
    }

    /// Words of shared memory that a CTA needs.
    pub fn shared_words(&self) -> usize {
        (self.threads() + self.spare_words) as usize
    }
}
