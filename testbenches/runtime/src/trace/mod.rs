//! What warps do, cycle by cycle, as a file for people.
mod block_names;
mod perfetto;
mod slices;

pub use block_names::BlockNames;
pub use perfetto::{Perfetto, PerfettoFile};
