//! Bars beside each other.
use super::Look;
use super::frame::{Frame, Place, ceiling};

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
    /// A line across.
    pub line: Option<f64>,
    /// The greatest value shown; longer bars are cut off, and say how long they are.
    pub most: Option<f64>,
}

/// One bar in every group.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// In the legend.
    pub name: String,
    /// Of its bars.
    pub look: Look,
    /// By group; `None`: no bar.
    pub values: Vec<Option<f64>>,
}

impl Bars {
    /// The picture.
    pub fn svg(&self) -> String {
        let values = || self.series.iter().flat_map(|series| series.values.iter().copied());
        let longest = ceiling(values().flatten().chain(self.line).fold(0.0, f64::max));
        let most = self.most.map_or(longest, |most| most.min(longest));
        let frame = Frame {
            title: &self.title,
            unit: &self.unit,
            groups: &self.groups,
            legends: vec![self.series.iter().map(|series| (series.name.as_str(), &series.look)).collect()],
            most,
            marks: self.series.iter().map(|series| series.look.mark.as_str()).collect(),
            is_cut: values().flatten().any(|value| value > most),
            has_gaps: values().any(|value| value.is_none()),
        };
        frame.svg(|row, first, count| {
            for (bar, series) in self.series.iter().enumerate() {
                for group in 0..count {
                    let place = Place { group, bar };
                    match series.values[first + group] {
                        Some(value) => row.bar(place, value, &series.look)?,
                        None => row.gap(place)?,
                    }
                }
            }
            self.line.map_or(Ok(()), |line| row.line(line, count))
        })
    }
}
