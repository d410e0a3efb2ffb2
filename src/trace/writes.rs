//! `--watch`: who wrote there.
use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use comfy_table::{CellAlignment, Table, presets::NOTHING};
use serde::{Deserialize, Serialize};
use warploom_hdl::config::CoreConfig;
use warploom_hdl::interface::MemoryOp;
use warploom_runtime::host::{CycleCount, Ports, WriteTrace};
use warploom_runtime::loader::Program;
use warploom_sim::{Port, Simulator};

use super::listing;
use crate::suggest::nearest;
use crate::user_kernel::PlacedBuffer;

/// So many are kept of each place, the last ones.
const KEPT: usize = 1000;
/// So many of these are printed.
const SHOWN: usize = 20;

/// A place in memory, as the command line has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watch {
    /// From the first address to before the second.
    Addresses(u32, u32),
    /// A buffer, or one of its elements.
    Buffer(String, Option<usize>),
}

impl FromStr for Watch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let address = |text: &str| {
            let digits = text.strip_prefix("0x").ok_or("an address is hexadecimal, as in 0x80001000")?;
            u32::from_str_radix(digits, 16).map_err(|error| format!("`{text}`: {error}"))
        };
        if text.starts_with("0x") {
            let (start, end) = match text.split_once("..") {
                Some((start, end)) => (address(start)?, address(end)?),
                None => (address(text)?, address(text)?.saturating_add(4)),
            };
            return if start < end { Ok(Self::Addresses(start, end)) } else { Err("it is empty".into()) };
        }
        let Some((name, index)) = text.split_once('[') else { return Ok(Self::Buffer(text.into(), None)) };
        let index = index.strip_suffix(']').ok_or("there is no `]` at its end")?;
        let index = index.parse().map_err(|_| format!("`{index}` is no number of an element"))?;
        Ok(Self::Buffer(name.into(), Some(index)))
    }
}

impl fmt::Display for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Addresses(start, end) if start + 4 == *end => write!(f, "{start:#x}"),
            Self::Addresses(start, end) => write!(f, "{start:#x}..{end:#x}"),
            Self::Buffer(name, None) => f.write_str(name),
            Self::Buffer(name, Some(index)) => write!(f, "{name}[{index}]"),
        }
    }
}

impl Watch {
    /// Nothing written yet.
    pub(super) fn report(&self, buffers: &[PlacedBuffer]) -> Result<WatchReport> {
        let (start, end) = self.find(buffers)?;
        Ok(WatchReport { watch: self.to_string(), address: start, bytes: end - start, ..WatchReport::default() })
    }

    /// Its addresses, where these buffers are.
    fn find(&self, buffers: &[PlacedBuffer]) -> Result<(u32, u32)> {
        let (name, index) = match self {
            Self::Addresses(start, end) => return Ok((*start, *end)),
            Self::Buffer(name, index) => (name, index),
        };
        let Some(buffer) = buffers.iter().find(|buffer| buffer.name == *name) else {
            ensure!(
                !buffers.is_empty(),
                "--watch {self}: no buffer has a name here; an address is 0x80001000 and the like"
            );
            let names = buffers.iter().map(|buffer| buffer.name.as_str());
            bail!("--watch {self}: there is no buffer `{name}`{}", nearest(name, names))
        };
        let end = buffer.address + buffer.bytes as u32;
        let Some(index) = index else { return Ok((buffer.address, end)) };
        let elements = buffer.bytes / buffer.element;
        ensure!(*index < elements, "--watch {self}: {name} has {elements} elements");
        let start = buffer.address + (index * buffer.element) as u32;
        Ok((start, start + buffer.element as u32))
    }
}

/// What was written to a place. Field names are part of the interface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WatchReport {
    /// As it was given.
    pub watch: String,
    /// The first address.
    pub address: u32,
    /// Bytes.
    pub bytes: u32,
    /// How often it was written to.
    pub count: u64,
    /// The last 1000 of these, in the order of their cycles.
    pub writes: Vec<WriteReport>,
}

