//! The state of a design by names, independent of what it was compiled into.
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::library::Instance;
use crate::emit::state::{self, BANKS, Cells, memory_cells, register_cells};
use crate::ir::{Design, path_name};

/// Everything a design holds between two cycles. Hierarchical names have no scope for the top: `lanes[3].alu.sum`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Flip-flops.
    pub registers: BTreeMap<String, Word>,
    /// Memories.
    pub memories: BTreeMap<String, MemoryState>,
    /// Inputs as driven and outputs as in the cycle last stepped.
    pub ports: BTreeMap<String, Word>,
}

/// What a register holds, or what stands on a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word {
    /// Bits.
    pub width: u8,
    /// Value.
    pub value: u64,
}

/// What a memory holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryState {
    /// Bits of a row.
    pub width: u8,
    /// All rows.
    pub rows: Vec<u64>,
}

/// The state is of another design.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the state is of another design: {}", summary(.differences))]
pub struct RestoreError {
    /// What differs, one line each.
    pub differences: Vec<String>,
}

/// Differences in a message; all of them would be thousands.
const SHOWN: usize = 4;

fn summary(differences: &[String]) -> String {
    let shown = differences.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
    match differences.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}

/// A register or memory without lanes, or one lane of one with lanes.
#[derive(Clone)]
struct Element {
    path: String,
    width: u8,
    /// Of a memory.
    depth: usize,
    lane: usize,
    /// Which of [`Instance::places`].
    place: usize,
    cells: Cells,
}

impl Element {
    /// Where row `row` of this lane is, behind `base`.
    fn cell(&self, base: usize, row: usize) -> Cell {
        match self.cells {
            Cells::Bits => Cell { at: base, size: 8, bit: Some(self.lane as u32) },
            Cells::Bytes { size, stride } => Cell { at: base + (row * stride + self.lane) * size, size, bit: None },
        }
    }
}

/// A word of a register or a row of a memory.
struct Cell {
    at: usize,
    size: usize,
    bit: Option<u32>,
}

impl Cell {
    fn load(&self, bytes: &[u8]) -> u64 {
        let bytes = &bytes[self.at..self.at + self.size];
        let value = match *bytes {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_ne_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_ne_bytes([a, b, c, d])),
            _ => u64::from_ne_bytes(bytes.try_into().expect("eight bytes")),
        };
        self.bit.map_or(value, |bit| value >> bit & 1)
    }

    fn store(&self, bytes: &mut [u8], value: u64) {
        let whole = Self { bit: None, ..*self };
        let value = match self.bit {
            Some(bit) => whole.load(bytes) & !(1 << bit) | value << bit,
            None => value,
        };
        let bytes = &mut bytes[self.at..self.at + self.size];
        match self.size {
            1 => bytes.copy_from_slice(&(value as u8).to_ne_bytes()),
            2 => bytes.copy_from_slice(&(value as u16).to_ne_bytes()),
            4 => bytes.copy_from_slice(&(value as u32).to_ne_bytes()),
            _ => bytes.copy_from_slice(&value.to_ne_bytes()),
        }
    }
}

/// The names of what the code of a design holds.
#[derive(Clone)]
pub struct Names {
    registers: Vec<Element>,
    memories: Vec<Element>,
    places: usize,
}

impl Names {
    pub fn new(design: &Design) -> Self {
        let registers = design.registers.iter().enumerate().flat_map(|(i, register)| {
            let (ty, cells) = (register.ty, register_cells(register.ty));
            register.paths.iter().enumerate().map(move |(lane, path)| Element {
                path: path_name(path),
                width: ty.width,
                depth: 1,
                lane,
                place: BANKS + i,
                cells,
            })
        });
        let memories = design.memories.iter().enumerate().flat_map(|(i, memory)| {
            let (ty, cells) = (memory.ty, memory_cells(memory.ty));
            memory.paths.iter().enumerate().map(move |(lane, path)| Element {
                path: path_name(path),
                width: ty.width,
                depth: memory.depth,
                lane,
                place: BANKS + design.registers.len() + i,
                cells,
            })
        });
        Self { registers: registers.collect(), memories: memories.collect(), places: state::places(design) }
    }

    /// How many places the library has to export.
    pub fn places(&self) -> usize {
        self.places
    }

