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
mod agreement;
mod args;
mod cache;
mod execute;
mod plan;
mod shard;
mod slurm;

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::de::DeserializeOwned;
use warploom_sim::files;

pub use agreement::disagreements;
pub use args::CompareArgs;
pub use cache::Cache;
pub use execute::execute;
pub use plan::Plan;
pub use shard::{Part, merge, share_plan, write};
pub use slurm::emit;

/// A file of JSON; `what` says what it should be.
fn read_json<T: DeserializeOwned>(path: &Path, what: &str) -> Result<T> {
    let text = files::read_text(path, files::MOST).with_context(|| format!("cannot read {}", path.display()))?;
    // Not in the words of the parser, which are those of a programmer.
    serde_json::from_str(&text)
        .map_err(|error| anyhow!("{} is no {what}: line {}, column {}", path.display(), error.line(), error.column()))
}
