//! `--checkpoint` and `--restore`: a run in a file.
use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_runtime::host::{Checkpoint, CheckpointError, CheckpointTime, Hardware, MemoryTiming};
use warploom_runtime::kernels;

use crate::cli::{CheckpointArgs, CoreArgs, SetupArgs, SystemArgs};
use crate::presets;
use crate::status::Status;

/// Reads a checkpoint, and what it is a run of. What is `given` besides must be the same.
pub fn open(path: &Path, given: &SetupArgs) -> Result<(SetupArgs, Checkpoint)> {
    let checkpoint = Checkpoint::read(path)?;
    let mut setup: SetupArgs = serde_json::from_str(&checkpoint.origin.setup).with_context(|| {
        format!("{}: of warploom {}, which had other options", path.display(), checkpoint.origin.warploom)
    })?;
    let (there, here) = (options(&setup)?, options(given)?);
    for (name, value) in &here {
        let past = there.iter().find(|(other, _)| other == name).map(|(_, past)| past);
        let is_moved = || name == "program" && past.is_some_and(|past| both_files(past, value));
        if past == Some(value) || is_moved() || says_the_same(name, value, &setup, &checkpoint) {
            continue;
        }
        let option = |value: &str| match name.as_str() {
            "program" => value.to_string(),
            _ => format!("--{name} {value}").trim_end().to_string(),
        };
        let past = past.map_or("without it".to_string(), |past| format!("with {}", option(past)));
        bail!("{}: {} is a run {past}", option(value), path.display());
    }
    if given.kernel.is_some() {
        setup.kernel.clone_from(&given.kernel);
    }
    Ok((setup, checkpoint))
}

/// An ELF file may have moved; whether it is the same program is checked later.
fn both_files(one: &str, other: &str) -> bool {
    kernels::all().all(|kernel| kernel.name() != one && kernel.name() != other)
}

/// Whether it is the same run with this option: said in other words, or by default.
fn says_the_same(option: &str, value: &str, past: &SetupArgs, checkpoint: &Checkpoint) -> bool {
    let mut said = past.clone();
    let set = match option {
        "size" => return past.launch.size.is_none() && value == "default",
        "seed" => return value == past.launch.seed().to_string(),
        "grid" => return past.launch.grid.is_none() && value == "1",
        _ if CoreArgs::options().iter().any(|name| name == option) => said.core.set(option, value),
        _ if SystemArgs::OPTIONS.contains(&option) => said.system.set(option, value),
        _ => said.memory.set(option, value),
    };
    set.and_then(|()| Ok((machine(&said)?, machine(past)?))).is_ok_and(|((config, here), (_, there))| {
        // Without --isa, a program has floats and warp instructions if it needs them.
        let may = said.core.isa.is_none();
        let with_floats = CoreConfig { floats: config.floats || may, ..config.clone() };
        let mut cores = [config, with_floats].into_iter().flat_map(|core| {
            let warp_instructions = core.warp_instructions || may;
            [CoreConfig { warp_instructions, ..core.clone() }, core]
        });
        here == there && cores.any(|core| check_sizes(checkpoint, &core, here.1.as_ref()).is_ok())
    })
}

/// Whether a checkpoint is of such a core, or of a GPU of them.
///
/// # Errors
/// What differs.
pub fn check_sizes(
    checkpoint: &Checkpoint,
    config: &CoreConfig,
    system: Option<&SystemConfig>,
) -> Result<(), CheckpointError> {
    system.map_or_else(|| checkpoint.check_core(config), |system| checkpoint.check_gpu(config, system))
}

/// The core, whatever the program needs, and the memory beyond its L1: of a core alone, and of a GPU.
fn machine(setup: &SetupArgs) -> Result<(CoreConfig, (MemoryTiming, Option<SystemConfig>))> {
    let mut config = presets::configure(&setup.core)?;
    let timing = setup.timing(&config)?;
    let system = setup.system(&mut config)?;
    Ok((config, (timing, system)))
}

/// The options that were given, with their values as text.
fn options(setup: &SetupArgs) -> Result<Vec<(String, String)>> {
    let Value::Object(fields) = serde_json::to_value(setup)? else { unreachable!("a structure") };
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    let given = fields.into_iter().filter_map(|(name, value)| {
        let value = match &value {
            Value::Null | Value::Bool(false) => return None,
            Value::Bool(true) => String::new(),
            Value::Array(values) if values.is_empty() => return None,
            Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(&format!(" --{name} ")),
            value => text(value),
        };
        Some((name.replace('_', "-"), value))
    });
    Ok(given.collect())
}

/// What became of the checkpoints.
#[derive(Clone, Copy, Default)]
enum Last {
    /// There was none.
    #[default]
    None,
    /// The last one is of this cycle.
    Written(u64),
    /// None could be written, which has been said.
    Failed,
}

/// Writes the checkpoints of a run.
pub struct Writer<'a> {
    args: &'a CheckpointArgs,
    /// What became of them.
    last: Rc<Cell<Last>>,
}

impl<'a> Writer<'a> {
    /// Writes where the arguments say, if they do.
    pub fn new(args: &'a CheckpointArgs) -> Self {
        Self { args, last: Rc::default() }
    }

    /// Writes them from now on, as the arguments say. A file that cannot be written is no reason to end a long run.
    pub fn attach(&self, hardware: &mut Hardware<'a>, setup: &SetupArgs) -> Result<()> {
        let Some(path) = self.args.checkpoint.as_deref() else { return Ok(()) };
        let (setup, last) = (serde_json::to_string(setup)?, self.last.clone());
        let time = match (self.args.checkpoint_every, self.args.checkpoint_at) {
            (Some(cycles), _) => CheckpointTime::Every(cycles),
            (_, Some(cycle)) => CheckpointTime::At(cycle),
            _ => CheckpointTime::Stop,
        };
        hardware.set_checkpoints(time, setup, move |checkpoint| match checkpoint.write(path) {
            Ok(()) => last.set(Last::Written(checkpoint.cycle())),
            Err(error) => {
                if let Last::None = last.get() {
                    last.set(Last::Failed);
                }
                crate::output::say!("warning: {error}");
            }
        });
        Ok(())
    }

    /// At the end of a run: how it can go on if it was stopped, and that a cycle asked for never came.
    pub fn explain(&self, status: Status) {
        let Some(path) = self.args.checkpoint.as_deref().map(Path::display) else { return };
        match (self.last.get(), self.args.checkpoint_at) {
            (Last::Written(cycle), _) if status != Status::Pass => {
                crate::output::say!("cycle {cycle} is in {path}; `warploom run --restore {path}` goes on from there");
            }
            (Last::None, Some(cycle)) => {
                crate::output::say!("warning: no {path}: the run has ended before cycle {cycle}")
            }
            _ => {}
        }
    }
}
