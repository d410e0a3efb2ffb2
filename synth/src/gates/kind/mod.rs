//! What a cell of the library does and what it takes, in tables that a simulation looks up.
//!
//! The state of a cell is a small number: a bit for each of its inputs but the clock of a flip-flop, in the order of the
//! library, and above them the stored bit of a flip-flop or latch.
use liberty_parser::liberty::Group;

use crate::cells::clock_gate::as_latch;
use crate::cells::function::Function;
use crate::cells::liberty::{number, text};
use crate::cells::tables::{Templates, Units};

mod energy;
mod logic;
mod slew;
#[cfg(test)]
mod tests;

pub use energy::{Charge, ChargePin, Energy};
pub use logic::{Clock, Logic};
pub use slew::{Arc, Sense};

/// A cell of the library.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Its inputs, the clock of a flip-flop among them.
    pub inputs: Vec<Pin>,
    /// Its outputs.
    pub outputs: Vec<Pin>,
    /// How outputs and the stored bit follow from its state.
    pub logic: Logic,
    /// What transitions and states cost.
    pub energy: Energy,
    /// How fast its outputs change.
    pub arcs: Vec<Arc>,
}

/// A pin.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Capacitance in the unit of the library, while it falls and while it rises.
    pub capacitance: [f64; 2],
}

impl Kind {
    /// Reads a cell. An error says what is wrong with it, or what is not supported.
    pub fn read(cell: &Group, library: &Group, templates: &Templates, units: &Units) -> Result<Self, String> {
        let cell = &*as_latch(cell);
        let mut pins = [vec![], vec![]];
        for pin in cell.iter_pins() {
            match text(pin, "direction") {
                Some("input") => pins[0].push(pin),
                Some("output") => pins[1].push(pin),
                Some("internal") => {}
                direction => return Err(format!("pin {} has direction {}", pin.name, direction.unwrap_or("none"))),
            }
        }
        let default = [("default_input_pin_cap", 0), ("default_output_pin_cap", 1)];
        let [inputs, outputs] = default.map(|(attribute, i)| {
            let default = number(library, attribute).unwrap_or(0.0);
            pins[i].iter().map(|group| Pin::read(group, default)).collect::<Vec<_>>()
        });
        let names = Names::new(cell, &inputs, &outputs);
        let logic = Logic::read(cell, &names)?;
        let energy = Energy::read(cell, &names, &logic, templates, units)?;
        let arcs = slew::read(cell, &names, &logic, templates)?;
        Ok(Self { name: cell.name.clone(), inputs, outputs, logic, energy, arcs })
    }

    /// Which transitions of an input make those of an output.
    pub fn sense(&self, input: usize, output: usize) -> Sense {
        let arc = self.arcs.iter().find(|arc| (arc.input, arc.output) == (input, output));
        arc.map_or_else(|| slew::sense(&self.logic, input, output), |arc| arc.sense)
    }

    /// The state with an input at 1 and all else at 0; of a clock, which is no part of it, 0.
    pub fn mask(&self, input: usize) -> u16 {
        self.logic.bit(input).map_or(0, |bit| 1 << bit)
    }
}

impl Pin {
    fn read(group: &Group, default: f64) -> Self {
        let capacitance = number(group, "capacitance").unwrap_or(default);
        let capacitance =
            ["fall_capacitance", "rise_capacitance"].map(|name| number(group, name).unwrap_or(capacitance));
        Self { name: group.name.clone(), capacitance }
    }
}

/// The variables of the functions of a cell: inputs, then outputs, then the stored bit and its opposite.
struct Names {
    inputs: Vec<String>,
    outputs: Vec<String>,
    stored: [String; 2],
}

impl Names {
    fn new(cell: &Group, inputs: &[Pin], outputs: &[Pin]) -> Self {
        let names = |pins: &[Pin]| pins.iter().map(|pin| pin.name.clone()).collect();
        let storage = cell.iter_subgroups().find(|group| matches!(group.type_.as_str(), "ff" | "latch"));
        let stored = storage.map_or("", |group| group.name.as_str());
        let mut stored = stored.split(',').map(|name| name.trim().trim_matches('"').to_string());
        let stored = [0, 1].map(|_| stored.next().unwrap_or_default());
        Self { inputs: names(inputs), outputs: names(outputs), stored }
    }

    fn input(&self, name: &str) -> Option<usize> {
        self.inputs.iter().position(|input| input == name)
    }

    /// Variable of an output.
    fn output(&self, output: usize) -> usize {
        self.inputs.len() + output
    }

    /// Variable of the stored bit, after which its opposite comes.
    fn stored(&self) -> usize {
        self.inputs.len() + self.outputs.len()
    }

    fn variable(&self, name: &str) -> Option<usize> {
        let names = self.inputs.iter().chain(&self.outputs).chain(&self.stored);
        names.into_iter().position(|known| known == name)
    }

    /// The function of an attribute, if the group has it.
    fn function(&self, group: &Group, attribute: &str) -> Result<Option<Function>, String> {
        // A function without operators may look like a number.
        let constant = number(group, attribute).map(|value| format!("{value}"));
        let Some(text) = text(group, attribute).map(str::to_string).or(constant) else { return Ok(None) };
        Function::parse(&text, &|name| self.variable(name)).map(Some)
    }
}
