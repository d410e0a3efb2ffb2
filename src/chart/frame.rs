//! What charts with a group of bars for each kernel have in common: title, legends, rows, axis, names, marks.
use plotters::chart::ChartContext;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use warploom_synth::picture::{Canvas, Drawn, FONT, svg, text_width, wrapped};

use super::Look;

/// Of a bar with the gap behind it, and what is between groups, in pixels. Wider charts get more room.
const BAR: usize = 10;
const BETWEEN: usize = 14;
/// Wider than this is no row: what does not fit is in another one.
const WIDEST: usize = 1180;
const NARROWEST: usize = 760;
const ROW: u32 = 230;
const NAMES: u32 = 96;
const LEFT: u32 = 64;
const RIGHT: usize = 40;
/// Above the bars of a row; more of it where numbers stand above bars that are cut off.
const ABOVE: u32 = 8;
const ABOVE_CUT: u32 = 38;
const TITLE: (i32, i32) = (18, 22);
const LABEL: (i32, i32) = (12, 16);
/// Of the letters of a mark, one below the other.
const MARK: (i32, i32) = (11, 10);
const GREY: RGBColor = RGBColor(110, 110, 110);

/// A text of the legend, the line it is in and where it begins.
struct Entry<'a> {
    text: String,
    look: Option<&'a Look>,
    line: i32,
    x: i32,
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A chart without its bars.
pub struct Frame<'a> {
    /// Above it.
    pub title: &'a str,
    /// What the values are.
    pub unit: &'a str,
    /// A name for each group.
    pub groups: &'a [String],
    /// Names and looks; each list begins a line.
    pub legends: Vec<Vec<(&'a str, &'a Look)>>,
    /// The greatest value; the least is 0.
    pub most: f64,
    /// Below each bar of a group.
    pub marks: Vec<&'a str>,
    /// Bars reach beyond the greatest value.
    pub is_cut: bool,
    /// Bars are absent.
    pub has_gaps: bool,
}

/// A row of groups, to draw on: everything is in pixels.
pub struct Row<'r, 'a, 'b> {
    chart: &'r Chart<'a, 'b>,
    area: &'r Canvas<'b>,
    bars: usize,
    most: f64,
}

/// Where a bar is.
#[derive(Clone, Copy)]
pub struct Place {
    /// Which group of the row.
    pub group: usize,
    /// Which bar of it.
    pub bar: usize,
}

impl<'a> Frame<'a> {
    /// The picture; `draw` is called for each row, with the number of its first group and how many there are.
    pub fn svg(&self, draw: impl Fn(&Row, usize, usize) -> Drawn) -> String {
        let group = BAR * self.marks.len() + BETWEEN;
        let fit = ((WIDEST - LEFT as usize - RIGHT) / group).max(1);
        let rows = self.groups.len().div_ceil(fit).max(1);
        let wide = self.groups.len().div_ceil(rows);
        let width = (LEFT as usize + RIGHT + wide * group).max(NARROWEST) as i32;
        let title = wrapped(self.title, TITLE.0, width - LEFT as i32 - 8);
        let legend = self.legend(width);
        let lines = legend.iter().map(|entry| entry.line + 1).max().unwrap_or(0);
        let head = 10 + TITLE.1 * title.len() as i32 + LABEL.1 * lines;
        let row = ROW + NAMES + self.below() + self.above() - ABOVE;
        svg((width as u32, head as u32 + row * rows as u32), |canvas| {
            let (top, body) = canvas.split_vertically(head);
            self.head(&top, &title, &legend)?;
            for (row, area) in body.split_evenly((rows, 1)).iter().enumerate() {
                let first = row * wide;
                self.row(area, first, wide.min(self.groups.len() - first), &draw)?;
            }
            Ok(())
        })
    }

    fn above(&self) -> u32 {
        if self.is_cut { ABOVE_CUT } else { ABOVE }
    }

    /// Of the marks.
    fn below(&self) -> u32 {
        let letters = self.marks.iter().map(|mark| mark.chars().count()).max().unwrap_or(0);
        (letters as i32 * MARK.1) as u32
    }

