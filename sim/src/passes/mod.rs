//! Transformations of the flat design between [`flatten`](crate::flatten) and emission, one per file.
use crate::ir::Design;

/// Which passes run. Every one can be switched off: the simulator stays correct, only slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Passes {
    /// Wires that are cut up and put together again become one concatenation.
    pub wiring: bool,
    /// Chains of muxes and of associative operators become one n-ary operator.
    pub chains: bool,
    /// Arrays of registers, memories and nets are evaluated as vectors.
    pub vectors: bool,
}

impl Default for Passes {
    fn default() -> Self {
        Self { wiring: true, chains: true, vectors: true }
    }
}

impl Passes {
    /// No pass at all: the scalar code that the netlist spells out.
    pub const NONE: Self = Self { wiring: false, chains: false, vectors: false };
}

/// Runs the passes that `passes` asks for.
pub fn run(_design: &mut Design, _passes: &Passes) {}
