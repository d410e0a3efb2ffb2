//! What charts with a group of bars for each kernel have in common: rows, axis, names.
use plotters::chart::ChartContext;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use warploom_synth::picture::{Canvas, Drawn, FONT, svg};

/// Groups side by side; further ones are in another row.
const GROUPS: usize = 20;
const ROW: u32 = 320;
const HEAD: u32 = 64;
const NAMES: u32 = 96;
const LEFT: u32 = 64;

/// Where bars are drawn: x counts groups of a row.
pub type Row<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A chart without its bars.
pub struct Frame<'a> {
    /// Above it.
    pub title: &'a str,
    /// What the values are.
    pub unit: &'a str,
    /// A name for each group.
    pub groups: &'a [String],
    /// A name and a colour for each kind of bar.
    pub legend: Vec<(String, RGBColor)>,
    /// Least and greatest value.
    pub range: (f64, f64),
    /// Bars of a group.
    pub bars: usize,
}

impl Frame<'_> {
    /// The picture; `draw` is called for each row, with the number of its first group and how many there are.
    pub fn svg(&self, draw: impl Fn(&mut Row, usize, usize) -> Drawn) -> String {
        let rows = self.groups.len().div_ceil(GROUPS).max(1);
        let wide = self.groups.len().div_ceil(rows);
        let width = (LEFT + 40 + (wide * (8 * self.bars + 14)) as u32).max(760);
        svg((width, HEAD + ROW * rows as u32), |canvas| {
            let (head, body) = canvas.split_vertically(HEAD);
            self.head(&head, width)?;
            for (row, area) in body.split_evenly((rows, 1)).iter().enumerate() {
                let first = row * wide;
                self.row(area, first, wide.min(self.groups.len() - first), &draw)?;
            }
            Ok(())
        })
    }

    fn head(&self, area: &Canvas, width: u32) -> Drawn {
        area.draw(&Text::new(self.title, (LEFT as i32, 8), (FONT, 18)))?;
        let (mut x, mut y) = (LEFT as i32, 34);
        for (name, colour) in &self.legend {
            let wide = 28 + 8 * name.len() as i32;
            if x + wide > width as i32 {
                (x, y) = (LEFT as i32, y + 15);
            }
            area.draw(&Rectangle::new([(x, y), (x + 11, y + 11)], colour.filled()))?;
            area.draw(&Text::new(name.as_str(), (x + 15, y), (FONT, 12)))?;
            x += wide;
        }
        Ok(())
    }

    fn row(&self, area: &Canvas, first: usize, count: usize, draw: &impl Fn(&mut Row, usize, usize) -> Drawn) -> Drawn {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .x_label_area_size(NAMES)
            .y_label_area_size(LEFT - 8)
            .build_cartesian_2d(0.0..count as f64, self.range.0..self.range.1)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(self.unit)
            .label_style((FONT, 12))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .draw()?;
        draw(&mut chart, first, count)?;
        let style = (FONT, 12)
            .into_text_style(area)
            .transform(FontTransform::Rotate270)
            .pos(Pos::new(HPos::Right, VPos::Center));
        for (place, name) in self.groups[first..first + count].iter().enumerate() {
            let (x, y) = chart.backend_coord(&(place as f64 + 0.5, self.range.0));
            let (left, top) = area.get_base_pixel();
            area.draw(&Text::new(name.as_str(), (x - left, y - top + 6), style.clone()))?;
        }
        Ok(())
    }
}

/// Of the bar `number` of `bars` in the group at `place`: its edges.
pub fn edges(place: usize, number: usize, bars: usize) -> (f64, f64) {
    const GAP: f64 = 0.12;
    let width = (1.0 - 2.0 * GAP) / bars as f64;
    let left = place as f64 + GAP + number as f64 * width;
    (left, left + width * 0.92)
}

/// A round number that is not less.
pub fn ceiling(value: f64) -> f64 {
    let value = value.max(1e-9);
    let unit = 10f64.powf(value.log10().floor());
    [1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|factor| factor * unit)
        .find(|round| *round >= value * 0.999_999)
        .unwrap_or(value)
}
