//! The cores that are measured.
use anyhow::{Context, Result};
use warploom_hdl::config::{CoreConfig, MemoryPath};
use warploom_hdl::mechanism::Composition;
use warploom_hdl::memory_system::SystemConfig;
use warploom_runtime::host::MemoryTiming;
use warploom_runtime::machines::{self, Machine};

/// From the smallest preset to the largest, with steps between: what [`find`] knows beside the presets.
pub const STEPS: [&str; 7] = ["tiny", "4x8", "small", "8x16", "16x16", "16x32", "paper"];

/// The core of a preset, or of a step between two of them (`LANESxWARPS`), under a mechanism, with floats or without; and the memory of that preset.
pub fn find(name: &str, mechanism: &str, floats: bool) -> Result<(CoreConfig, MemoryTiming)> {
    let composition: Composition =
        mechanism.parse().ok().with_context(|| format!("no mechanism `{mechanism}`: see `warploom mechanisms`"))?;
    let machine = machine(name)?;
    let core = (machine.core)();
    let core = match name {
        "4x8" => CoreConfig { warps: 8, mshrs: 8, ..core },
        "8x16" => CoreConfig { warps: 16, mshrs: 16, ..core },
        "16x16" => CoreConfig { lanes: 16, warps: 16, mshrs: 16, ..core },
        "16x32" => CoreConfig { lanes: 16, ..core },
        _ => core,
    };
    Ok((CoreConfig { floats, ..core.with(composition) }, (machine.memory)()))
}

/// The same core, whose memory instructions wait there.
pub fn waiting(config: CoreConfig, memory_path: Option<&str>) -> Result<CoreConfig> {
    let Some(name) = memory_path else { return Ok(config) };
    let named = MemoryPath::NAMES.iter().find(|(other, _)| *other == name);
    let (_, memory_path) = *named.with_context(|| format!("no memory path `{name}`"))?;
    let config = CoreConfig { memory_path, ..config };
    config.check()?;
    Ok(config)
}

/// What so many cores share, with so many channels, or their share of the machine's; and the core as it is in a GPU.
pub fn shared(
    name: &str,
    config: &CoreConfig,
    cores: usize,
    channels: Option<usize>,
) -> Result<(CoreConfig, SystemConfig)> {
    let config = machines::in_gpu(config);
    let system = machine(name)?.system(&config, cores, channels);
    Ok((config, system))
}

fn machine(name: &str) -> Result<&'static Machine> {
    let preset = match name {
        "4x8" => "tiny",
        "8x16" => "small",
        "16x16" | "16x32" => "paper",
        _ => name,
    };
    machines::find(preset).with_context(|| format!("no core `{name}`: a preset, or {}", STEPS.join(", ")))
}
