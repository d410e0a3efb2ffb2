//! What gates a clock, made of the cells of a library.
use std::borrow::Cow;

use liberty_parser::Value;
use liberty_parser::liberty::{Attribute, Group};

use super::function::Function;
use super::liberty::{number, text};

/// The inside of a [clock gate](crate::clock_gates::CLOCK_GATE).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockGate {
    /// In Verilog.
    pub body: String,
    /// The cells in it, each with its declaration as a black box.
    pub cells: Vec<(String, String)>,
}

impl ClockGate {
    /// The library's own, or an inverter, a latch and an AND; none if it has not even these.
    pub(super) fn of(library: &Group) -> Option<Self> {
        Self::integrated(library).or_else(|| Self::composed(library))
    }

    fn integrated(library: &Group) -> Option<Self> {
        let cell = smallest(library.iter_cells().filter(|cell| integrated_pins(cell).is_some()))?;
        let [clock, enable, gated] = integrated_pins(cell)?;
        let pins = [(clock, "clock"), (enable, "enable"), (gated, "gated")];
        Some(Self { body: instance(cell, "gate", &pins), cells: vec![declaration(cell)] })
    }

    fn composed(library: &Group) -> Option<Self> {
        let computes = |inputs: usize, values: &'static [bool]| {
            let does =
                move |cell: &&Group| truth(cell).is_some_and(|(pins, found)| pins.len() == inputs && found == values);
            smallest(library.iter_cells().filter(does))
        };
        let inverter = computes(1, &[true, false])?;
        let and = computes(2, &[false, false, false, true])?;
        let latch = smallest(library.iter_cells().filter(|cell| latch_pins(cell).is_some()))?;
        let [data, open, held] = latch_pins(latch)?;
        let ((not_pins, _), (and_pins, _)) = (truth(inverter)?, truth(and)?);
        let body = [
            "  wire low, open;\n".to_string(),
            instance(inverter, "invert", &[(not_pins[0], "clock"), (output(inverter)?, "low")]),
            instance(latch, "latch", &[(data, "enable"), (open, "low"), (held, "open")]),
            instance(and, "gate", &[(and_pins[0], "clock"), (and_pins[1], "open"), (output(and)?, "gated")]),
        ];
        Some(Self { body: body.concat(), cells: [inverter, latch, and].map(declaration).into() })
    }
}

/// An integrated clock gate as the latch and the AND that its table of states stands for; any other cell as it is.
pub(crate) fn as_latch(cell: &Group) -> Cow<'_, Group> {
    let Some([clock, enable, gated]) = integrated_pins(cell) else { return Cow::Borrowed(cell) };
    // Conditions of its power may name the bit that it stores.
    let stored = pins(cell, "internal").next().map_or("IQ", |pin| pin.name.as_str());
    let mut latch = Group::new("latch", &format!("{stored}, {stored}N"));
    set(&mut latch, "data_in", enable);
    set(&mut latch, "enable", &format!("!{clock}"));
    let mut plain = cell.clone();
    plain.subgroups.retain(|group| group.type_ != "statetable");
    plain.subgroups.push(latch);
    if let Some(pin) = plain.get_pin_mut(gated) {
        set(pin, "function", &format!("{clock} {stored}"));
    }
    Cow::Owned(plain)
}

fn set(group: &mut Group, attribute: &str, value: &str) {
    group.attributes.insert(attribute.into(), vec![Attribute::Simple(Value::String(value.into()))]);
}

/// Clock, enable and output of a cell that gates clocks of flip-flops of the rising edge, and does nothing else.
fn integrated_pins(cell: &Group) -> Option<[&str; 3]> {
    if text(cell, "clock_gating_integrated_cell") != Some("latch_posedge") || pins(cell, "input").count() != 2 {
        return None;
    }
    let pin = |attribute: &str| {
        // Written without quotes or with them.
        let is_set = |pin: &&Group| match pin.simple_attribute(attribute) {
            Some(Value::Bool(set)) => *set,
            _ => text(pin, attribute) == Some("true"),
        };
        cell.iter_pins().find(is_set).map(|pin| pin.name.as_str())
    };
    let [clock, enable, gated] = ["clock", "enable", "out"].map(|which| pin(&format!("clock_gate_{which}_pin")));
    Some([clock?, enable?, gated?])
}

fn smallest<'a>(cells: impl Iterator<Item = &'a Group>) -> Option<&'a Group> {
    let area = |cell: &Group| number(cell, "area").unwrap_or(f64::MAX);
    cells.min_by(|a, b| area(a).total_cmp(&area(b)).then_with(|| a.name.cmp(&b.name)))
}

