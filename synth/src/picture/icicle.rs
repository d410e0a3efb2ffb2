//! Where the area goes: a column for every level of submodules, in it a box for every kind, as high as its area.
use plotters::prelude::*;

use super::{Canvas, Drawn, FONT, SIZE, svg, text_width, wrapped};
use crate::flow::{Mapped, Part};

const MARGIN: i32 = 10;
/// Where the boxes start.
const HEAD: i32 = 64;
const TITLE: (i32, i32) = (18, 22);
/// Height of a label; a lower box has none.
const LABEL: i32 = 13;

/// The picture of a mapped module. `gate` is the area of a gate equivalent.
pub fn icicle(title: &str, mapped: &Mapped, gate: f64) -> String {
    let total = mapped.total.area;
    let sum: f64 = mapped.parts.iter().map(|part| part.size.area).sum();
    // A flattened whole is not the sum of the submodules, which are drawn as they are on their own.
    let area = if mapped.parts.is_empty() { total } else { sum };
    let mut head = format!("{title}: {:.0} GE without memories apart", total / gate);
    if (area - total).abs() > 1e-6 {
        head += &format!(", flattened; {:.0} GE with the submodules mapped one by one, which are drawn", area / gate);
    }
    svg(SIZE, |canvas| {
        for (number, line) in wrapped(&head, TITLE.0, SIZE.0 as i32 - 2 * MARGIN).into_iter().enumerate() {
            canvas.draw(&Text::new(line, (MARGIN, MARGIN + TITLE.1 * number as i32), (FONT, TITLE.0)))?;
        }
        let columns = 1 + depth(&mapped.parts);
        let (width, height) = ((SIZE.0 as i32 - 2 * MARGIN) / columns, SIZE.1 as i32 - HEAD - MARGIN);
        let boxes = Boxes { canvas, width, scale: f64::from(height) / area.max(1e-9), total: area, gate };
        boxes.draw(title, area, (0, f64::from(HEAD)), 0)?;
        boxes.parts(&mapped.parts, (1, f64::from(HEAD)))
    })
}

fn depth(parts: &[Part]) -> i32 {
    parts.iter().map(|part| 1 + depth(&part.parts)).max().unwrap_or(0)
}

struct Boxes<'a, 'b> {
    canvas: &'a Canvas<'b>,
    /// Of a column, in pixels.
    width: i32,
    /// Pixels per um2.
    scale: f64,
    /// All that is drawn, in um2.
    total: f64,
    gate: f64,
}

impl Boxes<'_, '_> {
    /// One below the other, and what they consist of to their right.
    fn parts(&self, parts: &[Part], (column, mut y): (i32, f64)) -> Drawn {
        for (i, part) in parts.iter().enumerate() {
            let times = if part.count > 1 { format!(" x {}", part.count) } else { String::new() };
            let name = part.module.as_deref().unwrap_or("(own logic)");
            self.draw(&format!("{name}{times}"), part.size.area, (column, y), i)?;
            self.parts(&part.parts, (column + 1, y))?;
            y += self.scale * part.size.area;
        }
        Ok(())
    }

    fn draw(&self, name: &str, area: f64, (column, y): (i32, f64), colour: usize) -> Drawn {
        let left = MARGIN + column * self.width;
        let (top, bottom) = (y.round() as i32, (y + self.scale * area).round() as i32);
        let corners = [(left, top), (left + self.width, bottom)];
        self.canvas.draw(&Rectangle::new(corners, Palette99::pick(colour).mix(0.3).filled()))?;
        self.canvas.draw(&Rectangle::new(corners, WHITE.stroke_width(1)))?;
        if bottom - top >= LABEL {
            let share = format!("{:.1} %", 100.0 * area / self.total.max(1e-9));
            let labels =
                [format!("{name}  {:.0} GE  {share}", area / self.gate), format!("{name}  {share}"), name.to_string()];
            let fitting = labels.into_iter().find(|label| text_width(label, LABEL - 1) <= self.width - 4);
            if let Some(label) = fitting {
                self.canvas.draw(&Text::new(label, (left + 4, top + 1), (FONT, f64::from(LABEL - 1))))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Size;

    fn part(module: Option<&str>, count: usize, area: f64, parts: Vec<Part>) -> Part {
        let size = Size { area, ..Size::default() };
        Part { module: module.map(str::to_string), fields: vec![], count, size, parts }
    }

    #[test]
    fn a_box_for_every_part_and_a_label_where_there_is_room() {
        let rows = vec![part(Some("Row"), 8, 990.0, vec![]), part(None, 1, 1.0, vec![])];
        let parts = vec![part(Some("Table"), 1, 991.0, rows), part(None, 1, 9.0, vec![])];
        let text = svg(SIZE, |canvas| {
            let boxes = Boxes { canvas, width: 300, scale: 0.7, total: 1000.0, gate: 10.0 };
            boxes.parts(&parts, (0, 50.0))
        });
        for (label, there) in [("Row x 8  99 GE  99.0 %", true), ("Table  99 GE", true), ("(own logic)", false)] {
            assert_eq!(text.contains(label), there, "{label} in {text}");
        }
        // Each twice, filled and framed, and the paper.
        assert_eq!(text.matches("<rect").count(), 9);
    }
}
