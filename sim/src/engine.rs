//! The generated simulator: a netlist compiled to native code and loaded into this process.
use std::path::PathBuf;

use crate::netlist::Netlist;
use crate::passes::Passes;

/// What to build, besides the netlist itself.
#[derive(Clone, Debug, Default)]
pub struct BuildOptions {
    /// Globs (`*`, `?`) over hierarchical net names: which nets [`Simulator::observed`] lists.
    pub observe: Vec<String>,
    /// Passes to run.
    pub passes: Passes,
    /// Where compiled simulators are kept; by default `$WARPLOOM_CACHE`, else the user's cache directory.
    pub cache: Option<PathBuf>,
}

/// Why no simulator could be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// Combinational logic feeds back on itself.
    #[error("combinational loop: {}", .0.join(" -> "))]
    CombinationalLoop(Vec<String>),
    /// rustc could not be run.
    #[error(
        "cannot run `{rustc}` ({reason}): the simulator is compiled with rustc; put it on the PATH or name it in $RUSTC"
    )]
    NoRustc { rustc: String, reason: String },
    /// rustc ran and failed.
    #[error("rustc rejected the generated simulator {source_file}:\n{messages}")]
    Rustc { source_file: PathBuf, messages: String },
    /// The cache directory or the compiled library could not be used.
    #[error("{path}: {reason}")]
    Io { path: PathBuf, reason: String },
}

/// A top-level port of a [`Simulator`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    slot: u32,
    width: u8,
    input: bool,
}

/// A net whose value can be read every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedNet {
    /// Hierarchical name, the top module first: `core.issue.grant`.
    pub path: String,
    /// Bits.
    pub width: usize,
    /// Variant names by encoding, when it holds a hardware enumeration.
    pub variants: Option<Vec<String>>,
}

/// What building the simulator took and gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// Scalar operations a cycle.
    pub scalar_ops: usize,
    /// Vector operations a cycle.
    pub vector_ops: usize,
    /// Vectors that are put together from scalars one by one, because their lanes differ.
    pub scalar_fallbacks: usize,
    /// Seconds from the netlist to the Rust source.
    pub generate_seconds: f64,
    /// Seconds in rustc; 0 when cached.
    pub compile_seconds: f64,
    /// Whether the compiled simulator was found in the cache.
    pub cached: bool,
}

/// A design, compiled, with its state.
pub struct Simulator {
    report: BuildReport,
    observed: Vec<ObservedNet>,
}

impl Simulator {
    /// Generates, compiles (or finds in the cache) and loads the simulator of `netlist`.
    pub fn build(_netlist: &Netlist, _options: &BuildOptions) -> Result<Self, BuildError> {
        unimplemented!("lands with the code generator")
    }

    /// A top-level port by name: `memory_response_data[3]`.
    pub fn port(&self, _name: &str) -> Option<Port> {
        unimplemented!("lands with the code generator")
    }

    /// Drives an input port from the next [`step`](Self::step) on.
    pub fn set(&mut self, _port: Port, _value: u64) {
        unimplemented!("lands with the code generator")
    }

    /// The value of a port in the cycle just stepped, before its clock edge.
    pub fn get(&self, _port: Port) -> u64 {
        unimplemented!("lands with the code generator")
    }

    /// One clock cycle: evaluates all logic with the inputs set and the current state, then commits the state.
    pub fn step(&mut self) {
        unimplemented!("lands with the code generator")
    }

    /// The same without the clock edge.
    pub fn evaluate(&mut self) {
        unimplemented!("lands with the code generator")
    }

    /// The nets selected by [`BuildOptions::observe`].
    pub fn observed(&self) -> &[ObservedNet] {
        &self.observed
    }

    /// The value of `observed()[index]` in the cycle just stepped, before its clock edge.
    pub fn observed_value(&self, _index: usize) -> u64 {
        unimplemented!("lands with the code generator")
    }

    /// What the build took and gave.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }
}

impl Port {
    /// Bits.
    pub fn width(self) -> usize {
        self.width as usize
    }
}
