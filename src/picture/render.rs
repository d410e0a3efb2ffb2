//! From panels to SVG.
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use warploom_synth::picture::text_width;

use super::{BlockNames, Panel};

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

const FONT: &str = "sans-serif";
/// Where the lanes begin, and what is left to the right of the last cycle.
const LEFT: i32 = 58;
const RIGHT: i32 = 20;
/// Above a panel's lanes: its caption and the names of the blocks; below them, the axis.
const CAPTION: i32 = 22;
const CAPTION_SIZE: i32 = 14;
const NAMES: i32 = 15;
const AXIS: i32 = 38;
/// Of the cycles of a panel, if they are few.
const WIDTH: i32 = 1120;
const LEAST_WIDTH: i32 = 640;
/// Of an entry of the legend, the width at least; and of a letter in it.
const LEGEND_ENTRY: (i32, i32) = (250, 18);
const LETTER: i32 = 7;
const IDLE: RGBColor = RGBColor(236, 236, 236);
const GRID: RGBColor = RGBColor(205, 205, 205);
/// Cells from this width and height on show the grid, and from the next one on their threads.
const GRID_FROM: (i32, i32) = (4, 8);
const TEXT_FROM: i32 = 8;

/// Draws panels below each other, and a legend of their blocks, which are coloured alike in all of them. The panels are of one program
/// and one window.
pub fn render(panels: &[Panel]) -> String {
    let layout = Layout::of(panels);
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, layout.size()).into_drawing_area();
        let drawn = canvas.fill(&WHITE).map_err(Into::into).and_then(|()| layout.draw(&canvas, panels));
        // A text takes everything: an error is a mistake in the drawing.
        drawn.and_then(|()| Ok(canvas.present()?)).expect("a text takes everything");
    }
    text
}

struct Layout {
    /// Of a cell, in pixels.
    cell: (i32, i32),
    /// Of the cycles.
    width: i32,
    /// Of the longest caption.
    caption: i32,
    heights: Vec<i32>,
    /// Blocks in the legend.
    blocks: BTreeSet<u32>,
    names: BlockNames,
    /// Thread numbers are one character.
    named_threads: bool,
}

impl Layout {
    fn of(panels: &[Panel]) -> Self {
        let cycles = panels.iter().map(|panel| panel.columns.len()).max().unwrap_or(0).max(1) as i32;
        let lanes = panels.iter().map(|panel| panel.lanes).max().unwrap_or(1);
        let cell = ((WIDTH / cycles).clamp(1, 16), if lanes <= 4 { 16 } else { (160 / lanes as i32).clamp(5, 14) });
        let issued = || panels.iter().flat_map(Panel::issued);
        let threads = issued().flat_map(|column| column.threads.iter().flatten()).max();
        Self {
            cell,
            width: cycles * cell.0,
            caption: panels.iter().map(|panel| text_width(&panel.caption(), CAPTION_SIZE)).max().unwrap_or(0),
            heights: panels.iter().map(|panel| CAPTION + NAMES + panel.lanes as i32 * cell.1 + AXIS).collect(),
            blocks: issued().map(|column| column.block).collect(),
            names: panels.first().map(|panel| panel.blocks.clone()).unwrap_or_default(),
            named_threads: threads.is_some_and(|&thread| thread < 36),
        }
    }

    fn total_width(&self) -> i32 {
        LEFT + self.width.max(LEAST_WIDTH).max(self.caption) + RIGHT
    }

    fn legend_columns(&self) -> i32 {
        ((self.total_width() - LEFT) / self.legend_width()).max(1)
    }

    fn legend_width(&self) -> i32 {
        let letters = self.blocks.iter().map(|&block| self.names.describe(block).chars().count()).max();
        LEGEND_ENTRY.0.max(40 + LETTER * letters.unwrap_or(0) as i32)
    }

