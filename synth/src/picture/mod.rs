//! Pictures of what a design costs, as SVG: where the area goes, and how it grows with a size. [`svg`] is for others, too.
use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

mod icicle;
mod marker;
mod sweep;
mod text;

pub use icicle::icicle;
pub use marker::{MARKERS, marker};
pub use sweep::{Point, sweep};
pub use text::{text_width, wrapped};

/// Of a picture, in pixels.
const SIZE: (u32, u32) = (1200, 800);

/// Of all text in pictures.
pub const FONT: &str = "sans-serif";

/// What is drawn on.
pub type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What drawing returns.
pub type Drawn = Result<(), Box<dyn Error>>;

/// Draws a picture of so many pixels, width and height, into a text, which takes everything: an error is a mistake in the drawing.
pub fn svg(size: (u32, u32), draw: impl for<'a> FnOnce(&Canvas<'a>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = canvas.fill(&WHITE).map_err(Into::into).and_then(|()| draw(&canvas));
        drawn.and_then(|()| Ok(canvas.present()?)).expect("a text takes everything");
    }
    text
}
