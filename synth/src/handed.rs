//! Mapped gates handed to other tools: the netlist, its cells, what is around it, and what it was given while it was at work.
//!
//! ```text
//!  mapped.v, cells.lib   the gates and the library
//!  gates.sdc             clock, driver of the inputs, load of the outputs
//!  inputs.hex            a line for each cycle: the inputs in the order of the test bench
//!  bench.v               gives the gates these inputs; writes bench.vcd from the first cycle that counts
//!  power.tsv             what was calculated here, by kind of cell
//! ```
//! The test bench needs models of the cells. In the waveform the clock rises first at the beginning of the first cycle that
//! counts, and it ends with the last one.
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Error, Result, Write};
use std::path::{Path, PathBuf};

use warploom_sim::netlist::{NetKind, Netlist};

use crate::cells::Cells;
use crate::flow::{CELLS, LOAD, MAPPED, Mapped};
use crate::gates::{Gates, Port};
use crate::power::OfKind;
use crate::verilog;

/// A directory for other tools.
pub struct Handed {
    directory: PathBuf,
    top: String,
    clock: String,
    clock_ns: f64,
    ports: Vec<Port>,
    inputs: BufWriter<File>,
    cycles: u64,
    /// The first that counts.
    first: u64,
    /// Why an input could not be written.
    failed: Option<Error>,
}

impl Handed {
    /// Writes the gates, the cells and what is around them.
    ///
    /// # Errors
    /// If a file cannot be written, or there is no clock.
    pub fn begin(
        directory: &Path,
        netlist: &Netlist,
        mapped: &Mapped,
        gates: &Gates,
        cells: &Cells,
        clock_ns: f64,
    ) -> Result<Self> {
        let top = netlist.top();
        let clock = top.ports.iter().position(|&port| top.net(port).kind == NetKind::Clock);
        let clock = clock.map(|position| verilog::port_names(top).swap_remove(position));
        let clock = clock.ok_or_else(|| Error::other("the gates have no clock"))?;
        fs::create_dir_all(directory)?;
        for file in [MAPPED, CELLS] {
            fs::copy(mapped.directory().join(file), directory.join(file))?;
        }
        fs::write(directory.join("gates.sdc"), constraints(&clock, clock_ns, cells))?;
        let inputs = BufWriter::new(File::create(directory.join("inputs.hex"))?);
        let (directory, top, ports) = (directory.to_path_buf(), top.name.clone(), gates.inputs().to_vec());
        Ok(Self { directory, top, clock, clock_ns, ports, inputs, cycles: 0, first: 0, failed: None })
    }

    /// A cycle with these inputs, as [`Replay::cycle`](crate::power::Replay::cycle) takes them.
    pub fn cycle(&mut self, inputs: &[u64]) {
        self.cycles += 1;
        let mut words = inputs.iter();
        let mut line = String::new();
        for port in &self.ports {
            let words: Vec<u64> = words.by_ref().take(port.words()).copied().collect();
            for (i, word) in words.iter().rev().enumerate() {
                let digits = if i == 0 { (port.width - 1) % 64 / 4 + 1 } else { 16 };
                let _ = write!(line, "{word:0digits$x}");
            }
            line.push(' ');
        }
        if let Err(error) = writeln!(self.inputs, "{line}") {
            self.failed.get_or_insert(error);
        }
    }

    /// What happened until now does not count.
    pub fn forget(&mut self) {
        self.first = self.cycles;
    }

    /// Writes the test bench and what was calculated.
    ///
    /// # Errors
    /// If a file cannot be written, or an input could not.
    pub fn end(mut self, power: &[OfKind]) -> Result<()> {
        self.failed.take().map_or(Ok(()), Err)?;
        self.inputs.flush()?;
        fs::write(self.directory.join("bench.v"), self.bench())?;
        let mut table = String::from("cell\tnumber\tchanges\tleakage_uw\tinternal_uw\tclock_uw\tswitching_uw\n");
        for OfKind { name, cells, changes, part, clock_uw } in power {
            let (leakage, internal, switching) = (part.leakage_uw, part.internal_uw, part.switching_uw);
            let _ = writeln!(table, "{name}\t{cells}\t{changes}\t{leakage}\t{internal}\t{clock_uw}\t{switching}");
        }
        fs::write(self.directory.join("power.tsv"), table)
    }

    /// Inputs change with the rising edge, just after it.
    fn bench(&self) -> String {
        let Self { top, clock, clock_ns, cycles, first, .. } = self;
        let (mut declarations, mut pins, mut reads) = (String::new(), String::new(), String::new());
        for (number, Port { name, width }) in self.ports.iter().enumerate() {
            let _ = writeln!(declarations, "  reg [{}:0] next_{number} = 0, input_{number} = 0;", width - 1);
            let _ = write!(pins, ", .\\{name} (input_{number})");
            let _ = writeln!(reads, "      status = $fscanf(file, \"%h\", next_{number});");
            let _ = writeln!(reads, "      input_{number} <= next_{number};");
        }
        let quarter = clock_ns / 4.0;
        format!(
            "`timescale 1ns/1ps\nmodule bench;\n  reg clock = 0;\n  integer file, status, cycle;\n{declarations}\
             \x20 {top} dut(.\\{clock} (clock){pins});\n\
             \x20 initial begin\n\
             \x20   file = $fopen(\"inputs.hex\", \"r\");\n\
             \x20   $dumpfile(\"bench.vcd\");\n\
             \x20   #{quarter};\n\
             \x20   for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin\n\
             \x20     if (cycle == {first}) $dumpvars(0, dut);\n\
             \x20     #{quarter};\n\
             \x20     clock = cycle > 0;\n\
             {reads}\
             \x20     #{quarter};\n\
             \x20     #{quarter};\n\
             \x20     clock = 0;\n\
             \x20     #{quarter};\n\
             \x20   end\n\
             \x20   #{quarter};\n\
             \x20   $finish;\n\
             \x20 end\nendmodule\n"
        )
    }
}

fn constraints(clock: &str, clock_ns: f64, cells: &Cells) -> String {
    let driver = cells
        .library
        .buffer()
        .map_or(String::new(), |cell| format!("set_driving_cell -lib_cell {} [all_inputs -no_clocks]\n", cell.name));
    format!("create_clock -name clock -period {clock_ns} [get_ports {clock}]\n{driver}set_load {LOAD} [all_outputs]\n")
}
