//! Large memories are no business of a synthesis tool: they become modules of their own, which stay black boxes.
//!
//! ```text
//!  module RegisterFile { memory banks[0..32] }  -->  module RegisterFile { instances banks[0..32]: Memory_1024x32_2r1w }
//! ```
//! The design behaves as before; only who holds the bits has changed. What such a memory would take is estimated
//! apart from the cells ([`sram`], [`latches`]), and never added to them.
use std::collections::{BTreeMap, HashMap};

use warploom_sim::netlist::{
    Driver, Expr, ExprId, Instance, Memory, Module, ModuleId, Net, NetId, NetKind, NetName, Netlist, Op, ReadPort,
    Segment, WritePort,
};

mod latches;
mod sram;

/// Which memories are large, and are set apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Large {
    /// Those of at least so many bits.
    pub bits: usize,
    /// Whether those of a module that are always read and written in the same rows count as one, as the fields of a table
    /// of records do.
    pub joined: bool,
}

impl Large {
    /// Those of at least so many bits, each by itself.
    pub fn from(bits: usize) -> Self {
        Self { bits, joined: false }
    }
}

/// A design without its large memories.
#[derive(Debug)]
pub struct Extracted {
    /// They are modules.
    pub netlist: Netlist,
    /// The names of these.
    pub boxes: Vec<String>,
    /// What they hold; those that count as one are one.
    pub macros: Vec<MemoryMacro>,
}

/// A kind of memory that was set apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryMacro {
    /// Rows.
    pub depth: usize,
    /// Bits of a row.
    pub width: usize,
    /// Read ports.
    pub reads: usize,
    /// Write ports.
    pub writes: usize,
    /// Instances in the whole design.
    pub count: usize,
}

impl MemoryMacro {
    /// Bits of one.
    pub fn bits(&self) -> usize {
        self.depth * self.width
    }
}

/// Makes modules of all large memories.
pub fn extract(netlist: &Netlist, which: Large) -> Extracted {
    let mut kinds: Vec<Module> = vec![];
    let mut known: HashMap<Vec<usize>, usize> = HashMap::new();
    let mut of_module: Vec<(Vec<bool>, Vec<usize>)> = vec![];
    let mut tables: Vec<(ModuleId, MemoryMacro)> = vec![];
    for (number, module) in netlist.modules.iter().enumerate() {
        let groups = groups(module, which.joined);
        let bits = |group: &[usize]| -> usize { group.iter().map(|i| bits(&module.memories[*i])).sum() };
        let mut large = vec![false; module.memories.len()];
        for group in groups.iter().filter(|group| bits(group) >= which.bits) {
            group.iter().for_each(|i| large[*i] = true);
            tables.push((ModuleId(number as u32), table(module, group)));
        }
        let memories = module.memories.iter().zip(&large).filter(|(_, large)| **large);
        let kind = |(memory, _): (&Memory, _)| {
            let next = kinds.len();
            *known.entry(shape(module, memory)).or_insert_with(|| {
                kinds.push(macro_module(module, memory, &format!("_{next}")));
                next
            })
        };
        let kinds = memories.map(kind).collect();
        of_module.push((large, kinds));
    }
    let shift = kinds.len() as u32;
    let boxes: Vec<String> = kinds.iter().map(|module| module.name.clone()).collect();
    let mut modules = kinds;
    for (module, (large, kinds)) in netlist.modules.iter().zip(&of_module) {
        let mut module = module.clone();
        module.instances.iter_mut().for_each(|instance| instance.module.0 += shift);
        take_out(&mut module, kinds, large);
        modules.push(module);
    }
    let netlist = Netlist { modules, top: ModuleId(netlist.top.0 + shift) };
    let counts: HashMap<&str, usize> = netlist.instance_counts().into_iter().collect();
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let mut macros: Vec<MemoryMacro> = vec![];
    for (module, table) in tables {
        let count = count(&netlist.module(ModuleId(module.0 + shift)).name);
        let same = |other: &&mut MemoryMacro| MemoryMacro { count: 0, ..(**other).clone() } == table;
        match macros.iter_mut().find(same) {
            Some(known) => known.count += count,
            None => macros.push(MemoryMacro { count, ..table }),
        }
    }
    macros.retain(|kind| kind.count > 0);
    let boxes = boxes.into_iter().filter(|name| count(name) > 0).collect();
    Extracted { netlist, boxes, macros }
}

fn bits(memory: &Memory) -> usize {
    memory.width * memory.depth
}

/// Memories of a module by number, those together that are always read and written in the same rows; or each for itself.
fn groups(module: &Module, joined: bool) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut first: HashMap<_, usize> = HashMap::new();
    for (i, memory) in module.memories.iter().enumerate() {
        let value = |expr: ExprId| value(module, expr);
        let reads: Vec<_> = memory.reads.iter().map(|read| (value(read.address), read.enable.map(value))).collect();
        let writes: Vec<_> = memory.writes.iter().map(|write| (value(write.enable), value(write.address))).collect();
        let of = *first.entry((memory.clock, memory.depth, reads, writes)).or_insert(i);
        groups.entry(if joined { of } else { i }).or_default().push(i);
    }
    groups.into_values().collect()
}

