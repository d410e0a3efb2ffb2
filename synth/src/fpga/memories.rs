//! Where the memories of a design went.
use std::fmt;

use serde::Serialize;
use warploom_sim::netlist::{Memory, ModuleId, Netlist};

use crate::verilog;

/// What holds a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Block RAM.
    BlockRam,
    /// Look-up tables.
    LutRam,
    /// Flip-flops, and look-up tables that choose among them.
    FlipFlops,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlockRam => "block RAM",
            Self::LutRam => "LUT RAM",
            Self::FlipFlops => "flip-flops",
        })
    }
}

/// Memories of one shape in one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryPlace {
    /// The first of them, from the top, as in the flat Verilog.
    pub name: String,
    /// How many.
    pub count: usize,
    /// Rows of one.
    pub rows: usize,
    /// Bits of a row.
    pub width: usize,
    /// Read ports.
    pub reads: usize,
    /// Write ports.
    pub writes: usize,
    /// Whether some port reads within the cycle, which block RAM cannot.
    pub asynchronous: bool,
    /// What holds it.
    pub place: Place,
}

impl fmt::Display for MemoryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, count, rows, width, reads, writes, asynchronous, place } = self;
        let why = if *asynchronous { "; read without a clock edge, which block RAM cannot" } else { "" };
        let and = if *count > 1 { format!(" and {} more", count - 1) } else { String::new() };
        write!(f, "{name}{and}: {rows} x {width}, {reads} read, {writes} write: {place}{why}")
    }
}

/// Of all memories. `in_place` are the cells that yosys made of memories, a line `top/name` each.
pub(super) fn places(netlist: &Netlist, in_place: &[(Place, String)]) -> Vec<MemoryPlace> {
    let mut places: Vec<MemoryPlace> = vec![];
    below(netlist, netlist.top, "", &mut |name, memory| {
        // A cell's name goes on with its place in the memory.
        let is_part = |line: &str| {
            let rest = line.split_once('/').and_then(|(_, cell)| cell.strip_prefix(name.as_str()));
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let place = in_place.iter().find(|(_, cells)| cells.lines().any(is_part));
        let new = MemoryPlace {
            name,
            count: 1,
            rows: memory.depth,
            width: memory.width,
            reads: memory.reads.len(),
            writes: memory.writes.len(),
            asynchronous: memory.reads.iter().any(|read| read.enable.is_none()),
            place: place.map_or(Place::FlipFlops, |(place, _)| *place),
        };
        let alike = |old: &&mut MemoryPlace| MemoryPlace { name: new.name.clone(), count: 1, ..(**old).clone() } == new;
        match places.iter_mut().find(alike) {
            Some(old) => old.count += 1,
            None => places.push(new),
        }
    });
    places
}

fn below(netlist: &Netlist, id: ModuleId, path: &str, visit: &mut dyn FnMut(String, &Memory)) {
    let module = netlist.module(id);
    for (name, memory) in verilog::memory_names(module).iter().zip(&module.memories) {
        visit(format!("{path}{name}"), memory);
    }
    for (name, instance) in verilog::instance_names(module).iter().zip(&module.instances) {
        below(netlist, instance.module, &format!("{path}{name}."), visit);
    }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::parts::Fifo;
    use warploom_hdl::prelude::Block;
    use warploom_sim::elaborate;

    use super::*;

    #[test]
    fn a_memory_is_where_its_cells_are() {
        let mut fifo = Fifo::new(16, 32);
        fifo.connect_all();
        let netlist = elaborate(&fifo).unwrap_or_else(|error| panic!("{error}"));
        let name = &verilog::memory_names(netlist.top())[0];
        let place = |cells: String| places(&netlist, &[(Place::LutRam, cells)])[0].place;
        assert_eq!(place(format!("Fifo/{name}.0.0\n")), Place::LutRam);
        assert_eq!(place(format!("Fifo/{name}_2.0.0\n")), Place::FlipFlops);
    }
}
