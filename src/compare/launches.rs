//! A comparison of several launches: one for each combination of swept values of what kernels are launched with.
use anyhow::{Context, Result, ensure};

use super::{CompareArgs, Plan};
use crate::cli::LaunchArgs;

/// The runs of all of them.
///
/// # Errors
/// If the command line asks for what there is not.
pub fn planned(args: &CompareArgs) -> Result<Plan> {
    let is_of_launch = |sweep: &String| sweep.split_once('=').is_some_and(|(name, _)| LaunchArgs::has(name));
    let (launches, others): (Vec<String>, Vec<String>) = args.sweep.iter().cloned().partition(is_of_launch);
    let Some((sweep, more)) = launches.split_first() else { return Plan::new(args) };
    ensure!(more.is_empty(), "--sweep {}: it is swept already; name all of its values in one --sweep", more.join(" "));
    let mut all = Plan::default();
    for value in sweep.split_once('=').into_iter().flat_map(|(_, values)| values.split(',')) {
        let mut launch = args.launch.clone();
        launch.set(value.trim()).with_context(|| format!("--sweep {sweep}"))?;
        all.points.extend(Plan::new(&CompareArgs { launch, sweep: others.clone(), ..args.clone() })?.points);
    }
    Ok(all)
}
