//! Mapped gates, as they can be simulated: the netlist that yosys wrote, with its hierarchy dissolved, and what the library
//! says of its cells.
//!
//! ```text
//!  mapped.json --json--> modules --flatten--> cells, nets --levels--> an order of evaluation --+--> Gates
//!  cells.lib --kind--> what a cell does and takes, in tables ---------------------------------+
//! ```
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::cells::tables::Units;
use crate::cells::{Cells, CellsError};

mod flatten;
pub mod kind;
mod levels;
mod library;
#[cfg(test)]
pub(crate) mod tests;

use flatten::{Flat, FlatPort};
use kind::Kind;
use library::Kinds;

pub use levels::Step;

/// A port of the gates, or a pin of a black box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// As in the Verilog text; of a pin of a black box, `instance.pin` with the instances joined by `.` from the top.
    pub name: String,
    /// In bits.
    pub width: usize,
}

impl Port {
    /// Words that hold its value.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64)
    }
}

/// A cell between nets.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name, below those of the instances that it is in.
    pub path: String,
    /// Number of its kind.
    pub kind: u32,
    /// Number of the child of the top that it is in.
    pub child: u32,
    /// Nets at its inputs.
    pub inputs: Vec<u32>,
    /// Nets at its outputs.
    pub outputs: Vec<u32>,
    /// Whether its stored bit is 1 in the beginning.
    pub starts_high: bool,
    /// Of a flip-flop, the number of the gate of its clock.
    pub gate: Option<u32>,
}

/// A gate of a clock, made of cells as everything is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ClockGate {
    /// Net that says at the end of a cycle whether its flip-flops take something.
    pub enable: u32,
    /// Net of their clock.
    pub gated: u32,
}

/// A netlist of cells.
#[derive(Debug)]
pub struct Gates {
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// Nets of the ports in their order, the lowest bit first.
    pub(crate) input_nets: Vec<Vec<u32>>,
    pub(crate) output_nets: Vec<Vec<u32>>,
    /// Nets of clocks.
    pub(crate) clocks: Vec<u32>,
    pub(crate) clock_gates: Vec<ClockGate>,
    pub(crate) cells: Vec<Cell>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) steps: Vec<Step>,
    /// Number of nets; the first is always 0, the second always 1.
    pub(crate) nets: usize,
    /// Module types of the children of the top; the first is the top itself.
    pub(crate) children: Vec<Option<String>>,
    /// What drives inputs, the smallest buffer of the library.
    pub(crate) driver: Option<Kind>,
    pub(crate) units: Units,
}

/// Why gates cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GatesError {
    /// The file cannot be read.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It is no netlist.
    #[error("this is no netlist of yosys that can be simulated: {reason}")]
    Unreadable {
        /// What is wrong.
        reason: String,
    },
    /// The library cannot be read.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// The library lacks what power needs.
    #[error("{library} is not enough to calculate power: {reason}")]
    Library {
        /// Its name.
        library: String,
        /// What is missing.
        reason: String,
    },
    /// A cell is none of the library.
    #[error("{path} is a {kind}, which is no cell of the library")]
    UnknownCell {
        /// Which.
        path: String,
        /// Its type.
        kind: String,
    },
    /// A cell cannot be simulated.
    #[error("{kind}, a cell of the library, cannot be simulated: {reason}")]
    Kind {
        /// Which.
        kind: String,
        /// Why.
        reason: String,
    },
    /// A net has two drivers.
    #[error("two cells or inputs drive one net, {path} is the second")]
    Driven {
        /// The second.
        path: String,
    },
    /// Logic without an order.
    #[error("a combinational loop through {}", .cells.join(", "))]
    Loop {
        /// In order.
        cells: Vec<String>,
    },
    /// A clock is made by logic.
    #[error(
        "the clock of {path} is neither an input of the design nor gated from one: clocks that go through other cells are not simulated"
    )]
    Clock {
        /// A flip-flop.
        path: String,
    },
}

impl Gates {
    /// The gates in a directory of [`Mapped`](crate::flow::Mapped).
    pub fn load(directory: &Path, cells: &Cells) -> Result<Self, GatesError> {
        let path = directory.join(crate::flow::MAPPED_JSON);
        let text = std::fs::read_to_string(&path)
            .map_err(|error| GatesError::Io { path: path.clone(), reason: error.to_string() })?;
        Self::read(&text, cells)
    }

