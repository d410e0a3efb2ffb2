//! A comparison as a document: kernels, figures beside the papers', every kernel under every mechanism.
mod html;
mod markdown;

use warploom_runtime::kernels;

use crate::figures::{Figure, Runs, Variant, claims, harmonic_mean};
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
    pub title: String,
    /// What is below.
    pub blocks: Vec<Block>,
}

/// What there is to say of these runs, with their figures; `command` has made them.
pub fn document(runs: &Runs, figures: Vec<Figure>, command: &str) -> Vec<Section> {
    let figures = figures.into_iter().map(|figure| Block::Figure(Box::new(figure))).collect();
    let figures = Section { title: "The papers' figures".into(), blocks: figures };
    let claims = claims::rows(runs);
    let before = [(!claims.is_empty()).then(|| claims_section(claims)), Some(figures), Some(kernel_section(runs))];
    let speeds = runs.presets().into_iter().map(|preset| speed_section(&runs.on(preset), preset));
    [introduction(runs, command)].into_iter().chain(before.into_iter().flatten()).chain(speeds).collect()
}

fn claims_section(rows: Vec<Vec<String>>) -> Section {
    let text = "Each on the paper's machine (`warploom presets --json` has the source of every value); gains of speed are harmonic means, those of idle slots are of totals. \
        *Without one kernel* is from what the same is without the kernel that lifts it most to what it is without the one that holds it down most: where that range has both signs, the claim rests on one kernel. \
        *Other readings* are the same on what the paper may also have meant, or leaves open. The verdict goes by the ratio of ours to the paper's: \
        0.8 to 1.25 is *as in the paper*, below 0.5 *much smaller*.";
    Section {
        title: "What the papers claim".into(),
        blocks: vec![
            Block::Text(text.into()),
            Block::Table { header: claims::HEADER.map(str::to_string).to_vec(), rows },
        ],
    }
}

fn introduction(runs: &Runs, command: &str) -> Section {
    let wrong: Vec<String> = runs.reports().filter(|report| report.result != Ending::Pass).map(ending).collect();
    let outcome = match wrong.as_slice() {
        [] => "All results are right.".to_string(),
        wrong => format!("**{} are not right**: {}.", wrong.len(), wrong.join("; ")),
    };
    let counts = format!(
        "{} runs: {} kernels on {} variants of {}. {outcome} Cycle counts are exact, and the same on every machine.",
        runs.reports().count(),
        runs.kernels().len(),
        runs.variants().len(),
        runs.presets().into_iter().map(|preset| format!("`{preset}`")).collect::<Vec<_>>().join(", ")
    );
    let made = format!(
        "Made by `{command}`, which any number of machines can share (docs/user/comparing.md). Metrics are defined in docs/reference/metrics.md."
    );
    Section { title: "Results".into(), blocks: vec![Block::Text(made), Block::Text(counts)] }
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
    let explained = "The sources are written here from the published algorithms (testbenches/runtime/kernels); each has a reference that checks every word. Where the original has floats, so have they, but for `mandelbrot` and `sobel`, which are in fixed point and run on a core without floats.";
    Section {
        title: "The kernels".into(),
        blocks: vec![Block::Text(explained.into()), Block::Table { header: header.collect(), rows }],
    }
}

fn speed_section(runs: &Runs, preset: &str) -> Section {
    let title = format!("Every run on `{preset}`");
    let variants = runs.variants();
    let Some((base, others)) = variants.split_first() else {
        return Section { title, blocks: Vec::new() };
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
    let text = format!(
        "Speed over `{base}`: its cycles by theirs. What is over `{base}` of another memory says less: compare columns."
    );
    Section { title, blocks: vec![Block::Text(text), Block::Table { header, rows }] }
}