/// What computes a value, beyond the nets that only pass it on.
fn value(module: &Module, id: ExprId) -> &Expr {
    let expr = module.expr(id);
    match expr.op {
        Op::Net(net) => match module.net(net).driver {
            Driver::Expr(driver) if module.expr(driver).width == expr.width => value(module, driver),
            _ => expr,
        },
        _ => expr,
    }
}

/// Memories as one.
fn table(module: &Module, group: &[usize]) -> MemoryMacro {
    let first = &module.memories[group[0]];
    let width = group.iter().map(|i| module.memories[*i].width).sum();
    MemoryMacro { depth: first.depth, width, reads: first.reads.len(), writes: first.writes.len(), count: 0 }
}

/// What tells kinds of memories apart.
fn shape(module: &Module, memory: &Memory) -> Vec<usize> {
    let width = |expr: ExprId| module.expr(expr).width;
    let mut shape = vec![memory.width, memory.depth, memory.reads.len()];
    shape.extend(memory.reads.iter().flat_map(|read| [width(read.address), usize::from(read.enable.is_some())]));
    shape.extend(memory.writes.iter().flat_map(|write| [width(write.address), usize::from(write.mask.is_some())]));
    shape
}

/// Ports in order: what a port is called, its width, and the expression that drives it or, of a read port, the net of
/// its data.
fn ports(module: &Module, memory: &Memory) -> Vec<(Segment, usize, Result<ExprId, NetId>)> {
    let name = |field: &str, i| Segment { field: field.to_string(), index: vec![i] };
    let mut ports = vec![];
    let input = |field: &str, i, expr: ExprId| (name(field, i), module.expr(expr).width, Ok(expr));
    for (i, ReadPort { address, enable, data }) in memory.reads.iter().enumerate() {
        ports.push(input("read_address", i, *address));
        ports.extend(enable.map(|enable| input("read_enable", i, enable)));
        ports.push((name("read_data", i), memory.width, Err(*data)));
    }
    for (i, WritePort { enable, address, data, mask }) in memory.writes.iter().enumerate() {
        ports.push(input("write_enable", i, *enable));
        ports.push(input("write_address", i, *address));
        ports.push(input("write_data", i, *data));
        ports.extend(mask.map(|mask| input("write_mask", i, mask)));
    }
    ports
}

/// A module that holds nothing but such a memory.
fn macro_module(parent: &Module, memory: &Memory, suffix: &str) -> Module {
    let (depth, width, reads, writes) = (memory.depth, memory.width, memory.reads.len(), memory.writes.len());
    let name = format!("Memory_{depth}x{width}_{reads}r{writes}w{suffix}");
    let net =
        |name: Vec<Segment>, width, kind, driver| Net { name: NetName(name), width, kind, driver, variants: None };
    let plain = |field: &str| Segment { field: field.to_string(), index: vec![] };
    let mut nets = vec![net(vec![plain("clock")], 1, NetKind::Clock, Driver::Parent)];
    let mut exprs = vec![];
    let mut inside = memory.clone();
    inside.name = NetName(vec![plain("rows")]);
    inside.clock = NetId(0);
    let mut inputs = vec![];
    let mut data = vec![];
    for (port, width, driver) in ports(parent, memory) {
        let id = NetId(nets.len() as u32);
        match driver {
            Ok(_) => {
                nets.push(net(vec![port], width, NetKind::Input, Driver::Parent));
                inputs.push(ExprId(exprs.len() as u32));
                exprs.push(Expr { width, op: Op::Net(id) });
            }
            Err(_) => {
                // Its driver is the net of the row, which comes after the ports.
                nets.push(net(vec![port], width, NetKind::Output, Driver::Parent));
                data.push(id);
            }
        }
    }
    let ports = (0..nets.len() as u32).map(NetId).collect();
    for (i, &output) in data.iter().enumerate() {
        let row = NetId(nets.len() as u32);
        nets.push(net(
            vec![Segment { field: "row".into(), index: vec![i] }],
            width,
            NetKind::ReadData(0, i),
            Driver::State,
        ));
        let value = ExprId(exprs.len() as u32);
        exprs.push(Expr { width, op: Op::Net(row) });
        nets[output.0 as usize].driver = Driver::Expr(value);
        inside.reads[i].data = row;
    }
    let mut inputs = inputs.into_iter();
    let mut next = || inputs.next().expect("as many as in the same order before");
    for read in &mut inside.reads {
        read.address = next();
        read.enable = read.enable.map(|_| next());
    }
    for write in &mut inside.writes {
        (write.enable, write.address, write.data) = (next(), next(), next());
        write.mask = write.mask.map(|_| next());
    }
    Module {
        name,
        source: "Memory".to_string(),
        nets,
        ports,
        exprs,
        instances: vec![],
        registers: vec![],
        memories: vec![inside],
    }
}

