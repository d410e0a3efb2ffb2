//! Executable specification of the reconvergence mechanisms: what every warp executes, block by block, and what the stacks look like
//! in between. It has no timing; a testbench decides in which order the warps go on.
//!
//! - A [`Case`] is a program of basic blocks with a path of its own for every thread, random from [`generator`] or a worked
//!   example of the papers from [`golden`].
//! - [`Spe`]: a stack per warp. [`DualPath`]: the same with both sides of a branch in an entry. [`Subdivision`]: the same with warp-splits.
//!   [`Scs`]: the same, and threads take turns, for programs whose threads wait for one another ([`locks`]).
//!   [`IndependentThreads`]: a PC per thread.
//!   [`Cta`]: a stack per CTA with compaction (TBC, TBC+, CAPRI). [`CtaDualPath`]: the same with both sides of a branch in an entry.
//!   [`SubWarps`]: how large warps issue, whose stacks are those of [`Spe`]. [`DynamicWarps`]: no stack, warps of whoever is at the same block. All ask [`Threads`] whether every thread keeps to its path, whether
//!   barriers hold, and whether threads reconverge where they should.
//! - [`Coverage`] counts how often each rule has taken effect.
//!
//! A violation panics.
mod compaction;
mod coverage;
mod cta_dual_path;
mod dual_path;
mod dynamic_warps;
pub mod generator;
pub mod golden;
mod independent_threads;
mod lanes;
pub mod locks;
mod predictor;
mod program;
mod scs;
mod spe;
mod stack;
mod sub_warps;
mod subdivision;
#[cfg(test)]
mod tests;
mod threads;

pub use compaction::{Cta, Lesson, Options, Step, Warp};
pub use coverage::{Coverage, Rule};
pub use cta_dual_path::{CtaDualPath, PathOptions, PathWarp};
pub use dual_path::{Active, DualEntry, DualPath, DualStack, Path};
pub use dynamic_warps::{DynamicWarp, DynamicWarps, Formation, IssuePolicy};
#[cfg(test)]
use independent_threads::tests::run_groups;
pub use independent_threads::{Convergence, Group, IndependentThreads};
pub use lanes::Lanes;
pub use predictor::{Predictor, SharedPredictor};
pub use program::{Block, Case, Program, Terminator};
pub use scs::Scs;
#[cfg(test)]
use scs::tests::run_in_turns;
pub use spe::Spe;
pub use stack::{Entry, Stack};
pub use sub_warps::{Packing, SubWarps, large_warps};
#[cfg(test)]
use subdivision::tests::run_divided;
pub use subdivision::{DividedWarp, Split, Subdivision};
pub use threads::{Outcome, Threads};

/// All rules: those of every stack, then those of one model after the other.
pub fn rules() -> impl Iterator<Item = Rule> {
    let own = [
        dual_path::RULES,
        compaction::RULES,
        subdivision::RULES,
        cta_dual_path::RULES,
        scs::RULES,
        independent_threads::RULES,
        dynamic_warps::RULES,
        sub_warps::RULES,
    ];
    [coverage::RULES].into_iter().chain(own).flatten().copied()
}

/// A bit per thread of a CTA.
pub type Mask = u128;

/// The threads in a mask.
pub fn threads_of(mask: Mask) -> impl Iterator<Item = usize> {
    (0..Mask::BITS as usize).filter(move |&thread| mask >> thread & 1 == 1)
}
