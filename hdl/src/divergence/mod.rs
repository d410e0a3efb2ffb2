//! Which threads of a warp run next: reconvergence stacks.
mod capt;
mod capt_entry;
mod compaction_lane;
mod compaction_slot;
mod convergence_links;
mod cta_stack;
#[cfg(test)]
mod cycle_script;
mod event_table;
mod highest_entry;
mod lane_permutation;
mod random_permutation;
mod reconvergence_unit;
mod resolve_queue;
mod spe_stack;
mod thread_block_compaction;
mod thread_column;
mod warp_compaction_unit;

pub use capt::Capt;
pub use capt_entry::CaptEntry;
pub use compaction_lane::CompactionLane;
pub use compaction_slot::CompactionSlot;
pub use convergence_links::ConvergenceLinks;
pub use cta_stack::{CtaStack, EnginePhase, EngineStep, GatherKind};
pub use event_table::EventTable;
pub use highest_entry::HighestEntry;
pub use lane_permutation::{LanePermutation, physical_lane};
pub use random_permutation::{RandomPermutation, random_permutation};
pub use reconvergence_unit::ReconvergenceUnit;
pub use resolve_queue::ResolveQueue;
pub use spe_stack::{SpeStack, StackOperation};
pub use thread_block_compaction::ThreadBlockCompaction;
pub use thread_column::{MaskSource, ThreadColumn};
pub use warp_compaction_unit::WarpCompactionUnit;
