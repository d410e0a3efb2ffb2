//! `--sweep`: a core, or a GPU, for every value.
use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use crate::cli::{CoreArgs, SynthArgs, SystemArgs};
use crate::suggest::nearest;

/// What is built.
#[derive(Clone, PartialEq)]
pub struct Variant {
    /// The core.
    pub core: CoreArgs,
    /// How many, and what they share.
    pub system: SystemArgs,
    /// What was set by the sweep.
    pub swept: BTreeMap<String, String>,
}

/// What to build: one, or one per value of the sweep.
pub fn variants(args: &SynthArgs) -> Result<Vec<Variant>> {
    let alone = Variant { core: args.core.clone(), system: args.system.clone(), swept: BTreeMap::new() };
    let Some(sweep) = &args.sweep else { return Ok(vec![alone]) };
    let (name, values) = sweep.split_once('=').context("--sweep takes NAME=VALUE,VALUE,..., as in entries=2,4,8")?;
    let variant = |value: &str| -> Result<Variant> {
        let mut variant = alone.clone();
        set(&mut variant, name, value).with_context(|| format!("--sweep {sweep}"))?;
        variant.swept.insert(name.to_string(), value.to_string());
        Ok(variant)
    };
    let mut variants: Vec<Variant> = Vec::new();
    for value in values.split(',').map(str::trim) {
        let variant = variant(value)?;
        if !variants.iter().any(|other| (&other.core, &other.system) == (&variant.core, &variant.system)) {
            variants.push(variant);
        }
    }
    Ok(variants)
}

/// What can be swept: sizes by the names of their options.
fn set(Variant { core, system, .. }: &mut Variant, name: &str, value: &str) -> Result<()> {
    const NAMES: [&str; 8] = ["lanes", "warps", "stack-depth", "mshrs", "entries", "preset", "cores", "channels"];
    match name {
        "entries" => {
            let mechanism = core.mechanism.get_or_insert_with(|| "capri".to_string());
            ensure!(mechanism.starts_with("capri"), "{mechanism} has no table with entries; it is for capri");
            core.set("capt-entries", value)
        }
        "cores" | "channels" => system.set(name, value),
        _ if NAMES.contains(&name) => core.set(name, value),
        _ => bail!("there is no size `{name}`{}", nearest(name, NAMES)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{Cli, Command};

    #[test]
    fn nothing_is_mapped_twice() {
        let parsed = Cli::try_parse_from(["warploom", "synth", "capt", "--sweep", "entries=2, 4,2,02"]);
        let Ok(Cli { command: Command::Synth(args) }) = parsed else { panic!("it is a command line") };
        let values = variants(&args).unwrap().into_iter().map(|variant| variant.swept["entries"].clone());
        assert_eq!(values.collect::<Vec<_>>(), ["2", "4"]);
        let parsed = Cli::try_parse_from(["warploom", "synth", "interconnect", "--sweep", "cores=1,4,01"]);
        let Ok(Cli { command: Command::Synth(args) }) = parsed else { panic!("it is a command line") };
        let cores = variants(&args).unwrap().into_iter().map(|variant| variant.system.cores);
        assert_eq!(cores.collect::<Vec<_>>(), [Some(1), Some(4)]);
    }
}
