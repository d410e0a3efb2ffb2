//! The cores that are measured.
use anyhow::{Result, bail};
use warploom_hdl::config::CoreConfig;

/// From the smallest preset to the largest, with steps between: what [`config`] knows.
pub const STEPS: [&str; 7] = ["tiny", "4x8", "small", "8x16", "16x16", "16x32", "paper"];

/// The sizes of a preset, or of a step between two of them: `LANESxWARPS`.
pub fn config(name: &str) -> Result<CoreConfig> {
    Ok(match name {
        "tiny" => CoreConfig::tiny(),
        "small" => CoreConfig::small(),
        "paper" => CoreConfig::paper(),
        "4x8" => CoreConfig { warps: 8, mshrs: 8, ..CoreConfig::tiny() },
        "8x16" => CoreConfig { warps: 16, mshrs: 16, ..CoreConfig::small() },
        "16x16" => CoreConfig { lanes: 16, warps: 16, mshrs: 16, ..CoreConfig::paper() },
        "16x32" => CoreConfig { lanes: 16, ..CoreConfig::paper() },
        _ => bail!("no core `{name}`: {}", STEPS.join(", ")),
    })
}