    fn size(&self) -> (u32, u32) {
        // With the two that are no blocks.
        let rows = (self.blocks.len() as i32 + 2 + self.legend_columns() - 1) / self.legend_columns();
        let height = self.heights.iter().sum::<i32>() + rows * LEGEND_ENTRY.1 + 10;
        (self.total_width() as u32, height as u32)
    }

    fn draw(&self, canvas: &Canvas<'_>, panels: &[Panel]) -> Drawn {
        let mut top = 4;
        for (panel, height) in panels.iter().zip(&self.heights) {
            Drawing { layout: self, canvas, panel, top: top + CAPTION + NAMES }.draw(top)?;
            top += height;
        }
        self.legend(canvas, top)
    }

    fn legend(&self, canvas: &Canvas<'_>, top: i32) -> Drawn {
        let blocks = self.blocks.iter().map(|&block| (self.colour(block), self.names.describe(block)));
        let idle = [(IDLE, "nothing issues".to_string()), (WHITE, "lane masked out".to_string())];
        for (number, (colour, text)) in blocks.chain(idle).enumerate() {
            let (column, row) = (number as i32 % self.legend_columns(), number as i32 / self.legend_columns());
            let (x, y) = (LEFT + column * self.legend_width(), top + row * LEGEND_ENTRY.1);
            let corners = [(x, y), (x + 12, y + 12)];
            canvas.draw(&Rectangle::new(corners, colour.filled()))?;
            canvas.draw(&Rectangle::new(corners, GRID.stroke_width(1)))?;
            label(canvas, &text, (x + 18, y + 6), 12, HPos::Left)?;
        }
        Ok(())
    }

    /// Neighbours in the program are far apart on the colour wheel.
    fn colour(&self, block: u32) -> RGBColor {
        let index = self.names.index(block).unwrap_or(0) as f64;
        let hue = (0.58 + index * 0.381_966).fract();
        // Those that come close again after a while are not equally light.
        let lightness = [0.78, 0.56, 0.67][index as usize % 3];
        let (r, g, b) = HSLColor(hue, 0.62, lightness).to_backend_color().rgb;
        RGBColor(r, g, b)
    }
}

struct Drawing<'a, 'c> {
    layout: &'a Layout,
    canvas: &'a Canvas<'c>,
    panel: &'a Panel,
    /// Where the lanes begin.
    top: i32,
}

impl Drawing<'_, '_> {
    fn draw(&self, caption: i32) -> Drawn {
        label(self.canvas, &self.panel.caption(), (LEFT, caption + 10), CAPTION_SIZE, HPos::Left)?;
        let (end, bottom) = (self.x(self.panel.columns.len()), self.y(self.panel.lanes));
        self.rectangle([(LEFT, self.top), (end, bottom)], IDLE.filled())?;
        self.cells()?;
        self.grid(end, bottom)?;
        self.rectangle([(LEFT, self.top), (end, bottom)], GRID.stroke_width(1))?;
        self.lanes()?;
        self.block_names()?;
        self.threads()?;
        self.axis(bottom)
    }

    fn x(&self, column: usize) -> i32 {
        LEFT + column as i32 * self.layout.cell.0
    }

    fn y(&self, lane: usize) -> i32 {
        self.top + lane as i32 * self.layout.cell.1
    }

    fn rectangle(&self, corners: [(i32, i32); 2], style: ShapeStyle) -> Drawn {
        Ok(self.canvas.draw(&Rectangle::new(corners, style))?)
    }

    fn line(&self, ends: [(i32, i32); 2], colour: RGBColor) -> Drawn {
        Ok(self.canvas.draw(&PathElement::new(ends, colour.stroke_width(1)))?)
    }

    /// Cells of a colour are drawn together as far as they make rectangles.
    fn cells(&self) -> Drawn {
        // First lane, lanes, colour, by the column in which they began.
        let mut open: BTreeMap<(usize, usize, [u8; 3]), usize> = BTreeMap::new();
        for number in 0..=self.panel.columns.len() {
            let now = self.runs(number);
            let ended: Vec<_> = open.keys().filter(|run| !now.contains(run)).copied().collect();
            for run in ended {
                let (first, lanes, [r, g, b]) = run;
                let from = open.remove(&run).unwrap_or(number);
                let corners = [(self.x(from), self.y(first)), (self.x(number), self.y(first + lanes))];
                self.rectangle(corners, RGBColor(r, g, b).filled())?;
            }
            for run in now {
                open.entry(run).or_insert(number);
            }
        }
        Ok(())
    }

