//! Bars of several parts.
use plotters::prelude::*;

use super::colour;
use super::frame::{Frame, edges};

/// A group of bars for each kernel, each of the same parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stacks {
    /// Above it.
    pub title: String,
    /// What the values are.
    pub unit: String,
    /// A name for each group.
    pub groups: Vec<String>,
    /// A name for each part, from below.
    pub parts: Vec<String>,
    /// By group and bar: the parts.
    pub bars: Vec<Vec<Vec<f64>>>,
}

impl Stacks {
    /// The picture.
    pub fn svg(&self) -> String {
        let most = self.bars.iter().flatten().map(|parts| parts.iter().sum::<f64>()).fold(0.0, f64::max);
        let bars = self.bars.iter().map(Vec::len).max().unwrap_or(1).max(1);
        let shade = |part: usize| shade(part, self.parts.len());
        let legend = self.parts.iter().enumerate().map(|(part, name)| (name.clone(), shade(part))).collect();
        let frame = Frame {
            title: &self.title,
            unit: &self.unit,
            groups: &self.groups,
            legend,
            range: (0.0, super::frame::ceiling(most)),
            bars,
        };
        frame.svg(|row, first, count| {
            for place in 0..count {
                for (number, parts) in self.bars[first + place].iter().enumerate() {
                    let ((left, right), mut below) = (edges(place, number, bars), 0.0);
                    for (part, value) in parts.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                        let piece = [(left, below), (right, below + value)];
                        row.draw_series([Rectangle::new(piece, shade(part).filled())])?;
                        below += value;
                    }
                }
            }
            Ok(())
        })
    }
}

/// Few parts have colours of their own; of many, the first get darker step by step, as the fuller warps do in the papers.
fn shade(part: usize, parts: usize) -> RGBColor {
    const OTHERS: usize = 5;
    let steps = parts.saturating_sub(OTHERS);
    if steps < 2 {
        return colour(part + 1);
    }
    if part >= steps {
        return colour(part - steps + 1);
    }
    let mix = |from: u8, to: u8| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * part as f64 / (steps - 1) as f64) as u8
    };
    RGBColor(mix(222, 8), mix(235, 48), mix(247, 107))
}
