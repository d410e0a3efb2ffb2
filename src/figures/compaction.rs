//! What compaction does: size of the predictor, branches and permutations.
use super::runs::count;
use super::{
    Figure, Runs, Variant, bars, change, compactability, harmonic_mean, listed, mean, percent, ratios, with_mean,
};
use crate::chart::{Lines, Look, Series};

/// As far as there are runs.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let branches = [rates(runs, "p"), rates(runs, "d")];
    let (by_the_book, branches) = (compactability::figures(runs), branches.into_iter().flatten());
    by_the_book.into_iter().chain(branches).chain(permuted(runs)).chain(sizes(runs)).collect()
}

/// TBC alone, and with every permutation that was run.
fn permutations(runs: &Runs) -> Option<Vec<Variant>> {
    let plain = runs.variant("tbc", &[])?;
    let permuted = runs
        .variants()
        .into_iter()
        .filter(|variant| variant.mechanism.starts_with("tbc+slp=") && variant.has_only(&[]));
    let variants: Vec<Variant> = std::iter::once(plain).chain(permuted).collect();
    (variants.len() > 1).then_some(variants)
}

/// Utilisation and speed of the divergent kernels.
fn permuted(runs: &Runs) -> Vec<Figure> {
    let (Some(variants), Some(base)) = (permutations(runs), runs.base()) else { return Vec::new() };
    let kernels: Vec<&str> = runs.kernels().into_iter().filter(|kernel| runs.is_divergent(kernel)).collect();
    let over = format!("{} divergent kernels", kernels.len());

    let utilisation = |kernel: &str, variant: &Variant| Some(runs.get(kernel, variant)?.simd_utilization);
    let title = "SIMD utilisation by permutation of lanes, divergent kernels";
    let utilised = with_mean(bars(title, "utilisation", &kernels, &variants, utilisation), "mean", mean);
    let gain = |kernel: &str, variant: &Variant| runs.ratio(kernel, variant, &base, |report| report.simd_utilization);
    let mean_gain = |variant: &Variant| mean(kernels.iter().filter_map(|kernel| gain(kernel, variant))).map(change);

    let speedup = |kernel: &str, variant: &Variant| runs.speedup(kernel, variant, &base);
    let title = format!("speed by permutation of lanes, over {base}, divergent kernels");
    let sped = bars(&title, "speedup", &kernels, &variants, speedup);
    let sped = ratios(sped, ("harmonic mean", harmonic_mean), None);
    let mean_speedup =
        |variant: &Variant| harmonic_mean(kernels.iter().filter_map(|kernel| speedup(kernel, variant))).map(change);

    let utilisation = Figure {
        id: "permuted_utilization".into(),
        title: "SIMD utilisation by permutation of lanes".into(),
        beside: "Rhu 2014, Fig 4.29",
        paper: "Over no compaction Balanced has +11.3 %, Rev_WID +8.8 %, Odd_Even +6 % on average; over TBC +7.1 %, +4.8 %, +2.1 %.",
        here: format!("means over the {over}, over `{base}`: {}.", listed(&variants, mean_gain)),
        note: "",
        svg: utilised.svg(),
    };
    let speed = Figure {
        id: "permuted_speed".into(),
        title: "Speed by permutation of lanes".into(),
        beside: "Rhu 2014, Fig 4.30",
        paper: "With the predictor, harmonic means over eight benchmarks: Balanced +11.6 %, the best of all but 1.1 % at least; FLIP_odd +5 % over CAPRI.",
        here: format!("harmonic means over the {over}: {}.", listed(&variants, mean_speedup)),
        note: "Under `tbc`, where the paper has the predictor, too; that with Balanced stands in the table of claims.",
        svg: sped.svg(),
    };
    vec![utilisation, speed]
}

