//! The device, as the environment describes it.
use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use opencl_sys::CL_DEVICE_NOT_AVAILABLE;
use warploom_hdl::config::CoreConfig;
use warploom_hdl::mechanism::{Composition, SpellingError};
use warploom_runtime::application::{LAUNCHES, MECHANISM, MEMORY, PAGE, PRESET, SETTING, Setting};
use warploom_runtime::host::{DEFAULT_GLOBAL_BYTES, Limits};
use warploom_runtime::machines::{self, MACHINES};
use warploom_sim::files;

use crate::error::{Error, Result};
use crate::recorder::Wanted;

/// Global memory at most: addresses from `GLOBAL_BASE` end there.
const MOST_BYTES: usize = 1 << 31;
/// Global memory at least: a full profile has buffers of 1 MB in constant memory and others of a quarter of it.
const FEWEST_BYTES: usize = 1 << 20;

/// What the device is, and where its launches are told.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The core and its memory.
    pub setting: Setting,
    /// Bytes of global memory.
    pub global_bytes: usize,
    /// File of launches.
    pub launches: Option<PathBuf>,
    /// What else is recorded of them.
    pub recorded: Wanted,
}

impl Machine {
    /// The one that the environment describes; it is read once.
    ///
    /// # Errors
    /// If it describes none.
    pub fn of_environment() -> Result<&'static Self> {
        static MACHINE: OnceLock<std::result::Result<Machine, String>> = OnceLock::new();
        let machine = MACHINE.get_or_init(Self::read);
        machine.as_ref().map_err(|reason| Error::new(CL_DEVICE_NOT_AVAILABLE, reason))
    }

    fn read() -> std::result::Result<Self, String> {
        let mut setting = match variable(SETTING)? {
            Some(path) => of_file(&path)?,
            None => named()?,
        };
        setting.core.float_latency = setting.core.float_latency.max(setting.core.alu_latency);
        let floats = setting.core.floats || setting.floats_if_needed;
        CoreConfig { floats, ..setting.core.clone() }.check().map_err(|error| format!("{error}"))?;
        let recorded = Wanted::of_environment()?;
        // What is recorded is one core's, from the first launch to the last, and which programs will come is not known.
        if recorded.is_something() {
            setting.core.floats = floats;
        }
        let global_bytes = match variable(MEMORY)? {
            None => DEFAULT_GLOBAL_BYTES,
            Some(text) => text
                .parse()
                .ok()
                .filter(|bytes| (FEWEST_BYTES..=MOST_BYTES).contains(bytes) && (*bytes as u64).is_multiple_of(PAGE))
                .ok_or_else(|| {
                    format!(
                        "{MEMORY}={text}: it is a number of bytes, {FEWEST_BYTES} to {MOST_BYTES}, a multiple of {PAGE}"
                    )
                })?,
        };
        Ok(Self { setting, global_bytes, launches: path_of(LAUNCHES)?, recorded })
    }
}

/// A variable of the environment; an empty one is none.
pub fn variable(name: &str) -> std::result::Result<Option<String>, String> {
    match env::var(name) {
        Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name} is no text in UTF-8")),
    }
}

/// The path in a variable, which holds wherever the application goes.
pub fn path_of(name: &str) -> std::result::Result<Option<PathBuf>, String> {
    let absolute = |path: String| std::path::absolute(&path).map_err(|error| format!("{name}={path}: {error}"));
    variable(name)?.map(absolute).transpose()
}

fn of_file(path: &str) -> std::result::Result<Setting, String> {
    let text = files::read_text(path.as_ref(), files::MOST).map_err(|error| format!("{SETTING}={path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{SETTING}={path}: no setting of `warploom app` ({error})"))
}

fn named() -> std::result::Result<Setting, String> {
    let preset = variable(PRESET)?.unwrap_or_else(|| MACHINES[0].name.to_string());
    let machine = machines::find(&preset).ok_or_else(|| {
        let names: Vec<&str> = MACHINES.iter().map(|machine| machine.name).collect();
        format!("{PRESET}={preset}: there is no such preset; there are {}", names.join(", "))
    })?;
    let mut core = (machine.core)();
    if let Some(text) = variable(MECHANISM)? {
        let composition: Composition = text.parse().map_err(|error| unknown(&text, error))?;
        core = core.with(composition);
    }
    let Limits { cycles, silence, .. } = Limits::default();
    Ok(Setting { preset, core, floats_if_needed: true, memory: (machine.memory)(), cycles, silence })
}

fn unknown(text: &str, error: SpellingError) -> String {
    let message = match error {
        SpellingError::Unknown { message, .. } | SpellingError::Number { message, .. } => message,
        SpellingError::Wrong(message) => message,
    };
    format!("{MECHANISM}={text}: {message}; see `warploom mechanisms`")
}
