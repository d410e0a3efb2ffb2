//! Value change dump: written while the simulation runs, only what changes.
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use vcd::{IdCode, ReferenceIndex, TimescaleUnit, VarType};

use super::scopes::Scope;
use crate::engine::{ObservedNet, Simulator};

/// Time units of a cycle: the clock rises at its start and falls in its middle.
pub const UNITS_PER_CYCLE: u64 = 10;

/// Words compared at once.
const BLOCK: usize = 32;

/// Writes the observed nets of a simulator. What has been written is flushed when the writer is dropped, and is
/// valid wherever the run ends.
pub struct VcdWriter<W: Write = File> {
    vcd: vcd::Writer<BufWriter<W>>,
    clock: IdCode,
    /// In the order of the words they show.
    variables: Vec<Variable>,
    /// The words of the cycle before; none before the first.
    last: Vec<u64>,
    cycle: u64,
    line: Vec<u8>,
}

/// One value on file; nets that always have the same value share it.
struct Variable {
    /// Position among the observed words.
    slot: usize,
    code: String,
    kind: Kind,
}

enum Kind {
    Bit,
    Vector,
    Names(Vec<String>),
}

impl VcdWriter<File> {
    /// Creates the file at `path`.
    pub fn create(path: &Path, simulator: &Simulator) -> io::Result<Self> {
        Self::new(File::create(path)?, simulator)
    }
}

impl<W: Write> VcdWriter<W> {
    /// Writes the header: the hierarchy of the observed nets, with a clock in the top scope.
    pub fn new(out: W, simulator: &Simulator) -> io::Result<Self> {
        let nets = simulator.observed();
        let mut vcd = vcd::Writer::new(BufWriter::with_capacity(1 << 20, out));
        vcd.version(concat!("warploom ", env!("CARGO_PKG_VERSION")))?;
        vcd.timescale(1, TimescaleUnit::NS)?;
        let mut header = Header { vcd, simulator, by_slot: Default::default(), variables: vec![], clock: None };
        let root = Scope::root(nets);
        if root.children.is_empty() {
            header.scope(&Scope { name: "top", ..Scope::default() })?;
        }
        root.children.iter().try_for_each(|scope| header.scope(scope))?;
        header.vcd.enddefinitions()?;
        let clock = header.clock.expect("the first scope has the clock");
        let mut variables = header.variables;
        variables.sort_by_key(|variable| variable.slot);
        Ok(Self { vcd: header.vcd, clock, variables, last: vec![], cycle: 0, line: vec![] })
    }

    /// Adds the cycle that `simulator` has just stepped.
    pub fn sample(&mut self, simulator: &Simulator) -> io::Result<()> {
        let Self { vcd, variables, last, line, .. } = self;
        line.clear();
        let words = simulator.observed_words();
        let mut next = variables.iter().peekable();
        // Most words stay as they were: whole blocks are compared first.
        for (block, now) in words.chunks(BLOCK).enumerate() {
            let end = block * BLOCK + now.len();
            let before = last.get(block * BLOCK..end);
            let changed = before != Some(now);
            while let Some(variable) = next.next_if(|variable| variable.slot < end) {
                let at = variable.slot - block * BLOCK;
                if changed && before.is_none_or(|before| before[at] != now[at]) {
                    variable.kind.change(now[at], &variable.code, line)?;
                }
            }
        }
        last.clear();
        last.extend_from_slice(words);
        let start = self.cycle * UNITS_PER_CYCLE;
        vcd.timestamp(start)?;
        vcd.change_scalar(self.clock, true)?;
        vcd.writer().write_all(line)?;
        vcd.timestamp(start + UNITS_PER_CYCLE / 2)?;
        vcd.change_scalar(self.clock, false)?;
        self.cycle += 1;
        Ok(())
    }

    /// Ends the last cycle and writes everything out. (Dropping the writer does the same, but hides errors.)
    pub fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        self.vcd.timestamp(self.cycle * UNITS_PER_CYCLE)?;
        self.vcd.flush()
    }
}

impl<W: Write> Drop for VcdWriter<W> {
    fn drop(&mut self) {
        // An error here has nowhere to go; `finish` reports it.
        let _ = self.end();
    }
}

impl Kind {
    fn change(&self, value: u64, code: &str, line: &mut Vec<u8>) -> io::Result<()> {
        match self {
            Self::Bit => writeln!(line, "{value}{code}"),
            Self::Vector => writeln!(line, "b{value:b} {code}"),
            Self::Names(names) => match names.get(value as usize) {
                Some(name) => writeln!(line, "s{name} {code}"),
                None => writeln!(line, "s{value}? {code}"),
            },
        }
    }
}

/// The part of the file before the values.
struct Header<'a, W: Write> {
    vcd: vcd::Writer<BufWriter<W>>,
    simulator: &'a Simulator,
    /// Codes by where the value is and whether it is shown by name.
    by_slot: std::collections::HashMap<(usize, Option<Vec<String>>), IdCode>,
    variables: Vec<Variable>,
    clock: Option<IdCode>,
}

impl<W: Write> Header<'_, W> {
    fn scope(&mut self, scope: &Scope) -> io::Result<()> {
        self.vcd.add_module(scope.name)?;
        if self.clock.is_none() {
            self.clock = Some(self.vcd.add_wire(1, "clock")?);
        }
        scope.nets.iter().try_for_each(|&(net, name)| self.variable(net, name))?;
        scope.children.iter().try_for_each(|child| self.scope(child))?;
        self.vcd.upscope()
    }

    fn variable(&mut self, net: usize, name: &str) -> io::Result<()> {
        let ObservedNet { width, variants, .. } = &self.simulator.observed()[net];
        let (kind, var_type, var_width) = match variants {
            Some(names) => (Kind::Names(names.clone()), VarType::String, 1),
            None if *width == 1 => (Kind::Bit, VarType::Wire, 1),
            None => (Kind::Vector, VarType::Wire, *width as u32),
        };
        let range = (var_width > 1).then(|| ReferenceIndex::Range(var_width as i32 - 1, 0));
        let slot = self.simulator.observed_slot(net);
        let key = (slot, variants.clone());
        if let Some(&code) = self.by_slot.get(&key) {
            return self.vcd.var_def(var_type, var_width, code, name, range);
        }
        let code = self.vcd.add_var(var_type, var_width, name, range)?;
        self.by_slot.insert(key, code);
        self.variables.push(Variable { slot, code: code.to_string(), kind });
        Ok(())
    }
}
