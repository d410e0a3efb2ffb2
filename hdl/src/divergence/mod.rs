//! Which threads of a warp run next: reconvergence stacks.
mod capt;
mod capt_entry;
mod highest_entry;
mod resolve_queue;
mod spe_stack;

pub use capt::Capt;
pub use capt_entry::CaptEntry;
pub use highest_entry::HighestEntry;
pub use resolve_queue::ResolveQueue;
pub use spe_stack::{SpeStack, StackOperation};
