//! Lines over a size.
use plotters::prelude::*;
use warploom_synth::picture::{FONT, svg};

use super::bars::Series;
use super::colour;

/// A line for each kernel, over sizes that double.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Above it.
    pub title: String,
    /// What the sizes are.
    pub size: String,
    /// What the values are.
    pub unit: String,
    /// The sizes, in order.
    pub sizes: Vec<String>,
    /// A value for each size.
    pub series: Vec<Series>,
}

impl Lines {
    /// The picture.
    pub fn svg(&self) -> String {
        let values = || self.series.iter().flat_map(|series| series.values.iter().flatten().copied());
        let (least, most) = (values().fold(1.0, f64::min), values().fold(1.0, f64::max));
        let room = ((most - least) * 0.1).max(0.01);
        svg((900, 520), |canvas| {
            let mut chart = ChartBuilder::on(canvas)
                .caption(&self.title, (FONT, 18))
                .margin(12)
                .margin_right(190)
                .x_label_area_size(44)
                .y_label_area_size(60)
                .build_cartesian_2d(0.0..(self.sizes.len() - 1) as f64, least - room..most + room)?;
            let name = |place: &f64| self.sizes.get(place.round() as usize).cloned().unwrap_or_default();
            chart
                .configure_mesh()
                .x_labels(self.sizes.len())
                .x_label_formatter(&name)
                .x_desc(&self.size)
                .y_desc(&self.unit)
                .label_style((FONT, 12))
                .light_line_style(WHITE)
                .draw()?;
            for (number, series) in self.series.iter().enumerate() {
                let points = series.values.iter().enumerate();
                let points = points.filter_map(|(place, value)| Some((place as f64, (*value)?)));
                let style = colour(number).stroke_width(2);
                chart.draw_series(LineSeries::new(points, style).point_size(3))?;
                let y = 44 + 16 * number as i32;
                canvas.draw(&PathElement::new([(725, y + 6), (745, y + 6)], style))?;
                canvas.draw(&Text::new(series.name.as_str(), (750, y), (FONT, 12)))?;
            }
            Ok(())
        })
    }
}
