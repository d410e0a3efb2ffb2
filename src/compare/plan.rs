//! Which runs there are.
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::Permutation;
use warploom_runtime::kernels::KERNELS;
use warploom_runtime::machines::{self, Reading};

use super::{CompareArgs, read_json};
use crate::cli::{CoreArgs, SetupArgs};
use crate::figures::{dual_path, large_warps, replay};
use crate::mechanism;
use crate::output;
use crate::simulation::Simulation;
use crate::user_kernel::Compiled;

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
        let cores = if args.papers.is_some() { papers(args)? } else { cores(args)? };
        let all = || KERNELS.iter().map(|kernel| kernel.name().to_string()).collect();
        let kernels: Vec<String> = if args.kernels.is_empty() { all() } else { args.kernels.clone() };
        let mut plan = Self::default();
        for kernel in &kernels {
            for core in &cores {
                let of_others = args.papers.is_some() && core.core.preset() == replay::MACHINE;
                if of_others && !replay::BENCHMARKS.contains(&kernel.as_str()) {
                    continue;
                }
                let own = SetupArgs { kernel: Some(kernel.clone()), energy: args.energy.clone(), ..core.clone() };
                if !plan.points.iter().any(|point| point == &own) {
                    plan.points.push(own);
                }
            }
        }
        Ok(plan)
    }

    /// As [`write`](Self::write) has written it.
    pub fn read(path: &Path) -> Result<Self> {
        read_json(path, "plan of a comparison")
    }

    /// As a file for other machines.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        output::save(path, text)
    }

    /// All of them checked, before the first is run.
    pub fn check(&self) -> Result<Vec<Simulation>> {
        let mut compiled = Compiled::default();
        self.points.iter().cloned().map(|point| Simulation::sharing(point, &mut compiled)).collect()
    }
}

/// A core, a memory and a launch for every mechanism and every combination of swept values.
fn cores(args: &CompareArgs) -> Result<Vec<SetupArgs>> {
    let mechanisms = args.core.mechanism.as_deref().unwrap_or(MECHANISMS);
    let names = || mechanisms.split(',').map(str::trim);
    let base = |mechanism: &str| {
        let mut core = CoreArgs { mechanism: Some(mechanism.to_string()), ..args.core.clone() };
        for Owned { is_of, clear, .. } in OWNED {
            if names().any(is_of) && !is_of(mechanism) {
                clear(&mut core);
            }
        }
        let (memory, system, launch) = (args.memory.clone(), args.system.clone(), args.launch.clone());
        SetupArgs { core, memory, system, launch, ..SetupArgs::default() }
    };
    let mut points: Vec<SetupArgs> = names().map(base).collect();
    let mut before = Vec::new();
    for sweep in &args.sweep {
        let (name, values) = sweep
            .split_once('=')
            .with_context(|| format!("--sweep {sweep}: it takes OPTION=VALUE,VALUE,..., as in capt-entries=2,4,8"))?;
        ensure!(
            !before.contains(&name),
            "--sweep {sweep}: {name} is swept already; name all of its values in one --sweep"
        );
        before.push(name);
        let owned = OWNED.into_iter().find(|owned| owned.options.contains(&name));
        let mut swept = Vec::new();
        for point in &points {
            if owned.as_ref().is_some_and(|owned| !(owned.is_of)(point.core.mechanism())) {
                swept.push(point.clone());
                continue;
            }
            for value in values.split(',') {
                let mut point = point.clone();
                point.set(name, value.trim()).with_context(|| format!("--sweep {sweep}"))?;
                swept.push(point);
            }
        }
        let owners = owned.map_or_else(String::new, |owned| (owned.owners)());
        ensure!(swept != points, "--sweep {sweep}: none of {mechanisms} has it; it is for {owners}");
        points = swept;
    }
    Ok(points)
}

/// Options that only some mechanisms have.
struct Owned {
    options: &'static [&'static str],
    /// Whether the mechanism of this name does.
    is_of: fn(&str) -> bool,
    /// Leaves them out.
    clear: fn(&mut CoreArgs),
    /// Who does, for a sentence.
    owners: fn() -> String,
}

const OWNED: [Owned; 3] = [
    Owned {
        options: &["capt-entries", "history"],
        is_of: |name| name.starts_with("capri"),
        clear: |core| (core.capt_entries, core.history) = (None, None),
        owners: || "capri".to_string(),
    },
    Owned {
        options: &["spin", "quantum"],
        is_of: mechanism::takes_turns,
        clear: |core| (core.spin, core.quantum) = (None, None),
        owners: mechanism::those_with_turns,
    },
    Owned {
        options: &["stack-depth"],
        is_of: mechanism::has_stack,
        clear: |core| core.stack_depth = None,
        owners: || "those with reconvergence stacks".to_string(),
    },
];

