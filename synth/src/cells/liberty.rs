//! Reading a Liberty file.
use liberty_parser::Value;
use liberty_parser::liberty::{Group, Liberty};

use super::{Cell, CellKind, CellLibrary, CellsError, ClockGate};

/// Cells of `text`; `name` is what errors call it.
pub fn read(name: &str, text: &str) -> Result<Liberty, CellsError> {
    let unreadable = |reason: String| CellsError::Unreadable { name: name.to_string(), reason };
    let mut liberty = liberty_parser::parse_lib(text).map_err(|error| unreadable(error.to_string()))?;
    liberty.0.iter_mut().for_each(unquote);
    match liberty.0.len() {
        1 => Ok(liberty),
        number => Err(unreadable(format!("it has {number} libraries, not one"))),
    }
}

/// Names are the same with quotes, as sky130 has them, and without.
fn unquote(group: &mut Group) {
    group.name = group.name.trim_matches('"').to_string();
    group.subgroups.iter_mut().for_each(unquote);
}

/// What is needed of the cells.
pub fn library(name: &str, liberty: &Liberty) -> Result<CellLibrary, CellsError> {
    let group = &liberty.0[0];
    let unit = text(group, "leakage_power_unit").and_then(microwatts);
    let cells = group.iter_cells().map(|cell| {
        let area = number(cell, "area").unwrap_or(0.0);
        let leakage = number(cell, "cell_leakage_power").zip(unit).map(|(power, unit)| power * unit);
        Cell { name: cell.name.clone(), area, leakage, kind: kind(cell), inputs: inputs(cell) }
    });
    let cells: Vec<Cell> = cells.collect();
    let nand2 = cells.iter().filter(|cell| is_nand2(&cell.name)).map(|cell| cell.area);
    let gate_area = nand2.filter(|area| *area > 0.0).min_by(f64::total_cmp);
    let gate_area = gate_area.ok_or_else(|| CellsError::NoGate { name: name.to_string() })?;
    let by_name = cells.into_iter().map(|cell| (cell.name.clone(), cell)).collect();
    Ok(CellLibrary { name: group.name.clone(), gate_area, cells: by_name, clock_gate: ClockGate::of(group) })
}

/// A number, however it is written.
pub(crate) fn number(group: &Group, attribute: &str) -> Option<f64> {
    match group.simple_attribute(attribute)? {
        Value::Float(value) => Some(*value),
        Value::String(text) | Value::Expression(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// `10pW` and the like, in uW.
pub(crate) fn microwatts(unit: &str) -> Option<f64> {
    let number = unit.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &unit[number.len()..] {
        "W" => 1e6,
        "mW" => 1e3,
        "uW" => 1.0,
        "nW" => 1e-3,
        "pW" => 1e-6,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * scale)
}

/// A text, however it is written.
pub(crate) fn text<'a>(group: &'a Group, attribute: &str) -> Option<&'a str> {
    match group.simple_attribute(attribute)? {
        Value::String(text) | Value::Expression(text) => Some(text.trim()),
        _ => None,
    }
}

fn kind(cell: &Group) -> CellKind {
    let has = |name: &str| cell.iter_subgroups().any(|group| group.type_ == name);
    match (has("ff") || has("ff_bank"), has("latch") || has("latch_bank")) {
        (true, _) => CellKind::FlipFlop,
        (_, true) => CellKind::Latch,
        _ => CellKind::Logic,
    }
}

fn inputs(cell: &Group) -> usize {
    cell.iter_pins().filter(|pin| text(pin, "direction") == Some("input")).count()
}

/// Whether the name says so, as `NAND2X1`, `NAND2_X1` and `sg13g2_nand2_1` do; `nand2b` is another gate.
fn is_nand2(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let Some((_, rest)) = name.split_once("nand2") else { return false };
    !rest.starts_with(|c: char| c.is_ascii_alphanumeric() && c != 'x')
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: &str = "library (demo) {
      leakage_power_unit : \"10nW\";
      cell (NAND2X2) { area : 6; pin (A) { direction : input; } }
      cell (NAND2X1) { area : 4; pin (A) { direction : input; } pin (B) { direction : input; } }
      cell (NAND2BX1) { area : 2; }
      cell (DFF) { area : 20.5; cell_leakage_power : 0.25; ff (Q, QN) { next_state : D; } }
      cell (LAT) { area : 12; latch (Q, QN) { data_in : D; } }
    }";

    fn cells(text: &str) -> Result<CellLibrary, CellsError> {
        library("demo.lib", &read("demo.lib", text)?)
    }

    #[test]
    fn areas_kinds_and_the_gate() {
        let library = cells(CELLS).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((library.name.as_str(), library.gate_area), ("demo", 4.0));
        let flop = &library.cells["DFF"];
        assert_eq!((flop.area, flop.leakage, flop.kind), (20.5, Some(0.0025), CellKind::FlipFlop));
        assert_eq!(library.cells["LAT"].kind, CellKind::Latch);
        assert_eq!((library.cells["NAND2X1"].kind, library.cells["NAND2X1"].inputs), (CellKind::Logic, 2));
    }

    #[test]
    fn names_may_be_quoted() {
        let library =
            cells("library (\"demo\") { cell (\"NAND2X1\") { area : 4; pin (\"A\") { direction : input; } } }");
        let library = library.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((library.name.as_str(), library.cells["NAND2X1"].inputs), ("demo", 1));
    }

    #[test]
    fn what_is_no_library_says_so() {
        for (text, reason) in [
            ("module top; endmodule", "demo.lib is no Liberty file"),
            ("library (demo) { cell (INV) { area : 2; } }", "demo.lib has no two-input NAND"),
        ] {
            let error = cells(text).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }

    #[test]
    fn names_of_nand_gates() {
        let (yes, no) = (["NAND2X1", "NAND2_X4", "sg13g2_nand2_1", "nand2"], ["NAND2B", "sky130__nand2b_1", "NAND3X1"]);
        assert!(yes.iter().all(|name| is_nand2(name)) && !no.iter().any(|name| is_nand2(name)));
    }
}
