//! The cores that are measured.
use anyhow::{Context, Result, bail};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::Composition;
use warploom_runtime::host::MemoryTiming;
use warploom_runtime::machines;

/// From the smallest preset to the largest, with steps between: what [`find`] knows beside the presets.
pub const STEPS: [&str; 7] = ["tiny", "4x8", "small", "8x16", "16x16", "16x32", "paper"];

/// The core of a preset, or of a step between two of them (`LANESxWARPS`), under a mechanism; and the memory behind it.
pub fn find(name: &str, mechanism: &str) -> Result<(CoreConfig, MemoryTiming)> {
    let composition: Composition =
        mechanism.parse().ok().with_context(|| format!("no mechanism `{mechanism}`: see `warploom mechanisms`"))?;
    let (core, memory) = match (name, machines::find(name)) {
        (_, Some(machine)) => ((machine.core)(), (machine.memory)()),
        ("4x8", _) => (CoreConfig { warps: 8, mshrs: 8, ..CoreConfig::tiny() }, MemoryTiming::default()),
        ("8x16", _) => (CoreConfig { warps: 16, mshrs: 16, ..CoreConfig::small() }, MemoryTiming::default()),
        ("16x16", _) => {
            (CoreConfig { lanes: 16, warps: 16, mshrs: 16, ..CoreConfig::paper() }, MemoryTiming::default())
        }
        ("16x32", _) => (CoreConfig { lanes: 16, ..CoreConfig::paper() }, MemoryTiming::default()),
        _ => bail!("no core `{name}`: a preset, or {}", STEPS.join(", ")),
    };
    Ok((core.with(composition), memory))
}
