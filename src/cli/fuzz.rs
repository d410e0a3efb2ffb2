//! `warploom fuzz`, as clap sees it.
use std::num::NonZeroU16;
use std::path::PathBuf;

use clap::Args;
use warploom_hdl::config::{Extensions, ISAS};
use warploom_hdl::mechanism::{Entry, MECHANISMS};

use super::SystemArgs;
use crate::presets::extensions;
use crate::suggest::nearest;

/// Cores are drawn, so they have no share of a machine's channels.
const CHANNELS: &str = "Channels of DRAM, each with a slice of L2: 1, 2, 3, 4, 6, 8 or 12 [default: drawn, 1 to 3]";

/// `warploom fuzz`.
#[derive(Args)]
#[command(mut_arg("channels", |channels| channels.help(CHANNELS)))]
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
    #[arg(long, value_name = "FILE", conflicts_with_all = ["programs", "seed", "mechanism", "isa", "seconds", "corpus", "jobs", "coverage", "json", "SystemArgs"])]
    pub replay: Option<PathBuf>,
    /// Cores, or GPUs, at a time [default: as many as there are processors]
    #[arg(long, short, value_name = "N")]
    pub jobs: Option<NonZeroU16>,
    /// Count how often the situations that matter occur: rules of the mechanisms, hazards of
    /// instructions; of cores alone. Slower
    #[arg(long)]
    pub coverage: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub system: SystemArgs,
}

impl FuzzArgs {
    /// As a shell takes it: what a seed stands for depends on these options, each behind a space.
    pub fn drawn_from(&self) -> String {
        let mechanisms: Vec<_> = self.mechanism.iter().map(|entry| entry.name()).collect();
        let mechanism = (!mechanisms.is_empty()).then(|| ("mechanism", mechanisms.join(",")));
        let isa = ISAS.into_iter().find(|isa| self.isa.is_some() && Extensions::of_isa(isa) == self.isa);
        let isa = isa.map(|isa| ("isa", isa.to_string()));
        let system = self.system.parameters();
        let system = system.iter().map(|(name, value)| (name.as_str(), value.clone()));
        mechanism.into_iter().chain(isa).chain(system).map(|(name, value)| format!(" --{name} {value}")).collect()
    }
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::{Cli, Command};

    #[test]
    fn what_a_seed_stands_for_is_said() {
        let said = |options: &[&str]| {
            let cli = Cli::try_parse_from([&["warploom", "fuzz"], options].concat()).unwrap();
            let Command::Fuzz(args) = cli.command else { unreachable!() };
            args.drawn_from()
        };
        assert_eq!(said(&["--programs", "3", "--jobs", "2"]), "");
        let options = ["--mechanism", "tbc,spe", "--isa", "rv32imaf", "--channels", "3", "--cores", "4"];
        assert_eq!(said(&options), " --mechanism tbc,spe --isa rv32imaf --channels 3 --cores 4");
    }
}
