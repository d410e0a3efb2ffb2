//! How many cores there are, and what they share, as clap sees it.
use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::memory_system::SystemConfig;
use warploom_runtime::machines::{self, CHANNELS, LEAST_LINE_BYTES, MOST_CORES};

use super::CoreArgs;
use crate::argument;
use crate::presets;
use crate::suggest::nearest;

const HEADING: &str = "Several cores";

/// What is beyond the L1s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// A model of one core's share, in the host: latencies and bandwidths of the preset
    Model,
    /// Hardware: networks, slices of L2, controllers of DRAM
    Rtl,
}

/// A GPU: how many cores, and how large what they share is.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemArgs {
    /// Cores, 1 to 16, to which the hardware distributes the CTAs [default: 1]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// What is beyond the L1s: rtl (networks, slices of L2, controllers of DRAM, all hardware) or model (of one core's share, in the host)
    /// [default: model for a core alone, else rtl]
    #[arg(long = "memory", value_name = "KIND", hide_possible_values = true, help_heading = HEADING)]
    #[serde(default, rename = "memory", skip_serializing_if = "Option::is_none")]
    pub kind: Option<Memory>,
    /// Channels of DRAM, each with a slice of L2: 1, 2, 3, 4, 6, 8 or 12 [default: the cores' share of the machine's]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channels: Option<usize>,
}

impl SystemArgs {
    /// The options that [`set`](Self::set) takes.
    pub const OPTIONS: [&'static str; 3] = ["cores", "memory", "channels"];

    /// Whether there is more than a core alone.
    pub fn is_gpu(&self) -> bool {
        self.kind == Some(Memory::Rtl) || self.cores.is_some_and(|cores| cores > 1)
    }

    /// How many cores, if there is more than a core alone.
    ///
    /// # Errors
    /// If there is no such GPU.
    pub fn gpu(&self) -> Result<Option<usize>> {
        let cores = self.cores.unwrap_or(1);
        ensure!((1..=MOST_CORES).contains(&cores), "--cores {cores}: it is 1 to {MOST_CORES}");
        if let Some(channels) = self.channels {
            let legal = CHANNELS.map(|channels| channels.to_string()).join(", ");
            ensure!(CHANNELS.contains(&channels), "--channels {channels}: it is one of {legal}");
        }
        if !self.is_gpu() {
            ensure!(
                self.channels.is_none(),
                "--channels: a core alone has the host's model; --memory rtl has channels"
            );
            return Ok(None);
        }
        ensure!(
            self.kind != Some(Memory::Model),
            "--memory model: the host models what is beyond one core; {cores} cores have hardware"
        );
        Ok(Some(cores))
    }

    /// What the cores share, if there is more than a core alone, which then becomes one of a GPU.
    ///
    /// # Errors
    /// If there is no such GPU.
    pub fn system(&self, core: &CoreArgs, config: &mut CoreConfig) -> Result<Option<SystemConfig>> {
        let Some(cores) = self.gpu()? else { return Ok(None) };
        let least = LEAST_LINE_BYTES;
        ensure!(
            core.line_bytes.is_none_or(|bytes| bytes >= least),
            "--line-bytes {}: cores of a GPU have lines of {least} bytes and more, which are the sectors of L2",
            config.line_bytes
        );
        *config = machines::in_gpu(config);
        Ok(Some(presets::machine(core)?.system(config, cores, self.channels)))
    }

    /// Every option that is given by its name, as text.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        let kind = self.kind.and_then(|kind| Some(kind.to_possible_value()?.get_name().to_string()));
        let values = [number(self.cores), kind, number(self.channels)];
        Self::OPTIONS.into_iter().zip(values).filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
    }

    /// Sets an option by its name.
    ///
    /// # Errors
    /// If it does not take this value, or there is no such option.
    pub fn set(&mut self, option: &str, value: &str) -> Result<()> {
        match option {
            "cores" => self.cores = Some(argument::whole(value)?),
            "channels" => self.channels = Some(argument::whole(value)?),
            "memory" => match Memory::from_str(value, false) {
                Ok(kind) => self.kind = Some(kind),
                Err(_) => bail!("--memory {value}: it is model or rtl{}", nearest(value, ["model", "rtl"])),
            },
            _ => bail!("there is no option --{option} of several cores"),
        }
        Ok(())
    }
}