/// Of P-branches (`p`) or D-branches (`d`).
fn rates(runs: &Runs, class: &str) -> Option<Figure> {
    let variants = permutations(runs)?;
    let plain = variants[0].clone();
    let rate = |kernel: &str, variant: &Variant, what: &str| {
        let report = runs.get(kernel, variant)?;
        let paths = count(&report.compaction, &format!("{class}_paths"));
        (paths > 0.0).then(|| count(&report.compaction, &format!("{class}_paths{what}")) / paths)
    };
    let kernels: Vec<&str> = runs.kernels().into_iter().filter(|kernel| rate(kernel, &plain, "").is_some()).collect();
    let compacted = |kernel: &str, variant: &Variant| rate(kernel, variant, "_compacted");
    let ideal = |kernel: &str| compactability::ideal_rate(runs, kernel, class);
    let (id, title, paper) = match class {
        "p" => (
            "compaction_p_branches",
            "Compaction of P-branches by permutation of lanes",
            "Averages over 15 benchmarks: 3.2 % without a permutation, Balanced 71.5 %, Rev_WID 52.8 %, Odd_Even 28.9 %; ideal 72.7 %.",
        ),
        _ => (
            "compaction_d_branches",
            "Compaction of D-branches by permutation of lanes",
            "Averages over 9 benchmarks: 42.5 % without a permutation, ideal 64.4 %; in the 5 that compact badly Balanced has 59.3 % of 68.5 %, Odd_Even less than none.",
        ),
    };
    let mut chart = bars(title, "compacted / all paths", &kernels, &variants, compacted);
    let values = kernels.iter().map(|kernel| ideal(kernel)).collect();
    let look = Look { mark: "i".to_string(), ..Look::numbered(0) };
    chart.series.push(Series { name: "ideal".to_string(), look, values });
    let chart = with_mean(chart, "mean", mean);
    let of = |variant: &Variant| mean(kernels.iter().filter_map(|kernel| compacted(kernel, variant))).map(percent);
    let best = mean(kernels.iter().filter_map(|kernel| ideal(kernel))).map_or(String::new(), percent);
    Some(Figure {
        id: id.into(),
        title: title.into(),
        beside: "Rhu 2014, Fig 4.26 (and 4.15)",
        paper,
        here: format!(
            "means over the {} kernels with such branches: {}; ideal {best}.",
            kernels.len(),
            listed(&variants, of)
        ),
        note: "A path is a side of a branch that splits a CTA; it is compacted if it fills fewer warps than came with threads for it. Ideal: if threads could change lanes, of paths of the same kernel that nothing has compacted before.",
        svg: chart.svg(),
    })
}

fn sizes(runs: &Runs) -> Option<Figure> {
    let all = runs.variant("capri", &[])?;
    let mut smaller: Vec<(usize, Variant)> = runs
        .variants()
        .into_iter()
        .filter(|variant| variant.mechanism == "capri" && variant.parameters.len() == 1)
        .filter_map(|variant| Some((variant.parameters.get("capt-entries")?.parse().ok()?, variant)))
        .collect();
    smaller.sort_by_key(|(entries, _)| *entries);
    if smaller.is_empty() {
        return None;
    }
    let sizes = smaller.iter().map(|(entries, _)| *entries as f64).chain([32.0]);
    let values = |kernel: &str| {
        let relative = smaller.iter().map(|(_, variant)| runs.speedup(kernel, variant, &all));
        relative.chain([Some(1.0)]).collect::<Vec<_>>()
    };
    let matters = |kernel: &&str| values(kernel).iter().flatten().any(|value| (value - 1.0).abs() > 0.01);
    let (sensitive, rest): (Vec<&str>, Vec<&str>) = runs.kernels().into_iter().partition(matters);
    let lines = Lines {
        title: "speed over that with 32 entries; kernels for which the size matters by more than 1 %".to_string(),
        size: "entries of the prediction table".to_string(),
        unit: "speed".to_string(),
        sizes: sizes.collect(),
        series: sensitive
            .iter()
            .enumerate()
            .map(|(number, kernel)| Series {
                name: kernel.to_string(),
                look: Look::numbered(number),
                values: values(kernel),
            })
            .collect(),
    };
    let of = |entries: &usize, variant: &Variant| {
        let speeds =
            || runs.kernels().into_iter().filter_map(|kernel| Some((runs.speedup(kernel, variant, &all)?, kernel)));
        let (least, kernel) = speeds().min_by(|a, b| a.0.total_cmp(&b.0))?;
        let average = harmonic_mean(speeds().map(|(speed, _)| speed))?;
        Some(format!("{entries} entries {} (at worst {} of `{kernel}`)", percent(average), percent(least)))
    };
    let summary: Vec<String> = smaller.iter().filter_map(|(entries, variant)| of(entries, variant)).collect();
    Some(Figure {
        id: "predictor_size".into(),
        title: "Size of the prediction table".into(),
        beside: "Rhu 2014, Fig 4.25",
        paper: "With 4 entries at least 98.3 % of the speed of an unlimited table, but MUM: 95 % with 4, 86 % with 2.",
        here: format!(
            "of the speed with 32 entries, harmonic means over all kernels: {}. It makes less than 1 % to {} kernels.",
            summary.join(", "),
            rest.len()
        ),
        note: "",
        svg: lines.svg(),
    })
}
