//! How a source of the user's own is compiled, as clap sees it.
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use warploom_runtime::toolchain::{Debug, Options};

use super::OWN;

/// What a source is compiled with.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceArgs {
    /// Define a macro for the source (repeatable)
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", help_heading = OWN)]
    #[serde(rename = "define", default)]
    pub defines: Vec<String>,
    /// Look for files that the source includes there, too (repeatable), and not only beside it
    #[arg(short = 'I', long = "include", value_name = "DIR", help_heading = OWN)]
    #[serde(rename = "include", default)]
    pub includes: Vec<PathBuf>,
    /// Build options of an OpenCL source, as clBuildProgram takes them: "-cl-fast-relaxed-math -DN=4"
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, help_heading = OWN)]
    #[serde(default)]
    pub cl_options: Option<String>,
}

impl SourceArgs {
    /// What the compiler is asked for; this kernel of an OpenCL file matters.
    pub fn options(&self, kernel: Option<&str>) -> Options {
        Options {
            debug: Debug::Lines,
            defines: self.defines.clone(),
            includes: self.includes.clone(),
            cl_options: self.cl_options.clone(),
            kernel: kernel.map(String::from),
            ..Options::default()
        }
    }

    /// The first option that is given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            ("--define", !self.defines.is_empty()),
            ("--include", !self.includes.is_empty()),
            ("--cl-options", self.cl_options.is_some()),
        ];
        given.iter().find(|(_, given)| *given).map(|(option, _)| *option)
    }

    /// That nothing is asked of the compiler, which has no work.
    pub fn check_compiled(&self, name: &str) -> Result<()> {
        ensure!(
            self.given().is_none(),
            "{} is for a source (.cl, .c, .s); {name} is compiled already",
            self.given().unwrap_or_default()
        );
        Ok(())
    }
}
