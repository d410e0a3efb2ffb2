//! What compaction could do, by the book: quality of the predictor, utilisation at best, and branches that compact by the share of threads.
use warploom_verification::compactability::{Compactability, Decisions, QUARTERS, Sides};

use super::runs::count;
use super::{Figure, Runs, Variant, listed, looks, mean, percent, with_mean};
use crate::chart::{Bar, Bars, Look, Part, Series, Stacks};

/// As far as there are runs that count it.
pub fn figures(runs: &Runs) -> Vec<Figure> {
    let by_share = |class: &str| breakdown(runs, class);
    [quality(runs), utilisation(runs), by_share("p"), by_share("d")].into_iter().flatten().collect()
}

/// Of the paths of a class, the share that fits into fewer warps if threads could change lanes.
pub fn ideal_rate(runs: &Runs, kernel: &str, class: &str) -> Option<f64> {
    let sides = of_class(counts(runs, kernel)?, class);
    (sides.paths > 0).then(|| sides.ideal.iter().sum::<u64>() as f64 / sides.paths as f64)
}

fn counts<'a>(runs: &Runs<'a>, kernel: &str) -> Option<&'a Compactability> {
    runs.get(kernel, &runs.base()?)?.compactability.as_ref()
}

fn of_class<'a>(counts: &'a Compactability, class: &str) -> &'a Sides {
    if class == "p" { &counts.p } else { &counts.d }
}

/// Kernels that have been counted, if they are divergent, or if they are not.
fn kernels<'a>(runs: &Runs<'a>, divergent: bool) -> Vec<&'a str> {
    let counted = |kernel: &&str| counts(runs, kernel).is_some() && runs.is_divergent(kernel) == divergent;
    runs.kernels().into_iter().filter(counted).collect()
}

const QUALITY: [&str; 4] = ["stall, rightly", "bypass, rightly", "bypass, wrongly", "stall, wrongly"];

fn shares(decisions: &Decisions) -> Option<[f64; 4]> {
    let counts = decisions.counts().map(|count| count as f64);
    let all: f64 = counts.iter().sum();
    (all > 0.0).then(|| counts.map(|count| count / all))
}

/// As what is run, for its look.
fn decider(name: &str) -> Variant {
    let (mechanism, parameter) = name.split_once(", ").unwrap_or((name, ""));
    Variant::with("", mechanism, parameter.split_once(' ').as_slice())
}

fn quality(runs: &Runs) -> Option<Figure> {
    let kernels = [kernels(runs, true), kernels(runs, false)];
    let deciders: Vec<&str> = kernels.iter().flatten().find_map(|kernel| {
        Some(counts(runs, kernel)?.decisions.iter().map(|decisions| &decisions.mechanism[..]).collect())
    })?;
    let right = |kernel: &str, number: usize| {
        shares(&counts(runs, kernel)?.decisions[number]).map(|[stall, bypass, ..]| stall + bypass)
    };
    let accuracy = |kernels: &[&str]| {
        let of = |number: usize| mean(kernels.iter().filter_map(|kernel| right(kernel, number))).map(percent);
        let all: Vec<String> = deciders
            .iter()
            .enumerate()
            .filter_map(|(number, name)| Some(format!("`{name}` {}", of(number)?)))
            .collect();
        format!("{} ({} kernels)", all.join(", "), kernels.len())
    };
    let stacks = Stacks {
        title: "what warps at branches decide, and what is right".to_string(),
        unit: "of warps at branches".to_string(),
        groups: kernels.iter().flatten().map(|kernel| kernel.to_string()).collect(),
        parts: QUALITY.iter().enumerate().map(|(number, name)| Part::other(name.to_string(), number)).collect(),
        bars: looks::of(&deciders.iter().map(|name| decider(name)).collect::<Vec<_>>())
            .into_iter()
            .enumerate()
            .map(|(number, look)| Bar {
                name: deciders[number].to_string(),
                look,
                values: kernels
                    .iter()
                    .flatten()
                    .map(|kernel| shares(&counts(runs, kernel)?.decisions[number]).map(|parts| parts.to_vec()))
                    .collect(),
            })
            .collect(),
    };
    Some(Figure {
        id: "prediction_quality".into(),
        title: "Quality of the adequacy predictor".into(),
        beside: "Rhu 2014, Fig 4.21",
        paper: "CAPRI (1b-Latest) is right for 99 % of the warps of non-divergent and 87 % of divergent benchmarks; on BFS and MUM 75 % (1b-Latest) and 61 % (1b-Sticky). No compaction is right for about half of the warps of divergent benchmarks, TBC and TBC+ for few.",
        here: format!(
            "divergent kernels: {}; others: {}. {}",
            accuracy(&kernels[0]),
            accuracy(&kernels[1]),
            of_the_hardware(runs)
        ),
        note: "All warps at a branch, by the paper's definition: a warp had better stall if compaction comes to fewer warps with it than without it, of warps that nothing has compacted before. The hardware's own counters see only warps that diverge, which alone consult the predictor, once for each side.",
        svg: stacks.svg(),
    })
}