/// The machines of the papers' figures, each with what ran on it; the options say what all of them share. A preset that is given takes the
/// place of all of them.
fn papers(args: &CompareArgs) -> Result<Vec<SetupArgs>> {
    let mut plan = Papers { args, points: Vec::new() };

    let predictors = [("capt-entries", "2"), ("capt-entries", "4"), ("capt-entries", "8"), ("capt-entries", "16")];
    let compaction = ["spe", "tbc", "tbc-plus", "capri", "capri+slp"];
    compaction.iter().try_for_each(|mechanism| plan.add("capri", mechanism, &[]))?;
    Permutation::named().try_for_each(|(name, _)| plan.add("capri", &format!("tbc+slp={name}"), &[]))?;
    predictors
        .into_iter()
        .chain([("history", "sticky")])
        .try_for_each(|option| plan.add("capri", "capri", &[option]))?;
    plan.add_readings("capri", &["spe", "tbc-plus", "capri", "capri+slp"], &[])?;

    ["spe", "spe+lcp"].iter().try_for_each(|mechanism| plan.add("fung", mechanism, &[]))?;
    let age = [("cta-priority", "age")];
    ["tbc+lcp", "tbc-plus", "tbc-plus+lcp"].iter().try_for_each(|mechanism| plan.add("fung", mechanism, &age))?;
    ["rrb", "srr"].iter().try_for_each(|priority| plan.add("fung", "tbc-plus+lcp", &[("cta-priority", *priority)]))?;
    let dynamic = ["dwf", "dwf-wb", "dwf:core", "dwf-wb:core"];
    dynamic.iter().try_for_each(|mechanism| plan.add("fung", mechanism, &[]))?;
    plan.add_readings("fung", &[&["spe"][..], &dynamic].concat(), &[])?;
    plan.add_readings("fung", &["tbc-plus+lcp"], &age)?;

    plan.add("dpe", "spe", &[])?;
    dual_path::MECHANISMS.iter().try_for_each(|mechanism| plan.add("dpe", mechanism, &[]))?;
    plan.add_readings("dpe", &["spe", "dpe", "dpe:constrained"], &[])?;
    for sets in ["8", "64"] {
        ["spe", "dpe"].iter().try_for_each(|mechanism| plan.add("dpe", mechanism, &[("l1-sets", sets)]))?;
    }

    let machine = "large-warp";
    for (mechanism, options) in large_warps::COMPARED {
        plan.add(machine, mechanism, options)?;
        plan.add_readings(machine, &[mechanism], options)?;
    }
    let alone = [&large_warps::SIZES[..], &[large_warps::PACKED_JUMPS]].concat();
    alone.into_iter().try_for_each(|mechanism| plan.add(machine, mechanism, &[]))?;
    large_warps::GROUPS.iter().try_for_each(|group| plan.add(machine, "spe", &[("scheduler", group)]))?;

    let machine = replay::MACHINE;
    let ways = replay::COMPARED.into_iter().chain(replay::COLLECTORS);
    ways.into_iter().try_for_each(|options| plan.add(machine, "spe", options))?;
    replay::READ.into_iter().try_for_each(|options| plan.add_readings(machine, &["spe"], options))?;
    Ok(plan.points)
}

struct Papers<'a> {
    args: &'a CompareArgs,
    points: Vec<SetupArgs>,
}

impl Papers<'_> {
    /// A mechanism on a machine, with these options, if its figures are wanted.
    fn add(&mut self, preset: &str, mechanism: &str, options: &[(&str, &str)]) -> Result<()> {
        if !self.args.wants(preset) {
            return Ok(());
        }
        let mut core = CoreArgs { mechanism: Some(mechanism.to_string()), ..self.args.core.clone() };
        core.preset.get_or_insert_with(|| preset.to_string());
        let CompareArgs { memory, system, launch, .. } = self.args;
        let (memory, system, launch) = (memory.clone(), system.clone(), launch.clone());
        let mut point = SetupArgs { core, memory, system, launch, ..SetupArgs::default() };
        // It is the same under all mechanisms.
        point.compactability = (preset, mechanism) == ("capri", "spe") && options.is_empty();
        point.eddy =
            preset == "fung" && !point.system.is_gpu() && options.iter().all(|(name, _)| *name == "cta-priority");
        if preset == replay::MACHINE {
            point.launch.size.get_or_insert_with(|| replay::SIZE.to_string());
        }
        options.iter().try_for_each(|(name, value)| point.set(name, value))?;
        self.points.push(point);
        Ok(())
    }

    /// Mechanisms on the other readings of a machine.
    fn add_readings(&mut self, preset: &str, mechanisms: &[&str], options: &[(&str, &str)]) -> Result<()> {
        let readings = machines::find(preset).map_or(&[] as &[Reading], |machine| machine.readings);
        for reading in readings {
            for mechanism in mechanisms {
                self.add(preset, mechanism, &[options, reading.options].concat())?;
            }
        }
        Ok(())
    }
}
