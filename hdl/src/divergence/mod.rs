//! Which threads of a warp run next: reconvergence stacks.
mod capt;
mod capt_entry;
mod highest_entry;
mod lane_permutation;
mod random_permutation;
mod resolve_queue;
mod spe_stack;

pub use capt::Capt;
pub use capt_entry::CaptEntry;
pub use highest_entry::HighestEntry;
pub use lane_permutation::{LanePermutation, physical_lane};
pub use random_permutation::{RandomPermutation, random_permutation};
pub use resolve_queue::ResolveQueue;
pub use spe_stack::{SpeStack, StackOperation};
