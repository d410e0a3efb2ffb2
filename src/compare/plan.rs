//! Which runs there are.
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::Permutation;
use warploom_runtime::kernels::KERNELS;

use super::CompareArgs;
use crate::cli::{CoreArgs, SetupArgs};
use crate::figures::dual_path;
use crate::machine::MemoryArgs;
use crate::output;
use crate::simulation::Simulation;
use crate::suggest::nearest;

/// The mechanisms of a comparison that names none.
const MECHANISMS: &str = "spe,tbc,tbc-plus,capri,capri+slp,dpe";

/// The runs, kernel by kernel, without any twice.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Plan {
    /// Each as for `run`.
    pub points: Vec<SetupArgs>,
}

impl Plan {
    /// What the command line asks for.
    pub fn new(args: &CompareArgs) -> Result<Self> {
        if let Some(path) = &args.plan {
            return Self::read(path);
        }
        let cores = if args.papers { papers(args)? } else { cores(args)? };
        let all = || KERNELS.iter().map(|kernel| kernel.name().to_string()).collect();
        let kernels: Vec<String> = if args.kernels.is_empty() { all() } else { args.kernels.clone() };
        let mut plan = Self::default();
        for kernel in &kernels {
            for core in &cores {
                let size = args.size.clone();
                let own = SetupArgs { kernel: Some(kernel.clone()), size, seed: args.seed, ..core.clone() };
                if !plan.points.iter().any(|point| point == &own) {
                    plan.points.push(own);
                }
            }
        }
        Ok(plan)
    }

    /// As [`write`](Self::write) has written it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is no plan of a comparison", path.display()))
    }

    /// As a file for other machines.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        output::save(path, text)
    }

    /// All of them checked, before the first is run.
    pub fn check(&self) -> Result<Vec<Simulation>> {
        self.points.iter().cloned().map(Simulation::new).collect()
    }
}

/// A core and a memory for every mechanism and every combination of swept values.
fn cores(args: &CompareArgs) -> Result<Vec<SetupArgs>> {
    let mechanisms = args.core.mechanism.as_deref().unwrap_or(MECHANISMS);
    let any_predictor = mechanisms.split(',').any(|name| name.trim().starts_with("capri"));
    let base = |mechanism: &str| {
        let mut core = CoreArgs { mechanism: Some(mechanism.to_string()), ..args.core.clone() };
        if any_predictor && !mechanism.starts_with("capri") {
            (core.capt_entries, core.history) = (None, None);
        }
        SetupArgs { core, memory: args.memory.clone(), ..SetupArgs::default() }
    };
    let mut points: Vec<SetupArgs> = mechanisms.split(',').map(|name| base(name.trim())).collect();
    for sweep in &args.sweep {
        let (name, values) = sweep
            .split_once('=')
            .with_context(|| format!("--sweep {sweep}: it takes OPTION=VALUE,VALUE,..., as in capt-entries=2,4,8"))?;
        let mut swept = Vec::new();
        for point in &points {
            if !applies(name, point) {
                swept.push(point.clone());
                continue;
            }
            for value in values.split(',') {
                let mut point = point.clone();
                set(&mut point, name, value.trim()).with_context(|| format!("--sweep {sweep}"))?;
                swept.push(point);
            }
        }
        ensure!(swept != points, "--sweep {sweep}: none of {mechanisms} has it; it is for capri");
        points = swept;
    }
    Ok(points)
}

/// Only capri has a predictor.
fn applies(name: &str, point: &SetupArgs) -> bool {
    !matches!(name, "capt-entries" | "history") || point.core.mechanism().starts_with("capri")
}

fn set(point: &mut SetupArgs, name: &str, value: &str) -> Result<()> {
    let core: Vec<String> = CoreArgs::options().into_iter().filter(|option| option != "mechanism").collect();
    if core.iter().any(|option| option == name) {
        point.core.set(name, value)
    } else if MemoryArgs::options().any(|option| option == name) {
        point.memory.set(name, value)
    } else {
        let names = core.iter().map(String::as_str).chain(MemoryArgs::options().map(|name| -> &str { name }));
        bail!("there is no option `{name}` to sweep{}", nearest(name, names))
    }
}

/// The cores of the papers' figures; the options say what all of them share.
fn papers(args: &CompareArgs) -> Result<Vec<SetupArgs>> {
    let with = |mechanism: &str, change: &dyn Fn(&mut CoreArgs)| {
        let mut core = CoreArgs { mechanism: Some(mechanism.to_string()), ..args.core.clone() };
        change(&mut core);
        SetupArgs { core, memory: args.memory.clone(), ..SetupArgs::default() }
    };
    let as_is = |mechanism: &str| with(mechanism, &|_| ());
    let mut cores: Vec<SetupArgs> = MECHANISMS.split(',').map(as_is).collect();
    cores.extend(Permutation::named().map(|(name, _)| as_is(&format!("tbc+slp={name}"))));
    let entries = [2, 4, 8, 16];
    cores.extend(entries.map(|entries| with("capri", &|core| core.capt_entries = Some(entries))));
    cores.push(with("capri", &|core| core.history = Some("sticky".to_string())));
    // Chapter 3 of Rhu 2014 has another scheduler than chapter 4.
    let oldest = |mechanism| with(mechanism, &|core| core.scheduler = Some("oldest".to_string()));
    cores.push(oldest("spe"));
    cores.extend(dual_path::MECHANISMS.map(oldest));
    Ok(cores)
}
