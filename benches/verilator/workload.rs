//! What is run: the kernels of warploom, and those that wait.
use anyhow::{Context, Result, anyhow};
use warploom_runtime::kernels::{self, Kernel, Problem};

use crate::waiting::WAITING;

/// The kernel of this name, and whether it waits for memory.
pub fn find(name: &str) -> Result<(&'static Kernel, bool)> {
    if let Some(kernel) = WAITING.iter().find(|kernel| kernel.name() == name) {
        return Ok((kernel, true));
    }
    let kernel = kernels::find(name).map_err(|near| anyhow!("no kernel `{name}`; near: {}", near.join(", ")))?;
    Ok((kernel, false))
}

/// A size of a kernel.
pub fn problem(kernel: &Kernel, size: &str) -> Result<Problem> {
    let size = kernel.sizes().parse(size);
    Ok(Problem::new(size.with_context(|| format!("{} has no such size", kernel.name()))?))
}
