//! Cells of the library that a netlist uses, read once each.
use std::collections::{HashMap, HashSet};

use liberty_parser::liberty::Liberty;

use super::flatten::{FlatCell, ZERO};
use super::{Cell, GatesError, Kind};
use crate::cells::tables::{Templates, Units};
use crate::cells::{Cells, liberty};

pub(super) struct Kinds {
    liberty: Liberty,
    templates: Templates,
    numbers: HashMap<String, usize>,
    /// Those that were asked for.
    pub kinds: Vec<Kind>,
    pub units: Units,
}

impl Kinds {
    pub fn new(cells: &Cells) -> Result<Self, GatesError> {
        let liberty = liberty::read(&cells.library.name, &cells.liberty)?;
        let library = || cells.library.name.clone();
        let units = Units::of(&liberty.0[0]).map_err(|reason| GatesError::Library { library: library(), reason })?;
        let templates = Templates::of(&liberty.0[0]);
        Ok(Self { liberty, templates, numbers: HashMap::new(), kinds: vec![], units })
    }

    /// Number of a kind; `None` if there is none of that name.
    pub fn number(&mut self, name: &str) -> Result<Option<usize>, GatesError> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(Some(number));
        }
        let library = &self.liberty.0[0];
        let Some(cell) = library.get_cell(name) else { return Ok(None) };
        let kind = Kind::read(cell, library, &self.templates, &self.units);
        let kind = kind.map_err(|reason| GatesError::Kind { kind: name.to_string(), reason })?;
        self.numbers.insert(name.to_string(), self.kinds.len());
        self.kinds.push(kind);
        Ok(Some(self.kinds.len() - 1))
    }

    /// A cell of the netlist. Inputs that are not connected are at net `ZERO`; outputs get a net from `nets`. Of registers,
    /// the nets in `starts_high` are 1 in the beginning.
    pub fn cell(&mut self, flat: &FlatCell, starts_high: &HashSet<u32>, nets: &mut usize) -> Result<Cell, GatesError> {
        let unknown = || GatesError::UnknownCell { path: flat.path.clone(), kind: flat.kind.clone() };
        let number = self.number(&flat.kind)?.ok_or_else(unknown)?;
        let kind = &self.kinds[number];
        let known = |pin: &String| kind.inputs.iter().chain(&kind.outputs).any(|known| known.name == *pin);
        if let Some(pin) = flat.pins.keys().find(|pin| !known(pin)) {
            let reason = format!("{} connects a pin {pin}, which it does not have", flat.path);
            return Err(GatesError::Kind { kind: flat.kind.clone(), reason });
        }
        let inputs = kind.inputs.iter().map(|pin| flat.pins.get(&pin.name).copied().unwrap_or(ZERO)).collect();
        let outputs = kind.outputs.iter().map(|pin| {
            flat.pins.get(&pin.name).copied().unwrap_or_else(|| {
                *nets += 1;
                *nets as u32 - 1
            })
        });
        let outputs: Vec<u32> = outputs.collect();
        // The stored bit with which such a net is 1; of the opposite of it that is 0.
        let with_one = usize::from(kind.logic.stored());
        let is_one =
            |(output, net): (usize, &u32)| starts_high.contains(net) && kind.logic.outputs[with_one] >> output & 1 == 1;
        let starts_high = kind.logic.stores && outputs.iter().enumerate().any(is_one);
        let (kind, child) = (number as u32, flat.child as u32);
        Ok(Cell { path: flat.path.clone(), kind, child, inputs, outputs, starts_high, gate: None })
    }
}
