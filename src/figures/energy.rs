//! `--energy`: what the mechanisms take from the supply, and what that buys.
use super::{Figure, Runs, Variant, bars, change, listed, mean, mechanisms, ratios};
use crate::report::RunReport;

/// Taller bars are cut off.
const MOST: f64 = 2.5;

/// Energy, and energy times delay, if they were measured.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let variants = mechanisms(runs);
    let measured = runs.reports().any(|report| report.energy.is_some());
    let Some(base) = runs.base().filter(|_| measured && variants.len() > 1) else { return Vec::new() };
    let others: Vec<Variant> = variants.into_iter().filter(|variant| *variant != base).collect();
    let figure = |id: &str, title: &str, what: &str, number: fn(&RunReport) -> f64| {
        let kernels = runs.kernels();
        let value = |kernel: &str, variant: &Variant| runs.ratio(kernel, variant, &base, number);
        let bars = bars(&format!("{what}, over {base}"), what, &kernels, &others, value);
        let of = |variant: &Variant| mean(kernels.iter().filter_map(|kernel| value(kernel, variant))).map(change);
        Figure {
            id: id.into(),
            title: title.into(),
            beside: "-",
            paper: "-",
            here: format!("arithmetic means over all kernels: {}.", listed(&others, of)),
            note: "Of the core: its gates with gated clocks, without wires and clock tree; its memories by a model of SRAM, which is of another node than the cells may be; nothing beyond its L1.",
            svg: ratios(bars, ("mean", mean), Some(MOST)).svg(),
        }
    };
    vec![
        figure("energy", "Energy", "energy of a kernel", RunReport::energy_uj),
        figure("energy_delay", "Energy and delay", "energy x delay of a kernel", RunReport::energy_delay),
    ]
}