    pub fn registers(&self, instance: &Instance) -> BTreeMap<String, Word> {
        let (bytes, places) = (instance.bytes(), instance.places());
        let &[bank, banks, size] = &places[..BANKS] else { unreachable!("so many come first") };
        let current = Cell { at: bank, size: 8, bit: None }.load(bytes) as usize;
        let word = |element: &Element| {
            let cell = element.cell(banks + current * size + places[element.place], 0);
            Word { width: element.width, value: cell.load(bytes) }
        };
        self.registers.iter().map(|element| (element.path.clone(), word(element))).collect()
    }

    pub fn memories(&self, instance: &Instance) -> BTreeMap<String, MemoryState> {
        let (bytes, places) = (instance.bytes(), instance.places());
        let rows = |element: &Element| {
            let row = |row| element.cell(places[element.place], row).load(bytes);
            MemoryState { width: element.width, rows: (0..element.depth).map(row).collect() }
        };
        self.memories.iter().map(|element| (element.path.clone(), rows(element))).collect()
    }

    /// Whether `state` has what this design has, and nothing else.
    pub fn check(&self, state: &State, ports: &BTreeMap<String, Word>) -> Result<(), RestoreError> {
        let registers = self.registers.iter().map(|element| (element.path.as_str(), (element.width, 1)));
        let memories = self.memories.iter().map(|element| (element.path.as_str(), (element.width, element.depth)));
        let ports = ports.iter().map(|(name, word)| (name.as_str(), (word.width, 1)));
        let mut differences = vec![];
        compare("register", registers.collect(), words(&state.registers), &mut differences);
        compare("memory", memories.collect(), shapes(&state.memories, |m| (m.width, &m.rows)), &mut differences);
        compare("port", ports.collect(), words(&state.ports), &mut differences);
        if differences.is_empty() { Ok(()) } else { Err(RestoreError { differences }) }
    }

    /// Writes what has been checked.
    pub fn write(&self, state: &State, instance: &mut Instance) {
        let places = instance.places().to_vec();
        let bytes = instance.bytes_mut();
        let [_, banks, size] = places[..BANKS] else { unreachable!("so many come first") };
        for element in &self.registers {
            // Both banks: a register that is left alone in the next cycle then keeps its value.
            for bank in 0..2 {
                let cell = element.cell(banks + bank * size + places[element.place], 0);
                cell.store(bytes, state.registers[&element.path].value);
            }
        }
        for element in &self.memories {
            for (row, value) in state.memories[&element.path].rows.iter().enumerate() {
                element.cell(places[element.place], row).store(bytes, *value);
            }
        }
    }
}

fn words(words: &BTreeMap<String, Word>) -> BTreeMap<&str, Shape> {
    shapes(words, |word| (word.width, std::slice::from_ref(&word.value)))
}

/// Width and number of words.
type Shape = (u8, usize);

/// Width and words, by name; what does not fit its width has a width of its own.
fn shapes<T>(elements: &BTreeMap<String, T>, of: impl Fn(&T) -> (u8, &[u64])) -> BTreeMap<&str, Shape> {
    let shape = |element| {
        let (width, words): (u8, &[u64]) = of(element);
        let needed = words.iter().map(|word| 64 - word.leading_zeros()).max().unwrap_or(0) as u8;
        (width.max(needed), words.len())
    };
    elements.iter().map(|(name, element)| (name.as_str(), shape(element))).collect()
}

fn compare(kind: &str, ours: BTreeMap<&str, Shape>, theirs: BTreeMap<&str, Shape>, differences: &mut Vec<String>) {
    let text = |(width, words): Shape| {
        if kind == "memory" { format!("{words} x {width} bits") } else { format!("{width} bits") }
    };
    for (name, shape) in &ours {
        match theirs.get(name) {
            None => differences.push(format!("it has no {kind} {name}")),
            Some(other) if other != shape => {
                differences.push(format!("{kind} {name} has {} in it, {} in the design", text(*other), text(*shape)));
            }
            Some(_) => {}
        }
    }
    for name in theirs.keys().filter(|name| !ours.contains_key(*name)) {
        differences.push(format!("its {kind} {name} is not in the design"));
    }
}