    fn legend(&self, width: i32) -> Vec<Entry<'a>> {
        let (mut line, mut placed) = (0, Vec::new());
        for entries in &self.legends {
            let mut entries: Vec<_> = entries.iter().map(|(name, look)| (name.to_string(), Some(*look))).collect();
            if self.has_gaps && placed.is_empty() {
                entries.push(("\u{d7} not applicable".to_string(), None));
            }
            let mut x = LEFT as i32;
            for (name, look) in entries {
                let mark = look.map_or("", |look| look.mark.as_str());
                let text = if mark.is_empty() { name } else { format!("{mark}: {name}") };
                let wide = 32 + text_width(&text, LABEL.0);
                if x > LEFT as i32 && x + wide > width {
                    (x, line) = (LEFT as i32, line + 1);
                }
                placed.push(Entry { text, look, line, x });
                x += wide;
            }
            line += 1;
        }
        placed
    }

    fn head(&self, area: &Canvas, title: &[String], legend: &[Entry]) -> Drawn {
        for (number, line) in title.iter().enumerate() {
            let y = 8 + TITLE.1 * number as i32;
            area.draw(&Text::new(line.as_str(), (LEFT as i32, y), (FONT, TITLE.0)))?;
        }
        for Entry { text, look, line, x } in legend {
            let y = 8 + TITLE.1 * title.len() as i32 + LABEL.1 * line;
            if let Some(look) = look {
                look.fill(area, [(*x, y), (x + 12, y + 12)])?;
            }
            area.draw(&Text::new(text.as_str(), (x + 17, y), (FONT, LABEL.0)))?;
        }
        Ok(())
    }

    fn row(&self, area: &Canvas, first: usize, count: usize, draw: &impl Fn(&Row, usize, usize) -> Drawn) -> Drawn {
        let mut chart = ChartBuilder::on(area)
            .margin(8)
            .margin_top(self.above())
            .x_label_area_size(NAMES + self.below())
            .y_label_area_size(LEFT - 8)
            .build_cartesian_2d(0.0..count as f64, 0.0..self.most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(0)
            .y_desc(self.unit)
            .label_style((FONT, 12))
            .light_line_style(WHITE)
            .bold_line_style(RGBColor(225, 225, 225))
            .draw()?;
        let row = Row { chart: &chart, area, bars: self.marks.len(), most: self.most };
        draw(&row, first, count)?;
        for (group, name) in self.groups[first..first + count].iter().enumerate() {
            for (bar, mark) in self.marks.iter().enumerate() {
                let (left, right) = row.edges(Place { group, bar });
                for (letter, mark) in mark.chars().enumerate() {
                    let y = row.y(0.0) + 4 + MARK.1 * letter as i32;
                    let place = ((left + right) / 2, y);
                    row.text(&mark.to_string(), place, Style::new(MARK.0, HPos::Center, VPos::Top).of(GREY))?;
                }
            }
            let place = (row.x(group as f64 + 0.5), row.y(0.0) + 8 + self.below() as i32);
            row.text(name, place, Style::new(LABEL.0, HPos::Right, VPos::Center).upwards())?;
        }
        Ok(())
    }
}

/// Of a text.
pub struct Style {
    size: i32,
    anchor: Pos,
    colour: RGBColor,
    transform: FontTransform,
}

impl Style {
    /// Black, from left to right.
    pub fn new(size: i32, h: HPos, v: VPos) -> Self {
        Self { size, anchor: Pos::new(h, v), colour: BLACK, transform: FontTransform::None }
    }

    /// In another colour.
    pub fn of(self, colour: RGBColor) -> Self {
        Self { colour, ..self }
    }

    /// From below.
    pub fn upwards(self) -> Self {
        Self { transform: FontTransform::Rotate270, ..self }
    }
}

impl Row<'_, '_, '_> {
    fn x(&self, x: f64) -> i32 {
        self.chart.backend_coord(&(x, 0.0)).0 - self.area.get_base_pixel().0
    }

    fn y(&self, value: f64) -> i32 {
        self.chart.backend_coord(&(0.0, value)).1 - self.area.get_base_pixel().1
    }

    fn edges(&self, Place { group, bar }: Place) -> (i32, i32) {
        let whole = (BAR * self.bars + BETWEEN) as f64;
        let (gap, width) = (BETWEEN as f64 / 2.0 / whole, BAR as f64 / whole);
        let left = group as f64 + gap + bar as f64 * width;
        let (left, right) = (self.x(left), self.x(left + width));
        (left, (right - 1).max(left + 1))
    }

    fn text(&self, text: &str, place: (i32, i32), style: Style) -> Drawn {
        let Style { size, anchor, colour, transform } = style;
        let style = TextStyle::from((FONT, size)).transform(transform).color(&colour).pos(anchor);
        Ok(self.area.draw(&Text::new(text.to_string(), place, style))?)
    }

    /// A bar, or a part of one: cut off if it is too long, with its length above; a 0 where it has none.
    pub fn bar(&self, place: Place, value: f64, look: &Look) -> Drawn {
        let ((left, right), bottom) = (self.edges(place), self.y(0.0));
        let middle = (left + right) / 2;
        if value == 0.0 {
            return self.text("0", (middle, bottom - 2), Style::new(11, HPos::Center, VPos::Bottom));
        }
        let top = self.y(value.min(self.most)).min(bottom - 1);
        look.fill(self.area, [(left, top), (right, bottom)])?;
        if value > self.most {
            let cut = [(left - 1, top + 9), (right + 1, top + 5)];
            self.area.draw(&PathElement::new(cut, WHITE.stroke_width(3)))?;
            let style = Style::new(12, HPos::Left, VPos::Center).upwards();
            self.text(&format!("{value:.1}"), (middle, top - 3), style)?;
        }
        Ok(())
    }

    /// A part of a bar.
    pub fn part(&self, place: Place, from: f64, to: f64, look: &Look) -> Drawn {
        let (left, right) = self.edges(place);
        look.fill(self.area, [(left, self.y(to)), (right, self.y(from))])
    }

    /// Where there is no bar.
    pub fn gap(&self, place: Place) -> Drawn {
        let (left, right) = self.edges(place);
        let style = Style::new(12, HPos::Center, VPos::Bottom).of(GREY);
        self.text("\u{d7}", ((left + right) / 2, self.y(0.0) - 1), style)
    }

    /// Across the row.
    pub fn line(&self, value: f64, groups: usize) -> Drawn {
        let ends = [(self.x(0.0), self.y(value)), (self.x(groups as f64), self.y(value))];
        Ok(self.area.draw(&PathElement::new(ends, BLACK.mix(0.5)))?)
    }
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
