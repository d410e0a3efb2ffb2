//! What a sweep ends in: sizes and what they cost, with the figures of a paper beside them.
use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets::NOTHING};
use warploom_synth::papers::{Published, published};
use warploom_synth::picture::{self, Point};
use warploom_synth::report::Report;

/// One module at several sizes.
pub struct Growth<'a> {
    module: &'a str,
    size: &'a str,
    reports: Vec<&'a Report>,
    published: Option<&'static Published>,
}

impl<'a> Growth<'a> {
    /// Of a module, when `size` was swept.
    pub fn new(module: &'a str, size: &'a str, reports: &'a [Report]) -> Self {
        let reports = reports.iter().filter(|report| report.module == module).collect();
        Self { module, size, reports, published: published(module, size) }
    }

    /// The table, for people.
    pub fn table(&self) -> String {
        let mut table = Table::new();
        table.load_preset(NOTHING).set_header([self.size, "GE", "paper", "ratio", "bits", "ns"]);
        for report in &self.reports {
            let size = self.value(report);
            let paper = self.published.and_then(|published| published.gates_at(size));
            let or_none = |value: Option<f64>| value.map_or("-".to_string(), |value| format!("{value:.2}"));
            table.add_row([
                size.to_string(),
                format!("{:.1}", report.ge),
                or_none(paper),
                or_none(paper.map(|paper| report.ge / paper)),
                report.storage_bits.to_string(),
                or_none(report.critical_path_ns),
            ]);
        }
        table.column_iter_mut().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
        let source = self.published.map_or(String::new(), |published| format!("\n  paper: {}", published.source));
        format!("{}\n{table}{source}", self.module)
    }

    /// The picture. Only of sizes that are numbers.
    pub fn picture(&self) -> Result<String> {
        let point = |report: &&Report| {
            let size = self.value(report);
            let size =
                size.parse().ok().with_context(|| format!("--svg: {} is no number that could be on an axis", size))?;
            Ok(Point { size, ge: report.ge })
        };
        let points = self.reports.iter().map(point).collect::<Result<Vec<_>>>()?;
        Ok(picture::sweep(self.module, self.size, &points, self.published))
    }

    fn value<'r>(&self, report: &'r Report) -> &'r str {
        report.parameters.get(self.size).map_or("", String::as_str)
    }
}