/// How often the predictor itself is right, in the runs.
fn of_the_hardware(runs: &Runs) -> String {
    let variants: Vec<_> =
        [runs.variant("capri", &[]), runs.variant("capri", &[("history", "sticky")])].into_iter().flatten().collect();
    let right = |kernel: &str, variant: &_| {
        let report = runs.get(kernel, variant)?;
        let counts = ["stall_stall", "bypass_bypass", "bypass_stall", "stall_bypass"]
            .map(|name| count(&report.compaction, name));
        let all: f64 = counts.iter().sum();
        (all > 0.0).then(|| (counts[0] + counts[1]) / all)
    };
    let divergent: Vec<&str> = runs.kernels().into_iter().filter(|kernel| runs.is_divergent(kernel)).collect();
    let of = |variant: &_| mean(divergent.iter().filter_map(|kernel| right(kernel, variant))).map(percent);
    match listed(&variants, of) {
        text if text.is_empty() => text,
        text => format!("The predictor's own answers in hardware, divergent kernels: {text}."),
    }
}

fn utilisation(runs: &Runs) -> Option<Figure> {
    let kernels = kernels(runs, true);
    let lanes = runs.base().and_then(|base| runs.any(kernels.first()?, &base)).map(|report| report.lanes)? as f64;
    type Warps = fn(&Compactability) -> u64;
    let ways: [(&str, Warps); 3] = [
        ("as they are", |counts| counts.apart),
        ("tbc at best", |counts| counts.compacted),
        ("ideal", |counts| counts.ideal),
    ];
    let used = |kernel: &str, warps: Warps| {
        let counts = counts(runs, kernel)?;
        (counts.apart > 0).then(|| counts.threads as f64 / (warps(counts) as f64 * lanes))
    };
    let series = ways.iter().enumerate().map(|(number, (name, warps))| Series {
        name: name.to_string(),
        look: Look::numbered(number),
        values: kernels.iter().map(|kernel| used(kernel, *warps)).collect(),
    });
    let chart = Bars {
        title: "SIMD utilisation that compaction could reach, divergent kernels".to_string(),
        unit: "utilisation".to_string(),
        groups: kernels.iter().map(|kernel| kernel.to_string()).collect(),
        series: series.collect(),
        line: None,
        most: None,
    };
    let of = |(name, warps): &(&str, Warps)| {
        Some(format!("{name} {}", percent(mean(kernels.iter().filter_map(|kernel| used(kernel, *warps)))?)))
    };
    let means: Vec<String> = ways.iter().filter_map(of).collect();
    Some(Figure {
        id: "ideal_utilization".into(),
        title: "SIMD utilisation that compaction could reach".into(),
        beside: "Rhu 2014, Fig 4.10",
        paper: "Bars only; the text says that for many benchmarks TBC comes nowhere near what ideal compaction would reach, since active threads share lanes.",
        here: format!("means over the {} divergent kernels: {}.", kernels.len(), means.join(", ")),
        note: "Counted by the book, all warps of a CTA in step; what `tbc` reaches in hardware stands in the figure of utilisation.",
        svg: with_mean(chart, "mean", mean).svg(),
    })
}

