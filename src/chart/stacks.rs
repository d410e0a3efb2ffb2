//! Bars of several parts.
use plotters::style::RGBColor;

use super::Look;
use super::frame::{Frame, Place, ceiling};

/// A group of bars for each kernel, each of the same parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stacks {
    /// Above it.
    pub title: String,
    /// What the values are.
    pub unit: String,
    /// A name for each group.
    pub groups: Vec<String>,
    /// From below.
    pub parts: Vec<Part>,
    /// The bars of each group.
    pub bars: Vec<Bar>,
}

/// A part of every bar.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// In the legend.
    pub name: String,
    /// What it is filled with.
    pub look: Look,
}

/// One bar in every group, told by its mark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// In the legend.
    pub name: String,
    /// Its mark stands below it, its colour is in the legend only.
    pub look: Look,
    /// By group, the parts; `None`: no bar.
    pub values: Vec<Option<Vec<f64>>>,
}

impl Part {
    /// The `number`th of `steps` that get darker, as the fuller warps do in the papers; in a colour that no mechanism has.
    pub fn step(name: String, number: usize, steps: usize) -> Self {
        let mix = |from: f64, to: f64| {
            let share = number as f64 / steps.saturating_sub(1).max(1) as f64;
            (from + (to - from) * share) as u8
        };
        Self { name, look: Look::plain(RGBColor(mix(236.0, 63.0), mix(231.0, 0.0), mix(242.0, 125.0))) }
    }

    /// Of a colour that neither a mechanism nor a step has.
    pub fn other(name: String, number: usize) -> Self {
        const COLOURS: [RGBColor; 5] = [
            RGBColor(240, 220, 60),
            RGBColor(204, 121, 167),
            RGBColor(120, 70, 20),
            RGBColor(150, 200, 90),
            RGBColor(205, 205, 205),
        ];
        Self { name, look: Look::plain(COLOURS[number % COLOURS.len()]) }
    }
}

impl Stacks {
    /// The picture.
    pub fn svg(&self) -> String {
        let values = || self.bars.iter().flat_map(|bar| &bar.values);
        let most = values().flatten().map(|parts| parts.iter().sum::<f64>()).fold(0.0, f64::max);
        let frame = Frame {
            title: &self.title,
            unit: &self.unit,
            groups: &self.groups,
            legends: vec![
                self.parts.iter().map(|part| (part.name.as_str(), &part.look)).collect(),
                self.bars.iter().map(|bar| (bar.name.as_str(), &bar.look)).collect(),
            ],
            most: ceiling(most),
            marks: self.bars.iter().map(|bar| bar.look.mark.as_str()).collect(),
            is_cut: false,
            has_gaps: values().any(Option::is_none),
        };
        frame.svg(|row, first, count| {
            for (bar, Bar { values, .. }) in self.bars.iter().enumerate() {
                for group in 0..count {
                    let place = Place { group, bar };
                    let Some(values) = &values[first + group] else {
                        row.gap(place)?;
                        continue;
                    };
                    let mut below = 0.0;
                    for (part, value) in self.parts.iter().zip(values).filter(|(_, value)| **value > 0.0) {
                        row.part(place, below, below + value, &part.look)?;
                        below += value;
                    }
                }
            }
            Ok(())
        })
    }
}
