//! The exported Verilog in Verilator, as an engine beside the generated simulator.
//!
//! ```text
//! Netlist --verilog::export--> core.v + harness.v --verilator--> C++ --g++--> library --load--> Verilated
//! ```
//! `harness.v` gives every port a plain name (`i0`, `o7`), whatever it is called in the design; `wrapper.cpp` moves
//! the ports to and from one array of words, as the generated simulator does, so that both cost the host the same.
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use warploom_sim::cache::CacheError;
use warploom_sim::netlist::Netlist;
use warploom_sim::tool::Interrupted;
use warploom_sim::{Engine, Port};

use crate::verilog;

mod compile;
mod library;
#[cfg(test)]
mod tests;
mod wrapper;

use library::Model;

/// How to build, besides the netlist itself.
#[derive(Clone, Debug, Default)]
pub struct VerilatedOptions {
    /// Builds with `--trace`, for [`Verilated::trace`].
    pub trace: bool,
    /// Threads on which Verilator evaluates the model; one if not given.
    pub threads: Option<NonZeroUsize>,
    /// Where compiled models are kept; by default where compiled simulators are.
    pub cache: Option<PathBuf>,
    /// The program, of whatever version, if not the `verilator` on the PATH.
    pub verilator: Option<PathBuf>,
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum VerilatedError {
    /// A tool could not be run.
    #[error("cannot run `{tool}` ({reason}): Verilator models need verilator, make and g++ on the PATH")]
    NoTool {
        /// What was tried.
        tool: String,
        /// Why it did not work.
        reason: String,
    },
    /// A tool ran and failed.
    #[error("{tool} failed in {}:\n{messages}", .directory.display())]
    Failed {
        /// Which one.
        tool: String,
        /// Where the generated files are.
        directory: PathBuf,
        /// What it said.
        messages: String,
    },
    /// Ctrl-C.
    #[error("interrupted while a model was compiled")]
    Interrupted(#[from] Interrupted),
    /// There is no directory that what is compiled could be kept in.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A file in the cache could not be used.
    #[error("{}: {reason}", .path.display())]
    Io {
        /// Which file or directory.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
}

/// What building the model took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VerilatedReport {
    /// Seconds in Verilator; 0 when cached.
    pub verilate_seconds: f64,
    /// Seconds in g++; 0 when cached.
    pub compile_seconds: f64,
    /// Whether the compiled model was found in the cache.
    pub cached: bool,
}

/// A design in Verilator, with its state: `-O3`, no assertions.
pub struct Verilated {
    model: Model,
    library: PathBuf,
    ports: HashMap<String, Port>,
    report: VerilatedReport,
}

impl Verilated {
    /// Exports, verilates, compiles (or finds in the cache) and loads the model of `netlist`.
    pub fn build(netlist: &Netlist, options: &VerilatedOptions) -> Result<Self, VerilatedError> {
        let top = netlist.top();
        let ports = wrapper::ports(top);
        let sources = compile::Sources {
            design: verilog::export(netlist),
            harness: wrapper::harness(top, &ports),
            wrapper: wrapper::wrapper(&ports, options.trace),
        };
        let compiled = compile::compile(&sources, options)?;
        let model = Model::load(&compiled.library, ports.len())?;
        Ok(Self { model, library: compiled.library, ports: ports.into_iter().collect(), report: compiled.report })
    }

    /// The same design after power-up, with a state of its own.
    pub fn another(&self) -> Result<Self, VerilatedError> {
        let model = Model::load(&self.library, self.ports.len())?;
        Ok(Self { model, library: self.library.clone(), ports: self.ports.clone(), report: self.report.clone() })
    }

    /// Writes a VCD of everything from the next step on, instead of the one before.
    ///
    /// # Panics
    /// If the model was not built with [`VerilatedOptions::trace`].
    pub fn trace(&mut self, path: &std::path::Path) {
        self.model.trace(path);
    }

    /// Closes the VCD file, if one is open.
    ///
    /// # Panics
    /// If the model was not built with [`VerilatedOptions::trace`].
    pub fn end_trace(&mut self) {
        self.model.end_trace();
    }

    /// What the build took.
    pub fn report(&self) -> &VerilatedReport {
        &self.report
    }
}

impl Engine for Verilated {
    fn port(&self, name: &str) -> Option<Port> {
        self.ports.get(name).copied()
    }

    fn set(&mut self, port: Port, value: u64) {
        port.check(value);
        self.model.words_mut()[port.slot()] = value;
    }

    fn get(&self, port: Port) -> u64 {
        self.model.words()[port.slot()]
    }

    fn step(&mut self) {
        self.model.step();
    }
}
