//! Lines over a size.
use plotters::coord::combinators::BindKeyPoints;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use warploom_synth::picture::{Canvas, Drawn, FONT, marker, svg, text_width, wrapped};

use super::Series;

/// A line for each kernel or mechanism, over sizes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines {
    /// Above it.
    pub title: String,
    /// What the sizes are.
    pub size: String,
    /// What the values are.
    pub unit: String,
    /// The sizes, in order; the axis names these and no others.
    pub sizes: Vec<f64>,
    /// A value for each size. A series is told by its marker, too.
    pub series: Vec<Series>,
}

/// Of the picture without its legend.
const SIZE: (i32, i32) = (720, 480);
const TITLE: (i32, i32) = (18, 22);
const LABEL: (i32, i32) = (12, 17);

impl Lines {
    /// The picture.
    pub fn svg(&self) -> String {
        let names = self.series.iter().map(|series| text_width(&series.name, LABEL.0)).max().unwrap_or(0);
        let width = SIZE.0 + names + 60;
        let title = wrapped(&self.title, TITLE.0, width - 24);
        let head = 12 + TITLE.1 * title.len() as i32;
        let legend = LABEL.1 * self.series.len() as i32 + 12;
        svg((width as u32, (head + SIZE.1.max(legend)) as u32), |canvas| {
            for (number, line) in title.iter().enumerate() {
                canvas.draw(&Text::new(line.as_str(), (12, 10 + TITLE.1 * number as i32), (FONT, TITLE.0)))?;
            }
            let (_, body) = canvas.split_vertically(head);
            let (chart, legend) = body.split_horizontally(SIZE.0);
            self.chart(&chart)?;
            self.legend(&legend)
        })
    }

    fn chart(&self, area: &Canvas) -> Drawn {
        let values = || self.series.iter().flat_map(|series| series.values.iter().flatten().copied());
        let (least, most) = (values().fold(1.0, f64::min), values().fold(1.0, f64::max));
        let room = ((most - least) * 0.1).max(0.01);
        let places = self.places();
        let last = places.last().copied().unwrap_or(1.0);
        let margin = last.powf(0.03).max(1.05);
        let mut chart =
            ChartBuilder::on(area).margin(12).x_label_area_size(44).y_label_area_size(60).build_cartesian_2d(
                (1.0 / margin..last * margin).log_scale().with_key_points(places.clone()),
                least - room..most + room,
            )?;
        let name = |place: &f64| {
            let size = places.iter().position(|other| other == place).map(|number| self.sizes[number]);
            size.map_or(String::new(), |size| size.to_string())
        };
        chart
            .configure_mesh()
            .x_label_formatter(&name)
            .x_desc(&self.size)
            .y_desc(&self.unit)
            .label_style((FONT, 13))
            .light_line_style(WHITE)
            .draw()?;
        for (number, series) in self.series.iter().enumerate() {
            let points = places.iter().zip(&series.values);
            let points: Vec<(f64, f64)> = points.filter_map(|(place, value)| Some((*place, (*value)?))).collect();
            let (left, top) = area.get_base_pixel();
            let pixels = points.iter().map(|point| chart.backend_coord(point)).map(|(x, y)| (x - left, y - top));
            let pixels: Vec<(i32, i32)> = pixels.collect();
            area.draw(&PathElement::new(pixels.clone(), series.look.colour.stroke_width(2)))?;
            pixels.into_iter().try_for_each(|place| marker(area, number, place, series.look.colour))?;
        }
        Ok(())
    }

    /// On a logarithmic axis that begins with 1: sizes that double are equally far from each other. If one is 0, all neighbours are.
    fn places(&self) -> Vec<f64> {
        let grow = self.sizes.iter().all(|size| *size > 0.0);
        let place = |(number, size): (usize, &f64)| if grow { size / self.sizes[0] } else { 2f64.powi(number as i32) };
        self.sizes.iter().enumerate().map(place).collect()
    }

    fn legend(&self, area: &Canvas) -> Drawn {
        for (number, series) in self.series.iter().enumerate() {
            let y = 14 + LABEL.1 * number as i32;
            area.draw(&PathElement::new([(4, y), (32, y)], series.look.colour.stroke_width(2)))?;
            marker(area, number, (18, y), series.look.colour)?;
            let style = TextStyle::from((FONT, LABEL.0)).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(series.name.as_str(), (38, y), style))?;
        }
        Ok(())
    }
}