    /// Neighbouring lanes of a column that look alike.
    fn runs(&self, column: usize) -> Vec<(usize, usize, [u8; 3])> {
        let Some(Some(column)) = self.panel.columns.get(column) else { return vec![] };
        let RGBColor(r, g, b) = self.layout.colour(column.block);
        let colours = column.threads.iter().map(|thread| if thread.is_some() { [r, g, b] } else { [255; 3] });
        let mut runs: Vec<(usize, usize, [u8; 3])> = vec![];
        for (lane, colour) in colours.enumerate() {
            match runs.last_mut() {
                Some((_, lanes, last)) if *last == colour => *lanes += 1,
                _ => runs.push((lane, 1, colour)),
            }
        }
        runs
    }

    fn grid(&self, end: i32, bottom: i32) -> Drawn {
        let (width, height) = self.layout.cell;
        if height >= GRID_FROM.1 {
            for lane in 0..=self.panel.lanes {
                self.line([(LEFT, self.y(lane)), (end, self.y(lane))], GRID)?;
            }
        }
        if width >= GRID_FROM.0 && height >= GRID_FROM.1 {
            for column in 0..=self.panel.columns.len() {
                self.line([(self.x(column), self.top), (self.x(column), bottom)], GRID)?;
            }
        }
        Ok(())
    }

    fn lanes(&self) -> Drawn {
        let last = self.panel.lanes - 1;
        let all = self.panel.lanes <= 8;
        for lane in (0..=last).filter(|&lane| all || lane == 0 || lane == last) {
            let middle = self.y(lane) + self.layout.cell.1 / 2;
            label(self.canvas, &format!("lane {lane}"), (LEFT - 6, middle), 11, HPos::Right)?;
        }
        Ok(())
    }

    /// Above the columns that belong to a block one after the other, where there is room.
    fn block_names(&self) -> Drawn {
        let mut runs: Vec<(u32, usize, usize)> = vec![];
        let issued = self.panel.columns.iter().enumerate();
        for (number, block) in issued.filter_map(|(number, column)| Some((number, column.as_ref()?.block))) {
            match runs.last_mut() {
                Some((last, _, to)) if *last == block => *to = number,
                _ => runs.push((block, number, number)),
            }
        }
        for (block, from, to) in runs {
            let (left, right) = (self.x(from), self.x(to + 1));
            let name = self.layout.names.name(block);
            if right - left >= 7 * name.len() as i32 {
                label(self.canvas, name, ((left + right) / 2, self.top - NAMES / 2), 12, HPos::Center)?;
            }
        }
        Ok(())
    }

    /// Numbers of the threads in their cells, in the digits of the papers: 0 to 9, A to Z.
    fn threads(&self) -> Drawn {
        let (width, height) = self.layout.cell;
        if !self.layout.named_threads || width < TEXT_FROM || height < TEXT_FROM {
            return Ok(());
        }
        for (number, column) in self.panel.columns.iter().enumerate() {
            for (lane, thread) in column.iter().flat_map(|column| column.threads.iter().enumerate()) {
                let digit = thread.and_then(|thread| char::from_digit(thread as u32, 36));
                if let Some(digit) = digit {
                    let middle = (self.x(number) + width / 2, self.y(lane) + height / 2);
                    label(self.canvas, &digit.to_ascii_uppercase().to_string(), middle, 10, HPos::Center)?;
                }
            }
        }
        Ok(())
    }

