//! `warploom app`, as clap sees it.
use std::ffi::OsString;

use clap::Args;

use super::{CoreArgs, MOST_CYCLES, cycles};
use crate::machine::MemoryArgs;

/// `warploom app`.
#[derive(Args)]
#[command(mut_arg("mechanism", |argument| argument
    .long("mechanisms")
    .value_name("NAME,..")
    .help("How diverging threads are handled: any of `warploom mechanisms`, with commas in between; the program is run \
        once under each, and the first is what the others are compared with [default: spe]")))]
pub struct AppArgs {
    /// The program and its arguments, behind `--`; it is run where warploom is, with nothing on its standard input
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<OsString>,
    #[command(flatten)]
    pub core: CoreArgs,
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Bytes of global memory [default: 67108864]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1 << 20..=1 << 31))]
    pub global_bytes: Option<u64>,
    /// Stop a launch after so many cycles [default: 200000000]
    #[arg(long, value_name = "CYCLES", value_parser = cycles(1))]
    pub max_cycles: Option<u64>,
    /// What the program prints need not be the same under every mechanism, as where it prints times
    #[arg(long)]
    pub any_output: bool,
    /// Print one JSON object for each mechanism instead of a table
    #[arg(long)]
    pub json: bool,
}

impl AppArgs {
    /// The mechanisms, in order.
    pub fn mechanisms(&self) -> Vec<String> {
        let names = self.core.mechanism.as_deref().unwrap_or("spe");
        names.split(',').map(|name| name.trim().to_string()).collect()
    }

    /// The limit of a launch.
    pub fn limit(&self, default: u64) -> u64 {
        self.max_cycles.unwrap_or(default).min(MOST_CYCLES)
    }
}
