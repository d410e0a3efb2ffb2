//! `--sweep`: a line plot for every option whose values are numbers.
use std::collections::BTreeSet;

use super::{Figure, Runs, Variant, looks};
use crate::chart::{Lines, Look, Series};

/// More lines are not told apart.
const MOST: usize = 12;

/// One for each option that every variant of some mechanism has a number for.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let variants = runs.variants();
    let options: BTreeSet<&String> = variants.iter().flat_map(|variant| variant.parameters.keys()).collect();
    options.into_iter().filter_map(|option| swept(runs, &variants, option)).collect()
}

/// What is the same in all points of a line.
#[derive(Clone, PartialEq)]
struct Line {
    kernel: String,
    /// Without the option that is swept.
    variant: Variant,
    /// Speed over that with the least value, by size.
    values: Vec<Option<f64>>,
}

impl Line {
    /// By how much the speed changes at most.
    fn change(&self) -> f64 {
        let values = || self.values.iter().flatten().copied();
        values().fold(1.0, f64::max) - values().fold(1.0, f64::min)
    }
}

fn swept(runs: &Runs, variants: &[Variant], option: &str) -> Option<Figure> {
    let without = |variant: &Variant| {
        let mut rest = variant.clone();
        rest.parameters.remove(option);
        rest
    };
    // A mechanism with one variant that has not the option is no sweep of it, but a variation of that one.
    let has = |variant: &&Variant| variant.parameters.contains_key(option);
    let plain: Vec<&Variant> = variants.iter().filter(|variant| !has(variant)).collect();
    let all: Vec<&Variant> =
        variants.iter().filter(has).filter(|variant| !plain.contains(&&without(variant))).collect();
    let number = |variant: &Variant| variant.parameters.get(option)?.parse::<f64>().ok();
    let mut sizes = all.iter().map(|variant| number(variant)).collect::<Option<Vec<f64>>>()?;
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    if sizes.len() < 2 {
        return None;
    }
    let mut bases: Vec<Variant> = Vec::new();
    for variant in &all {
        let rest = without(variant);
        let points = all.iter().filter(|other| without(other) == rest).count();
        if points > 1 && !bases.contains(&rest) {
            bases.push(rest);
        }
    }
    let line = |kernel: &str, base: &Variant| {
        let at = |size: &f64| all.iter().find(|variant| number(variant) == Some(*size) && without(variant) == *base);
        let least = at(&sizes[0])?;
        let values = sizes.iter().map(|size| runs.speedup(kernel, at(size)?, least)).collect();
        Some(Line { kernel: kernel.to_string(), variant: base.clone(), values })
    };
    let kernels = runs.kernels();
    let mut lines: Vec<Line> =
        kernels.iter().flat_map(|kernel| bases.iter().filter_map(|base| line(kernel, base))).collect();
    let count = lines.len();
    let most = lines.iter().max_by(|a, b| a.change().total_cmp(&b.change()))?.clone();
    if count > MOST {
        lines.sort_by(|a, b| b.change().total_cmp(&a.change()));
        lines.truncate(MOST);
    }
    let left_out = if count > MOST { format!(", the {MOST} of {count} lines that change most") } else { String::new() };
    let only = if let [kernel] = kernels.as_slice() { format!(" of {kernel}") } else { String::new() };
    let looks = looks::of(&bases);
    let series = lines.iter().enumerate().map(|(number, line)| {
        let base = bases.iter().position(|base| *base == line.variant).unwrap_or(0);
        let (name, look) = match (kernels.len(), bases.len()) {
            (1, _) => (line.variant.to_string(), looks[base].clone()),
            (_, 1) => (line.kernel.clone(), Look::numbered(number)),
            _ => (format!("{}, {}", line.kernel, line.variant), Look::numbered(number)),
        };
        Series { name, look, values: line.values.clone() }
    });
    let chart = Lines {
        title: format!("speed{only} over that with {option} {}{left_out}", sizes[0]),
        size: option.to_string(),
        unit: "speed".to_string(),
        sizes: sizes.clone(),
        series: series.collect(),
    };
    Some(Figure {
        id: format!("sweep_{}", option.replace('-', "_")),
        title: format!("Speed by {option}"),
        beside: "-",
        paper: "-",
        here: format!(
            "of {count} lines that of `{}` under `{}` changes most, by {:.1} % of its speed with {option} {}.",
            most.kernel,
            most.variant,
            100.0 * most.change(),
            sizes[0]
        ),
        note: "",
        svg: chart.svg(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Ending, RunReport};

    fn report(mechanism: &str, parameters: &[(&str, &str)], cycles: u64) -> RunReport {
        RunReport {
            kernel: "bfs".into(),
            mechanism: mechanism.into(),
            preset: "tiny".into(),
            parameters: parameters.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            cycles,
            result: Ending::Pass,
            ..RunReport::default()
        }
    }

    #[test]
    fn one_kernel_has_its_line_too() {
        let reports = [("4", 130), ("12", 100)].map(|(mshrs, cycles)| report("spe", &[("mshrs", mshrs)], cycles));
        let figures = figures(&Runs::new(&reports));
        let [figure] = figures.as_slice() else { panic!("{}", figures.len()) };
        assert_eq!(figure.id, "sweep_mshrs");
        assert!(figure.here.contains("by 30.0 %"), "{}", figure.here);
        for label in ["\n4\n", "\n12\n", "\nspe\n", "speed of bfs over that with mshrs 4"] {
            assert!(figure.svg.contains(label), "{label} in {}", figure.svg);
        }
    }

    #[test]
    fn variations_and_names_are_no_sweeps() {
        let varied = [report("capri", &[], 100), report("capri", &[("capt-entries", "4")], 110)];
        assert!(figures(&Runs::new(&varied)).is_empty());
        let named = ["lrr", "gto"].map(|name| report("spe", &[("scheduler", name)], 100));
        assert!(figures(&Runs::new(&named)).is_empty());
    }
}
