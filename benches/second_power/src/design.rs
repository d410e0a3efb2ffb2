//! A directory of `synth --gates`: the gates with their library and what is around them.
use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::liberty::{self, Group};
use crate::library::{Kind, Units};
use crate::netlist::{self, Netlist};
use crate::table;

pub struct Cell {
    pub kind: usize,
    /// Nets by pin of the kind.
    pub nets: Vec<Option<usize>>,
    /// Its scope below the design.
    pub scope: String,
}

pub struct Design {
    pub netlist: Netlist,
    pub kinds: Vec<Kind>,
    pub cells: Vec<Cell>,
    pub units: Units,
    pub clock: String,
    pub clock_ns: f64,
    /// Of every output, in the unit of the library.
    pub load: f64,
    /// Kind that drives inputs.
    pub driver: Option<usize>,
}

const LIBRARY: &str = "cells.lib";
const NETLIST: &str = "mapped.v";
const CONSTRAINTS: &str = "gates.sdc";

/// A file's text.
pub fn text(directory: &Path, file: &str) -> Result<String> {
    fs::read_to_string(directory.join(file)).with_context(|| file.to_string())
}

impl Design {
    pub fn read(directory: &Path) -> Result<Self> {
        let library = liberty::read(&text(directory, LIBRARY)?).context(LIBRARY)?;
        let netlist = netlist::read(&text(directory, NETLIST)?).context(NETLIST)?;
        let constraints = text(directory, CONSTRAINTS)?;
        let after = |command: &str, option: &str| {
            let line = constraints.lines().find(|line| line.starts_with(command))?;
            let mut words = line.split_whitespace();
            words.find(|word| *word == option)?;
            Some(words.next()?.trim_matches([']', '[']).to_string())
        };
        let templates = table::templates(&library);
        let by_name: HashMap<&str, &Group> = library.all("cell").map(|cell| (cell.name(), cell)).collect();
        let (mut kinds, mut numbers) = (Vec::<Kind>::new(), HashMap::<String, usize>::new());
        let mut number = |name: &str| {
            if let Some(number) = numbers.get(name) {
                return Ok(*number);
            }
            let cell = by_name.get(name).with_context(|| format!("{LIBRARY}: no cell {name}"))?;
            kinds.push(Kind::read(&library, cell, &templates).with_context(|| format!("{LIBRARY}: cell {name}"))?);
            numbers.insert(name.to_string(), kinds.len() - 1);
            Ok(kinds.len() - 1)
        };
        let numbers = netlist.cells.iter().map(|cell| number(&cell.kind)).collect::<Result<Vec<usize>>>()?;
        let driver = after("set_driving_cell", "-lib_cell").map(|name| number(&name)).transpose()?;
        let cells = netlist.cells.iter().zip(numbers).map(|(cell, kind)| {
            let net = |name: &str| cell.pins.iter().find(|(pin, _)| pin == name).map(|(_, net)| *net);
            let nets = kinds[kind].pins.iter().map(|pin| net(&pin.name)).collect();
            Cell { kind, nets, scope: cell.path.join(".") }
        });
        let cells = cells.collect();
        let number = |command: &str, option: &str| after(command, option)?.parse().ok().filter(|number| *number > 0.0);
        let clock = after("create_clock", "[get_ports").with_context(|| format!("{CONSTRAINTS}: no clock"))?;
        let clock_ns = number("create_clock", "-period");
        Ok(Self {
            cells,
            units: Units::of(&library).context(LIBRARY)?,
            clock,
            clock_ns: clock_ns.with_context(|| format!("{CONSTRAINTS}: the clock has no period"))?,
            load: number("set_load", "set_load").unwrap_or(0.0),
            driver,
            netlist,
            kinds,
        })
    }

    /// Whether a flip-flop has another clock than that from outside.
    pub fn has_gated_clocks(&self) -> bool {
        let inputs = self.netlist.inputs.iter().filter(|(name, _)| *name == self.clock);
        let clock: Vec<usize> = inputs.flat_map(|(_, nets)| nets.iter().copied()).collect();
        let of_cell = |cell: &Cell| self.kinds[cell.kind].clock().and_then(|pin| cell.nets[pin]);
        self.cells.iter().filter_map(of_cell).any(|net| !clock.contains(&net))
    }

    /// Models of all its cells.
    pub fn models(&self) -> String {
        self.kinds.iter().map(Kind::model).collect()
    }
}
