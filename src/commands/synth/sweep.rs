//! `--sweep`: a core for every value.
use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use crate::cli::{CoreArgs, SynthArgs};
use crate::suggest::nearest;

/// A core, and what was set in it by the sweep.
pub type Variant = (CoreArgs, BTreeMap<String, String>);

/// The cores to build: one, or one per value of the sweep.
pub fn variants(args: &SynthArgs) -> Result<Vec<Variant>> {
    let Some(sweep) = &args.sweep else { return Ok(vec![(args.core.clone(), BTreeMap::new())]) };
    let (name, values) = sweep.split_once('=').context("--sweep takes NAME=VALUE,VALUE,..., as in entries=2,4,8")?;
    let variant = |value: &str| {
        let mut core = args.core.clone();
        set(&mut core, name, value).with_context(|| format!("--sweep {sweep}"))?;
        Ok((core, BTreeMap::from([(name.to_string(), value.to_string())])))
    };
    values.split(',').map(str::trim).map(variant).collect()
}

/// What can be swept: sizes of the core, by the names of their options.
fn set(core: &mut CoreArgs, name: &str, value: &str) -> Result<()> {
    const NAMES: [&str; 6] = ["lanes", "warps", "stack-depth", "mshrs", "entries", "preset"];
    match name {
        "entries" => {
            // Only capri has a table with entries.
            if !core.mechanism().starts_with("capri") {
                core.mechanism = Some("capri".to_string());
            }
            core.set("capt-entries", value)
        }
        _ if NAMES.contains(&name) => core.set(name, value),
        _ => bail!("there is no size `{name}`{}", nearest(name, NAMES)),
    }
}