    /// The gates of a text that yosys' `write_json` wrote.
    pub fn read(json: &str, cells: &Cells) -> Result<Self, GatesError> {
        let design =
            serde_json::from_str(json).map_err(|error| GatesError::Unreadable { reason: error.to_string() })?;
        let flat = flatten::flatten(&design)?;
        let mut kinds = Kinds::new(cells)?;
        let mut nets = flat.nets;
        let starts_high = flat.starts_high.iter().copied().collect();
        let gates = flat.cells.iter().map(|cell| kinds.cell(cell, &starts_high, &mut nets));
        let mut gates = gates.collect::<Result<Vec<Cell>, _>>()?;
        let buffer = cells.library.buffer().map(|buffer| kinds.number(&buffer.name)).transpose()?.flatten();
        let driver = buffer.map(|number| kinds.kinds[number].clone());
        let Kinds { kinds, units, .. } = kinds;
        let clocks = clocks(&mut gates, &kinds, &flat)?;
        let clock_gates = flat.clock_gates.iter().map(|gate| ClockGate { enable: gate.enable, gated: gate.gated });
        let clock_gates = clock_gates.collect();
        check_drivers(&gates, &flat, nets)?;
        let steps = levels::order(&gates, &kinds, nets)?;
        let without_clocks = |ports: Vec<FlatPort>| -> (Vec<Port>, Vec<Vec<u32>>) {
            let is_clock = |port: &FlatPort| port.nets.iter().any(|net| clocks.contains(net));
            ports.into_iter().filter(|port| !is_clock(port)).map(|port| (port.port, port.nets)).unzip()
        };
        let ((inputs, input_nets), (outputs, output_nets)) =
            (without_clocks(flat.inputs), without_clocks(flat.outputs));
        Ok(Self {
            cells: gates,
            inputs,
            outputs,
            input_nets,
            output_nets,
            clocks,
            clock_gates,
            kinds,
            steps,
            nets,
            children: flat.children,
            driver,
            units,
        })
    }

    /// Inputs of the top, but for its clocks, and the pins that black boxes drive. A clock is what flip-flops are clocked
    /// by, and what is connected to a pin `clock` of a black box.
    pub fn inputs(&self) -> &[Port] {
        &self.inputs
    }

    /// Outputs of the top, and the pins that black boxes read, but for their clocks.
    pub fn outputs(&self) -> &[Port] {
        &self.outputs
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    pub(crate) fn kind(&self, cell: &Cell) -> &Kind {
        &self.kinds[cell.kind as usize]
    }
}

/// Nets of clocks: inputs of the top, one bit each. Flip-flops behind a gate are told which.
fn clocks(cells: &mut [Cell], kinds: &[Kind], flat: &Flat) -> Result<Vec<u32>, GatesError> {
    let gates: HashMap<u32, usize> = flat.clock_gates.iter().enumerate().map(|(i, gate)| (gate.gated, i)).collect();
    let mut clocks = vec![];
    for cell in cells {
        let Some(clock) = kinds[cell.kind as usize].logic.clock else { continue };
        let net = cell.inputs[clock.input];
        // What gates pass on is the rising edge of a cycle.
        let gate = gates.get(&net).copied().filter(|_| clock.rising);
        let net = gate.map_or(net, |gate| flat.clock_gates[gate].clock);
        if !flat.inputs.iter().any(|port| port.nets == [net]) {
            return Err(GatesError::Clock { path: cell.path.clone() });
        }
        cell.gate = gate.map(|gate| gate as u32);
        clocks.push(net);
    }
    clocks.extend(&flat.box_clocks);
    clocks.sort_unstable();
    clocks.dedup();
    Ok(clocks)
}

/// One driver for every net.
fn check_drivers(cells: &[Cell], flat: &Flat, nets: usize) -> Result<(), GatesError> {
    let mut driven = vec![false; nets];
    driven[..2].fill(true);
    let inputs = flat.inputs.iter().flat_map(|port| port.nets.iter().map(|net| (*net, &port.port.name)));
    let outputs = cells.iter().flat_map(|cell| cell.outputs.iter().map(|net| (*net, &cell.path)));
    for (net, path) in inputs.chain(outputs) {
        if std::mem::replace(&mut driven[net as usize], true) {
            return Err(GatesError::Driven { path: path.clone() });
        }
    }
    Ok(())
}
