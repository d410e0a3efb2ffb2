//! The state of a design, counted in its netlist: bits of flip-flops and of memories, and what they are called.
use std::collections::HashMap;
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use crate::netlist::{ModuleId, NetName, Netlist, Segment};

/// Bits of flip-flops and of memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Bits {
    pub registers: usize,
    pub memories: usize,
}

impl Add for Bits {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { registers: self.registers + other.registers, memories: self.memories + other.memories }
    }
}

impl Sum for Bits {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), Self::add)
    }
}

/// `3 + 1024`: flip-flops and memories.
impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.registers, self.memories) {
            (0, 0) => write!(f, "-"),
            (registers, 0) => write!(f, "{registers}"),
            (registers, memories) => write!(f, "{registers} + {memories}"),
        }
    }
}

impl Bits {
    /// What a module holds itself.
    pub fn own(netlist: &Netlist, id: ModuleId) -> Self {
        let module = netlist.module(id);
        Self {
            registers: module.registers.iter().map(|register| register.width).sum(),
            memories: module.memories.iter().map(|memory| memory.width * memory.depth).sum(),
        }
    }

    /// What the design holds.
    pub fn total(netlist: &Netlist) -> Self {
        // Children come before their parents.
        let mut known: Vec<Self> = Vec::with_capacity(netlist.modules.len());
        for (id, module) in netlist.modules.iter().enumerate() {
            let inside = module.instances.iter().map(|instance| known[instance.module.0 as usize]);
            let bits = Self::own(netlist, ModuleId(id as u32)) + inside.sum();
            known.push(bits);
        }
        known[netlist.top.0 as usize]
    }
}

/// Registers or memories of one name: those of a `Vec`, and of all instances of a `Vec` of modules, are one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Fields from the top down, without positions: `rows.pending`.
    pub name: String,
    /// Bits of a row; of a register, all.
    pub width: usize,
    /// Rows of a memory; `None`: a register.
    pub depth: Option<usize>,
    /// How many there are.
    pub count: usize,
}

impl Element {
    /// Bits of all of it.
    pub fn bits(&self) -> usize {
        self.width * self.depth.unwrap_or(1) * self.count
    }
}

/// All elements, in the order of the modules' fields: registers, memories, then what the instances hold.
pub fn elements(netlist: &Netlist) -> Vec<Element> {
    let mut found = Found { netlist, elements: vec![], positions: HashMap::new() };
    found.walk(netlist.top, &[]);
    found.elements
}

struct Found<'a> {
    netlist: &'a Netlist,
    elements: Vec<Element>,
    positions: HashMap<(String, usize, Option<usize>), usize>,
}

impl Found<'_> {
    fn walk(&mut self, id: ModuleId, path: &[&str]) {
        let netlist = self.netlist;
        let module = netlist.module(id);
        for register in &module.registers {
            self.add(path, &register.name, register.width, None);
        }
        for memory in &module.memories {
            self.add(path, &memory.name, memory.width, Some(memory.depth));
        }
        for instance in &module.instances {
            self.walk(instance.module, &[path, &[instance.name.field.as_str()]].concat());
        }
    }

    fn add(&mut self, path: &[&str], name: &NetName, width: usize, depth: Option<usize>) {
        let fields = name.0.iter().map(|Segment { field, .. }| field.as_str());
        let name = path.iter().copied().chain(fields).collect::<Vec<_>>().join(".");
        let last = self.elements.len();
        let position = *self.positions.entry((name.clone(), width, depth)).or_insert(last);
        if position == last {
            self.elements.push(Element { name, width, depth, count: 0 });
        }
        self.elements[position].count += 1;
    }
}
