//! How what is drawn is told apart: a colour, hatching, and a mark of a few letters for those who see no colours.
use plotters::prelude::*;
use warploom_synth::picture::{Canvas, Drawn};

/// Of a series, wherever it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Look {
    /// What its bars are filled with.
    pub colour: RGBColor,
    /// What is drawn over that.
    pub hatch: Hatch,
    /// Below its bars, one letter below the other, and in the legend; nothing where series have no marks.
    pub mark: String,
}

/// White lines over a bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hatch {
    /// None.
    #[default]
    Plain,
    /// From side to side.
    Across,
    /// From the lower left to the upper right.
    Rising,
}

/// Colours that are told apart by people who see fewer of them, too (Okabe and Ito, 2008), and then some.
const COLOURS: [RGBColor; 12] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(204, 121, 167),
    RGBColor(200, 180, 20),
    RGBColor(128, 128, 128),
    RGBColor(120, 70, 20),
    RGBColor(90, 0, 120),
    RGBColor(150, 200, 90),
];

impl Look {
    /// For what has no look of its own.
    pub fn numbered(number: usize) -> Self {
        Self::plain(COLOURS[number % COLOURS.len()])
    }

    /// Only a colour.
    pub fn plain(colour: RGBColor) -> Self {
        Self { colour, ..Self::default() }
    }

    /// A box of this look: its upper left and lower right corner.
    pub fn fill(&self, area: &Canvas, [(left, top), (right, bottom)]: [(i32, i32); 2]) -> Drawn {
        area.draw(&Rectangle::new([(left, top), (right, bottom)], self.colour.filled()))?;
        const STEP: usize = 6;
        let lines: Vec<[(i32, i32); 2]> = match self.hatch {
            Hatch::Plain => vec![],
            Hatch::Across => (top + 3..bottom).step_by(STEP).map(|y| [(left, y), (right, y)]).collect(),
            // A line has the same sum of x and y everywhere.
            Hatch::Rising => {
                let ends = |sum: i32| {
                    let (x, y) = (left.max(sum - bottom + 1), top.max(sum - right));
                    [(x, sum - x), (sum - y, y)]
                };
                (left + top + 3..right + bottom - 1).step_by(STEP).map(ends).collect()
            }
        };
        // In one stroke, to and fro: a file with an element for each line would be ten times as large.
        let turned =
            |(number, [from, to]): (usize, [(i32, i32); 2])| if number % 2 == 0 { [from, to] } else { [to, from] };
        let stroke: Vec<(i32, i32)> = lines.into_iter().enumerate().flat_map(turned).collect();
        if !stroke.is_empty() {
            area.draw(&PathElement::new(stroke, WHITE.stroke_width(1)))?;
        }
        Ok(())
    }
}
