//! What a kernel is launched with, as clap sees it.
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use anyhow::{Result, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{OWN, SourceArgs};
use crate::argument::{self, Argument};
use crate::extent::{Extent, Offset};
use crate::shell::quoted;

/// One item in so many.
const SELECTIVITIES: RangeInclusive<i64> = 1..=1024;
/// The option that a comparison may sweep.
const SELECTIVITY: &str = "selectivity";

/// Input and launch of a kernel: of one that comes with warploom a size, of one of the user's own all of it.
#[derive(Args, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LaunchArgs {
    /// Problem size: smoke, default, large, or a number [default: default]
    #[arg(long, value_name = "SIZE")]
    pub size: Option<String>,
    /// Seed of the input generator [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads of a CTA [default: a quarter of what the core holds, at most 256]
    #[arg(long, value_name = "THREADS")]
    pub block: Option<usize>,
    /// One item in N is selected, 1 to 1024, by a kernel that selects [default: the kernel's, as `warploom kernels` says]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(SELECTIVITIES))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selectivity: Option<u32>,
    /// CTAs of the grid, for a kernel in C or assembler [default: 1]
    #[arg(long, value_name = "CTAS", value_parser = clap::value_parser!(u32).range(1..), help_heading = OWN)]
    pub grid: Option<u32>,
    /// Which kernel of an OpenCL file, if it has several
    #[arg(long = "kernel", value_name = "NAME", help_heading = OWN)]
    #[serde(rename = "kernel")]
    pub function: Option<String>,
    /// Work-items of an OpenCL kernel
    #[arg(long, value_name = "X[,Y[,Z]]", conflicts_with = "grid", help_heading = OWN)]
    pub global: Option<Extent>,
    /// Work-items of a work-group [default: what the kernel requires, else the most, up to a quarter of what the core holds
    /// and 256, that divide the work-items in x]
    #[arg(long, value_name = "X[,Y[,Z]]", conflicts_with = "block", help_heading = OWN)]
    pub local: Option<Extent>,
    /// Number of the first work-item of an OpenCL kernel, which is compiled with it [default: 0]
    #[arg(long, value_name = "X[,Y[,Z]]", requires = "global", help_heading = OWN)]
    #[serde(default)]
    pub offset: Option<Offset>,
    /// Argument of a kernel of your own (repeatable): a number, a vector or a structure (hex:BYTES or file:PATH), by the name of its
    /// parameter in OpenCL, as in n=256 or v=1,2,3,4; in C in the order of the parameters, a number or a buffer, as in random:i32:256
    #[arg(long = "arg", value_name = "[NAME=]VALUE", allow_hyphen_values = true, help_heading = OWN)]
    #[serde(rename = "arg")]
    pub arguments: Vec<Argument>,
    /// Buffer for a pointer of an OpenCL kernel (repeatable): NAME=KIND:TYPE:COUNT with KIND zero, random (seeded), iota or, for
    /// a __local pointer, local, and TYPE i8, u8, ... u64; or NAME=file:PATH
    #[arg(long = "buffer", value_name = "NAME=KIND:TYPE:COUNT", value_parser = argument::buffer, help_heading = OWN)]
    #[serde(rename = "buffer")]
    pub buffers: Vec<Argument>,
    #[command(flatten)]
    #[serde(flatten)]
    pub source: SourceArgs,
}

impl LaunchArgs {
    /// As given or by default.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// What changes a kernel's work besides its size, by the names of the options.
    pub fn parameters(&self) -> BTreeMap<String, String> {
        self.selectivity.map(|selectivity| (SELECTIVITY.to_string(), selectivity.to_string())).into_iter().collect()
    }

    /// Whether [`set`](Self::set) knows an option.
    pub fn has(name: &str) -> bool {
        name == SELECTIVITY
    }

    /// Sets an option that it [has](Self::has), from text.
    ///
    /// # Errors
    /// If it does not take this value.
    pub fn set(&mut self, value: &str) -> Result<()> {
        let selectivity: u32 = argument::whole(value)?;
        let (least, most) = SELECTIVITIES.into_inner();
        ensure!(SELECTIVITIES.contains(&selectivity.into()), "--selectivity {value}: it is {least} to {most}");
        self.selectivity = Some(selectivity);
        Ok(())
    }

    /// As a shell takes it, each option behind a space.
    pub fn command_line(&self) -> String {
        let options = serde_json::to_value(self).expect("options are text and numbers");
        let one = |name: &str, value: &Value| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            format!(" --{} {}", name.replace('_', "-"), quoted(&text))
        };
        let all = |(name, value): (&String, &Value)| match value {
            Value::Null => String::new(),
            Value::Array(values) => values.iter().map(|value| one(name, value)).collect(),
            value => one(name, value),
        };
        options.as_object().into_iter().flatten().map(all).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::{Cli, Command};

    #[test]
    fn a_command_line_is_read_as_it_was() {
        let given = "--size 4 --seed 2 --selectivity 8 --kernel k --global 8,4 --local 4,2 --offset 1,0 --arg n=-3 --arg v=1,2 \
            --buffer a=random:i32:4 -D N=1 -I include --cl-options -cl-mad-enable";
        let parse = |text: &str| {
            let words = ["warploom", "run", "x.cl"].into_iter().chain(text.split_whitespace());
            match Cli::try_parse_from(words).map(|cli| cli.command) {
                Ok(Command::Run(args)) => args.setup.launch,
                Ok(_) => unreachable!("it is run"),
                Err(error) => panic!("{error}"),
            }
        };
        let launch = parse(given);
        assert_eq!(parse(&launch.command_line()), launch, "{}", launch.command_line());
        assert!(launch.command_line().contains(" --arg n=-3 --arg v=1,2"), "{}", launch.command_line());
        assert_eq!(parse("").command_line(), "");
    }
}
