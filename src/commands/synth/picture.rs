//! `--svg`: the file.
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::SynthArgs;
use crate::output;

/// A picture that is to be written.
pub struct Picture {
    path: PathBuf,
}

impl Picture {
    /// The one asked for, if it can be drawn.
    pub fn new(args: &SynthArgs) -> Result<Option<Self>> {
        let Some(path) = &args.svg else { return Ok(None) };
        if args.modules.len() > 1 {
            bail!("--svg draws one module");
        }
        if args.sweep.as_ref().is_some_and(|sweep| sweep.starts_with("preset")) {
            bail!("--svg draws sweeps of sizes that are numbers");
        }
        Ok(Some(Self { path: path.clone() }))
    }

    /// Writes it.
    pub fn write(&self, svg: &str) -> Result<()> {
        output::save(&self.path, svg)
    }
}
