//! The papers' figures, drawn from runs, each with what the paper says beside it.
pub mod claims;
mod compactability;
mod compaction;
pub mod dual_path;
mod energy;
mod formation;
pub mod large_warps;
mod looks;
mod mechanisms;
pub mod replay;
mod runs;
mod sweeps;

pub use runs::{Runs, Variant, harmonic_mean, mean};

use crate::chart::{Bars, Series};
use crate::report::RunReport;

/// A figure, with the paper's beside it.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Name of its file, without an extension.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The papers' figures that show the same.
    pub beside: &'static str,
    /// What the paper says.
    pub paper: &'static str,
    /// The same here.
    pub here: String,
    /// How it is made, where that is not plain.
    pub note: &'static str,
    /// The picture.
    pub svg: String,
}

/// All figures that there are runs for: machine by machine, the names of all but the first with that of the machine.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let on = |(number, preset): (usize, &str)| {
        let runs = runs.on(preset);
        let own = [dual_path::figures(&runs), large_warps::figures(&runs), replay::figures(&runs)].concat();
        let figures = match own.is_empty() {
            true => [mechanisms::figures(&runs), formation::figures(&runs), compaction::figures(&runs)].concat(),
            false => own,
        };
        let figures = [figures, energy::figures(&runs), sweeps::figures(&runs)].concat();
        let name = |figure: Figure| match number {
            0 => figure,
            _ => Figure {
                id: format!("{preset}_{}", figure.id),
                title: format!("{}, on `{preset}`", figure.title),
                ..figure
            },
        };
        figures.into_iter().map(name).collect::<Vec<_>>()
    };
    runs.presets().into_iter().enumerate().flat_map(on).collect()
}

/// The mechanisms as such, without what is varied in them; if there are no two of those, all variants.
pub fn mechanisms(runs: &Runs) -> Vec<Variant> {
    let all = runs.variants();
    let permutation_study = all.iter().filter(|variant| variant.mechanism.starts_with("tbc+slp=")).count() > 1;
    let plain = all
        .iter()
        .filter(|variant| variant.is_plain() && !(permutation_study && variant.mechanism.starts_with("tbc+slp=")));
    let plain: Vec<_> = plain.cloned().collect();
    if plain.len() > 1 { plain } else { all }
}

/// A bar for each of `variants` in every group; `value` is of a kernel and a variant.
fn bars(
    title: &str,
    unit: &str,
    kernels: &[&str],
    variants: &[Variant],
    value: impl Fn(&str, &Variant) -> Option<f64>,
) -> Bars {
    let series = variants.iter().zip(looks::of(variants)).map(|(variant, look)| Series {
        name: variant.to_string(),
        look,
        values: kernels.iter().map(|kernel| value(kernel, variant)).collect(),
    });
    let groups = kernels.iter().map(|kernel| kernel.to_string()).collect();
    Bars { title: title.to_string(), unit: unit.to_string(), groups, series: series.collect(), line: None, most: None }
}

/// Means as a further group at the end, over the values that are there.
fn with_mean(mut bars: Bars, name: &str, mean: impl Fn(Vec<f64>) -> Option<f64>) -> Bars {
    bars.groups.push(name.to_string());
    for series in &mut bars.series {
        let value = mean(series.values.iter().flatten().copied().collect());
        series.values.push(value);
    }
    bars
}

/// Ratios, with their means; bars taller than `most` are cut off.
fn ratios(bars: Bars, (name, mean): (&str, impl Fn(Vec<f64>) -> Option<f64>), most: Option<f64>) -> Bars {
    Bars { line: Some(1.0), most, ..with_mean(bars, name, mean) }
}

/// A number of a variant over that of another, each summed over the kernels that both have.
fn totals(
    runs: &Runs,
    kernels: &[&str],
    variant: &Variant,
    over: &Variant,
    number: impl Fn(&RunReport) -> u64,
) -> Option<f64> {
    let both = kernels.iter().filter_map(|kernel| Some((runs.get(kernel, variant)?, runs.get(kernel, over)?)));
    let (sum, base) = both.fold((0, 0), |(sum, base), (report, other)| (sum + number(report), base + number(other)));
    (base > 0).then(|| sum as f64 / base as f64)
}

/// `+3.4 %`
fn change(ratio: f64) -> String {
    format!("{:+.1} %", 100.0 * (ratio - 1.0))
}

/// `71.5 %`
fn percent(fraction: f64) -> String {
    format!("{:.1} %", 100.0 * fraction)
}

/// `capri +3.4 %, tbc -2.0 %`, of those that have a value.
fn listed(variants: &[Variant], value: impl Fn(&Variant) -> Option<String>) -> String {
    let one = |variant: &Variant| value(variant).map(|value| format!("`{variant}` {value}"));
    variants.iter().filter_map(one).collect::<Vec<_>>().join(", ")
}
