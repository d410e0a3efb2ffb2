//! Pictures of what a design costs, as SVG: where the area goes, and how it grows with a size.
use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;

mod icicle;
mod sweep;

pub use icicle::icicle;
pub use sweep::{Point, sweep};

/// Of a picture, in pixels.
const SIZE: (u32, u32) = (1200, 800);
const FONT: &str = "sans-serif";

/// What is drawn on.
type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn Error>>;

/// Draws into a text, which takes everything: an error is a mistake in the drawing.
fn svg(draw: impl for<'a> FnOnce(&Canvas<'a>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let canvas = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let drawn = canvas.fill(&WHITE).map_err(Into::into).and_then(|()| draw(&canvas));
        drawn.and_then(|()| Ok(canvas.present()?)).expect("a text takes everything");
    }
    text
}
