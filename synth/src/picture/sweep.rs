//! How the area grows with a size, and what a paper says of it.
use plotters::coord::combinators::BindKeyPoints;
use plotters::prelude::*;

use super::{Drawn, FONT, SIZE, marker, svg};
use crate::papers::Published;

/// A size, as a number, and gate equivalents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// What was swept.
    pub size: f64,
    /// Area.
    pub ge: f64,
}

/// The picture of a sweep; both axes are logarithmic, since sizes double. That of the sizes names those that are there.
pub fn sweep(title: &str, size: &str, points: &[Point], published: Option<&Published>) -> String {
    let mut ours: Vec<(f64, f64)> = points.iter().map(|point| (point.size, point.ge)).collect();
    ours.sort_by(|a, b| a.0.total_cmp(&b.0));
    let theirs: Vec<(f64, f64)> =
        published.iter().flat_map(|published| published.gates).map(|&(size, gates)| (size as f64, gates)).collect();
    let all = || ours.iter().chain(&theirs);
    let (x, y) = (range(all().map(|point| point.0)), range(all().map(|point| point.1)));
    let mut sizes: Vec<f64> = all().map(|point| point.0).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    svg(SIZE, |canvas| {
        let mut chart = ChartBuilder::on(canvas)
            .caption(title, (FONT, 20))
            .margin(20)
            .x_label_area_size(50)
            .y_label_area_size(80)
            .build_cartesian_2d(x.log_scale().with_key_points(sizes), y.log_scale())?;
        let name = |size: &f64| size.to_string();
        let mut mesh = chart.configure_mesh();
        mesh.x_label_formatter(&name).x_desc(size).y_desc("gate equivalents").label_style((FONT, 14)).draw()?;
        let lines = [(Some("here"), &ours, BLUE), (published.map(|published| published.source), &theirs, RED)];
        let lines = lines.into_iter().filter_map(|(label, points, colour)| Some((label?, points, colour)));
        for (number, (label, points, colour)) in lines.enumerate() {
            let pixels: Vec<(i32, i32)> = points.iter().map(|point| chart.backend_coord(point)).collect();
            let line = |points: &[(i32, i32)]| -> Drawn {
                canvas.draw(&PathElement::new(points.to_vec(), colour.stroke_width(2)))?;
                points.iter().try_for_each(|place| marker(canvas, number, *place, colour))
            };
            line(&pixels)?;
            let y = 64 + 20 * number as i32;
            line(&[(116, y), (136, y)])?;
            canvas.draw(&Text::new(label, (150, y - 7), (FONT, 14)))?;
        }
        Ok(())
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
    fn both_lines_are_there_and_the_axis_names_the_sizes() {
        let points = [Point { size: 8.0, ge: 1700.0 }, Point { size: 3.0, ge: 460.0 }];
        let alone = sweep("capt", "entries", &points, None);
        let beside = sweep("capt", "entries", &points, published("capt", "entries"));
        assert!(!alone.contains("Rhu 2014") && beside.contains("Rhu 2014"), "{beside}");
        assert!(alone.contains("\n3\n") && alone.contains("\n8\n") && !alone.contains("\n10\n"), "{alone}");
        // Two points and two in the legend, each filled and framed.
        assert_eq!(alone.matches("<circle").count(), 8, "{alone}");
        assert_eq!((beside.matches("<circle").count(), beside.matches("<polygon").count()), (8, 7), "{beside}");
    }
}
