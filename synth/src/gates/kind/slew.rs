//! How fast outputs change, by the input that makes them.
use liberty_parser::liberty::Group;

use super::{Logic, Names};
use crate::cells::liberty::text;
use crate::cells::tables::{Table, Templates};

/// Which transition of the input makes a transition of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// The same.
    Positive,
    /// The opposite.
    Negative,
    /// Either.
    Either,
    /// An edge of the clock.
    Edge,
}

/// A way from an input to an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Arc {
    /// From.
    pub input: usize,
    /// To.
    pub output: usize,
    /// Which transitions go together.
    pub sense: Sense,
    /// Transition time of the output when it falls and when it rises, over slew and load.
    pub transition: [Option<Table>; 2],
}

impl Sense {
    /// The slews of an input, of its fall and rise, that a transition of the output may go back to.
    pub fn causes(self, slew: [f64; 2], rise: bool) -> Vec<f64> {
        match self {
            Self::Positive => vec![slew[usize::from(rise)]],
            Self::Negative => vec![slew[usize::from(!rise)]],
            Self::Either => slew.to_vec(),
            Self::Edge => vec![0.0],
        }
    }
}

pub(super) fn read(cell: &Group, names: &Names, logic: &Logic, templates: &Templates) -> Result<Vec<Arc>, String> {
    let mut arcs = vec![];
    for (output, name) in names.outputs.iter().enumerate() {
        let pin = cell.get_pin(name).expect("a pin of the cell");
        for group in pin.iter_subgroups_of_type("timing") {
            let edge = match text(group, "timing_type").unwrap_or("combinational") {
                "combinational" | "combinational_rise" | "combinational_fall" | "clear" | "preset" => false,
                "rising_edge" | "falling_edge" => true,
                _ => continue,
            };
            for input in text(group, "related_pin").unwrap_or("").split_whitespace() {
                let Some(input) = names.input(input) else { continue };
                let sense = match text(group, "timing_sense") {
                    // Clocks are ideal.
                    _ if edge && logic.clock.is_some() => Sense::Edge,
                    Some("positive_unate") => Sense::Positive,
                    Some("negative_unate") => Sense::Negative,
                    Some(_) => Sense::Either,
                    None => sense(logic, input, output),
                };
                let table = |name: &str| {
                    let table = group.iter_subgroups_of_type(name).next();
                    let table = table.map(|table| Table::read(table, templates)).transpose();
                    table.map_err(|error| format!("its pin {}: {error}", pin.name))
                };
                let transition = [table("fall_transition")?, table("rise_transition")?];
                arcs.push(Arc { input, output, sense, transition });
            }
        }
    }
    Ok(arcs)
}

/// What the function says.
pub(super) fn sense(logic: &Logic, input: usize, output: usize) -> Sense {
    let Some(bit) = logic.bit(input) else { return Sense::Edge };
    let value = |state: usize| logic.outputs[state] >> output & 1;
    let low = (0..logic.states()).filter(|state| state >> bit & 1 == 0);
    let (mut rises, mut falls) = (false, false);
    for state in low {
        rises |= value(state) < value(state | 1 << bit);
        falls |= value(state) > value(state | 1 << bit);
    }
    match (rises, falls) {
        (true, false) => Sense::Positive,
        (false, true) => Sense::Negative,
        _ => Sense::Either,
    }
}