    fn axis(&self, bottom: i32) -> Drawn {
        let (from, width) = (self.panel.window.from, self.layout.cell.0);
        let step = [5, 10, 20, 50, 100, 200].into_iter().find(|step| step * width >= 48).unwrap_or(500) as u64;
        let columns = self.panel.columns.len() as u64;
        for cycle in (from..=from + columns).filter(|cycle| cycle.is_multiple_of(step)) {
            let x = self.x((cycle - from) as usize);
            self.line([(x, bottom), (x, bottom + 4)], BLACK)?;
            label(self.canvas, &cycle.to_string(), (x, bottom + 12), 11, HPos::Center)?;
        }
        label(self.canvas, "cycle", (LEFT - 22, bottom + 12), 11, HPos::Right)?;
        for cycle in &self.panel.launches {
            let x = self.x((cycle - from) as usize);
            self.line([(x, self.top - NAMES), (x, bottom + 4)], BLACK)?;
        }
        Ok(())
    }
}

fn label(canvas: &Canvas<'_>, text: &str, place: (i32, i32), size: i32, anchor: HPos) -> Drawn {
    let style = TextStyle::from((FONT, size)).pos(Pos::new(anchor, VPos::Center));
    Ok(canvas.draw(&Text::new(text.to_string(), place, style))?)
}

#[cfg(test)]
mod tests {
    use warploom_runtime::kernels::micro;

    use super::*;
    use crate::picture::{Column, Window};

    /// Block and threads.
    type Issued = (u32, [Option<usize>; 4]);

    fn panel(title: &str, columns: &[Option<Issued>]) -> Panel {
        let columns =
            columns.iter().map(|column| column.map(|(block, threads)| Column { block, threads: threads.to_vec() }));
        Panel {
            title: title.to_string(),
            lanes: 4,
            window: Window::new(Some(20), Some(99)).unwrap(),
            columns: columns.collect(),
            end: None,
            launches: vec![],
            blocks: BlockNames::of(&micro::find("rhu_4_1").unwrap().binary.program()),
        }
    }

    #[test]
    fn a_block_has_one_colour_in_all_panels_and_threads_their_names() {
        let all: [Option<usize>; 4] = std::array::from_fn(Some);
        let (a, c) = (0, 0x14);
        let some = [None, Some(9), None, Some(11)];
        let panels = [
            panel("one", &[Some((a, all)), Some((a, all)), None, Some((c, some))]),
            panel("two", &[Some((c, all)), None, None, None]),
        ];
        let text = render(&panels);
        let colour = |block| {
            let RGBColor(r, g, b) = Layout::of(&panels).colour(block);
            format!("#{r:02X}{g:02X}{b:02X}")
        };
        // Each with its box in the legend: A once, for both columns; C in two lanes apart, and the whole of a column.
        assert_eq!(text.matches(&colour(a)).count(), 2, "{text}");
        assert_eq!(text.matches(&colour(c)).count(), 4, "{text}");
        for (label, times) in
            [("\n0\n", 3), ("\nB\n", 1), ("\nA  0x0 &lt;A&gt;\n", 1), ("\n20\n", 2), ("SIMD utilisation 83.3 %", 1)]
        {
            assert_eq!(text.matches(label).count(), times, "{label} in {text}");
        }
    }

    #[test]
    fn a_picture_is_as_wide_as_its_captions() {
        let layout = |title: &str| Layout::of(&[panel(title, &[None])]).total_width();
        assert_eq!(layout("short"), LEFT + LEAST_WIDTH + RIGHT);
        let long = "bitonic_shared on capri under capri+slp=balanced".repeat(3);
        assert!(layout(&long) > LEFT + text_width(&long, CAPTION_SIZE));
    }

    #[test]
    fn a_panel_in_which_nothing_happens_is_drawn_too() {
        let text = render(&[panel("idle", &[None, None])]);
        assert!(text.contains("idle: cycles 20 to 21, none issues"), "{text}");
        let mut ended = panel("ended", &[]);
        ended.end = Some(7);
        assert!(render(&[ended]).contains("ended: it has ended, after 7 cycles"));
    }
}