fn pins<'a>(cell: &'a Group, direction: &'static str) -> impl Iterator<Item = &'a Group> {
    cell.iter_pins().filter(move |pin| text(pin, "direction") == Some(direction))
}

fn output(cell: &Group) -> Option<&str> {
    pins(cell, "output").next().map(|pin| pin.name.as_str())
}

/// Of a cell of logic with one output: its inputs, and its value for each of theirs.
fn truth(cell: &Group) -> Option<(Vec<&str>, Vec<bool>)> {
    let inputs: Vec<&str> = pins(cell, "input").map(|pin| pin.name.as_str()).collect();
    let mut outputs = pins(cell, "output");
    let (function, None) = (text(outputs.next()?, "function")?, outputs.next()) else { return None };
    if inputs.len() > 2
        || cell.iter_subgroups().any(|group| ["ff", "latch", "statetable"].contains(&group.type_.as_str()))
    {
        return None;
    }
    let function = Function::parse(function, &|name| inputs.iter().position(|input| *input == name)).ok()?;
    let values = (0..1 << inputs.len()).map(|values| function.value(values)).collect();
    Some((inputs, values))
}

/// Data, enable and output of a plain latch, open while its enable is high.
fn latch_pins(cell: &Group) -> Option<[&str; 3]> {
    let latch = cell.iter_subgroups().find(|group| group.type_ == "latch")?;
    let (data, enable) = (text(latch, "data_in")?, text(latch, "enable")?);
    let is_pin = |name: &str| pins(cell, "input").any(|pin| pin.name == name);
    let plain = is_pin(data) && is_pin(enable) && pins(cell, "input").count() == 2;
    let output = output(cell).filter(|_| plain && pins(cell, "output").count() == 1)?;
    Some([data, enable, output])
}

fn instance(cell: &Group, name: &str, pins: &[(&str, &str)]) -> String {
    let pins: Vec<String> = pins.iter().map(|(pin, net)| format!(".{pin}({net})")).collect();
    format!("  {} {name} ({});\n", cell.name, pins.join(", "))
}

/// Its name, and what says which pins it has.
fn declaration(cell: &Group) -> (String, String) {
    let ports =
        ["input", "output"].map(|direction| pins(cell, direction).map(move |pin| format!("{direction} {}", pin.name)));
    let ports: Vec<String> = ports.into_iter().flatten().collect();
    (cell.name.clone(), format!("(* blackbox *) module {} ({}); endmodule\n", cell.name, ports.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &str) -> Option<ClockGate> {
        let liberty = liberty_parser::parse_lib(&format!("library (demo) {{ {cells} }}")).expect("a library");
        ClockGate::of(&liberty.0[0])
    }

    const NOT: &str =
        "cell (INV) { area : 2; pin (A) { direction : input; } pin (Y) { direction : output; function : \"(!A)\"; } }";
    const AND: &str = "cell (AND2) { area : 4; pin (A) { direction : input; } pin (B) { direction : input; } \
        pin (Y) { direction : output; function : \"(A B)\"; } }";
    const LATCH: &str = "cell (LAT) { area : 8; latch (I, IN) { data_in : \"D\"; enable : \"G\"; } pin (D) { direction : input; } \
        pin (G) { direction : input; } pin (Q) { direction : output; function : \"I\"; } }";

    #[test]
    fn a_library_has_one_or_what_it_is_made_of() {
        let own = "cell (ICG) { area : 9; clock_gating_integrated_cell : latch_posedge; \
            pin (CK) { direction : input; clock_gate_clock_pin : true; } pin (E) { direction : input; clock_gate_enable_pin : true; } \
            pin (GCK) { direction : output; clock_gate_out_pin : true; } }";
        let gate = of(&[NOT, AND, LATCH, own].concat()).expect("a gate");
        assert_eq!(gate.body, "  ICG gate (.CK(clock), .E(enable), .GCK(gated));\n");
        let gate = of(&[NOT, AND, LATCH].concat()).expect("a gate");
        let body = "  wire low, open;\n  INV invert (.A(clock), .Y(low));\n  LAT latch (.D(enable), .G(low), .Q(open));\n  \
            AND2 gate (.A(clock), .B(open), .Y(gated));\n";
        assert_eq!(gate.body, body);
        assert_eq!(gate.cells[1].1, "(* blackbox *) module LAT (input D, input G, output Q); endmodule\n");
        assert_eq!(of(&[NOT, AND].concat()), None);
    }
}
