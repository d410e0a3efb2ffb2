//! `warploom fuzz`, as clap sees it.
use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::Args;
use warploom_hdl::config::Extensions;
use warploom_hdl::mechanism::{Entry, MECHANISMS};

use crate::presets::extensions;
use crate::suggest::nearest;

/// `warploom fuzz`.
#[derive(Args)]
pub struct FuzzArgs {
    /// Programs to run [default: until Ctrl-C]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub programs: Option<u64>,
    /// Seed of the first program; the others have the next ones. A seed is always the same program on the same core
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u64).range(..=u64::MAX / 2))]
    pub seed: u64,
    #[arg(long, short, value_name = "NAME,..", value_delimiter = ',', value_parser = to_draw, help = drawn())]
    pub mechanism: Vec<&'static Entry>,
    /// Only cores with this instruction set: rv32ima, or rv32imaf, with floats; with warp instructions rv32ima_xwarp or
    /// rv32imaf_xwarp [default: all]
    #[arg(long, value_name = "NAME", value_parser = extensions)]
    pub isa: Option<Extensions>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub seconds: Option<u64>,
    /// Directory for what is found, made small: an assembly file for each
    #[arg(long, default_value = "fuzz", value_name = "DIR")]
    pub corpus: PathBuf,
    /// Run such a file again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["programs", "seed", "mechanism", "isa", "seconds", "corpus", "jobs", "coverage", "json"])]
    pub replay: Option<PathBuf>,
    /// Cores at a time [default: as many as there are processors]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroU16>,
    /// Count how often the situations that matter occur: rules of the mechanisms, hazards of
    /// instructions. Slower
    #[arg(long)]
    pub coverage: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
}

fn drawn() -> String {
    let names = MECHANISMS.map(Entry::name).join(", ");
    format!("Only cores with these: {names}; what can be added to them is drawn [default: all]")
}

fn to_draw(name: &str) -> Result<&'static Entry, String> {
    let none = || {
        if let Some(entry) = name.split([':', '+']).next().and_then(Entry::find) {
            return format!("variants and what is added are drawn: `{}` has them all", entry.name());
        }
        let near = nearest(name, MECHANISMS.map(Entry::name));
        format!("there is no mechanism `{name}` to draw cores with{near}")
    };
    Entry::find(name).ok_or_else(none)
}
