//! Bars beside each other.
use plotters::prelude::*;

use super::colour;
use super::frame::{Frame, ceiling, edges};

/// A group of bars for each kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Above it.
    pub title: String,
    /// What the values are.
    pub unit: String,
    /// A name for each group.
    pub groups: Vec<String>,
    /// The bars of each group.
    pub series: Vec<Series>,
    /// A line across, and what is the lowest value shown: bars begin there.
    pub line: Option<f64>,
    /// The greatest value shown; longer bars are cut off, and say how long they are.
    pub most: Option<f64>,
}

/// One bar in every group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// By group; `None`: no bar.
    pub values: Vec<Option<f64>>,
}

impl Bars {
    /// The picture.
    pub fn svg(&self) -> String {
        let values = self.series.iter().flat_map(|series| series.values.iter().flatten().copied());
        let longest = ceiling(values.chain(self.line).fold(0.0, f64::max));
        let most = self.most.map_or(longest, |most| most.min(longest));
        let bars = self.series.len();
        let legend = self.series.iter().enumerate().map(|(number, series)| (series.name.clone(), colour(number)));
        let frame = Frame {
            title: &self.title,
            unit: &self.unit,
            groups: &self.groups,
            legend: legend.collect(),
            range: (0.0, most),
            bars,
        };
        frame.svg(|row, first, count| {
            for (number, series) in self.series.iter().enumerate() {
                for place in 0..count {
                    let Some(value) = series.values[first + place] else { continue };
                    let (left, right) = edges(place, number, bars);
                    let bar = [(left, 0.0), (right, value.min(most))];
                    row.draw_series([Rectangle::new(bar, colour(number).filled())])?;
                    if value > most {
                        let (x, y) = row.backend_coord(&((left + right) / 2.0, most));
                        let (base_x, base_y) = row.plotting_area().get_base_pixel();
                        let text = Text::new(
                            format!("{value:.1}"),
                            (x - base_x - 7, y - base_y + 2),
                            ("sans-serif", 9).into_font().color(&WHITE),
                        );
                        row.plotting_area().strip_coord_spec().draw(&text)?;
                    }
                }
            }
            if let Some(line) = self.line {
                row.draw_series(LineSeries::new([(0.0, line), (count as f64, line)], BLACK.mix(0.5)))?;
            }
            Ok(())
        })
    }
}
