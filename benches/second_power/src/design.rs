//! A directory of `synth --gates`: the gates with their library and what is around them.
use std::collections::HashMap;
use std::fs;
use std::path::Path;

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

impl Design {
    pub fn read(directory: &Path) -> Self {
        let text = |file: &str| {
            let path = directory.join(file);
            fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        let library = liberty::read(&text("cells.lib"));
        let netlist = netlist::read(&text("mapped.v"));
        let constraints = text("gates.sdc");
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
            *numbers.entry(name.to_string()).or_insert_with(|| {
                let cell = by_name.get(name).unwrap_or_else(|| panic!("{name} is no cell of the library"));
                kinds.push(Kind::read(&library, cell, &templates));
                kinds.len() - 1
            })
        };
        let numbers: Vec<usize> = netlist.cells.iter().map(|cell| number(&cell.kind)).collect();
        let driver = after("set_driving_cell", "-lib_cell").map(|name| number(&name));
        let cells = netlist.cells.iter().zip(numbers).map(|(cell, kind)| {
            let net = |name: &str| cell.pins.iter().find(|(pin, _)| pin == name).map(|(_, net)| *net);
            let nets = kinds[kind].pins.iter().map(|pin| net(&pin.name)).collect();
            Cell { kind, nets, scope: cell.path.join(".") }
        });
        let cells = cells.collect();
        Self {
            cells,
            units: Units::of(&library),
            clock: after("create_clock", "[get_ports").expect("a clock"),
            clock_ns: after("create_clock", "-period").and_then(|period| period.parse().ok()).expect("a period"),
            load: after("set_load", "set_load").and_then(|load| load.parse().ok()).unwrap_or(0.0),
            driver,
            netlist,
            kinds,
        }
    }

    /// Models of all its cells.
    pub fn models(&self) -> String {
        self.kinds.iter().map(Kind::model).collect()
    }
}