/// The permutations of Rhu 2014, Fig 4.27, and none.
const SHOWN: [&str; 4] = ["none", "odd_even", "rev_wid", "balanced"];

fn breakdown(runs: &Runs, class: &str) -> Option<Figure> {
    let all = [kernels(runs, true), kernels(runs, false)].concat();
    let sides = |kernel: &str| counts(runs, kernel).map(|counts| of_class(counts, class));
    let compactable = |kernel: &&str| sides(kernel).is_some_and(|sides| sides.ideal.iter().any(|&count| count > 0));
    let kernels: Vec<&str> = all.into_iter().filter(compactable).collect();
    if kernels.is_empty() {
        return None;
    }
    let parts = |kernel: &str, permutation: &str| {
        let sides = sides(kernel)?;
        let (_, done) = sides.compacted.iter().find(|(name, _)| name == permutation)?;
        let share = |count: u64| count as f64 / sides.paths as f64;
        let missed = (0..QUARTERS).map(|quarter| share(sides.ideal[quarter].saturating_sub(done[quarter])));
        Some(done.iter().map(|&count| share(count)).chain(missed).collect::<Vec<f64>>())
    };
    let step = 100 / QUARTERS;
    let name = |what: &str, quarter: usize| format!("{what}, {} to {} %", quarter * step, (quarter + 1) * step);
    let compacted = (0..QUARTERS).map(|quarter| Part::step(name("compacted", quarter), quarter, QUARTERS));
    let missed = (0..QUARTERS).map(|quarter| Part::other(name("missed", quarter), quarter));
    let permuted = SHOWN.map(|shown| match shown {
        "none" => "tbc".to_string(),
        _ => format!("tbc+slp={shown}"),
    });
    let stacks = Stacks {
        title: format!("{}-branches that could be compacted", class.to_uppercase()),
        unit: "of all paths".to_string(),
        groups: kernels.iter().map(|kernel| kernel.to_string()).collect(),
        parts: compacted.chain(missed).collect(),
        bars: looks::of(&permuted.each_ref().map(|name| decider(name)))
            .into_iter()
            .zip(SHOWN)
            .zip(&permuted)
            .map(|((look, shown), name)| Bar {
                name: name.clone(),
                look,
                values: kernels.iter().map(|kernel| parts(kernel, shown)).collect(),
            })
            .collect(),
    };
    let rate = |shown: &str| {
        let of = |kernel: &&str| Some(parts(kernel, shown)?.iter().take(QUARTERS).sum::<f64>());
        Some(format!("`{shown}` {}", percent(mean(kernels.iter().filter_map(of))?)))
    };
    let rates: Vec<String> = SHOWN.iter().filter_map(|shown| rate(shown)).collect();
    let ideal =
        mean(kernels.iter().filter_map(|kernel| ideal_rate(runs, kernel, class))).map_or(String::new(), percent);
    let (beside, paper) = match class {
        "p" => (
            "Rhu 2014, Fig 4.27",
            "Rev_WID misses paths with half of the threads or more (BITONIC, REDUCT, MDBROT, AOSSORT, QSRDM); Balanced misses few or none.",
        ),
        _ => (
            "Rhu 2014, Fig 4.28",
            "As for P-branches, less so; permutations lose at most 1 % of the rate of TBC alone, but on DXTC.",
        ),
    };
    Some(Figure {
        id: format!("compactable_{class}_branches"),
        title: format!("{}-branches that could be compacted, by their share of threads", class.to_uppercase()),
        beside,
        paper,
        here: format!("means over the {} kernels with such paths: {}; ideal {ideal}.", kernels.len(), rates.join(", ")),
        note: "The whole bar are the paths that could be compacted if threads could change lanes; below, those that are with this permutation. By the threads on the path over those of the CTA; counted by the book, of warps that nothing has compacted before.",
        svg: stacks.svg(),
    })
}
