//! The divergence mechanisms that `--mechanism` names.
use anyhow::{Result, bail};

use crate::suggest::nearest;

/// A divergence mechanism this build has in hardware.
pub struct Mechanism {
    /// As given to `--mechanism`.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it is described.
    pub source: &'static str,
}

/// All of them.
pub const MECHANISMS: &[Mechanism] = &[Mechanism {
    name: "spe",
    summary: "single-path execution: one reconvergence stack per warp, immediate post-dominators",
    source: "Fung & Aamodt 2011, 2.2.2; Rhu 2014, 3.1.1",
}];

/// Checks a mechanism given by the user.
pub fn parse(text: &str) -> Result<&'static Mechanism> {
    if let Some(found) = MECHANISMS.iter().find(|m| m.name == text) {
        return Ok(found);
    }
    let names = MECHANISMS.iter().map(|mechanism| mechanism.name);
    bail!("there is no mechanism `{text}` in this build{}\n  see `warploom mechanisms`", nearest(text, names))
}
