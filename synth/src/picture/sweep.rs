//! How the area grows with a size, and what a paper says of it.
use plotters::prelude::*;

use super::{FONT, SIZE, svg};
use crate::papers::Published;

/// A size, as a number, and gate equivalents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// What was swept.
    pub size: f64,
    /// Area.
    pub ge: f64,
}

/// The picture of a sweep; both axes are logarithmic, since sizes double.
pub fn sweep(title: &str, size: &str, points: &[Point], published: Option<&Published>) -> String {
    let mut ours: Vec<(f64, f64)> = points.iter().map(|point| (point.size, point.ge)).collect();
    ours.sort_by(|a, b| a.0.total_cmp(&b.0));
    let theirs: Vec<(f64, f64)> =
        published.iter().flat_map(|published| published.gates).map(|&(size, gates)| (size as f64, gates)).collect();
    let all = || ours.iter().chain(&theirs);
    let (x, y) = (range(all().map(|point| point.0)), range(all().map(|point| point.1)));
    svg(SIZE, |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .caption(title, (FONT, 20))
            .margin(20)
            .x_label_area_size(50)
            .y_label_area_size(80)
            .build_cartesian_2d(x.log_scale(), y.log_scale())?;
        chart.configure_mesh().x_desc(size).y_desc("gate equivalents").label_style((FONT, 14)).draw()?;
        let mut line = |points: &[(f64, f64)], colour: RGBColor, label: &str| -> super::Drawn {
            let style = colour.stroke_width(2);
            let key = move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style);
            chart.draw_series(LineSeries::new(points.iter().copied(), style).point_size(4))?.label(label).legend(key);
            Ok(())
        };
        line(&ours, BLUE, "here")?;
        if let Some(published) = published {
            line(&theirs, RED, published.source)?;
        }
        let place = SeriesLabelPosition::UpperLeft;
        Ok(chart.configure_series_labels().position(place).label_font((FONT, 14)).border_style(BLACK).draw()?)
    })
}

/// With some room on either side.
fn range(values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
    let least = values.clone().fold(f64::INFINITY, f64::min).max(1e-3);
    let most = values.fold(least, f64::max);
    least / 1.3..most * 1.3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::published;

    #[test]
    fn both_lines_are_there() {
        let points = [Point { size: 8.0, ge: 1700.0 }, Point { size: 2.0, ge: 460.0 }];
        let alone = sweep("capt", "entries", &points, None);
        let beside = sweep("capt", "entries", &points, published("capt", "entries"));
        assert!(!alone.contains("Rhu 2014") && beside.contains("Rhu 2014"), "{beside}");
        assert_eq!(alone.matches("<circle").count(), 2, "{alone}");
        assert_eq!(beside.matches("<circle").count(), 7);
    }
}