/// Replaces a module's large memories by instances of `kinds`.
fn take_out(module: &mut Module, kinds: &[usize], large: &[bool]) {
    let (mut taken, mut left) = (vec![], vec![]);
    for (memory, large) in std::mem::take(&mut module.memories).into_iter().zip(large) {
        if *large { &mut taken } else { &mut left }.push(memory);
    }
    for (memory, &kind) in taken.iter().zip(kinds) {
        let child = module.instances.len();
        let mut nets = vec![memory.clock];
        for (port, width, driver) in ports(module, memory) {
            match driver {
                Ok(value) => {
                    let name = NetName(memory.name.0.iter().cloned().chain([port]).collect());
                    let kind = NetKind::ChildInput(child);
                    nets.push(NetId(module.nets.len() as u32));
                    module.nets.push(Net { name, width, kind, driver: Driver::Expr(value), variants: None });
                }
                Err(data) => {
                    let net = &mut module.nets[data.0 as usize];
                    (net.kind, net.driver) = (NetKind::ChildOutput(child), Driver::Child);
                    nets.push(data);
                }
            }
        }
        module.instances.push(Instance { name: segment(&memory.name), module: ModuleId(kind as u32), ports: nets });
    }
    for (i, memory) in left.iter().enumerate() {
        for (port, read) in memory.reads.iter().enumerate() {
            module.nets[read.data.0 as usize].kind = NetKind::ReadData(i, port);
        }
    }
    module.memories = left;
}

/// One segment of a name that may have several.
fn segment(name: &NetName) -> Segment {
    let fields: Vec<&str> = name.0.iter().map(|segment| segment.field.as_str()).collect();
    Segment { field: fields.join("_"), index: name.0.iter().flat_map(|segment| segment.index.clone()).collect() }
}

#[cfg(test)]
mod tests {
    use warploom_hdl::divergence::EventTable;
    use warploom_hdl::parts::Fifo;
    use warploom_hdl::prelude::{self as hdl, Block, ReadKind};
    use warploom_sim::{Interpreter, elaborate};

    use super::*;

    fn netlist(mut block: impl Block) -> Netlist {
        block.connect_all();
        elaborate(&block).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Both designs with the same random inputs, every output in every cycle.
    fn agree(one: &Netlist, other: &Netlist) {
        let (mut first, mut second) = (Interpreter::new(one), Interpreter::new(other));
        let mut state = 7u64;
        for cycle in 0..300 {
            for &port in &one.top().ports {
                let net = one.top().net(port);
                let name = net.name.to_string();
                if net.kind == NetKind::Input {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    let value = if name == "reset" { u64::from(cycle == 0) } else { state >> (64 - net.width) };
                    first.set(&name, value);
                    second.set(&name, value);
                }
            }
            for &port in &one.top().ports {
                let net = one.top().net(port);
                if net.kind == NetKind::Output {
                    let name = net.name.to_string();
                    assert_eq!(first.get(&name), second.get(&name), "{name} in cycle {cycle}");
                }
            }
            first.step();
            second.step();
        }
    }

    #[test]
    fn a_design_behaves_as_before() {
        for (netlist, reads, writes) in [
            (netlist(Fifo::new(8, 33)), 1, 1),
            (netlist(hdl::Memory::with_byte_enables(32, 12, 2, 2, ReadKind::Asynchronous)), 2, 2),
            (netlist(hdl::Memory::with_byte_enables(16, 5, 2, 1, ReadKind::Synchronous)), 2, 1),
        ] {
            let Extracted { netlist: apart, macros, .. } = extract(&netlist, Large::from(1));
            assert_eq!(macros.len(), 1, "{macros:?}");
            assert_eq!((macros[0].reads, macros[0].writes, macros[0].count), (reads, writes, 1));
            let holds = |module: &&Module| !module.memories.is_empty();
            assert_eq!(apart.modules.iter().filter(holds).count(), 1, "no memory is left where it was");
            agree(&netlist, &apart);
        }
    }

    #[test]
    fn small_memories_stay() {
        let netlist = netlist(Fifo::new(8, 33));
        let bits: usize = netlist.modules.iter().flat_map(|m| &m.memories).map(|m| m.width * m.depth).sum();
        let Extracted { netlist: same, boxes, macros } = extract(&netlist, Large::from(bits + 1));
        assert_eq!((boxes.len(), macros.len(), same.modules), (0, 0, netlist.modules));
    }

    /// The fields of a table of records are memories of their own; together they are as large as they are.
    #[test]
    fn fields_of_a_table_count_as_one() {
        let netlist = netlist(EventTable::new(4, 4, true, true));
        let shapes = |joined| {
            let Extracted { netlist: apart, boxes, macros } = extract(&netlist, Large { bits: 64, joined });
            agree(&netlist, &apart);
            assert!(joined || boxes.len() == macros.len());
            macros.into_iter().map(|of| (of.count, of.depth, of.width, of.reads, of.writes)).collect::<Vec<_>>()
        };
        // By themselves, only PCs are so large.
        assert_eq!(shapes(false), [(4, 4, 32, 1, 1)]);
        // Kind, two masks and four PCs of the records; the 40 bits beside them are still small.
        assert_eq!(shapes(true), [(1, 4, 2 + 2 * 4 + 4 * 32, 1, 1)]);
    }
}
