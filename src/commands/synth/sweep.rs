//! `--sweep`: a core for every value.
use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

use crate::cli::{CoreArgs, SynthArgs};
use crate::suggest::nearest;

/// A core, and what was set in it by the sweep.
pub type Variant = (CoreArgs, BTreeMap<String, String>);

/// The cores to build: one, or one per value of the sweep.
pub fn variants(args: &SynthArgs) -> Result<Vec<Variant>> {
    let Some(sweep) = &args.sweep else { return Ok(vec![(args.core.clone(), BTreeMap::new())]) };
    let (name, values) = sweep.split_once('=').context("--sweep takes NAME=VALUE,VALUE,..., as in entries=2,4,8")?;
    let variant = |value: &str| -> Result<Variant> {
        let mut core = args.core.clone();
        set(&mut core, name, value).with_context(|| format!("--sweep {sweep}"))?;
        Ok((core, BTreeMap::from([(name.to_string(), value.to_string())])))
    };
    let mut variants: Vec<Variant> = Vec::new();
    for value in values.split(',').map(str::trim) {
        let (core, swept) = variant(value)?;
        if !variants.iter().any(|(other, _)| *other == core) {
            variants.push((core, swept));
        }
    }
    Ok(variants)
}

/// What can be swept: sizes of the core, by the names of their options.
fn set(core: &mut CoreArgs, name: &str, value: &str) -> Result<()> {
    const NAMES: [&str; 6] = ["lanes", "warps", "stack-depth", "mshrs", "entries", "preset"];
    match name {
        "entries" => {
            let mechanism = core.mechanism.get_or_insert_with(|| "capri".to_string());
            ensure!(mechanism.starts_with("capri"), "{mechanism} has no table with entries; it is for capri");
            core.set("capt-entries", value)
        }
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
    fn no_core_is_mapped_twice() {
        let parsed = Cli::try_parse_from(["warploom", "synth", "capt", "--sweep", "entries=2, 4,2,02"]);
        let Ok(Cli { command: Command::Synth(args) }) = parsed else { panic!("it is a command line") };
        let values = variants(&args).unwrap().into_iter().map(|(_, swept)| swept["entries"].clone());
        assert_eq!(values.collect::<Vec<_>>(), ["2", "4"]);
    }
}
