//! A comparison as a document: kernels, figures beside the papers', every kernel under every mechanism.
mod html;
mod markdown;

use warploom_runtime::kernels;

use crate::figures::{Figure, Runs, Variant, harmonic_mean};
use crate::report::{Ending, RunReport};

pub use html::html;
pub use markdown::markdown;

/// Text may have `code` in backticks.
pub enum Block {
    /// A paragraph.
    Text(String),
    /// Rows under a header.
    Table {
        /// Names of the columns.
        header: Vec<String>,
        /// As many cells each.
        rows: Vec<Vec<String>>,
    },
    /// With the paper's beside it.
    Figure(Box<Figure>),
}

/// A part with a heading.
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// What is below.
    pub blocks: Vec<Block>,
}

/// What there is to say of these runs, with their figures; `command` has made them.
pub fn document(runs: &Runs, figures: Vec<Figure>, command: &str) -> Vec<Section> {
    let figures = figures.into_iter().map(|figure| Block::Figure(Box::new(figure))).collect();
    let figures = Section { title: "The papers' figures", blocks: figures };
    vec![introduction(runs, command), figures, kernel_section(runs), speed_section(runs)]
}

fn introduction(runs: &Runs, command: &str) -> Section {
    let wrong: Vec<String> = runs.reports().iter().filter(|report| report.result != Ending::Pass).map(ending).collect();
    let mut presets: Vec<String> = runs.variants().into_iter().map(|variant| variant.preset).collect();
    presets.sort();
    presets.dedup();
    let outcome = match wrong.as_slice() {
        [] => "All results are right.".to_string(),
        wrong => format!("**{} are not right**: {}.", wrong.len(), wrong.join("; ")),
    };
    let counts = format!(
        "{} runs: {} kernels on {} variants of the `{}` core. {outcome} Cycle counts are exact, and the same on every machine.",
        runs.reports().len(),
        runs.kernels().len(),
        runs.variants().len(),
        presets.join("`, `")
    );
    let made = format!(
        "Made by `{command}`, which any number of machines can share (docs/user/comparing.md). Metrics are defined in docs/reference/metrics.md."
    );
    Section { title: "Results", blocks: vec![Block::Text(made), Block::Text(counts)] }
}

fn ending(report: &RunReport) -> String {
    let how = if report.result == Ending::Fail { "FAIL" } else { "stopped" };
    let reason = report.reason.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
    format!("`{}` under `{}` {how} ({reason})", report.kernel, Variant::of(report))
}

fn kernel_section(runs: &Runs) -> Section {
    let base = runs.base();
    let row = |name: &&str| {
        let report = base.as_ref().and_then(|base| runs.any(name, base))?;
        let about = kernels::find(name).ok().map(|kernel| kernel.about());
        let of = |text: Option<String>| text.unwrap_or_default();
        Some(vec![
            format!("`{name}`"),
            of(about.map(|about| about.summary.to_string())),
            of(about.map(|about| about.papers.to_string())),
            of(about.map(|about| about.arithmetic.to_string())),
            format!("{} {}", report.size, of(about.map(|about| about.unit.to_string()))),
            report.cycles.to_string(),
            format!("{:.1} %", 100.0 * report.simd_utilization),
            report.divergent_branches.to_string(),
        ])
    };
    let rows = runs.kernels().iter().filter_map(row).collect();
    let base = base.map_or(String::new(), |base| base.to_string());
    let header = ["kernel", "what it computes, and how its control flow goes", "papers", "arithmetic", "size"];
    let header = header.map(str::to_string).into_iter();
    let header = header.chain([format!("cycles, {base}"), "SIMD utilisation".into(), "divergent branches".into()]);
    let explained = "The sources are written here from the published algorithms (testbenches/runtime/kernels); each has a reference that checks every word. There are no float lanes yet: where the original has floats, fixed point stands for them.";
    Section {
        title: "The kernels",
        blocks: vec![Block::Text(explained.into()), Block::Table { header: header.collect(), rows }],
    }
}

fn speed_section(runs: &Runs) -> Section {
    let variants = runs.variants();
    let Some((base, others)) = variants.split_first() else {
        return Section { title: "Every run", blocks: Vec::new() };
    };
    let cell = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.3}"));
    let row = |kernel: &&str| {
        let speeds = others.iter().map(|variant| cell(runs.speedup(kernel, variant, base)));
        [format!("`{kernel}`")].into_iter().chain(speeds).collect::<Vec<_>>()
    };
    let mean = |kernels: Vec<&str>, name: &str| {
        let of = |variant| harmonic_mean(kernels.iter().filter_map(|kernel| runs.speedup(kernel, variant, base)));
        [name.to_string()].into_iter().chain(others.iter().map(|variant| cell(of(variant)))).collect::<Vec<_>>()
    };
    let of_class =
        |divergent| runs.kernels().into_iter().filter(|kernel| runs.is_divergent(kernel) == divergent).collect();
    let mut rows: Vec<_> = runs.kernels().iter().map(row).collect();
    rows.push(mean(of_class(true), "harmonic mean, utilisation below 90 %"));
    rows.push(mean(of_class(false), "harmonic mean, the others"));
    rows.push(mean(runs.kernels(), "harmonic mean, all"));
    let header = ["kernel".to_string()].into_iter().chain(others.iter().map(Variant::to_string)).collect();
    let text = format!("Speed over `{base}`: its cycles by theirs.");
    Section { title: "Every run", blocks: vec![Block::Text(text), Block::Table { header, rows }] }
}
