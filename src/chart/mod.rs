//! Charts of kernels under mechanisms, as SVG: bars beside each other, bars of several parts, lines.
mod bars;
mod frame;
mod lines;
mod look;
mod stacks;
#[cfg(test)]
mod tests;

pub use bars::{Bars, Series};
pub use lines::Lines;
pub use look::{Hatch, Look};
pub use stacks::{Bar, Part, Stacks};
