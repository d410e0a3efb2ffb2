//! Charts of kernels under mechanisms, as SVG: bars beside each other, bars of several parts, lines.
mod bars;
mod frame;
mod lines;
mod stacks;

pub use bars::{Bars, Series};
pub use lines::Lines;
pub use stacks::Stacks;

use plotters::style::RGBColor;

/// Colours that are told apart by people who see fewer of them, too (Okabe and Ito, 2008), and then some.
const COLOURS: [RGBColor; 12] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(204, 121, 167),
    RGBColor(240, 228, 66),
    RGBColor(128, 128, 128),
    RGBColor(120, 70, 20),
    RGBColor(90, 0, 120),
    RGBColor(150, 200, 90),
];

fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}