/// A thread writes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WriteReport {
    /// When it leaves the load/store unit for L1 or shared memory, in cycles of all launches.
    pub cycle: u64,
    /// Where.
    pub address: u32,
    /// Bytes.
    pub bytes: u32,
    /// `store`, `sc.w`, `amoadd.w`, ...
    pub operation: String,
    /// Of a store what is written, of an atomic operation its operand.
    pub value: u32,
    /// The instruction's address.
    pub pc: u32,
    /// The same as people read it, with the line of the source if the ELF tells.
    pub place: String,
    /// The CTA's number in the grid, x first.
    pub cta: u64,
    /// The thread's number in its CTA.
    pub thread: usize,
}

/// Watches while the core runs.
pub struct Writes {
    trace: WriteTrace,
    cycles: CycleCount,
    busy: Port,
    program: Program,
    places: Vec<(WatchReport, VecDeque<WriteReport>)>,
}

impl Writes {
    /// None yet.
    pub fn new(watched: Vec<WatchReport>, simulator: &Simulator, config: &CoreConfig, program: Program) -> Self {
        let places = watched.into_iter().map(|report| (report, VecDeque::new())).collect();
        let (trace, cycles) = (WriteTrace::new(simulator, config), CycleCount::default());
        Self { trace, cycles, busy: Ports::new(simulator, config).busy, program, places }
    }

    /// Adds the cycle just simulated.
    pub fn push(&mut self, simulator: &Simulator) {
        let cycle = self.cycles.push(simulator, self.busy).unwrap_or_default();
        for write in self.trace.push(simulator) {
            for (report, writes) in &mut self.places {
                let (start, end) = (u64::from(report.address), u64::from(report.address) + u64::from(report.bytes));
                let at = u64::from(write.address);
                if at >= end || at + u64::from(write.bytes) <= start {
                    continue;
                }
                report.count += 1;
                if writes.len() == KEPT {
                    writes.pop_front();
                }
                writes.push_back(WriteReport {
                    cycle,
                    address: write.address,
                    bytes: write.bytes,
                    operation: mnemonic(write.op).into(),
                    value: write.value,
                    pc: write.pc,
                    place: self.program.source_place(write.pc),
                    cta: write.cta,
                    thread: write.thread,
                });
            }
        }
    }

    /// All places, in the order of the command line.
    pub fn finish(self) -> Vec<WatchReport> {
        self.places.into_iter().map(|(report, writes)| WatchReport { writes: writes.into(), ..report }).collect()
    }
}

fn mnemonic(op: MemoryOp) -> &'static str {
    match op {
        MemoryOp::Store => "store",
        MemoryOp::StoreConditional => "sc.w",
        MemoryOp::AtomicSwap => "amoswap.w",
        MemoryOp::AtomicAdd => "amoadd.w",
        MemoryOp::AtomicXor => "amoxor.w",
        MemoryOp::AtomicAnd => "amoand.w",
        MemoryOp::AtomicOr => "amoor.w",
        MemoryOp::AtomicMin => "amomin.w",
        MemoryOp::AtomicMax => "amomax.w",
        MemoryOp::AtomicMinUnsigned => "amominu.w",
        MemoryOp::AtomicMaxUnsigned => "amomaxu.w",
        MemoryOp::Load | MemoryOp::LoadReserved | MemoryOp::Fence => "no write",
    }
}

/// The listing for people.
pub fn table(watched: &[WatchReport]) -> String {
    watched.iter().map(of_place).collect::<Vec<_>>().join("\n")
}

fn of_place(report: &WatchReport) -> String {
    let WatchReport { watch, address, bytes, count, writes } = report;
    let head = format!("\n  writes to {watch} ({address:#x}, {bytes} bytes): {count}");
    if writes.is_empty() {
        return head;
    }
    let head = if *count > SHOWN as u64 { format!("{head}, of which the last {SHOWN}") } else { head };
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(["cycle", "address", "what", "value", "CTA", "thread", "instruction"]);
    for write in &writes[writes.len().saturating_sub(SHOWN)..] {
        table.add_row([
            write.cycle.to_string(),
            format!("{:#x}", write.address),
            match write.bytes {
                4 => write.operation.clone(),
                1 => format!("{}, 1 byte", write.operation),
                bytes => format!("{}, {bytes} bytes", write.operation),
            },
            format!("{:#x}", write.value),
            write.cta.to_string(),
            write.thread.to_string(),
            write.place.clone(),
        ]);
    }
    for right in [0, 3, 4, 5] {
        table.column_mut(right).expect("there").set_cell_alignment(CellAlignment::Right);
    }
    format!("{head}\n{}", listing(table))
}
