//! Many runs beside each other: which, from where their results come, and on which machines.
//!
//! ```text
//!  command line --plan--> points --+--> cache: what has been run before
//!                                  +--> execute: a simulator per core, its points in parallel
//!                                  +--> shard: a part of them here, the others elsewhere; merge
//!                                             |
//!                                             v
//!                                  reports, in the order of the points
//! ```
mod args;
mod cache;
mod execute;
mod plan;
mod shard;
mod slurm;

pub use args::CompareArgs;
pub use cache::Cache;
pub use execute::execute;
pub use plan::Plan;
pub use shard::{Part, merge, share_plan, write};
pub use slurm::emit;
