//! What compaction does: quality of the predictor, its size, branches and permutations.
use super::runs::count;
use super::{Figure, Runs, Variant, bars, change, harmonic_mean, listed, mean, percent, with_mean};
use crate::chart::{Lines, Series, Stacks};

/// As far as there are runs.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let branches = [quality(runs), rates(runs, "p"), rates(runs, "d")];
    branches.into_iter().flatten().chain(permuted(runs)).chain(sizes(runs)).collect()
}

const QUALITY: [(&str, &str); 4] = [
    ("stall_stall", "stall, rightly"),
    ("bypass_bypass", "bypass, rightly"),
    ("bypass_stall", "bypass, wrongly"),
    ("stall_bypass", "stall, wrongly"),
];

fn quality(runs: &Runs) -> Option<Figure> {
    let latest = runs.variant("capri", &[])?;
    let variants: Vec<Variant> =
        [Some(latest), runs.variant("capri", &[("history", "sticky")])].into_iter().flatten().collect();
    let fractions = |kernel: &str, variant: &Variant| {
        let report = runs.get(kernel, variant)?;
        let counts = QUALITY.map(|(name, _)| count(&report.compaction, name));
        let all: f64 = counts.iter().sum();
        (all > 0.0).then(|| counts.map(|count| count / all))
    };
    let kernels: Vec<&str> =
        runs.kernels().into_iter().filter(|kernel| fractions(kernel, &variants[0]).is_some()).collect();
    let right = |kernel: &str, variant: &Variant| fractions(kernel, variant).map(|parts| parts[0] + parts[1]);
    let accuracy = |divergent: bool| {
        let of_class: Vec<&str> =
            kernels.iter().copied().filter(|kernel| runs.is_divergent(kernel) == divergent).collect();
        let of = |variant: &Variant| mean(of_class.iter().filter_map(|kernel| right(kernel, variant))).map(percent);
        format!("{} ({} kernels)", listed(&variants, of), of_class.len())
    };
    let stacks = Stacks {
        title: format!(
            "what the predictor says, and what is right; bars from left: {}",
            variants.iter().map(Variant::to_string).collect::<Vec<_>>().join("; ")
        ),
        unit: "of warps and paths".to_string(),
        groups: kernels.iter().map(|kernel| kernel.to_string()).collect(),
        parts: QUALITY.map(|(_, name)| name.to_string()).to_vec(),
        bars: kernels
            .iter()
            .map(|kernel| {
                variants
                    .iter()
                    .map(|variant| fractions(kernel, variant).map_or(vec![], |parts| parts.to_vec()))
                    .collect()
            })
            .collect(),
    };
    Some(Figure {
        id: "prediction_quality".into(),
        title: "Quality of the adequacy predictor".into(),
        beside: "Rhu 2014, Fig 4.21",
        paper: "CAPRI (1b-Latest) is right for 99 % of the warps of non-divergent and 87 % of divergent benchmarks; on BFS and MUM 75 % (1b-Latest) and 61 % (1b-Sticky).",
        here: format!("divergent kernels: {}; others: {}.", accuracy(true), accuracy(false)),
        note: "Only warps that diverge consult the predictor, and only they count here, once for each side; the paper counts all warps at a branch, of which most do not diverge and are bypassed rightly without it. Kernels that never consult it are left out.",
        svg: stacks.svg(),
    })
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
    let mut sped = with_mean(bars(&title, "speedup", &kernels, &variants, speedup), "harmonic mean", harmonic_mean);
    sped.line = Some(1.0);
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
    let ideal = |kernel: &str| rate(kernel, &plain, "_compactable");
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
    chart
        .series
        .push(Series { name: "ideal".to_string(), values: kernels.iter().map(|kernel| ideal(kernel)).collect() });
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
        note: "A path is a side of a branch that splits a CTA; it is compacted if it fills fewer warps than came with threads for it. Ideal: if threads could change lanes; counted under `tbc` as it runs, where earlier compaction has left less to do.",
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
    let sizes = smaller.iter().map(|(entries, _)| entries.to_string()).chain(["32".to_string()]);
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
        series: sensitive.iter().map(|kernel| Series { name: kernel.to_string(), values: values(kernel) }).collect(),
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
