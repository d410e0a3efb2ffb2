//! Markers of points on lines: a shape each, for those who see no colours.
use plotters::prelude::*;

use super::{Canvas, Drawn};

/// How many there are.
pub const MARKERS: usize = 12;

const RADIUS: i32 = 5;

/// The `number`th marker at a place.
pub fn marker(area: &Canvas, number: usize, place: (i32, i32), colour: RGBColor) -> Drawn {
    const CIRCLE: [(i32, i32); 0] = [];
    const SQUARE: [(i32, i32); 4] = [(-4, -4), (4, -4), (4, 4), (-4, 4)];
    const UP: [(i32, i32); 3] = [(-5, 4), (0, -5), (5, 4)];
    const DOWN: [(i32, i32); 3] = [(-5, -4), (0, 5), (5, -4)];
    const DIAMOND: [(i32, i32); 4] = [(-5, 0), (0, -5), (5, 0), (0, 5)];
    const STEEP: [(i32, i32); 2] = [(0, -5), (0, 5)];
    const FLAT: [(i32, i32); 2] = [(-5, 0), (5, 0)];
    const RISING: [(i32, i32); 2] = [(-4, 4), (4, -4)];
    const FALLING: [(i32, i32); 2] = [(-4, -4), (4, 4)];
    match number % MARKERS {
        0 => shape(area, &CIRCLE, true, place, colour),
        1 => shape(area, &SQUARE, true, place, colour),
        2 => shape(area, &UP, true, place, colour),
        3 => shape(area, &DIAMOND, true, place, colour),
        4 => strokes(area, &[RISING, FALLING], place, colour),
        5 => shape(area, &DOWN, true, place, colour),
        6 => shape(area, &CIRCLE, false, place, colour),
        7 => shape(area, &SQUARE, false, place, colour),
        8 => strokes(area, &[STEEP, FLAT], place, colour),
        9 => shape(area, &UP, false, place, colour),
        10 => shape(area, &DIAMOND, false, place, colour),
        _ => strokes(area, &[STEEP, FLAT, RISING, FALLING], place, colour),
    }
}

/// A polygon, or a circle if it has no corners; with paper inside unless it is filled.
fn shape(area: &Canvas, corners: &[(i32, i32)], filled: bool, (x, y): (i32, i32), colour: RGBColor) -> Drawn {
    let inside = if filled { colour.filled() } else { WHITE.filled() };
    if corners.is_empty() {
        area.draw(&Circle::new((x, y), RADIUS, inside))?;
        return Ok(area.draw(&Circle::new((x, y), RADIUS, colour.stroke_width(2)))?);
    }
    let corners: Vec<(i32, i32)> = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    area.draw(&Polygon::new(corners.clone(), inside))?;
    let around: Vec<(i32, i32)> = corners.iter().chain(&corners[..1]).copied().collect();
    Ok(area.draw(&PathElement::new(around, colour.stroke_width(2)))?)
}

fn strokes(area: &Canvas, strokes: &[[(i32, i32); 2]], (x, y): (i32, i32), colour: RGBColor) -> Drawn {
    for stroke in strokes {
        area.draw(&PathElement::new(stroke.map(|(dx, dy)| (x + dx, y + dy)), colour.stroke_width(2)))?;
    }
    Ok(())
}
